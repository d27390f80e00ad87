"""A seed → small random graphs and sources."""

from __future__ import annotations

from math import sqrt
from typing import Literal, get_args

import numpy as np

from loopwright.errors import LoopwrightError
from loopwright.model.weights import Weights
from loopwright.runtime.arcs import Rows, pack
from loopwright.runtime.graph import Graph, Label
from loopwright.runtime.readers.caps import MOST_EDGES

Shape = Literal["directed", "undirected", "acyclic", "functional"]
SHAPES: tuple[Shape, ...] = get_args(Shape)
HEAVIEST = 9
"""Weights are whole numbers from 1 to this."""


def random_graph(
    n: int, rng: np.random.Generator, *, shape: Shape = "directed", density: float = 0.5
) -> Graph:
    """Every possible edge with probability `density`, no self-loops.

    A functional graph has those of an acyclic one, but for all that leave a node after the first.

    Time and memory are those of the edges: 100,000 nodes have 10¹⁰ pairs, but may have few edges.

    >>> random_graph(4, np.random.default_rng(1), shape="undirected").edge_count
    1

    Raises:
        LoopwrightError: if so many edges are to be expected that no file could have them.
    """
    pairs = n * (n - 1)
    if pairs * density > MOST_EDGES:
        raise LoopwrightError(
            f"{n:,} nodes at density {density:g} have some {pairs * density:.2g} edges, and at "
            f"most {MOST_EDGES:,} are possible: choose a lower density."
        )
    # Each node has n − 1 others: those before it, and those behind it.
    tails, heads = np.divmod(chosen(pairs, density, rng), max(n - 1, 1))
    heads += heads >= tails
    if shape != "directed":
        upper = tails < heads
        tails, heads = tails[upper], heads[upper]
    if shape == "functional":
        tails, first = np.unique(tails, return_index=True)
        heads = heads[first]
    if shape in ("acyclic", "functional"):
        order = rng.permutation(n)
        tails, heads = order[tails], order[heads]
    weights = rng.integers(1, HEAVIEST + 1, len(tails)).astype(np.float64)
    labels, directed = tuple(range(n)), shape != "undirected"
    return Graph(*pack(labels, tails, heads, weights, directed=directed))


def chosen(count: int, density: float, rng: np.random.Generator) -> Rows:
    """Which of the numbers 0 … count − 1 are drawn, if each is with probability `density`.

    From one that is drawn to the next, the distance is geometric: P(k) = (1 − p)ᵏ⁻¹ p. So only what
    is drawn costs anything.
    """
    if not density or not count:
        return np.zeros(0, dtype=np.int64)
    found: list[Rows] = []
    last = -1
    while last < count:
        left = (count - 1 - last) * density
        steps = rng.geometric(density, size=int(left + 4 * sqrt(left)) + 16)
        # A density near 0 gives steps near 2⁶³; none needs to be longer than all that is left.
        found.append(last + np.cumsum(np.minimum(steps, count + 1)))
        last = int(found[-1][-1])
    drawn = np.concatenate(found)
    return drawn[drawn < count]


def random_source(model: Weights, graph: Graph, rng: np.random.Generator) -> Label | None:
    """A node to start from, where the algorithm must have one."""
    return graph.labels[int(rng.integers(graph.n))] if model.source == "required" else None
