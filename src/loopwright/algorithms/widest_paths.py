"""Widest paths: the most that one path can carry from a source to each node."""

from __future__ import annotations

from loopwright.algorithms.registry import Algorithm
from loopwright.language import UNREACHED, Outputs, Statements, statements


@statements(name="widest-paths", source="required", iterations=lambda n: n, values="paths")
def parallel(p: Statements) -> Outputs:
    """A round for each level of nodes that are reached by edges of one width.

    Nodes look at the heaviest edge that leads to them from what is reached. The heaviest of all of
    these is how wide a path can still be, and never more than before; whoever has an edge as heavy
    is reached now, and its width is that. Nothing limits the source, whose width is None.
    """
    far = p.nodes.flag(start=1, at_source=0)
    reached = p.nodes.flag(at_source=1)
    level = p.nodes.value(start=UNREACHED)
    width = p.nodes.value(at_source=UNREACHED)

    heaviest = p.heaviest_from(unless=far)
    level[:] = p.min(level, abs(p.least(-heaviest, unless=reached)))
    joins = far & (heaviest > 0) & (heaviest >= level)
    width[joins] = level
    far[joins] = 0
    reached |= joins

    p.halt_unless(p.any(joins))
    return {"width": width}


widest_paths = Algorithm("widest-paths", "widest paths from a source", {"parallel": parallel})
