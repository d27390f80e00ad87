"""What a run says of each node, as lists in NetworkX's order of the nodes."""

from __future__ import annotations

from collections.abc import Iterable
from typing import Any

from loopwright.bridges.networkx.snapshot import Node, Snapshot
from loopwright.model.weights import Weights
from loopwright.runtime.decode import Answer
from loopwright.runtime.encode import Array, Problem
from loopwright.runtime.graph import Graph
from loopwright.runtime.observe import Observer


class Columns:
    """`columns["dists"][row]`: whole numbers, flags, and rows of nodes, without the twins."""

    def __init__(self, graph: Snapshot, answer: Answer) -> None:
        self.graph = graph
        self.result = answer.result

    def __getitem__(self, name: str) -> list[Any]:
        column = self.result[name]
        return [int(column[row] or 0) for row in range(len(self.graph))]

    def where(self, flag: str) -> list[int]:
        """The rows where it is set, or not 0."""
        return [row for row, entry in enumerate(self[flag]) if entry]

    def in_order(self, rows: Iterable[int], by: str) -> list[int]:
        """The rows by what they have in a column."""
        return sorted(rows, key=self[by].__getitem__)

    def names(self, rows: Iterable[int]) -> list[Node]:
        labels = self.graph.labels
        return [labels[row] for row in rows]


class Predecessors(Observer):
    """Reads from every iteration who was found to precede whom.

    The node that relaxes its edges takes the place of all predecessors where it comes `closer`, and
    joins them where it comes `equal`.
    """

    def __init__(self, closer: str | None, equal: str) -> None:
        self.closer, self.equal = closer, equal
        self.found: dict[int, list[int]] = {}

    def begin(self, model: Weights, graph: Graph, problem: Problem) -> None:
        outputs, layout = model.layout.outputs, model.layout
        self.last = len(model.layers) - 1
        self.node = layout[outputs["node"]].first
        self.at_closer = None if self.closer is None else layout[outputs[self.closer]].first
        self.at_equal = layout[outputs[self.equal]].first

    def after_layer(self, iteration: int, layer: int, x: Array) -> None:
        if layer != self.last:
            return
        node = round(float(x[1, self.node])) - 1
        if self.at_closer is not None:
            for row in (x[1:, self.at_closer] > 0.5).nonzero()[0].tolist():
                self.found[row] = [node]
        for row in (x[1:, self.at_equal] > 0.5).nonzero()[0].tolist():
            self.found.setdefault(row, []).append(node)
