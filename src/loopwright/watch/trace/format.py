"""Numbers, labels, graphs and answers ↔ JSON, as they stand in a trace."""

from __future__ import annotations

import json
from collections.abc import Mapping
from dataclasses import dataclass
from fractions import Fraction
from itertools import compress
from math import isfinite
from typing import Any, cast

import numpy as np

from loopwright.errors import TraceError, brief
from loopwright.model.description import JSON, RATIONAL, read_count
from loopwright.model.layout import Kind, Layout
from loopwright.runtime.graph import Graph, Label

FORMAT = "loopwright-trace"
VERSION = 2

BEGINNING = f'{{"format":"{FORMAT}"'.encode()
"""How every trace begins, when it is decompressed."""

GZIP = b"\x1f\x8b"
"""How a compressed file begins, whatever its name is."""

LONGEST_LINE = 2**26
"""Bytes, 64 MiB: JSON takes 25 times its size in memory. A line holds at most the graph, or X."""

MOST_CELLS = 2**24
"""Of an X, or of a layer's attention: 128 MiB. Float64 tells some 170,000 positions apart: with 63
columns, an X on as many nodes has two thirds of this."""

Result = Mapping[str, Mapping[Label, Any]]
"""Output name → label → value, as in `Answer.result`."""

RATIONALS = "rational"
"""The numbers of the exact machine; those of others are called by their dtype."""


def to_line(data: JSON) -> bytes:
    """One line, in ASCII: a label can hold what UTF-8 has no bytes for.

    Raises:
        TraceError: if no reader would take it.
    """
    try:
        line = json.dumps(data, separators=(",", ":")).encode("ascii") + b"\n"
    except ValueError as problem:  # a whole number of more than 4,300 digits
        raise TraceError(f"a trace cannot hold this: {problem}.") from None
    if len(line) > LONGEST_LINE:
        raise TraceError(
            f"a trace has lines of at most {LONGEST_LINE:,} bytes, and this run needs one of "
            f"{len(line):,}: trace a smaller graph."
        )
    return line


def frame_number(iteration: int, layer: int, layers: int) -> int:
    """The layers that have run, this one included; 0 for X₀."""
    return (iteration - 1) * layers + layer + 1


# ── numbers ─────────────────────────────────────────────────────────────────────────────────────


def number_to_json(number: Any) -> JSON:
    """A number, or a list or array of them: fractions as text, and so what JSON has no number for.

    >>> number_to_json([0.1, 2, Fraction(1, 3), float("inf")])
    [0.1, 2, '1/3', 'inf']
    """
    if isinstance(number, list | tuple | np.ndarray):
        return [number_to_json(each) for each in cast("list[Any]", number)]
    number = number.item() if hasattr(number, "item") else number  # NumPy's as Python's
    if isinstance(number, float):
        return number if isfinite(number) else str(number)
    if isinstance(number, int):
        return number
    try:
        return str(Fraction(number))
    except ValueError:  # Python writes no more than 4,300 digits
        raise TraceError(
            "a fraction has too many digits for a trace: trace a machine with floats."
        ) from None


def number_from_json(data: JSON) -> Any:
    if isinstance(data, list):
        return [number_from_json(each) for each in cast("list[JSON]", data)]
    if not isinstance(data, str):
        return data
    if data in ("nan", "inf", "-inf"):
        return float(data)
    if not RATIONAL.fullmatch(data):
        raise ValueError(f"{brief(data)} is no number")
    return Fraction(data)


# ── labels ──────────────────────────────────────────────────────────────────────────────────────


@dataclass(frozen=True)
class OtherLabel:
    """Stands for a label that JSON cannot hold: what it looked like, and whose it was."""

    text: str
    node: int

    def __str__(self) -> str:
        return self.text


def label_to_json(label: Label) -> JSON:
    """Text, numbers, None and tuples of those are kept; of others, what they look like.

    >>> label_to_json("a"), label_to_json((1, None)), label_to_json(frozenset())
    ('a', [1, None], {'text': 'frozenset()'})
    """
    try:
        return _plain(label)
    except TypeError:
        return {"text": brief(label)}


def _plain(label: Any) -> JSON:
    label = label.item() if hasattr(label, "item") else label  # NumPy's as Python's
    if isinstance(label, tuple):
        return [_plain(part) for part in cast("tuple[Any, ...]", label)]
    if isinstance(label, float) and not isfinite(label):
        raise TypeError("JSON has no such number")
    if label is None or isinstance(label, str | int | float):
        return label
    raise TypeError(f"JSON has no {type(label).__name__}")


def label_from_json(data: JSON, node: int) -> Label:
    if isinstance(data, list):
        return tuple(label_from_json(part, node) for part in cast("list[JSON]", data))
    if isinstance(data, dict):
        return OtherLabel(cast("dict[str, str]", data)["text"], node)
    return data


# ── graphs and answers ──────────────────────────────────────────────────────────────────────────


def graph_to_json(graph: Graph) -> JSON:
    """Nodes count from 0. An undirected edge is written once, from the node that comes first."""
    once = np.full(len(graph.tails), True) if graph.directed else graph.tails <= graph.heads
    return {
        "nodes": graph.n,
        "directed": graph.directed,
        "labels": [label_to_json(label) for label in graph.labels],
        "tails": graph.tails[once].tolist(),
        "heads": graph.heads[once].tolist(),
        "weights": number_to_json([*compress(graph.weights, once)]),
    }


def graph_from_json(data: JSON) -> Graph:
    """The graph that `graph_to_json` wrote; whatever else comes of data of another form."""
    labels = [label_from_json(label, node) for node, label in enumerate(data["labels"])]
    tails, heads = ([labels[read_count(k)] for k in data[end]] for end in ("tails", "heads"))
    edges = zip(tails, heads, number_from_json(data["weights"]), strict=True)
    return Graph.from_edges(edges, nodes=labels, directed=bool(data["directed"]))


def outputs_to_json(layout: Layout, graph: Graph, result: Result) -> JSON:
    """Output name → a value for each node; where the value is a node, its index."""
    nodes = {label: node for node, label in enumerate(graph.labels)}

    def value_to_json(kind: Kind, value: Any) -> JSON:
        if value is None:
            return None
        return nodes[value] if kind is Kind.INDEX else number_to_json(value)

    return {
        name: [value_to_json(layout[layout.outputs[name]].kind, value) for value in column.values()]
        for name, column in result.items()
    }


def outputs_from_json(layout: Layout, graph: Graph, data: JSON) -> Result:
    """What `Answer.result` was."""

    def value_from_json(kind: Kind, value: JSON) -> Any:
        if value is None:
            return None
        if kind is Kind.INDEX:
            return graph.labels[read_count(value)]
        return number_from_json(value)

    return {
        name: {
            label: value_from_json(layout[layout.outputs[name]].kind, value)
            for label, value in zip(graph.labels, column, strict=True)
        }
        for name, column in data.items()
    }
