// X: rows are nodes, columns variables; what the layer changed, and what it was before.

const ROWS_AT_ONCE = 100;
const MOST_LISTED = 40; // changes in words

class TablePanel {
  constructor(run, watch) {
    this.run = run;
    this.watch = watch;
    this.first = 1;
    this.written = new Set(run.layers.flatMap((layer) => layer.writes));
    this.search = element("input", { type: "search", id: "search", placeholder: "search a variable", "aria-label": "Search a variable", size: 18 });
    this.all = element("input", { type: "checkbox", id: "all-variables" });
    this.pages = element("span", { class: "quiet" });
    this.sharing = element("span", { class: "quiet" });
    if (run.fields.some((field) => run.turnsOf(field))) this.sharing.append(element("span", { class: "shared" }, "dotted"), ": shares its column");
    this.host = element("div", run.broken ? { class: "side-by-side" } : {});
    this.words = element("ul", { class: "changes", "aria-label": "What this layer changed" });
    this.search.addEventListener("input", () => this.rebuild());
    this.all.addEventListener("change", () => this.rebuild());
    find("panel-x").append(element("div", { class: "tools" }, this.search, element("label", {}, this.all, " also what never changes"), this.pages, this.sharing), this.host, this.words);
    // Beside the weights' X stands the program's, which is the same but where they have parted.
    this.sheets = (run.broken ? ["What the program means", "What the weights hold"] : [null]).map((title) => new Sheet(run, watch, title));
    this.host.append(...this.sheets.map((sheet) => sheet.host));
  }

  rebuild() {
    this.built = null;
    if (this.moment) this.show(this.moment);
  }

  page(by) {
    this.first += by * ROWS_AT_ONCE;
    this.rebuild();
  }

  fields(held) {
    const wanted = this.search.value.trim().toLowerCase();
    return this.run.fieldsAfter(held).filter((field) => (wanted ? field.name.toLowerCase().includes(wanted) : this.all.checked || this.written.has(field.name)));
  }

  show(moment) {
    this.moment = moment;
    const { run } = this, fields = this.fields(moment.held);
    const names = fields.map((field) => field.name).join(" ");
    if (this.built !== names) {
      this.built = names;
      const last = Math.min(run.rows - 1, this.first + ROWS_AT_ONCE - 1);
      this.sheets.forEach((sheet) => sheet.build(fields, this.first, last));
      this.buildPages(last);
    }
    const apart = moment.number === run.last && run.stop ? run.stop.apart : [];
    const marks = new Map(apart.map(([row, column]) => [row * run.width + column, true]));
    const meant = moment.x.slice();
    for (const [row, column, expected] of apart) meant[row * run.width + column] = numberFrom(expected);
    const contents = run.broken ? [meant, moment.x] : [moment.x];
    this.sheets.forEach((sheet, k) => sheet.show(moment, contents[k], marks, run.broken && k === 0 ? moment.x : meant));
    this.listChanges(moment);
  }

  buildPages(last) {
    const rows = this.run.rows - 1;
    if (rows <= ROWS_AT_ONCE) return this.pages.replaceChildren();
    const turn = (words, by, ends) => element("button", { type: "button", disabled: ends, onclick: () => this.page(by) }, words);
    this.pages.replaceChildren(turn("◂", -1, this.first === 1), ` rows ${this.first} to ${last} of ${rows} `, turn("▸", 1, last === rows));
  }

  /** The same in words, for those who do not see colours or cannot hover. */
  listChanges(moment) {
    const { run } = this, seen = new Map();
    for (const [column, row] of moment.changed) {
      const field = run.variableIn(column, row, moment.held);
      seen.set(`${field?.name ?? column} ${row}`, { field, column, row });
    }
    const items = [...seen.values()].slice(0, MOST_LISTED).map(({ field, column, row }) => {
      const name = field ? (field.scope === "single" ? field.name : `${field.name}[${run.rowName(row)}]`) : `column ${column}, ${run.rowName(row)}`;
      const text = (x) => (field ? cellText(run, x, field, row) : shortNumber(x[row * run.width + column]));
      const was = field && !run.lives(field, moment.heldBefore) ? "" : `${text(moment.previous)} `;
      return element("li", {}, element("code", {}, `${name}: ${was}→ ${text(moment.x)}`));
    });
    if (seen.size > MOST_LISTED) items.push(element("li", { class: "quiet" }, `and ${seen.size - MOST_LISTED} more`));
    if (!items.length) items.push(element("li", { class: "quiet" }, moment.number === run.before ? "Where it begins." : "This layer changed nothing."));
    this.words.replaceChildren(...items);
  }
}

/** One X: single variables above, a table of nodes below. */
class Sheet {
  constructor(run, watch, title) {
    this.run = run;
    this.watch = watch;
    this.title = title;
    this.host = element("div", {});
  }

  build(fields, first, last) {
    const { run } = this, single = fields.filter((field) => field.scope === "single"), perNode = fields.filter((field) => field.scope === "nodes");
    this.singles = single.map((field) => {
      const is = element("span", { class: "is", "data-at": `0,${field.first}` });
      const turns = run.turnsOf(field);
      return { field, row: 0, is, host: element("li", {}, element("span", { class: `name${turns ? " shared" : ""}`, title: turns || null }, field.name), is) };
    });
    this.heads = perNode.map((field) => {
      const turns = run.turnsOf(field), title = `${field.kind}: watch it${turns ? ` (${turns})` : ""}`;
      return element("th", { scope: "col", class: "tall" }, element("button", { type: "button", class: turns ? "shared" : null, title, onclick: () => this.watch(field.name) }, field.name));
    });
    this.fields = perNode;
    this.lines = [];
    for (let row = first; row <= last; row++) {
      const cells = perNode.map((field) => { const is = element("td", { "data-at": `${row},${field.first}` }); return { field, row, is, host: is }; });
      this.lines.push({ row, cells, host: element("tr", {}, element("th", { scope: "row", title: run.rowName(row) }, run.rowName(row)), ...cells.map((cell) => cell.host)) });
    }
    this.stray = element("p", {});
    this.host.replaceChildren(
      ...(this.title ? [element("h3", {}, this.title)] : []),
      element("ul", { class: "single", "aria-label": "Single variables, row 0" }, ...this.singles.map((one) => one.host)),
      element("div", { class: "scroll", tabindex: "0", role: "region", "aria-label": `X${this.title ? `: ${this.title}` : ""}` },
        element("table", {}, element("thead", {}, element("tr", {}, element("th", { scope: "col" }, "node"), ...this.heads)), element("tbody", {}, ...this.lines.map((line) => line.host)))),
      this.stray);
  }

  show(moment, x, marks, other) {
    const { run } = this, changed = new Set(moment.changed.map(([column, row]) => row * run.width + column));
    const has = (set, field, row) => set.has(row * run.width + field.first) || (field.kind === "position" && set.has(row * run.width + field.first + 1));
    const fill = ({ field, row, is, host }) => {
      const text = cellText(run, x, field, row), isChanged = has(changed, field, row), isApart = has(marks, field, row);
      say(is, text);
      const kind = `${isApart ? "apart" : isChanged ? "changed" : isEmpty(run, x, field, row) ? "zero" : ""}`;
      if (host.className !== kind) host.className = kind;
      const words = isApart ? `${cellWords(run, x, field, row)}, on the other side ${cellWords(run, other, field, row)}`
        : isChanged && run.lives(field, moment.heldBefore) ? `${cellWords(run, moment.previous, field, row)} → ${cellWords(run, x, field, row)}` : cellWords(run, x, field, row);
      host.title = `${field.name}${row ? ` of ${run.rowName(row)}` : ""}: ${words}`;
    };
    this.singles.forEach(fill);
    const writes = new Set(moment.number ? run.layers[moment.layer].writes : []);
    this.fields.forEach((field, k) => { this.heads[k].className = `tall${writes.has(field.name) ? " written" : ""}${moment.variable === field.name ? " watched" : ""}`; });
    for (const line of this.lines) {
      line.cells.forEach(fill);
      line.host.className = moment.node === line.row ? "watched" : "";
    }
    this.showStray(moment, x, marks);
    if (marks.size) this.host.querySelector(".apart")?.scrollIntoView({ block: "nearest", inline: "center" });
  }

  /** Cells where no variable lives hold 0, unless weights are broken. */
  showStray(moment, x, marks) {
    const { run } = this, found = [];
    for (const at of marks.keys()) {
      const row = Math.floor(at / run.width), column = at % run.width;
      if (!run.variableIn(column, row, moment.held)) found.push(`column ${column}, ${run.rowName(row)}: ${shortNumber(x[at])}`);
    }
    this.stray.className = found.length ? "quiet" : "";
    say(this.stray, found.length ? `Where no variable lives: ${found.slice(0, 8).join("; ")}${found.length > 8 ? " …" : ""}` : "");
  }
}
