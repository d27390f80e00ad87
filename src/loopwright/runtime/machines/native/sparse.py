"""Weight matrices → their non-zero entries: all that the rest of this package reads of a model."""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np

from loopwright.model.weights import Head, Layer, Matrix, Over, Weights

Entries = tuple[tuple[int, float], ...]
"""(row of the matrix, weight): what one column of the matrix adds up."""
Sparse = dict[int, Entries]
"""Column of the matrix → its entries; empty columns are left out."""


@dataclass(frozen=True, eq=False)
class SparseHead:
    over: Over
    query: tuple[Entries, ...]  # one for each coordinate
    key: tuple[Entries, ...]
    value: Sparse
    tie_tolerance: float
    temperature: float

    @property
    def queried(self) -> set[int]:
        """The columns that queries depend on."""
        return {column for entries in self.query for column, _ in entries}

    @property
    def scored(self) -> set[int]:
        """The columns that scores depend on."""
        return self.queried | {column for entries in self.key for column, _ in entries}


@dataclass(frozen=True, eq=False)
class SparseLayer:
    heads: tuple[SparseHead, ...]
    mlp: tuple[Sparse, Sparse, Sparse, Sparse]


def sparsify(model: Weights) -> tuple[SparseLayer, ...]:
    """Every layer of a model."""
    return tuple(_layer(layer) for layer in model.layers)


def _layer(layer: Layer) -> SparseLayer:
    first, second, third, fourth = map(_columns, layer.mlp)
    return SparseLayer(tuple(map(_head, layer.heads)), (first, second, third, fourth))


def _head(head: Head) -> SparseHead:
    """Coordinates that are 0 in every query or in every key add nothing to a score."""
    query, key = _columns(head.query), _columns(head.key)
    used = sorted(query.keys() & key.keys())
    return SparseHead(
        over=head.over,
        query=tuple(query[i] for i in used),
        key=tuple(key[i] for i in used),
        value=_columns(head.value),
        tie_tolerance=float(head.tie_tolerance),
        temperature=float(head.temperature),
    )


def _columns(matrix: Matrix) -> Sparse:
    columns: dict[int, list[tuple[int, float]]] = {}
    for column, row in zip(*(at.tolist() for at in np.nonzero(matrix.T)), strict=True):
        columns.setdefault(column, []).append((row, float(matrix[row, column])))
    return {column: tuple(entries) for column, entries in columns.items()}
