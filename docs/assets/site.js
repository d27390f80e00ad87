// The theme's search is a dialog that nobody can name.
document.querySelector(".md-search")?.setAttribute("aria-label", "Search");
