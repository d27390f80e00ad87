"""Bellman and Ford's shortest paths, in rounds."""

from __future__ import annotations

from loopwright.algorithms.registry import Algorithm
from loopwright.language import OWN, OWN_INDEX, UNREACHED, Program, nodes, ops, single, step


def compact() -> Program:
    """At most n(n + 1)/2 + 1 iterations.

    In a round, nodes in index order relax their edges, from their distances at its beginning. Only
    nodes that the round before changed can change any: after round k the k + 1 nodes first to have
    a shortest path have it, so round k changes n − k at most. An iteration relaxes one node; when
    none is left it begins the next round, and if there is none to relax then, it is over.

    A path replaces another only if it is strictly shorter, as in the benchmark.
    """
    dists = nodes.value("dists", start=UNREACHED, at_source=0)
    before = nodes.value("dists_before", start=UNREACHED, at_source=0)
    prev = nodes.index("prev", start=OWN)
    todo = nodes.flag("todo", start=0, at_source=1)
    changed = nodes.flag("changed", start=0)
    idle = nodes.flag("idle")
    node = nodes.index("node")
    dist = nodes.value("dist")
    chosen = nodes.flag("chosen")
    over = nodes.flag("round_is_over")
    row = nodes.value("A_row")
    gap = nodes.value("gap", signed=True)
    closer = nodes.flag("closer")
    candidates = nodes.value("candidates")
    term = single.flag("term")

    return Program(
        name="bellman-ford",
        source="required",
        bound=(1, 0, 1),
        values="paths",
        steps=(
            step(
                "choose a node, or begin a round",
                ops.ReadFirst(node, todo, OWN_INDEX),
                ops.ReadFirst(dist, todo, before),
                ops.Equal(chosen, OWN_INDEX, node),
                ops.MarkZeros(over, node),
                ops.Where(before, over, dists, before),
                ops.Set(todo, todo | (over & changed)),
                ops.Set(changed, changed & ~over),
                ops.Set(idle, ~todo),
            ),
            step(
                "relax its edges",
                ops.RowOf(row, chosen),
                ops.AllOne(term, idle),
                ops.Subtract(gap, dists, dist),
                ops.Between(closer, 0, row, gap),
                ops.Add(candidates, row, dist),
                ops.Where(dists, closer, candidates, dists),
                ops.Where(prev, closer, node, prev),
                ops.Set(changed, changed | closer),
                ops.Set(todo, todo & ~chosen),
            ),
        ),
        outputs={"dists": dists, "prev": prev},
        halt=term,
    )


bellman_ford = Algorithm(
    "bellman-ford", "shortest paths from a source, in rounds", {"compact": compact}
)
