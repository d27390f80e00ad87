"""Prim's minimum spanning tree of what a source reaches, in an undirected graph."""

from __future__ import annotations

from loopwright.algorithms.boruvka import forest, grow
from loopwright.algorithms.registry import Algorithm
from loopwright.language import OWN, UNREACHED, Outputs, Statements, statements


@statements(name="prim", source="required", needs=("undirected",), iterations=lambda n: n + 1)
def compact(p: Statements) -> Outputs:
    """One iteration for each node that the source reaches, and one more.

    A node's key is its lightest edge to the tree. Nodes join by key, lowest index first; an edge
    replaces another only if it is strictly lighter. The key of a node that has joined is 0, which
    no edge undercuts. What the source cannot reach stays its own `prev`.
    """
    key = p.nodes.value(start=UNREACHED, at_source=0)
    prev = p.nodes.index(start=OWN)
    closed = p.nodes.flag(start=1, at_source=0)  # in the tree, or not beside it yet

    node = p.first(p.is_least(key, unless=closed))
    chosen = p.index == node
    closed |= chosen
    key[chosen] = 0

    edge = p.edge_from(chosen)
    lighter = (edge > 0) & (edge < key)
    key[lighter] = edge
    prev[lighter] = node
    closed[lighter] = 0

    p.halt_unless(p.any(chosen))
    return {"prev": prev}


@statements(
    name="prim",
    source="required",
    needs=("undirected",),
    iterations=lambda n: 2 * n + 2,
)
def parallel(p: Statements) -> Outputs:
    """Borůvka's forest, in O(log n) iterations, and then one for each level of the source's tree.

    When the forest is complete, every node that holds an edge looks whether one of its ends is in
    the tree, and tells the other end.
    """
    edges = forest(p)
    prev = p.nodes.index(start=OWN)
    joined = p.nodes.flag(at_source=1)
    rooting = p.nodes.flag()

    by_tail, by_head = joined[edges.tail], joined[edges.head]
    parent = p.where(by_tail, edges.tail, edges.head)
    child = p.where(by_tail, edges.head, edges.tail)
    waits = ~rooting | (by_tail & by_head) | (~by_tail & ~by_head)
    told = p.least_where(parent, child, p.index, unless=waits)
    new = told > 0
    prev[new] = told
    joined |= new

    p.halt_when(p.all(rooting & ~new))
    rooting |= grow(p, edges)
    return {"prev": prev}


prim = Algorithm(
    "prim",
    "minimum spanning tree from a source",
    {"compact": compact, "parallel": parallel},
    differences=(
        "Where edges weigh the same there may be several minimum spanning trees, and `parallel` "
        "may find another one than `compact`."
    ),
)
