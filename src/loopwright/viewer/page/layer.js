// What a layer computes, by the paper's two equations, from X before it and the weights.
//
//   X ← X + Σ Ã σ(X W_Q W_Kᵀ Xᵀ) X W_V            with I, Ã or Ãᵀ, as a head says
//   X ← X + relu(relu(relu(X W¹) W²) W³) W⁴
//
// and, in an edge head, where a row chooses among its edges and sees their weights beside the rows:
//
//   xᵢ ← xᵢ + Σⱼ σ(S)ᵢⱼ [xⱼ, Aⱼᵢ] W_V,   Sᵢⱼ = (xᵢ W_Q) · ([xⱼ, Aⱼᵢ] W_K)
//
// where the first coordinates may be hinges, which add relu(xᵢ W_Q + [xⱼ, Aⱼᵢ] W_K) W_H.
//
// Matrices are lists of row, column and value of what is not 0; X is a flat array, row by row.

function times(x, rows, width, matrix, size) {
  const product = new Float64Array(rows * size);
  for (let k = 0; k < matrix.length; k += 3) {
    const from = matrix[k], to = matrix[k + 1], weight = matrix[k + 2];
    if (from >= width) continue; // what is multiplied by the weight of an edge
    for (let row = 0; row < rows; row++) product[row * size + to] += x[row * width + from] * weight;
  }
  return product;
}

/** Scores and attention of one head: functions of a row, which remember nothing. */
class Attention {
  constructor(run, head, x) {
    this.run = run;
    this.head = head;
    this.soft = run.words[2] === "softmax";
    this.query = times(x, run.rows, run.width, head.W_Q, head.size);
    this.key = times(x, run.rows, run.width, head.W_K, head.size);
    this.value = times(x, run.rows, run.width, head.W_V, run.width);
    this.written = [...new Set(head.W_V.filter((_, k) => k % 3 === 1))].sort((a, b) => a - b);
    this.chooses = head.over === "E" || head.over === "ET";
    this.edgeKey = this.lastRow(head.W_K);
    this.edgeValue = this.lastRow(head.W_V);
  }

  /** Column → what the weight of an edge is multiplied by, in a matrix of an edge head. */
  lastRow(matrix) {
    const found = new Map();
    for (let k = 0; k < matrix.length; k += 3) if (matrix[k] === this.run.width) found.set(matrix[k + 1], matrix[k + 2]);
    return found;
  }

  /** Whom a row sees: row → the weight of the edge, and 0 for row 0, which every row sees. */
  seen(row) {
    const { tails, heads, entries } = this.run.graph, found = new Map([[0, 0]]);
    for (let k = 0; k < tails.length; k++) {
      const [target, origin] = this.head.over === "ET" ? [tails[k] + 1, heads[k] + 1] : [heads[k] + 1, tails[k] + 1];
      if (target === row) found.set(origin, entries[k]);
    }
    return found;
  }

  /** The first row, of a few, that looks at another; null if all look at themselves. */
  firstLookingElsewhere() {
    const rows = Array.from({ length: Math.min(this.run.rows, 50) }, (_, row) => row);
    return rows.find((row) => this.shares(row)[row] < 0.99) ?? null;
  }

  scores(row) {
    const { size, hinges } = this.head, scores = new Float64Array(this.run.rows), edges = this.chooses ? this.seen(row) : null;
    for (let other = 0; other < this.run.rows; other++) {
      let sum = edges && !edges.has(other) ? -Infinity : 0;
      for (let k = 0; k < size && sum !== -Infinity; k++) {
        const along = edges ? edges.get(other) * (this.edgeKey.get(k) ?? 0) : 0;
        const asked = this.query[row * size + k], shown = this.key[other * size + k] + along;
        sum += k < hinges.length ? hinges[k] * Math.max(asked + shown, 0) : asked * shown;
      }
      scores[other] = sum;
    }
    return scores;
  }

  /** Shares of one: hardmax shares among all scores within the tolerance of the best. */
  shares(row) {
    const shares = this.scores(row), best = shares.reduce((a, b) => Math.max(a, b), -Infinity);
    let sum = 0;
    for (let k = 0; k < shares.length; k++) {
      shares[k] = this.soft ? Math.exp((shares[k] - best) / this.head.temperature) : Number(shares[k] >= best - this.head.tie);
      sum += shares[k];
    }
    return shares.map((share) => share / sum);
  }

  /** σ(…) X W_V at one row, in the columns that W_V writes: column → amount. */
  found(row) {
    const shares = this.shares(row), amounts = new Map(), edges = this.chooses ? this.seen(row) : null;
    for (const column of this.written) {
      let sum = 0;
      for (let other = 0; other < shares.length; other++) if (shares[other]) sum += shares[other] * this.brought(other, column, edges?.get(other) ?? 0);
      amounts.set(column, sum);
    }
    return amounts;
  }

  /** [xⱼ, edge] W_V in one column. */
  brought(other, column, edge) {
    return this.value[other * this.run.width + column] + edge * (this.edgeValue.get(column) ?? 0);
  }

  /** What the head adds to a row of X: column → amount. */
  added(row) {
    if (this.head.over === "I" || this.chooses) return this.found(row);
    const sum = new Map();
    for (const message of this.messages(row)) {
      for (const [column, amount] of message.amounts) sum.set(column, (sum.get(column) ?? 0) + amount);
    }
    return sum;
  }

  /** What travels along edges, to one row or to all: a head over A reads from an edge's head to its
   *  tail, one over Aᵀ from its tail to its head. */
  messages(to = null) {
    if (this.chooses) return this.choices(to);
    const { tails, heads, entries } = this.run.graph, found = new Map(), listed = [];
    for (let k = 0; k < tails.length; k++) {
      const [target, origin] = this.head.over === "A" ? [tails[k] + 1, heads[k] + 1] : [heads[k] + 1, tails[k] + 1];
      if (to !== null && to !== target) continue;
      if (!found.has(origin)) found.set(origin, this.found(origin));
      const amounts = [...found.get(origin)].map(([column, amount]) => [column, amount * entries[k]]).filter(([, amount]) => amount !== 0);
      if (amounts.length) listed.push({ edge: k, origin, target, entry: entries[k], amounts });
    }
    return listed;
  }

  /** The edges that rows have chosen, and what they bring. */
  choices(to) {
    const listed = [];
    for (let target = to ?? 1; target < (to === null ? this.run.rows : to + 1); target++) {
      const edges = this.seen(target), shares = this.shares(target);
      shares.forEach((share, origin) => {
        if (!share || origin === 0) return;
        const entry = edges.get(origin), amounts = this.written.map((column) => [column, share * this.brought(origin, column, entry)]).filter(([, amount]) => amount !== 0);
        if (amounts.length) listed.push({ origin, target, entry, amounts });
      });
    }
    return listed;
  }
}

/** One row on its way through the layer: after attention, and the three levels of hidden units. */
function throughLayer(run, layer, x, row) {
  const { heads, mlp } = run.weights[layer];
  const attended = x.slice(row * run.width, (row + 1) * run.width);
  const attentions = heads.map((head) => new Attention(run, head, x));
  for (const attention of attentions) for (const [column, amount] of attention.added(row)) attended[column] += amount;
  const levels = [];
  let z = attended;
  for (const matrix of mlp.slice(0, 3)) {
    z = times(z, 1, run.width, matrix, run.width).map((number) => Math.max(number, 0));
    levels.push(z);
  }
  return { attentions, attended, levels, added: times(z, 1, run.width, mlp[3], run.width) };
}
