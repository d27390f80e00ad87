"""Breadth-first search. [P Thm. 2, Alg. 4]"""

from __future__ import annotations

from loopwright.algorithms.minimum import Minimum
from loopwright.algorithms.registry import Algorithm
from loopwright.language.ops import (
    Add,
    AllOne,
    Equal,
    MarkLeast,
    ReadFirst,
    ReadRow,
    Repeat,
    RowOf,
    Set,
    Where,
    WriteRow,
)
from loopwright.language.program import Program, step
from loopwright.language.variables import MASK, NOWHERE, OWN_INDEX, UNREACHED, nodes, single
from loopwright.model.layout import OWN


def paper() -> Program:
    """17 layers, 3 heads, at most n² iterations.

    A child's priority is its parent's plus 1, so a level leaves the queue in index order, as the
    benchmark has it. [P App. B.3] What the source cannot reach is not touched.
    """
    orders = nodes.count("orders", start=UNREACHED, at_source=0)
    prev = nodes.index("prev", start=OWN)
    visit = nodes.flag("visit", start=0)
    disc = nodes.flag("disc", start=0)
    masked = nodes.count("orders_masked")
    row = nodes.flag("A_row")
    changes = nodes.flag("changes")
    equal = nodes.flag("equal")

    node = single.position("node", start=NOWHERE)
    node_int = single.index("node_int", start=0)
    order = single.count("order", start=0)
    interrupt = single.flag("interrupt")
    term = single.flag("term")

    order_n = nodes.count("order_n")
    node_n = nodes.index("node_int_n")

    least = Minimum(of=masked)

    return Program(
        name="bfs",
        edges="ones",
        source="required",
        bound=(0, 0, 1),
        counts=(0, 1),
        steps=(
            step("mask visited nodes", Where(masked, visit, MASK, orders), paper=1),
            *least.steps(first=2),
            step(
                "get minimum value",
                Where(node, least.done, least.position, node),
                Where(node_int, least.done, least.index, node_int),
                Where(order, least.done, least.value, order),
                paper=9,
            ),
            step("get row of A", ReadRow(row, node), paper=10),
            step(
                "update priority factor",
                Repeat(order_n, order),
                Repeat(node_n, node_int),
                Repeat(least.done_n, least.done),
                Add(order_n, order_n, least.done_n),
                paper=11,
            ),
            step("identify updates", Set(changes, row & least.done_n & ~disc), paper=12),
            step(
                "update variables",
                Where(prev, changes, node_n, prev),
                Where(orders, changes, order_n, orders),
                paper=13,
            ),
            step(
                "visit and discover nodes",
                WriteRow(visit, node, least.done),
                WriteRow(disc, node, least.done, also=changes),
                paper=14,
            ),
            step("compare visited and discovered", Equal(equal, visit, disc), paper=15),
            step(
                "all visited, all discovered",
                AllOne(term, visit),
                AllOne(interrupt, equal),
                paper=16,
            ),
            step("trigger termination", Set(term, (term | interrupt) & least.done), paper=17),
        ),
        outputs={"prev": prev},
        halt=term,
    )


def compact() -> Program:
    """4 layers, 3 heads, one iteration for each node that the source reaches."""
    orders = nodes.count("orders", start=UNREACHED, at_source=0)
    prev = nodes.index("prev", start=OWN)
    disc = nodes.flag("disc", start=0, at_source=1)
    closed = nodes.flag("closed", start=1, at_source=0)  # visited, or not discovered yet
    visit = nodes.flag("visit", start=0)
    next_nodes = nodes.flag("next")
    node = nodes.index("node")
    order = nodes.count("order")
    chosen = nodes.flag("chosen")
    row = nodes.flag("A_row")
    changes = nodes.flag("changes")
    term = single.flag("term")

    return Program(
        name="bfs",
        edges="ones",
        source="required",
        bound=(0, 1),
        steps=(
            step("find the head of the queue", MarkLeast(next_nodes, orders, unless=closed)),
            step(
                "visit the first of it",
                ReadFirst(node, next_nodes, OWN_INDEX),
                ReadFirst(order, next_nodes, orders),
                Equal(chosen, OWN_INDEX, node),
                Set(visit, visit | chosen),
                Add(order, order, 1),
            ),
            step(
                "discover its neighbours",
                RowOf(row, chosen),
                Set(changes, row & ~disc),
                Where(prev, changes, node, prev),
                Where(orders, changes, order, orders),
                Set(disc, disc | changes),
                Set(closed, visit | ~disc),
            ),
            step("trigger termination", AllOne(term, closed)),
        ),
        outputs={"prev": prev},
        halt=term,
    )


bfs = Algorithm("bfs", "breadth-first search from a source", {"paper": paper, "compact": compact})
