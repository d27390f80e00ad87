"""A position points at a node: what is read there, written there, and how it stays exact."""

from __future__ import annotations

from loopwright.compiler.layer import LayerBuilder
from loopwright.compiler.linear import Linear, clip
from loopwright.compiler.lower.edges import over
from loopwright.compiler.lower.registry import lowers
from loopwright.language import ops
from loopwright.language.variables import B_GLOBAL, POSITIONS, Variable
from loopwright.model.layout import Kind, Scope


@lowers(ops.ReadRow, ops.ReadColumn)
def read_a(op: ops.ReadRow, layer: LayerBuilder) -> None:
    """out[i] ← A[position, i] (ReadColumn: A[i, position])            [P §5.3, read-A, App. C.5.3]

        pointed(position) over Ãᵀ (ReadColumn: Ã):  2·B_global → out           self:  −out → out

    Why: the pointed node sees ½ of row 0's bias, so 2·½ marks it with 1, and Ãᵀ times that mark is
    row `position` of A; Ã times it, the column. Row 0 is marked as well, but Ã is 0 there; nowhere
    marks row 0 alone.
    Exact: always, as ½ is.   Cost: 1 head over the graph, 1 over I.
    Departs: P reads rows through Ã, which gives the column; the same if the graph is undirected.
    """
    pointed = layer.patterns.pointed(layer.column(op.position))
    one, out = layer.column(B_GLOBAL), layer.column(op.out)
    layer.clear(op.out)
    layer.attention.move(pointed, one, out, 2, over=over(op))


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
    layer.clear(op.out)
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
    layer.clear(op.out)
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
    layer.clear(op.out)
    for i in range(2):
        layer.attention.move(marked, layer.column(POSITIONS, i), layer.column(op.out, i))
    layer.attention.move(marked, layer.column(B_GLOBAL), layer.column(op.out, 1))
    layer.keep(op.out, Scope.SINGLE)
