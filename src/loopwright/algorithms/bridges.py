"""Bridges: edges on no cycle, whose removal would part what they join."""

from __future__ import annotations

from loopwright.algorithms.registry import Algorithm
from loopwright.algorithms.walk import Reach, Walk
from loopwright.language import OWN, Outputs, Statements, statements


@statements(
    name="bridges",
    edges="ones",
    iterations=lambda n: 2 * n,
    counts=lambda n: 2 * n + 1,
    choices="one",
)
def compact(p: Statements) -> Outputs:
    """At most 2n iterations; edges count in both directions.

    A new node tells how high up the path it has an edge: all nodes below that ancestor are on a
    cycle with their parents. One that is finished, and never was told so, hangs on a bridge: the
    edge from its `prev`.
    """
    walk = Walk(p, both_ways=True)
    reach = Reach(p, walk)
    prev = p.nodes.index(start=OWN)
    bridge = p.nodes.flag()
    safe = p.nodes.flag()  # on a cycle with its parent, or without a parent

    safe |= reach.below()
    walk.move()
    bridge |= walk.finish & ~safe
    safe |= walk.first & ~walk.down
    prev[walk.first & walk.down] = walk.last_node
    reach.note()
    walk.leave()
    return {"bridge": bridge, "prev": prev}


bridges = Algorithm("bridges", "edges on no cycle, in an undirected graph", {"compact": compact})
