"""Connected components, flooded one after the other."""

from __future__ import annotations

from loopwright.algorithms.registry import Algorithm
from loopwright.language import OWN, UNREACHED, Outputs, Statements, statements


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


@statements(name="components", edges="ones", iterations=lambda n: n + 1)
def parallel(p: Statements) -> Outputs:
    """It takes O(log n) iterations on all that was tried. [Liu & Tarjan 2019]

    Nodes point to a node of their component, at first to themselves. Each looks at the least
    pointer of its neighbours, and tells the node that it points to. That node now knows the least
    of all that those who point to it have seen; there they all point, so trees grow together, and
    then to where that node points, so trees become flat. When nothing changes, neighbours point to
    the same node, which is the first of their component.
    """
    component = p.nodes.index(start=OWN)

    before, after = (least(component, otherwise=UNREACHED) for least in (p.least_from, p.least_to))
    seen = p.min(p.min(component, before), after)
    told = p.least_where(seen, component, p.index)
    pointer = told[component]
    pointer = pointer[pointer]

    p.halt_when(p.all(pointer == component))
    component[:] = pointer
    return {"component": component}


components = Algorithm(
    "components",
    "connected components, named by their first nodes",
    {"compact": compact, "parallel": parallel},
)
