"""Edges as whole columns → the parts of a graph, without a step in Python for each edge.

This is how plain input is read: labels, and weights that are floats or whole numbers. Of anything
else these functions say None, and `arcs` goes through it edge by edge, with all that it can name.
"""

from __future__ import annotations

from collections.abc import Callable, Collection, Iterable, Sequence
from itertools import chain
from operator import itemgetter
from typing import Any, cast

import numpy as np
from numpy.typing import NDArray

from loopwright.model.limits import MANTISSA
from loopwright.runtime.arcs import Label, Rows, SoundParts
from loopwright.runtime.edge_weights import EdgeWeights, column_of, of_column

PLAIN_LABELS = {int, str}
"""Labels of these types alone equal themselves, and cannot be changed."""


def parts_of_columns(
    tails: Sequence[Label], heads: Sequence[Label], weights: Sequence[Any] | None
) -> SoundParts | None:
    """Directed edges between labels, in the order in which these are first met.

    >>> parts = parts_of_columns(["a", "b", "a"], ["b", "c", "c"], [2, 1, 3])
    >>> parts.labels, parts.weights
    (('a', 'b', 'c'), array([2., 3., 1.]))
    """
    floats = np.ones(len(tails)) if weights is None else plain_floats(weights)
    if (
        floats is None
        or not len(tails)
        or not {*map(type, tails), *map(type, heads)} <= PLAIN_LABELS
    ):
        return None
    rows = {
        label: row
        for row, label in enumerate(
            dict.fromkeys(chain.from_iterable(zip(tails, heads, strict=True)))
        )
    }
    return sorted_parts(tuple(rows), rows_of(tails, rows), rows_of(heads, rows), floats)


def parts_of_numbers(
    tails: NDArray[Any], heads: NDArray[Any], weights: NDArray[Any] | None
) -> SoundParts | None:
    """The same where labels are whole numbers, as arrays."""
    if tails.dtype.kind not in "iu" or heads.dtype.kind not in "iu":
        return None
    floats = np.ones(len(tails)) if weights is None else plain_floats(weights)
    if floats is None:
        return None
    met = np.stack([tails, heads], axis=1).reshape(-1)
    if met.dtype.kind not in "iu":  # int64 and uint64 have no type in common but floats
        return None
    labels, first, rows = np.unique(met, return_index=True, return_inverse=True)
    order = np.argsort(first)
    place = np.empty(len(order), np.int64)
    place[order] = np.arange(len(order))
    ends = place[rows].reshape(-1, 2)
    return sorted_parts(tuple(labels[order].tolist()), ends[:, 0], ends[:, 1], floats)


def parts_of_adjacency(
    neighbours: Iterable[tuple[Label, Any]],
    weight: str | None,
    *,
    directed: bool,
    check_missing: Callable[[], None],
) -> SoundParts | None:
    """From nodes, each with a mapping from its neighbours to what the edge has, as networkx keeps
    them: an undirected edge is there from both its ends. Without `weight`, or where an edge has
    none of this name, and `check_missing` does not refuse that, it is 1."""
    listed = list(neighbours)
    labels = tuple([label for label, _ in listed])
    others = [other for _, other in listed]
    degrees = list(map(len, others))
    n, m = len(labels), sum(degrees)
    if not n or not {*map(type, labels)} <= PLAIN_LABELS:
        return None
    if weight is None:
        floats = np.ones(m)
    else:
        try:
            edges = chain.from_iterable([other.values() for other in others])
            given = list(map(itemgetter(weight), edges))
        except KeyError:
            check_missing()
            given = [edge.get(weight, 1) for other in others for edge in other.values()]
        if (floats := plain_floats(given)) is None:
            return None
    met = chain.from_iterable(others)
    if labels[-1] != n - 1 or labels != tuple(range(n)):
        met = map({label: row for row, label in enumerate(labels)}.__getitem__, met)
    heads = np.fromiter(cast("Iterable[int]", met), np.int64, m)
    tails = np.arange(n).repeat(degrees)
    order = (tails * n + heads).argsort(kind="stable")  # and tails are in order
    return SoundParts(labels, tails, heads[order], floats[order], directed)


def sorted_parts(
    labels: tuple[Label, ...],
    tails: Rows,
    heads: Rows,
    weights: EdgeWeights,
) -> SoundParts | None:
    """Edges in the order of a graph; None if one is there twice, with different weights."""
    n = len(labels)
    place = tails * n + heads
    if not (place[1:] > place[:-1]).all():
        order, column = place.argsort(), column_of(weights)
        place, column = place[order], column[order]
        repeats = np.flatnonzero(place[1:] == place[:-1])
        if len(repeats):
            if (column[repeats] != column[1:][repeats]).any():
                return None
            place, column = np.delete(place, repeats), np.delete(column, repeats)
        tails, weights = place // n, of_column(column)
        heads = place - tails * n
    return SoundParts(labels, tails, heads, weights)


def rows_of(labels: Collection[Label], rows: dict[Label, int]) -> Rows:
    return np.fromiter(map(rows.__getitem__, labels), np.int64, len(labels))


def plain_floats(weights: Sequence[Any] | NDArray[Any]) -> NDArray[np.float64] | None:
    """Weights as floats that are exactly these, if all are floats or whole numbers, above 0 and
    finite; else None."""
    if isinstance(weights, np.ndarray):
        if weights.dtype.kind not in "iuf" or weights.dtype.itemsize > 8:
            return None
        whole, floats = weights.dtype.kind != "f", weights.astype(np.float64)
    else:
        kinds = set(map(type, weights))
        if not kinds <= {int, float}:
            return None
        try:
            whole, floats = int in kinds, np.array(weights, np.float64)
        except OverflowError:
            return None
    if not len(floats):
        return floats
    most = 2.0**MANTISSA if whole else np.inf
    return floats if floats.min() > 0 and floats.max() < most else None
