"""Dijkstra's shortest paths. [P Thm. 1, Alg. 3]"""

from __future__ import annotations

from loopwright.algorithms.minimum import Minimum
from loopwright.algorithms.registry import Algorithm
from loopwright.algorithms.rounds import by_dijkstra
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

    Nodes leave the queue by distance, lowest index first; a path replaces another only if it is
    strictly shorter. Unreached nodes leave it last, and improve nothing.
    """
    # lists
    dists = nodes.value("dists", start=UNREACHED, at_source=0)
    prev = nodes.index("prev", start=OWN)
    visit = nodes.flag("visit", start=0)
    masked = nodes.value("dists_masked")
    row = nodes.value("A_row")
    candidates = nodes.value("candidates")
    is_zero = nodes.flag("is_zero")
    changes = nodes.flag("changes")
    # single variables
    node = single.position("node", start=NOWHERE)
    node_int = single.index("node_int", start=0)
    dist = single.value("dist", start=0)
    term = single.flag("term")
    # single variables, repeated for every node
    dist_n = nodes.value("dist_n")
    node_n = nodes.index("node_int_n")

    least = Minimum(of=masked)

    return Program(
        name="dijkstra",
        source="required",
        bound=(0, 0, 1),
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
                step("mark non-neighbours", ops.MarkZeros(is_zero, row), paper=11),
                step(
                    "build distances",
                    ops.Repeat(dist_n, dist),
                    ops.Repeat(node_n, node_int),
                    ops.Repeat(least.done_n, least.done),
                    ops.Add(candidates, row, dist_n),
                    paper=12,
                ),
                step("identify updates", ops.LessThan(changes, candidates, dists), paper=13),
                step("mask updates", ops.Set(changes, changes & least.done_n & ~is_zero), paper=14),
                step(
                    "update variables",
                    ops.Where(prev, changes, node_n, prev),
                    ops.Where(dists, changes, candidates, dists),
                    paper=15,
                ),
                step("visit node", ops.WriteRow(visit, node, least.done), paper=16),
                step("trigger termination", ops.AllOne(term, visit), paper=17),
            ),
        ),
        outputs={"dists": dists, "prev": prev},
        halt=term,
    )


@statements(name="dijkstra", source="required", iterations=lambda n: n, values="paths")
def compact(p: Statements) -> Outputs:
    """It takes n iterations: attention finds the nearest open node at once."""
    dists = p.nodes.value(start=UNREACHED, at_source=0)
    prev = p.nodes.index(start=OWN)
    visit = p.nodes.flag()

    nearest = p.is_least(dists, unless=visit)
    node, dist = p.first(nearest), p.first(nearest, dists)
    chosen = p.index == node
    visit |= chosen

    edge = p.edge_from(chosen)
    path = dist + edge
    closer = (edge > 0) & (path < dists)
    prev[closer] = node
    dists[closer] = path

    p.halt_when(p.all(visit))
    return {"dists": dists, "prev": prev}


parallel = statements(name="dijkstra", source="required", iterations=lambda n: n, values="paths")(
    by_dijkstra
)

dijkstra = Algorithm(
    "dijkstra",
    "shortest paths from a source",
    {"paper": paper, "compact": compact, "parallel": parallel},
)
