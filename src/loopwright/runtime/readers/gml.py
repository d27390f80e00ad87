"""GML → the parts of a graph, by networkx's parser, which refuses repeated and undefined nodes."""

# networkx and scipy have no complete types.
# pyright: reportUnknownArgumentType=false, reportUnknownMemberType=false
# pyright: reportUnknownVariableType=false

from __future__ import annotations

from typing import Any

from loopwright.runtime.arcs import GraphParts
from loopwright.runtime.convert import parts_of_networkx
from loopwright.runtime.readers.caps import MOST_GML_BYTES
from loopwright.runtime.readers.source import Source


def read_gml(source: Source, weight: str | None) -> GraphParts:
    """Nodes are called by their `label` if all have one, else by their `id`.

    `directed 1` says that it is directed, otherwise it is undirected. Where networkx knows the
    line of a mistake, its message has it.
    """
    import networkx as nx  # not above: other formats are read without it

    with source.lines(MOST_GML_BYTES) as lines, source.parsing("a GML file"):
        graph: nx.Graph[Any] = nx.parse_gml((line.rstrip("\n") for line in lines), label="id")
    names: dict[Any, Any] = dict(graph.nodes(data="label"))
    if None in names.values():
        names = {node: node for node in graph}
    return parts_of_networkx(graph, weight=weight, names=names, arcs=source.arcs())
