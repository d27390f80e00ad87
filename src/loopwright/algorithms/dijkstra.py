"""Dijkstra's shortest paths. [P Thm. 1, Alg. 3]"""

from __future__ import annotations

from loopwright.algorithms.minimum import Minimum
from loopwright.algorithms.registry import Algorithm
from loopwright.language.ops import (
    Add,
    AllOne,
    Between,
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
from loopwright.language.variables import MASK, NOWHERE, OWN_INDEX, UNREACHED, nodes, single
from loopwright.model.layout import OWN


def paper() -> Program:
    """17 layers, 3 heads, n² iterations.

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
            step("mark non-neighbours", MarkZeros(is_zero, row), paper=11),
            step(
                "build distances",
                Repeat(dist_n, dist),
                Repeat(node_n, node_int),
                Repeat(least.done_n, least.done),
                Add(candidates, row, dist_n),
                paper=12,
            ),
            step("identify updates", LessThan(changes, candidates, dists), paper=13),
            step("mask updates", Set(changes, changes & least.done_n & ~is_zero), paper=14),
            step(
                "update variables",
                Where(prev, changes, node_n, prev),
                Where(dists, changes, candidates, dists),
                paper=15,
            ),
            step("visit node", WriteRow(visit, node, least.done), paper=16),
            step("trigger termination", AllOne(term, visit), paper=17),
        ),
        outputs={"dists": dists, "prev": prev},
        halt=term,
    )


def compact() -> Program:
    """3 layers, 3 heads, n iterations: attention finds the nearest open node at once."""
    dists = nodes.value("dists", start=UNREACHED, at_source=0)
    prev = nodes.index("prev", start=OWN)
    visit = nodes.flag("visit", start=0)
    nearest = nodes.flag("nearest")
    node = nodes.index("node")
    dist = nodes.value("dist")
    chosen = nodes.flag("chosen")
    row = nodes.value("A_row")
    gap = nodes.value("gap", signed=True)
    candidates = nodes.value("candidates")
    closer = nodes.flag("closer")
    term = single.flag("term")

    return Program(
        name="dijkstra",
        source="required",
        bound=(0, 1),
        steps=(
            step("find the nearest open nodes", MarkLeast(nearest, dists, unless=visit)),
            step(
                "visit the first of them",
                ReadFirst(node, nearest, OWN_INDEX),
                ReadFirst(dist, nearest, dists),
                Equal(chosen, OWN_INDEX, node),
                Set(visit, visit | chosen),
            ),
            step(
                "relax its edges",
                RowOf(row, chosen),
                AllOne(term, visit),
                Subtract(gap, dists, dist),
                Between(closer, 0, row, gap),  # an edge, and a shorter path
                Add(candidates, row, dist),
                Where(prev, closer, node, prev),
                Where(dists, closer, candidates, dists),
            ),
        ),
        outputs={"dists": dists, "prev": prev},
        halt=term,
    )


dijkstra = Algorithm(
    "dijkstra", "shortest paths from a source", {"paper": paper, "compact": compact}
)
