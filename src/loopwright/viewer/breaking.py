"""Weights, and one number of them → the same weights with that number changed."""

from __future__ import annotations

import re
from dataclasses import dataclass, replace
from math import isfinite

from loopwright.errors import LoopwrightError, brief, require_known
from loopwright.model.layout import Layout
from loopwright.model.weights import Head, Layer, Matrix, Weights

FORM = re.compile(r"([^,=]+),([^,=]+),([^,=]+),([^,=]+)=([^,=]+)")
EXPECTED = "layer,matrix,row,column=value, as 3,W1,dists,0=2"

HEAD_PARTS = {"W_Q": "query", "W_K": "key", "W_V": "value", "W_H": "hinges"}
"""What the page calls a matrix of a head, before the head's number → what it is called inside."""


@dataclass(frozen=True)
class Broken:
    """A model with one weight changed, and what was changed."""

    model: Weights
    layer: int
    """From 0."""
    matrix: str
    row: int
    column: int
    was: float
    value: float

    def __str__(self) -> str:
        return (
            f"layer {self.layer + 1}, {self.matrix}[{self.row}, {self.column}]: "
            f"{self.was:g} became {self.value:g}"
        )


def break_weight(model: Weights, text: str) -> Broken:
    """The model with one weight changed, as `layer,matrix,row,column=value` says.

    Layers count from 1, as everywhere where people read them. Matrices are W1 … W4 of the MLP, and
    W_Q1, W_K1, W_V1 of the first head, W_Q2 of the second, and W_H1 of one with hinges. Rows and
    columns count from 0; where they are those of X, a variable's name stands for its first.

    >>> import loopwright as lw
    >>> broken = break_weight(lw.compile(lw.algorithms.dijkstra()), "3,W4,0,dists=7")
    >>> broken.matrix, broken.row, broken.was, broken.value
    ('W4', 0, 0.0, 7.0)

    Raises:
        LoopwrightError: if it is not of this form, or if there is no such weight.
    """
    found = FORM.fullmatch(text) if isinstance(text, str) else None  # pyright: ignore[reportUnnecessaryIsInstance]
    if not found:
        raise LoopwrightError(f"'{brief(text)}' names no weight: expected {EXPECTED}.")
    place, name, row_text, column_text, value_text = (part.strip() for part in found.groups())
    layer = number(place, "layer", 1, len(model.layers)) - 1
    matrices = named_matrices(model.layers[layer])
    require_known("matrix", name, matrices, of=f"layer {layer + 1}")
    rows_of_x, columns_of_x = sides(name)
    shape = matrices[name].shape
    row = index(row_text, "row", model.layout if rows_of_x else None, shape[0])
    column = index(column_text, "column", model.layout if columns_of_x else None, shape[1])
    try:
        value = float(value_text)
    except ValueError:
        value = float("nan")
    if not isfinite(value):
        raise LoopwrightError(f"'{brief(value_text)}' is no weight: expected a number.")
    changed = matrices[name].copy()
    was, changed[row, column] = float(changed[row, column]), value
    layers = list(model.layers)
    layers[layer] = with_matrix(layers[layer], name, changed)
    return Broken(replace(model, layers=tuple(layers)), layer, name, row, column, was, value)


def named_matrices(layer: Layer) -> dict[str, Matrix]:
    """Every matrix of a layer, by the name that people read."""
    heads = {
        f"{letter}{k}": head.matrices[part]
        for k, head in enumerate(layer.heads, start=1)
        for letter, part in HEAD_PARTS.items()
        if part in head.matrices
    }
    return heads | {f"W{k}": matrix for k, matrix in enumerate(layer.mlp, start=1)}


def sides(name: str) -> tuple[bool, bool]:
    """Whether rows, and whether columns, of a matrix are columns of X."""
    rows = name.startswith(("W_Q", "W_K", "W_V")) or name == "W1"
    return rows, name.startswith("W_V") or name == "W4"


def with_matrix(layer: Layer, name: str, matrix: Matrix) -> Layer:
    if name[:3] not in HEAD_PARTS:
        mlp = [matrix if name == f"W{k}" else old for k, old in enumerate(layer.mlp, start=1)]
        return replace(layer, mlp=(mlp[0], mlp[1], mlp[2], mlp[3]))

    def changed(k: int, head: Head) -> Head:
        return replace(head, **{HEAD_PARTS[name[:3]]: matrix}) if name[3:] == str(k) else head

    heads = tuple(changed(k, head) for k, head in enumerate(layer.heads, start=1))
    return replace(layer, heads=heads)


def index(text: str, what: str, layout: Layout | None, count: int) -> int:
    """A row or column by its number or, if it is one of X, by the name of a variable."""
    if layout is not None and not text.isdecimal():
        require_known("variable", text, [field.name for field in layout.fields])
        return layout[text].first
    return number(text, what, 0, count - 1)


def number(text: str, what: str, least: int, most: int) -> int:
    short = text.isdecimal() and len(text) < 10
    if not short or not least <= int(text) <= most:
        raise LoopwrightError(f"{what} '{brief(text)}': there are {least} to {most}; {EXPECTED}.")
    return int(text)
