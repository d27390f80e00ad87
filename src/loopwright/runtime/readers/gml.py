"""GML → Graph, by networkx's parser: `directed 1` says so, otherwise it is undirected."""

from __future__ import annotations

import warnings
from typing import Any

import networkx as nx

from loopwright.runtime.graph import Graph
from loopwright.runtime.readers.caps import MOST_EDGES, MOST_GML_BYTES, MOST_NODES
from loopwright.runtime.readers.source import FileError, Source


def read_gml(source: Source) -> Graph:
    """Nodes are called by their `label` if all have one, else by their `id`; weights are `weight`.

    Raises:
        GraphError: naming the file, and the line where networkx knows it.
    """
    lines = (line.rstrip("\r\n") for _, line in source.lines(MOST_GML_BYTES))
    try:
        with warnings.catch_warnings(action="ignore"):
            graph: nx.Graph[Any] = nx.parse_gml(lines, label="id")
    except FileError:
        raise
    except RecursionError:
        raise source.error("not a GML file that can be read: its lists are too deep") from None
    except Exception as problem:  # its parser raises many kinds; none is our bug
        raise source.error(f"not a GML file that can be read: {problem}") from None
    if graph.is_multigraph():
        raise source.error("a multigraph can have several edges between two nodes: reduce it first")
    if len(graph) > MOST_NODES or graph.number_of_edges() > MOST_EDGES:
        raise source.error(f"more than {MOST_NODES:,} nodes or {MOST_EDGES:,} edges")
    names: dict[Any, Any] = dict(graph.nodes(data="label"))
    if any(name is None for name in names.values()):
        names = {node: node for node in graph}
    return Graph.from_edges(
        ((names[u], names[v], data.get("weight", 1)) for u, v, data in graph.edges(data=True)),
        nodes=names.values(),
        directed=graph.is_directed(),
    )
