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
