"""Topological order by depth-first search: the last node to be finished comes first."""

from __future__ import annotations

from loopwright.algorithms.registry import Algorithm
from loopwright.algorithms.walk import Walk
from loopwright.language import OWN, OWN_INDEX, Program, nodes, ops, step


def compact() -> Program:
    """At most 2n iterations.

    A node that is finished precedes the node finished before it: that is its `next`, and it becomes
    the head. The first to be finished is the end of the order, and its own next. Roots and
    neighbours are taken in index order, as the benchmark has it.

    A graph with a cycle has no such order, and is refused. A run that is not checked has None for
    `next` wherever the search closes a cycle: at a node that some node found from it, or it itself,
    has an edge to.
    """
    walk = Walk()
    following = nodes.index("next", start=OWN)
    head = nodes.index("head_node", start=OWN)
    is_head = nodes.flag("head", start=0)
    closes = nodes.flag("closes_cycle", start=0)
    link = nodes.index("link")

    return Program(
        name="topological-sort",
        edges="ones",
        needs=("acyclic",),
        bound=(0, 2),
        counts=(1, 2),
        steps=(
            step("move on, or back", *walk.move()),
            step(
                "look around, order the finished",
                *walk.look(),
                ops.Where(link, closes, 0, head),
                ops.Where(following, walk.finish, link, following),
                ops.Where(head, walk.down, head, walk.last_node),
                ops.Equal(is_head, OWN_INDEX, head),
                ops.Set(
                    closes,
                    closes
                    | (walk.row & walk.down & walk.visit & ~walk.finished)
                    | (walk.row & walk.chosen),
                ),
                *walk.leave(),
            ),
        ),
        outputs={"next": following, "head": is_head},
        halt=walk.term,
    )


topological_sort = Algorithm(
    "topological-sort", "topological order of an acyclic graph", {"compact": compact}
)
