"""Prim's minimum spanning tree of what a source reaches, in an undirected graph."""

from __future__ import annotations

from loopwright.algorithms.registry import Algorithm
from loopwright.language import OWN, OWN_INDEX, UNREACHED, Program, nodes, ops, single, step


def compact() -> Program:
    """One iteration for each node that the source reaches, and one more.

    A node's key is its lightest edge to the tree. Nodes join by key, lowest index first; an edge
    replaces another only if it is strictly lighter. The key of a node that has joined is 0, which
    no edge undercuts. What the source cannot reach stays its own `prev`.
    """
    key = nodes.value("key", start=UNREACHED, at_source=0)
    prev = nodes.index("prev", start=OWN)
    closed = nodes.flag("closed", start=1, at_source=0)  # in the tree, or not beside it yet
    nearest = nodes.flag("nearest")
    node = nodes.index("node")
    chosen = nodes.flag("chosen")
    idle = nodes.flag("idle")
    row = nodes.value("A_row")
    lighter = nodes.flag("lighter")
    term = single.flag("term")

    return Program(
        name="prim",
        source="required",
        needs=("undirected",),
        bound=(1, 1),
        steps=(
            step("find the nearest nodes", ops.MarkLeast(nearest, key, unless=closed)),
            step(
                "let the first of them join",
                ops.ReadFirst(node, nearest, OWN_INDEX),
                ops.Equal(chosen, OWN_INDEX, node),
                ops.Set(idle, ~chosen),
                ops.Set(closed, closed | chosen),
                ops.Where(key, chosen, 0, key),
            ),
            step(
                "compare its edges",
                ops.RowOf(row, chosen),
                ops.AllOne(term, idle),
                ops.Between(lighter, 0, row, key),
                ops.Where(key, lighter, row, key),
                ops.Where(prev, lighter, node, prev),
                ops.Set(closed, closed & ~lighter),
            ),
        ),
        outputs={"prev": prev},
        halt=term,
    )


prim = Algorithm("prim", "minimum spanning tree from a source", {"compact": compact})
