"""Output columns of X_T → what each node has; labels are joined when somebody looks."""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from fractions import Fraction
from math import inf
from typing import Any, NamedTuple

import numpy as np
from numpy.typing import NDArray

from loopwright.model.layout import Kind
from loopwright.model.limits import LARGEST_COUNT, MANTISSA
from loopwright.runtime.arcs import Label

Column = NDArray[Any]


class Output(NamedTuple):
    """One output: for each node a number, the row of a node (0 for none), or a truth value."""

    kind: Kind
    column: Column
    unreached: NDArray[np.bool_] | None = None
    """Where there is no number; None: there is one everywhere."""

    def listed(self, labels: tuple[Label, ...]) -> list[Any]:
        """As people see it: Python's own numbers, labels, and None for what is not there."""
        found = self.column.tolist()
        if self.kind is Kind.INDEX:
            named = (None, *labels)
            return [named[row] for row in found]
        if self.unreached is not None:
            for row in np.flatnonzero(self.unreached).tolist():
                found[row] = None
        return found

    def array(self) -> Column:
        """As numbers: infinity for what is unreached, places from 0 for nodes, −1 for none."""
        if self.kind is Kind.INDEX:
            return self.column - 1
        if self.kind is Kind.FLAG:
            return self.column.copy()
        floats = self.column.astype(np.float64)
        if self.unreached is not None:
            floats[self.unreached] = inf
        return floats


class Outputs(Mapping[str, "dict[Label, Any]"]):
    """Output name → label → value. A dictionary of labels is made when it is first asked for."""

    def __init__(self, labels: tuple[Label, ...], outputs: Mapping[str, Output]) -> None:
        self.labels, self.outputs = labels, outputs
        self._joined: dict[str, dict[Label, Any]] = {}

    def __getitem__(self, name: str) -> dict[Label, Any]:
        if name not in self._joined:
            listed = self.outputs[name].listed(self.labels)
            self._joined[name] = dict(zip(self.labels, listed, strict=True))
        return self._joined[name]

    def __iter__(self) -> Iterator[str]:
        return iter(self.outputs)

    def __len__(self) -> int:
        return len(self.outputs)

    def __repr__(self) -> str:
        return repr(dict(self))


def output_of(
    kind: Kind, cells: Column, nodes: int, scale: Fraction | int, most: float
) -> Output | None:
    """The cells of one output, in floats; None if one of them is none that it could hold.

    A value or count beyond ±`most` is unreached.
    """
    beyond = None
    if kind in (Kind.VALUE, Kind.COUNT) and most < inf:
        beyond = np.abs(cells) > most
        if not np.count_nonzero(beyond):  # in a third of the time of `any`
            beyond = None
    if kind is Kind.VALUE:
        return Output(kind, cells.copy() if scale == 1 else divided(cells, scale), beyond)
    if beyond is not None:
        cells = np.where(beyond, 0, cells)
    least, largest = (0, nodes) if kind is Kind.INDEX else (-LARGEST_COUNT, LARGEST_COUNT)
    if not (float(cells.min()) >= least - 0.25 and float(cells.max()) <= largest + 0.25):
        return None
    whole = cells.astype(np.int64)
    if np.count_nonzero(whole != cells):
        whole = np.rint(cells)
        if not (np.abs(cells - whole) <= 0.25).all():
            return None
        whole = whole.astype(np.int64)
    return Output(kind, whole != 0 if kind is Kind.FLAG else whole, beyond)


def divided(cells: NDArray[np.floating[Any]], scale: Fraction | int) -> Column:
    """Each cell divided by a fraction p/q, rounded once, to the nearest float.

    Where cell · q and p are floats without rounding, a division rounds as it should. That is so for
    whole multiples of a power of two, as long as they have no more bits than a float.
    """
    p, q = scale.numerator, scale.denominator
    finite = cells.astype(np.float64)
    if np.isfinite(finite).all() and max(p, q).bit_length() <= MANTISSA:
        _, exponents = np.frexp(np.abs(finite).max(initial=1.0))
        step = int(exponents) + q.bit_length() - MANTISSA
        if (np.rint(np.ldexp(finite, -step)) == np.ldexp(finite, -step)).all():
            exact = finite * q / p
            return exact if cells.dtype == np.float64 else exact.astype(cells.dtype)
    return np.array([float(Fraction(cell) / scale) for cell in cells.tolist()])
