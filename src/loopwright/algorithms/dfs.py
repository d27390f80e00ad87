"""Depth-first search. [P Thm. 3, Alg. 5]"""

from __future__ import annotations

from loopwright.algorithms.minimum import Minimum
from loopwright.algorithms.registry import Algorithm
from loopwright.language.ops import (
    AllOne,
    Equal,
    MarkLeast,
    ReadFirst,
    ReadRow,
    Repeat,
    RowOf,
    Set,
    Subtract,
    Where,
    WriteRow,
)
from loopwright.language.program import Program, step
from loopwright.language.variables import MASK, NOWHERE, OWN_INDEX, UNREACHED, nodes, single
from loopwright.model.layout import OWN


def paper() -> Program:
    """15 layers, 3 heads, n² iterations.

    Each node visited gives its unvisited neighbours a priority before all earlier ones: a stack.
    Nodes that nothing has reached come last, in index order, and become new roots.
    """
    orders = nodes.count("orders", start=UNREACHED, at_source=0, signed=True)
    prev = nodes.index("prev", start=OWN)
    visit = nodes.flag("visit", start=0)
    masked = nodes.count("orders_masked", signed=True)
    row = nodes.flag("A_row")
    changes = nodes.flag("changes")

    node = single.position("node", start=NOWHERE)
    node_int = single.index("node_int", start=0)
    order = single.count("order", start=0, signed=True)
    term = single.flag("term")

    order_n = nodes.count("order_n", signed=True)
    node_n = nodes.index("node_int_n")

    least = Minimum(of=masked)

    return Program(
        name="dfs",
        edges="ones",
        source="optional",
        bound=(0, 0, 1),
        counts=(0, 1),
        steps=(
            step("mask visited nodes", Where(masked, visit, MASK, orders), paper=1),
            *least.steps(first=2),
            step(
                "get minimum value",
                Where(node, least.done, least.position, node),
                Where(node_int, least.done, least.index, node_int),
                paper=9,
            ),
            step("get row of A", ReadRow(row, node), paper=10),
            step(
                "update priority factor",
                Repeat(order_n, order),
                Repeat(node_n, node_int),
                Repeat(least.done_n, least.done),
                Subtract(order, order, least.done),
                Subtract(order_n, order_n, least.done_n),
                paper=11,
            ),
            step("visit node", WriteRow(visit, node, least.done), paper=12),
            step("identify updates", Set(changes, row & least.done_n & ~visit), paper=13),
            step(
                "update variables",
                Where(prev, changes, node_n, prev),
                Where(orders, changes, order_n, orders),
                paper=14,
            ),
            step("trigger termination", AllOne(term, visit), paper=15),
        ),
        outputs={"prev": prev},
        halt=term,
    )


def compact() -> Program:
    """3 layers, 3 heads, n iterations."""
    orders = nodes.count("orders", start=UNREACHED, at_source=0, signed=True)
    prev = nodes.index("prev", start=OWN)
    visit = nodes.flag("visit", start=0)
    order = nodes.count("order", start=0, signed=True)
    next_nodes = nodes.flag("next")
    node = nodes.index("node")
    chosen = nodes.flag("chosen")
    row = nodes.flag("A_row")
    changes = nodes.flag("changes")
    term = single.flag("term")

    return Program(
        name="dfs",
        edges="ones",
        source="optional",
        bound=(0, 1),
        steps=(
            step("find the top of the stack", MarkLeast(next_nodes, orders, unless=visit)),
            step(
                "visit the first of it",
                ReadFirst(node, next_nodes, OWN_INDEX),
                Equal(chosen, OWN_INDEX, node),
                Set(visit, visit | chosen),
                Subtract(order, order, 1),
            ),
            step(
                "push its neighbours",
                RowOf(row, chosen),
                AllOne(term, visit),
                Set(changes, row & ~visit),
                Where(prev, changes, node, prev),
                Where(orders, changes, order, orders),
            ),
        ),
        outputs={"prev": prev},
        halt=term,
    )


dfs = Algorithm(
    "dfs", "depth-first search of the whole graph", {"paper": paper, "compact": compact}
)
