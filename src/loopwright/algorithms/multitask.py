"""One set of weights: Dijkstra, breadth-first and depth-first search. [P Rem. 1, Alg. 7]"""

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
    given,
    nodes,
    ops,
    single,
    statements,
    step,
)


def paper() -> Program:
    """It takes n² iterations.

    With the input `dfs` = 1 it is depth-first search, which needs no source. Without, it is
    Dijkstra's algorithm, which on a graph without weights is breadth-first search.
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
        source="required",
        source_unless="dfs",
        bound=(0, 0, 1),
        counts=(0, 1),
        values="paths",
        steps=(
            step("mask visited nodes", ops.Where(masked, visit, MASK, dists), paper=1),
            *least.then(
                2,
                step(
                    "get minimum values",
                    ops.Where(node, least.done, least.position, node),
                    ops.Where(node_int, least.done, least.index, node_int),
                    ops.Where(dist, least.done, least.value, dist),
                    paper=9,
                ),
                step("get row of A", ops.ReadRow(row, node), paper=10),
                step(
                    "mark non-neighbours",
                    ops.MarkZeros(is_zero, row),
                    ops.Set(decrease, least.done & switch),
                    paper=11,
                ),
                step("update priority factor", ops.Subtract(order, order, decrease), paper=12),
                step("visit node", ops.WriteRow(visit, node, least.done), paper=13),
                step(
                    "build candidates",
                    ops.Repeat(dist_n, dist),
                    ops.Repeat(order_n, order),
                    ops.Repeat(node_n, node_int),
                    ops.Repeat(least.done_n, least.done),
                    ops.Repeat(switch_n, switch),
                    ops.Add(candidates_1, row, dist_n),
                    paper=14,
                ),
                step("identify updates", ops.LessThan(changes_1, candidates_1, dists), paper=15),
                step(
                    "build flags",
                    ops.Set(changes_1, changes_1 & least.done_n & ~is_zero),
                    ops.Set(changes_2, ~visit & least.done_n & ~is_zero),
                    paper=16,
                ),
                step(
                    "select candidates and changes",
                    ops.Where(candidates, switch_n, order_n, candidates_1),
                    ops.Where(changes, switch_n, changes_2, changes_1),
                    paper=17,
                ),
                step(
                    "update variables",
                    ops.Where(prev, changes, node_n, prev),
                    ops.Where(dists, changes, candidates, dists),
                    paper=18,
                ),
                step("trigger termination", ops.AllOne(term, visit), paper=19),
            ),
        ),
        outputs={"dists": dists, "prev": prev},
        halt=term,
    )


@statements(
    name="multitask",
    source="required",
    source_unless="dfs",
    iterations=lambda n: n,
    counts=lambda n: n,
    values="paths",
)
def compact(p: Statements) -> Outputs:
    """It takes n iterations.

    A path is better than what a node has, or, in a depth-first search, than everything.
    """
    dists = p.nodes.value(start=UNREACHED, at_source=0, signed=True)
    prev = p.nodes.index(start=OWN)
    visit = p.nodes.flag()
    order = p.nodes.value(signed=True)
    dfs = p.nodes.flag("gamma_s", start=given("dfs"))

    nearest = p.is_least(dists, unless=visit)
    node, dist = p.first(nearest), p.first(nearest, dists)
    chosen = p.index == node
    visit |= chosen
    order -= 1

    edge = p.edge_from(chosen)
    path = dist + edge
    to_beat = p.where(dfs, MASK, dists)
    better = (edge > 0) & (path < to_beat) & ~(dfs & visit)
    prev[better] = node
    dists[better] = p.where(dfs, order, path)

    p.halt_when(p.all(visit))
    return {"dists": dists, "prev": prev}


multitask = Algorithm(
    "multitask",
    "Dijkstra, breadth- or depth-first search (input dfs=1)",
    {"paper": paper, "compact": compact},
)
