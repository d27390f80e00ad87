"""Trace, weights → all that a page says of a run besides X: graph, program, columns, weights."""

from __future__ import annotations

from dataclasses import asdict
from typing import Any

import numpy as np

from loopwright.errors import brief
from loopwright.model.description import JSON
from loopwright.model.layout import Layout
from loopwright.model.limits import Constants
from loopwright.model.weights import HEAD_KINDS, Layer, Matrix, Weights
from loopwright.runtime.graph import Graph
from loopwright.runtime.places import places
from loopwright.viewer.columns import column_table
from loopwright.watch.monitor import TURNS
from loopwright.watch.trace import Trace

MOST_DRAWN = 1500
"""How many nodes, and a few times as many edges, a browser moves without delay."""

LONGEST_LABEL = 200
"""Characters of a label that a page holds."""


def graph_facts(graph: Graph, entries: Any | None) -> dict[str, JSON]:
    """Labels, edges and where to draw them; `entries` are the numbers of Ã, where they are known.

    An undirected edge is there in both directions, as attention meets it.
    """
    drawn = graph.n <= MOST_DRAWN and len(graph.tails) <= 8 * MOST_DRAWN
    return {
        "labels": [brief(label, LONGEST_LABEL) for label in graph.labels],
        "directed": graph.directed,
        "edges": graph.edge_count,
        "tails": graph.tails.tolist(),
        "heads": graph.heads.tolist(),
        "weights": [str(weight) for weight in graph.weights],
        "entries": None if entries is None else [float(entry) for entry in entries],
        "places": np.round(places(graph), 4).tolist() if drawn else None,
    }


def layout_facts(layout: Layout, layers: int) -> dict[str, JSON]:
    """Variables, and which of them each column holds in X₀ and after each layer."""
    return {
        "width": layout.width,
        "fields": [
            {"name": field.name, "kind": field.kind, "scope": field.scope, "first": field.first}
            for field in layout.fields
        ],
        "columns": column_table(layout, layers),
        "halt": layout.halt,
        "outputs": dict(layout.outputs),
    }


def program_facts(trace: Trace) -> list[dict[str, JSON]]:
    """For each layer what its step says, reads and writes."""
    facts: list[dict[str, JSON]] = []
    for layer, step in zip(trace.layers, trace.program.steps, strict=True):
        reads = {variable.name: None for op in step.ops for variable in op.reads()}
        facts.append(
            {
                "name": layer["name"],
                "paper": layer["paper_step"],
                "statements": [str(op) for op in step.ops],
                "reads": list(reads),
                "writes": [variable.name for variable in step.writes()],
                "over": [HEAD_KINDS.get(head["over"], head["over"]) for head in layer["heads"]],
            }
        )
    return facts


def statement_facts(trace: Trace) -> list[dict[str, JSON]]:
    """The author's statements, and where they are; none if the author gave the layers."""
    written = trace.program.as_written()
    if written.layers != "find":
        return []
    lines = dict.fromkeys((step.name, step.at) for step in written.steps)
    return [{"text": text, "at": at} for text, at in lines]


def kept_variables(trace: Trace) -> list[str]:
    """Those that a program starts with: its state, where others only hand values on."""
    return [v.name for v in trace.program.variables if v.start is not None and not v.constant]


def constant_facts(constants: Constants) -> dict[str, float]:
    """As floats; `angle` is what two neighbouring positions differ by."""
    numbers = {name: float(number) for name, number in asdict(constants).items()}
    return numbers | {"angle": constants.angle}


def weight_facts(model: Weights) -> list[JSON]:
    """Every matrix of every layer, as row, column and value of what is not 0."""

    def of_layer(layer: Layer) -> JSON:
        return {
            "heads": [
                {
                    "over": head.over,
                    "tie": head.tie_tolerance,
                    "temperature": head.temperature,
                    "size": head.query.shape[1],
                    "W_Q": entries(head.query),
                    "W_K": entries(head.key),
                    "W_V": entries(head.value),
                    "hinges": head.hinges[:, 0].tolist(),
                }
                for head in layer.heads
            ],
            "mlp": [entries(matrix) for matrix in layer.mlp],
        }

    return [of_layer(layer) for layer in model.layers]


def entries(matrix: Matrix) -> list[JSON]:
    """Row, column and value, one after the other."""
    rows, columns = np.nonzero(matrix)
    found: list[JSON] = []
    for row, column in zip(rows.tolist(), columns.tolist(), strict=True):
        found += [row, column, float(matrix[row, column])]
    return found


def margin_facts() -> list[dict[str, JSON]]:
    """What each margin is called, where a run would be stopped, and on which side of that."""
    return [{"name": name, "at": turn.at, "below": turn.below} for name, turn in TURNS.items()]
