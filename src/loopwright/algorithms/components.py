"""Connected components, flooded one after the other."""

from __future__ import annotations

from loopwright.algorithms.registry import Algorithm
from loopwright.language import OWN, Outputs, Statements, statements


@statements(name="components", edges="ones", iterations=lambda n: n + 1, counts=lambda n: 3 * n + 1)
def compact(p: Statements) -> Outputs:
    """At most n + 1 iterations; edges count in both directions.

    All neighbours of the nodes that were reached last are reached at once; when there are none, the
    first unreached node begins a new component, and names it. One minimum does both: neighbours
    rank 0, all others by their index.
    """
    component = p.nodes.index(start=OWN)
    reached = p.nodes.flag()
    front = p.nodes.flag()

    p.halt_when(p.all(reached))
    edges = p.edges_from(front) + p.edges_to(front)
    joins = (edges > 0) & ~reached
    component[joins] = p.first(front, component)
    front[:] = p.is_least(p.where(joins, 0, p.index), unless=reached)
    reached |= front
    return {"component": component}


components = Algorithm(
    "components", "connected components, named by their first nodes", {"compact": compact}
)
