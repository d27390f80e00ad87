"""Nodes found by what they hold: the least number, the first flag, or a key that is asked for."""

from __future__ import annotations

from loopwright.language.op import NUMBERS, need, op, takes
from loopwright.language.ops.attending import Attending
from loopwright.language.ops.kinds import FLAG, INDEX, NODES, SQUARE
from loopwright.language.variables import NOBODY, OWN_INDEX, OWN_SQUARE, Variable


@op
class MarkLeast(Attending):
    """out ← the nodes whose value is least among those where `unless` is not set; ties all count"""

    text = "{out} ← {value} is least unless {unless}"
    picks = ("value", "unless")
    late = ("value", "unless")

    out: Variable = takes(FLAG, scope=NODES)
    value: Variable = takes(*NUMBERS, scope=NODES)
    unless: Variable = takes(FLAG, scope=NODES)

    def check(self) -> None:
        super().check()
        need(self.out not in (self.value, self.unless), self.out, "is read to the end, as well")


@op
class ReadLeast(Attending):
    """out[i] ← the least value among the nodes where `unless` is not set; 0 if it is set at all"""

    text = "{out}[:] ← least {value} unless {unless}"
    quantities = ("value",)
    picks = ("value", "unless")

    out: Variable = takes(scope=NODES)
    value: Variable = takes(*NUMBERS, scope=NODES, stored=True)
    unless: Variable = takes(FLAG, scope=NODES)


@op
class ReadFirst(Attending):
    """out[i] ← column at the first node where `found` is set, for every node i; 0 if none is"""

    text = "{out}[:] ← {column}[first {found}]"
    quantities = ("column",)

    out: Variable = takes(scope=NODES)
    found: Variable = takes(FLAG, scope=NODES)
    column: Variable = takes(FLAG, *NUMBERS, scope=NODES, stored=True)
    own_index: Variable = takes(INDEX, scope=NODES, default=OWN_INDEX)


@op
class Gather(Attending):
    """out[i] ← column[pointer[i]], for every node i; 0 where the pointer is 0, which is no node

    A pointer beyond the last row finds the last row.
    """

    text = "{out}[:] ← {column}[{pointer}[:]]"
    quantities = ("column",)
    reads_also = (OWN_INDEX, OWN_SQUARE)

    out: Variable = takes(scope=NODES)
    pointer: Variable = takes(INDEX, scope=NODES)
    column: Variable = takes(FLAG, *NUMBERS, SQUARE, scope=NODES, stored=True)


@op
class LeastWhereEqual(Attending):
    """out[i] ← the least value among the nodes j with key[j] = query[i] where `unless` is not set;
    0 if there is none

    `square` must be the square of `key` at every node, and `asked` that of `query`; all else is an
    error of the program: Gather(square, key, OWN_SQUARE) brings it, in a step before. Keys that are
    0 are keys as well.
    """

    text = "{out}[:] ← least {value} where {key} = {query}[:] unless {unless}"
    quantities = ("value",)
    matches = "value"

    out: Variable = takes(*NUMBERS, scope=NODES)
    value: Variable = takes(*NUMBERS, scope=NODES, stored=True)
    key: Variable = takes(INDEX, scope=NODES)
    square: Variable = takes(SQUARE, scope=NODES)
    query: Variable = takes(INDEX, scope=NODES)
    asked: Variable = takes(SQUARE, scope=NODES)
    unless: Variable = takes(FLAG, scope=NODES, default=NOBODY)
