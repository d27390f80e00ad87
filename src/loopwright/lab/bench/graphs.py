"""The graphs that everything is measured on."""

# networkx, scipy and rustworkx have no complete types.
# pyright: reportMissingTypeArgument=false, reportUnknownMemberType=false
# pyright: reportUnknownParameterType=false, reportUnknownVariableType=false

from __future__ import annotations

from collections.abc import Iterable
from typing import Any

import networkx as nx
import numpy as np


def random_digraph(n: int, degree: int = 8, seed: int = 0) -> nx.DiGraph:
    """About `degree` edges from each node, weights on a dyadic grid, all reachable from node 0."""
    rng = np.random.default_rng(seed)
    graph = nx.DiGraph()
    graph.add_nodes_from(range(n))
    for tail, head in rng.integers(0, n, (degree * n, 2)):
        graph.add_edge(int(tail), int(head), weight=float(rng.integers(1, 256)) / 16)
    for node in range(1, n):
        graph.add_edge(int(rng.integers(0, node)), node, weight=float(rng.integers(1, 256)) / 16)
    return graph


def shaped(graph: nx.DiGraph, needs: Iterable[str]) -> Any:
    """The graph as a program needs it: with edges both ways, with those that lead up alone, or with
    one out of each node."""
    made: Any = graph
    for need in needs:
        if need == "undirected":
            made = nx.Graph(made)
        elif need == "acyclic":
            made.remove_edges_from([(tail, head) for tail, head in graph.edges if tail >= head])
        elif need == "functional":
            made.remove_edges_from([edge for node in graph for edge in [*made.out_edges(node)][1:]])
    return made
