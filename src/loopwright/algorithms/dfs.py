"""Depth-first search. [P Thm. 3, Alg. 5]"""

from __future__ import annotations

from loopwright.algorithms.minimum import Minimum
from loopwright.algorithms.registry import Algorithm
from loopwright.language import (
    MASK,
    NOWHERE,
    OWN,
    UNREACHED,
    Outputs,
    Program,
    Statements,
    nodes,
    ops,
    single,
    statements,
    step,
)


def paper() -> Program:
    """It takes n² iterations.

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
            step("mask visited nodes", ops.Where(masked, visit, MASK, orders), paper=1),
            *least.then(
                2,
                step(
                    "get minimum value",
                    ops.Where(node, least.done, least.position, node),
                    ops.Where(node_int, least.done, least.index, node_int),
                    paper=9,
                ),
                step("get row of A", ops.ReadRow(row, node), paper=10),
                step(
                    "update priority factor",
                    ops.Repeat(order_n, order),
                    ops.Repeat(node_n, node_int),
                    ops.Repeat(least.done_n, least.done),
                    ops.Subtract(order, order, least.done),
                    ops.Subtract(order_n, order_n, least.done_n),
                    paper=11,
                ),
                step("visit node", ops.WriteRow(visit, node, least.done), paper=12),
                step("identify updates", ops.Set(changes, row & least.done_n & ~visit), paper=13),
                step(
                    "update variables",
                    ops.Where(prev, changes, node_n, prev),
                    ops.Where(orders, changes, order_n, orders),
                    paper=14,
                ),
                step("trigger termination", ops.AllOne(term, visit), paper=15),
            ),
        ),
        outputs={"prev": prev},
        halt=term,
    )


@statements(name="dfs", edges="ones", source="optional", iterations=lambda n: n, counts=lambda n: n)
def compact(p: Statements) -> Outputs:
    """It takes n iterations."""
    orders = p.nodes.count(start=UNREACHED, at_source=0, signed=True)
    prev = p.nodes.index(start=OWN)
    visit = p.nodes.flag()
    order = p.nodes.count(signed=True)

    node = p.first(p.is_least(orders, unless=visit))  # the top of the stack
    chosen = p.index == node
    visit |= chosen
    order -= 1

    new = p.edge_from(chosen) & ~visit
    prev[new] = node
    orders[new] = order

    p.halt_when(p.all(visit))
    return {"prev": prev}


dfs = Algorithm(
    "dfs", "depth-first search of the whole graph", {"paper": paper, "compact": compact}
)
