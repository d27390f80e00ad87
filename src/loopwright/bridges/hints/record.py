"""A run → every variable after every iteration, as numbers that mean something to others.

What is unreached is infinite, and never the constant that stands for it in X. Pointers are nodes,
from 0, and −1 for none.
"""

from __future__ import annotations

import re
from fractions import Fraction
from math import inf
from typing import Any

import numpy as np
from numpy.typing import NDArray

from loopwright.model.layout import Field, Kind, Scope
from loopwright.model.weights import Weights
from loopwright.runtime.decode import most_plain
from loopwright.runtime.encode import Array, Problem
from loopwright.runtime.graph import Graph
from loopwright.runtime.observe import Observer

CONSTANT = ("B_global", "B_local", "own_index", "own_square", "P")
"""Variables that are the same in every run."""
MADE_UP = re.compile(r"t\d+|.*′")
"""What the compiler calls values that the program's author gave no name."""


class Recorder(Observer):
    """Keeps X before the first iteration and after each."""

    def begin(self, model: Weights, graph: Graph, problem: Problem) -> None:
        self.model, self.graph = model, graph
        self.scale, self.source = problem.scale, problem.source
        self.last = len(model.layers) - 1
        self.states: list[Array] = [problem.x.copy()]

    def after_layer(self, iteration: int, layer: int, x: Array) -> None:
        if layer == self.last:
            self.states.append(x.copy())

    @property
    def variables(self) -> dict[str, Field]:
        """Those that X holds when an iteration ends; positions are left out: they are no numbers
        of their own, and what they point at is an index beside them."""
        return {
            one.name: one
            for one in self.model.layout.after(self.last)
            if one.name not in (*CONSTANT, self.model.layout.halt)
            and one.kind is not Kind.POSITION
            and not MADE_UP.fullmatch(one.name)
        }

    def __getitem__(self, name: str) -> NDArray[Any]:
        """(time, nodes), or (time,) for a single variable: before the first iteration and after
        each. What a variable that shares its columns held before is not known, and is 0."""
        one = self.model.layout[name]
        rows = slice(0, 1) if one.scope is Scope.SINGLE else slice(1, None)
        column = np.stack([x[rows, one.first] for x in self.states]).astype(np.float64)
        if one.held is not None and -1 not in one.held:
            column[0] = 0
        if one.kind in (Kind.VALUE, Kind.COUNT):
            far = np.abs(column) > float(min(most_plain(self.model), Fraction(2) ** 1000))
            plain = np.array(
                [float(Fraction(cell) / self.scale) for cell in column[~far].tolist()]
                if one.kind is Kind.VALUE and self.scale != 1
                else column[~far]
            )
            column[far] = np.sign(column[far]) * inf
            column[~far] = plain
        if one.kind is Kind.INDEX:
            column -= 1
        found = column if one.kind is Kind.VALUE else whole(column)
        return found[:, 0] if one.scope is Scope.SINGLE else found


def whole(column: NDArray[np.float64]) -> NDArray[Any]:
    """As integers, unless something is infinite."""
    rounded = np.rint(column)
    return rounded.astype(np.int64) if np.isfinite(column).all() else rounded
