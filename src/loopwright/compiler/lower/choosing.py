"""Ops by which every node chooses one of its edges: edge heads, which the paper does not have.

In a head over Ã the scores are of rows, and Ã multiplies what was found; so whom a row attends to
cannot depend on an edge. In an edge head row i chooses among the edges that lead to it (or leave
it), and each is seen as the row at its other end with one more column, the weight:

    Sᵢⱼ = (xᵢ W_Q) · ([xⱼ, Aⱼᵢ] W_K) on edges and for row 0, whose edge is 0;  −∞ elsewhere
    out = Σⱼ σ(S)ᵢⱼ [xⱼ, Aⱼᵢ] W_V

as in attention that knows relations [Shaw et al. 2018]. Where several edges have the best score,
what they bring is the same number, so their mean is exact if their sum is.
"""

from __future__ import annotations

from fractions import Fraction

from loopwright.compiler.attend import EDGE, Pattern
from loopwright.compiler.layer import LayerBuilder, number_of
from loopwright.compiler.lower.registry import lowers
from loopwright.errors import ProgramError
from loopwright.language import ops
from loopwright.language.op import Op, Operand
from loopwright.language.variables import B_GLOBAL, B_LOCAL, OWN_INDEX, Variable
from loopwright.model.limits import LARGEST_NUMBER
from loopwright.model.magnitudes import retracing
from loopwright.model.weights import Over

Terms = dict[int, Fraction]
"""Column, or `EDGE`, → how often it is counted."""


def added(terms: Terms, column: int, times: Fraction) -> Terms:
    """The sum with one more term; a constant may be in it already, as a multiple of the bias."""
    return terms | {column: terms.get(column, Fraction(0)) + times}


def over(op: Op) -> Over:
    """Which edges a node sees."""
    return "E" if op.edges == "from" else "ET"


def at_the_other_end(value: Operand, layer: LayerBuilder, *, with_edge: bool) -> Terms:
    """A value, or value + edge, as a sum of columns that an edge shows."""
    if isinstance(value, Variable):
        terms = {layer.column(value): Fraction(1)}
    else:
        terms = {layer.column(B_LOCAL): number_of(value, layer.constants)}
    return terms | ({EDGE: Fraction(1)} if with_edge else {})


def best_edge(preferred: Terms, unless: Variable, layer: LayerBuilder, gap: Fraction) -> Pattern:
    """Every node finds the edge where a sum is largest, of those that `unless` leaves, or row 0.

    Sums of a value and an edge are at most 2Ω, so what is left scores −2Ω at least, row 0 scores
    −4Ω, and all else −6Ω at most.
    """
    omega = layer.constants.omega
    keys = added(preferred, layer.column(unless), -8 * omega)
    return layer.patterns.least_edge(keys, row_0=-4 * omega, gap=gap)


def bring(op: Op, layer: LayerBuilder, pattern: Pattern, terms: Terms, otherwise: Fraction) -> None:
    """out ← the sum at the edge that was found; or `otherwise`, which row 0 offers and gives back
    where it finds itself."""
    out, one = layer.column(op.out), layer.column(B_GLOBAL)
    layer.attention.clear(out)
    for column, times in terms.items():
        layer.attention.move(pattern, column, out, times, over=over(op))
    if otherwise:
        layer.attention.move(pattern, one, out, otherwise, over=over(op))
        layer.attention.move(layer.patterns.self(), one, out, -otherwise)


def _least(op: ops.LeastFrom, layer: LayerBuilder) -> None:
    terms = at_the_other_end(op.value, layer, with_edge=op.with_edge)
    wanted = {column: -times for column, times in terms.items()}
    pattern = best_edge(wanted, op.unless, layer, layer.resolution(op.out))
    bring(op, layer, pattern, terms, number_of(op.otherwise, layer.constants))  # type: ignore[arg-type]


@lowers(ops.LeastFrom)
def least_from(op: ops.LeastFrom, layer: LayerBuilder) -> None:
    """out[i] ← the least value[j] over edges j → i that `unless` leaves, or `otherwise`

        edge head, key −value − 8Ω·unless:  value → out           self:  −out → out

    Why: a node finds the edges from where the value is least, or row 0 if none is left, which
    brings the constant. Row 0 finds itself and gives it back.
    Exact: |value| ≤ Ω, and (edges that tie) × value / ε < 2⁵³.   Cost: 1 edge head, 1 over I.
    Departs: P has no such head.
    """
    _least(op, layer)


@lowers(ops.LeastTo)
def least_to(op: ops.LeastTo, layer: LayerBuilder) -> None:
    """out[i] ← the least value[j] over edges i → j that `unless` leaves, or `otherwise`

        edge head, key −value − 8Ω·unless:  value → out           self:  −out → out

    Why: as along the edges into a node.
    Exact: |value| ≤ Ω, and (edges that tie) × value / ε < 2⁵³.   Cost: 1 edge head, 1 over I.
    Departs: P has no such head.
    """
    _least(op, layer)


@lowers(ops.NearestFrom)
def nearest_from(op: ops.NearestFrom, layer: LayerBuilder) -> None:
    """out[i] ← the least value[j] + A[j, i] over edges j → i that `unless` leaves, or `otherwise`

        edge head, key −value − A − 8Ω·unless:  value + A → out           self:  −out → out

    Why: a node finds the edges by which the sum is least. Those that tie have the same sum, so that
    their mean is that sum: one round of shortest paths, for all nodes, in one head.
    Exact: |value| + A ≤ 2Ω, and (edges that tie) × the sum / ε < 2⁵³.
    Cost: 1 edge head, 1 over I.
    Departs: P has no such head.
    """
    _least(op, layer)


@lowers(ops.NearestTo)
def nearest_to(op: ops.NearestTo, layer: LayerBuilder) -> None:
    """out[i] ← the least value[j] + A[i, j] over edges i → j that `unless` leaves, or `otherwise`

        edge head, key −value − A − 8Ω·unless:  value + A → out           self:  −out → out

    Why: as along the edges into a node.
    Exact: |value| + A ≤ 2Ω, and (edges that tie) × the sum / ε < 2⁵³.
    Cost: 1 edge head, 1 over I.
    Departs: P has no such head.
    """
    _least(op, layer)


def _heaviest(op: ops.HeaviestFrom, layer: LayerBuilder) -> None:
    edge = {EDGE: Fraction(1)}
    pattern = best_edge(edge, op.unless, layer, layer.resolution(op.out))
    bring(op, layer, pattern, edge, Fraction(0))


@lowers(ops.HeaviestFrom)
def heaviest_from(op: ops.HeaviestFrom, layer: LayerBuilder) -> None:
    """out[i] ← the heaviest A[j, i] over edges j → i that `unless` leaves, 0 if there is none

        edge head, key A − 8Ω·unless:  A → out           self:  −out → out

    Why: as for the least, with the other sign. Row 0, where there is no edge, brings 0.
    Exact: A ≤ Ω, and (edges that tie) × A / ε < 2⁵³.   Cost: 1 edge head, 1 over I.
    Departs: P has no such head.
    """
    _heaviest(op, layer)


@lowers(ops.HeaviestTo)
def heaviest_to(op: ops.HeaviestTo, layer: LayerBuilder) -> None:
    """out[i] ← the heaviest A[i, j] over edges i → j that `unless` leaves, 0 if there is none

        edge head, key A − 8Ω·unless:  A → out           self:  −out → out

    Why: as along the edges into a node.
    Exact: A ≤ Ω, and (edges that tie) × A / ε < 2⁵³.   Cost: 1 edge head, 1 over I.
    Departs: P has no such head.
    """
    _heaviest(op, layer)


def _via(op: ops.LeastViaFrom, layer: LayerBuilder) -> None:
    weights = retracing(op.path.kind, layer.constants, heaviest=op.heaviest)
    omega, unless, index = layer.constants.omega, layer.column(op.unless), layer.column(OWN_INDEX)
    if 16 * omega * weights.nearer > LARGEST_NUMBER:
        raise ProgramError("scores would not fit into floats: declare smaller Limits.")
    sums = added(at_the_other_end(op.value, layer, with_edge=op.along), unless, 8 * omega)
    others = {index: Fraction(-1)} | ({EDGE: weights.heavier} if op.heaviest else {})
    pattern = layer.patterns.way(
        layer.column(op.path), sums, others, weight=weights.nearer, row_0=-2 * weights.nodes
    )
    bring(op, layer, pattern, {layer.column(op.column): Fraction(1)}, Fraction(0))


@lowers(ops.LeastViaFrom)
def least_via_from(op: ops.LeastViaFrom, layer: LayerBuilder) -> None:
    """out[i] ← column[j] of the first edge j → i with value[j] = path[i]; 0 if none is

        edge head, query (path, 1, 1),  key (W, −W·(value + 8Ω·unless), −index):
        column → out           self:  −out → out

    Why: W·path − W·value is 0 where it fits, and −W·ε at most elsewhere, which is twice as much as
    an index can be; of those that fit the first scores most. Row 0 scores −2N: less than what fits,
    and more than what does not. No two edges tie.
    Exact: coordinates are added in their order: the first two cancel before the last is added.
    Cost: 1 edge head, 1 over I.
    Departs: P has no such head.
    """
    _via(op, layer)


@lowers(ops.LeastViaTo)
def least_via_to(op: ops.LeastViaTo, layer: LayerBuilder) -> None:
    """out[i] ← column[j] of the first edge i → j with value[j] = path[i]; 0 if none is

        edge head, query (path, 1, 1),  key (W, −W·(value + 8Ω·unless), −index):
        column → out           self:  −out → out

    Why: as along the edges into a node.
    Exact: coordinates are added in their order: the first two cancel before the last is added.
    Cost: 1 edge head, 1 over I.
    Departs: P has no such head.
    """
    _via(op, layer)


@lowers(ops.NearestViaFrom)
def nearest_via_from(op: ops.NearestViaFrom, layer: LayerBuilder) -> None:
    """out[i] ← column[j] of the first edge j → i with value[j] + A[j, i] = path[i]; 0 if none is

        edge head, query (path, 1, 1),  key (W, −W·(value + A + 8Ω·unless), −index):
        column → out           self:  −out → out

    Why: as without the edge.
    Exact: coordinates are added in their order: the first two cancel before the last is added.
    Cost: 1 edge head, 1 over I.
    Departs: P has no such head.
    """
    _via(op, layer)


@lowers(ops.NearestViaTo)
def nearest_via_to(op: ops.NearestViaTo, layer: LayerBuilder) -> None:
    """out[i] ← column[j] of the first edge i → j with value[j] + A[i, j] = path[i]; 0 if none is

        edge head, query (path, 1, 1),  key (W, −W·(value + A + 8Ω·unless), −index):
        column → out           self:  −out → out

    Why: as along the edges into a node.
    Exact: coordinates are added in their order: the first two cancel before the last is added.
    Cost: 1 edge head, 1 over I.
    Departs: P has no such head.
    """
    _via(op, layer)


@lowers(ops.HeaviestViaFrom)
def heaviest_via_from(op: ops.HeaviestViaFrom, layer: LayerBuilder) -> None:
    """out[i] ← column[j] of the heaviest edge j → i with value[j] + A[j, i] = path[i]; 0 if none

        edge head, query (path, 1, 1),  key (W, −W·(value + A + 8Ω·unless), H·A − index):
        column → out           self:  −out → out

    Why: as without H·A, which is less than half of W·ε; of edges that fit, a heavier one outdoes
    all indices, as H·ε is twice as much as those.
    Exact: A × 2N / ε ≤ 2⁵², with N > nodes, so that H·A − index − ½ is; and coordinates are added
    in their order, so that the first two cancel before it is added.
    Cost: 1 edge head, 1 over I.
    Departs: P has no such head.
    """
    _via(op, layer)


@lowers(ops.HeaviestViaTo)
def heaviest_via_to(op: ops.HeaviestViaTo, layer: LayerBuilder) -> None:
    """out[i] ← column[j] of the heaviest edge i → j with value[j] + A[i, j] = path[i]; 0 if none

        edge head, query (path, 1, 1),  key (W, −W·(value + A + 8Ω·unless), H·A − index):
        column → out           self:  −out → out

    Why: as along the edges into a node.
    Exact: A × 2N / ε ≤ 2⁵², with N > nodes, so that H·A − index − ½ is; and coordinates are added
    in their order, so that the first two cancel before it is added.
    Cost: 1 edge head, 1 over I.
    Departs: P has no such head.
    """
    _via(op, layer)
