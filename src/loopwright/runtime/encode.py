"""Graph → X₀ and the edges of Ã. Sets up the input; computes nothing of the answer."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, field
from fractions import Fraction
from types import MappingProxyType
from typing import Any, Protocol

import numpy as np
from numpy.typing import NDArray

from loopwright.errors import GraphError
from loopwright.model.layout import GLOBAL_ROW, OWN, Field, Kind, Scope
from loopwright.model.limits import Constants
from loopwright.model.weights import Source, Weights
from loopwright.runtime.certain import certificate_of_kind
from loopwright.runtime.check import Certificate, check
from loopwright.runtime.graph import Graph, Label
from loopwright.runtime.inputs import Given, given_numbers, off_grid, read_inputs, row_count
from loopwright.runtime.remember import once_for_each_model
from loopwright.runtime.reweigh import chosen_scale, weights_on_grid

Array = NDArray[Any]
"""float64, or objects (`Fraction`) for the exact machine."""
NO_INPUTS: Mapping[str, Any] = MappingProxyType({})


@dataclass(frozen=True, eq=False)
class Problem:
    """What a machine runs on: X₀ and the non-zero entries of the padded adjacency matrix Ã."""

    x: Array  # (K, d)
    tails: NDArray[np.int64]  # rows of Ã, so 1 for the first node
    heads: NDArray[np.int64]
    weights: Array
    scale: Fraction = Fraction(1)
    """What the weights were multiplied by; values are divided by it when they are read out."""
    source: int | None = None
    """The row of the node that the run starts from, where there is one."""
    inputs: Mapping[str, Any] = field(default_factory=dict[str, Any])
    """The starts that the caller gave, as they were given."""
    certificate: Certificate | None = None
    """Whether the answer is guaranteed, and by what: bounds on this graph, or on all of its kind.
    None if an input is none that it covers."""

    @property
    def rows(self) -> int:
        return len(self.x)

    def adjacency(self) -> Array:
        """Ã as a matrix, (K, K): for those who may take as much memory."""
        a = np.zeros((self.rows, self.rows), self.x.dtype)
        a[self.tails, self.heads] = self.weights
        return a


def encode(
    model: Weights,
    graph: Graph,
    *,
    source: Label | None = None,
    inputs: Mapping[str, Any] | None = None,
    rows: int | None = None,
    exact: bool = False,
    checked: bool = True,
    scale: Fraction | int | None = None,
    iterations: int | None = None,
) -> Problem:
    """Lay out biases, positions and start values in columns, and pad A. [P §5.1]

    `rows` is K − 1 where a program needs more rows than there are nodes. `inputs` gives the start
    of variables declared with `given`. With `exact`, numbers are fractions and weights are not
    rounded to the model's resolution. Unless `checked` is False, a graph on which the answer is not
    guaranteed is refused. `scale` is what weights are multiplied by; else `reweighting` chooses.
    `iterations` are the most that a run may take, where that is not the program's own bound.

    Raises:
        CapacityError: if the answer is not guaranteed on this graph.
        GraphError: if the graph is not what the program needs, the source is missing or unknown,
            or an input is.
    """
    if scale is rows is iterations is None and not (inputs or exact):
        if certain := certificate_of_kind(model, graph):
            return encode_certain(model, graph, source, certain)
    count = row_count(model, graph.n, rows)
    scale = chosen_scale(model, graph, scale, exact=exact)
    fields, padded, alike = model.layout.fields, rows is not None, model.source_unless
    given = read_inputs(model.name, fields, inputs or {}, count, alike=alike, padded=padded)
    certificate = check(
        model,
        graph,
        rows=rows,
        exact=exact,
        scale=scale,
        given=given_numbers(model, given),
        iterations=iterations,
    )
    strange = off_grid(model, given, exact=exact)
    if checked:
        certificate.require(model.name)
        if strange:
            raise GraphError(strange)
    dtype = object if exact else model.dtype
    weights = weights_on_grid(model, graph, scale, exact=exact).astype(dtype)
    x = np.zeros((count + 1, model.width), dtype)
    if exact:
        x[:] = Fraction(0)
    table = (exact_positions if exact else positions)(model.constants, count)
    by_name = {str(one.input): given[one.name] for one in fields if one.input is not None}
    source_row = row_of_source(model, graph, source, by_name)
    for one in model.layout.after(-1):
        place = GLOBAL_ROW if one.scope is Scope.SINGLE else slice(1, None)
        x[place, one.columns] = start_of(one, table, given, exact=exact)
        if one.at_source is not None and source_row is not None:
            x[source_row, one.columns] = one.at_source if exact else float(one.at_source)
    return Problem(
        x=x,
        tails=graph.tails + 1,
        heads=graph.heads + 1,
        weights=weights,
        scale=scale,
        source=source_row,
        inputs=inputs or {},
        certificate=None if strange else certificate,
    )


def encode_certain(
    model: Weights, graph: Graph, source: Label | None, certificate: Certificate
) -> Problem:
    """The same, where weights need no other unit, no rounding and no further proof."""
    x = start(model, graph.n)
    source_row = row_of_source(model, graph, source)
    if source_row is not None:
        for columns, number in cells_at_source(model):
            x[source_row, columns] = number
    ones = model.edges == "ones"
    return Problem(
        x=x,
        tails=graph.tails + 1,
        heads=graph.heads + 1,
        weights=np.ones(len(graph.tails), model.dtype)
        if ones
        else graph.floats.astype(model.dtype, copy=False),
        source=source_row,
        certificate=certificate,
    )


MOST_CELLS = 2**16
"""An X₀ of more numbers is laid out anew for each run …"""
MOST_STARTS = 16
"""… and of smaller ones, of so many sizes, one is kept for the next graph of this size."""


@once_for_each_model
def kept_starts(model: Weights) -> dict[int, Array]:
    """Rows of node variables → X₀ in floats, without source or inputs."""
    return {}


def start(model: Weights, count: int) -> Array:
    """X₀ in floats, without source or inputs."""
    kept = kept_starts(model)
    if (known := kept.get(count)) is not None:
        return known.copy()
    given = read_inputs(model.name, model.layout.fields, {}, count)
    table = positions(model.constants, count)
    x = np.zeros((count + 1, model.width), model.dtype)
    for one in model.layout.after(-1):
        place = GLOBAL_ROW if one.scope is Scope.SINGLE else slice(1, None)
        x[place, one.columns] = start_of(one, table, given, exact=False)
    if x.size <= MOST_CELLS:
        if len(kept) >= MOST_STARTS:
            kept.clear()
        kept[count] = x.copy()
    return x


@once_for_each_model
def cells_at_source(model: Weights) -> list[tuple[slice, float]]:
    """The columns that start otherwise where a run starts from, and the numbers there."""
    starts = [one for one in model.layout.after(-1) if one.at_source is not None]
    return [(one.columns, float(one.at_source or 0)) for one in starts]


class Started(Protocol):
    """A program, or its weights: what is known of where a run starts."""

    @property
    def name(self) -> str: ...
    @property
    def source(self) -> Source: ...
    @property
    def source_unless(self) -> str | None: ...


def row_of_source(
    model: Started, graph: Graph, source: Label | None, inputs: Mapping[str, Any] = NO_INPUTS
) -> int | None:
    """The row that a run starts from, with inputs that have been read.

    Raises:
        GraphError: if there is no such node, or none where one is needed, or one where none is.
    """
    unless = model.source_unless
    told = {*np.ravel(inputs.get(unless, 0))} if unless else {0}
    if source is None:
        if model.source == "required" and told != {1}:
            other = f", or give the input {unless}=1" if unless else ""
            say = f"say which, with source (--source){other}"
            raise GraphError(f"'{model.name}' starts at a node: {say}.")
        return None
    row = graph.index(source) + 1
    if model.source == "none":
        raise GraphError(f"'{model.name}' takes no source.")
    return row


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


def start_of(field: Field, table: Array, given: Given, *, exact: bool) -> Any:
    """What to put in a variable's columns, in the rows of its scope."""
    count = len(table) - 1
    if field.start == OWN:
        if field.kind is Kind.POSITION:
            return table[1:]
        own = np.arange(1, count + 1).reshape(-1, 1)
        own = own * own if field.kind is Kind.SQUARE else own
        return own * Fraction(1) if exact else own  # type: ignore[operator]
    if field.input is not None:
        entries = given[field.name]
        if field.kind is Kind.POSITION:
            return table[entries.astype(np.int64)]
        return (entries if exact else floats_of(field, entries)).reshape(-1, 1)
    start = field.start
    assert isinstance(start, Fraction)
    if field.kind is Kind.POSITION:
        if not 0 <= start <= count:
            raise GraphError(f"'{field.name}' starts at row {start}, but there are {count} rows.")
        return table[int(start)]
    return start if exact else float(start)


def floats_of(field: Field, entries: Array) -> Array:
    """What the caller gives, as floats.

    Raises:
        GraphError: if one is beyond them.
    """
    try:
        return entries.astype(np.float64)
    except OverflowError:
        raise GraphError(f"input '{field.input}': a number is too large for a float.") from None
