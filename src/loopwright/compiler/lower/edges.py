"""Sums along edges: a head over Ãᵀ or Ã, in which each row finds itself, is that matrix times X.

Ops are twins: one goes along the edges into a node, the other along those out of it.
"""

from __future__ import annotations

from loopwright.compiler.layer import LayerBuilder
from loopwright.compiler.lower.registry import lowers
from loopwright.language import ops
from loopwright.language.op import Op
from loopwright.language.variables import Variable
from loopwright.model.weights import Over


def over(op: Op) -> Over:
    """Ãᵀ brings what is at the beginning of a node's edges; Ã, what is at their end."""
    return "AT" if op.edges == "from" else "A"


def _along_edges(op: Op, column: Variable, layer: LayerBuilder) -> None:
    layer.clear(op.out)
    own = layer.patterns.self()
    layer.attention.move(own, layer.column(column), layer.column(op.out), over=over(op))


@lowers(ops.SumFrom, ops.SumTo)
def sum_of_edges(op: ops.SumFrom, layer: LayerBuilder) -> None:
    """out[i] ← Σ A[j, i] (SumTo: A[i, j]) over flagged nodes j          [P §4, Eq. 1]

        self over Ãᵀ (SumTo: Ã):  flags → out           self:  −out → out

    Why: it is that matrix times the column of flags.
    Exact: while the sum is at most Ω, on the grid of ε.   Cost: 1 head over the graph, 1 over I.
    """
    _along_edges(op, op.flags, layer)


@lowers(ops.AddFrom, ops.AddTo)
def add_along_edges(op: ops.AddFrom, layer: LayerBuilder) -> None:
    """out[i] ← Σ column[j] over the edges j → i (AddTo: i → j)        [P §4, Eq. 1]

        self over Ãᵀ (AddTo: Ã):  column → out           self:  −out → out

    Why: it is that matrix, whose entries are all 0 or 1, times the column.
    Exact: while (edges at a node) × |column| ≤ Ω, on the grid of ε.
    Cost: 1 head over the graph, 1 over I.
    """
    _along_edges(op, op.column, layer)


@lowers(ops.RowOf, ops.ColumnOf)
def edges_of_one(op: ops.RowOf, layer: LayerBuilder) -> None:
    """out[i] ← A[j, i] (ColumnOf: A[i, j]) of the one chosen node j    [P §4, Eq. 1]

        self over Ãᵀ (ColumnOf: Ã):  chosen → out           self:  −out → out

    Why: it is that matrix times a one-hot column.
    Exact: always, on exact flags.   Cost: 1 head over the graph, 1 over I.
    """
    _along_edges(op, op.chosen, layer)
