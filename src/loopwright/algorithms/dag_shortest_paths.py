"""Shortest paths in an acyclic graph, in topological order."""

from __future__ import annotations

from loopwright.algorithms.registry import Algorithm
from loopwright.algorithms.rounds import by_dijkstra
from loopwright.language import OWN, UNREACHED, Outputs, Statements, statements


@statements(
    name="dag-shortest-paths",
    source="required",
    needs=("acyclic",),
    iterations=lambda n: n + 1,
    values="paths",
)
def compact(p: Statements) -> Outputs:
    """It takes n + 1 iterations.

    A node is ready when no unvisited node has an edge to it. The first that is ready is visited:
    its distance is final, and it relaxes its edges. A path replaces another only if it is strictly
    shorter; an unreached node improves nothing.

    A graph with a cycle has no such order, and is refused. In a run that is not checked, what is on
    a cycle or behind one is never visited, so nothing is said about it: its distance and its `prev`
    are None.
    """
    dists = p.nodes.value(start=UNREACHED)
    prev = p.nodes.index()
    so_far = p.nodes.value(start=UNREACHED, at_source=0)
    via = p.nodes.index(start=OWN)
    unvisited = p.nodes.flag(start=1)
    done = p.nodes.flag()
    chosen = p.nodes.flag()  # the node that was visited last
    node, dist = p.nodes.index(), p.nodes.value()

    p.halt_when(p.all(done))
    edge = p.edge_from(chosen)
    path = dist + edge
    closer = (edge > 0) & (path < so_far)
    so_far[closer] = path
    via[closer] = node

    ready = (p.edges_from(unvisited) == 0) & unvisited
    node[:], dist[:] = p.first(ready), p.first(ready, so_far)
    chosen[:] = p.index == node
    dists[chosen] = so_far
    prev[chosen] = via
    done[:] = ~unvisited | chosen | (node == 0)  # what is left, if nothing is, is on a cycle
    unvisited[chosen] = 0
    return {"dists": dists, "prev": prev}


parallel = statements(
    name="dag-shortest-paths",
    source="required",
    needs=("acyclic",),
    iterations=lambda n: n,
    values="paths",
)(by_dijkstra)

dag_shortest_paths = Algorithm(
    "dag-shortest-paths",
    "shortest paths from a source, without cycles",
    {"compact": compact, "parallel": parallel},
    differences=(
        "Of several shortest paths `compact` keeps the one that the topological order finds first, "
        "`parallel` the one that Dijkstra's algorithm would."
    ),
)
