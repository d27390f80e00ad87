// The matrices of a layer, with named rows and columns, and the formula that each unit computes.

class WeightsPanel {
  constructor(run, redraw) {
    this.run = run;
    this.redraw = redraw;
    this.chosen = null;
    this.whole = element("input", { type: "checkbox", id: "whole-matrix" });
    this.whole.addEventListener("change", redraw);
    this.choice = element("div", { class: "tools", role: "group", "aria-label": "Matrix" });
    this.host = element("div", {});
    find("panel-weights").append(this.choice, this.host);
    if (run.broken) this.chosen = run.broken[1];
  }

  matrices(layer) {
    const { heads, mlp } = this.run.weights[layer], found = new Map();
    heads.forEach((head, k) => {
      for (const part of ["W_Q", "W_K", "W_V"]) found.set(`${part}${k + 1}`, head[part]);
      if (head.hinges.length) found.set(`W_H${k + 1}`, head.hinges.flatMap((weight, hinge) => (weight ? [hinge, 0, weight] : [])));
    });
    mlp.forEach((matrix, k) => found.set(`W${k + 1}`, matrix));
    return found;
  }

  show(moment) {
    if (moment.tab !== "weights") return;
    const { run } = this;
    if (!run.weights) {
      this.host.replaceChildren(element("p", { class: "quiet" }, "There are no weights: the page was made of a trace alone."));
      return;
    }
    const layer = moment.layer, matrices = this.matrices(layer);
    const chosen = matrices.has(this.chosen) ? this.chosen : [...matrices].find(([, matrix]) => matrix.length)?.[0] ?? "W1";
    const groups = new Map();
    for (const [name, matrix] of matrices) {
      const group = name.startsWith("W_") ? `head ${name.slice(3)}` : "MLP";
      const button = element("button", { type: "button", "aria-pressed": String(name === chosen), "aria-label": this.title(name), disabled: !matrix.length && name !== chosen, title: `${matrix.length / 3} weights are not 0`, onclick: () => { this.chosen = name; this.redraw(); } }, this.title(name).slice(0, 3).replace(",", ""));
      groups.set(group, [...(groups.get(group) ?? []), button]);
    }
    this.choice.replaceChildren(...[...groups].map(([words, buttons]) => element("span", { class: "group" }, element("span", { class: "quiet" }, words), ...buttons)), element("label", {}, this.whole, " whole matrix"));
    this.host.replaceChildren(element("h3", {}, `${this.title(chosen)} of layer ${layer + 1}, ${run.layers[layer].name}`), this.picture(chosen, matrices.get(chosen), layer), ...this.formulas(layer, moment));
  }

  title(name) {
    return name.startsWith("W_") ? `${name.slice(0, 3)}, head ${name.slice(3)}` : `W${"¹²³⁴"[name[1] - 1]}`;
  }

  /** What a column of X is called while a layer works: as before it, or as after it. */
  column(k, layer, after) {
    const { run } = this, before = (layer - 1 + run.layers.length) % run.layers.length;
    if (k === run.width) return "edge"; // the weight that an edge head sees beside a row
    const field = run.heldBy(k, after ? layer : before);
    if (!field) return `scratch ${k}`;
    return field.kind === "position" ? `${field.name}.${k === field.first ? "sin" : "cos"}` : field.name;
  }

  /** The same between attention and MLP: what a head has written is the layer's own. */
  attended(k, layer) {
    const written = this.run.weights[layer].heads.some((head) => head.W_V.some((entry, at) => at % 3 === 1 && entry === k));
    return this.column(k, layer, written);
  }

  hidden(level, k) {
    return `${"uvw"[level - 1]}${k}`;
  }

  names(matrix, layer) {
    const x = (after) => (k) => this.column(k, layer, after);
    if (matrix.startsWith("W_V")) return [x(false), x(true)];
    if (matrix.startsWith("W_H")) return [(k) => `relu(q${k} + k${k})`, () => "score"];
    if (matrix.startsWith("W_")) return [x(false), (k) => `${matrix[2].toLowerCase()}${k}`];
    const level = Number(matrix[1]);
    return [level === 1 ? (k) => this.attended(k, layer) : (k) => this.hidden(level - 1, k), level === 4 ? x(true) : (k) => this.hidden(level, k)];
  }

  picture(name, matrix, layer) {
    const { run } = this, entries = new Map(), rows = new Set(), columns = new Set();
    const marked = run.broken && run.broken[0] === layer && run.broken[1] === name ? run.broken : null;
    for (let k = 0; k < matrix.length; k += 3) {
      entries.set(`${matrix[k]} ${matrix[k + 1]}`, matrix[k + 2]);
      rows.add(matrix[k]);
      columns.add(matrix[k + 1]);
    }
    if (marked) { rows.add(marked[2]); columns.add(marked[3]); }
    const { size, hinges } = run.weights[layer].heads[Number(name.slice(3)) - 1] ?? {};
    const [tall, wide] = name.startsWith("W_H") ? [hinges.length, 1] : [run.width, name.startsWith("W_Q") || name.startsWith("W_K") ? size : run.width];
    const every = (count) => Array.from({ length: count }, (_, k) => k), sorted = (set) => [...set].sort((a, b) => a - b);
    const [down, across] = this.whole.checked ? [every(Math.max(tall, ...[...rows].map((row) => row + 1))), every(wide)] : [sorted(rows), sorted(columns)];
    if (!down.length) return element("p", { class: "quiet" }, "All of its weights are 0.");
    const [rowName, columnName] = this.names(name, layer);
    const largest = Math.log1p(Math.max(...[...entries.values()].map(Math.abs)));
    return element("div", { class: "scroll", tabindex: "0", role: "region", "aria-label": `Weights ${this.title(name)}` }, element("table", { class: "matrix", id: "weight-matrix" },
      element("thead", {}, element("tr", {}, element("td", {}), ...across.map((k) => element("th", { scope: "col", class: "tall" }, element("span", {}, columnName(k)))))),
      element("tbody", {}, ...down.map((row) => element("tr", {}, element("th", { scope: "row" }, rowName(row)), ...across.map((column) => {
        const weight = entries.get(`${row} ${column}`) ?? 0, broken = marked && marked[2] === row && marked[3] === column;
        const cell = element("td", { class: `share${broken ? " broken" : ""}`, title: `${rowName(row)} → ${columnName(column)}: ${weight}${broken ? `, was ${marked[4]}` : ""}` }, weight || broken ? this.weight(weight) : "");
        cell.style.setProperty("--share", weight ? 0.15 + (0.85 * Math.log1p(Math.abs(weight))) / largest : 0);
        return cell;
      }))))));
  }

  weight(number) {
    return number === this.run.constants.omega ? "Ω" : number === -this.run.constants.omega ? "−Ω" : shortNumber(number);
  }

  /** Column of a matrix → the sum that it stands for, as text. */
  sums(matrix, name) {
    const found = new Map();
    for (let k = 0; k < matrix.length; k += 3) {
      const weight = matrix[k + 2], factor = Math.abs(weight) === 1 ? "" : `${this.weight(Math.abs(weight))}·`;
      const before = found.get(matrix[k + 1]);
      const sign = weight < 0 ? (before ? " − " : "−") : before ? " + " : "";
      found.set(matrix[k + 1], `${before ?? ""}${sign}${factor}${name(matrix[k])}`);
    }
    return [...found].sort(([a], [b]) => a - b);
  }

  formulas(layer, moment) {
    const { run } = this, { heads, mlp } = run.weights[layer], lines = [];
    const row = moment.node ?? 0, ran = moment.number > run.before;
    const here = ran ? throughLayer(run, layer, moment.previous, row) : null;
    const old = (k) => this.column(k, layer, false), fresh = (k) => this.column(k, layer, true);
    heads.forEach((head, k) => {
      const over = { I: "", A: "A ", AT: "Aᵀ ", E: "", ET: "" }[head.over];
      const seen = here?.attentions[k], added = seen?.added(row);
      const at = (values, unit) => (seen ? shortNumber(values[row * head.size + unit]) : "");
      for (const [unit, sum] of this.sums(head.W_Q, old)) lines.push([`head ${k + 1}`, `q${unit} = ${sum}`, at(seen?.query, unit)]);
      for (const [unit, sum] of this.sums(head.W_K, old)) lines.push([`head ${k + 1}`, `k${unit} = ${sum}`, at(seen?.key, unit)]);
      head.hinges.forEach((weight, hinge) => lines.push([`head ${k + 1}`, `score += ${this.weight(weight)}·relu(q${hinge} + k${hinge})`, ""]));
      for (const [column, sum] of this.sums(head.W_V, old)) lines.push([`head ${k + 1}`, `${fresh(column)} += ${over}attended(${sum})`, added ? shortNumber(added.get(column) ?? 0) : ""]);
    });
    mlp.forEach((matrix, k) => {
      const level = k + 1, [from, to] = [level === 1 ? (c) => this.attended(c, layer) : (c) => this.hidden(level - 1, c), level === 4 ? fresh : (c) => this.hidden(level, c)];
      for (const [unit, sum] of this.sums(matrix, from)) {
        const value = here ? (level === 4 ? here.added[unit] : here.levels[k][unit]) : null;
        lines.push([`W${"¹²³⁴"[k]}`, level === 4 ? `${to(unit)} += ${sum}` : `${to(unit)} = relu(${sum})`, value === null ? "" : shortNumber(value)]);
      }
    });
    return [element("h3", {}, "What each unit computes"),
      element("table", { id: "formulas" }, element("thead", {}, element("tr", {}, ...["part", "formula", `at ${run.rowName(row)}`].map((name) => element("th", { scope: "col" }, name)))),
        element("tbody", {}, ...lines.map(([part, formula, value]) => element("tr", {}, element("th", { scope: "row" }, part), element("td", { class: "formula" }, formula), element("td", {}, value)))))];
  }
}
