"""A NetworkX graph as it was when it was converted: nodes and edges, in NetworkX's order."""

# NetworkX has no complete types.
# pyright: reportUnknownArgumentType=false, reportUnknownMemberType=false
# pyright: reportUnknownVariableType=false, reportUnknownParameterType=false

from __future__ import annotations

import threading
import weakref
from collections.abc import Callable, Hashable, Iterator, Mapping
from functools import cached_property
from typing import Any, Literal, TypeVar

import networkx as nx

Node = Hashable
Direction = Literal["out", "in", "both"]
"""Which neighbours of a node: those that it has edges to, from, or either, the latter first."""
Found = TypeVar("Found")


class Snapshot:
    """What NetworkX calls the backend's graph. Attributes of edges are those of the original.

    Conversion takes the time of a copy of the edges, once: NetworkX keeps the snapshot with its
    graph, in `__networkx_cache__`, until that changes; what is made from it (`kept`) lasts as long.
    """

    __networkx_backend__ = "loopwright"

    def __init__(self, graph: Any) -> None:
        self.kind: type[Any] = graph.__class__
        self.directed, self.multigraph = graph.is_directed(), graph.is_multigraph()
        self.attributes = dict(graph.graph)
        self.nodes: dict[Node, dict[str, Any]] = dict(graph._node)
        self.succ: dict[Node, dict[Node, Any]] = {u: dict(of) for u, of in graph._adj.items()}
        self.pred = self.succ
        if self.directed:
            self.pred = {u: dict(of) for u, of in graph._pred.items()}
        self._kept: dict[Hashable, Any] = {}

    def __len__(self) -> int:
        return len(self.nodes)

    def __iter__(self) -> Iterator[Node]:
        return iter(self.nodes)

    def __contains__(self, node: object) -> bool:
        try:
            return node in self.nodes
        except TypeError:  # what cannot be hashed is no node
            return False

    def is_directed(self) -> bool:
        return self.directed

    def is_multigraph(self) -> bool:
        return self.multigraph

    @cached_property
    def rows(self) -> dict[Node, int]:
        """The place of each node in NetworkX's order, from 0."""
        return {node: row for row, node in enumerate(self.nodes)}

    @cached_property
    def labels(self) -> list[Node]:
        return list(self.nodes)

    def row(self, node: Node) -> int:
        return self.rows[node]

    def neighbours(self, direction: Direction) -> Mapping[Node, Mapping[Node, Any]]:
        """For each node its neighbours in NetworkX's order, with the attributes of the edges."""
        if direction == "out" or not self.directed:
            return self.succ
        if direction == "in":
            return self.pred
        return {node: self.pred[node] | self.succ[node] for node in self.nodes}

    def edges(self) -> Iterator[tuple[Node, Node, Any]]:
        """Every edge once, in the order of `G.edges`."""
        seen = set[Node]()
        for u, of in self.succ.items():
            for v, data in of.items():
                if self.directed or v not in seen:
                    yield u, v, data
            seen.add(u)

    def kept(self, key: Hashable, make: Callable[[], Found]) -> Found:
        """What was made under this key, or is made now."""
        if key not in self._kept:
            self._kept[key] = make()
        return self._kept[key]

    def to_networkx(self) -> nx.Graph[Any]:
        """A NetworkX graph with the same nodes, edges and attributes, in the same order."""
        made = self.kind()
        made.graph.update(self.attributes)
        made.add_nodes_from(self.nodes.items())
        for u, of in self.succ.items():
            made._adj[u].update(of)
        if self.directed:
            for u, of in self.pred.items():
                made._pred[u].update(of)
        return made


class _Handed(threading.local):
    """What `can_run` made, until NetworkX asks for the conversion of the same graph: a call makes
    one snapshot, not two. Between the two nobody else's code runs in this thread."""

    graph: Callable[[], Any] | None = None
    snapshot: Snapshot | None = None


_handed = _Handed()


def look_at(graph: Any) -> Snapshot:
    """A graph's snapshot before it is converted: the one that NetworkX keeps with it, or a new one,
    which `convert` will take."""
    if isinstance(graph, Snapshot):
        return graph
    cache: Any = getattr(graph, "__networkx_cache__", None)
    if cache and nx.config.cache_converted_graphs:
        kept = cache.get("backends", {}).get("loopwright", {}).values()
        for each in kept:
            if isinstance(each, Snapshot):
                return each
    made = Snapshot(graph)
    _handed.graph, _handed.snapshot = weakref.ref(graph), made
    return made


def convert(graph: Any) -> Snapshot:
    """A graph's snapshot, for NetworkX, which keeps it with the graph."""
    before, made = _handed.graph, _handed.snapshot
    forget()
    if before is not None and before() is graph and made is not None:
        return made
    return graph if isinstance(graph, Snapshot) else Snapshot(graph)


def forget() -> None:
    """No conversion follows: the answer was refused."""
    _handed.graph = _handed.snapshot = None
