"""Breadth-first and depth-first searches: edges, trees, orders, predecessors, successors."""

# NetworkX has no complete types.
# pyright: reportUnknownMemberType=false, reportUnknownVariableType=false
# pyright: reportUnknownParameterType=false, reportMissingTypeArgument=false

from __future__ import annotations

from collections import defaultdict
from collections.abc import Callable, Iterator
from typing import Any

import networkx as nx

from loopwright.bridges.networkx.declare import answers, unsupported
from loopwright.bridges.networkx.levels import (
    breadth_first,
    by_levels,
    by_walk,
    depth_first,
    whole,
)
from loopwright.bridges.networkx.snapshot import Node, Snapshot

Sort = Callable[[Any], Any] | None
Edge = tuple[Node, Node]
ORDER = "neighbours are taken in the order of the graph"


def by_search(
    G: Snapshot,
    depth_limit: Any = None,
    reverse: bool = False,
    sort_neighbors: Sort = None,
    neighbors: Sort = None,
    **rest: Any,
) -> None:
    unsupported("sort_neighbors", sort_neighbors, why=ORDER)
    unsupported("neighbors", neighbors, why=ORDER)
    whole("depth_limit", depth_limit)
    by_levels(G, "in" if reverse else "out")


def by_depth(
    G: Snapshot, depth_limit: Any = None, sort_neighbors: Sort = None, **rest: Any
) -> None:
    unsupported("sort_neighbors", sort_neighbors, why=ORDER)
    by_walk(G, depth_limit)


def by_labels(
    G: Snapshot, depth_limit: Any = None, sort_neighbors: Sort = None, **rest: Any
) -> None:
    unsupported("depth_limit", depth_limit, why="the labels of what lies below it are not read out")
    by_depth(G, depth_limit, sort_neighbors)


def by_ancestors(G: Snapshot, **rest: Any) -> None:
    by_levels(G, "in")


def require_neighbours(graph: Snapshot, node: Node) -> None:
    """As `G.neighbors` says it."""
    if node not in graph:
        kind = "digraph" if graph.directed else "graph"
        raise nx.NetworkXError(f"The node {node} is not in the {kind}.")


# ── breadth first ───────────────────────────────────────────────────────────────────────────────


@answers(by_search)
def generic_bfs_edges(
    G: Snapshot, source: Node, neighbors: Sort = None, depth_limit: Any = None
) -> Iterator[Edge]:
    yield from bfs_edges(G, source, depth_limit=depth_limit)


@answers(by_search)
def bfs_edges(
    G: Snapshot,
    source: Node,
    reverse: bool = False,
    depth_limit: Any = None,
    sort_neighbors: Sort = None,
) -> Iterator[Edge]:
    require_neighbours(G, source)
    yield from breadth_first(G, [source], "in" if reverse else "out").edges(depth_limit)


@answers(by_search)
def bfs_tree(
    G: Snapshot,
    source: Node,
    reverse: bool = False,
    depth_limit: Any = None,
    sort_neighbors: Sort = None,
) -> nx.DiGraph:
    tree = nx.DiGraph()
    tree.add_node(source)
    tree.add_edges_from(bfs_edges(G, source, reverse, depth_limit))
    return tree


@answers(by_search)
def bfs_predecessors(
    G: Snapshot, source: Node, depth_limit: Any = None, sort_neighbors: Sort = None
) -> Iterator[Edge]:
    for parent, child in bfs_edges(G, source, depth_limit=depth_limit):
        yield child, parent


@answers(by_search)
def bfs_successors(
    G: Snapshot, source: Node, depth_limit: Any = None, sort_neighbors: Sort = None
) -> Iterator[tuple[Node, list[Node]]]:
    children = {source: list[Node]()}
    for parent, child in bfs_edges(G, source, depth_limit=depth_limit):
        children.setdefault(parent, []).append(child)
    yield from children.items()


@answers(by_search)
def bfs_layers(G: Snapshot, sources: Any) -> Iterator[list[Node]]:
    begin = [sources] if sources in G else list(set(sources))
    for node in begin:
        if node not in G:
            raise nx.NetworkXError(f"The node {node} is not in the graph.")
    if not begin:
        return
    layers = defaultdict[int, list[Node]](list)
    for node, level in breadth_first(G, begin).lengths().items():
        layers[level].append(node)
    yield from layers.values()


@answers(by_search)
def descendants_at_distance(G: Snapshot, source: Node, distance: int) -> set[Node]:
    if source not in G:
        raise nx.NetworkXError(f"The node {source} is not in the graph.")
    found = breadth_first(G, [source]).lengths()
    return {node for node, level in found.items() if level == distance}


@answers(by_search)
def descendants(G: Snapshot, source: Node) -> set[Node]:
    return {child for _, child in bfs_edges(G, source)}


@answers(by_ancestors)
def ancestors(G: Snapshot, source: Node) -> set[Node]:
    return {child for _, child in bfs_edges(G, source, reverse=True)}


# ── depth first ─────────────────────────────────────────────────────────────────────────────────


@answers(by_depth)
def dfs_edges(
    G: Snapshot,
    source: Node | None = None,
    depth_limit: int | None = None,
    *,
    sort_neighbors: Sort = None,
) -> Iterator[Edge]:
    if source is not None:
        require_neighbours(G, source)
    if len(G):
        yield from depth_first(G, source, depth_limit).edges()


@answers(by_depth)
def dfs_tree(
    G: Snapshot,
    source: Node | None = None,
    depth_limit: int | None = None,
    *,
    sort_neighbors: Sort = None,
) -> nx.DiGraph:
    tree = nx.DiGraph()
    tree.add_nodes_from(G if source is None else [source])
    tree.add_edges_from(dfs_edges(G, source, depth_limit))
    return tree


@answers(by_depth)
def dfs_predecessors(
    G: Snapshot,
    source: Node | None = None,
    depth_limit: int | None = None,
    *,
    sort_neighbors: Sort = None,
) -> dict[Node, Node]:
    return {child: parent for parent, child in dfs_edges(G, source, depth_limit)}


@answers(by_depth)
def dfs_successors(
    G: Snapshot,
    source: Node | None = None,
    depth_limit: int | None = None,
    *,
    sort_neighbors: Sort = None,
) -> dict[Node, list[Node]]:
    found = defaultdict[Node, list[Node]](list)
    for parent, child in dfs_edges(G, source, depth_limit):
        found[parent].append(child)
    return dict(found)


@answers(by_depth)
def dfs_preorder_nodes(
    G: Snapshot,
    source: Node | None = None,
    depth_limit: int | None = None,
    *,
    sort_neighbors: Sort = None,
) -> Iterator[Node]:
    if source is not None and source not in G:
        yield source  # as NetworkX does, before it looks for the neighbours
        require_neighbours(G, source)
    if len(G):
        walked = depth_first(G, source, depth_limit)
        yield from walked.columns.names(walked.preorder)


@answers(by_depth)
def dfs_postorder_nodes(
    G: Snapshot,
    source: Node | None = None,
    depth_limit: int | None = None,
    *,
    sort_neighbors: Sort = None,
) -> Iterator[Node]:
    """Without those at the limit of the depth, which NetworkX does not enter."""
    if source is not None:
        require_neighbours(G, source)
    if len(G):
        walked = depth_first(G, source, depth_limit)
        most = len(G) if depth_limit is None else max(depth_limit, 1)
        rows = [row for row in walked.postorder if walked.depth[row] <= most]
        yield from walked.columns.names(rows)


@answers(by_labels)
def dfs_labeled_edges(
    G: Snapshot,
    source: Node | None = None,
    depth_limit: int | None = None,
    *,
    sort_neighbors: Sort = None,
) -> Iterator[tuple[Node, Node, str]]:
    """Every edge where the search looked at it: the tree's where it went down and came back."""
    if source is not None and source not in G:
        yield source, source, "forward"
        require_neighbours(G, source)
    if not len(G):
        return
    walked = depth_first(G, source)
    parent = {G.labels[v]: G.labels[walked.prev[v]] for v in walked.preorder}
    for root in walked.columns.names(row for row in walked.preorder if walked.depth[row] == 1):
        yield root, root, "forward"
        path = [(root, iter(G.succ[root]))]
        while path:
            node, rest = path[-1]
            for child in rest:
                if child == parent.get(child) or parent.get(child) != node:
                    yield node, child, "nontree"
                else:
                    yield node, child, "forward"
                    path.append((child, iter(G.succ[child])))
                    break
            else:
                path.pop()
                if path:
                    yield path[-1][0], node, "reverse"
        yield root, root, "reverse"
