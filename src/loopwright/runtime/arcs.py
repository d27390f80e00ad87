"""Nodes and edges, one after another → rows and sorted arrays, by one rule about repeats.

The rule: an edge given twice with the same weight is one edge; with two weights it is refused,
since only the user knows whether the lighter one, the sum, or the last is meant.
"""

from __future__ import annotations

from array import array
from collections.abc import Hashable
from fractions import Fraction
from math import inf
from typing import Any

import numpy as np
from numpy.typing import NDArray

from loopwright.errors import GraphError, brief
from loopwright.runtime.edge_weights import (
    compact,
    complain_about_weight,
    exact_weight,
)

Label = Hashable
Rows = NDArray[np.int64]


class Arcs:
    """What a graph is made of, as it is found; packed, so that a long file fits in memory."""

    def __init__(self, *, most_nodes: float = inf, most_edges: float = inf) -> None:
        self.rows: dict[Label, int] = {}
        self.most_nodes = most_nodes
        self.most_edges = most_edges
        self._tails = array("q")
        self._heads = array("q")
        self._weights: list[Fraction | float] = []

    def node(self, label: Label) -> int:
        """The row of a node, which is new if its label is.

        Raises:
            GraphError: if the label cannot be one, or if there are too many.
        """
        try:
            row = self.rows.setdefault(label, len(self.rows))
        except TypeError:
            raise GraphError(f"node {brief(repr(label))}: a label must be hashable.") from None
        if row >= self.most_nodes:
            raise GraphError(f"more than {self.most_nodes:,} nodes, the most that a file may have.")
        return row

    def edge(self, tail: Label, head: Label, weight: Any = 1.0) -> None:
        """One edge, and its nodes.

        Raises:
            GraphError: if the weight is not a positive number, or if there are too many edges.
        """
        exact = weight if type(weight) is float else exact_weight(weight)
        if not 0 < exact < inf:
            raise GraphError(f"edge {_arrow(tail, head)}: {complain_about_weight(exact)}")
        if len(self._tails) >= self.most_edges:
            raise GraphError(f"more than {self.most_edges:,} edges, the most that a file may have.")
        self._tails.append(self.node(tail))
        self._heads.append(self.node(head))
        self._weights.append(exact)

    def pack(
        self, *, directed: bool
    ) -> tuple[Rows, Rows, tuple[Fraction, ...] | NDArray[np.float64]]:
        """Tails, heads and weights, sorted and without repeats; undirected edges both ways.

        Raises:
            GraphError: if an edge is given twice, with different weights.
        """
        tails, heads = np.array(self._tails, np.int64), np.array(self._heads, np.int64)
        given = np.arange(len(tails))
        if not directed:
            tails, heads = np.concatenate([tails, heads]), np.concatenate([heads, tails])
            given = np.concatenate([given, given])
        order = np.lexsort((given, heads, tails))
        tails, heads, given = tails[order], heads[order], given[order]
        repeats = np.flatnonzero((np.diff(tails) == 0) & (np.diff(heads) == 0)) + 1
        self._check_repeats(given, repeats)
        tails, heads, given = (np.delete(column, repeats) for column in (tails, heads, given))
        return tails, heads, compact([self._weights[i] for i in given.tolist()])

    def _check_repeats(self, given: Rows, repeats: Rows) -> None:
        """`given` counts edges in the order of the input: the first that clashes is named."""
        pairs = zip(given[repeats - 1].tolist(), given[repeats].tolist(), strict=True)
        clashes = [(j, i) for i, j in pairs if self._weights[i] != self._weights[j]]
        if clashes:
            later, earlier = min(clashes)
            labels = list(self.rows)
            edge = _arrow(labels[self._tails[later]], labels[self._heads[later]])
            weights = f"{brief(self._weights[earlier])} and {brief(self._weights[later])}"
            raise GraphError(f"edge {edge} is given twice, with weights {weights}: keep one.")


def _arrow(tail: Label, head: Label) -> str:
    return f"{brief(tail)} → {brief(head)}"
