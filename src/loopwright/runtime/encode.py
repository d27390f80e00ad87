"""Graph → X₀ and the edges of Ã. Sets up the input; computes nothing of the answer."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from fractions import Fraction
from math import lcm
from typing import Any

import numpy as np
from numpy.typing import NDArray

from loopwright.errors import CapacityError, GraphError
from loopwright.layout import GLOBAL_ROW, OWN, Field, Kind, Scope
from loopwright.limits import Constants
from loopwright.model import Model
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
) -> Problem:
    """Lay out biases, positions and start values in columns, and pad A. [P §4.1]

    `rows` is K − 1 where a program needs more rows than there are nodes. `inputs` gives the start
    of variables declared with `given`. With `exact`, numbers are fractions and weights are not
    rounded to the model's resolution.

    Raises:
        CapacityError: if the graph is larger, or finer, than the model's limits.
        GraphError: if the source is missing or unknown.
    """
    count = rows or graph.n
    check_capacity(model, graph, count)
    weights = edge_weights(model, graph, exact=exact)
    x = np.zeros((count + 1, model.width), dtype=object if exact else np.float64)
    if exact:
        x[:] = Fraction(0)
    table = (exact_positions if exact else positions)(model.constants, count)
    source_row = None if source is None else graph.index(source) + 1
    check_source(model, source_row)
    for field in model.layout.fields:
        place = GLOBAL_ROW if field.scope is Scope.SINGLE else slice(1, None)
        x[place, field.columns] = start_of(field, table, inputs or {}, exact=exact)
        if field.at_source is not None and source_row is not None:
            x[source_row, field.columns] = field.at_source if exact else float(field.at_source)
    return Problem(x, graph.tails + 1, graph.heads + 1, weights)


def check_capacity(model: Model, graph: Graph, rows: int) -> None:
    """Refuse a graph that the constants do not cover."""
    constants = model.constants
    if rows > constants.nodes:
        raise CapacityError(
            f"{rows} rows are needed; this build of '{model.name}' can tell {constants.nodes} "
            f"apart. Recompile with Limits(nodes={rows})."
        )
    if model.edges == "weights" and graph.longest_path_bound() > constants.largest:
        raise CapacityError(
            f"paths could weigh up to {graph.longest_path_bound():g}; this build of '{model.name}' "
            f"holds values up to {float(constants.largest):g}. Recompile with Limits.fit(graph)."
        )


def check_source(model: Model, source_row: int | None) -> None:
    if source_row is None and model.source == "required":
        raise GraphError(f"'{model.name}' starts at a node: say which, with source (--source).")
    if source_row is not None and model.source == "none":
        raise GraphError(f"'{model.name}' takes no source.")


def edge_weights(model: Model, graph: Graph, *, exact: bool) -> Array:
    """The entries of A: 1 for every edge, or weights as multiples of the model's resolution.

    On that grid every sum and difference below Ω is exact in float64. Rational weights, in exact
    arithmetic, need no grid; but two paths must differ by 0 or at least ε.
    """
    if model.edges == "ones":
        return np.full(len(graph.tails), Fraction(1) if exact else 1.0)
    epsilon = model.constants.resolution
    if exact:
        weights = [Fraction(weight) for weight in graph.weights]
        together = lcm(*(weight.denominator for weight in weights))
        if together * epsilon > 1:
            raise CapacityError(
                f"weights with the common denominator {together} can differ by less than the "
                f"resolution {epsilon}. Recompile with Limits(resolution=…) at most 1/{together}."
            )
        column = np.empty(len(weights), dtype=object)
        column[:] = weights
        return column
    rounded = np.rint(graph.floats / float(epsilon)) * float(epsilon)
    if not np.all(rounded > 0):
        least = float(graph.floats.min())
        raise CapacityError(
            f"weight {least:g} is below the resolution {float(epsilon):g} of this build of "
            f"'{model.name}': scale the weights, or recompile with Limits.fit(graph)."
        )
    return rounded


def positions(constants: Constants, count: int) -> Array:
    """p₀ … p_count as rows (sin kδ̂, cos kδ̂). [P §5.1]"""
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
        given = np.asarray(inputs.get(field.input, 0), dtype=object)
        if given.ndim == 0:
            given = np.full(count if field.scope is Scope.NODES else 1, given[()], dtype=object)
        if field.scope is Scope.NODES:
            given = np.concatenate([given, np.zeros(count - len(given), dtype=object)])
        if field.kind is Kind.POSITION:
            return table[given.astype(np.int64)]
        return given.reshape(-1, 1) if exact else given.astype(np.float64).reshape(-1, 1)
    start = field.start
    assert isinstance(start, Fraction)
    if field.kind is Kind.POSITION:
        return table[int(start)]
    return start if exact else float(start)
