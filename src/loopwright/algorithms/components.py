"""Connected components, flooded one after the other."""

from __future__ import annotations

from loopwright.algorithms.registry import Algorithm
from loopwright.language import OWN, OWN_INDEX, Program, nodes, ops, single, step


def compact() -> Program:
    """At most n + 1 iterations; edges count in both directions.

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
        counts=(1, 3),
        steps=(
            step(
                "look around the front",
                ops.SumFrom(edges_from, front),
                ops.SumTo(edges_to, front),
                ops.ReadFirst(name, front, component),
                ops.AllOne(term, reached),
                ops.Add(edges, edges_from, edges_to),
                ops.MarkZeros(is_far, edges),
                ops.Set(joins, ~is_far & ~reached),
                ops.Where(component, joins, name, component),
                ops.Where(rank, joins, 0, OWN_INDEX),
            ),
            step(
                "advance, or begin anew",
                ops.MarkLeast(front, rank, unless=reached),
                ops.Set(reached, reached | front),
            ),
        ),
        outputs={"component": component},
        halt=term,
    )


components = Algorithm(
    "components", "connected components, named by their first nodes", {"compact": compact}
)
