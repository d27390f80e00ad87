"""Spanning trees of least and of greatest weight, as Kruskal's algorithm finds them."""

# NetworkX has no complete types.
# pyright: reportUnknownMemberType=false, reportUnknownVariableType=false
# pyright: reportUnknownArgumentType=false

from __future__ import annotations

from collections.abc import Hashable, Iterator
from math import isnan
from numbers import Real
from typing import Any

import networkx as nx

from loopwright.bridges.networkx.asking import ask, certify
from loopwright.bridges.networkx.columns import Columns
from loopwright.bridges.networkx.costs import exact_cost
from loopwright.bridges.networkx.declare import answers
from loopwright.bridges.networkx.edges import Edges, weighed
from loopwright.bridges.networkx.programs.marks import spanning_forest
from loopwright.bridges.networkx.refusal import Refusal
from loopwright.bridges.networkx.snapshot import Node, Snapshot

OTHERS = ("prim", "boruvka", "borůvka")
Number = tuple[Node, Node]


def by_forest(
    G: Snapshot,
    algorithm: str = "kruskal",
    weight: Hashable = "weight",
    ignore_nan: bool = False,
    **rest: Any,
) -> None:
    """The tree of another algorithm has the same weight, but perhaps not the same edges."""
    if G.directed:
        return  # NetworkX says so itself
    if algorithm in OTHERS:
        raise Refusal(f"of edges that tie, {algorithm} takes others: use kruskal.")
    if G.multigraph:
        raise Refusal("a matrix has one edge between two nodes: reduce the multigraph first.")
    if algorithm == "kruskal" and len(G):
        for minimum in (True, False):
            edges = edges_of(G, weight, minimum=minimum, ignore_nan=ignore_nan)
            certify(spanning_forest, edges, far_of(edges))


def edges_of(graph: Snapshot, weight: Hashable, *, minimum: bool, ignore_nan: bool) -> Edges:
    """Kruskal takes edges by weight, and those that tie in the order of the graph. So no two edges
    weigh the same here, and there is one lightest forest: an edge weighs how many weights are less
    than its own (or greater, for the heaviest forest), times more than there are edges, plus its
    place. Only the order of weights matters, so floats of any kind will do.
    """

    def weigh() -> dict[Number, int]:
        given = {(u, v): data.get(weight, 1) for u, v, data in graph.edges() if u != v}
        if any(isinstance(each, Real) and isnan(each) for each in given.values()):
            raise Refusal("a weight is NaN.")
        stride = len(given) + 1
        heights = sorted({exact_cost(each) for each in given.values()}, reverse=not minimum)
        height = {cost: k for k, cost in enumerate(heights)}
        return {
            ends: height[exact_cost(each)] * stride + place
            for place, (ends, each) in enumerate(given.items(), start=1)
        }

    return weighed(graph, ("forest", weight, minimum), weigh)


def far_of(edges: Edges) -> dict[str, int]:
    weights = edges.graph.floats
    return {"far": int(weights.max()) + 1 if len(weights) else 1}


def forest(graph: Snapshot, weight: Hashable, *, minimum: bool) -> Iterator[tuple[Node, Node, Any]]:
    """Its edges, lightest first, as the graph has them."""
    edges = edges_of(graph, weight, minimum=minimum, ignore_nan=False)
    prev = Columns(graph, ask(spanning_forest, edges, far_of(edges)))["prev"]
    taken = {frozenset((row, before)) for row, before in enumerate(prev) if row != before}
    found = [
        (u, v, data)
        for u, v, data in graph.edges()
        if frozenset((graph.row(u), graph.row(v))) in taken
    ]
    yield from sorted(found, key=lambda edge: edge[2].get(weight, 1), reverse=not minimum)


def spanning_edges(
    graph: Snapshot, algorithm: str, weight: Hashable, data: bool, *, minimum: bool
) -> Iterator[Any]:
    if algorithm not in ("kruskal", *OTHERS):
        raise ValueError(f"{algorithm} is not a valid choice for an algorithm.")
    return _spanning_edges(graph, weight, data, minimum=minimum)


def _spanning_edges(
    graph: Snapshot, weight: Hashable, data: bool, *, minimum: bool
) -> Iterator[Any]:
    if len(graph):
        for u, v, attributes in forest(graph, weight, minimum=minimum):
            yield (u, v, attributes) if data else (u, v)


def spanning_tree(graph: Snapshot, algorithm: str, weight: Hashable, *, minimum: bool) -> Any:
    if graph.directed:
        raise nx.NetworkXNotImplemented("not implemented for directed type")
    edges = list(spanning_edges(graph, algorithm, weight, True, minimum=minimum))
    tree = graph.kind()
    tree.graph.update(graph.attributes)
    tree.add_nodes_from(graph.nodes.items())
    tree.add_edges_from(edges)
    return tree


@answers(by_forest)
def minimum_spanning_edges(
    G: Snapshot,
    algorithm: str = "kruskal",
    weight: Hashable = "weight",
    keys: bool = True,
    data: bool = True,
    ignore_nan: bool = False,
) -> Iterator[Any]:
    return spanning_edges(G, algorithm, weight, data, minimum=True)


@answers(by_forest)
def maximum_spanning_edges(
    G: Snapshot,
    algorithm: str = "kruskal",
    weight: Hashable = "weight",
    keys: bool = True,
    data: bool = True,
    ignore_nan: bool = False,
) -> Iterator[Any]:
    return spanning_edges(G, algorithm, weight, data, minimum=False)


@answers(by_forest)
def minimum_spanning_tree(
    G: Snapshot, weight: Hashable = "weight", algorithm: str = "kruskal", ignore_nan: bool = False
) -> Any:
    return spanning_tree(G, algorithm, weight, minimum=True)


@answers(by_forest)
def maximum_spanning_tree(
    G: Snapshot, weight: Hashable = "weight", algorithm: str = "kruskal", ignore_nan: bool = False
) -> Any:
    return spanning_tree(G, algorithm, weight, minimum=False)
