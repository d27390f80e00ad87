"""Connected components, flooded one after the other."""

from __future__ import annotations

from loopwright.algorithms.registry import Algorithm
from loopwright.language.ops import (
    Add,
    AllOne,
    MarkLeast,
    MarkZeros,
    ReadFirst,
    Set,
    SumFrom,
    SumTo,
    Where,
)
from loopwright.language.program import Program, step
from loopwright.language.variables import OWN_INDEX, nodes, single
from loopwright.model.layout import OWN


def compact() -> Program:
    """2 layers, 5 heads, at most n + 1 iterations; edges count in both directions.

    All neighbours of the nodes that were reached last are reached at once; when there are none, the
    first unreached node begins a new component, and names it. One minimum does both: neighbours
    rank 0, all others by their index.
    """
    component = nodes.index("component", start=OWN)
    reached = nodes.flag("reached", start=0)
    front = nodes.flag("front", start=0)
    name = nodes.index("name")
    edges_from, edges_to = nodes.count("edges_from"), nodes.count("edges_to")
    edges = nodes.count("edges")
    is_far = nodes.flag("is_far")
    joins = nodes.flag("joins")
    rank = nodes.index("rank")
    term = single.flag("term")

    return Program(
        name="components",
        edges="ones",
        bound=(1, 1),
        steps=(
            step(
                "look around the front",
                SumFrom(edges_from, front),
                SumTo(edges_to, front),
                ReadFirst(name, front, component),
                AllOne(term, reached),
                Add(edges, edges_from, edges_to),
                MarkZeros(is_far, edges),
                Set(joins, ~is_far & ~reached),
                Where(component, joins, name, component),
                Where(rank, joins, 0, OWN_INDEX),
            ),
            step(
                "advance, or begin anew",
                MarkLeast(front, rank, unless=reached),
                Set(reached, reached | front),
            ),
        ),
        outputs={"component": component},
        halt=term,
    )


components = Algorithm(
    "components", "connected components, named by their first nodes", {"compact": compact}
)
