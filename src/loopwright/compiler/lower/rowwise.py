"""Ops that work row by row: each is one ReLU formula, of depth at most 3.

In every docstring: the effect, the formula, why it is right, its exact range, its cost in hidden
units of the widest level (sign splitting of a signed operand adds one, erasing `out` one or two).
Outside the rows of their scope all variables and the bias are 0, and every formula here maps
zeros to zero.
"""

from __future__ import annotations

from fractions import Fraction

from loopwright.compiler.layer import LayerBuilder, number_of
from loopwright.compiler.linear import Linear, clip, relu
from loopwright.compiler.lower.registry import lowers
from loopwright.language import ops
from loopwright.language.formulas import And, Formula, Less, Not, Or, Same
from loopwright.language.op import Operand
from loopwright.language.variables import Variable


@lowers(ops.LessThan)
def less_than(op: ops.LessThan, layer: LayerBuilder) -> None:
    """out ← 1 if a < b else 0                                            [P §5.2, Eq. less_than]

        out = clip((b − a)/ε),   clip(r) = 1 − relu(1 − relu(r))

    Why: (b − a)/ε is ≤ 0 for b ≤ a and ≥ 1 for b − a ≥ ε.
    Exact: unless 0 < b − a < ε. ε is the resolution of values, and 1 for whole numbers.
    Cost: 2 units.
    Departs: P divides by ε after subtracting two ReLUs, which leaves flags like 1 − 1e-4 in floats.
    """
    scope = op.out.scope
    (a,), (b,) = layer.forms(op.a, scope), layer.forms(op.b, scope)
    epsilon = layer.resolution(op.a, op.b)
    layer.write(op.out, clip(1 / epsilon * (b - a), layer.one(scope)))


@lowers(ops.LessOrEqual)
def less_or_equal(op: ops.LessOrEqual, layer: LayerBuilder) -> None:
    """out ← 1 if a ≤ b else 0                                            [P App. C.7, le_subleq]

        out = relu(1 − relu((a − b)/ε))

    Why: it is 1 − clip((a − b)/ε), the negation of b < a.
    Exact: unless 0 < a − b < ε.   Cost: 2 units.
    """
    scope = op.out.scope
    (a,), (b,) = layer.forms(op.a, scope), layer.forms(op.b, scope)
    epsilon = layer.resolution(op.a, op.b)
    layer.write(op.out, relu(layer.one(scope) - relu(1 / epsilon * (a - b))))


@lowers(ops.Between)
def between(op: ops.Between, layer: LayerBuilder) -> None:
    """out ← 1 if low < value < high else 0

        out = relu(1 − relu(1 + (low − value)/ε) − relu(1 + (value − high)/ε))

    Why: a < b makes 1 + (a − b)/ε at most 0, else it is at least 1. Two comparisons, no deeper than
    one: what follows in the step can still use the flag.
    Exact: unless two of the operands differ by less than ε, but are not equal.   Cost: 2 units.
    """
    scope = op.out.scope
    (low,), (value,), (high,) = (layer.forms(x, scope) for x in (op.low, op.value, op.high))
    one = layer.one(scope)

    def fails(a: Linear, b: Linear, epsilon: Fraction) -> Linear:
        return relu(one + 1 / epsilon * (a - b))

    below = fails(low, value, layer.resolution(op.low, op.value))
    above = fails(value, high, layer.resolution(op.value, op.high))
    layer.write(op.out, relu(one - below - above))


@lowers(ops.Where)
def where(op: ops.Where, layer: LayerBuilder) -> None:
    """out ← then if condition else otherwise                              [P §6.2, Eq. if_else]

        out = ±relu(±otherwise − Ωc) ± relu(±then − Ω(1 − c))

    Why: the wall Ω pushes the clause that is not chosen below 0; the other passes untouched.
    A constant clause is a multiple of the bias, which makes this the paper's mask and its
    re-initialisation as well.
    Exact: c is exactly 0 or 1, and no clause exceeds Ω, on the grid of ε. Ω is as small as the kind
    of `out` allows: adding and taking away 2 costs a position one rounding.
    Cost: 2 units for each clause that may be negative, 1 for others.
    """
    one = layer.one(op.out.scope)
    (c,) = layer.forms(op.condition, op.out.scope)
    wall = layer.bound(op.out)
    pairs = zip(layer.like(op.out, op.then), layer.like(op.out, op.otherwise), strict=True)

    def behind(clause: Linear, closed: Linear) -> Linear:
        passed = relu(clause - wall * closed) if clause.terms else Linear.zero()
        return passed if clause.nonnegative else passed - relu(-clause - wall * closed)

    layer.write(op.out, *(behind(b, closed=c) + behind(a, closed=one - c) for a, b in pairs))


@lowers(ops.Copy)
def copy(op: ops.Copy, layer: LayerBuilder) -> None:
    """out ← source

        out = source

    Why: carried through three levels by sign splitting.
    Exact: always.   Cost: 1 unit, 2 if it may be negative.
    """
    layer.write(op.out, *layer.like(op.out, op.source))


@lowers(ops.Increment)
def increment(op: ops.Increment, layer: LayerBuilder) -> None:
    """out ← the next position                                      [P App. C.1.2, §6.1]

        (sin, cos) ← (cos δ̂·sin + sin δ̂·cos, cos δ̂·cos − sin δ̂·sin)

    Why: it is the rotation by δ̂, and p_k is p₀ rotated k times.
    Exact: in rationals, where tan(δ̂/2) = t makes cos δ̂ and sin δ̂ rational; in floats it drifts by
    at most 4 roundings, which the tie tolerance allows for.   Cost: 4 units.
    """
    sine, cosine = layer.forms(op.position, op.out.scope)
    c, s = layer.constants.cosine, layer.constants.sine
    layer.write(op.out, c * sine + s * cosine, c * cosine - s * sine)


@lowers(ops.MarkZeros)
def mark_zeros(op: ops.MarkZeros, layer: LayerBuilder) -> None:
    """out ← 1 if value = 0 else 0                                  [P App. C.2, mark_zeros]

        out = relu(1 − value/ε)

    Why: a value that is not 0 is at least ε.
    Exact: value = 0 or value ≥ ε.   Cost: 1 unit.
    Departs: P has Ω for 1/ε, which asks for weights ≥ 1/Ω.
    """
    (value,) = layer.forms(op.value, op.out.scope)
    epsilon = layer.resolution(op.value)
    layer.write(op.out, relu(layer.one(op.out.scope) - 1 / epsilon * value))


@lowers(ops.Set)
def set_flag(op: ops.Set, layer: LayerBuilder) -> None:
    """out ← a formula: and, or, not, of flags and comparisons      [P App. C.2, mask_write]

                 t(x), at least 1 if x, else 0     f(x), at least 1 unless x, else 0
        x        x                                 1 − x
        a < b    relu((b − a)/ε)                   relu(1 + (a − b)/ε)
        a = b    relu(1 − f(a = b))                (relu(a − b) + relu(b − a))/ε
        ¬x       f(x)                              t(x)
        ∧ xᵢ     relu(1 − Σ f(xᵢ))                 Σ f(xᵢ)
        ∨ xᵢ     Σ t(xᵢ)                           relu(1 − Σ t(xᵢ))

        out = 1 − relu(1 − t(x)) for an ∨,  1 − out(x) for ¬x,  relu(1 − f(x)) for all else

    Why: a sum of numbers that are 0 or at least 1 is 0 only if all of them are, and relu(1 − r) of
    such a sum is exactly 1 or 0. So only what is joined otherwise inside nests a ReLU, and a
    comparison joined with others costs one less than alone. Where a difference is never negative,
    as that of an unsigned variable and 0, it needs no ReLU.
    Exact: on exact flags, unless two numbers that are compared differ by less than ε but are not
    equal. ε is the resolution of values, and 1 for whole numbers.
    Cost: 1 unit for each ∧, ∨ and <, 2 for =, and 1 for the bias.
    """
    one = layer.one(op.out.scope)

    def side(operand: Operand) -> Linear:
        (form,) = layer.forms(operand, op.out.scope)
        return form

    def positive(form: Linear) -> Linear:
        if (-form).nonnegative:
            return Linear.zero()
        return form if form.nonnegative else relu(form)

    def true(formula: Formula) -> Linear:
        match formula:
            case Variable():
                return side(formula)
            case Less(a, b):
                return positive(1 / layer.resolution(a, b) * (side(b) - side(a)))
            case And() | Same():
                return relu(one - false(formula))
            case Or(parts):
                return sum(map(true, parts), Linear.zero())
            case Not(part):
                return false(part)
            case _:
                raise TypeError(f"not a formula: {formula!r}")

    def false(formula: Formula) -> Linear:
        match formula:
            case Variable():
                return one - side(formula)
            case Less(a, b):
                return relu(one + 1 / layer.resolution(a, b) * (side(a) - side(b)))
            case Same(a, b):
                gap = 1 / layer.resolution(a, b) * (side(a) - side(b))
                return positive(gap) + positive(-gap)
            case And(parts):
                return sum(map(false, parts), Linear.zero())
            case Or():
                return relu(one - true(formula))
            case Not(part):
                return true(part)
            case _:
                raise TypeError(f"not a formula: {formula!r}")

    def exact(formula: Formula) -> Linear:
        match formula:
            case Variable():
                return side(formula)
            case Or():
                return one - relu(one - true(formula))
            case Not(part):
                return one - exact(part)
            case _:
                return relu(one - false(formula))

    layer.write(op.out, exact(op.formula))


@lowers(ops.Equal)
def equal(op: ops.Equal, layer: LayerBuilder) -> None:
    """out ← 1 if a = b else 0, for flags or whole numbers          [P App. C.3, interrupt]

        out = relu(1 − relu(a − b) − relu(b − a))

    Why: the two ReLUs sum to |a − b|.
    Exact: always, on exact flags and whole numbers.   Cost: 3 units.
    """
    scope = op.out.scope
    (a,), (b,) = layer.forms(op.a, scope), layer.forms(op.b, scope)
    layer.write(op.out, relu(layer.one(scope) - relu(a - b) - relu(b - a)))


@lowers(ops.Add)
def add(op: ops.Add, layer: LayerBuilder) -> None:
    """out ← a + b

        out = a + b

    Why: a sum of carried values.
    Exact: on the grid of ε while |a + b| ≤ Ω.   Cost: 1 unit, 2 if it may be negative.
    """
    (a,), (b,) = layer.forms(op.a, op.out.scope), layer.forms(op.b, op.out.scope)
    layer.write(op.out, a + b)


@lowers(ops.Subtract)
def subtract(op: ops.Subtract, layer: LayerBuilder) -> None:
    """out ← a − b                                                  [P App. C.7, subtraction]

        out = a − b

    Why: a sum of carried values, both signs of each.
    Exact: on the grid of ε while |a − b| ≤ Ω.   Cost: 2 units.
    """
    (a,), (b,) = layer.forms(op.a, op.out.scope), layer.forms(op.b, op.out.scope)
    layer.write(op.out, a - b)


@lowers(ops.Multiply)
def multiply(op: ops.Multiply, layer: LayerBuilder) -> None:
    """out ← times · a

        out = times · a

    Why: a multiple of a carried value; a whole multiple is on the grid again.
    Exact: on the grid of ε while |times · a| ≤ Ω.   Cost: 1 unit, 2 if it may be negative.
    """
    (a,) = layer.forms(op.a, op.out.scope)
    layer.write(op.out, number_of(op.times, layer.constants) * a)


@lowers(ops.Minimum)
def minimum(op: ops.Minimum, layer: LayerBuilder) -> None:
    """out ← min(a, b)

        out = a − relu(a − b)

    Why: what a is above b is taken from it.
    Exact: on the grid of ε while |a| ≤ Ω, |b| ≤ Ω, and |a − b| ≤ Ω where they may have different
    signs: then no part of the sum, with the old `out`, exceeds 2Ω.
    Cost: 2 units, 3 if a may be negative.
    """
    (a,), (b,) = layer.forms(op.a, op.out.scope), layer.forms(op.b, op.out.scope)
    layer.write(op.out, a - relu(a - b))


@lowers(ops.Maximum)
def maximum(op: ops.Maximum, layer: LayerBuilder) -> None:
    """out ← max(a, b)

        out = b + relu(a − b)

    Why: what a is above b is added to b.
    Exact: as the minimum.   Cost: 1 unit, 2 if b may be negative.
    """
    (a,), (b,) = layer.forms(op.a, op.out.scope), layer.forms(op.b, op.out.scope)
    layer.write(op.out, b + relu(a - b))


@lowers(ops.Difference)
def difference(op: ops.Difference, layer: LayerBuilder) -> None:
    """out ← |a − b|

        out = relu(a − b) + relu(b − a)

    Why: one of the two is the difference, the other 0.
    Exact: on the grid of ε while |a − b| ≤ Ω.   Cost: 2 units.
    """
    (a,), (b,) = layer.forms(op.a, op.out.scope), layer.forms(op.b, op.out.scope)
    layer.write(op.out, relu(a - b) + relu(b - a))


@lowers(ops.RoundFlag)
def round_flag(op: ops.RoundFlag, layer: LayerBuilder) -> None:
    """out ← 0 or 1, whichever is near                              [P App. B.1, Eq. round_appdx]

        out = clip(4·out − 2)

    Why: 0 up to ½, 1 from ¾ on: P's step at ½, with η = ¼.
    Exact: |error| < ¼.   Cost: 2 units.
    """
    if op.out not in layer.written:
        layer.noisy.add(op.out)
    (x,) = layer.forms(op.out, op.out.scope)
    one = layer.one(op.out.scope)
    layer.write(op.out, clip(4 * x - 2 * one, one))
