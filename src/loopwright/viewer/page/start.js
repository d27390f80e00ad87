// The page, put together: every panel shows the same moment.

const TABS = [["x", "X"], ["attention", "Attention"], ["weights", "Weights"], ["safety", "Safety"]];

function setTheme(name) {
  document.documentElement.dataset.theme = name;
  say(find("theme"), name === "dark" ? "Light" : "Dark");
}

function turnTheme() {
  setTheme(document.documentElement.dataset.theme === "dark" ? "light" : "dark");
}

function buildTabs(movement) {
  const tabs = TABS.map(([name, words]) => element("button", { type: "button", role: "tab", id: `tab-${name}`, "aria-controls": `panel-${name}`, onclick: () => movement.chooseTab(name) }, words));
  find("tabs").append(...tabs);
  TABS.forEach(([name]) => find(`panel-${name}`).setAttribute("aria-labelledby", `tab-${name}`));
  find("tabs").addEventListener("keydown", (event) => {
    const at = tabs.indexOf(document.activeElement), last = tabs.length - 1;
    const to = { ArrowRight: at === last ? 0 : at + 1, ArrowLeft: at === 0 ? last : at - 1, Home: 0, End: last }[event.key];
    if (to === undefined || at < 0) return;
    event.preventDefault();
    movement.chooseTab(TABS[to][0]);
    tabs[to].focus();
  });
}

function showTabs(chosen) {
  for (const [name] of TABS) {
    const selected = name === chosen;
    find(`tab-${name}`).setAttribute("aria-selected", String(selected));
    find(`tab-${name}`).tabIndex = selected ? 0 : -1;
    find(`panel-${name}`).hidden = !selected;
  }
}

function showNotices(run, movement) {
  const lines = run.notices.map((notice) => element("p", {}, notice));
  if (run.stop) lines.push(element("p", { class: "stop" }, `Stopped: ${run.stop.message}`, element("button", { type: "button", onclick: () => movement.go(run.last) }, "Go there")));
  find("notices").append(...lines);
}

function momentWords(run, number) {
  if (number === 0) return "X₀, before the first layer";
  const layer = run.layerOf(number);
  const end = number === run.last && run.halted ? " · halted" : "";
  return `iteration ${run.iterationOf(number)} of ${run.iterationOf(run.last)} · layer ${layer + 1} of ${run.layers.length}${end} · ${run.layers[layer].name}`;
}

const count = (number, what) => `${number} ${what}${number === 1 ? "" : "s"}`;

async function open() {
  setTheme(matchMedia("(prefers-color-scheme: dark)").matches ? "dark" : "light");
  const run = new Run(await readData());
  const movement = new Movement(run, () => show());
  buildTabs(movement);
  find("theme").addEventListener("click", turnTheme);
  find("help-button").addEventListener("click", () => find("help").showModal());
  say(find("title"), `${run.words[0]} (${run.words[1]}, ${run.words[2]})`);
  say(find("subtitle"), `${count(run.graph.labels.length, "node")}, ${count(run.graph.edges, "edge")} · ${count(run.layers.length, "layer")} × ${count(run.iterationOf(run.last), "iteration")} · X is ${run.rows} × ${run.width}${run.source === null ? "" : ` · from ${run.rowName(run.source + 1)}`}`);
  showNotices(run, movement);
  const program = new ProgramPanel(run, (layer) => movement.goToLayer(layer));
  const graph = new GraphPanel(run, (row) => movement.watchNode(row));
  const table = new TablePanel(run, (name) => movement.watchVariable(name));
  const panels = [new AttentionPanel(run, () => show()), new WeightsPanel(run, () => show()), new SafetyPanel(run), program, graph];

  function show() {
    const { number, variable, node, tab } = movement;
    const before = Math.max(run.before, number - 1);
    const moment = { number, variable, node, tab, layer: run.layerOf(number), held: run.cameOf(number), heldBefore: run.cameOf(before), x: run.at(number), previous: run.at(before), changed: run.changedAt(number) };
    showTabs(tab);
    for (const panel of panels) panel.show(moment);
    if (tab === "x") table.show(moment);
    const words = momentWords(run, number), scrub = find("scrub");
    say(find("moment"), words);
    scrub.value = number;
    scrub.setAttribute("aria-valuetext", words);
  }

  if (!movement.followLink()) movement.go(run.stop ? run.last : run.before);
  window.loopwright = { run, movement };
  document.documentElement.dataset.opened = Math.round(performance.now());
}

open().catch((problem) => {
  say(find("title"), "This page could not be opened");
  say(find("subtitle"), `${problem}. It needs a browser of 2023 or later.`);
  throw problem;
});
