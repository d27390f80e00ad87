"""Breadth-first search. [P Thm. 2, Alg. 4]"""

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

ORDER = single.count("order", start=0)
"""The priority factor: that of the node visited in `paper`, the number of visits in `printed`."""
LEAST = Minimum(of=nodes.count("orders_masked"))


def paper() -> Program:
    """At most n² iterations; a level leaves the queue in index order.

    A child's priority is its parent's plus 1, so nodes of one level tie, and the first of them is
    the one with the lowest index, as the benchmark has it. [P App. B.3]

    Departs: Algorithm 4 as it stands is `printed`. Levels are the same, parents may differ.
    """
    inherit = ops.Where(ORDER, LEAST.done, LEAST.value, ORDER)
    return _algorithm_4(get_minimum=(inherit,))


def printed() -> Program:
    """At most n² iterations; nodes leave the queue as they were discovered.

    Algorithm 4 line by line: the priority counts the nodes visited, so whoever is discovered
    earlier has the lower one, and only children of one parent tie; they leave in index order. That
    is the textbook's queue.
    """
    count = ops.Add(ORDER, ORDER, LEAST.done)
    return _algorithm_4(update_priority=(count,))


def _algorithm_4(
    *, get_minimum: tuple[ops.Op, ...] = (), update_priority: tuple[ops.Op, ...] = ()
) -> Program:
    """All that `paper` and `printed` share; each adds what it does to `order` in step 9 or 11.

    What the source cannot reach is not touched.
    """
    orders = nodes.count("orders", start=UNREACHED, at_source=0)
    prev = nodes.index("prev", start=OWN)
    visit = nodes.flag("visit", start=0)
    disc = nodes.flag("disc", start=0)
    row = nodes.flag("A_row")
    changes = nodes.flag("changes")
    equal = nodes.flag("equal")

    node = single.position("node", start=NOWHERE)
    node_int = single.index("node_int", start=0)
    interrupt = single.flag("interrupt")
    term = single.flag("term")

    order_n = nodes.count("order_n")
    node_n = nodes.index("node_int_n")

    return Program(
        name="bfs",
        edges="ones",
        source="required",
        bound=(0, 0, 1),
        counts=(0, 1),
        steps=(
            step("mask visited nodes", ops.Where(LEAST.of, visit, MASK, orders), paper=1),
            *LEAST.then(
                2,
                step(
                    "get minimum value",
                    ops.Where(node, LEAST.done, LEAST.position, node),
                    ops.Where(node_int, LEAST.done, LEAST.index, node_int),
                    *get_minimum,
                    paper=9,
                ),
                step("get row of A", ops.ReadRow(row, node), paper=10),
                step(
                    "update priority factor",
                    ops.Repeat(order_n, ORDER),
                    ops.Repeat(node_n, node_int),
                    ops.Repeat(LEAST.done_n, LEAST.done),
                    *update_priority,
                    ops.Add(order_n, order_n, LEAST.done_n),
                    paper=11,
                ),
                step("identify updates", ops.Set(changes, row & LEAST.done_n & ~disc), paper=12),
                step(
                    "update variables",
                    ops.Where(prev, changes, node_n, prev),
                    ops.Where(orders, changes, order_n, orders),
                    paper=13,
                ),
                step(
                    "visit and discover nodes",
                    ops.WriteRow(visit, node, LEAST.done),
                    ops.WriteRow(disc, node, LEAST.done, also=changes),
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
                    "trigger termination", ops.Set(term, (term | interrupt) & LEAST.done), paper=17
                ),
            ),
        ),
        outputs={"prev": prev},
        halt=term,
    )


@statements(name="bfs", edges="ones", source="required", iterations=lambda n: n, counts=lambda n: n)
def compact(p: Statements) -> Outputs:
    """One iteration for each node that the source reaches; the order is that of `paper`."""
    orders = p.nodes.count(start=UNREACHED, at_source=0)
    prev = p.nodes.index(start=OWN)
    visit = p.nodes.flag()
    disc = p.nodes.flag(at_source=1)
    closed = p.nodes.flag(start=1, at_source=0)  # visited, or not discovered yet

    queue = p.is_least(orders, unless=closed)
    node, order = p.first(queue), p.first(queue, orders)
    chosen = p.index == node
    visit |= chosen

    new = p.edge_from(chosen) & ~disc
    prev[new] = node
    orders[new] = order + 1
    disc |= new
    closed[:] = visit | ~disc

    p.halt_when(p.all(closed))
    return {"prev": prev}


@statements(name="bfs", edges="ones", source="required", iterations=lambda n: n)
def parallel(p: Statements) -> Outputs:
    """One iteration for each level, and one more that finds nobody.

    Whoever has an edge from a node that is reached is reached; the first such node is its parent,
    and is of the level before: else the node would have been reached earlier.
    """
    unreached = p.nodes.flag(start=1, at_source=0)
    prev = p.nodes.index(start=OWN)

    parent = p.least_from(p.index, unless=unreached)
    new = unreached & (parent > 0)
    prev[new] = parent
    unreached[new] = 0

    p.halt_unless(p.any(new))
    return {"prev": prev}


bfs = Algorithm(
    "bfs",
    "breadth-first search from a source",
    {"paper": paper, "compact": compact, "printed": printed, "parallel": parallel},
    differences=(
        "`paper`, `compact` and `parallel` visit a level in the order of node indices, as the "
        "benchmark does; `printed` visits it in the order of discovery, as the paper's Algorithm 4 "
        "is printed. "
        "Levels are the same, some parents are not."
    ),
)
