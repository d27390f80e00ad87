// X at every moment, from X at the beginning and what each layer changed.
// Moments are numbered as layers run: 0 is X₀, and each layer adds 1.

const MOST_REMEMBERED = 8e6; // cells of whole X, 64 MB

class Run {
  constructor(facts) {
    Object.assign(this, facts);
    this.width = facts.layout.width;
    this.fields = facts.layout.fields;
    this.fieldNamed = new Map(this.fields.map((field) => [field.name, field]));
    this.numbers = facts.changes.map((change) => change[0]);
    const cells = this.rows * this.width;
    this.apart = Math.max(32, Math.ceil((facts.changes.length * cells) / MOST_REMEMBERED));
    this.remembered = [new Float64Array(cells)];
    this.put(this.remembered[0], facts.start, 0);
  }

  put(x, change, from) {
    for (let k = from; k < change.length; k += 3) x[change[k + 1] * this.width + change[k]] = numberFrom(change[k + 2]);
  }

  /** How many of the changes happened up to a moment. */
  changesUntil(number) {
    let low = 0, high = this.numbers.length;
    while (low < high) {
      const middle = (low + high) >> 1;
      if (this.numbers[middle] <= number) low = middle + 1;
      else high = middle;
    }
    return low;
  }

  /** X after a layer, as a new array: cell (row, column) is at row × width + column. */
  at(number) {
    const count = this.changesUntil(number);
    const wanted = Math.floor(count / this.apart);
    while (this.remembered.length <= wanted) {
      const begin = this.remembered.length - 1;
      const next = this.remembered[begin].slice();
      for (let k = begin * this.apart; k < (begin + 1) * this.apart; k++) this.put(next, this.changes[k], 1);
      this.remembered.push(next);
    }
    const x = this.remembered[wanted].slice();
    for (let k = wanted * this.apart; k < count; k++) this.put(x, this.changes[k], 1);
    return x;
  }

  /** The cells that the layer of a moment changed, as [column, row] pairs. */
  changedAt(number) {
    const count = this.changesUntil(number);
    return number <= this.before || !count || this.numbers[count - 1] !== number ? [] : this.cellsOf(this.changes[count - 1]);
  }

  /** The cells of a change; not those that a variable left at 0, as others leave them that share its
   *  column. */
  cellsOf(change) {
    const layer = this.layerOf(change[0]), pairs = [];
    for (let k = 1; k < change.length; k += 3) {
      const [column, row, value] = [change[k], change[k + 1], change[k + 2]];
      if (value !== 0 || this.variableIn(column, row, layer)) pairs.push([column, row]);
    }
    return pairs;
  }

  iterationOf(number) {
    return Math.ceil(number / this.layers.length);
  }

  /** From 0; that of X₀ is the last, as if it came of an iteration before. */
  layerOf(number) {
    const count = this.layers.length;
    return (((number - 1) % count) + count) % count;
  }

  numberOf(iteration, layer) {
    return (iteration - 1) * this.layers.length + layer + 1;
  }

  /** The layer that X of a moment came of, as `heldBy` asks for it: −1 for X₀. */
  cameOf(number) {
    return number === 0 ? -1 : this.layerOf(number);
  }

  /** The variable that a column holds after a layer, or in X₀ if that is −1; null if it is scratch. */
  heldBy(column, layer) {
    return this.fields[this.layout.columns[layer + 1][column]] ?? null;
  }

  /** The same for a cell: single variables are in row 0 alone, and others in all rows but that. */
  variableIn(column, row, layer) {
    const field = this.heldBy(column, layer);
    return field && (field.scope === "single") === (row === 0) ? field : null;
  }

  /** Whether a variable is in X after a layer; if not, its columns hold another. */
  lives(field, layer) {
    return this.heldBy(field.first, layer) === field;
  }

  /** The variables that X holds after a layer. */
  fieldsAfter(layer) {
    return [...new Set(this.layout.columns[layer + 1])].filter((k) => k >= 0).map((k) => this.fields[k]);
  }

  /** Which variables take turns in the columns of one, and when, in words; "" if it has them alone. */
  turnsOf(field) {
    const columns = field.kind === "position" ? [field.first, field.first + 1] : [field.first], when = new Map();
    for (let layer = -1; layer < this.layers.length; layer++) {
      for (const held of new Set(columns.map((column) => this.heldBy(column, layer)))) if (held) when.set(held, [...(when.get(held) ?? []), layer]);
    }
    if (when.size < 2) return "";
    const words = ([held, layers]) => {
      const after = layers.filter((layer) => layer >= 0).map((layer) => layer + 1);
      const parts = [layers[0] < 0 ? "in X₀" : "", after.length ? `after layer${after.length > 1 ? "s" : ""} ${after.join(", ")}` : ""];
      return `${held.name} ${parts.filter(Boolean).join(" and ")}`;
    };
    return `variables take turns in this column: ${[...when].map(words).join("; ")}`;
  }

  /** The next moment, or the one before, at which a variable changes at a row; null means any. */
  nextChange(number, direction, name, row) {
    let k = direction > 0 ? this.changesUntil(number) : this.changesUntil(number - 1) - 1;
    for (; k >= 0 && k < this.changes.length; k += direction) {
      const change = this.changes[k], layer = this.layerOf(change[0]);
      const fits = ([column, at]) => (name === null || this.variableIn(column, at, layer)?.name === name) && (row === null || at === row);
      if (this.cellsOf(change).some(fits)) return change[0];
    }
    return null;
  }

  /** A node's label; where rows are more than nodes, as of a computer's memory, also its number. */
  rowName(row) {
    const label = row > 0 ? this.graph.labels[row - 1] : undefined;
    if (label === undefined) return `row ${row}`;
    return this.hasMoreRows ? `row ${row} (${label})` : label;
  }

  get hasMoreRows() {
    return this.rows - 1 > this.graph.labels.length;
  }
}
