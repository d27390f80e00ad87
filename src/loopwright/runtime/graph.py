"""Graph: labels and weighted edges, validated on construction; made from whatever people have."""

from __future__ import annotations

import io
from collections.abc import Iterable
from dataclasses import dataclass
from fractions import Fraction
from functools import cached_property
from math import gcd, inf, lcm
from os import PathLike
from typing import Any, cast

import numpy as np
from numpy.typing import NDArray

from loopwright.errors import GraphError, brief
from loopwright.model.markup import table
from loopwright.model.paths import path_of
from loopwright.runtime.arcs import GraphParts, Label, Rows, SoundParts, pack
from loopwright.runtime.attributes import WEIGHT, without_names
from loopwright.runtime.convert import parts_of, parts_of_edges, parts_of_matrix
from loopwright.runtime.decimals import Decimals
from loopwright.runtime.edge_weights import EdgeWeights, common_unit
from loopwright.runtime.measures import Spread
from loopwright.runtime.read import read_parts
from loopwright.runtime.readers.source import Source
from loopwright.runtime.sound import (
    check_arcs,
    fixed,
    sound_direction,
    sound_ends,
    sound_labels,
    sound_weights,
)

LONGEST_PATH = 2.0**1000
"""Floats end at 2¹⁰²⁴; Ω and masks need room above the longest path."""

LARGEST_FACTOR = 2**1000
"""No model in floats holds weights times more than this, and a few thousand coprime denominators
have a common multiple that takes minutes to find."""


@dataclass(frozen=True, eq=False, repr=False)
class Graph:
    """n labelled nodes and positive edge weights; `directed` says how edges are counted.

    An undirected edge is stored in both directions. Weights are kept exactly: 1/3 stays 1/3 for a
    machine that can use it.
    """

    labels: tuple[Label, ...]
    tails: Rows
    heads: Rows
    weights: EdgeWeights
    """Aligned with `tails` and `heads`: floats, or fractions where a float would not be exact."""
    directed: bool = True

    def __post_init__(self) -> None:
        """Check all that is given, and keep it as arrays that nobody can change.

        Raises:
            GraphError: if the fields do not fit together, or if one of them cannot be used.
        """
        directed = sound_direction(self.directed)
        labels = sound_labels(self.labels)
        tails, heads = (
            sound_ends(name, rows, len(labels))
            for name, rows in (("tails", self.tails), ("heads", self.heads))
        )
        weights = sound_weights(self.weights, labels, tails, heads)
        check_arcs(labels, tails, heads, weights, directed=directed)
        self.__dict__.update(
            labels=labels, tails=tails, heads=heads, weights=weights, directed=directed
        )

    @classmethod
    def _made_of(cls, parts: GraphParts) -> Graph:
        """Of what a reader or a conversion found; what is known to be sound is not checked."""
        if not isinstance(parts, SoundParts):
            return cls(*parts)
        graph = object.__new__(cls)
        labels, tails, heads, weights, directed = parts
        for column in (tails, heads, weights):
            if isinstance(column, np.ndarray):
                column.setflags(write=False)
        graph.__dict__.update(
            labels=labels, tails=tails, heads=heads, weights=weights, directed=directed
        )
        return graph

    def __setstate__(self, state: dict[str, Any]) -> None:
        """Copies, and graphs from another process, are checked as any other."""
        self.__dict__.update(state)
        self.__post_init__()

    def __repr__(self) -> str:
        kind = "directed" if self.directed else "undirected"
        return f"<Graph: {self.n} nodes, {self.edge_count} {kind} edges>"

    def _repr_html_(self) -> str:
        edges = (
            (self.labels[tail], self.labels[head], weight)
            for tail, head, weight in zip(self.tails, self.heads, self.weights, strict=True)
            if self.directed or tail <= head
        )
        return table(repr(self)[1:-1], ("tail", "head", "weight"), edges, count=self.edge_count)

    @property
    def n(self) -> int:
        return len(self.labels)

    @property
    def floats(self) -> NDArray[np.float64]:
        """The weights, or the floats next to them."""
        return self.weights if isinstance(self.weights, np.ndarray) else self._nearest

    @cached_property
    def _nearest(self) -> NDArray[np.float64]:
        return fixed(np.asarray(self.weights, dtype=np.float64))

    @property
    def has_edges(self) -> bool:
        return len(self.tails) > 0

    @cached_property
    def lightest(self) -> float:
        """The least weight, or infinity if there are no edges."""
        return float(self.floats.min(initial=inf))

    @cached_property
    def heaviest(self) -> float:
        """The largest weight, or 0 if there are no edges."""
        return float(self.floats.max(initial=0.0))

    @cached_property
    def sum_in(self) -> float:
        """The most that edges into a node weigh together."""
        return float(np.bincount(self.heads, self.floats, minlength=1).max())

    @cached_property
    def sum_out(self) -> float:
        """The most that edges out of a node weigh together."""
        return float(np.bincount(self.tails, self.floats, minlength=1).max())

    @cached_property
    def spread(self) -> Spread | None:
        """What the weights are like, in powers of two; None if floats do not hold them exactly, or
        not as multiples of one power."""
        return Spread.of(self.weights) if isinstance(self.weights, np.ndarray) else None

    @cached_property
    def degree(self) -> int:
        """The most edges at a node, those that enter it or those that leave it."""
        ends = (self.tails, self.heads)
        return max(int(np.bincount(end, minlength=1).max()) for end in ends)

    @property
    def edge_count(self) -> int:
        """Edges as the user counts them: an undirected one once."""
        loops = int(np.count_nonzero(self.tails == self.heads))
        return len(self.tails) if self.directed else (len(self.tails) + loops) // 2

    @cached_property
    def _rows(self) -> dict[Label, int]:
        return {label: row for row, label in enumerate(self.labels)}

    def index(self, label: Label) -> int:
        """The row of a node, 0 for the first.

        Text also finds the one node that is written so: "1" on a command line is a matrix' node 1.

        Raises:
            GraphError: if no node has this label.
        """
        if type(label) is int and 0 <= label < self.n and self.labels[label] == label:
            return label  # as in most large graphs; nothing else has to be looked through for it
        try:
            row = self._rows.get(label)
        except TypeError:  # what cannot be hashed is not a label
            row = None
        if row is not None:
            return row
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
        longest = sum(heaviest.tolist())
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
        if isinstance(self.weights, Decimals):
            return self.weights.unit
        together = 1
        for weight in self.weights:
            together = lcm(together, weight.denominator)
            if together > LARGEST_FACTOR:
                return None
        return Fraction(gcd(*(weight.numerator for weight in self.weights)), together)

    def undirected(self) -> Graph:
        """The same graph with every edge in both directions.

        Raises:
            GraphError: if two nodes are joined in both directions, with different weights.
        """
        if not self.directed:
            return self
        columns = (self.tails, self.heads, self.weights)
        return Graph._made_of(SoundParts(*pack(self.labels, *columns, directed=False)))

    @classmethod
    def from_edges(
        cls, edges: Iterable[Any], *, nodes: Iterable[Label] = (), directed: bool = True
    ) -> Graph:
        """From (tail, head) or (tail, head, weight); `nodes` first, then others as they appear.

        >>> Graph.from_edges([("b", "a", 2), ("a", "c")]).labels
        ('b', 'a', 'c')
        """
        return cls._made_of(parts_of_edges(edges, nodes=nodes, directed=sound_direction(directed)))

    @classmethod
    def from_matrix(cls, matrix: Any, *, labels: Iterable[Label] | None = None) -> Graph:
        """A square NumPy array (0: no edge) or scipy.sparse matrix (not stored: no edge)."""
        return cls._made_of(parts_of_matrix(matrix, labels=labels))

    @classmethod
    def of(cls, source: object, *, weight: str | None = WEIGHT) -> Graph:
        """From a Graph, networkx, SciPy, NumPy, PyTorch, PyG, pandas, edges, or a file.

        A file is given by its path or open for reading bytes. It is read in the format that its
        suffix names: see docs/inputs.md.

        Args:
            weight: the attribute, or column, that is an edge's weight, where these have names. With
                None every edge is 1.

        >>> Graph.of(np.array([[0, 2.0], [0, 0]])).edge_count
        1
        >>> Graph.of({("a", "b"): 3}).weights
        array([3.])

        Raises:
            GraphError: if it is no graph; of a file, the message begins with its name and line.
        """
        if not (weight is None or isinstance(cast("object", weight), str)):
            raise GraphError(
                f"weight is {brief(weight, code=True)}: expected a name, or None for 1."
            )
        if isinstance(source, Graph):
            parts = GraphParts(*(getattr(source, field) for field in GraphParts._fields))
            return source if weight == WEIGHT else cls(*without_names(parts, weight))
        if isinstance(source, str | PathLike):
            file = Source(path_of(cast("str | PathLike[str]", source), GraphError))
        elif isinstance(source, io.IOBase):
            file = Source.of_stream(source)
        else:
            return cls._made_of(parts_of(source, weight=weight))
        with file.named_in_errors():
            return cls._made_of(read_parts(file, weight=weight))
