"""The minimum spanning forest of an undirected graph, as a set of edges."""

from __future__ import annotations

from loopwright.algorithms.boruvka import hook
from loopwright.algorithms.registry import Algorithm
from loopwright.language import OWN, Outputs, Statements, statements


@statements(name="kruskal", needs=("undirected",), iterations=lambda n: n + 1)
def parallel(p: Statements) -> Outputs:
    """O(log n) iterations. Each edge of the forest is held by a node, and no node holds two: `tail`
    and `head` are its ends, and None at nodes that hold no edge."""
    tail, head = p.nodes.index(), p.nodes.index()
    pointer = p.nodes.index(start=OWN)
    hooks = hook(p, pointer)
    tail[hooks.roots] = hooks.low
    head[hooks.roots] = hooks.high
    pointer[:] = hooks.pointer
    p.halt_when(hooks.complete)
    return {"tail": tail, "head": head}


kruskal = Algorithm("kruskal", "minimum spanning forest, as edges", {"parallel": parallel})
