"""An answer against the benchmark's array: node by node, is it right? One function a kind of truth.

Graphs of the benchmark have no labels, so a node's label is its index.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping
from typing import Any

import numpy as np
from numpy.typing import NDArray

Result = Mapping[str, Mapping[Any, Any]]
"""Output name → node → value, as an `Answer` has it."""
Compare = Callable[[Result, NDArray[Any]], list[bool]]

MASKED = -1
"""What the benchmark has where there is nothing to say: for edges, where there is no edge."""


def entries(name: str) -> Compare:
    """Each node's result is what the truth has for it: a node's index, or 1 for true, 0 for not."""

    def compare(result: Result, truth: NDArray[Any]) -> list[bool]:
        return [result[name][node] == wanted for node, wanted in enumerate(truth)]

    return compare


def tree_edges(name: str, parent: str) -> Compare:
    """A node's flag is about the edge to its parent; the truth has a matrix, 1 at both ends.

    A node is right if all its edges are: its row of the matrix, and no flag where it has no edge.
    """

    def compare(result: Result, truth: NDArray[Any]) -> list[bool]:
        found = np.zeros_like(truth)
        for node, is_set in result[name].items():
            if is_set:
                above = result[parent][node]
                found[node, above] = found[above, node] = 1
        right = found == np.where(truth == MASKED, 0, truth)
        return [bool(row.all()) for row in right]

    return compare


def held_edges(tail: str, head: str) -> Compare:
    """Nodes hold edges, by their ends; the truth has a matrix, 1 at both ends.

    It does not matter which node holds an edge. A node is right if all edges at it are.
    """

    def compare(result: Result, truth: NDArray[Any]) -> list[bool]:
        found = np.zeros_like(truth)
        for u, v in zip(result[tail].values(), result[head].values(), strict=True):
            if u is not None and v is not None:
                found[u, v] = found[v, u] = 1
        return [bool(row.all()) for row in found == truth]

    return compare


def rows(name: str) -> Compare:
    """A node's result is a list; the truth has a matrix. A node is right if all of its row is."""

    def compare(result: Result, truth: NDArray[Any]) -> list[bool]:
        return [result[name][node] == row.tolist() for node, row in enumerate(truth)]

    return compare


def partition(name: str) -> Compare:
    """Two nodes are together in the result if and only if they are in the truth, whatever the parts
    are called there. A node is right if it is together with the right nodes."""

    def compare(result: Result, truth: NDArray[Any]) -> list[bool]:
        found = np.array([result[name][node] for node in range(len(truth))])
        together = found[:, None] == found
        return [bool(row.all()) for row in together == (truth[:, None] == truth)]

    return compare
