"""The minimum spanning forest of an undirected graph, as a set of edges."""

from __future__ import annotations

from loopwright.algorithms.boruvka import forest, grow
from loopwright.algorithms.registry import Algorithm
from loopwright.language import Outputs, Statements, statements


@statements(
    name="kruskal",
    needs=("undirected",),
    iterations=lambda n: n + 1,
)
def parallel(p: Statements) -> Outputs:
    """O(log n) iterations. Each edge of the forest is held by a node: `tail` and `head` are its
    ends, and None at nodes that hold no edge."""
    edges = forest(p)
    p.halt_when(grow(p, edges))
    return {"tail": edges.tail, "head": edges.head}


kruskal = Algorithm("kruskal", "minimum spanning forest, as edges", {"parallel": parallel})
