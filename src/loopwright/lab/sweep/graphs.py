"""Graphs that press on one limit each, and what is right on them, by NetworkX."""

# networkx has no types of its own.
# pyright: reportMissingTypeArgument=false, reportUnknownArgumentType=false
# pyright: reportUnknownLambdaType=false, reportUnknownMemberType=false
# pyright: reportUnknownParameterType=false, reportUnknownVariableType=false

from __future__ import annotations

from collections.abc import Callable, Iterable
from typing import Any

import networkx as nx

from loopwright.errors import LoopwrightError
from loopwright.model.weights import Weights
from loopwright.runtime.decode import Answer
from loopwright.runtime.machines import Machine
from loopwright.runtime.run import run

Truth = dict[str, dict[Any, Any]]
Oracle = Callable[[Any], Truth]
"""Says of a networkx graph what is right on it."""


def path(n: int, weight: float = 1.0) -> nx.DiGraph:
    """0 → 1 → … → n − 1: as many levels and as long a distance as n nodes can have."""
    graph: nx.DiGraph = nx.DiGraph()
    graph.add_nodes_from(range(n))
    graph.add_weighted_edges_from((node, node + 1, weight) for node in range(n - 1))
    return graph


def fork(difference: float) -> Any:
    """Two ways from 0 to 3, and two edges to 4: by 2 they are longer by `difference`."""
    graph: nx.DiGraph = nx.DiGraph()
    graph.add_nodes_from(range(5))
    graph.add_weighted_edges_from([(0, 1, 2.0), (1, 3, 2.0), (1, 4, 4.0)])
    graph.add_weighted_edges_from([(0, 2, 1.0), (2, 3, 3 + difference), (2, 4, 4 + difference)])
    return graph


# ── what is right on a path ─────────────────────────────────────────────────────────────────────


def predecessors(graph: nx.DiGraph, found: Iterable[tuple[Any, Any]]) -> Truth:
    """Who found each node; a node that nobody found is its own predecessor."""
    return {"prev": {node: node for node in graph} | dict(found)}


def shortest_paths(graph: nx.DiGraph) -> Truth:
    before, lengths = nx.dijkstra_predecessor_and_distance(graph, 0)
    first = ((node, nodes[0]) for node, nodes in before.items() if nodes)
    return {"dists": {node: lengths.get(node) for node in graph}} | predecessors(graph, first)


def breadth_first(graph: nx.DiGraph) -> Truth:
    return predecessors(graph, nx.bfs_predecessors(graph, 0))


def depth_first(graph: nx.DiGraph) -> Truth:
    return predecessors(graph, nx.dfs_predecessors(graph, 0).items())


def spanning_tree(graph: nx.DiGraph) -> Truth:
    tree = nx.minimum_spanning_tree(graph.to_undirected())
    return predecessors(graph, nx.bfs_predecessors(tree, 0))


def parts(found: Iterable[set[Any]]) -> Truth:
    return {"component": {node: min(part) for part in found for node in part}}


def topological_order(graph: nx.DiGraph) -> Truth:
    order = list(nx.topological_sort(graph))
    following = dict(zip(order, [*order[1:], order[-1]], strict=True))
    return {"next": following, "head": {node: node == order[0] for node in graph}}


def cuts(graph: nx.DiGraph) -> Truth:
    found = set(nx.articulation_points(graph.to_undirected()))
    return {"cut": {node: node in found for node in graph}}


def bridges(graph: nx.DiGraph) -> Truth:
    """A bridge is marked at that end which a search from 0 finds last."""
    found = {max(edge) for edge in nx.bridges(graph.to_undirected())}
    return {"bridge": {node: node in found for node in graph}} | depth_first(graph)


ORACLES: dict[str, Oracle] = {
    "dijkstra": shortest_paths,
    "bellman-ford": shortest_paths,
    "dag-shortest-paths": shortest_paths,
    "multitask": shortest_paths,
    "prim": spanning_tree,
    "bfs": breadth_first,
    "dfs": depth_first,
    "scc": lambda graph: parts(nx.strongly_connected_components(graph)),
    "components": lambda graph: parts(nx.connected_components(graph.to_undirected())),
    "topological-sort": topological_order,
    "articulation-points": cuts,
    "bridges": bridges,
}
"""All algorithms that need no more than a graph. A path has one answer, whatever ties do."""


# ── runs ────────────────────────────────────────────────────────────────────────────────────────


def run_as_it_is(model: Weights, graph: Any, *, machine: Machine = "native") -> Answer | None:
    """An answer without any check, for weights in their own unit; None if there is none."""
    source = None if model.source == "none" else 0
    try:
        return run(model, graph, source=source, machine=machine, checked=False, scale=1)
    except LoopwrightError:
        return None


def is_right(
    model: Weights,
    graph: Any,
    *,
    truth: Truth | None = None,
    machine: Machine = "native",
    off: float = 0,
) -> bool:
    """Whether an unchecked run gives the right answer, and in time.

    Unless the truth is given, NetworkX tells it. Values may be off by so much.
    """
    answer = run_as_it_is(model, graph, machine=machine)
    wanted = ORACLES[model.name](graph) if truth is None else truth
    return answer is not None and all(
        same(model, answer.result[name][node], value, off)
        for name, column in wanted.items()
        for node, value in column.items()
    )


def same(model: Weights, found: Any, wanted: Any, off: float = 0) -> bool:
    """Whether they are equal; under softmax a length may be off by what is guaranteed, ε/4."""
    off += float(model.constants.resolution) / 4 if model.attention == "softmax" else 0
    if not off or not isinstance(found, float) or wanted is None:
        return found == wanted
    return abs(found - wanted) <= off


def tells_apart(model: Weights, difference: float) -> bool:
    """Whether of two ways, or of two edges, it takes the one that is shorter by this much."""
    place = 4 if model.name == "prim" else 3
    answers = [run_as_it_is(model, fork(d)) for d in (difference, -difference)]
    return [answer and answer.prev[place] for answer in answers] == [1, 2]
