"""One for all: what every node is told, and what is true if it is true at every node."""

from __future__ import annotations

from loopwright.language.op import op, takes
from loopwright.language.ops.attending import Attending
from loopwright.language.ops.kinds import FLAG, NODES, SINGLE
from loopwright.language.variables import Variable


@op
class Repeat(Attending):
    """out[i] ← source, for every node i"""

    text = "{out}[:] ← {source}"
    quantities = ("source",)

    out: Variable = takes(scope=NODES)
    source: Variable = takes(scope=SINGLE, stored=True)


@op
class AllOne(Attending):
    """out ← flags hold at every node"""

    text = "{out} ← all({flags})"
    magnifies = True

    out: Variable = takes(FLAG, scope=SINGLE)
    flags: Variable = takes(FLAG, scope=NODES)


@op
class Everywhere(Attending):
    """out[i] ← flags hold at every node, for every node i"""

    text = "{out}[:] ← all({flags})"
    magnifies = True

    out: Variable = takes(FLAG, scope=NODES)
    flags: Variable = takes(FLAG, scope=NODES)
