"""Kosaraju's strongly connected components. [P Thm. 4, Alg. 6]"""

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
    """At most 3n² iterations.

    Phase 1 is a depth-first search of A. A node is chosen when it is found, and again when all its
    neighbours have been visited: then it is finished, and `orders_2` gets it, last finished first.
    Phase 2 is a depth-first search of Aᵀ in that order; each root names its component.
    """
    orders_1 = nodes.count("orders_1", start=UNREACHED, signed=True)
    orders_2 = nodes.count("orders_2", start=UNREACHED, signed=True)
    visit_1 = nodes.flag("visit_1", start=0)  # found in phase 1
    visit_2 = nodes.flag("visit_2", start=0)  # finished in phase 1
    visit_3 = nodes.flag("visit_3", start=0)  # found in phase 2
    sccs = nodes.position("sccs", start=OWN)
    sccs_int = nodes.index("sccs_int", start=OWN)
    order = nodes.count("order", start=0, signed=True)

    orders = nodes.count("orders", signed=True)
    visit = nodes.flag("visit")
    masked = nodes.count("orders_masked", signed=True)
    row = nodes.flag("A_row")
    column = nodes.flag("A_col")
    current = nodes.flag("cur_i")
    nvisit = nodes.flag("nvisit")
    changes_1, changes_2, changes_3 = (nodes.flag(f"changes_{i}") for i in (1, 2, 3))

    node = single.position("node", start=NOWHERE)
    scc = single.position("scc", start=NOWHERE)
    scc_int = single.index("scc_int", start=0)
    ref = single.position("node_ref", start=NOWHERE)
    ref_int = single.index("node_ref_int", start=0)
    write_1 = single.flag("write_1")
    write_2 = single.flag("write_2")
    nvisit_all = single.flag("nvisit_all")
    visit_scc = single.flag("visit_scc")
    part = single.flag("term_part", start=0)
    term = single.flag("term")

    part_n = nodes.flag("term_part_n")
    write_1n = nodes.flag("write_1_n")
    write_2n = nodes.flag("write_2_n")
    nvisit_all_n = nodes.flag("nvisit_all_n")
    ref_n = nodes.position("node_ref_n")
    ref_int_n = nodes.index("node_ref_int_n")

    least = Minimum(of=masked, along=(sccs, sccs_int))

    return Program(
        name="scc",
        edges="ones",
        bound=(0, 0, 3),
        counts=(0, 3),
        steps=(
            step(
                "select list to find minimum",
                ops.Repeat(part_n, part),
                ops.Where(orders, part_n, orders_2, orders_1),
                ops.Where(visit, part_n, visit_3, visit_2),
                paper=1,
            ),
            step("mask visited nodes", ops.Where(masked, visit, MASK, orders), paper=2),
            *least.then(
                3,
                step(
                    "update write flags",
                    ops.Set(write_1, least.done & ~part),
                    ops.Set(write_2, least.done & part),
                    paper=10,
                ),
                step(
                    "get minimum values",
                    ops.Where(node, least.done, least.position, node),
                    ops.Where(scc, least.done, least.of_best(sccs), scc),
                    ops.Where(scc_int, least.done, least.of_best(sccs_int), scc_int),
                    paper=11,
                ),
                step(
                    "get row and column of A",
                    ops.ReadRow(row, node),
                    ops.ReadColumn(column, node),
                    paper=12,
                ),
                step(
                    "visit nodes",
                    ops.WriteRow(visit_1, node, write_1),
                    ops.WriteRow(visit_3, node, write_2),
                    ops.OneHot(current, node, write_1),
                    paper=13,
                ),
                step(
                    "check visited neighbours",
                    ops.Repeat(write_1n, write_1),
                    ops.Repeat(write_2n, write_2),
                    ops.Repeat(least.done_n, least.done),
                    ops.Set(nvisit, write_1n & ~(row & ~visit_1)),
                    paper=14,
                ),
                step(
                    "check if all neighbours are visited", ops.AllOne(nvisit_all, nvisit), paper=15
                ),
                step("check if SCC is visited", ops.ReadX(visit_scc, scc, visit_3), paper=16),
                step(
                    "update reference node",
                    ops.Where(ref, visit_scc, scc, ref),
                    ops.Where(ref_int, visit_scc, scc_int, ref_int),
                    paper=17,
                ),
                step(
                    "identify updates, update priority",
                    ops.Repeat(nvisit_all_n, nvisit_all),
                    ops.Repeat(ref_n, ref),
                    ops.Repeat(ref_int_n, ref_int),
                    ops.Set(changes_1, write_1n & row & ~visit_1),
                    ops.Set(changes_2, write_1n & current & nvisit_all_n),
                    ops.Set(changes_3, write_2n & column & ~visit_3),
                    ops.Subtract(order, order, least.done_n),
                    paper=18,
                ),
                step(
                    "update variables I", ops.Where(orders_1, changes_1, order, orders_1), paper=19
                ),
                step(
                    "update variables II",
                    ops.Where(orders_2, changes_2, order, orders_2),
                    ops.Where(visit_2, changes_2, visit_1, visit_2),
                    paper=20,
                ),
                step(
                    "update variables III",
                    ops.Where(orders_2, changes_3, order, orders_2),
                    ops.Where(sccs, changes_3, ref_n, sccs),
                    ops.Where(sccs_int, changes_3, ref_int_n, sccs_int),
                    paper=21,
                ),
                step(
                    "trigger (partial) termination",
                    ops.AllOne(term, visit_3),
                    ops.AllOne(part, visit_2),
                    paper=22,
                ),
            ),
        ),
        outputs={"component": sccs_int},
        halt=term,
    )


@statements(name="scc", edges="ones", iterations=lambda n: 3 * n, counts=lambda n: 3 * n)
def compact(p: Statements) -> Outputs:
    """At most 3n iterations; phases as in `paper`."""
    orders_1 = p.nodes.count(start=UNREACHED, signed=True)
    orders_2 = p.nodes.count(start=UNREACHED, signed=True)
    orders = p.nodes.count(start=UNREACHED, signed=True)
    found = p.nodes.flag()  # in phase 1
    finished = p.nodes.flag()  # in phase 1
    assigned = p.nodes.flag()  # found in phase 2
    closed = p.nodes.flag()
    sccs = p.nodes.index(start=OWN)
    order = p.nodes.count(signed=True)
    second = p.nodes.flag()  # the phase

    top = p.is_least(orders, unless=closed)
    node, root = p.first(top), p.first(top, sccs)
    chosen = p.index == node
    found |= chosen
    order -= 1

    out, into = p.edge_from(chosen), p.edge_to(chosen)
    orders_1[out & ~found & ~second] = order
    joins = into & second & ~assigned & ~chosen
    orders_2[joins] = order
    sccs[joins] = root
    assigned |= chosen & second

    finishes = chosen & p.all(~out | found) & ~second
    orders_2[finishes] = order
    finished |= finishes

    second[:] = p.all(finished)
    orders[:] = p.where(second, orders_2, orders_1)
    closed[:] = p.where(second, assigned, finished)
    p.halt_when(p.all(assigned))
    return {"component": sccs}


@statements(name="scc", edges="ones", iterations=lambda n: 2 * n * n + 3 * n + 3)
def parallel(p: Statements) -> Outputs:
    """Colours that spread forward, and roots that are reached backward. [Orzan 2004]

    Every node that is left takes the least index of those that reach it for its colour. When no
    colour spreads any more, a node whose colour is its own index is a root, and its component is
    all of its colour that reaches it: an edge leads to no greater colour, so a node looks at the
    greatest colour of those ahead of it that are known to reach their root, whether it is its own.
    When nobody new is, these components are done, and what is left begins anew. Nodes that no edge
    leads to, or none leaves, among those that are left, are alone, and go at once.
    """
    component = p.nodes.index(start=OWN)
    colour = p.nodes.index(start=OWN)
    left = p.nodes.flag(start=1)
    done = p.nodes.flag()
    apart = p.nodes.flag(start=1)  # not known to reach the root of its colour

    p.halt_when(p.all(done))
    alone = (p.edges_from(left) == 0) | (p.edges_to(left) == 0)
    least = p.min(colour, p.least_from(colour, unless=done, otherwise=UNREACHED))
    greatest = -p.least_to(-colour, unless=apart)
    behind = left & apart & ((colour == p.index) | (greatest == colour))

    settled = ~p.any(left & (least < colour))
    new = settled & behind
    over = settled & ~p.any(new)
    found = over & ~apart
    component[found] = colour
    colour[:] = p.where(over, p.index, p.where(settled, colour, least))
    apart[:] = over | (apart & ~new)
    done |= found | alone
    left[:] = ~done
    return {"component": component}


scc = Algorithm(
    "scc",
    "strongly connected components (Kosaraju)",
    {"paper": paper, "compact": compact, "parallel": parallel},
    differences=(
        "`paper` and `compact` call a component by the node that Kosaraju's second search begins "
        "it with, as the benchmark does; `parallel` calls it by its first node."
    ),
)
