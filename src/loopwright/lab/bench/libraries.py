"""What people use otherwise: NetworkX, SciPy and, where it is installed, rustworkx.

Each job is a whole call, as ours is: a graph of networkx goes in, and an answer with labels comes
out. What the library's own function takes of that, on a graph in its own form, is beside it.
"""

# networkx, scipy and rustworkx have no complete types.
# pyright: reportMissingTypeArgument=false, reportUnknownArgumentType=false
# pyright: reportUnknownLambdaType=false, reportUnknownMemberType=false
# pyright: reportUnknownParameterType=false, reportUnknownVariableType=false

from __future__ import annotations

from collections.abc import Callable
from importlib.util import find_spec
from typing import Any, NamedTuple

import networkx as nx
import numpy as np
import scipy.sparse.csgraph as csgraph

Job = Callable[[], Any]


class Jobs(NamedTuple):
    """The same work twice."""

    whole: Job
    """From a graph of networkx to an answer with labels."""
    own: Job
    """On a graph in the library's own form, to what it answers."""


def jobs(algorithm: str, graph: nx.DiGraph) -> dict[str, Jobs]:
    """Library → one run of the algorithm on the graph."""
    found = {"networkx": _networkx(algorithm, graph), "scipy": _scipy(algorithm, graph)}
    if find_spec("rustworkx"):
        found["rustworkx"] = _rustworkx(algorithm, graph)
    return found


def _networkx(algorithm: str, graph: nx.DiGraph) -> Jobs:
    known: dict[str, Job] = {
        "dijkstra": lambda: nx.dijkstra_predecessor_and_distance(graph, 0),
        "bfs": lambda: dict(nx.bfs_predecessors(graph, 0)),
        "dfs": lambda: nx.dfs_predecessors(graph),
        "scc": lambda: list(nx.strongly_connected_components(graph)),
    }
    return Jobs(known[algorithm], known[algorithm])


def _scipy(algorithm: str, graph: nx.DiGraph) -> Jobs:
    known: dict[str, Callable[[Any], tuple[Any, ...]]] = {
        "dijkstra": lambda m: csgraph.dijkstra(m, indices=0, return_predecessors=True),
        "bfs": lambda m: csgraph.breadth_first_order(m, 0)[1:],
        "dfs": lambda m: csgraph.depth_first_order(m, 0)[1:],
        "scc": lambda m: csgraph.connected_components(m, connection="strong")[1:],
    }

    def matrix() -> Any:
        return nx.to_scipy_sparse_array(graph, format="csr")

    def whole() -> list[dict[Any, Any]]:
        nodes = list(graph)
        return [
            dict(zip(nodes, np.asarray(column).tolist(), strict=True))
            for column in known[algorithm](matrix())
        ]

    made = matrix()
    return Jobs(whole, lambda: known[algorithm](made))


def _rustworkx(algorithm: str, graph: nx.DiGraph) -> Jobs:
    import rustworkx as rx  # type: ignore[import-not-found]

    known: dict[str, Callable[[Any], Any]] = {
        "dijkstra": lambda g: rx.dijkstra_shortest_path_lengths(g, 0, lambda e: e["weight"]),
        "bfs": lambda g: rx.bfs_predecessors(g, 0),
        "dfs": lambda g: rx.dfs_edges(g, 0),
        "scc": lambda g: rx.strongly_connected_components(g),
    }

    def whole() -> Any:
        found, nodes = known[algorithm](rx.networkx_converter(graph)), list(graph)
        if algorithm == "dijkstra":
            return {nodes[row]: length for row, length in found.items()}
        if algorithm == "dfs":
            return [(nodes[tail], nodes[head]) for tail, head in found]
        return found if algorithm == "bfs" else [{nodes[k] for k in part} for part in found]

    made = rx.networkx_converter(graph)
    return Jobs(whole, lambda: known[algorithm](made))
