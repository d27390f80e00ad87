"""Every node finds the edge by which a number came about, and reads at its other end."""

from __future__ import annotations

from loopwright.language.op import NUMBERS, Operand, op, takes
from loopwright.language.ops.choosing import Choosing
from loopwright.language.ops.kinds import FLAG, NODES
from loopwright.language.variables import OWN_INDEX, Variable


@op
class LeastViaFrom(Choosing):
    """out[i] ← column[j] of the first node j with an edge to i, and `unless` not set, whose
    value[j] is path[i]; 0 where there is none

    A path that is more than such a value is an error of the program: LeastFrom, in a step before
    this one, makes the least.
    """

    text = "{out}[:] ← {column} of the first from there with {value} = {path} unless {unless}"
    quantities = ("column",)
    retraces = "path"
    reads_also = (OWN_INDEX,)

    out: Variable = takes(scope=NODES)
    value: Operand = takes(*NUMBERS, scope=NODES, constant=True)
    path: Variable = takes(*NUMBERS, scope=NODES)
    unless: Variable = takes(FLAG, scope=NODES)
    column: Variable = takes(FLAG, *NUMBERS, scope=NODES, stored=True, default=OWN_INDEX)

    def in_one_unit(self) -> list[list[Operand]]:
        return [*super().in_one_unit(), [self.value, self.path]]


@op
class LeastViaTo(LeastViaFrom):
    """out[i] ← column[j] of the first node j with an edge from i, and `unless` not set, whose
    value[j] is path[i]; 0 where there is none. A path may not be more than such a value."""

    text = "{out}[:] ← {column} of the first to there with {value} = {path} unless {unless}"
    edges = "to"


@op
class NearestViaFrom(LeastViaFrom):
    """out[i] ← column[j] of the first node j with an edge to i, and `unless` not set, for which
    value[j] + A[j, i] is path[i]; 0 where there is none. A path may not be more than such a sum."""

    text = "{out}[:] ← {column} of the first from there with {value} + A = {path} unless {unless}"
    along = True


@op
class NearestViaTo(NearestViaFrom):
    """out[i] ← column[j] of the first node j with an edge from i, and `unless` not set, for which
    value[j] + A[i, j] is path[i]; 0 where there is none. A path may not be more than such a sum."""

    text = "{out}[:] ← {column} of the first to there with {value} + A = {path} unless {unless}"
    edges = "to"


@op
class HeaviestViaFrom(NearestViaFrom):
    """out[i] ← column[j] of the node j with an edge to i, and `unless` not set, for which
    value[j] + A[j, i] is path[i]: of several the one with the heaviest edge, which is that of the
    least value, and of those the first; 0 where there is none. A path may not be more than such a
    sum."""

    text = "{out}[:] ← {column} of the nearest from there with {value} + A = {path} unless {unless}"
    heaviest = True


@op
class HeaviestViaTo(HeaviestViaFrom):
    """out[i] ← column[j] of the node j with an edge from i, and `unless` not set, for which
    value[j] + A[i, j] is path[i]: of several the one with the heaviest edge, and of those the
    first; 0 where there is none. A path may not be more than such a sum."""

    text = "{out}[:] ← {column} of the nearest to there with {value} + A = {path} unless {unless}"
    edges = "to"
