"""What people use otherwise: NetworkX, SciPy and, where it is installed, rustworkx."""

# networkx, scipy and rustworkx have no complete types.
# pyright: reportMissingTypeArgument=false, reportUnknownArgumentType=false
# pyright: reportUnknownLambdaType=false, reportUnknownMemberType=false
# pyright: reportUnknownParameterType=false, reportUnknownVariableType=false

from __future__ import annotations

from collections.abc import Callable
from importlib.util import find_spec
from typing import Any

import networkx as nx
import scipy.sparse.csgraph as csgraph

Job = Callable[[], Any]


def jobs(algorithm: str, graph: nx.DiGraph) -> dict[str, Job]:
    """Library → one run of the algorithm on the graph, already in the library's own form."""
    matrix = nx.to_scipy_sparse_array(graph, nodelist=range(len(graph)), format="csr")
    known: dict[str, dict[str, Job]] = {
        "dijkstra": {
            "networkx": lambda: nx.dijkstra_predecessor_and_distance(graph, 0),
            "scipy": lambda: csgraph.dijkstra(matrix, indices=0, return_predecessors=True),
        },
        "bfs": {
            "networkx": lambda: dict(nx.bfs_predecessors(graph, 0)),
            "scipy": lambda: csgraph.breadth_first_order(matrix, 0),
        },
        "dfs": {
            "networkx": lambda: nx.dfs_predecessors(graph),
            "scipy": lambda: csgraph.depth_first_order(matrix, 0),
        },
        "scc": {
            "networkx": lambda: list(nx.strongly_connected_components(graph)),
            "scipy": lambda: csgraph.connected_components(matrix, connection="strong"),
        },
    }
    if find_spec("rustworkx"):
        import rustworkx as rx  # type: ignore[import-not-found]

        other: Any = rx.networkx_converter(graph)
        known["dijkstra"]["rustworkx"] = lambda: rx.dijkstra_shortest_path_lengths(
            other, 0, lambda edge: edge["weight"]
        )
        known["bfs"]["rustworkx"] = lambda: rx.bfs_predecessors(other, 0)
        known["dfs"]["rustworkx"] = lambda: rx.dfs_edges(other, 0)
        known["scc"]["rustworkx"] = lambda: rx.strongly_connected_components(other)
    return known[algorithm]
