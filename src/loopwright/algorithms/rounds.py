"""Shortest paths in rounds: every node looks at all edges that lead to it, at once."""

from __future__ import annotations

from loopwright.language import OWN, UNREACHED, Outputs, Statements


def by_dijkstra(p: Statements) -> Outputs:
    """A round for each hop of the longest shortest path, and one more that changes nothing.

    A node is told the least length of a path that ends with one of its edges, and by which node it
    comes. Of several as short, that is the one nearest to the source, and then the first: the one
    that Dijkstra's algorithm visits first. All are seen in the last round, when all lengths are
    final.
    """
    far = p.nodes.flag(start=1, at_source=0)
    length = p.nodes.value()
    prev = p.nodes.index(start=OWN)

    path = p.nearest_from(length, unless=far, otherwise=0)
    found = path > 0
    closer = found & (far | (path < length))
    prev[found & (far | (path <= length))] = p.via(path, prefer="nearest")
    length[closer] = path
    far[closer] = 0

    p.halt_unless(p.any(closer))
    return {"dists": p.where(far, UNREACHED, length), "prev": prev}


def by_bellman_ford(p: Statements) -> Outputs:
    """The same rounds, in which a path replaces another only if it is strictly shorter; of several
    as short, it comes by the first node."""
    far = p.nodes.flag(start=1, at_source=0)
    length = p.nodes.value()
    prev = p.nodes.index(start=OWN)

    path = p.nearest_from(length, unless=far, otherwise=0)
    closer = (path > 0) & (far | (path < length))
    prev[closer] = p.via(path)
    length[closer] = path
    far[closer] = 0

    p.halt_unless(p.any(closer))
    return {"dists": p.where(far, UNREACHED, length), "prev": prev}
