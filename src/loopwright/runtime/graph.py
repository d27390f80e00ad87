"""Graph: labels and weighted edges, validated on construction; made from whatever people have."""

from __future__ import annotations

from collections.abc import Hashable, Iterable, Sequence
from dataclasses import dataclass, replace
from fractions import Fraction
from math import isfinite, lcm
from numbers import Rational, Real
from os import PathLike
from typing import Any

import networkx as nx
import numpy as np
import scipy.sparse
from numpy.typing import NDArray

from loopwright.errors import GraphError

Label = Hashable
Weight = Real | Fraction


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
            edge = f"{self.labels[self.tails[i]]} → {self.labels[self.heads[i]]}"
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

        Raises:
            GraphError: if no node has this label.
        """
        try:
            return self.labels.index(label)
        except ValueError:
            few = ", ".join(str(known) for known in self.labels[:5])
            more = ", …" if self.n > 5 else ""
            raise GraphError(f"node '{label}' is not in the graph (nodes: {few}{more}).") from None

    def longest_path_bound(self) -> float:
        """No simple path weighs more: it enters each node at most once."""
        heaviest = np.zeros(self.n)
        np.maximum.at(heaviest, self.heads, self.floats)
        return float(heaviest.sum())

    @property
    def denominator(self) -> int:
        """What makes every weight whole, where floats cannot hold them: 10 for 0.1 and 0.7."""
        if isinstance(self.weights, np.ndarray):
            return 1
        return lcm(*(weight.denominator for weight in self.weights))

    def scaled(self, factor: int) -> Graph:
        """The same graph with every weight times `factor`."""
        if factor == 1:
            return self
        weights = _compact(tuple(exact_weight(Fraction(w) * factor) for w in self.weights))
        return replace(self, weights=weights)

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
        rows = {label: i for i, label in enumerate(dict.fromkeys(listed))}
        if len(rows) != len(listed):
            raise GraphError("two nodes have the same label.")
        found: dict[tuple[int, int], Fraction | float] = {}
        for edge in edges:
            if not isinstance(edge, Sequence) or isinstance(edge, str) or len(edge) not in (2, 3):
                raise GraphError(f"edge {edge!r}: expected (tail, head) or (tail, head, weight).")
            weight = exact_weight(edge[2]) if len(edge) == 3 else 1.0
            if not 0 < weight < float("inf"):
                raise GraphError(f"edge {edge[0]} → {edge[1]}: {complain_about_weight(weight)}")
            try:
                tail, head = (rows.setdefault(label, len(rows)) for label in edge[:2])
            except TypeError:
                raise GraphError(f"edge {edge!r}: a label must be hashable.") from None
            for arc in {(tail, head)} if directed else {(tail, head), (head, tail)}:
                if found.setdefault(arc, weight) != weight:
                    raise GraphError(
                        f"edge {edge[0]} → {edge[1]} is given twice, with weights {found[arc]} and "
                        f"{weight}: keep one."
                    )
        arcs = sorted(found)
        weights = tuple(found[arc] for arc in arcs)
        return cls(
            tuple(rows),
            np.array([tail for tail, _ in arcs], dtype=np.int64),
            np.array([head for _, head in arcs], dtype=np.int64),
            _compact(weights),
            directed,
        )

    @classmethod
    def from_networkx(cls, graph: nx.Graph[Any]) -> Graph:
        """Labels and edge attribute `weight` (1 where absent) of a networkx (Di)Graph."""
        if graph.is_multigraph():
            raise GraphError(
                "a multigraph can have several edges between two nodes: reduce it first."
            )
        return cls.from_edges(
            ((u, v, data.get("weight", 1)) for u, v, data in graph.edges(data=True)),
            nodes=graph.nodes,
            directed=graph.is_directed(),
        )

    @classmethod
    def from_matrix(cls, matrix: Any, *, labels: Iterable[Label] | None = None) -> Graph:
        """A square NumPy array (0: no edge) or scipy.sparse matrix (not stored: no edge)."""
        if scipy.sparse.issparse(matrix):
            coo = matrix.tocoo()
            shape, tails, heads, weights = matrix.shape, coo.row, coo.col, coo.data
        else:
            dense = np.asarray(matrix)
            if not np.issubdtype(dense.dtype, np.number):
                dense = _as_floats(dense)
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
        floats = _as_floats(np.asarray(weights))[order]
        names = tuple(range(shape[0])) if labels is None else tuple(labels)
        return cls(names, tails, heads, floats)

    @classmethod
    def of(cls, source: object) -> Graph:
        """From a Graph, networkx, scipy.sparse, NumPy, a path, or an edge list.

        >>> Graph.of(np.array([[0, 2.0], [0, 0]])).edge_count
        1
        """
        if isinstance(source, Graph):
            return source
        if isinstance(source, nx.Graph):
            return cls.from_networkx(source)
        if scipy.sparse.issparse(source) or isinstance(source, np.ndarray):
            return cls.from_matrix(source)
        if isinstance(source, str | PathLike):
            from loopwright.runtime.read import read_graph

            return read_graph(source)
        if isinstance(source, Iterable):
            return cls.from_edges(source)
        raise GraphError(f"cannot make a graph from {type(source).__name__}.")


def exact_weight(weight: Any) -> Fraction | float:
    """A number as it is: a float, or a Fraction where no float is exactly it.

    Raises:
        GraphError: if it is not a number.
    """
    if isinstance(weight, Rational):
        exact = Fraction(weight)
    elif isinstance(weight, Real):
        return float(weight)
    else:
        try:
            exact = Fraction(str(weight))
        except (ValueError, ZeroDivisionError):
            raise GraphError(f"weight {weight!r} is not a number.") from None
    try:
        nearest = float(exact)
    except OverflowError:
        raise GraphError(f"weight {weight} is too large for a float.") from None
    return nearest if Fraction(nearest) == exact else exact


def complain_about_weight(weight: Fraction | float) -> str:
    """Why a weight cannot be used."""
    if not isfinite(weight):
        return f"weight {weight} is not finite."
    if weight == 0:
        return (
            "weight 0 means no edge here, so it cannot be an edge's weight: leave it out, or scale."
        )
    return f"weight {weight} is negative; weights must be positive."


def _as_floats(matrix: NDArray[Any]) -> NDArray[np.float64]:
    """Weights as floats.

    Raises:
        GraphError: if they are text, complex, or no numbers at all.
    """
    try:
        if np.iscomplexobj(matrix):
            raise TypeError("they are complex")
        return matrix.astype(np.float64)
    except (TypeError, ValueError) as problem:
        raise GraphError(f"the matrix' entries are not weights: {problem}.") from None


def _compact(weights: tuple[Fraction | float, ...]) -> tuple[Fraction, ...] | NDArray[np.float64]:
    """An array if every weight is a float, else all as fractions."""
    if any(isinstance(weight, Fraction) for weight in weights) and all(map(isfinite, weights)):
        return tuple(Fraction(weight) for weight in weights)
    return np.array(weights, dtype=np.float64)
