"""Sums along edges: of their weights, of a column at their ends, or of one chosen node alone."""

from __future__ import annotations

from loopwright.language.op import NUMBERS, op, takes
from loopwright.language.ops.attending import Attending
from loopwright.language.ops.kinds import COUNT, FLAG, INDEX, NODES, VALUE
from loopwright.language.variables import Variable


@op
class SumFrom(Attending):
    """out[i] ← sum of A[j, i] over the nodes j whose flag is set"""

    text = "{out}[:] ← Σ A[{flags}, :]"
    edges = "from"
    adds_edges = True

    out: Variable = takes(VALUE, COUNT, scope=NODES)
    flags: Variable = takes(FLAG, scope=NODES)


@op
class SumTo(SumFrom):
    """out[i] ← sum of A[i, j] over the nodes j whose flag is set"""

    text = "{out}[:] ← Σ A[:, {flags}]"
    edges = "to"


@op
class AddFrom(Attending):
    """out[i] ← sum of column[j] over the edges j → i, each counted once

    The program must say edges="ones".
    """

    text = "{out}[:] ← Aᵀ · {column}"
    quantities = ("column",)
    edges = "from"
    adds_edges = True

    out: Variable = takes(VALUE, COUNT, scope=NODES)
    column: Variable = takes(*NUMBERS, scope=NODES, stored=True)


@op
class AddTo(AddFrom):
    """out[i] ← sum of column[j] over the edges i → j, each counted once

    If `out` is an index, the program must say that it needs graphs to be functional: then the sum
    has one term at most.
    """

    text = "{out}[:] ← A · {column}"
    edges = "to"

    out: Variable = takes(VALUE, COUNT, INDEX, scope=NODES)
    column: Variable = takes(*NUMBERS, scope=NODES, stored=True)


@op
class RowOf(Attending):
    """out[i] ← A[j, i] of the one node j that is chosen; 0 if none is

    Choosing two is an error of the program. With one, `out` is never more than an edge.
    """

    text = "{out}[:] ← A[{chosen}, :]"
    edges = "from"

    out: Variable = takes(VALUE, FLAG, scope=NODES)
    chosen: Variable = takes(FLAG, scope=NODES)


@op
class ColumnOf(RowOf):
    """out[i] ← A[i, j] of the one node j that is chosen; 0 if none is"""

    text = "{out}[:] ← A[:, {chosen}]"
    edges = "to"
