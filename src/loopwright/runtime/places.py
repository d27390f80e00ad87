"""Graph → where to draw its nodes: computed once, the same for every picture of it."""

from __future__ import annotations

from functools import lru_cache
from math import ceil, sqrt
from typing import Any, cast

import numpy as np
from numpy.typing import NDArray

from loopwright.runtime.graph import Graph

Places = NDArray[np.float64]

MOST_BY_DISTANCE = 100
"""Nodes of a part that are placed so that drawn distances are those of the graph: n³ steps."""

MOST_BY_SPRINGS = 1500
"""Nodes that are placed by springs: n² a step, a few seconds. More go onto a grid."""

DENSE = 0.5
"""The share of all pairs from which on a drawing is a tangle, and a circle shows as much."""


def places(graph: Graph) -> Places:
    """For each node a point in the unit square. Parts that are not connected stand side by side.

    >>> places(Graph.of([("a", "b")])).shape
    (2, 2)
    """
    edges = np.stack([graph.tails, graph.heads], axis=1).astype(np.int64)
    return places_of(graph.n, edges.tobytes()).copy()


@lru_cache(maxsize=4)
def places_of(n: int, edges: bytes) -> Places:
    """Kept, as runs on a graph are often looked at one after the other, and nothing about a page
    of a small graph takes longer. `edges` are pairs of whole numbers, as NumPy writes them."""
    import networkx as nx  # not above: whoever draws nothing needs no layout

    joined = cast("Any", nx.Graph())
    joined.add_nodes_from(range(n))
    pairs = np.frombuffer(edges, np.int64).reshape(-1, 2).tolist()
    joined.add_edges_from((tail, head) for tail, head in pairs if tail != head)
    parts = cast("list[set[int]]", list(nx.connected_components(joined)))
    parts.sort(key=lambda part: (-len(part), min(part)))
    found = np.zeros((n, 2))
    corners, size = shelves([sqrt(len(part)) for part in parts])
    for part, corner in zip(parts, corners, strict=True):
        nodes = sorted(part)
        found[nodes] = corner + sqrt(len(part)) * placed(joined.subgraph(nodes), nodes)
    return found / size


def placed(part: Any, nodes: list[int]) -> Places:
    """The nodes of one connected part, in the unit square, with a margin."""
    import networkx as nx

    n = len(nodes)
    if n == 1:
        return np.array([[0.5, 0.5]])
    if n > MOST_BY_SPRINGS:
        across = ceil(sqrt(n))
        points = np.array([divmod(k, across) for k in range(n)], float)[:, ::-1]
    elif n > 3 and 2 * part.number_of_edges() > DENSE * n * (n - 1):
        turn = 2 * np.pi * np.arange(n) / n
        points = np.stack([np.sin(turn), -np.cos(turn)], axis=1)
    else:
        by_distance = n <= MOST_BY_DISTANCE
        drawn = nx.kamada_kawai_layout(part) if by_distance else nx.spring_layout(part, seed=0)
        points = np.array([drawn[node] for node in nodes], float)
    low, high = points.min(axis=0), points.max(axis=0)
    side = np.where(high - low > 1e-9, high - low, 1.0)
    centred = np.where(high - low > 1e-9, (points - low) / side, 0.5)
    return 0.03 + 0.94 * centred


def shelves(sides: list[float]) -> tuple[Places, Places]:
    """Squares, largest first, in rows: their corners, and how wide and tall they are together."""
    across = max([*sides[:1], sqrt(sum(side * side for side in sides))])
    corners: list[tuple[float, float]] = []
    x = y = row = wide = 0.0
    for side in sides:
        if x and x + side > across * 1.05:
            x, y, row = 0.0, y + row, 0.0
        corners.append((x, y))
        x, row = x + side, max(row, side)
        wide = max(wide, x)
    return np.array(corners), np.array([wide, y + row])
