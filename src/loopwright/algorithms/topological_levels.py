"""Topological order by levels: a node's level is the number of edges of the longest path to it."""

from __future__ import annotations

from loopwright.algorithms.registry import Algorithm
from loopwright.language import UNREACHED, Outputs, Statements, statements


@statements(
    name="topological-levels",
    edges="ones",
    needs=("acyclic",),
    iterations=lambda n: n + 1,
    counts=lambda n: n + 1,
    construction="parallel",
)
def parallel(p: Statements) -> Outputs:
    """One iteration more than the longest path has edges.

    Every node is one level below the lowest that has an edge to it. Edge heads find the least, so
    levels are counted downwards, from 0. After r iterations a node is at −r if some way of r edges
    leads to it; else where it stays.

    A graph with a cycle has ways of any length, and is refused. A run that is not checked ends when
    all that still sink are below 1 − n, where no way without a cycle leads, and has None for those.
    How far down that is, the numbers of nodes tell from the second iteration on.
    """
    height = p.nodes.count(start=0, signed=True)
    level = p.nodes.count(start=0, signed=True)
    deepest = p.nodes.count(start=-1, signed=True)

    bottom = p.least(deepest)
    lower = p.least_from(height, otherwise=1) - 1
    on_a_path = bottom <= lower
    sinks = on_a_path & (lower < height)
    height[:] = lower
    level[:] = p.where(on_a_path, 0 - lower, UNREACHED)
    deepest[:] = 1 - p.index

    p.halt_unless(p.any(sinks))
    return {"level": level}


topological_levels = Algorithm(
    "topological-levels", "levels of an acyclic graph", {"parallel": parallel}
)
