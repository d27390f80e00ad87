"""What needs no order of neighbours: a spanning forest, and core numbers."""

from __future__ import annotations

from loopwright.algorithms.registry import algorithm
from loopwright.bridges.networkx.programs import CONSTRUCTION
from loopwright.language import OWN, Outputs, Statements, given


@algorithm(name="spanning-forest", iterations=lambda n: n + 1, construction=CONSTRUCTION)
def spanning_forest(p: Statements) -> Outputs:
    """The lightest forest of a graph whose edges have different weights: Prim, root after root.

    `far` is more than any edge weighs: who has that key is beside no tree yet.
    """
    key = p.nodes.value(start=given("far"))
    prev = p.nodes.index(start=OWN)
    done = p.nodes.flag()

    node = p.first(p.is_least(key, unless=done))
    chosen = p.index == node
    done |= chosen
    edge = p.edge_from(chosen)
    lighter = (edge > 0) & (edge < key) & ~done
    key[lighter] = edge
    prev[lighter] = node
    p.halt_when(p.all(done))
    return {"prev": prev}


@algorithm(name="core-numbers", edges="ones", iterations=lambda n: n + 1, construction=CONSTRUCTION)
def core_numbers(p: Statements) -> Outputs:
    """How deep in the dense part of a graph each node is: peel off who has k neighbours left, or
    fewer. Edges out of a node and into it count; with `once`, those into it alone."""
    left = p.nodes.flag(start=1)
    k = p.nodes.count()
    core = p.nodes.count()
    once = p.nodes.flag(start=given("once"))

    degree = p.edges_from(left) + p.where(once, 0, p.edges_to(left))
    k[:] = p.max(k, p.least(degree, unless=~left))
    peeled = left & (degree <= k)
    core[peeled] = k
    left &= ~peeled
    p.halt_unless(p.any(left))
    return {"core": core}
