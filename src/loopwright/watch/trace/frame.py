"""A line of a trace → the cells of X that it changes, and who attended to whom."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from fractions import Fraction
from math import prod
from typing import Any

import numpy as np
from numpy.typing import NDArray

from loopwright.errors import TraceError, brief
from loopwright.model.description import JSON
from loopwright.model.layout import GLOBAL_ROW, Kind, Layout, Scope
from loopwright.model.limits import MANTISSAS
from loopwright.model.weights import Matrix
from loopwright.runtime.encode import Array
from loopwright.watch.trace.format import MOST_CELLS, RATIONALS, number_from_json

Rows = NDArray[np.int64]


@dataclass(frozen=True, eq=False)
class Frame:
    """X after one layer; `frame["dists"]` is a variable."""

    iteration: int
    """From 1; 0 for X₀."""
    layer: int
    """From 0."""
    x: Array  # (K, d)
    """Floats, or fractions if the exact machine ran. Row 0 holds single variables, row k + 1 node
    k. Values are in the unit of the run: that of the graph's weights times `Trace.scale`."""
    changed: Mapping[str, Rows]
    """Variable → the rows of X where this layer changed it."""
    attention: list[Matrix] | None
    """For each head of the layer who (row) attended to whom (column), and how much; None if the
    writer was not asked for it."""
    layout: Layout

    def __getitem__(self, name: str) -> Any:
        """A variable: one entry, or an array with one for each node; a position has two columns.

        Raises:
            TraceError: if there is no such variable.
        """
        known = [field.name for field in self.layout.fields]
        if not (isinstance(name, str) and name in known):  # pyright: ignore[reportUnnecessaryIsInstance]
            raise TraceError(f"no variable '{brief(name)}'; there are: {', '.join(known)}.")
        field = self.layout[name]
        if field not in self.layout.after(self.layer):
            raise TraceError(
                f"'{name}' is not kept after layer {self.layer}: its column holds another variable "
                f"then. It is there after {', '.join(map(str, field.held or ()))}."
            )
        rows = GLOBAL_ROW if field.scope is Scope.SINGLE else slice(1, None)
        return self.x[rows, field.columns if field.kind is Kind.POSITION else field.first]


class Cells:
    """Reads the numbers of a run's lines into an X of that run.

    Its methods raise ValueError, or whatever else comes of data of another form.
    """

    def __init__(self, layout: Layout, rows: int, numbers: str) -> None:
        self.layout, self.shape = layout, (rows, layout.width)
        self.exact = numbers == RATIONALS
        if not self.exact and numbers not in MANTISSAS:
            raise ValueError(f"there are no numbers '{brief(numbers)}'")
        if prod(self.shape) > MOST_CELLS:
            raise ValueError(f"X has at most {MOST_CELLS:,} cells, not {rows} × {layout.width}")
        self.dtype = np.dtype(object if self.exact else numbers)

    def whole(self, line: JSON) -> Array:
        x = np.zeros(self.shape, self.dtype)
        if self.exact:
            x[:] = Fraction(0)
        self.put(line, "whole", x)
        return x

    def put(self, line: JSON, part: str, x: Array) -> dict[str, Rows]:
        """Put the numbers of a line into X; variable → the rows where it has some."""
        found: dict[str, Rows] = {}
        for name, (rows, values) in line[part].items():
            field = self.layout[name]
            found[name] = some = indices(rows, len(x))
            x[some, field.columns] = self.numbers(values, len(some), field.kind.width)
        if "rest" in line:
            rows, columns, values = line["rest"]
            some, others = indices(rows, len(x)), indices(columns, self.layout.width)
            x[some, others] = self.numbers(values, len(some), 1)[:, 0]
        return found

    def numbers(self, values: JSON, rows: int, width: int) -> Array:
        return np.array(number_from_json(values), self.dtype).reshape(rows, width)

    def attention(self, line: JSON) -> list[Matrix]:
        """For each head of the layer, its groups as a matrix."""
        heads, rows = line.get("attention", ()), self.shape[0]
        if len(heads) * rows**2 > MOST_CELLS:
            raise ValueError(f"attention has at most {MOST_CELLS:,} cells")
        matrices = np.zeros((len(heads), rows, rows), np.float64 if self.exact else self.dtype)
        for matrix, groups in zip(matrices, heads, strict=True):
            for who, *to in groups:
                some = indices(who, rows)
                if to:
                    whom = indices(to[0], rows)
                    weights = number_from_json(to[1]) if to[1:] else 1 / len(whom)
                    matrix[some[:, None], whom] = weights
                else:
                    matrix[some, some] = 1
        return list(matrices)


def indices(data: JSON, most: int) -> Rows:
    """Rows or columns, of which there are so many."""
    found = np.asarray(data)
    if found.ndim != 1 or found.dtype.kind != "i" or found.min() < 0 or found.max() >= most:
        raise ValueError(f"{brief(data)} are no rows or columns")
    return found
