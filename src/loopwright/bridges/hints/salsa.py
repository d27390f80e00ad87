"""Sparse random graphs of three kinds, as SALSA-CLRS draws them. [Minder 2023]

    er         every edge with probability c · ln n / n, c from 1 to 2: mostly connected, and sparse
    ws         a ring in which each node has 4, 6 or 8 neighbours, and some edges are moved
    delaunay   the triangles of random points in the plane

Weights are uniform between 0 and 1, on a grid on which sums are exact.
"""

# SciPy and NetworkX have no complete types.
# pyright: reportUnknownMemberType=false, reportUnknownVariableType=false
# pyright: reportUnknownArgumentType=false

from __future__ import annotations

from math import log
from typing import Any, Literal, get_args

import networkx as nx
import numpy as np

from loopwright.errors import require_known
from loopwright.runtime.graph import Graph

Recipe = Literal["er", "ws", "delaunay"]
RECIPES: tuple[Recipe, ...] = get_args(Recipe)
STEPS = 2**16
"""Weights are multiples of 1/STEPS, and not 0."""


def salsa_graph(recipe: Recipe, n: int, rng: np.random.Generator) -> Graph:
    """An undirected graph of n nodes.

    >>> graph = salsa_graph("delaunay", 10, np.random.default_rng(1))
    >>> graph.n, graph.directed
    (10, False)
    """
    require_known("recipe", recipe, RECIPES)
    seed = int(rng.integers(2**31))
    edges: Any
    if recipe == "er":
        density = min(1.0, rng.uniform(1, 2) * log(max(n, 2)) / n)
        edges = nx.fast_gnp_random_graph(n, density, seed=seed).edges
    elif recipe == "ws":
        neighbours = min(int(rng.choice([4, 6, 8])), n - 1)
        edges = nx.watts_strogatz_graph(n, neighbours, rng.uniform(0.05, 0.2), seed=seed).edges
    else:
        edges = triangles(rng.uniform(size=(n, 2)))
    weights = rng.integers(1, STEPS, size=len(edges)) / STEPS
    weighted = ((u, v, weight) for (u, v), weight in zip(edges, weights, strict=True))
    return Graph.from_edges(weighted, nodes=range(n), directed=False)


def triangles(points: Any) -> list[tuple[int, int]]:
    """The edges of the Delaunay triangulation of points; a path if there are less than four."""
    if len(points) < 4:
        return [(k, k + 1) for k in range(len(points) - 1)]
    from scipy.spatial import Delaunay

    found = {
        (min(u, v), max(u, v))
        for corners in Delaunay(points).simplices.tolist()
        for u, v in zip(corners, corners[1:] + corners[:1], strict=True)
    }
    return sorted(found)
