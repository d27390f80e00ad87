// The graph: nodes coloured by a variable, what changed, the tree that forms, and what travels.

const MOST_WEIGHTS = 60; // edges that have their weight written beside them
const MOST_CLEAR = 300; // edges before lines have to be thin
const MOST_ARCS = 60; // of attention, at once
const HUES = ["#2f6fd0", "#d97706", "#0f9d76", "#c2418f", "#7c5cd6", "#8a9a1b", "#c4432b", "#2a9fb8"];

/** Push nodes apart that would touch, and keep them inside. */
function apart(points, least, [left, top, right, bottom]) {
  const rounds = points.length > 300 ? 0 : 60;
  for (let round = 0; round < rounds; round++) {
    for (let a = 0; a < points.length; a++) {
      for (let b = 0; b < a; b++) {
        const dx = points[a][0] - points[b][0] || 0.1, dy = points[a][1] - points[b][1] || 0.1;
        const distance = Math.hypot(dx, dy), push = (least - distance) / 2;
        if (push <= 0) continue;
        const [px, py] = [(dx / distance) * push, (dy / distance) * push];
        points[a] = [points[a][0] + px, points[a][1] + py];
        points[b] = [points[b][0] - px, points[b][1] - py];
      }
    }
    points = points.map(([x, y]) => [Math.min(right, Math.max(left, x)), Math.min(bottom, Math.max(top, y))]);
  }
  return points;
}

class GraphPanel {
  constructor(run, watchNode) {
    this.run = run;
    this.watchNode = watchNode;
    this.host = find("drawing");
    this.drawn = run.graph.places !== null;
    this.chooseDefaults();
    if (this.drawn) new ResizeObserver(() => { this.build(); if (this.moment) this.show(this.moment); }).observe(this.host);
    else this.host.append(element("p", { class: "head quiet" }, `${run.graph.labels.length} nodes and ${run.graph.edges} edges are too many to draw; X has them all.`));
  }

  /** Colour: the first output that is a number. Mark: a flag that the program keeps, at best after
   *  every layer. Tree: an output that is a node. */
  chooseDefaults() {
    const { run } = this, outputs = Object.values(run.layout.outputs).map((name) => run.fieldNamed.get(name));
    const written = new Set(run.layers.flatMap((layer) => layer.writes));
    const perNode = run.fields.filter((field) => field.scope === "nodes");
    const flags = run.fields.filter((f) => (f.kind === "flag" && f.scope === "nodes") || (f.scope === "single" && ["index", "position"].includes(f.kind)));
    const pointers = perNode.filter((field) => ["index", "position"].includes(field.kind));
    const kept = (field) => run.kept.includes(field.name) && written.has(field.name);
    const isNumber = (field) => ["value", "count"].includes(field.kind);
    fillChoice(find("colour"), perNode.map((field) => field.name), null);
    fillChoice(find("mark"), flags.map((field) => field.name), "nothing");
    fillChoice(find("tree"), pointers.map((field) => field.name), "none");
    find("colour").value = (outputs.find(isNumber) ?? outputs[0] ?? perNode.find((f) => isNumber(f) && kept(f)) ?? perNode[0]).name;
    find("mark").value = (flags.find((f) => f.kind === "flag" && kept(f) && !run.turnsOf(f)) ?? flags.find((f) => f.kind === "flag" && kept(f)) ?? flags.find(kept))?.name ?? "";
    find("tree").value = outputs.find((field) => field.kind === "index")?.name ?? "";
    for (const id of ["colour", "mark", "tree"]) find(id).addEventListener("change", () => this.show(this.moment));
  }

  build() {
    const { run } = this, { labels, places, tails, heads, weights } = run.graph;
    const w = this.host.clientWidth || 400, h = this.host.clientHeight || 300;
    const crowd = Math.sqrt((w * h) / Math.max(labels.length, 4));
    this.radius = Math.max(5, Math.min(21, crowd * 0.2));
    const pad = this.radius + 16;
    this.points = apart(places.map(([x, y]) => [pad + x * (w - 2 * pad), pad + y * (h - 2 * pad)]), 3.2 * this.radius, [pad, pad, w - pad, h - pad]);
    const tipSize = Math.max(4, Math.min(11, this.radius * 0.6));
    const tip = (id, kind) => shape("marker", { id, viewBox: "0 0 10 10", refX: 9, refY: 5, markerWidth: tipSize, markerHeight: tipSize, markerUnits: "userSpaceOnUse", orient: "auto" },
      shape("path", { d: "M0,1 L10,5 L0,9 z", class: `tip ${kind}` }));
    const both = new Set(tails.map((tail, k) => `${tail} ${heads[k]}`));
    this.edges = tails.map((tail, k) => {
      const twice = both.has(`${heads[k]} ${tail}`);
      const once = run.graph.directed || tail <= heads[k];
      const line = shape("path", { class: "edge", d: this.path(tail, heads[k], twice && run.graph.directed ? 0.12 : 0) });
      if (!once) line.setAttribute("visibility", "hidden");
      else if (run.graph.directed) line.setAttribute("marker-end", "url(#tip)");
      return line;
    });
    const written = run.graph.edges <= MOST_WEIGHTS && weights.some((weight) => Number(weight) !== 1);
    const texts = !written ? [] : tails.flatMap((tail, k) => {
      if (!(run.graph.directed || tail <= heads[k])) return [];
      const twice = run.graph.directed && both.has(`${heads[k]} ${tail}`);
      const [x, y] = this.middle(tail, heads[k], twice ? 0.12 : 0, 0.5);
      return [shape("text", { class: "weight", x, y }, weights[k].length > 8 ? shortNumber(Number(weights[k])) : weights[k].replace(/\.0$/, ""))];
    });
    this.nodes = labels.map((label, k) => {
      const [x, y] = this.points[k], r = this.radius;
      // A short label stands in its node, and the value below; a long one above, and the value inside.
      const long = label.length > 3, clipped = label.length > 14 ? `${label.slice(0, 13)}…` : label;
      const name = shape("text", { class: `label${long ? "" : " inner"}`, y: long ? -r - 6 : 0 }, clipped);
      const value = shape("text", { class: `value${long ? " inner" : ""}`, y: long ? 0 : r + 13 });
      const body = shape("circle", { class: "body", r });
      const group = shape("g", { class: "node", transform: `translate(${x},${y})`, onclick: () => this.watchNode(k + 1) },
        shape("title", {}), shape("circle", { class: "ring", r: r + 5 }), body,
        shape("circle", { class: "badge", r: Math.max(3, r * 0.28), cx: r * 0.75, cy: -r * 0.75 }),
        ...(r > 9 ? [name, value] : []));
      return { group, body, value, inside: long };
    });
    this.over = shape("g", {});
    this.pointers = shape("g", {});
    this.svg = shape("svg", { class: run.graph.edges > MOST_CLEAR ? "crowded" : "", viewBox: `0 0 ${w} ${h}`, role: "img", "aria-labelledby": "graph-heading legend" },
      shape("defs", {}, tip("tip", ""), tip("tip-tree", "tree"), tip("tip-hot", "hot")),
      ...this.edges, this.pointers, this.over, ...texts, ...this.nodes.map((node) => node.group));
    this.host.replaceChildren(this.svg);
  }

  /** Where a curve between two nodes bends, as a share of its length. */
  bend(from, to, amount) {
    const [ax, ay] = this.pointOf(from), [bx, by] = this.pointOf(to);
    return [(ax + bx) / 2 + (by - ay) * amount, (ay + by) / 2 - (bx - ax) * amount];
  }

  pointOf(node) {
    return node < 0 ? [26, (this.host.clientHeight || 300) - 26] : this.points[node] ?? [0, 0];
  }

  path(from, to, amount) {
    const r = this.radius + 2, [ax, ay] = this.pointOf(from), [bx, by] = this.pointOf(to);
    if (from === to) return `M${ax - r * 0.6},${ay - r * 0.8} C${ax - r * 2},${ay - r * 3} ${ax + r * 2},${ay - r * 3} ${ax + r * 0.6},${ay - r * 0.8}`;
    const [cx, cy] = this.bend(from, to, amount);
    const cut = (x, y) => { const d = Math.hypot(cx - x, cy - y) || 1; return [x + ((cx - x) * r) / d, y + ((cy - y) * r) / d]; };
    const [sx, sy] = cut(ax, ay), [ex, ey] = cut(bx, by);
    return `M${sx},${sy} Q${cx},${cy} ${ex},${ey}`;
  }

  middle(from, to, amount, share) {
    if (from === to) { const [x, y] = this.pointOf(from); return [x, y - this.radius * 2.6]; }
    const [ax, ay] = this.pointOf(from), [bx, by] = this.pointOf(to), [cx, cy] = this.bend(from, to, amount);
    const u = 1 - share;
    return [u * u * ax + 2 * u * share * cx + share * share * bx, u * u * ay + 2 * u * share * cy + share * share * by];
  }

  show(moment) {
    this.moment = moment;
    if (!this.drawn || !moment) return;
    if (!this.svg) this.build();
    const { run } = this, { x } = moment;
    const chosen = (id) => { const field = run.fieldNamed.get(find(id).value); return field && run.lives(field, moment.held) ? field : null; };
    const [colour, mark, tree] = ["colour", "mark", "tree"].map(chosen);
    const changed = new Set(moment.changed.map(([, row]) => row));
    const fill = colour ? this.fills(x, colour) : () => "var(--surface)";
    const marked = (row) => mark && (mark.scope === "single" ? pointedRow(run, x, mark, 0) === row : numberAt(run, x, mark, row) > 0.5);
    this.nodes.forEach((node, k) => {
      const row = k + 1, text = colour ? cellText(run, x, colour, row) : "";
      node.group.setAttribute("class", `node${changed.has(row) ? " changed" : ""}${marked(row) ? " marked" : ""}${moment.node === row ? " watched" : ""}`);
      node.body.setAttribute("style", `fill:${fill(row)}`);
      say(node.value, node.inside && text.length > 6 ? `${text.slice(0, 5)}…` : text);
      say(node.group.firstChild, colour ? `${run.rowName(row)}: ${colour.name} ${text}` : run.rowName(row));
    });
    this.showTree(x, tree);
    this.showTravel(moment);
    const parts = [["colour", colour, "colour"], ["mark", mark, "dot"], ["tree", tree, "bold edges"]].filter(([id]) => find(id).value)
      .map(([id, field, words]) => (field ? `${words}: ${field.name}` : this.absence(find(id).value, moment.held)));
    parts.push("orange ring: changed by this layer");
    if (run.hasMoreRows) parts.push(`rows 1 to ${this.nodes.length} of ${run.rows - 1} are nodes`);
    if (moment.tab === "attention" && moment.travel) parts.push(moment.travel.words);
    say(find("legend"), parts.join(" · "));
  }

  /** Why there is nothing to show of a variable that shares its column. */
  absence(name, held) {
    const { run } = this, other = run.heldBy(run.fieldNamed.get(name).first, held);
    return `${name} does not live ${held < 0 ? "in X₀" : "after this layer"}${other ? `: its column holds ${other.name}` : ""}`;
  }

  /** Row → a colour that text can be read on. */
  fills(x, field) {
    const { run } = this, tint = (colour, share) => `color-mix(in srgb, ${colour} ${Math.round(share * 100)}%, var(--surface))`;
    const number = (row) => numberAt(run, x, field, row);
    if (field.kind === "flag") return (row) => tint("var(--accent)", number(row) > 0.5 ? 0.5 : 0.04);
    if (field.kind === "index" || field.kind === "position") return (row) => { const to = pointedRow(run, x, field, row); return to ? tint(HUES[(to - 1) % HUES.length], 0.42) : "var(--surface)"; };
    const numbers = this.nodes.map((_, k) => number(k + 1)).filter((value) => Number.isFinite(value) && constantName(run, value) === null);
    const low = Math.min(...numbers), high = Math.max(...numbers);
    return (row) => {
      const value = number(row);
      if (!Number.isFinite(value) || constantName(run, value) !== null) return "var(--page)";
      return tint("var(--accent)", 0.1 + (high > low ? (0.42 * (value - low)) / (high - low) : 0.2));
    };
  }

  /** Edges from what a variable points to; a pointer that no edge follows is dashed. */
  showTree(x, tree) {
    const { run } = this, { tails, heads } = run.graph, into = new Set(), dashed = [];
    const edgeOf = new Map(tails.map((tail, k) => [`${tail} ${heads[k]}`, k]));
    if (tree) this.nodes.forEach((_, k) => {
      const to = pointedRow(run, x, tree, k + 1) - 1;
      if (to < 0 || to === k || to >= this.nodes.length) return;
      const edge = edgeOf.get(`${to} ${k}`);
      if (edge !== undefined) into.add(run.graph.directed || to <= k ? edge : edgeOf.get(`${k} ${to}`));
      else dashed.push(shape("path", { class: "edge pointer", d: this.path(to, k, 0.2), "marker-end": "url(#tip-tree)" }));
    });
    this.edges.forEach((line, k) => {
      line.classList.toggle("tree", into.has(k));
      if (run.graph.directed) line.setAttribute("marker-end", into.has(k) ? "url(#tip-tree)" : "url(#tip)");
    });
    this.pointers.replaceChildren(...dashed);
  }

  /** Arcs of attention, and what travels along edges. */
  showTravel(moment) {
    const travel = moment.tab === "attention" ? moment.travel : null, parts = [];
    for (const { from, to, share } of (travel?.arcs ?? []).slice(0, MOST_ARCS)) {
      if (from === 0 || to === 0) parts.push(this.rowZero());
      parts.push(shape("path", { class: "arc", d: this.path(from - 1, to - 1, 0.22), "marker-end": "url(#tip-hot)", "stroke-width": 1 + 2 * share }));
    }
    const shown = (travel?.messages ?? []).slice(0, MOST_ARCS);
    for (const { origin, target, text } of shown) {
      parts.push(shape("path", { class: "edge message", d: this.path(origin - 1, target - 1, 0), "marker-end": "url(#tip-hot)" }));
      const [x, y] = this.middle(origin - 1, target - 1, 0, 0.72);
      parts.push(shape("text", { class: "amount", x, y }, text));
    }
    this.over.replaceChildren(...parts);
  }

  rowZero() {
    const [x, y] = this.pointOf(-1);
    return shape("g", { class: "node", transform: `translate(${x},${y})` },
      shape("rect", { x: -14, y: -12, width: 28, height: 24, rx: 4, style: "fill:var(--surface);stroke:var(--quiet)" }),
      shape("text", { class: "label inner" }, "0"));
  }
}
