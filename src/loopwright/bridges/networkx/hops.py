"""Shortest paths in hops, and the functions of NetworkX that choose among the others."""

# NetworkX has no complete types.
# pyright: reportUnknownMemberType=false

from __future__ import annotations

from collections.abc import Iterator
from typing import Any

import networkx as nx

from loopwright.bridges.networkx import shortest
from loopwright.bridges.networkx.costs import Weight
from loopwright.bridges.networkx.declare import answers
from loopwright.bridges.networkx.levels import Levels, breadth_first, by_levels, whole
from loopwright.bridges.networkx.refusal import Refusal
from loopwright.bridges.networkx.routes import bellman_ford, dijkstra
from loopwright.bridges.networkx.shortest import require_node
from loopwright.bridges.networkx.snapshot import Node, Snapshot


def by_hops(G: Snapshot, cutoff: Any = None, **rest: Any) -> None:
    whole("cutoff", cutoff)
    by_levels(G)


def by_hops_back(G: Snapshot, cutoff: Any = None, **rest: Any) -> None:
    whole("cutoff", cutoff)
    by_levels(G, "in")


def by_one_path(G: Snapshot, source: Node, target: Node, **rest: Any) -> None:
    """As for weights: a search from both ends has rules for ties of its own."""
    by_levels(G)
    if source in G and target in G and source != target:
        only_path(breadth_first(G, [source], ties=True), target)


def only_path(levels: Levels, target: Node) -> list[Node]:
    """The way to the target, if it is reached.

    Raises:
        Refusal: if there is another that is as short.
    """
    path = levels.paths().get(target, [])
    before = levels.predecessors()
    if any(len(before[node]) > 1 for node in path):
        raise Refusal(
            "several shortest paths tie, and NetworkX's search from both ends chooses by rules of "
            "its own: use single_source_shortest_path."
        )
    return path


@answers(by_hops)
def single_source_shortest_path_length(
    G: Snapshot, source: Node, cutoff: Any = None
) -> dict[Node, int]:
    require_node(G, source, "Source {} is not in G")
    return breadth_first(G, [source]).lengths(cutoff)


@answers(by_hops_back)
def single_target_shortest_path_length(
    G: Snapshot, target: Node, cutoff: Any = None
) -> dict[Node, int]:
    require_node(G, target, "Target {} is not in G")
    return breadth_first(G, [target], "in").lengths(cutoff)


@answers(by_hops)
def all_pairs_shortest_path_length(
    G: Snapshot, cutoff: Any = None
) -> Iterator[tuple[Node, dict[Node, int]]]:
    for node in G:
        yield node, single_source_shortest_path_length(G, node, cutoff)


@answers(by_hops)
def single_source_shortest_path(
    G: Snapshot, source: Node, cutoff: Any = None
) -> dict[Node, list[Node]]:
    require_node(G, source, "Source {} not in G")
    return breadth_first(G, [source]).paths(cutoff)


@answers(by_hops_back)
def single_target_shortest_path(
    G: Snapshot, target: Node, cutoff: Any = None
) -> dict[Node, list[Node]]:
    require_node(G, target, "Target {} not in G")
    paths = breadth_first(G, [target], "in").paths(cutoff)
    return {node: path[::-1] for node, path in paths.items()}


@answers(by_hops)
def all_pairs_shortest_path(
    G: Snapshot, cutoff: Any = None
) -> Iterator[tuple[Node, dict[Node, list[Node]]]]:
    for node in G:
        yield node, single_source_shortest_path(G, node, cutoff)


@answers(by_one_path)
def bidirectional_shortest_path(G: Snapshot, source: Node, target: Node) -> list[Node]:
    require_node(G, source, "Source {} is not in G")
    require_node(G, target, "Target {} is not in G")
    if source == target:
        return [source]
    path = only_path(breadth_first(G, [source], ties=True), target)
    if not path:
        raise nx.NetworkXNoPath(f"No path between {source} and {target}.")
    return path


@answers(by_hops)
def predecessor(
    G: Snapshot,
    source: Node,
    target: Node | None = None,
    cutoff: Any = None,
    return_seen: bool | None = None,
) -> Any:
    require_node(G, source, "Source {} not in G")
    levels = breadth_first(G, [source], ties=True)
    most = max(cutoff, 1) if cutoff else None  # at least one level is searched
    seen, before = levels.lengths(most), levels.predecessors()
    found = {node: before[node] for node in seen}
    if target is None:
        return (found, seen) if return_seen else found
    if target not in found:
        return ([], -1) if return_seen else []
    return (found[target], seen[target]) if return_seen else found[target]


@answers(by_hops)
def has_path(G: Snapshot, source: Node, target: Node) -> bool:
    require_node(G, source, "Source {} is not in G")
    require_node(G, target, "Target {} is not in G")
    return target in breadth_first(G, [source]).lengths()


# ── which of them: NetworkX's `shortest_path` and `shortest_path_length` ────────────────────────

METHODS = ("dijkstra", "bellman-ford")


def by_method(
    G: Snapshot,
    source: Node | None = None,
    target: Node | None = None,
    weight: Weight = None,
    method: str = "dijkstra",
) -> None:
    if method not in METHODS or not len(G):
        return
    back = source is None and target is not None
    if weight is None:
        by_levels(G, "in" if back else "out")
    elif back:
        edges = shortest.dijkstra_edges if method == "dijkstra" else shortest.bellman_ford_edges
        edges(G, weight, "in")
    elif method == "dijkstra":
        shortest.by_dijkstra(G, weight)
    else:
        shortest.by_bellman_ford(G, weight)


def by_one_path_or_method(
    G: Snapshot,
    source: Node | None = None,
    target: Node | None = None,
    weight: Weight = None,
    method: str = "dijkstra",
) -> None:
    if source is None or target is None or (method == "bellman-ford" and weight is not None):
        by_method(G, source, target, weight, method)
    elif method in METHODS:
        check = by_one_path if weight is None else shortest.by_one_path
        check(G, source, target, weight=weight)


def require_method(method: str) -> None:
    if method not in METHODS:
        raise ValueError(f"method not supported: {method}")


def _routes_to(G: Snapshot, target: Node, weight: Weight, method: str) -> Any:
    if method == "dijkstra":
        require_node(G, target, "Node {} not found in graph")
        return dijkstra(G, shortest.dijkstra_edges(G, weight, "in"), [target])
    require_node(G, target, "Source {} not in G")
    return bellman_ford(G, shortest.bellman_ford_edges(G, weight, "in"), [target])


@answers(by_one_path_or_method)
def shortest_path(
    G: Snapshot,
    source: Node | None = None,
    target: Node | None = None,
    weight: Weight = None,
    method: str = "dijkstra",
) -> Any:
    require_method(method)
    if target is None:
        if weight is None:
            one, every = single_source_shortest_path, all_pairs_shortest_path
            return every(G) if source is None else one(G, source)
        if method == "dijkstra":
            one, every = shortest.single_source_dijkstra_path, shortest.all_pairs_dijkstra_path
        else:
            one = shortest.single_source_bellman_ford_path
            every = shortest.all_pairs_bellman_ford_path
        return every(G, weight=weight) if source is None else one(G, source, weight=weight)
    if source is None:
        if weight is None:
            require_node(G, target, "Source {} not in G")
            paths = breadth_first(G, [target], "in").paths()
        else:
            paths = _routes_to(G, target, weight, method).paths()
        return {node: path[::-1] for node, path in paths.items()}
    if weight is None:
        return bidirectional_shortest_path(G, source, target)
    if method == "dijkstra":
        return shortest.bidirectional_dijkstra(G, source, target, weight)[1]
    return shortest.bellman_ford_path(G, source, target, weight)


@answers(by_method)
def shortest_path_length(
    G: Snapshot,
    source: Node | None = None,
    target: Node | None = None,
    weight: Weight = None,
    method: str = "dijkstra",
) -> Any:
    require_method(method)
    if target is None:
        if weight is None:
            one, every = single_source_shortest_path_length, all_pairs_shortest_path_length
            return every(G) if source is None else one(G, source)
        if method == "dijkstra":
            one = shortest.single_source_dijkstra_path_length
            every = shortest.all_pairs_dijkstra_path_length
        else:
            one = shortest.single_source_bellman_ford_path_length
            every = shortest.all_pairs_bellman_ford_path_length
        return every(G, weight=weight) if source is None else one(G, source, weight=weight)
    if source is None:
        if weight is None:
            require_node(G, target, "Source {} is not in G")
            return breadth_first(G, [target], "in").lengths()
        return _routes_to(G, target, weight, method).lengths()
    if weight is None:
        require_node(G, source, "Source {} is not in G")
        require_node(G, target, "Target {} is not in G")
        lengths = breadth_first(G, [source]).lengths()
        if target not in lengths:
            raise nx.NetworkXNoPath(f"No path between {source} and {target}.")
        return lengths[target]
    if method == "dijkstra":
        return shortest.dijkstra_path_length(G, source, target, weight)
    return shortest.bellman_ford_path_length(G, source, target, weight)
