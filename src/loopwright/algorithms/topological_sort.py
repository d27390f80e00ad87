"""Topological order by depth-first search: the last node to be finished comes first."""

from __future__ import annotations

from loopwright.algorithms.registry import Algorithm
from loopwright.algorithms.walk import Walk
from loopwright.language import OWN, Outputs, Statements, statements


@statements(
    name="topological-sort",
    edges="ones",
    needs=("acyclic",),
    iterations=lambda n: 2 * n,
    counts=lambda n: 2 * n + 1,
    choices="one",
)
def compact(p: Statements) -> Outputs:
    """At most 2n iterations.

    A node that is finished precedes the node finished before it: that is its `next`, and it becomes
    the head. The first to be finished is the end of the order, and its own next. Roots and
    neighbours are taken in index order, as the benchmark has it.

    A graph with a cycle has no such order, and is refused. A run that is not checked has None for
    `next` wherever the search closes a cycle: at a node that some node found from it, or it itself,
    has an edge to.
    """
    walk = Walk(p)
    following = p.nodes.index("next", start=OWN)
    head_node = p.nodes.index(start=OWN)
    head = p.nodes.flag()
    closes_cycle = p.nodes.flag()

    walk.move()
    following[walk.finish] = p.where(closes_cycle, 0, head_node)
    head_node[~walk.down] = walk.last_node
    head[:] = p.index == head_node
    to_ancestor = walk.neighbour & walk.down & walk.visit & ~walk.finished
    closes_cycle |= to_ancestor | (walk.neighbour & walk.chosen)
    walk.leave()
    return {"next": following, "head": head}


topological_sort = Algorithm(
    "topological-sort", "topological order of an acyclic graph", {"compact": compact}
)
