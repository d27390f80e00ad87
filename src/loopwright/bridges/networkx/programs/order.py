"""Orders that NetworkX finds step by step: topological ones, and that of two colours."""

from __future__ import annotations

from loopwright.algorithms.registry import algorithm
from loopwright.bridges.networkx.programs import CONSTRUCTION
from loopwright.language import Outputs, Statements, given


@algorithm(name="kahn-in-order", iterations=lambda n: n + 1, construction=CONSTRUCTION)
def kahn_in_order(p: Statements) -> Outputs:
    """Kahn's topological order: who has no unvisited predecessor enters the queue.

    Whoever became ready by the last visit has the visited node before it, and the place of that
    edge. With `fixed`, nodes leave the queue by an order that is given. What is on a cycle, or
    behind one, is never visited.
    """
    stride = p.nodes.value(start=given("stride"))
    fixed = p.nodes.flag(start=given("fixed"))
    queued = p.nodes.value(start=given("queued"))
    base = p.nodes.value(start=given("base"))
    waiting = p.nodes.flag(start=1)
    listed = p.nodes.flag()
    last = p.nodes.flag()
    begun = p.nodes.flag()
    generation = p.nodes.count()
    clock = p.nodes.count(start=1)
    visited = p.nodes.count()

    ready = (p.edges_from(waiting) == 0) & waiting & ~listed
    follows = ready & begun
    generation[follows] = p.first(last, generation) + 1
    queued[follows & ~fixed] = base + p.edge_from(last)
    listed |= ready

    node = p.first(p.is_least(queued, unless=~(listed & waiting)))
    last[:] = p.index == node
    visited[last] = clock
    waiting[last] = 0
    begun[:] = 1
    base += stride
    clock += 1
    p.halt_unless(p.any(last))
    return {"visited": visited, "generation": generation}


@algorithm(name="two-colours-in-order", iterations=lambda n: n + 1, construction=CONSTRUCTION)
def two_colours_in_order(p: Statements) -> Outputs:
    """Colours 1 and 0, so that neighbours differ; nodes leave a stack.

    Keys are as for a depth-first search: what is on the stack comes before all roots, the last to
    be pushed first. An edge between equal colours ends the search.
    """
    stride = p.nodes.value(start=given("stride"))
    key = p.nodes.value(start=given("queued"), signed=True)
    base = p.nodes.value(start=given("base"))
    closed = p.nodes.flag(start=given("closed"))
    coloured = p.nodes.flag()
    colour = p.nodes.flag()
    seen = p.nodes.value()
    conflict = p.nodes.flag()

    node = p.first(p.is_least(key, unless=closed))
    chosen = p.index == node
    begins = chosen & ~coloured
    colour[begins] = 1
    seen[begins] = base
    coloured |= chosen
    closed |= chosen

    place, side = p.edge_from(chosen), p.first(chosen, colour)
    neighbour = place > 0
    clash = p.any(neighbour & coloured & (colour == side))
    conflict[:] = clash
    new = neighbour & ~coloured
    colour[new] = ~side
    seen[new] = base + place
    key[new] = -base - place
    closed[new] = 0
    coloured |= new
    base += stride
    p.halt_when(clash | p.all(closed))
    return {"colour": colour, "seen": seen, "coloured": coloured, "conflict": conflict}
