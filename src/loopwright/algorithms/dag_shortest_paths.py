"""Shortest paths in an acyclic graph, in topological order."""

from __future__ import annotations

from loopwright.algorithms.registry import Algorithm
from loopwright.language.ops import (
    Add,
    AllOne,
    Between,
    Equal,
    MarkZeros,
    ReadFirst,
    RowOf,
    Set,
    Subtract,
    SumFrom,
    Where,
)
from loopwright.language.program import Program, step
from loopwright.language.variables import OWN_INDEX, UNREACHED, nodes, single
from loopwright.model.layout import OWN


def compact() -> Program:
    """2 layers, 3 heads, n + 1 iterations.

    A node is ready when no unvisited node has an edge to it. The first that is ready is visited:
    its distance is final, and it relaxes its edges. A path replaces another only if it is strictly
    shorter; an unreached node improves nothing.

    A graph with a cycle has no such order. What is on a cycle or behind one is never visited, so
    nothing is said about it: its distance and its `prev` are None.
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
        bound=(1, 1),
        steps=(
            step(
                "relax its edges, find what is ready",
                RowOf(row, chosen),
                SumFrom(blocked, unvisited),
                AllOne(term, done),
                Subtract(gap, so_far, dist),
                Between(closer, 0, row, gap),
                Add(candidates, row, dist),
                Where(so_far, closer, candidates, so_far),
                Where(via, closer, node, via),
                MarkZeros(is_free, blocked),
                Set(ready, is_free & unvisited),
            ),
            step(
                "visit the first that is ready",
                ReadFirst(node, ready, OWN_INDEX),
                ReadFirst(dist, ready, so_far),
                Equal(chosen, OWN_INDEX, node),
                MarkZeros(stuck, node),
                Where(dists, chosen, so_far, dists),
                Where(prev, chosen, via, prev),
                Set(done, ~(unvisited & ~chosen & ~stuck)),
                Set(unvisited, unvisited & ~chosen),
            ),
        ),
        outputs={"dists": dists, "prev": prev},
        halt=term,
    )


dag_shortest_paths = Algorithm(
    "dag-shortest-paths", "shortest paths from a source, without cycles", {"compact": compact}
)
