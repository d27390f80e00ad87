// The program, step by step, with the layer that has just run; and as its author wrote it.

class ProgramPanel {
  constructor(run, goToLayer) {
    this.run = run;
    this.items = run.layers.map((layer, k) =>
      element("li", {},
        element("span", { class: "number", title: layer.paper === null ? "" : `step ${layer.paper} in the paper` }, layer.paper === null ? `${k + 1}` : `(${layer.paper})`),
        element("div", {},
          element("button", { type: "button", onclick: () => goToLayer(k) }, layer.name),
          ...layer.statements.map((statement) => element("code", {}, statement)))));
    find("program").replaceChildren(...this.items);
    find("written").hidden = !run.written.length;
    find("statements").append(...run.written.map(({ text, at }) => element("li", {}, element("code", { title: at }, text))));
  }

  show(moment) {
    this.items.forEach((item, k) => {
      const here = moment.number > 0 && k === moment.layer;
      item.classList.toggle("here", here);
      if (here) item.setAttribute("aria-current", "step");
      else item.removeAttribute("aria-current");
    });
    const facts = find("step-facts"), list = find("program");
    if (moment.number === 0) {
      facts.replaceChildren("X₀: nothing has run yet.");
      list.scrollTop = 0;
      return;
    }
    const layer = this.run.layers[moment.layer];
    const paper = layer.paper === null ? "" : `step ${layer.paper} in the paper · `;
    facts.replaceChildren(paper, "reads ", element("b", {}, layer.reads.join(", ") || "nothing"), " · writes ", element("b", {}, layer.writes.join(", ")));
    const item = this.items[moment.layer];
    const top = item.offsetTop, bottom = top + item.offsetHeight;
    if (top < list.scrollTop || bottom > list.scrollTop + list.clientHeight) list.scrollTop = top - Math.max(0, (list.clientHeight - item.offsetHeight) / 2);
  }
}
