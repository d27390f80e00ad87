"""A seed → small random graphs and sources."""

from __future__ import annotations

from typing import Literal, get_args

import numpy as np

from loopwright.model.weights import Weights
from loopwright.runtime.graph import Graph, Label

Shape = Literal["directed", "undirected", "acyclic"]
SHAPES: tuple[Shape, ...] = get_args(Shape)
HEAVIEST = 9
"""Weights are whole numbers from 1 to this."""


def random_graph(
    n: int, rng: np.random.Generator, *, shape: Shape = "directed", density: float = 0.5
) -> Graph:
    """Every possible edge with probability `density`, no self-loops.

    >>> random_graph(4, np.random.default_rng(1), shape="undirected").edge_count
    4
    """
    weights = rng.integers(1, HEAVIEST + 1, (n, n)) * (rng.random((n, n)) < density)
    if shape == "directed":
        np.fill_diagonal(weights, 0)
        return Graph.from_matrix(weights)
    upper = np.triu(weights, k=1)
    if shape == "acyclic":
        order = rng.permutation(n)
        return Graph.from_matrix(upper[np.ix_(order, order)])
    return Graph.from_matrix(upper).undirected()


def random_source(model: Weights, graph: Graph, rng: np.random.Generator) -> Label | None:
    """A node to start from, where the algorithm must have one."""
    return graph.labels[int(rng.integers(graph.n))] if model.source == "required" else None
