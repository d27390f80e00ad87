"""Graph: labels and weighted edges, validated on construction; made from whatever people have."""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from dataclasses import dataclass
from fractions import Fraction
from functools import cached_property
from math import gcd, lcm
from os import PathLike
from typing import Any

import networkx as nx
import numpy as np
import scipy.sparse
from numpy.typing import NDArray

from loopwright.errors import GraphError, brief
from loopwright.runtime.arcs import Arcs, Label
from loopwright.runtime.edge_weights import as_weights, common_unit, complain_about_weight
from loopwright.runtime.frames import find_columns, is_frame

LONGEST_PATH = 2.0**1000
"""Floats end at 2¹⁰²⁴; Ω and masks need room above the longest path."""

LARGEST_FACTOR = 2**1000
"""No model in floats holds weights times more than this, and a few thousand coprime denominators
have a common multiple that takes minutes to find."""


@dataclass(frozen=True, eq=False)
class Graph:
    """n labelled nodes and positive edge weights; `directed` says how edges are counted.

    An undirected edge is stored in both directions. Weights are kept exactly: 1/3 stays 1/3 for a
    machine that can use it.
    """

    labels: tuple[Label, ...]
    tails: NDArray[np.int64]
    heads: NDArray[np.int64]
    weights: tuple[Fraction, ...] | NDArray[np.float64]
    """Aligned with `tails` and `heads`: floats, or fractions where a float would not be exact."""
    directed: bool = True

    def __post_init__(self) -> None:
        if not self.labels:
            raise GraphError("the graph is empty: at least one node is needed.")
        if len(set(self.labels)) != len(self.labels):
            raise GraphError("two nodes have the same label.")
        if len(self.tails) and max(self.tails.max(), self.heads.max()) >= self.n:
            raise GraphError(f"{self.n} labels are too few: an edge has a node beyond them.")
        for i in np.flatnonzero(~(self.floats > 0) | ~np.isfinite(self.floats)):
            edge = f"{brief(self.labels[self.tails[i]])} → {brief(self.labels[self.heads[i]])}"
            raise GraphError(f"edge {edge}: {complain_about_weight(self.weights[i])}")

    @property
    def n(self) -> int:
        return len(self.labels)

    @property
    def floats(self) -> NDArray[np.float64]:
        return np.asarray(self.weights, dtype=np.float64)

    @property
    def edge_count(self) -> int:
        """Edges as the user counts them: an undirected one once."""
        loops = int(np.count_nonzero(self.tails == self.heads))
        return len(self.tails) if self.directed else (len(self.tails) + loops) // 2

    def index(self, label: Label) -> int:
        """The row of a node, 0 for the first.

        Text also finds the one node that is written so: "1" on a command line is a matrix' node 1.

        Raises:
            GraphError: if no node has this label.
        """
        if label in self.labels:
            return self.labels.index(label)
        if isinstance(label, str):
            most = len(label) + 1
            written = [i for i, known in enumerate(self.labels) if brief(known, most) == label]
            if len(written) == 1:
                return written[0]
        few = ", ".join(brief(known, 20) for known in self.labels[:5])
        more = ", …" if self.n > 5 else ""
        raise GraphError(f"node '{brief(label)}' is not in the graph (nodes: {few}{more}).")

    def longest_path_bound(self) -> float:
        """No simple path weighs more: it enters each node at most once.

        Raises:
            GraphError: if that is so near the end of floats that Ω has no room above it.
        """
        heaviest = np.zeros(self.n)
        np.maximum.at(heaviest, self.heads, self.floats)
        longest = sum(map(float, heaviest))
        if longest > LONGEST_PATH:
            raise GraphError(
                f"a path may weigh more than {LONGEST_PATH:.3g}, the end of floats: scale the "
                "weights."
            )
        return longest

    @cached_property
    def unit(self) -> Fraction | None:
        """The largest number that every weight is a multiple of: 1/10 for 0.1 and 0.7.

        None if there are no edges, or if it is too small to be of use: see `LARGEST_FACTOR`.
        """
        if not len(self.weights):
            return None
        if isinstance(self.weights, np.ndarray):
            return common_unit(self.weights)
        together = 1
        for weight in self.weights:
            together = lcm(together, weight.denominator)
            if together > LARGEST_FACTOR:
                return None
        return Fraction(gcd(*(weight.numerator for weight in self.weights)), together)

    def undirected(self) -> Graph:
        """The same graph with every edge in both directions."""
        edges = [
            (self.labels[tail], self.labels[head], weight)
            for tail, head, weight in zip(self.tails, self.heads, self.weights, strict=True)
        ]
        return Graph.from_edges(edges, nodes=self.labels, directed=False)

    @classmethod
    def from_edges(
        cls,
        edges: Iterable[Any],
        *,
        nodes: Iterable[Label] = (),
        directed: bool = True,
    ) -> Graph:
        """From (tail, head) or (tail, head, weight) triples; nodes in order of appearance.

        >>> Graph.from_edges([("b", "a", 2), ("a", "c")]).labels
        ('b', 'a', 'c')
        """
        listed = list(nodes)
        arcs = Arcs()
        for label in listed:
            arcs.node(label)
        if len(arcs.rows) != len(listed):
            raise GraphError("two nodes have the same label.")
        for edge in edges:
            if not isinstance(edge, Sequence) or isinstance(edge, str) or len(edge) not in (2, 3):
                wanted = "(tail, head) or (tail, head, weight)"
                raise GraphError(f"edge {brief(repr(edge))}: expected {wanted}.")
            arcs.edge(*edge)
        return cls.from_arcs(arcs, directed=directed)

    @classmethod
    def from_arcs(cls, arcs: Arcs, *, directed: bool = True) -> Graph:
        """From what a reader has found, nodes in the order in which it did."""
        tails, heads, weights = arcs.pack(directed=directed)
        return cls(tuple(arcs.rows), tails, heads, weights, directed)

    @classmethod
    def from_networkx(cls, graph: nx.Graph[Any]) -> Graph:
        """Labels and edge attribute `weight` (1 where absent) of a networkx (Di)Graph."""
        if graph.is_multigraph():
            raise GraphError(
                "a multigraph can have several edges between two nodes: reduce it first, such as "
                "by nx.DiGraph(graph) or nx.Graph(graph), which keep one of them."
            )
        return cls.from_edges(
            ((u, v, data.get("weight", 1)) for u, v, data in graph.edges(data=True)),
            nodes=graph.nodes,
            directed=graph.is_directed(),
        )

    @classmethod
    def from_matrix(
        cls, matrix: Any, *, labels: Iterable[Label] | None = None, directed: bool = True
    ) -> Graph:
        """A square NumPy array (0: no edge) or scipy.sparse matrix (not stored: no edge).

        With `directed=False` the matrix is symmetric, and a pair of entries is one edge.
        """
        if scipy.sparse.issparse(matrix):
            coo = matrix.tocoo()
            shape, tails, heads, weights = matrix.shape, coo.row, coo.col, coo.data
        else:
            dense = np.asarray(matrix)
            if not np.issubdtype(dense.dtype, np.number):
                dense = np.asarray(as_weights(dense))
            shape = dense.shape
            tails, heads = np.nonzero(np.atleast_2d(dense))[:2]
            weights = dense[np.nonzero(dense)]
        if len(shape) != 2 or shape[0] != shape[1]:
            raise GraphError(f"an adjacency matrix must be square, but this one is {shape}.")
        order = np.lexsort((heads, tails))
        tails, heads = tails[order].astype(np.int64), heads[order].astype(np.int64)
        if np.any((np.diff(tails) == 0) & (np.diff(heads) == 0)):
            raise GraphError(
                "a sparse matrix stores the same entry twice: call sum_duplicates() first."
            )
        names = tuple(range(shape[0])) if labels is None else tuple(labels)
        return cls(names, tails, heads, as_weights(np.asarray(weights)[order]), directed)

    @classmethod
    def from_frame(cls, frame: Any) -> Graph:
        """A pandas DataFrame with a row for each edge; columns as `runtime.frames` finds them."""
        tail, head, weight = find_columns([str(name) for name in frame.columns])
        columns = [frame.iloc[:, i].tolist() for i in (tail, head, weight) if i is not None]
        for number, (one, other, *_) in enumerate(zip(*columns, strict=True)):
            if any(label is None or label != label for label in (one, other)):
                raise GraphError(f"row {number} of the table: a node's label is missing.")
        return cls.from_edges(zip(*columns, strict=True))

    @classmethod
    def of(cls, source: object) -> Graph:
        """From a Graph, networkx, scipy.sparse, NumPy, pandas, a path, or an edge list.

        >>> Graph.of(np.array([[0, 2.0], [0, 0]])).edge_count
        1
        """
        if isinstance(source, Graph):
            return source
        if isinstance(source, nx.Graph):
            return cls.from_networkx(source)
        if scipy.sparse.issparse(source) or isinstance(source, np.ndarray):
            return cls.from_matrix(source)
        if is_frame(source):
            return cls.from_frame(source)
        if isinstance(source, str | PathLike):
            from loopwright.runtime.read import read_graph

            return read_graph(source)
        if isinstance(source, Iterable):
            return cls.from_edges(source)
        raise GraphError(f"cannot make a graph from {type(source).__name__}.")
