"""The fields of a graph, as anyone may give them → checked ones, which no one can change.

Machines trust them: code made for speed would read beyond an array where one row is out of range.
All of this is a few passes over the edges as arrays.
"""

from __future__ import annotations

from collections.abc import Iterable
from typing import Any, cast

import numpy as np
from numpy.typing import NDArray

from loopwright.errors import GraphError, brief
from loopwright.runtime.arcs import Label, Rows, arrow, weight_error
from loopwright.runtime.edge_weights import EdgeWeights, column_of, kind_of_array, weights_of


def sound_labels(labels: Iterable[Label]) -> tuple[Label, ...]:
    """The labels, each of which can be told from all others.

    Raises:
        GraphError: if there are none, if two are equal, or if one cannot be a label. NaN cannot:
            it does not even equal itself.
    """
    try:
        listed = tuple(labels)
    except TypeError:
        raise GraphError(f"labels are of type {type(labels).__name__}: expected a list.") from None
    if not listed:
        raise GraphError("the graph is empty: at least one node is needed.")
    try:
        different = set(listed)
    except TypeError as problem:
        raise GraphError(f"a label must be hashable: {problem}.") from None
    if len(different) != len(listed):
        seen: set[Label] = set()
        twice = next(label for label in listed if label in seen or seen.add(label))
        raise GraphError(f"two nodes have the same label, {brief(twice)}.")
    if any(label != label for label in listed):
        raise GraphError("a node's label is missing: it is NaN.")
    return listed


def sound_direction(directed: object) -> bool:
    """Whether a graph is directed, if it says so by a truth value and not, say, by "no"."""
    if type(directed) not in (bool, np.bool_):
        raise GraphError(f"directed is {brief(directed, code=True)}: expected True or False.")
    return bool(directed)


def sound_ends(name: str, rows: object, n: int) -> Rows:
    """The rows of the edges' tails, or heads.

    Raises:
        GraphError: if one is not a whole number from 0 to n − 1.
    """
    try:
        found: NDArray[Any] = np.asarray(rows)
    except ValueError:
        raise GraphError(f"{name} are lists of different lengths: expected one list.") from None
    if found.ndim != 1 or (found.size and found.dtype.kind not in "iu"):
        raise GraphError(f"{name} are {kind_of_array(found)}: expected a list of whole numbers.")
    outside = np.flatnonzero((found < 0) | (found >= n))
    if len(outside):
        i = int(outside[0])
        raise GraphError(
            f"{name}[{i}] is {found[i]}, which is no node: with {n} labels, rows are 0 to {n - 1}."
        )
    return fixed(found.astype(np.int64))


def sound_weights(
    weights: object, labels: tuple[Label, ...], tails: Rows, heads: Rows
) -> EdgeWeights:
    """The weights of all edges, positive and finite.

    Raises:
        GraphError: if there are more or fewer than edges, or if one cannot be a weight.
    """
    found = weights_of(weights)
    if not len(tails) == len(heads) == len(found):
        raise GraphError(
            f"{len(tails)} tails, {len(heads)} heads and {len(found)} weights: "
            "expected as many of each as there are edges."
        )
    try:
        floats = np.asarray(found, dtype=np.float64)
    except OverflowError:
        raise GraphError("a weight is too large for a float.") from None
    unusable = np.flatnonzero(~((floats > 0) & np.isfinite(floats)))
    if len(unusable):
        i = int(unusable[0])
        raise weight_error(labels[tails[i]], labels[heads[i]], found[i])
    return fixed(found) if isinstance(found, np.ndarray) else found


def check_arcs(
    labels: tuple[Label, ...], tails: Rows, heads: Rows, weights: EdgeWeights, *, directed: bool
) -> None:
    """No edge is there twice, and an undirected one is there both ways, with one weight.

    Raises:
        GraphError: naming an edge for which this does not hold.
    """
    n = len(labels)
    place = tails * n + heads
    order = None if np.all(place[1:] > place[:-1]) else np.argsort(place, kind="stable")
    in_order = place if order is None else place[order]
    repeats = np.flatnonzero(in_order[1:] == in_order[:-1])
    if len(repeats):
        tail, head = divmod(int(in_order[repeats[0]]), n)
        raise GraphError(f"edge {arrow(labels[tail], labels[head])} is given twice: keep one.")
    if directed:
        return
    order = np.arange(len(place)) if order is None else order
    back = np.argsort(heads * n + tails, kind="stable")
    one_way = place[order] != (heads * n + tails)[back]
    column = column_of(weights)
    unlike = np.flatnonzero(one_way | (column[order] != column[back]))
    if len(unlike):
        i = int(order[unlike[0]])
        raise GraphError(
            f"edge {arrow(labels[tails[i]], labels[heads[i]])} of an undirected graph is not there "
            "in both directions, with one weight: use Graph.from_edges(…, directed=False)."
        )


def check_compressed(
    pointers: object,
    indices: object,
    *,
    shape: tuple[int, ...],
    stored: tuple[int, ...],
    blocks: bool = False,
    by_columns: bool = False,
) -> None:
    """The index arrays of a matrix whose rows are compressed, or `by_columns` its columns, perhaps
    in `blocks`. Libraries trust them, and would read and write beyond what is `stored`.

    Raises:
        GraphError: if they do not fit to each other, to the shape, or to the entries' own.
    """
    block = stored[1:] if blocks else (1, 1)
    if len(stored) != (3 if blocks else 1) or 0 in block:
        raise _broken(f"its entries are of shape {stored}")
    rows, columns = (most // each for most, each in zip(shape, block, strict=True))
    if (rows * block[0], columns * block[1]) != tuple(shape):
        raise _broken(f"blocks of {block[0]} × {block[1]} do not fill {shape[0]} × {shape[1]}")
    if by_columns:
        rows, columns = columns, rows
    starts, ends = _index_array("pointers", pointers), _index_array("indices", indices)
    if len(starts) != rows + 1:
        raise _broken(f"it has {len(starts)} index pointers, where {rows + 1} are needed")
    if len(ends) != stored[0] or starts[0] != 0 or starts[-1] != stored[0]:
        between = f"index pointers from {starts[0]} to {starts[-1]}"
        raise _broken(f"{between}, and {len(ends)} indices, for {stored[0]} entries")
    if (starts[1:] < starts[:-1]).any():
        raise _broken("its index pointers decrease")
    if len(ends) and not 0 <= ends.min() <= ends.max() < columns:
        raise _broken(f"its indices are {ends.min()} to {ends.max()}, beyond 0 to {columns - 1}")


def check_coordinates(rows: object, columns: object, stored: object) -> None:
    """The index arrays of a matrix that stores row and column of each entry.

    Raises:
        GraphError: if there is not one row and one column, as whole numbers, for each entry.
    """
    ends = _index_array("rows", rows), _index_array("columns", columns)
    entries = _own_array("entries", stored)
    if entries.ndim != 1 or not len(ends[0]) == len(ends[1]) == len(entries):
        count = f"{len(ends[0])} rows and {len(ends[1])} columns"
        raise _broken(f"it has {count} for {kind_of_array(entries)}")


def check_diagonals(offsets: object, stored: object) -> None:
    """The offsets of a matrix that stores whole diagonals, a row of entries for each.

    Raises:
        GraphError: if there is not one whole number for each diagonal.
    """
    starts, entries = _index_array("offsets", offsets), _own_array("entries", stored)
    if entries.ndim != 2 or len(starts) != len(entries):
        raise _broken(f"it has {len(starts)} offsets for {kind_of_array(entries)}")


def _index_array(name: str, given: object) -> NDArray[Any]:
    found = _own_array(name, given)
    if found.ndim != 1 or found.dtype.kind not in "iu":
        raise _broken(f"its {name} are {kind_of_array(found)}, and not a list of whole numbers")
    return found


def _own_array(name: str, given: object) -> NDArray[Any]:
    """An array, as libraries keep them; they would stumble over a list in its place."""
    if not isinstance(given, np.ndarray):
        raise _broken(f"its {name} are of type {type(given).__name__}, and not an array")
    return cast("NDArray[Any]", given)


def _broken(problem: str) -> GraphError:
    """Only who wrote to the arrays of a sparse matrix can have made such a one."""
    return GraphError(
        f"a sparse matrix that is none: {problem}; make it anew from rows, columns and entries, "
        "such as coo_matrix((entries, (rows, columns)))."
    )


def fixed(array: NDArray[Any]) -> NDArray[Any]:
    """An array of our own, which cannot be written to any more."""
    array.flags.writeable = False
    return array
