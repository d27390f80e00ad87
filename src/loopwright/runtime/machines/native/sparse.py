"""Weight matrices → their non-zero entries: all that the rest of this package reads of a model."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, field

import numpy as np

from loopwright.model.weights import EDGE_HEADS, Head, Matrix, Over, Weights

Sum = tuple[tuple[int, float], ...]
"""One column of a matrix W, read as a sum: X W has Σ weight · X[:, row] in that column, over these
pairs (row of W, weight). Weights that are 0 are left out."""
Sums = dict[int, Sum]
"""A matrix: the sum for each of its columns. Columns that are all 0 are left out."""

EXP_UNDERFLOW = 746.0
"""In float64, exp(−746) is 0."""


@dataclass(frozen=True, eq=False)
class SparseHead:
    """One head. Heads are equal only to themselves, so plans and forms are looked up by head."""

    over: Over
    query: tuple[Sum, ...]
    """One sum for each coordinate; only coordinates that can contribute to a score are kept."""
    key: tuple[Sum, ...]
    """The same coordinates as in `query`."""
    value: Sums
    softmax: bool
    temperature: float
    reach: float
    """A score that is further than this below the best one gets no attention at all."""
    edge_key: tuple[float, ...] = ()
    """In an edge head, for each coordinate: what the weight of an edge is multiplied by."""
    edge_value: Mapping[int, float] = field(default_factory=dict[int, float])
    """The same for each column that the head writes, where it is not 0."""
    hinges: tuple[float, ...] = ()
    """The weights of the first coordinates, if these are hinges."""

    @property
    def chooses(self) -> bool:
        """Whether it is an edge head."""
        return self.over in EDGE_HEADS

    @property
    def query_columns(self) -> set[int]:
        """The columns of X that queries depend on."""
        return {column for weights in self.query for column, _ in weights}

    @property
    def key_columns(self) -> set[int]:
        """The columns of X that keys depend on."""
        return {column for weights in self.key for column, _ in weights}

    @property
    def score_columns(self) -> set[int]:
        """The columns of X that scores depend on: those of queries and those of keys."""
        return self.query_columns | self.key_columns


@dataclass(frozen=True, eq=False)
class SparseLayer:
    """One layer: its heads, and the four matrices of its MLP."""

    heads: tuple[SparseHead, ...]
    mlp: tuple[Sums, ...]


def sparsify(model: Weights) -> tuple[SparseLayer, ...]:
    """Take the non-zero entries of every layer of a model."""
    softmax = model.attention == "softmax"
    return tuple(
        SparseLayer(
            tuple(_head(head, softmax=softmax) for head in layer.heads),
            tuple(map(_sums, layer.mlp)),
        )
        for layer in model.layers
    )


def _head(head: Head, *, softmax: bool) -> SparseHead:
    """Leave out the coordinates that are 0 in every query or in every key, but for hinges."""
    rows = len(head.query)
    query, key, value = _sums(head.query), _sums(head.key[:rows]), _sums(head.value[:rows])
    edge_key, edge_value = ({}, {})
    if head.over in EDGE_HEADS:
        edge_key, edge_value = (
            {column: weights[0][1] for column, weights in _sums(last).items()}
            for last in (head.key[rows:], head.value[rows:])
        )
    hinges = tuple(float(weight) for (weight,) in head.hinges)
    used = sorted((query.keys() & (key.keys() | edge_key.keys())) | {*range(len(hinges))})
    return SparseHead(
        over=head.over,
        query=tuple(query.get(i, ()) for i in used),
        key=tuple(key.get(i, ()) for i in used),
        value={column: () for column in edge_value} | value,
        softmax=softmax,
        temperature=float(head.temperature),
        reach=EXP_UNDERFLOW * head.temperature if softmax else float(head.tie_tolerance),
        edge_key=tuple(edge_key.get(i, 0.0) for i in used),
        edge_value=edge_value,
        hinges=hinges,
    )


def _sums(matrix: Matrix) -> Sums:
    columns: dict[int, list[tuple[int, float]]] = {}
    for column, row in zip(*(at.tolist() for at in np.nonzero(matrix.T)), strict=True):
        columns.setdefault(column, []).append((row, float(matrix[row, column])))
    return {column: tuple(entries) for column, entries in columns.items()}
