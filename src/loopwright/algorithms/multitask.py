"""One set of weights: Dijkstra, breadth-first and depth-first search. [P Rem. 1, Alg. 7]"""

from __future__ import annotations

from loopwright.algorithms.minimum import Minimum
from loopwright.algorithms.registry import Algorithm
from loopwright.language.ops import (
    Add,
    AllOne,
    Equal,
    LessThan,
    MarkLeast,
    MarkZeros,
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
from loopwright.language.variables import MASK, NOWHERE, OWN_INDEX, UNREACHED, given, nodes, single
from loopwright.model.layout import OWN


def paper() -> Program:
    """19 layers, 3 heads, n² iterations.

    With the input `dfs` = 1 it is depth-first search. Without, it is Dijkstra's algorithm, which on
    a graph without weights is breadth-first search.
    """
    dists = nodes.value("dists", start=UNREACHED, at_source=0, signed=True)
    prev = nodes.index("prev", start=OWN)
    visit = nodes.flag("visit", start=0)
    masked = nodes.value("dists_masked", signed=True)
    row = nodes.value("A_row")
    is_zero = nodes.flag("is_zero")
    candidates_1 = nodes.value("candidates_1", signed=True)
    candidates = nodes.value("candidates", signed=True)
    changes_1, changes_2, changes = (nodes.flag(f"changes{i}") for i in ("_1", "_2", ""))

    switch = single.flag("gamma_s", start=given("dfs"))
    node = single.position("node", start=NOWHERE)
    node_int = single.index("node_int", start=0)
    dist = single.value("dist", start=0, signed=True)
    order = single.value("order", start=0, signed=True)
    decrease = single.flag("decrease")
    term = single.flag("term")

    dist_n = nodes.value("dist_n", signed=True)
    order_n = nodes.value("candidates_2", signed=True)
    node_n = nodes.index("node_int_n")
    switch_n = nodes.flag("gamma_s_n")

    least = Minimum(of=masked)

    return Program(
        name="multitask",
        source="optional",
        bound=(0, 0, 1),
        counts=(0, 1),
        steps=(
            step("mask visited nodes", Where(masked, visit, MASK, dists), paper=1),
            *least.steps(first=2),
            step(
                "get minimum values",
                Where(node, least.done, least.position, node),
                Where(node_int, least.done, least.index, node_int),
                Where(dist, least.done, least.value, dist),
                paper=9,
            ),
            step("get row of A", ReadRow(row, node), paper=10),
            step(
                "mark non-neighbours",
                MarkZeros(is_zero, row),
                Set(decrease, least.done & switch),
                paper=11,
            ),
            step("update priority factor", Subtract(order, order, decrease), paper=12),
            step("visit node", WriteRow(visit, node, least.done), paper=13),
            step(
                "build candidates",
                Repeat(dist_n, dist),
                Repeat(order_n, order),
                Repeat(node_n, node_int),
                Repeat(least.done_n, least.done),
                Repeat(switch_n, switch),
                Add(candidates_1, row, dist_n),
                paper=14,
            ),
            step("identify updates", LessThan(changes_1, candidates_1, dists), paper=15),
            step(
                "build flags",
                Set(changes_1, changes_1 & least.done_n & ~is_zero),
                Set(changes_2, ~visit & least.done_n & ~is_zero),
                paper=16,
            ),
            step(
                "select candidates and changes",
                Where(candidates, switch_n, order_n, candidates_1),
                Where(changes, switch_n, changes_2, changes_1),
                paper=17,
            ),
            step(
                "update variables",
                Where(prev, changes, node_n, prev),
                Where(dists, changes, candidates, dists),
                paper=18,
            ),
            step("trigger termination", AllOne(term, visit), paper=19),
        ),
        outputs={"dists": dists, "prev": prev},
        halt=term,
    )


def compact() -> Program:
    """4 layers, 3 heads, n iterations."""
    dists = nodes.value("dists", start=UNREACHED, at_source=0, signed=True)
    prev = nodes.index("prev", start=OWN)
    visit = nodes.flag("visit", start=0)
    order = nodes.value("order", start=0, signed=True)
    switch = nodes.flag("gamma_s", start=given("dfs"))
    nearest = nodes.flag("nearest")
    node = nodes.index("node")
    dist = nodes.value("dist", signed=True)
    chosen = nodes.flag("chosen")
    row = nodes.value("A_row")
    is_zero = nodes.flag("is_zero")
    candidates = nodes.value("candidates", signed=True)
    changes_1, changes_2, changes = (nodes.flag(f"changes{i}") for i in ("_1", "_2", ""))
    term = single.flag("term")

    return Program(
        name="multitask",
        source="optional",
        bound=(0, 1),
        steps=(
            step("find the next nodes", MarkLeast(nearest, dists, unless=visit)),
            step(
                "visit the first of them",
                ReadFirst(node, nearest, OWN_INDEX),
                ReadFirst(dist, nearest, dists),
                Equal(chosen, OWN_INDEX, node),
                Set(visit, visit | chosen),
                Subtract(order, order, 1),
            ),
            step(
                "identify updates",
                RowOf(row, chosen),
                AllOne(term, visit),
                MarkZeros(is_zero, row),
                Add(candidates, row, dist),
                LessThan(changes_1, candidates, dists),
                Set(changes_1, changes_1 & ~is_zero & ~switch),
                Set(changes_2, switch & ~is_zero & ~visit),
            ),
            step(
                "update variables",
                Set(changes, changes_1 | changes_2),
                Where(prev, changes, node, prev),
                Where(dists, changes_1, candidates, dists),
                Where(dists, changes_2, order, dists),
            ),
        ),
        outputs={"dists": dists, "prev": prev},
        halt=term,
    )


multitask = Algorithm(
    "multitask",
    "Dijkstra, breadth- or depth-first search (input dfs=1)",
    {"paper": paper, "compact": compact},
)
