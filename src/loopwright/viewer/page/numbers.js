// Cells of X as people read them: flags as dots, nodes by label, positions as angles, Ω̂ as ∞.

function shortNumber(number) {
  if (Number.isInteger(number) && Math.abs(number) < 1e7) return String(number).replace("-", "−");
  if (!Number.isFinite(number)) return String(number);
  return String(Number(number.toPrecision(5))).replace(/-/g, "−");
}

/** Numbers that the construction is made of have names. */
function constantName(run, number) {
  if (number === run.constants.unreached) return "∞";
  if (number === run.constants.mask) return "mask";
  return null;
}

/** Which position an angle is: 1 for the first row; 0 for nowhere. */
function positionOf(run, sine, cosine) {
  const turn = Math.PI * 2;
  const angle = (Math.atan2(sine, cosine) + turn) % turn;
  const k = angle / run.constants.angle, all = turn / run.constants.angle;
  return Math.abs(k - all) < 1e-3 ? 0 : k;
}

function numberAt(run, x, field, row) {
  const at = row * run.width + field.first;
  return field.kind === "position" ? positionOf(run, x[at], x[at + 1]) : x[at];
}

/** One cell, or pair of cells, as text. */
function cellText(run, x, field, row) {
  const number = numberAt(run, x, field, row);
  if (field.kind === "flag") return number === 1 ? "●" : number === 0 ? "○" : shortNumber(number);
  if (field.kind === "index") return number === 0 ? "–" : Number.isInteger(number) && number > 0 && number < run.rows ? run.rowName(number) : shortNumber(number);
  if (field.kind === "position") {
    const whole = Math.round(number), off = Math.abs(number - whole) > 1e-3;
    return `∠${off ? shortNumber(number) : whole}`;
  }
  return constantName(run, number) ?? shortNumber(number);
}

/** The same with every digit. */
function cellWords(run, x, field, row) {
  const at = row * run.width + field.first;
  if (field.kind !== "position") return String(x[at]);
  const k = Math.round(numberAt(run, x, field, row));
  const where = k === 0 ? "nowhere" : run.rowName(k);
  const degrees = shortNumber((numberAt(run, x, field, row) * run.constants.angle * 180) / Math.PI);
  return `${where}, at ${degrees}° (sine ${x[at]}, cosine ${x[at + 1]})`;
}

/** Whether a cell is what most of its kind are, and so not worth ink. */
const isEmpty = (run, x, field, row) => numberAt(run, x, field, row) === 0;

/** The row that an index or a position points to; 0 for none. */
function pointedRow(run, x, field, row) {
  const whole = Math.round(numberAt(run, x, field, row));
  return whole > 0 && whole < run.rows ? whole : 0;
}
