"""Widest paths: what is the most that one path can carry from a source to each node?

A path is as wide as its narrowest edge. This is Dijkstra's algorithm with "widest" for "nearest":
the widest open node is done, since every other way to it leads over one that is no wider; and its
edges may make its neighbours wider.

    loopwright run examples/algorithms/widest_paths.py examples/roads.txt --source Ulm --undirected

No edge limits the source, whose width is None; that of a node which is not reached is 0.
"""

import loopwright as lw


@lw.algorithm(source="required", iterations=lambda n: n, values="paths")
def widest_paths(p):
    """The width of the widest path from a source, and the node before the last on it."""
    width = p.nodes.value(start=0, at_source=lw.UNREACHED)
    prev = p.nodes.index(start=lw.OWN)
    done = p.nodes.flag()

    widest = p.is_least(-width, unless=done)
    node, so_far = p.first(widest), p.first(widest, width)
    chosen = p.index == node
    done |= chosen

    path = p.min(so_far, p.edge_from(chosen))
    wider = path > width
    width[wider] = path
    prev[wider] = node

    p.halt_when(p.all(done))
    return {"width": width, "prev": prev}
