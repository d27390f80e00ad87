"""Ops that read other rows or the graph: an attention pattern, and what the MLP tidies up.

Heads are counted once for each pattern in a layer. In every docstring: the effect, what each head
moves, why that is right, its exact range, its cost.
"""

from __future__ import annotations

from fractions import Fraction

from loopwright.compiler.attend import Pattern
from loopwright.compiler.layer import LayerBuilder
from loopwright.compiler.linear import Linear, clip, relu
from loopwright.compiler.lower.registry import lowers
from loopwright.errors import ProgramError
from loopwright.language import ops
from loopwright.language.variables import (
    B_GLOBAL,
    B_LOCAL,
    POSITIONS,
    Variable,
)
from loopwright.model.layout import Kind, Scope
from loopwright.model.limits import LARGEST_NUMBER, power_of_two_at_least
from loopwright.model.magnitudes import bound_of, weight_of_keys
from loopwright.model.weights import Over


def _clear(layer: LayerBuilder, out: Variable) -> None:
    for i in range(out.kind.width):
        layer.attention.clear(layer.column(out, i))


@lowers(ops.Repeat)
def repeat(op: ops.Repeat, layer: LayerBuilder) -> None:
    """out[i] ← source at every node                                [P App. C.2, repeat-n]

        from_global:  source → out           self:  −out → out,  −source → out

    Why: every row gets row 0's source; row 0, which must not, gives it back.
    Exact: always (x − x = 0).   Cost: 2 heads.
    """
    for i in range(op.out.kind.width):
        source, out = layer.column(op.source, i), layer.column(op.out, i)
        layer.attention.clear(out)
        layer.attention.move(layer.patterns.self(), source, out, -1)
        layer.attention.move(layer.patterns.from_global(), source, out)


def _read_graph(op: ops.ReadRow, layer: LayerBuilder, over: Over) -> None:
    _clear(layer, op.out)
    layer.attention.move(
        layer.patterns.pointed(layer.column(op.position)),
        layer.column(B_GLOBAL),
        layer.column(op.out),
        2,
        over=over,
    )


@lowers(ops.ReadRow)
def read_row(op: ops.ReadRow, layer: LayerBuilder) -> None:
    """out[i] ← A[position, i]                                      [P §5.3, read-A]

        pointed(position) over Ãᵀ:  2·B_global → out           self:  −out → out

    Why: the pointed node sees ½ of row 0's bias, so 2·½ marks it with 1, and Ãᵀ times that mark is
    row `position` of A. Row 0 is marked as well, but Ã is 0 there; nowhere marks row 0 alone.
    Exact: always, as ½ is.   Cost: 1 head over Ãᵀ, 1 over I.
    Departs: P reads through Ã, which gives the column; the same if the graph is undirected.
    """
    _read_graph(op, layer, "AT")


@lowers(ops.ReadColumn)
def read_column(op: ops.ReadColumn, layer: LayerBuilder) -> None:
    """out[i] ← A[i, position]                                      [P §5.3, App. C.5.3]

        pointed(position) over Ã:  2·B_global → out           self:  −out → out

    Why: as for a row, with Ã times the mark.
    Exact: always.   Cost: 1 head over Ã, 1 over I.
    """
    _read_graph(op, layer, "A")


@lowers(ops.ReadX)
def read_x(op: ops.ReadX, layer: LayerBuilder) -> None:
    """out ← column[position]                                       [P App. C.1.3, read-X]

        pointed(position):  2·column → out           self:  −out → out
        MLP:  out erased at the nodes, behind a wall Ω·B_global

    Why: row 0 sees ½ of its own entry, which is 0, and ½ of the node's. Nodes see entries, too,
    which the MLP removes. Nowhere: row 0 sees itself, 0. If the entries are positions it must then
    see p₀: its own bias, which counts 2·½ − 1 = 0 at a node and 2 − 1 = 1 nowhere, is the cosine.
    Exact: |column| ≤ Ω.   Cost: 2 heads, 2 units a coordinate.
    """
    pointed = layer.patterns.pointed(layer.column(op.position))
    _clear(layer, op.out)
    for i in range(op.out.kind.width):
        layer.attention.move(pointed, layer.column(op.column, i), layer.column(op.out, i), 2)
    if op.out.kind is Kind.POSITION:
        bias, cosine = layer.column(B_GLOBAL), layer.column(op.out, 1)
        layer.attention.move(pointed, bias, cosine, 2)
        layer.attention.move(layer.patterns.self(), bias, cosine, -1)
    layer.keep(op.out, Scope.SINGLE)


def _saturate(layer: LayerBuilder, out: Variable, total: Linear) -> None:
    """out ← 1 where total ≥ ¾, 0 where it is ≤ ½ and in row 0, whose local bias is 0."""
    one = layer.one(Scope.NODES)
    layer.write(out, clip(4 * total - 2 * one, one))


@lowers(ops.WriteRow)
def write_row(op: ops.WriteRow, layer: LayerBuilder) -> None:
    """out[position] ← out[position] ∨ content; elsewhere out ∨ also [P App. C.1.5, write-row]

        pointed(position):  2·content → out
        MLP:  out ← clip(4·(out + also) − 2), with the local bias

    Why: the pointed node sees ½ of row 0's content. A flag set twice is 2, which saturates to 1.
    What row 0 is left with (all of it if the position is nowhere) goes, as its local bias is 0.
    Exact: always, on exact flags.   Cost: 1 head, 2 units.
    Departs: P adds, and clears row 0 by a second head.
    """
    out = layer.column(op.out)
    pointed = layer.patterns.pointed(layer.column(op.position))
    layer.attention.move(pointed, layer.column(op.content), out, 2)
    total = Linear.column(out)
    if op.also is not None:
        total += Linear.column(layer.column(op.also))
    _saturate(layer, op.out, total)


@lowers(ops.OneHot)
def one_hot(op: ops.OneHot, layer: LayerBuilder) -> None:
    """out ← content at position, 0 elsewhere                       [P App. C.5.4, B.1]

        pointed(position):  2·content → out           self:  −out → out
        MLP:  out ← clip(4·out − 2), with the local bias

    Why: as for write-row, into a column that was cleared. Rounded, so that a position that has
    drifted a little still gives exact flags: the first layer of P's rounding of positions.
    Exact: always, on exact flags.   Cost: 2 heads, 2 units.
    """
    out = layer.column(op.out)
    _clear(layer, op.out)
    pointed = layer.patterns.pointed(layer.column(op.position))
    layer.attention.move(pointed, layer.column(op.content), out, 2)
    _saturate(layer, op.out, Linear.column(out))


@lowers(ops.SubtractAt)
def subtract_at(op: ops.SubtractAt, layer: LayerBuilder) -> None:
    """out[position] ← out[position] − content                      [P App. C.1.5, write-row]

        pointed(position):  −2·content → out
        MLP:  out erased in row 0, behind a wall Ω·B_local

    Why: the pointed node sees ½ of row 0's content.
    Exact: on the grid of ε while |out| ≤ Ω at every node.   Cost: 1 head, 2 units.
    """
    pointed = layer.patterns.pointed(layer.column(op.position))
    layer.attention.move(pointed, layer.column(op.content), layer.column(op.out), -2)
    layer.keep(op.out, Scope.NODES)


@lowers(ops.AllOne)
def all_one(op: ops.AllOne, layer: LayerBuilder) -> None:
    """out ← 1 if every node's flag is set else 0                   [P App. C.1.6, all-one]

        mean_of_nodes:  M·flags − M·B_local → out           self:  B_global − out → out
        MLP:  out ← relu(out)

    Why: row 0 gets 1 + mean of M·(flag − 1): exactly 1 if all are set, since the mean is of exact
    zeros; at most 1 − M/n < 0 if one is missing.
    Exact: up to M/2 nodes, on exact flags.   Cost: 2 heads, 1 unit.
    """
    _all(op, layer, layer.patterns.mean_of_nodes(), B_GLOBAL)


def _all(
    op: ops.AllOne | ops.Everywhere, layer: LayerBuilder, mean: Pattern, one: Variable
) -> None:
    """out ← relu(one + mean of M·(flag − 1))"""
    out, m = layer.column(op.out), layer.constants.majority
    _clear(layer, op.out)
    layer.attention.move(layer.patterns.self(), layer.column(one), out)
    layer.attention.move(mean, layer.column(op.flags), out, m)
    layer.attention.move(mean, layer.column(B_LOCAL), out, -m)
    layer.noisy.add(op.out)
    layer.write(op.out, *map(relu, layer.stored(op.out)))


@lowers(ops.Everywhere)
def everywhere(op: ops.Everywhere, layer: LayerBuilder) -> None:
    """out[i] ← 1 if every node's flag is set else 0, at every node

        all_nodes:  M·flags − M·B_local → out           self:  B_local − out → out
        MLP:  out ← relu(out)

    Why: as for all-one, with every node in the place of row 0.
    Exact: up to M/2 nodes, on exact flags.   Cost: 2 heads, 1 unit.
    """
    _all(op, layer, layer.patterns.all_nodes(), B_LOCAL)


def _along_edges(column: Variable, out: Variable, layer: LayerBuilder, over: Over) -> None:
    _clear(layer, out)
    own = layer.patterns.self()
    layer.attention.move(own, layer.column(column), layer.column(out), over=over)


@lowers(ops.SumFrom)
def sum_from(op: ops.SumFrom, layer: LayerBuilder) -> None:
    """out[i] ← Σ A[j, i] over flagged nodes j                        [P §4, Eq. 1]

        self over Ãᵀ:  flags → out           self:  −out → out

    Why: it is Ãᵀ times the column of flags.
    Exact: while the sum is at most Ω, on the grid of ε.   Cost: 1 head over Ãᵀ, 1 over I.
    """
    _along_edges(op.flags, op.out, layer, "AT")


@lowers(ops.SumTo)
def sum_to(op: ops.SumTo, layer: LayerBuilder) -> None:
    """out[i] ← Σ A[i, j] over flagged nodes j                        [P §4, Eq. 1]

        self over Ã:  flags → out           self:  −out → out

    Why: it is Ã times the column of flags.
    Exact: while the sum is at most Ω, on the grid of ε.   Cost: 1 head over Ã, 1 over I.
    """
    _along_edges(op.flags, op.out, layer, "A")


@lowers(ops.AddFrom)
def add_from(op: ops.AddFrom, layer: LayerBuilder) -> None:
    """out[i] ← Σ column[j] over the edges j → i                      [P §4, Eq. 1]

        self over Ãᵀ:  column → out           self:  −out → out

    Why: it is Ãᵀ times the column, and every entry of Ã is 0 or 1.
    Exact: while (edges at a node) × |column| ≤ Ω, on the grid of ε.
    Cost: 1 head over Ãᵀ, 1 over I.
    """
    _along_edges(op.column, op.out, layer, "AT")


@lowers(ops.AddTo)
def add_to(op: ops.AddTo, layer: LayerBuilder) -> None:
    """out[i] ← Σ column[j] over the edges i → j                      [P §4, Eq. 1]

        self over Ã:  column → out           self:  −out → out

    Why: it is Ã times the column, and every entry of Ã is 0 or 1.
    Exact: while (edges at a node) × |column| ≤ Ω, on the grid of ε.
    Cost: 1 head over Ã, 1 over I.
    """
    _along_edges(op.column, op.out, layer, "A")


@lowers(ops.RowOf)
def row_of(op: ops.RowOf, layer: LayerBuilder) -> None:
    """out[i] ← A[j, i] of the one chosen node j                      [P §4, Eq. 1]

        self over Ãᵀ:  chosen → out           self:  −out → out

    Why: it is Ãᵀ times a one-hot column.
    Exact: always, on exact flags.   Cost: 1 head over Ãᵀ, 1 over I.
    """
    _along_edges(op.chosen, op.out, layer, "AT")


@lowers(ops.ColumnOf)
def column_of(op: ops.ColumnOf, layer: LayerBuilder) -> None:
    """out[i] ← A[i, j] of the one chosen node j                      [P §4, Eq. 1]

        self over Ã:  chosen → out           self:  −out → out

    Why: it is Ã times a one-hot column.
    Exact: always, on exact flags.   Cost: 1 head over Ã, 1 over I.
    """
    _along_edges(op.chosen, op.out, layer, "A")


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
    _clear(layer, op.out)
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
    _clear(layer, op.out)
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
    _clear(layer, op.out)
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
    _clear(layer, op.out)
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
    _clear(layer, op.out)
    layer.attention.move(found, value, out)


@lowers(ops.RoundPosition)
def round_position(op: ops.RoundPosition, layer: LayerBuilder) -> None:
    """out ← the table's position of the marked node                [P App. B.1]

        marked(found):  P → out,  B_global → out's cosine           self:  −out → out
        MLP:  out erased at the nodes, behind a wall Ω·B_global

    Why: row 0 sees the marked node alone and takes its entry of P, to the last digit. If none is
    marked it sees itself, and its bias makes (0, 1) = p₀. The second layer of P's rounding.
    Exact: at most one flag is set.   Cost: 2 heads, 4 units.
    Departs: P lets row 0 and the node find each other, which loses p₀.
    """
    marked = layer.patterns.marked(layer.column(op.found))
    _clear(layer, op.out)
    for i in range(2):
        layer.attention.move(marked, layer.column(POSITIONS, i), layer.column(op.out, i))
    layer.attention.move(marked, layer.column(B_GLOBAL), layer.column(op.out, 1))
    layer.keep(op.out, Scope.SINGLE)
