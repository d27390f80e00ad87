"""The matrix that a model sees: places among neighbours, weights, or both."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass
from typing import Any

import numpy as np

from loopwright.bridges.networkx.costs import Costs, Weight, read_costs
from loopwright.bridges.networkx.snapshot import Direction, Snapshot
from loopwright.runtime.graph import Graph


@dataclass(frozen=True)
class Edges:
    """A graph for a model, and the sizes that its programs are told."""

    graph: Graph
    """Nodes are numbered in NetworkX's order, from 0; twins come after all nodes."""
    nodes: int
    stride: int
    """One more than the most neighbours of a node: the places of one node's stay below it."""
    costs: Costs | None = None

    @property
    def twins(self) -> bool:
        return self.graph.n > self.nodes

    @property
    def longest(self) -> int:
        """No simple path costs more, in units."""
        assert self.costs is not None
        return self.nodes * max(abs(self.costs.least), abs(self.costs.most), 1)


def places(graph: Snapshot, direction: Direction) -> Edges:
    """Ã[u, v] is the place of v among the neighbours of u, from 1."""
    return graph.kept(("places", direction), lambda: _edges(graph, direction, None))


def places_and_costs(graph: Snapshot, direction: Direction, weight: Weight) -> Edges:
    """Ã[u, v] is the cost of an edge, plus the offset; Ã[twin of u, v] is the place of v.

    What a function says of the edges is not kept: it may say otherwise the next time.
    """
    if not isinstance(weight, str):
        return _edges(graph, direction, read_costs(graph, weight, direction))
    key = ("places and costs", direction, weight)
    return graph.kept(key, lambda: _edges(graph, direction, read_costs(graph, weight, direction)))


def _edges(graph: Snapshot, direction: Direction, costs: Costs | None) -> Edges:
    n, rows = len(graph), graph.rows
    ends, entries = list[tuple[int, int]](), list[int]()
    twins, places = list[tuple[int, int]](), list[int]()
    most = 0
    for u, of in graph.neighbours(direction).items():
        most = max(most, len(of))
        for place, v in enumerate(of, start=1):
            if costs is None:
                ends.append((rows[u], rows[v]))
                entries.append(place)
            elif (u, v) in costs.units:
                ends.append((rows[u], rows[v]))
                entries.append(costs.units[u, v] + costs.offset)
                twins.append((rows[u] + n, rows[v]))
                places.append(place)
    rows_of_x = n if costs is None else 2 * n
    made = _graph(rows_of_x, ends + twins, entries + places)
    return Edges(made, n, most + 1, costs)


def weighed(graph: Snapshot, key: Any, weigh: Callable[[], dict[tuple[Any, Any], int]]) -> Edges:
    """Ã[u, v] is what `weigh` says of the edge, in both directions; made once for each key."""

    def make() -> Edges:
        rows, ends, entries = graph.rows, list[tuple[int, int]](), list[int]()
        for (u, v), weight in weigh().items():
            ends += [(rows[u], rows[v]), (rows[v], rows[u])]
            entries += [weight, weight]
        return Edges(_graph(len(graph), ends, entries), len(graph), 1)

    return graph.kept(key, make)


def ones(graph: Snapshot) -> Edges:
    """Ã is 1 for every edge."""

    def make() -> Edges:
        rows = graph.rows
        ends = [(rows[u], rows[v]) for u, of in graph.succ.items() for v in of]
        return Edges(_graph(len(graph), ends, [1] * len(ends)), len(graph), 1)

    return graph.kept("ones", make)


def _graph(rows: int, ends: list[tuple[int, int]], entries: list[int]) -> Graph:
    """Sorted by tail and head, as a `Graph` has them."""
    pairs = np.array(ends, dtype=np.int64).reshape(-1, 2)
    weights = np.array(entries, dtype=np.float64)
    order = np.lexsort((pairs[:, 1], pairs[:, 0]))
    return Graph(tuple(range(rows)), pairs[order, 0], pairs[order, 1], weights[order])
