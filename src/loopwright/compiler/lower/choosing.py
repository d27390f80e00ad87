"""Ops by which every node chooses one of its edges: edge heads, which the paper does not have.

In a head over Ã the scores are of rows, and Ã multiplies what was found; so whom a row attends to
cannot depend on an edge. In an edge head row i chooses among the edges that lead to it (or leave
it), and each is seen as the row at its other end with one more column, the weight:

    Sᵢⱼ = (xᵢ W_Q) · ([xⱼ, Aⱼᵢ] W_K) on edges and for row 0, whose edge is 0;  −∞ elsewhere
    out = Σⱼ σ(S)ᵢⱼ [xⱼ, Aⱼᵢ] W_V

as in attention that knows relations [Shaw et al. 2018]. Where several edges have the best score,
what they bring is the same number, so their mean is exact if their sum is.

Each op has a twin: `…From` looks at the edges j → i into a node, `…To` at those out of it, i → j.
Their weights are the same, and only the kind of head differs, so that one lowering serves both.

Each can look at the edges across a cut alone, whose ends differ in a whole number. No product of
queries and keys tells that in few coordinates (docs/parallel.md says why). So four coordinates are
hinges, where the two are added and rectified: together they make the score less by a wall W ≥ 8Ω
where the numbers are the same, and by nothing where they differ.
"""

from __future__ import annotations

from fractions import Fraction

from loopwright.compiler.attend import EDGE, Cut, Pattern
from loopwright.compiler.layer import LayerBuilder, number_of
from loopwright.compiler.lower.registry import lowers
from loopwright.errors import ProgramError
from loopwright.language import ops
from loopwright.language.op import Op, Operand
from loopwright.language.ops.choosing import Choosing
from loopwright.language.variables import B_GLOBAL, B_LOCAL, Variable
from loopwright.model.limits import LARGEST_NUMBER, power_of_two_at_least
from loopwright.model.magnitudes import bound_of
from loopwright.model.weights import Over

ONE = Fraction(1)
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


def cut_of(op: Choosing, layer: LayerBuilder, times: Fraction = ONE) -> Cut | None:
    """The cut that edges have to cross, if there is one, with a wall of 8Ω times something or more.

    A power of two times whole quarters is exact, as far as floats reach.
    """
    if op.across is None:
        return None
    wall = power_of_two_at_least(8 * layer.constants.omega * times)
    if 4 * wall * bound_of(op.across.kind, layer.constants) > LARGEST_NUMBER:
        raise ProgramError("scores would not fit into floats: declare smaller Limits.")
    return Cut(layer.column(op.across), wall)


def best_edge(op: Choosing, preferred: Terms, layer: LayerBuilder) -> Pattern:
    """Every node finds the edge where a sum is largest, of those that are left to it, or row 0.

    Sums of a value and an edge are at most 2Ω, so what is left scores −2Ω at least, row 0 scores
    −4Ω, and all else −6Ω at most: what `unless` excludes, and what does not cross the cut.
    """
    omega, unless = layer.constants.omega, op.operands()["unless"]
    keys = added(preferred, layer.column(unless), -8 * omega)
    gap = layer.resolution(op.out)
    return layer.patterns.least_edge(keys, cut=cut_of(op, layer), row_0=-4 * omega, gap=gap)


def bring(op: Op, layer: LayerBuilder, pattern: Pattern, terms: Terms, otherwise: Fraction) -> None:
    """out ← the sum at the edge that was found; or `otherwise`, which row 0 offers and gives back
    where it finds itself."""
    out, one = layer.column(op.out), layer.column(B_GLOBAL)
    layer.clear(op.out)
    for column, times in terms.items():
        layer.attention.move(pattern, column, out, times, over=over(op))
    if otherwise:
        layer.attention.move(pattern, one, out, otherwise, over=over(op))
        layer.attention.move(layer.patterns.self(), one, out, -otherwise)


def _least(op: ops.LeastFrom, layer: LayerBuilder) -> None:
    terms = at_the_other_end(op.value, layer, with_edge=op.with_edge)
    wanted = {column: -times for column, times in terms.items()}
    pattern = best_edge(op, wanted, layer)
    bring(op, layer, pattern, terms, number_of(op.otherwise, layer.constants))  # type: ignore[arg-type]


@lowers(ops.LeastFrom, ops.LeastTo)
def least_edge(op: ops.LeastFrom, layer: LayerBuilder) -> None:
    """out[i] ← the least value[j] of edges j → i (…To: i → j) that `unless` leaves, or `otherwise`

        edge head, key −value − 8Ω·unless:  value → out           self:  −out → out

    Why: a node finds the edges at whose other end the value is least, or row 0 if none is left,
    which brings the constant. Row 0 finds itself and gives it back.
    Exact: |value| ≤ Ω, and (edges that tie) × value / ε < 2⁵³.   Cost: 1 edge head, 1 over I.
    Departs: P has no such head.
    """
    _least(op, layer)


@lowers(ops.NearestFrom, ops.NearestTo)
def nearest_edge(op: ops.NearestFrom, layer: LayerBuilder) -> None:
    """out[i] ← least value[j] + A of edges j → i (…To: i → j) that `unless` leaves, or `otherwise`

        edge head, key −value − A − 8Ω·unless:  value + A → out           self:  −out → out

    Why: a node finds the edges by which the sum is least. Those that tie have the same sum, so that
    their mean is that sum: one round of shortest paths, for all nodes, in one head.
    Exact: |value| + A ≤ 2Ω, and (edges that tie) × the sum / ε < 2⁵³.
    Cost: 1 edge head, 1 over I.
    Departs: P has no such head.
    """
    _least(op, layer)


@lowers(ops.HeaviestFrom, ops.HeaviestTo)
def heaviest_edge(op: ops.HeaviestFrom, layer: LayerBuilder) -> None:
    """out[i] ← the heaviest A of edges j → i (…To: i → j) that `unless` leaves, 0 if there is none

        edge head, key A − 8Ω·unless:  A → out           self:  −out → out

    Why: as for the least, with the other sign. Row 0, where there is no edge, brings 0.
    Exact: A ≤ Ω, and (edges that tie) × A / ε < 2⁵³.   Cost: 1 edge head, 1 over I.
    Departs: P has no such head.
    """
    edge = {EDGE: Fraction(1)}
    pattern = best_edge(op, edge, layer)
    bring(op, layer, pattern, edge, Fraction(0))
