"""The graphs that everything is measured on."""

# networkx, scipy and rustworkx have no complete types.
# pyright: reportMissingTypeArgument=false, reportUnknownMemberType=false
# pyright: reportUnknownParameterType=false, reportUnknownVariableType=false

from __future__ import annotations

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
