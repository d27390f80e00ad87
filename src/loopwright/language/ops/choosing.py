"""Every node chooses one of its edges, the best, and learns how good that is."""

from __future__ import annotations

from dataclasses import KW_ONLY, dataclass

from loopwright.language.op import NUMBERS, Operand, need, op, takes, written
from loopwright.language.ops.attending import Attending
from loopwright.language.ops.kinds import COUNT, FLAG, INDEX, NODES, VALUE
from loopwright.language.variables import Variable


@dataclass(frozen=True)
class Choosing(Attending):
    """An op by which every node chooses one of its edges: an edge head, beyond the paper.

    With `across`, a flag or an index, it chooses among those alone whose ends differ in it: the
    edges across a cut of the graph, or between its parts.
    """

    chooses = True
    edges = "from"

    _: KW_ONLY
    across: Variable | None = takes(FLAG, INDEX, scope=NODES, sign="unsigned", default=None)

    def __str__(self) -> str:
        return super().__str__() + (
            "" if self.across is None else f", across {written(self.across)}"
        )


@op
class LeastFrom(Choosing):
    """out[i] ← the least value[j] over the edges j → i, of nodes j where `unless` is not set;
    `otherwise`, a constant, where there is no such edge"""

    text = "{out}[:] ← least {value} from there unless {unless}, else {otherwise}"
    quantities = ("value", "otherwise")

    out: Variable = takes(*NUMBERS, scope=NODES)
    value: Operand = takes(*NUMBERS, scope=NODES, constant=True, stored=True)
    unless: Variable = takes(FLAG, scope=NODES)
    otherwise: Operand = takes(constant=True, stored=True, default=0)

    def check(self) -> None:
        super().check()
        need(not isinstance(self.otherwise, Variable), "otherwise", "is a variable, not a constant")


@op
class LeastTo(LeastFrom):
    """out[i] ← the least value[j] over the edges i → j, of nodes j where `unless` is not set;
    `otherwise` where there is no such edge"""

    text = "{out}[:] ← least {value} to there unless {unless}, else {otherwise}"
    edges = "to"


@op
class NearestFrom(LeastFrom):
    """out[i] ← the least value[j] + A[j, i] over the edges j → i, of nodes j where `unless` is not
    set; `otherwise`, a constant, where there is no such edge"""

    text = "{out}[:] ← least {value} + A from there unless {unless}, else {otherwise}"
    with_edge = True

    out: Variable = takes(VALUE, COUNT, scope=NODES)


@op
class NearestTo(NearestFrom):
    """out[i] ← the least value[j] + A[i, j] over the edges i → j, of nodes j where `unless` is not
    set; `otherwise` where there is no such edge"""

    text = "{out}[:] ← least {value} + A to there unless {unless}, else {otherwise}"
    edges = "to"


@op
class HeaviestFrom(Choosing):
    """out[i] ← the heaviest A[j, i] over the edges j → i, of nodes j where `unless` is not set; 0
    where there is no such edge"""

    text = "{out}[:] ← heaviest A from there unless {unless}"
    with_edge = True

    out: Variable = takes(VALUE, COUNT, scope=NODES)
    unless: Variable = takes(FLAG, scope=NODES)


@op
class HeaviestTo(HeaviestFrom):
    """out[i] ← the heaviest A[i, j] over the edges i → j, of nodes j where `unless` is not set; 0
    where there is no such edge"""

    text = "{out}[:] ← heaviest A to there unless {unless}"
    edges = "to"
