"""Every step of a run, as JSON lines: what changed in which variable, by name.

The first line describes the model and the graph, the second holds every variable before the loop;
then one line for each layer of each iteration that changed something. A variable with an entry for
each node is a list in node order; a position is a pair (sin, cos). `scale` is what the weights were
multiplied by, and so all values are.
"""

from __future__ import annotations

import json
from os import PathLike
from pathlib import Path
from typing import Any

import numpy as np

from loopwright.errors import LoopwrightError
from loopwright.model.layout import GLOBAL_ROW, Field, Kind, Scope
from loopwright.model.weights import Weights
from loopwright.runtime.encode import Array, Problem
from loopwright.runtime.graph import Graph
from loopwright.runtime.observe import Observer

VERSION = 1


class TraceWriter(Observer):
    """Writes what it sees to a text file, line by line."""

    def __init__(self, path: str | PathLike[str]) -> None:
        self.path = Path(path)

    def begin(self, model: Weights, graph: Graph, problem: Problem) -> None:
        start = problem.x
        try:
            self.file = self.path.open("w", encoding="utf-8")
        except OSError as error:
            raise LoopwrightError(f"{self.path}: {error.strerror or error}.") from None
        self.model, self.last = model, start
        self.write(
            {
                "format": "loopwright-trace",
                "version": VERSION,
                "algorithm": model.name,
                "construction": model.construction,
                "scale": str(problem.scale),
                "labels": [str(label) for label in graph.labels],
                "variables": [
                    {"name": field.name, "kind": field.kind, "scope": field.scope}
                    for field in model.layout.fields
                ],
                "layers": [
                    {"name": layer.name, "paper_step": layer.paper_step, "writes": layer.writes}
                    for layer in model.layers
                ],
            }
        )
        values = {field.name: cells(field, start) for field in model.layout.fields}
        self.write({"iteration": 0, "values": values})

    def write(self, line: dict[str, Any]) -> None:
        self.file.write(json.dumps(line, ensure_ascii=False) + "\n")

    def after_layer(self, iteration: int, layer: int, x: Array) -> None:
        changed = {
            field.name: cells(field, x)
            for field in self.model.layout.fields
            if not np.array_equal(x[:, field.columns], self.last[:, field.columns])
        }
        if changed:
            name = self.model.layers[layer].name
            self.write(
                {"iteration": iteration, "layer": layer + 1, "step": name, "values": changed}
            )
        self.last = x.copy()

    def close(self) -> None:
        self.file.close()


def cells(field: Field, x: Array) -> Any:
    """A variable's entries: one, or a list with one for each node."""
    rows = x[1:, field.columns] if field.scope is Scope.NODES else x[GLOBAL_ROW:1, field.columns]
    entries = [[float(cell) for cell in row] for row in rows]
    if field.kind is not Kind.POSITION:
        entries = [row[0] for row in entries]
    return entries if field.scope is Scope.NODES else entries[0]
