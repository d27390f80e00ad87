"""Prim's minimum spanning tree of what a source reaches, in an undirected graph."""

from __future__ import annotations

from loopwright.algorithms.boruvka import hook
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
    iterations=lambda n: 4 * n + 8,
)
def parallel(p: Statements) -> Outputs:
    """Borůvka's forest, with parents: O(log² n) iterations.

    Every star is also a tree of parents with the same root. Before a star joins another by an edge,
    its inner end must become the root of that tree: the parents on the way from there to the old
    root turn round. These are found by jumps of 1, 2, 4 … parents, from the inner end and from all
    that are found. The source becomes the root of its tree in the same way, at the end.
    """
    pointer, parent = p.nodes.index(start=OWN), p.nodes.index(start=OWN)
    inner, outer = p.nodes.index(), p.nodes.index()  # of the edge by which a root has just hooked
    hooked, waits = p.nodes.flag(), p.nodes.flag()  # just now; until parents have turned
    on_way, jump, root = p.nodes.flag(), p.nodes.index(), p.nodes.index()
    leads = p.nodes.index()  # from an inner end: the outer one
    is_source, rooting = p.nodes.flag(at_source=1), p.nodes.flag()

    # Turn: when the way has come to the old root, its nodes go the other way.
    has_come, has_left = on_way[root], hooked[root]
    child = p.least_where(p.index, parent, p.index, unless=~on_way | (parent == p.index))
    turned = p.where(child == 0, leads, child)
    found = ~(p.least_where(p.index, jump, p.index, unless=~on_way) == 0)
    further = jump[jump]
    found_then = ~(p.least_where(p.index, further, p.index, unless=~(on_way | found)) == 0)
    told = p.least_where(outer, inner, p.index, unless=~hooked)
    begins = ~(told == 0)
    p.halt_when(p.all(rooting & ~on_way))
    parent[on_way & has_come] = turned
    waits &= ~has_come
    on_way[:] = (on_way | found | found_then | begins) & ~has_come
    leads[begins] = told

    # Grow.
    hooks = hook(p, pointer, waits=waits)
    is_low_inside = pointer[hooks.low] == pointer
    inner[:] = p.where(is_low_inside, hooks.low, hooks.high)
    outer[:] = p.where(is_low_inside, hooks.high, hooks.low)
    hooked[:] = hooks.roots
    leaves = hooks.roots[pointer]
    complete = hooks.complete & p.all(~waits)
    starts = complete & ~rooting
    new = leaves | starts
    root[new] = pointer
    jump[:] = p.where(new | has_left, parent, further[further])
    waits |= hooks.roots
    on_way |= starts & is_source
    leads[starts] = p.index
    rooting |= complete
    pointer[:] = hooks.pointer
    reached = pointer == p.first(is_source, pointer)
    prev = p.nodes.index(start=OWN)
    prev[:] = p.where(reached, parent, p.index)
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
