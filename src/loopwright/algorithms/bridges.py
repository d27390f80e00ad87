"""Bridges: edges on no cycle, whose removal would part what they join."""

from __future__ import annotations

from loopwright.algorithms.registry import Algorithm
from loopwright.algorithms.walk import Reach, Walk
from loopwright.language import OWN, Program, nodes, ops, step


def compact() -> Program:
    """At most 2n iterations; edges count in both directions.

    A new node tells how high up the path it has an edge: all nodes below that ancestor are on a
    cycle with their parents. One that is finished, and never was told so, hangs on a bridge: the
    edge from its `prev`.
    """
    walk = Walk(both_ways=True)
    reach = Reach(walk)
    prev = nodes.index("prev", start=OWN)
    bridge = nodes.flag("bridge", start=0)
    safe = nodes.flag("safe", start=0)  # on a cycle with its parent, or without a parent
    found = nodes.flag("found")

    return Program(
        name="bridges",
        edges="ones",
        bound=(0, 2),
        counts=(1, 2),
        steps=(
            step(
                "move on, or back",
                reach.tell(),
                *walk.move(),
                reach.hear(),
                ops.Set(safe, safe | reach.below),
            ),
            step(
                "look around, judge the finished",
                *walk.look(),
                ops.Set(bridge, bridge | (walk.finish & ~safe)),
                ops.Set(safe, safe | (walk.first & ~walk.down)),
                ops.Set(found, walk.first & walk.down),
                ops.Where(prev, found, walk.last_node, prev),
                *reach.note(),
                *walk.leave(),
            ),
        ),
        outputs={"bridge": bridge, "prev": prev},
        halt=walk.term,
    )


bridges = Algorithm("bridges", "edges on no cycle, in an undirected graph", {"compact": compact})
