"""Shortest paths with weights: the families of Dijkstra, and of Bellman and Ford."""

# NetworkX has no complete types.
# pyright: reportUnknownMemberType=false

from __future__ import annotations

from collections.abc import Iterable, Iterator
from typing import Any

import networkx as nx

from loopwright.bridges.networkx.asking import certify
from loopwright.bridges.networkx.costs import Weight, cost_of
from loopwright.bridges.networkx.declare import answers
from loopwright.bridges.networkx.edges import Edges, places_and_costs
from loopwright.bridges.networkx.programs.shortest import bellman_ford_in_order, dijkstra_in_order
from loopwright.bridges.networkx.refusal import Refusal
from loopwright.bridges.networkx.routes import Routes, bellman_ford, dijkstra, question
from loopwright.bridges.networkx.snapshot import Direction, Node, Snapshot

# ── what is seen beforehand ─────────────────────────────────────────────────────────────────────


def dijkstra_edges(graph: Snapshot, weight: Weight, direction: Direction = "out") -> Edges:
    """Weights of 0 are right, negative ones are not: a node that was popped stays as it is."""
    edges = places_and_costs(graph, direction, weight)
    assert edges.costs is not None
    if edges.costs.least < 0:
        raise Refusal(
            "Dijkstra's algorithm is wrong with negative weights: use Bellman and Ford's."
        )
    return edges


def bellman_ford_edges(graph: Snapshot, weight: Weight, direction: Direction = "out") -> Edges:
    """Every edge has a weight, of any sign."""
    edges = places_and_costs(graph, direction, weight)
    assert edges.costs is not None
    if len(edges.costs.given) < sum(map(len, graph.neighbours(direction).values())):
        raise Refusal("the weight function hides edges, which NetworkX does for Dijkstra alone.")
    return edges


def by_dijkstra(G: Snapshot, weight: Weight = "weight", cutoff: Any = None, **rest: Any) -> None:
    if len(G):
        edges = dijkstra_edges(G, weight)
        assert edges.costs is not None
        edges.costs.within(cutoff, edges.longest)
        certify(dijkstra_in_order, edges, question(edges, []))


def by_bellman_ford(G: Snapshot, weight: Weight = "weight", **rest: Any) -> None:
    if len(G):
        edges = bellman_ford_edges(G, weight)
        certify(bellman_ford_in_order, edges, question(edges, [], bound=False))


def by_one_path(
    G: Snapshot, source: Node, target: Node, weight: Weight = "weight", **rest: Any
) -> None:
    """A search from both ends has rules for ties of its own: refuse unless the path is the only
    one. That takes a run; the call finds its answer."""
    by_dijkstra(G, weight)
    if source in G and target in G and source != target:
        routes = dijkstra(G, dijkstra_edges(G, weight), [source], ties=True)
        only_path(routes, target)


def only_path(routes: Routes, target: Node) -> list[Node]:
    """The way to the target.

    Raises:
        Refusal: if there is another that is as short.
    """
    path = routes.path(target) if target in routes else []
    if any(len(routes.predecessors().get(node, ())) > 1 for node in path):
        raise Refusal(
            "several shortest paths tie, and NetworkX's search from both ends chooses by rules of "
            "its own: use single_source_dijkstra, or single_source_shortest_path."
        )
    return path


# ── Dijkstra ────────────────────────────────────────────────────────────────────────────────────


@answers(by_dijkstra)
def multi_source_dijkstra(
    G: Snapshot,
    sources: Any,
    target: Node | None = None,
    cutoff: Any = None,
    weight: Weight = "weight",
) -> Any:
    require_sources(G, sources)
    if target in sources:
        return (0, [target])
    routes = dijkstra(G, dijkstra_edges(G, weight), sources, cutoff)
    if target is None:
        return (routes.lengths(), routes.paths())
    if target not in routes:
        raise nx.NetworkXNoPath(f"No path to {target}.")
    return (routes.length(target), routes.path(target))


@answers(by_dijkstra)
def multi_source_dijkstra_path_length(
    G: Snapshot, sources: Any, cutoff: Any = None, weight: Weight = "weight"
) -> dict[Node, Any]:
    require_sources(G, sources)
    return dijkstra(G, dijkstra_edges(G, weight), sources, cutoff).lengths()


@answers(by_dijkstra)
def multi_source_dijkstra_path(
    G: Snapshot, sources: Any, cutoff: Any = None, weight: Weight = "weight"
) -> dict[Node, list[Node]]:
    return multi_source_dijkstra(G, sources, cutoff=cutoff, weight=weight)[1]


@answers(by_dijkstra)
def single_source_dijkstra(
    G: Snapshot,
    source: Node,
    target: Node | None = None,
    cutoff: Any = None,
    weight: Weight = "weight",
) -> Any:
    return multi_source_dijkstra(G, {source}, target, cutoff, weight)


@answers(by_dijkstra)
def single_source_dijkstra_path(
    G: Snapshot, source: Node, cutoff: Any = None, weight: Weight = "weight"
) -> dict[Node, list[Node]]:
    return multi_source_dijkstra_path(G, {source}, cutoff, weight)


@answers(by_dijkstra)
def single_source_dijkstra_path_length(
    G: Snapshot, source: Node, cutoff: Any = None, weight: Weight = "weight"
) -> dict[Node, Any]:
    return multi_source_dijkstra_path_length(G, {source}, cutoff, weight)


@answers(by_dijkstra)
def dijkstra_path(G: Snapshot, source: Node, target: Node, weight: Weight = "weight") -> list[Node]:
    return single_source_dijkstra(G, source, target, weight=weight)[1]


@answers(by_dijkstra)
def dijkstra_path_length(G: Snapshot, source: Node, target: Node, weight: Weight = "weight") -> Any:
    require_node(G, source, "Node {} not found in graph")
    if source == target:
        return 0
    routes = dijkstra(G, dijkstra_edges(G, weight), [source])
    if target not in routes:
        raise nx.NetworkXNoPath(f"Node {target} not reachable from {source}")
    return routes.length(target)


@answers(by_dijkstra)
def dijkstra_predecessor_and_distance(
    G: Snapshot, source: Node, cutoff: Any = None, weight: Weight = "weight"
) -> tuple[dict[Node, list[Node]], dict[Node, Any]]:
    require_node(G, source, "Node {} is not found in the graph")
    routes = dijkstra(G, dijkstra_edges(G, weight), [source], cutoff, ties=True)
    return routes.predecessors(), routes.lengths()


@answers(by_dijkstra)
def all_pairs_dijkstra(
    G: Snapshot, cutoff: Any = None, weight: Weight = "weight"
) -> Iterator[tuple[Node, Any]]:
    for node in G:
        yield node, single_source_dijkstra(G, node, cutoff=cutoff, weight=weight)


@answers(by_dijkstra)
def all_pairs_dijkstra_path_length(
    G: Snapshot, cutoff: Any = None, weight: Weight = "weight"
) -> Iterator[tuple[Node, dict[Node, Any]]]:
    for node in G:
        yield node, single_source_dijkstra_path_length(G, node, cutoff, weight)


@answers(by_dijkstra)
def all_pairs_dijkstra_path(
    G: Snapshot, cutoff: Any = None, weight: Weight = "weight"
) -> Iterator[tuple[Node, dict[Node, list[Node]]]]:
    for node in G:
        yield node, single_source_dijkstra_path(G, node, cutoff, weight)


@answers(by_one_path)
def bidirectional_dijkstra(
    G: Snapshot, source: Node, target: Node, weight: Weight = "weight"
) -> tuple[Any, list[Node]]:
    require_node(G, source, "Source {} is not in G")
    require_node(G, target, "Target {} is not in G")
    if source == target:
        return (0, [source])
    routes = dijkstra(G, dijkstra_edges(G, weight), [source], ties=True)
    if target not in routes:
        raise nx.NetworkXNoPath(f"No path between {source} and {target}.")
    return routes.length(target), only_path(routes, target)


# ── Bellman and Ford ────────────────────────────────────────────────────────────────────────────


@answers(by_bellman_ford)
def bellman_ford_predecessor_and_distance(
    G: Snapshot,
    source: Node,
    target: Node | None = None,
    weight: Weight = "weight",
    heuristic: bool = False,
) -> tuple[dict[Node, list[Node]], dict[Node, Any]]:
    require_node(G, source, "Node {} is not found in the graph")
    if has_negative_loop(G, weight):
        raise nx.NetworkXUnbounded("Negative cycle detected.")
    if len(G) == 1:
        return {source: []}, {source: 0}
    routes = bellman_ford(G, bellman_ford_edges(G, weight), [source], ties=True)
    return routes.predecessors(), routes.lengths()


@answers(by_bellman_ford)
def single_source_bellman_ford(
    G: Snapshot, source: Node, target: Node | None = None, weight: Weight = "weight"
) -> Any:
    if source == target:
        require_node(G, source, "Node {} is not found in the graph")
        return (0, [source])
    require_node(G, source, "Source {} not in G")
    routes = bellman_ford(G, bellman_ford_edges(G, weight), [source])
    if target is None:
        return routes.lengths(), routes.paths()
    if target not in routes:
        raise nx.NetworkXNoPath(f"Target {target} cannot be reached from given sources")
    return routes.length(target), routes.path(target)


@answers(by_bellman_ford)
def bellman_ford_path(
    G: Snapshot, source: Node, target: Node, weight: Weight = "weight"
) -> list[Node]:
    return single_source_bellman_ford(G, source, target, weight)[1]


@answers(by_bellman_ford)
def bellman_ford_path_length(
    G: Snapshot, source: Node, target: Node, weight: Weight = "weight"
) -> Any:
    if source == target:
        require_node(G, source, "Node {} not found in graph")
        return 0
    lengths = single_source_bellman_ford_path_length(G, source, weight)
    if target not in lengths:
        raise nx.NetworkXNoPath(f"node {target} not reachable from {source}")
    return lengths[target]


@answers(by_bellman_ford)
def single_source_bellman_ford_path(
    G: Snapshot, source: Node, weight: Weight = "weight"
) -> dict[Node, list[Node]]:
    return single_source_bellman_ford(G, source, weight=weight)[1]


@answers(by_bellman_ford)
def single_source_bellman_ford_path_length(
    G: Snapshot, source: Node, weight: Weight = "weight"
) -> dict[Node, Any]:
    require_node(G, source, "Source {} not in G")
    return bellman_ford(G, bellman_ford_edges(G, weight), [source]).lengths()


@answers(by_bellman_ford)
def all_pairs_bellman_ford_path_length(
    G: Snapshot, weight: Weight = "weight"
) -> Iterator[tuple[Node, dict[Node, Any]]]:
    for node in G:
        yield node, single_source_bellman_ford_path_length(G, node, weight)


@answers(by_bellman_ford)
def all_pairs_bellman_ford_path(
    G: Snapshot, weight: Weight = "weight"
) -> Iterator[tuple[Node, dict[Node, list[Node]]]]:
    for node in G:
        yield node, single_source_bellman_ford_path(G, node, weight)


@answers(by_bellman_ford)
def negative_edge_cycle(G: Snapshot, weight: Weight = "weight", heuristic: bool = True) -> bool:
    """NetworkX adds a node with an edge to every other; here all nodes are sources."""
    if not any(G.succ.values()):
        return False
    if has_negative_loop(G, weight):
        return True
    try:
        bellman_ford(G, bellman_ford_edges(G, weight), G)
    except nx.NetworkXUnbounded:
        return True
    return False


# ── as NetworkX says it ─────────────────────────────────────────────────────────────────────────


def require_sources(graph: Snapshot, sources: Iterable[Node]) -> None:
    if not sources:
        raise ValueError("sources must not be empty")
    for source in sources:
        require_node(graph, source, "Node {} not found in graph")


def require_node(graph: Snapshot, node: Node, message: str) -> None:
    if node not in graph:
        raise nx.NodeNotFound(message.format(node))


def has_negative_loop(graph: Snapshot, weight: Weight) -> bool:
    """Of each parallel edge, as NetworkX looks at them."""
    loops = ((u, of[u]) for u, of in graph.succ.items() if u in of)
    return any(
        cost_of(graph, weight, u, u, {key: each} if graph.multigraph else each) < 0
        for u, data in loops
        for key, each in (data.items() if graph.multigraph else [(0, data)])
    )
