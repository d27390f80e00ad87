"""Shortest paths in an acyclic graph, in topological order."""

from __future__ import annotations

from loopwright.algorithms.registry import Algorithm
from loopwright.language import OWN, OWN_INDEX, UNREACHED, Program, nodes, ops, single, step


def compact() -> Program:
    """It takes n + 1 iterations.

    A node is ready when no unvisited node has an edge to it. The first that is ready is visited:
    its distance is final, and it relaxes its edges. A path replaces another only if it is strictly
    shorter; an unreached node improves nothing.

    A graph with a cycle has no such order, and is refused. In a run that is not checked, what is on
    a cycle or behind one is never visited, so nothing is said about it: its distance and its `prev`
    are None.
    """
    dists = nodes.value("dists", start=UNREACHED)
    prev = nodes.index("prev", start=0)
    so_far = nodes.value("dists_so_far", start=UNREACHED, at_source=0)
    via = nodes.index("via", start=OWN)
    unvisited = nodes.flag("unvisited", start=1)
    blocked = nodes.value("blocked")
    is_free = nodes.flag("is_free")
    ready = nodes.flag("ready")
    node = nodes.index("node", start=0)
    dist = nodes.value("dist", start=0)
    chosen = nodes.flag("chosen", start=0)
    stuck = nodes.flag("stuck")
    done = nodes.flag("done", start=0)
    row = nodes.value("A_row")
    gap = nodes.value("gap", signed=True)
    closer = nodes.flag("closer")
    candidates = nodes.value("candidates")
    term = single.flag("term")

    return Program(
        name="dag-shortest-paths",
        source="required",
        needs=("acyclic",),
        bound=(1, 1),
        values="paths",
        steps=(
            step(
                "relax its edges, find what is ready",
                ops.RowOf(row, chosen),
                ops.SumFrom(blocked, unvisited),
                ops.AllOne(term, done),
                ops.Subtract(gap, so_far, dist),
                ops.Between(closer, 0, row, gap),
                ops.Add(candidates, row, dist),
                ops.Where(so_far, closer, candidates, so_far),
                ops.Where(via, closer, node, via),
                ops.MarkZeros(is_free, blocked),
                ops.Set(ready, is_free & unvisited),
            ),
            step(
                "visit the first that is ready",
                ops.ReadFirst(node, ready, OWN_INDEX),
                ops.ReadFirst(dist, ready, so_far),
                ops.Equal(chosen, OWN_INDEX, node),
                ops.MarkZeros(stuck, node),
                ops.Where(dists, chosen, so_far, dists),
                ops.Where(prev, chosen, via, prev),
                ops.Set(done, ~(unvisited & ~chosen & ~stuck)),
                ops.Set(unvisited, unvisited & ~chosen),
            ),
        ),
        outputs={"dists": dists, "prev": prev},
        halt=term,
    )


dag_shortest_paths = Algorithm(
    "dag-shortest-paths", "shortest paths from a source, without cycles", {"compact": compact}
)
