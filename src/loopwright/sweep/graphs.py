"""Graphs that press on one limit each, and what is right on them."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

import networkx as nx

from loopwright.errors import LoopwrightError
from loopwright.model import Model
from loopwright.runtime.graph import Graph

Truth = dict[str, dict[Any, Any]]


def path(n: int, weight: float = 1.0) -> nx.DiGraph:
    """0 → 1 → … → n − 1: as many levels and as long a distance as n nodes can have."""
    graph: nx.DiGraph = nx.DiGraph()
    graph.add_nodes_from(range(n))
    graph.add_weighted_edges_from((node, node + 1, weight) for node in range(n - 1))
    return graph


def fork(shorter: float, difference: float) -> nx.DiGraph:
    """Two ways from 0 to 3: 0 → 2 → 3 is longer by `difference`, but 2 is found first."""
    graph: nx.DiGraph = nx.DiGraph()
    graph.add_nodes_from(range(4))
    edges = [(0, 2, shorter / 4), (2, 3, 3 * shorter / 4 + difference)]
    edges += [(0, 1, shorter / 2), (1, 3, shorter / 2)]
    graph.add_weighted_edges_from(edges)
    return graph


def shortest_paths(graph: nx.DiGraph) -> Truth:
    """Distances and predecessors by NetworkX; the graphs here have one shortest path each."""
    before, lengths = nx.dijkstra_predecessor_and_distance(graph, 0)
    return {
        "dists": {node: lengths.get(node) for node in graph},
        "prev": {node: (before.get(node) or [node])[0] for node in graph},
    }


def breadth_first(graph: nx.DiGraph) -> Truth:
    found = {node: node for node in graph} | dict(nx.bfs_predecessors(graph, 0))
    return {"prev": found}


ORACLES: dict[str, Callable[[nx.DiGraph], Truth]] = {
    "dijkstra": shortest_paths,
    "bfs": breadth_first,
}


def is_right(model: Model, graph: nx.DiGraph, *, machine: str = "native") -> bool:
    """Whether an unchecked run gives the right answer, and in time."""
    try:
        answer = model.run(Graph.of(graph), source=0, machine=machine, checked=False, scale=1)
    except LoopwrightError:
        return False
    truth = ORACLES[model.name](graph)
    return all(
        same(model, answer.result[name][node], wanted)
        for name, column in truth.items()
        for node, wanted in column.items()
    )


def same(model: Model, found: Any, wanted: Any) -> bool:
    """Exactly; under softmax a length may be off by what is guaranteed, a quarter of ε."""
    if model.attention == "hardmax" or None in (found, wanted):
        return found == wanted
    return abs(found - wanted) <= float(model.constants.resolution) / 4
