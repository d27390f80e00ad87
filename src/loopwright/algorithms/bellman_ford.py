"""Bellman and Ford's shortest paths, in rounds."""

from __future__ import annotations

from loopwright.algorithms.registry import Algorithm
from loopwright.algorithms.rounds import by_bellman_ford
from loopwright.language import OWN, UNREACHED, Outputs, Statements, statements


@statements(name="bellman-ford", source="required", iterations=lambda n: n * n + 1, values="paths")
def compact(p: Statements) -> Outputs:
    """At most n(n + 1)/2 + 1 iterations.

    In a round, nodes in index order relax their edges, from their distances at its beginning. Only
    nodes that the round before changed can change any: after round k the k + 1 nodes first to have
    a shortest path have it, so round k changes n − k at most. An iteration relaxes one node; when
    none is left it begins the next round, and if there is none to relax then, it is over.

    A path replaces another only if it is strictly shorter, as in the benchmark.
    """
    dists = p.nodes.value(start=UNREACHED, at_source=0)
    before = p.nodes.value(start=UNREACHED, at_source=0)  # when the round began
    prev = p.nodes.index(start=OWN)
    todo = p.nodes.flag(at_source=1)
    changed = p.nodes.flag()

    node, dist = p.first(todo), p.first(todo, before)
    chosen = p.index == node
    over = node == 0
    before[over] = dists
    todo |= over & changed
    changed[over] = 0
    p.halt_unless(p.any(todo))

    edge = p.edge_from(chosen)
    path = dist + edge
    closer = (edge > 0) & (path < dists)
    dists[closer] = path
    prev[closer] = node
    changed |= closer
    todo[chosen] = 0
    return {"dists": dists, "prev": prev}


parallel = statements(
    name="bellman-ford", source="required", iterations=lambda n: n, values="paths"
)(by_bellman_ford)

bellman_ford = Algorithm(
    "bellman-ford",
    "shortest paths from a source, in rounds",
    {"compact": compact, "parallel": parallel},
)
