"""Draw the README's picture: a real page, in a real browser, in the middle of a real run.

    python scripts/draw_viewer.py        writes docs/figures/viewer.png and viewer-broken.png

It needs Chromium (make browser).
"""

from __future__ import annotations

import shutil
from pathlib import Path
from tempfile import TemporaryDirectory

from playwright.sync_api import sync_playwright

import loopwright as lw

ROOT = Path(__file__).parents[1]
FIGURES = ROOT / "docs" / "figures"
ROADS = ROOT / "examples" / "roads.txt"
SIZE = {"width": 1280, "height": 720}


def main() -> None:
    model = lw.compile(lw.algorithms.dijkstra())
    graph = lw.Graph.of(ROADS).undirected()
    pages = {
        "viewer": (lw.view(model, graph, source="Ulm"), "#i=3&l=3"),
        "viewer-broken": (lw.view(model, graph, source="Ulm", broken="2,W4,0,visit=1"), ""),
    }
    with TemporaryDirectory() as folder, sync_playwright() as playwright:
        browser = playwright.chromium.launch(
            executable_path=shutil.which("chromium"), args=["--no-sandbox", "--disable-gpu"]
        )
        for name, (view, link) in pages.items():
            path = Path(folder) / f"{name}.html"
            view.save(path)
            page = browser.new_page(viewport=SIZE)
            page.goto(f"{path.as_uri()}{link}")
            page.wait_for_selector("html[data-opened]")
            page.screenshot(path=FIGURES / f"{name}.png")
        browser.close()


if __name__ == "__main__":
    main()
