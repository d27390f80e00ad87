"""Articulation points: nodes whose removal would part their neighbours."""

from __future__ import annotations

from loopwright.algorithms.registry import Algorithm
from loopwright.algorithms.walk import Reach, Walk
from loopwright.language import Outputs, Statements, statements


@statements(
    name="articulation-points",
    edges="ones",
    iterations=lambda n: 2 * n,
    counts=lambda n: 2 * n + 1,
    choices="one",
)
def compact(p: Statements) -> Outputs:
    """At most 2n iterations; edges count in both directions.

    A new node tells how high up the path it has an edge: what lies below a node escapes it by an
    edge to above it. A node to which the walk returns from a child, and nothing has escaped since
    it went there, is a cut: no other way leads from that child. A root has nothing above it, so its
    first child counts as escaped; if there is a second, the root is a cut.
    """
    walk = Walk(p, both_ways=True)
    reach = Reach(p, walk)
    cut = p.nodes.flag()
    escaped = p.nodes.flag()
    spare = p.nodes.flag()  # a root that has gone to no child yet

    escaped |= reach.below()
    walk.move()
    cut |= walk.chosen & walk.visit & ~escaped
    leaves = walk.last & walk.down
    escaped[leaves] = spare
    spare[:] = (spare & ~leaves) | (walk.first & ~walk.down)
    reach.note()
    walk.leave()
    return {"cut": cut}


articulation_points = Algorithm(
    "articulation-points", "nodes whose removal disconnects", {"compact": compact}
)
