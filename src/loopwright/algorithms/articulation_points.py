"""Articulation points: nodes whose removal would part their neighbours."""

from __future__ import annotations

from loopwright.algorithms.registry import Algorithm
from loopwright.algorithms.walk import Reach, Walk
from loopwright.language import Program, nodes, ops, step


def compact() -> Program:
    """At most 2n iterations; edges count in both directions.

    A new node tells how high up the path it has an edge: what lies below a node escapes it by an
    edge to above it. A node to which the walk returns from a child, and nothing has escaped since
    it went there, is a cut: no other way leads from that child. A root has nothing above it, so its
    first child counts as escaped; if there is a second, the root is a cut.
    """
    walk = Walk(both_ways=True)
    reach = Reach(walk)
    cut = nodes.flag("cut", start=0)
    escaped = nodes.flag("escaped", start=0)
    spare = nodes.flag("spare", start=0)  # a root that has gone to no child yet
    leaves = nodes.flag("leaves")

    return Program(
        name="articulation-points",
        edges="ones",
        bound=(0, 2),
        counts=(1, 2),
        steps=(
            step(
                "move on, or back",
                reach.tell(),
                *walk.move(),
                reach.hear(),
                ops.Set(escaped, escaped | reach.below),
            ),
            step(
                "look around, judge the return",
                *walk.look(),
                ops.Set(cut, cut | (walk.chosen & walk.visit & ~escaped)),
                ops.Set(leaves, walk.last & walk.down),
                ops.Where(escaped, leaves, spare, escaped),
                ops.Set(spare, (spare & ~leaves) | (walk.first & ~walk.down)),
                *reach.note(),
                *walk.leave(),
            ),
        ),
        outputs={"cut": cut},
        halt=walk.term,
    )


articulation_points = Algorithm(
    "articulation-points", "nodes whose removal disconnects", {"compact": compact}
)
