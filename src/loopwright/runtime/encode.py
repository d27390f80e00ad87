"""Graph → X₀ and the edges of Ã. Sets up the input; computes nothing of the answer."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from fractions import Fraction
from math import isfinite
from numbers import Real
from typing import Any

import numpy as np
from numpy.typing import NDArray

from loopwright.errors import GraphError
from loopwright.layout import GLOBAL_ROW, OWN, Field, Kind, Scope
from loopwright.limits import Constants
from loopwright.model import Model
from loopwright.runtime.check import check
from loopwright.runtime.graph import Graph, Label

Array = NDArray[Any]
"""float64, or objects (`Fraction`) for the exact machine."""


@dataclass(frozen=True, eq=False)
class Problem:
    """What a machine runs on: X₀ and the non-zero entries of the padded adjacency matrix Ã."""

    x: Array  # (K, d)
    tails: NDArray[np.int64]  # rows of Ã, so 1 for the first node
    heads: NDArray[np.int64]
    weights: Array
    scale: int = 1
    """What the weights were multiplied by; values are divided by it when they are read out."""

    @property
    def rows(self) -> int:
        return len(self.x)


def encode(
    model: Model,
    graph: Graph,
    *,
    source: Label | None = None,
    inputs: Mapping[str, Any] | None = None,
    rows: int | None = None,
    exact: bool = False,
    checked: bool = True,
) -> Problem:
    """Lay out biases, positions and start values in columns, and pad A. [P §5.1]

    `rows` is K − 1 where a program needs more rows than there are nodes. `inputs` gives the start
    of variables declared with `given`. With `exact`, numbers are fractions and weights are not
    rounded to the model's resolution. Unless `checked` is False, a graph on which the answer is not
    guaranteed is refused.

    Raises:
        CapacityError: if the answer is not guaranteed on this graph.
        GraphError: if the source is missing or unknown, or an input is.
    """
    count = rows or graph.n
    scale = 1 if exact else reweighting(model, graph)
    graph = graph.scaled(scale)
    if checked:
        check(model, graph, rows=rows, exact=exact).require(model.name)
    weights = edge_weights(model, graph, exact=exact)
    x = np.zeros((count + 1, model.width), dtype=object if exact else model.dtype)
    if exact:
        x[:] = Fraction(0)
    table = (exact_positions if exact else positions)(model.constants, count)
    source_row = None if source is None else graph.index(source) + 1
    check_source(model, source_row)
    check_inputs(model, inputs or {})
    for field in model.layout.fields:
        place = GLOBAL_ROW if field.scope is Scope.SINGLE else slice(1, None)
        x[place, field.columns] = start_of(field, table, inputs or {}, exact=exact)
        if field.at_source is not None and source_row is not None:
            x[source_row, field.columns] = field.at_source if exact else float(field.at_source)
    return Problem(x, graph.tails + 1, graph.heads + 1, weights, scale)


def reweighting(model: Model, graph: Graph) -> int:
    """The factor that makes rational weights whole, if the model can hold them then. [P §6.3]

    0.1 + 0.7 = 0.8 then is 1 + 7 = 8: exact, where floats and the grid of ε would be off by a hair.
    Values that the caller gives are not weights: then nothing is scaled.
    """
    factor = graph.denominator
    fits = graph.longest_path_bound() * factor <= model.constants.largest
    mixed = any(field.kind is Kind.VALUE and field.input for field in model.layout.fields)
    return factor if model.edges == "weights" and fits and not mixed else 1


def check_source(model: Model, source_row: int | None) -> None:
    if source_row is None and model.source == "required":
        raise GraphError(f"'{model.name}' starts at a node: say which, with source (--source).")
    if source_row is not None and model.source == "none":
        raise GraphError(f"'{model.name}' takes no source.")


def edge_weights(model: Model, graph: Graph, *, exact: bool) -> Array:
    """The entries of A: 1 for every edge, or weights as multiples of the model's resolution.

    On that grid every sum and difference below Ω is exact in float64. In exact arithmetic weights
    need no grid.
    """
    if model.edges == "ones":
        return np.full(len(graph.tails), Fraction(1) if exact else 1.0)
    if exact:
        column = np.empty(len(graph.tails), dtype=object)
        column[:] = [Fraction(weight) for weight in graph.weights]
        return column
    epsilon = float(model.constants.resolution)
    return np.rint(graph.floats / epsilon) * epsilon


def positions(constants: Constants, count: int) -> Array:
    """p₀ … p_count as rows (sin kδ̂, cos kδ̂). [P §6.1]"""
    angles = constants.angle * np.arange(count + 1)
    return np.stack([np.sin(angles), np.cos(angles)], axis=1)


def exact_positions(constants: Constants, count: int) -> Array:
    """The same by repeated rational rotation: p_k = Rᵀ p_{k−1}."""
    c, s = constants.cosine, constants.sine
    table = np.empty((count + 1, 2), dtype=object)
    table[0] = sine, cosine = Fraction(0), Fraction(1)
    for k in range(1, count + 1):
        table[k] = sine, cosine = c * sine + s * cosine, c * cosine - s * sine
    return table


def start_of(field: Field, table: Array, inputs: Mapping[str, Any], *, exact: bool) -> Any:
    """What to put in a variable's columns, in the rows of its scope."""
    count = len(table) - 1
    if field.start == OWN:
        if field.kind is Kind.POSITION:
            return table[1:]
        own = np.arange(1, count + 1).reshape(-1, 1)
        return own * Fraction(1) if exact else own  # type: ignore[operator]
    if field.input is not None:
        given = given_start(field, inputs.get(field.input, 0), count)
        if field.kind is Kind.POSITION:
            return table[given.astype(np.int64)]
        return given.reshape(-1, 1) if exact else given.astype(np.float64).reshape(-1, 1)
    start = field.start
    assert isinstance(start, Fraction)
    if field.kind is Kind.POSITION:
        return table[int(start)]
    return start if exact else float(start)


def given_start(field: Field, value: Any, count: int) -> Array:
    """What the caller gave for a variable, as one entry or as one for each row, zeros after it.

    Raises:
        GraphError: if it is no number, or none that such a variable can hold.
    """
    listed = np.asarray(value, dtype=object)
    rows = count if field.scope is Scope.NODES else 1
    if listed.ndim == 0:
        listed = np.full(rows, listed[()], dtype=object)
    if listed.ndim != 1 or len(listed) > rows:
        raise GraphError(
            f"input '{field.input}' has {listed.shape} entries; there are {rows} rows."
        )
    for entry in listed:
        if not can_hold(field.kind, entry, count):
            raise GraphError(f"input '{field.input}': {entry!r} is no {field.kind}.")
    return np.concatenate([listed, np.zeros(rows - len(listed), dtype=object)])


def can_hold(kind: Kind, entry: Any, count: int) -> bool:
    """Whether it is a number of its kind."""
    if not isinstance(entry, Real) or not isfinite(entry):
        return False
    if kind is Kind.VALUE:
        return True
    most = {Kind.FLAG: 1, Kind.INDEX: count, Kind.POSITION: count}.get(kind)
    number: Any = entry
    return number == int(number) and (most is None or 0 <= number <= most)


def check_inputs(model: Model, inputs: Mapping[str, Any]) -> None:
    known = [field.input for field in model.layout.fields if field.input]
    for name in inputs:
        if name not in known:
            there = ", ".join(known) or "none"
            raise GraphError(f"'{model.name}' has no input '{name}'; it has: {there}.")
