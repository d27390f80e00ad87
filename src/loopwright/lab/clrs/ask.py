"""How a graph of the benchmark is put to a model: as one run, or as one run for each source.

A model's width does not grow with the graph, so a run has n outputs of each kind, and never n².
The answer for all pairs of nodes is n runs, with the same weights.
"""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import dataclass
from typing import Any

import numpy as np
from numpy.typing import NDArray

from loopwright.lab.clrs.compare import Result

Matrix = NDArray[np.float64]
Problem = tuple[Matrix, int | None]
"""A graph, and the source."""


@dataclass(frozen=True)
class Asking:
    """What is run for one graph of the benchmark, and how the answers are put together."""

    problems: Callable[[Matrix, int | None], list[Problem]]
    together: Callable[[Sequence[Result]], Result]


def _from_every_node(adjacency: Matrix, _: int | None) -> list[Problem]:
    """Each node as the source, in a graph that has one more node: the way back to the source.

    Floyd and Warshall's diagonal, as the benchmark begins it, is the weight of a self-loop; where
    there is one, a shorter way from a node to itself may replace it. A run has no such entry: its
    source is 0 away from itself. So the additional node has the edges into the source, if that has
    a self-loop, and none out of it: a path that ends there is a way from the source to itself.
    """
    n = len(adjacency)

    def problem(source: int) -> Problem:
        more = np.zeros((n + 1, n + 1))
        more[:n, :n] = adjacency
        if adjacency[source, source]:
            more[:n, n] = adjacency[:, source]
        return more, source

    return [problem(source) for source in range(n)]


def _all_pairs(results: Sequence[Result]) -> Result:
    """Source → the predecessor of every node; the source's own is that of the way back.

    Whatever is not reached is its own `prev`; there the benchmark has the source.
    """
    n = len(results)
    before: dict[Any, list[Any]] = {}
    for source, result in enumerate(results):
        prev = result["prev"]
        ends = [n if node == source else node for node in range(n)]
        before[source] = [source if prev[end] == end else prev[end] for end in ends]
    return {"prev": before}


ONCE = Asking(lambda adjacency, source: [(adjacency, source)], lambda results: results[0])
EVERY_SOURCE = Asking(_from_every_node, _all_pairs)
