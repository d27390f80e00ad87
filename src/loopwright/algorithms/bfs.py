"""Breadth-first search. [P Thm. 2, Alg. 4]"""

from __future__ import annotations

from loopwright.algorithms.minimum import Minimum
from loopwright.algorithms.registry import Algorithm
from loopwright.language import (
    MASK,
    NOWHERE,
    OWN,
    OWN_INDEX,
    UNREACHED,
    Program,
    nodes,
    ops,
    single,
    step,
)


def paper() -> Program:
    """At most n² iterations.

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
            step("mask visited nodes", ops.Where(masked, visit, MASK, orders), paper=1),
            *least.then(
                2,
                step(
                    "get minimum value",
                    ops.Where(node, least.done, least.position, node),
                    ops.Where(node_int, least.done, least.index, node_int),
                    ops.Where(order, least.done, least.value, order),
                    paper=9,
                ),
                step("get row of A", ops.ReadRow(row, node), paper=10),
                step(
                    "update priority factor",
                    ops.Repeat(order_n, order),
                    ops.Repeat(node_n, node_int),
                    ops.Repeat(least.done_n, least.done),
                    ops.Add(order_n, order_n, least.done_n),
                    paper=11,
                ),
                step("identify updates", ops.Set(changes, row & least.done_n & ~disc), paper=12),
                step(
                    "update variables",
                    ops.Where(prev, changes, node_n, prev),
                    ops.Where(orders, changes, order_n, orders),
                    paper=13,
                ),
                step(
                    "visit and discover nodes",
                    ops.WriteRow(visit, node, least.done),
                    ops.WriteRow(disc, node, least.done, also=changes),
                    paper=14,
                ),
                step("compare visited and discovered", ops.Equal(equal, visit, disc), paper=15),
                step(
                    "all visited, all discovered",
                    ops.AllOne(term, visit),
                    ops.AllOne(interrupt, equal),
                    paper=16,
                ),
                step(
                    "trigger termination", ops.Set(term, (term | interrupt) & least.done), paper=17
                ),
            ),
        ),
        outputs={"prev": prev},
        halt=term,
    )


def compact() -> Program:
    """One iteration for each node that the source reaches."""
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
            step("find the head of the queue", ops.MarkLeast(next_nodes, orders, unless=closed)),
            step(
                "visit the first of it",
                ops.ReadFirst(node, next_nodes, OWN_INDEX),
                ops.ReadFirst(order, next_nodes, orders),
                ops.Equal(chosen, OWN_INDEX, node),
                ops.Set(visit, visit | chosen),
                ops.Add(order, order, 1),
            ),
            step(
                "discover its neighbours",
                ops.RowOf(row, chosen),
                ops.Set(changes, row & ~disc),
                ops.Where(prev, changes, node, prev),
                ops.Where(orders, changes, order, orders),
                ops.Set(disc, disc | changes),
                ops.Set(closed, visit | ~disc),
            ),
            step("trigger termination", ops.AllOne(term, closed)),
        ),
        outputs={"prev": prev},
        halt=term,
    )


bfs = Algorithm("bfs", "breadth-first search from a source", {"paper": paper, "compact": compact})
