"""Nodes found by what they hold: a score for each row, of which the best is found."""

from __future__ import annotations

from fractions import Fraction

from loopwright.compiler.attend import Pattern
from loopwright.compiler.layer import LayerBuilder
from loopwright.compiler.linear import relu
from loopwright.compiler.lower.registry import lowers
from loopwright.errors import ProgramError
from loopwright.language import ops
from loopwright.model.layout import Kind, Scope
from loopwright.model.limits import LARGEST_NUMBER, power_of_two_at_least
from loopwright.model.magnitudes import bound_of, weight_of_keys


def _least(op: ops.MarkLeast | ops.ReadLeast, layer: LayerBuilder) -> Pattern:
    """Every node finds the nodes with the least value that `unless` leaves, or row 0 if none is."""
    omega, epsilon = layer.constants.omega, layer.resolution(op.value)
    keys = {layer.column(op.value): Fraction(-1), layer.column(op.unless): -4 * omega}
    return layer.patterns.pick(keys, row_0=-2 * omega, gap=epsilon)


@lowers(ops.MarkLeast)
def mark_least(op: ops.MarkLeast, layer: LayerBuilder) -> None:
    """out[i] ← 1 if value[i] is least among the nodes that `unless` leaves, else 0

        pick(−value − 4Ω·unless):  value → out           self:  −out → out
        MLP:  out ← relu(1 − relu(2·(value − out)/ε − ½) − unless)

    Why: every node finds the least value and compares it with its own: equal gives 1, ε more gives
    1 − relu(2 − ½) < 0. No loop over the nodes is needed.
    Exact: |value| ≤ Ω, and (nodes that tie) × value / ε < 2⁵³, so that their sum is exact; half
    an ε of error is forgiven. Under softmax, T is ε/128 at most.   Cost: 2 heads, 3 units.
    """
    epsilon = layer.resolution(op.value)
    (own,), (unless,) = (layer.forms(v, Scope.NODES) for v in (op.value, op.unless))
    value, out = layer.column(op.value), layer.column(op.out)
    layer.clear(op.out)
    layer.attention.move(_least(op, layer), value, out)
    layer.noisy.add(op.out)
    (least,), one = layer.stored(op.out), layer.one(Scope.NODES)
    above = relu(2 / epsilon * (own - least) - Fraction(1, 2) * one)
    layer.write(op.out, relu(one - above - unless))


@lowers(ops.ReadLeast)
def read_least(op: ops.ReadLeast, layer: LayerBuilder) -> None:
    """out[i] ← the least value among the nodes that `unless` leaves, at every node; 0 if none

        pick(−value − 4Ω·unless):  value → out           self:  −out → out

    Why: nodes that are left score at least −Ω, the others at most −3Ω, and row 0 scores −2Ω: if no
    node is left they find row 0, where the value is 0.
    Exact: |value| ≤ Ω, and (nodes that tie) × value / ε < 2⁵³.   Cost: 2 heads.
    """
    layer.clear(op.out)
    layer.attention.move(_least(op, layer), layer.column(op.value), layer.column(op.out))


@lowers(ops.ReadFirst)
def read_first(op: ops.ReadFirst, layer: LayerBuilder) -> None:
    """out[i] ← column at the first flagged node, at every node; 0 if none is flagged

        pick(N·found − index):  column → out           self:  −out → out

    Why: with N ≥ 4 × nodes, flagged nodes score above 3N/4, the first of them most; row 0 scores
    N/2, others below 0. So without a flag the nodes find row 0, where the column is 0.
    Exact: always, as one row is found.   Cost: 2 heads.
    """
    large = power_of_two_at_least(4 * layer.constants.nodes)
    keys = {layer.column(op.found): large, layer.column(op.own_index): Fraction(-1)}
    pick = layer.patterns.pick(keys, row_0=large / 2, gap=1)
    layer.clear(op.out)
    layer.attention.move(pick, layer.column(op.column), layer.column(op.out))


@lowers(ops.Gather)
def gather(op: ops.Gather, layer: LayerBuilder) -> None:
    """out[i] ← column at the node that pointer[i] names; 0 where it names none

        numbered(pointer):  column → out           self:  −out → out

    Why: node i finds the row whose number is pointer[i], and that row alone. If the pointer is 0
    this is row 0, where the column is 0; row 0 finds itself.
    Exact: while 2 · pointer · rows ≤ 2⁵³, so that scores are whole numbers that floats hold.
    Cost: 2 heads.
    """
    found = layer.patterns.numbered(layer.column(op.pointer))
    layer.clear(op.out)
    layer.attention.move(found, layer.column(op.column), layer.column(op.out))


@lowers(ops.LeastWhereEqual)
def least_where_equal(op: ops.LeastWhereEqual, layer: LayerBuilder) -> None:
    """out[i] ← the least value among the nodes whose key is query[i]; 0 if there is none

        matching(query), with −value − W·unless for what decides among equals:  value → out
        self:  −out → out

    Why: with t for the query and k for a key, nodes score −W·(t − k)² − value − W·unless. Values
    are up to B, and W ≥ 8B. So where the key is the query they score −B at least, and all others
    B − W at most, which is less than row 0, −W/2: a node finds the least values with its key, or
    row 0, whose value is 0.
    Exact: 2 · query · rows ≤ 2⁵³, as coordinates are added in their order: the squares cancel
    before the value is added. And (nodes that tie) × value / ε < 2⁵³.   Cost: 2 heads.
    """
    weight = weight_of_keys(op.value.kind, layer.constants)
    if 4 * weight * bound_of(Kind.SQUARE, layer.constants) > LARGEST_NUMBER:
        raise ProgramError("keys would not fit into floats: declare smaller Limits.")
    value, out = layer.column(op.value), layer.column(op.out)
    found = layer.patterns.matching(
        number=layer.column(op.query),
        square=layer.column(op.asked),
        key=layer.column(op.key),
        key_square=layer.column(op.square),
        weight=weight,
        among_equals={value: Fraction(-1), layer.column(op.unless): -weight},
        gap=layer.resolution(op.value),
    )
    layer.clear(op.out)
    layer.attention.move(found, value, out)
