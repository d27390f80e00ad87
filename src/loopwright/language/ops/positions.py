"""A position, which one row holds, points at a node: what is read there, or written."""

from __future__ import annotations

from loopwright.language.op import NUMBERS, op, takes, written
from loopwright.language.ops.attending import Attending
from loopwright.language.ops.kinds import FLAG, NODES, POSITION, SINGLE, VALUE
from loopwright.language.variables import Variable


@op
class ReadRow(Attending):
    """out[i] ← A[position, i], for every node i; 0 where position is nowhere"""

    text = "{out}[:] ← A[{position}, :]"
    edges = "from"

    out: Variable = takes(VALUE, FLAG, scope=NODES)
    position: Variable = takes(POSITION, scope=SINGLE)


@op
class ReadColumn(ReadRow):
    """out[i] ← A[i, position], for every node i; 0 where position is nowhere"""

    text = "{out}[:] ← A[:, {position}]"
    edges = "to"


@op
class ReadX(Attending):
    """out ← column[position]; 0 where position is nowhere"""

    text = "{out} ← {column}[{position}]"
    quantities = ("column",)

    out: Variable = takes(scope=SINGLE)
    position: Variable = takes(POSITION, scope=SINGLE)
    column: Variable = takes(scope=NODES, stored=True)


@op
class WriteRow(Attending):
    """out[position] ← true if content; also true wherever `also` is. Other flags stay."""

    text = "{out}[{position}] ← {out} ∨ {content}"
    updates = True
    rounds = True
    late = ("also",)

    out: Variable = takes(FLAG, scope=NODES)
    position: Variable = takes(POSITION, scope=SINGLE)
    content: Variable = takes(FLAG, scope=SINGLE)
    also: Variable | None = takes(FLAG, scope=NODES, default=None)

    def __str__(self) -> str:
        return super().__str__() + ("" if self.also is None else f" ∨ {written(self.also)}")


@op
class OneHot(Attending):
    """out ← content at position, false at every other node"""

    text = "{out} ← one-hot({position}) ∧ {content}"
    rounds = True

    out: Variable = takes(FLAG, scope=NODES)
    position: Variable = takes(POSITION, scope=SINGLE)
    content: Variable = takes(FLAG, scope=SINGLE)


@op
class SubtractAt(Attending):
    """out[position] ← out[position] − content; nothing where position is nowhere"""

    text = "{out}[{position}] ← {out}[{position}] − {content}"
    updates = True
    quantities = ("content",)
    adds = True

    out: Variable = takes(*NUMBERS, scope=NODES, sign="signed")
    position: Variable = takes(POSITION, scope=SINGLE)
    content: Variable = takes(*NUMBERS, scope=SINGLE, stored=True)


@op
class RoundPosition(Attending):
    """out ← the position of the node that `found` marks; nowhere if it marks none

    Marking two is an error of the program.
    """

    text = "{out} ← position of {found}"

    out: Variable = takes(POSITION, scope=SINGLE)
    found: Variable = takes(FLAG, scope=NODES)
