// How near each step has come to going the other way, up to this moment.

const MARGIN_WORDS = {
  gap: "from the best score to the next, in tie tolerances",
  spread: "between scores that tie, in tie tolerances",
  comparison: "of a comparison from its threshold",
  flag: "that a flag is off 0 or 1",
  value: "the largest value, or clause of a selection, over Ω",
};

class SafetyPanel {
  constructor(run) {
    this.run = run;
    this.host = element("div", {});
    find("panel-safety").append(this.host);
    this.byLayer = run.layers.map(() => []);
    for (const line of run.margins) this.byLayer[run.layerOf(line[0])].push(line);
  }

  /** What a layer showed when it last ran. */
  at(layer, number) {
    let found = null;
    for (const line of this.byLayer[layer]) {
      if (line[0] > number) break;
      found = line;
    }
    return found?.slice(1) ?? null;
  }

  /** 0 is safe; at 1 a monitored run is stopped, half the way to where it would go wrong. */
  nearness(turn, margin) {
    if (margin === null) return 0;
    return turn.below ? turn.at / margin : margin / turn.at;
  }

  show(moment) {
    if (moment.tab !== "safety") return;
    const { run } = this;
    if (!run.margins.length) {
      this.host.replaceChildren(element("p", { class: "quiet" }, "Margins were not measured: the page was made of a trace alone."));
      return;
    }
    const cell = (turn, margin) => {
      const near = this.nearness(turn, margin);
      const level = element("i", {});
      level.style.width = `${Math.min(100, near * 100)}%`;
      return element("td", { title: margin === null ? "nothing to tell apart" : `${margin}; a run is stopped ${turn.below ? "below" : "above"} ${turn.at}` }, margin === null ? "–" : shortNumber(margin), element("span", { class: `bar${near > 0.95 ? " near" : ""}`, "aria-hidden": "true" }, level));
    };
    const lines = run.layers.map((layer, k) => {
      const margins = this.at(k, moment.number);
      const here = moment.number > 0 && k === moment.layer;
      return element("tr", here ? { class: "here", "aria-current": "step" } : {}, element("th", { scope: "row", title: layer.name }, `${k + 1} ${layer.name}`), ...run.turns.map((turn, m) => (margins ? cell(turn, margins[m]) : element("td", { class: "quiet" }, ""))));
    });
    this.host.replaceChildren(
      element("p", { class: "quiet" }, "As each layer last ran. A full bar is half the way to a wrong answer, where a monitored run is stopped."),
      element("div", { class: "scroll", tabindex: "0", role: "region", "aria-label": "Margins" }, element("table", { id: "margins" },
        element("thead", {}, element("tr", {}, element("th", { scope: "col" }, "step"), ...run.turns.map((turn) => element("th", { scope: "col", title: MARGIN_WORDS[turn.name] }, `${turn.name} ${turn.below ? "≥" : "≤"} ${turn.at}`)))),
        element("tbody", {}, ...lines))),
      element("ul", { class: "changes" }, ...run.turns.map((turn) => element("li", { class: "quiet" }, `${turn.name}: ${MARGIN_WORDS[turn.name]}`))));
  }
}
