"""Answers and weights → pictures, by matplotlib."""

# matplotlib has no complete types.
# pyright: reportUnknownMemberType=false, reportUnknownVariableType=false, reportUnknownArgumentType=false

from __future__ import annotations

from collections.abc import Mapping, Sequence
from io import BytesIO
from math import ceil
from typing import Any

import numpy as np
from matplotlib.colors import ListedColormap
from matplotlib.figure import Figure

from loopwright.errors import brief
from loopwright.model.layout import Layout
from loopwright.model.weights import Layer, Weights
from loopwright.runtime.graph import Graph, Label
from loopwright.runtime.places import places

COLUMNS = 4
"""How many layers stand side by side."""

MOST_NAMED = 40
"""Columns of X that have their names written at a picture's side."""


class Picture(Figure):
    """A figure of matplotlib that a notebook shows by itself, whether or not it has been told to
    show figures."""

    def _repr_png_(self) -> bytes:
        with BytesIO() as file:
            self.savefig(file, format="png", dpi=100)
            return file.getvalue()


def draw_answer(
    graph: Graph,
    name: str,
    column: Mapping[Label, Any],
    tree: Mapping[Label, Label | None] | None,
) -> Picture:
    """The graph, its nodes coloured by an output; `tree` says for nodes which edge to embolden."""
    figure = Picture(figsize=(7, 5), layout="constrained")
    panel = figure.subplots()
    at: Any = places(graph) * [1, -1]
    chosen = tree_edges(graph, tree)
    for tail, head in zip(graph.tails.tolist(), graph.heads.tolist(), strict=True):
        if not (graph.directed or tail <= head):
            continue
        bold = (tail, head) in chosen or (not graph.directed and (head, tail) in chosen)
        style = {"color": "tab:blue" if bold else "0.75", "lw": 3 if bold else 1}
        arrow = {"arrowstyle": "-|>" if graph.directed else "-", "shrinkA": 12, "shrinkB": 12}
        panel.annotate("", at[head], at[tail], arrowprops=arrow | style)
    values = [column[label] for label in graph.labels]
    panel.scatter(*at.T, s=500, c=shades(values), cmap="Blues", vmin=-0.2, vmax=1.6, zorder=2)
    for label, value, (x, y) in zip(graph.labels, values, at, strict=True):
        words = f"{brief(label, 12)}\n{written(value)}"
        panel.text(x, y, words, ha="center", va="center", fontsize=8, zorder=3, parse_math=False)
    panel.margins(0.12)
    panel.set_axis_off()
    panel.set_title(f"{name} of {graph.n} nodes")
    return figure


def tree_edges(graph: Graph, tree: Mapping[Label, Label | None] | None) -> set[tuple[int, int]]:
    """From each node that another points to, to that other."""
    pairs = (tree or {}).items()
    return {
        (graph.index(before), graph.index(label))
        for label, before in pairs
        if before is not None and before != label
    }


def shades(values: Sequence[Any]) -> list[float]:
    """From 0 for the least to 1 for the largest; nodes by the order in which they are met."""
    if any(isinstance(value, str | tuple) for value in values):
        known = list(dict.fromkeys(map(str, values)))
        values = [known.index(str(value)) for value in values]
    numbers = [float(value) for value in values if value is not None]
    low, high = min(numbers, default=0.0), max(numbers, default=0.0)
    wide = high - low or 1.0
    return [-0.2 if value is None else (float(value) - low) / wide for value in values]


def written(value: Any) -> str:
    if value is None:
        return "∞"
    return f"{value:g}" if isinstance(value, float) else brief(value, 12)


def draw_weights(model: Weights) -> Picture:
    """For each layer which columns of X it reads for which others: orange by attention, blue by its
    MLP, which may also read what attention brought."""
    rows = ceil(len(model.layers) / COLUMNS)
    across = min(COLUMNS, len(model.layers))
    side = 2.6 if model.width <= MOST_NAMED else 3.2
    figure = Picture(figsize=(side * across, (side + 0.4) * rows), layout="constrained")
    panels: Any = figure.subplots(rows, across, squeeze=False, sharex=True, sharey=True)
    colours = ListedColormap(["white", "tab:blue", "tab:orange", "tab:purple"])
    for k, (layer, panel) in enumerate(zip(model.layers, panels.flat, strict=False), start=1):
        reaches = reached(layer)
        panel.imshow(reaches, cmap=colours, vmin=0, vmax=3, interpolation="nearest")
        panel.set_title(f"{k} {brief(layer.name, 30)}", fontsize=8, parse_math=False)
        if model.width <= MOST_NAMED:
            names, size = column_names(model.layout), min(7, 130 / model.width)
            panel.set_xticks(range(model.width), names, rotation=90, fontsize=size)
            panel.set_yticks(range(model.width), names, fontsize=size)
    for panel in panels.flat[len(model.layers) :]:
        panel.set_axis_off()
    figure.suptitle(
        f"{model.name} ({model.construction}): from which columns of X (down) to which (across); "
        "orange attention, blue MLP, purple both",
        fontsize=9,
        parse_math=False,
    )
    return figure


def reached(layer: Layer) -> Any:
    """1 where the MLP takes a column to another, 2 where attention does, 3 where both do.

    The weight of an edge, which an edge head reads from a row below the others, is no column.
    """
    way = abs(layer.mlp[0])
    found = [abs(head.value[: len(way)]) > 0 for head in layer.heads]
    for matrix in layer.mlp[1:]:
        way = ((way > 0).astype(float) @ (abs(matrix) > 0)) > 0
    attention = np.logical_or.reduce(found) if found else np.zeros_like(way, bool)
    return (way > 0) * 1 + attention * 2


def column_names(layout: Layout) -> list[str]:
    """The variable of each column; nothing for scratch."""
    names = [""] * layout.width
    for field in layout.fields:
        names[field.first] = brief(field.name, 14)
    return names
