"""What a caller gives besides the graph: starts of the variables that a program declares so."""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence
from fractions import Fraction
from math import inf, isqrt
from numbers import Real
from typing import Any

import numpy as np
from numpy.typing import NDArray

from loopwright.errors import CapacityError, GraphError, brief, require_known, require_whole
from loopwright.model.layout import Field, Kind, Scope
from loopwright.model.weights import Weights

Given = Mapping[str, NDArray[Any]]
"""Variable → its entries as fractions: one, or one for each row."""


def row_count(model: Weights, nodes: int, rows: int | None) -> int:
    """Rows for node variables: one for each node, or as many as the caller says.

    Raises:
        CapacityError: if those are too few for the graph's nodes, or more than the model can tell
            apart, so that nobody asks for memory that no run could use.
    """
    if rows is None:
        return nodes
    given = require_whole("rows", rows, least=nodes, error=CapacityError)
    if given > max(nodes, model.constants.nodes):
        raise CapacityError(
            f"rows={brief(given)}: '{model.name}' can tell {model.constants.nodes} positions "
            "apart: recompile with other Limits(nodes=…)."
        )
    return given


def read_inputs(
    name: str,
    fields: Iterable[Field],
    inputs: Mapping[str, Any],
    rows: int,
    *,
    alike: str | None = None,
    padded: bool = False,
) -> Given:
    """By the names that a program has for them; 0 for what is not given.

    `alike` is the input that no two nodes may be told differently, if there is one: each node asks
    it what the run does, and some would do one thing and some another. `padded` is for callers who
    have said how many rows there are: zeros follow a list that is shorter. Else a list that has not
    one entry for each node is a mistake.

    Raises:
        GraphError: if there is no such input, or an entry is none that its variable can hold, or
            entries differ that must be alike.
    """
    declared = [field for field in fields if field.input]
    known = dict.fromkeys(str(field.input) for field in declared)
    for given in inputs:
        require_known("input", given, known, of=name, error=GraphError)
    found = {
        field.name: entries_of(field, inputs.get(str(field.input), 0), rows, padded=padded)
        for field in declared
    }
    for field in declared:
        if field.input == alike and len({*different(found[field.name])}) > 1:
            raise about_the_whole_run(field)
    return found


def about_the_whole_run(field: Field) -> GraphError:
    """What to say of a list in the place of a number."""
    say = f"give one number, as {field.input}=1, and not others for other nodes"
    return GraphError(f"input '{field.input}' is about the whole run: {say}.")


def entries_of(field: Field, value: Any, count: int, *, padded: bool) -> NDArray[Any]:
    """One entry for every row of the variable.

    Raises:
        GraphError: if it is no number, or none that such a variable can hold, or there are too many
            or too few.
    """
    listed = np.asarray(value, dtype=object)
    rows = count if field.scope is Scope.NODES else 1
    if listed.ndim == 0:  # one for all rows, looked at once
        return np.full(rows, entry_of(field, listed[()], count), dtype=object)
    if not isinstance(value, Sequence) and not hasattr(value, "__array__"):
        kind = type(value).__name__  # an empty graph of networkx is an empty list to NumPy
        raise GraphError(f"input '{field.input}' is of type {kind}: give a number, or a list.")
    if field.scope is Scope.SINGLE and listed.shape != (1,):
        raise about_the_whole_run(field)
    if listed.ndim != 1 or len(listed) > rows:
        raise GraphError(
            f"input '{field.input}' has {listed.shape} entries; there are {rows} rows."
        )
    if len(listed) < rows and not padded:
        raise GraphError(
            f"input '{field.input}' has {len(listed)} entries for {rows} rows: give one for each, "
            "or one number for all."
        )
    entries = np.full(rows, Fraction(0), dtype=object)
    for row, entry in enumerate(listed):
        entries[row] = entry_of(field, entry, count)
    return entries


def entry_of(field: Field, entry: Any, count: int) -> Fraction:
    """One entry, exactly.

    Raises:
        GraphError: if it is no number, or none that such a variable can hold.
    """
    if not can_hold(field.kind, entry, count):
        raise GraphError(f"input '{field.input}': {brief(entry, code=True)} is no {field.kind}.")
    if entry < 0 and not field.signed:
        raise GraphError(
            f"input '{field.input}': {entry} is negative, but '{field.name}' is unsigned: "
            "declare it with signed=True."
        )
    return Fraction(entry.item() if hasattr(entry, "item") else entry)


def can_hold(kind: Kind, entry: Any, count: int) -> bool:
    """Whether it is a number of its kind."""
    number: Any = entry
    if not isinstance(entry, Real) or not -inf < number < inf:
        return False
    if kind is Kind.VALUE:
        return True
    most = {Kind.FLAG: 1, Kind.INDEX: count, Kind.SQUARE: count**2, Kind.POSITION: count}.get(kind)
    fits = number == int(number) and (most is None or 0 <= number <= most)
    return fits and (kind is not Kind.SQUARE or isqrt(int(number)) ** 2 == number)


def off_grid(model: Weights, given: Given, *, exact: bool) -> str | None:
    """What is wrong with a value that is given: it must be within ±Ω and, in floats, a multiple of
    ε. None if all are."""
    omega, epsilon = model.constants.omega, model.constants.resolution
    for name, entries in given.items():
        field = model.layout[name]
        if field.kind not in (Kind.VALUE, Kind.COUNT):
            continue
        for entry in different(entries):
            if abs(entry) > omega or (not exact and entry % epsilon):
                return (
                    f"input '{field.input}': {brief(entry)} is no multiple of the model's "
                    f"resolution {epsilon} up to {omega}: recompile with other Limits."
                )
    return None


def given_numbers(model: Weights, given: Given) -> list[Fraction]:
    """All different entries of variables that hold values or counts."""
    held = (Kind.VALUE, Kind.COUNT)
    columns = (entries for name, entries in given.items() if model.layout[name].kind in held)
    return [entry for entries in columns for entry in different(entries)]


def different(entries: NDArray[Any]) -> Iterable[Fraction]:
    """Without those that are the same object, as where one was given for all rows."""
    return {id(entry): entry for entry in entries}.values()
