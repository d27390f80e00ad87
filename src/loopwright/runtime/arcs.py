"""Nodes and edges, one after another → the parts of a graph, by one rule about repeats.

The rule: an edge given twice with the same weight is one edge; with two weights it is refused,
since only the user knows whether the lighter one, the sum, or the last is meant.
"""

from __future__ import annotations

from array import array
from collections.abc import Hashable
from fractions import Fraction
from math import inf, isfinite
from typing import Any, NamedTuple

import numpy as np
from numpy.typing import NDArray

from loopwright.errors import GraphError, brief
from loopwright.runtime.edge_weights import EdgeWeights, column_of, compact, exact_weight, of_column

Label = Hashable
Rows = NDArray[np.int64]

MULTIGRAPH = (
    "a multigraph can have several edges between two nodes: reduce it first, such as by "
    "nx.DiGraph(graph) or nx.Graph(graph), which keep one of them."
)


class GraphParts(NamedTuple):
    """What a reader or a conversion finds: the fields of a `Graph`, which `Graph(*parts)` checks.

    Edges are sorted by tail and head, and an undirected one is there in both directions.
    """

    labels: tuple[Label, ...]
    tails: Rows
    heads: Rows
    weights: EdgeWeights
    directed: bool = True


class SoundParts(GraphParts):
    """Parts that were found to be sound as they were made, and need not be looked at again."""

    __slots__ = ()


class Arcs:
    """Collects nodes and edges in the order in which they are found, in little memory."""

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
            raise GraphError(f"node {brief(label, code=True)}: a label must be hashable.") from None
        if row >= self.most_nodes:
            raise GraphError(f"more than {self.most_nodes:,} nodes, the most that a file may have.")
        return row

    def edge(self, tail: Label, head: Label, weight: Any = 1.0) -> None:
        """Add an edge, and its nodes where they are new.

        Raises:
            GraphError: if the weight is not a positive number, or if there are too many edges.
        """
        if type(weight) is not float:
            try:
                weight = exact_weight(weight)
            except GraphError as problem:
                raise GraphError(f"edge {arrow(tail, head)}: {problem}") from None
        if not 0 < weight < inf:
            raise weight_error(tail, head, weight)
        if len(self._tails) >= self.most_edges:
            raise GraphError(f"more than {self.most_edges:,} edges, the most that a file may have.")
        self._tails.append(self.node(tail))
        self._heads.append(self.node(head))
        self._weights.append(weight)

    @property
    def has_edges(self) -> bool:
        return len(self._tails) > 0

    def pack(self, *, directed: bool = True) -> GraphParts:
        """The parts of a graph, by `pack`; nodes are in the order in which they were found."""
        tails, heads = np.array(self._tails, np.int64), np.array(self._heads, np.int64)
        return pack(tuple(self.rows), tails, heads, compact(self._weights), directed=directed)


def pack(
    labels: tuple[Label, ...], tails: Rows, heads: Rows, weights: EdgeWeights, *, directed: bool
) -> GraphParts:
    """Sort the edges and keep one of those that are repeated; undirected ones go both ways.

    Raises:
        GraphError: if an edge is given twice, with different weights. The first such is named.
    """
    n, column = len(labels), column_of(weights)
    place = tails * n + heads
    if not directed:
        place = np.concatenate([place, heads * n + tails])
    order = place.argsort()
    in_order = place[order]
    given = np.where(order < len(tails), order, order - len(tails))
    if len(repeats := _repeats(in_order)):
        if (column[given[repeats]] != column[given[repeats - 1]]).any():
            later, earlier = _first_clash(place, column)
            edge = arrow(labels[tails[later]], labels[heads[later]])
            clash: list[Any] = [weights[earlier], weights[later]]
            both = " and ".join(map(brief, clash))
            raise GraphError(f"edge {edge} is given twice, with weights {both}: keep one.")
        in_order, given = np.delete(in_order, repeats), np.delete(given, repeats)
    starts = in_order // n
    return GraphParts(labels, starts, in_order - starts * n, of_column(column[given]), directed)


def _repeats(in_order: Rows) -> Rows:
    """Where a number is the one before it."""
    return np.flatnonzero(in_order[1:] == in_order[:-1]) + 1


def _first_clash(place: Rows, column: NDArray[Any]) -> tuple[int, int]:
    """The first edge that is given with another weight than before, and where it was."""
    given = np.arange(len(place)) % len(column)
    order = np.lexsort((given, place))
    repeats = _repeats(place[order])
    later, earlier = given[order[repeats]], given[order[repeats - 1]]
    unlike = column[later] != column[earlier]
    return min(zip(later[unlike].tolist(), earlier[unlike].tolist(), strict=True))


def weight_error(tail: Label, head: Label, weight: Fraction | float) -> GraphError:
    """Which edge has a weight that cannot be used, and why not."""
    if not isfinite(weight):
        why = f"weight {weight} is not finite."
    elif weight == 0:
        why = (
            "weight 0 means no edge here, so it cannot be an edge's weight: leave it out, or scale."
        )
    else:
        why = f"weight {brief(weight)} is negative; weights must be positive."
    return GraphError(f"edge {arrow(tail, head)}: {why}")


def arrow(tail: Label, head: Label) -> str:
    """An edge, as messages name it."""
    return f"{brief(tail)} → {brief(head)}"
