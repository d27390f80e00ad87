// Where in the run the page is: buttons, keys, the slider, links, and playing.

/** Signs in a box of 20 × 14: fonts have them all or not. */
const SIGNS = {
  first: "M3,1h2v12h-2z M17,1v12l-9,-6z",
  back: "M10,1v12l-8,-6z M19,1v12l-8,-6z",
  before: "M14,1v12l-9,-6z",
  next: "M6,1v12l9,-6z",
  on: "M1,1v12l8,-6z M10,1v12l8,-6z",
  last: "M15,1h2v12h-2z M3,1v12l9,-6z",
  "change-before": "M12,6h7v2h-7v4l-6,-5l6,-5z M3,7m-2.4,0a2.4,2.4 0 1,0 4.8,0a2.4,2.4 0 1,0 -4.8,0z",
  "change-next": "M8,6h-7v2h7v4l6,-5l-6,-5z M17,7m-2.4,0a2.4,2.4 0 1,0 4.8,0a2.4,2.4 0 1,0 -4.8,0z",
};

const icon = (sign) => shape("svg", { viewBox: "0 0 20 14", width: 20, height: 14, "aria-hidden": "true" }, shape("path", { d: SIGNS[sign], fill: "currentColor" }));

const SPEEDS = [["1 layer a second", 1], ["4 a second", 4], ["15 a second", 15], ["60 a second", 60]];

class Movement {
  constructor(run, show) {
    this.run = run;
    this.show = show;
    this.playing = null;
    this.number = run.before;
    this.variable = null;
    this.node = null;
    this.tab = "x";
    this.buildButtons();
    this.buildScrub();
    this.buildWatch();
    document.addEventListener("keydown", (event) => this.key(event));
    window.addEventListener("hashchange", () => this.followLink());
  }

  /** Every way to move: the button's sign, what it is called, its key, what it does. */
  get actions() {
    const { run } = this, layers = run.layers.length;
    return [
      ["first", "To the beginning", "Home", () => this.go(run.before)],
      ["back", "Back one iteration", "ArrowUp", () => this.go(this.number - layers)],
      ["before", "Back one layer", "ArrowLeft", () => this.go(this.number - 1)],
      ["next", "On by one layer", "ArrowRight", () => this.go(this.number + 1)],
      ["on", "On by one iteration", "ArrowDown", () => this.go(this.number + layers)],
      ["last", "To the end", "End", () => this.go(run.last)],
      ["change-before", "To the previous change of what is watched", "p", () => this.jump(-1)],
      ["change-next", "To the next change of what is watched", "n", () => this.jump(1)],
    ];
  }

  buildButtons() {
    const button = ([sign, name, key, act]) => element("button", { type: "button", title: `${name} (${keyName(key)})`, "aria-label": name, "aria-keyshortcuts": key, onclick: () => { this.pause(); act(); } }, icon(sign));
    const made = this.actions.map(button);
    this.play = element("button", { type: "button", id: "play", "aria-keyshortcuts": "Space", onclick: () => this.toggle() }, "Play");
    made.splice(3, 0, this.play);
    this.speed = element("select", { id: "speed", "aria-label": "Speed" });
    this.speed.append(...SPEEDS.map(([words, rate]) => element("option", { value: rate }, words)));
    this.speed.value = "4";
    find("buttons").append(...made);
    find("watch").append(this.speed);
    const keys = [...this.actions.map(([, name, key]) => [keyName(key), name]), ["Space", "Play, pause"], ["1 2 3 4", "X, attention, weights, safety"], ["/", "Search a variable"], ["v", "Choose a variable to watch"], ["w", "Choose a node to watch"], ["d", "Dark, light"], ["?", "This list"]];
    find("keys").append(...keys.flatMap(([key, words]) => [element("dt", {}, element("kbd", {}, key)), element("dd", {}, words)]));
  }

  buildScrub() {
    const scrub = find("scrub");
    scrub.min = this.run.before;
    scrub.max = this.run.last;
    scrub.addEventListener("input", () => { this.pause(); this.go(Number(scrub.value)); });
  }

  buildWatch() {
    const { run } = this, variable = find("watched-variable"), node = find("watched-node");
    fillChoice(variable, run.fields.map((field) => field.name), "any variable");
    node.append(element("option", { value: "" }, "any node"), ...Array.from({ length: run.rows - 1 }, (_, k) => element("option", { value: k + 1 }, run.rowName(k + 1))));
    variable.addEventListener("change", () => this.watchVariable(variable.value || null));
    node.addEventListener("change", () => this.watchNode(node.value ? Number(node.value) : null));
  }

  watchVariable(name) {
    this.variable = name;
    find("watched-variable").value = name ?? "";
    const colour = find("colour"), field = this.run.fieldNamed.get(name);
    if (field?.scope === "nodes") colour.value = name;
    this.show();
  }

  watchNode(row) {
    this.node = row === this.node ? null : row;
    find("watched-node").value = this.node ?? "";
    this.show();
  }

  go(number) {
    this.number = Math.min(this.run.last, Math.max(this.run.before, number));
    this.show();
    this.writeLink();
  }

  goToLayer(layer) {
    const iteration = Math.max(1, this.run.iterationOf(this.number));
    this.pause();
    this.go(this.run.numberOf(iteration, layer));
  }

  jump(direction) {
    const found = this.run.nextChange(this.number, direction, this.variable, this.node);
    if (found !== null) this.go(found);
  }

  toggle() {
    if (this.playing) return this.pause();
    if (this.number >= this.run.last) this.go(this.run.before);
    say(this.play, "Pause");
    find("moment").setAttribute("aria-live", "off");
    let due = performance.now();
    const step = (now) => {
      const rate = Number(this.speed.value);
      if (now >= due) {
        due = Math.max(due + 1000 / rate, now);
        if (this.number >= this.run.last) return this.pause();
        this.go(this.number + 1);
      }
      this.playing = requestAnimationFrame(step);
    };
    due += 1000 / Number(this.speed.value);
    this.playing = requestAnimationFrame(step);
  }

  pause() {
    if (this.playing) cancelAnimationFrame(this.playing);
    this.playing = null;
    say(this.play, "Play");
    find("moment").setAttribute("aria-live", "polite");
  }

  /** Keys are left alone where they have a meaning of their own. */
  key(event) {
    if (event.ctrlKey || event.metaKey || event.altKey || find("help").open) return;
    const on = event.target, typing = on.matches("input[type=search], select");
    if (typing || (on.matches("input[type=range]") && !["p", "n", "/", "?", " "].includes(event.key))) return;
    if (on.matches("[role=tab]") && ["ArrowLeft", "ArrowRight", "Home", "End"].includes(event.key)) return;
    if (event.key === " " && on.matches("button, input")) return;
    const act = {
      " ": () => this.toggle(),
      "/": () => { this.chooseTab("x"); find("search").focus(); },
      v: () => find("watched-variable").focus(),
      w: () => find("watched-node").focus(),
      d: () => turnTheme(),
      "?": () => find("help").showModal(),
      ...Object.fromEntries(TABS.map(([name], k) => [String(k + 1), () => this.chooseTab(name)])),
      ...Object.fromEntries(this.actions.map(([, , key, action]) => [key, () => { this.pause(); action(); }])),
    }[event.key];
    if (!act) return;
    event.preventDefault();
    act();
  }

  chooseTab(name) {
    this.tab = name;
    this.show();
  }

  /** #i=3&l=2 is after layer 2 of iteration 3, both from 1; i=0 is X₀. */
  writeLink() {
    const { run } = this, l = run.layerOf(this.number) + 1;
    const link = this.number === 0 ? "#i=0" : `#i=${run.iterationOf(this.number)}&l=${l}`;
    clearTimeout(this.linking); // browsers refuse more than a hundred in half a minute
    this.linking = setTimeout(() => {
      try { history.replaceState(null, "", link); } catch { /* inside a notebook there is no address */ }
    }, 250);
  }

  followLink() {
    const given = new URLSearchParams(location.hash.slice(1)), layers = this.run.layers.length;
    const whole = (name, otherwise) => { const text = given.get(name); return text !== null && /^\d{1,12}$/.test(text) ? Number(text) : otherwise; };
    const iteration = whole("i", null);
    if (iteration === null) return false;
    const layer = Math.min(layers, Math.max(1, whole("l", layers)));
    this.pause();
    this.go(iteration === 0 ? 0 : this.run.numberOf(iteration, layer - 1));
    return true;
  }
}

function keyName(key) {
  return { ArrowLeft: "←", ArrowRight: "→", ArrowUp: "↑", ArrowDown: "↓" }[key] ?? key;
}
