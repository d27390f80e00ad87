// Who looks at whom, by which scores, and what travels.

const MOST_IN_TABLE = 26; // rows of an attention matrix that is written as a table …
const MOST_IN_PICTURE = 600; // … and as a picture
const BEST = 8; // scores of one row that are listed

class AttentionPanel {
  constructor(run, redraw) {
    this.run = run;
    this.redraw = redraw;
    this.chosen = {}; // the number of a head, by layer
    this.choice = element("div", { class: "tools", role: "group", "aria-label": "Head" });
    this.host = element("div", { class: "columns" });
    find("panel-attention").append(this.choice, this.host);
  }

  /** Also gives the drawing its arcs, so this comes before the graph. */
  show(moment) {
    const { run } = this;
    moment.travel = null;
    const heads = run.weights?.[moment.layer].heads ?? [];
    const active = moment.tab === "attention";
    if (!active) return;
    if (!run.weights || !heads.length || moment.number <= run.before) {
      this.choice.replaceChildren();
      this.host.replaceChildren(element("p", { class: "quiet" }, !run.weights ? "There are no weights: the page was made of a trace alone." : moment.number <= run.before ? "Nothing has run yet." : "This layer has no attention heads: it works row by row."));
      return;
    }
    const attentions = heads.map((head) => new Attention(run, head, moment.previous));
    const at = this.chosen[moment.layer] ?? this.telling(attentions);
    this.choice.replaceChildren(...heads.map((head, k) => element("button", { type: "button", "aria-pressed": String(k === at), "data-head": k, onclick: () => { this.chosen[moment.layer] = k; this.redraw(); this.choice.children[k]?.focus(); } }, `head ${k + 1}: ${this.over(head)}`)));
    const attention = attentions[at];
    moment.travel = this.travel(attention, moment);
    this.host.replaceChildren(element("div", {}, ...this.matrix(attention)), element("div", {}, ...this.scores(attention, moment), ...this.travelTable(attention, moment)));
  }

  /** The head to begin with: one over the graph, or one that does not leave rows to themselves. */
  telling(attentions) {
    const [overGraph, elsewhere] = [attentions.findIndex(({ head }) => head.over !== "I"), attentions.findIndex((each) => each.firstLookingElsewhere() !== null)];
    return overGraph >= 0 ? overGraph : Math.max(0, elsewhere);
  }

  over(head) {
    return { I: "standard", A: "over the graph, A", AT: "over the graph, Aᵀ", E: "chooses among edges into a row", ET: "chooses among edges out of a row" }[head.over] ?? head.over;
  }

  /** Columns by the variable that the layer writes there. */
  columnName(column, layer) {
    return this.run.heldBy(column, layer)?.name ?? `column ${column}`;
  }

  travel(attention, moment) {
    const { run } = this, one = moment.node;
    if (attention.head.over !== "I") {
      const messages = attention.messages().filter(({ target }) => one === null || target === one);
      const many = messages.length > MOST_ARCS ? `, ${MOST_ARCS} of ${messages.length} drawn` : "";
      return {
        messages: messages.map(({ origin, target, amounts }) => ({ origin, target, text: amounts.map(([, amount]) => constantName(run, amount) ?? shortNumber(amount)).join(", ") })),
        words: `orange: what travels along edges${many}`,
      };
    }
    const arcs = [], rows = one === null ? Math.min(run.rows, MOST_IN_PICTURE) : one + 1;
    for (let row = one ?? 0; row < rows; row++) attention.shares(row).forEach((share, other) => { if (share > 0.01 && other !== row) arcs.push({ from: other, to: row, share }); });
    const drawn = arcs.filter(({ from, to }) => Math.max(from, to) <= run.graph.labels.length);
    if (drawn.length > MOST_ARCS) return { arcs: [], words: `${drawn.length} arcs of attention: watch a node to see its own` };
    return { arcs: drawn, words: "orange arcs: from whom to who reads" };
  }

  matrix(attention) {
    const { run } = this, rows = run.rows;
    const head = element("h3", {}, "Who (row) looks at whom (column)");
    if (rows > MOST_IN_PICTURE) return [head, element("p", { class: "quiet" }, `${rows} rows are too many for a picture: watch a node.`)];
    const shares = Array.from({ length: rows }, (_, row) => attention.shares(row));
    if (rows > MOST_IN_TABLE) return [head, this.picture(shares)];
    const names = shares.map((_, row) => run.rowName(row));
    return [head, element("div", { class: "scroll", tabindex: "0", role: "region", "aria-label": "Attention matrix" }, element("table", { class: "matrix", id: "attention-matrix" },
      element("thead", {}, element("tr", {}, element("td", {}), ...names.map((name) => element("th", { scope: "col", class: "tall" }, element("span", {}, name))))),
      element("tbody", {}, ...shares.map((line, row) => element("tr", {}, element("th", { scope: "row" }, names[row]), ...[...line].map((share, other) => {
        const cell = element("td", { class: "share", title: `${names[row]} at ${names[other]}: share ${share}` }, share === 0 ? "" : share === 1 ? "1" : share < 0.005 ? "·" : share.toFixed(2).replace(/^0/, ""));
        cell.style.setProperty("--share", share);
        return cell;
      }))))))];
  }

  picture(shares) {
    const rows = shares.length, scale = Math.max(1, Math.floor(480 / rows));
    const canvas = element("canvas", { width: rows, height: rows, role: "img", "aria-label": "Attention matrix" });
    canvas.style.width = `${rows * scale}px`;
    const context = canvas.getContext("2d"), image = context.createImageData(rows, rows);
    const [red, green, blue] = document.documentElement.dataset.theme === "dark" ? [138, 184, 255] : [26, 86, 176];
    shares.forEach((line, row) => line.forEach((share, other) => image.data.set([red, green, blue, Math.round(255 * Math.sqrt(share))], 4 * (row * rows + other))));
    context.putImageData(image, 0, 0);
    return canvas;
  }

  /** The best scores of one row: the watched one, or the first that looks elsewhere. */
  scores(attention, moment) {
    const { run } = this;
    const row = moment.node ?? attention.firstLookingElsewhere() ?? 0, scores = attention.scores(row), shares = attention.shares(row);
    const order = [...scores.keys()].sort((a, b) => scores[b] - scores[a] || a - b).slice(0, BEST);
    return [element("h3", {}, `Scores of ${run.rowName(row)}`),
      element("table", {}, element("thead", {}, element("tr", {}, ...["looks at", "score", "below the best", "share"].map((name) => element("th", { scope: "col" }, name)))),
        element("tbody", {}, ...order.map((other) => element("tr", {}, element("th", { scope: "row" }, run.rowName(other)), element("td", { title: String(scores[other]) }, shortNumber(scores[other])), element("td", {}, shortNumber(scores[order[0]] - scores[other])), element("td", {}, shortNumber(shares[other])))))),
      ...(scores.length > BEST ? [element("p", { class: "quiet" }, `… and ${scores.length - BEST} more.`)] : []),
      element("p", { class: "quiet" }, attention.soft ? `Softmax of temperature ${shortNumber(attention.head.temperature)}.` : `Hardmax: all within ${shortNumber(attention.head.tie)} of the best share.`, moment.node === null ? " Watch a node to see its scores." : "")];
  }

  travelTable(attention, moment) {
    const { run } = this, name = (column) => this.columnName(column, moment.layer);
    const amount = (number) => constantName(run, number) ?? shortNumber(number);
    const added = ([column, number]) => (number < 0 ? `${name(column)} − ${amount(-number)}` : `${name(column)} + ${amount(number)}`);
    const table = (heading, heads, lines) => [element("h3", {}, heading), !lines.length ? element("p", { class: "quiet" }, "nothing") :
      element("div", { class: "scroll" }, element("table", { class: "travel" }, element("thead", {}, element("tr", {}, ...heads.map((head) => element("th", { scope: "col" }, head)))), element("tbody", {}, ...lines.slice(0, 40).map((line) => element("tr", {}, ...line.map((cell) => element("td", {}, cell)))))))];
    if (attention.head.over !== "I") {
      const messages = attention.messages(moment.node);
      return table(`What travels along edges${moment.node === null ? "" : ` to ${run.rowName(moment.node)}`}`, ["from", "to", "× A", "added"],
        messages.map(({ origin, target, entry, amounts }) => [run.rowName(origin), run.rowName(target), shortNumber(entry), amounts.map(added).join(", ")]));
    }
    const rows = moment.node === null ? Array.from({ length: Math.min(run.rows, 100) }, (_, row) => row) : [moment.node];
    const lines = rows.flatMap((row) => [...attention.found(row)].filter(([, number]) => number !== 0).map((amounts) => [run.rowName(row), added(amounts)]));
    return table("What the head adds", ["row", "added"], lines);
  }
}
