"""Topological orders, and whether there is one."""

# NetworkX has no complete types.
# pyright: reportUnknownMemberType=false

from __future__ import annotations

from collections.abc import Callable, Iterable, Iterator
from itertools import pairwise
from typing import Any

import networkx as nx
import numpy as np

from loopwright.bridges.networkx.asking import ask, certify
from loopwright.bridges.networkx.columns import Columns
from loopwright.bridges.networkx.declare import answers
from loopwright.bridges.networkx.edges import Edges, places
from loopwright.bridges.networkx.programs.order import kahn_in_order
from loopwright.bridges.networkx.refusal import Refusal
from loopwright.bridges.networkx.snapshot import Node, Snapshot

Key = Callable[[Any], Any] | None
UNFEASIBLE = "Graph contains a cycle or graph changed during iteration"


def by_order(G: Snapshot, **rest: Any) -> None:
    if len(G) and G.directed:
        edges = places(G, "out")
        certify(kahn_in_order, edges, inputs_of(edges, range(len(G)), fixed=False))


def by_key(G: Snapshot, key: Key = None) -> None:
    by_order(G)
    if G.multigraph:
        raise Refusal("NetworkX counts parallel edges one by one here, and a matrix has one.")
    ranks(G, key)


def inputs_of(edges: Edges, order: Iterable[int], *, fixed: bool) -> dict[str, Any]:
    return {
        "queued": np.array(list(order), dtype=int),
        "base": edges.nodes,
        "stride": edges.stride,
        "fixed": int(fixed),
    }


def ranks(graph: Snapshot, key: Key) -> list[int]:
    """The place of each node in the order of the keys; nodes of one key stay in their order.

    Raises:
        Refusal: if the keys have no order, or only some of them, as sets.
    """
    keys: list[Any] = [node if key is None else key(node) for node in graph]
    try:
        ordered = sorted(range(len(graph)), key=keys.__getitem__)
        pairs = [(keys[one], keys[next]) for one, next in pairwise(ordered)]
        whole = all(one < next or one == next for one, next in pairs)
    except TypeError as problem:
        raise Refusal(f"the keys of the nodes cannot be compared: {problem}.") from None
    if not whole:
        raise Refusal("the keys of the nodes are not all larger or smaller than one another.")
    places = [0] * len(graph)
    for place, row in enumerate(ordered):
        places[row] = place
    return places


def kahn(graph: Snapshot, order: list[int] | None = None) -> Columns:
    edges = places(graph, "out")
    given = inputs_of(edges, order or range(len(graph)), fixed=order is not None)
    return Columns(graph, ask(kahn_in_order, edges, given))


def require_directed(graph: Snapshot) -> None:
    if not graph.directed:
        raise nx.NetworkXError("Topological sort not defined on undirected graphs.")


@answers(by_order)
def topological_generations(G: Snapshot) -> Iterator[list[Node]]:
    require_directed(G)
    if not len(G):
        return
    columns = kahn(G)
    rows = columns.in_order(columns.where("visited"), by="visited")
    found = dict[int, list[Node]]()
    for row, generation in zip(rows, (columns["generation"][row] for row in rows), strict=True):
        found.setdefault(generation, []).append(G.labels[row])
    yield from found.values()
    if len(rows) < len(G):
        raise nx.NetworkXUnfeasible(UNFEASIBLE)


@answers(by_order)
def topological_sort(G: Snapshot) -> Iterator[Node]:
    for generation in topological_generations(G):
        yield from generation


@answers(by_key)
def lexicographical_topological_sort(G: Snapshot, key: Key = None) -> Iterator[Node]:
    require_directed(G)
    if not len(G):
        return
    columns = kahn(G, ranks(G, key))
    rows = columns.in_order(columns.where("visited"), by="visited")
    yield from columns.names(rows)
    if len(rows) < len(G):
        raise nx.NetworkXUnfeasible(UNFEASIBLE)


@answers(by_order)
def has_cycle(G: Snapshot) -> bool:
    require_directed(G)
    return len(G) > 0 and len(kahn(G).where("visited")) < len(G)


@answers(by_order)
def is_directed_acyclic_graph(G: Snapshot) -> bool:
    return G.directed and not has_cycle(G)
