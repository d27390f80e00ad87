"""Graphs of other libraries → the parts of a graph: igraph, rustworkx, graph-tool.

None of them is imported: a graph is known by what it can do.
"""

# What is passed here has no types that are known without these libraries.
# pyright: reportUnknownArgumentType=false, reportUnknownMemberType=false
# pyright: reportUnknownVariableType=false

from __future__ import annotations

from collections.abc import Iterable, Mapping
from typing import Any

from loopwright.errors import GraphError, brief
from loopwright.runtime.arcs import MULTIGRAPH, Arcs, GraphParts
from loopwright.runtime.attributes import WEIGHT, check_attribute, is_number


def parts_of_library(source: Any, weight: str | None) -> GraphParts | None:
    """The parts of a graph of one of these libraries; None if it is none."""
    for known, convert in LIBRARIES:
        if all(hasattr(source, name) for name in known):
            return convert(source, weight)
    return None


def of_igraph(graph: Any, weight: str | None) -> GraphParts:
    """Labels are the vertices' names, or else their numbers."""
    if graph.has_multiple():
        raise GraphError(MULTIGRAPH)
    named = "name" in graph.vs.attributes()
    labels = graph.vs["name"] if named else range(graph.vcount())
    check_attribute(weight, (edge.attributes() for edge in graph.es))
    has = weight is not None and weight in graph.es.attributes()
    weights = graph.es[weight] if has else [1] * graph.ecount()
    return parts(labels, graph.get_edgelist(), weights, directed=graph.is_directed())


def of_rustworkx(graph: Any, weight: str | None) -> GraphParts:
    """Nodes and edges are what was put into them: an edge is its weight, or has it by name."""
    if graph.has_parallel_edges():
        raise GraphError(MULTIGRAPH)
    indices = list(graph.node_indices())
    labels = [graph.get_node_data(index) for index in indices]
    if any(label is None for label in labels):
        labels = indices
    row = {index: k for k, index in enumerate(indices)}
    listed = [(row[u], row[v], given) for u, v, given in graph.weighted_edge_list()]
    named = [given for *_, given in listed if isinstance(given, Mapping)]
    check_attribute(weight, named)
    weights = [edge_weight(given, weight) for *_, given in listed]
    directed = type(graph).__name__ in ("PyDiGraph", "PyDAG")
    return parts(labels, [(u, v) for u, v, _ in listed], weights, directed=directed)


def edge_weight(given: Any, weight: str | None) -> Any:
    """1 where an edge has no weight."""
    if weight is None or given is None:
        return 1
    if isinstance(given, Mapping):
        return given.get(weight, 1)
    if is_number(given) and weight == WEIGHT:
        return given
    raise GraphError(f"an edge holds {brief(given, code=True)}: expected a number or a mapping.")


def of_graph_tool(graph: Any, weight: str | None) -> GraphParts:
    """Vertices are numbers; the weight is an edge property map of that name."""
    maps: Any = graph.edge_properties
    check_attribute(weight, [dict.fromkeys(maps, 0)] if graph.num_edges() else [])
    has = weight is not None and weight in maps
    edges = graph.get_edges([maps[weight]] if has else []).tolist()
    ends = [(int(edge[0]), int(edge[1])) for edge in edges]
    weights = [edge[2] for edge in edges] if has else [1] * len(edges)
    return parts(range(graph.num_vertices()), ends, weights, directed=graph.is_directed())


def parts(
    labels: Iterable[Any],
    ends: Iterable[tuple[int, int]],
    weights: Iterable[Any],
    *,
    directed: bool,
) -> GraphParts:
    """From rows and weights, by the rule about repeats that all have."""
    arcs, listed = Arcs(), list(labels)
    for count, label in enumerate(listed):
        if arcs.node(label) != count:
            raise GraphError(f"two nodes have the same label, {brief(label)}.")
    for (tail, head), weight in zip(ends, weights, strict=True):
        arcs.edge(listed[tail], listed[head], weight)
    return arcs.pack(directed=directed)


LIBRARIES = (
    (("vcount", "get_edgelist", "vs", "es"), of_igraph),
    (("weighted_edge_list", "node_indices", "get_node_data"), of_rustworkx),
    (("num_vertices", "get_edges", "edge_properties"), of_graph_tool),
)
"""What a library's graph can do → how it is read."""
