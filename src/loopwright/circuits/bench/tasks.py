"""Ten tasks: algorithm × construction × disguise, with graphs, and the edges that matter."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass
from functools import cached_property
from typing import Any

import numpy as np
from numpy.typing import NDArray

from loopwright.circuits.check import check_circuit
from loopwright.circuits.circuit import Circuit
from loopwright.circuits.disguise import Disguised, disguise
from loopwright.circuits.graphs import flags_of, random_graphs
from loopwright.compiler.compile import compile
from loopwright.language.program import Program
from loopwright.model.limits import Limits
from loopwright.runtime.encode import Problem, encode
from loopwright.runtime.graph import Graph, Label
from loopwright.runtime.model import Model

LIMITS = Limits(nodes=16, largest=256, resolution=2**-6)
"""Small numbers: they leave bits for a mixed basis."""

PLAIN: dict[str, Any] = {
    "permute": False,
    "mix": False,
    "units": False,
    "distractors": 0,
    "noise": False,
}
PLANTED: dict[str, Any] = {**PLAIN, "distractors": 3}
MIXED: dict[str, Any] = {**PLAIN, "permute": True, "mix": True}
FULL: dict[str, Any] = {}
"""What `disguise` does if it is not told otherwise."""
DISGUISES = {"plain": PLAIN, "distractors": PLANTED, "mixed": MIXED, "full": FULL}

TASKS = (
    ("dijkstra", "compact", "plain"),
    ("dijkstra", "compact", "distractors"),
    ("dijkstra", "compact", "mixed"),
    ("dijkstra", "compact", "full"),
    ("bfs", "compact", "plain"),
    ("bfs", "compact", "full"),
    ("dfs", "compact", "full"),
    ("prim", "compact", "full"),
    ("components", "compact", "full"),
    ("dijkstra", "paper", "plain"),
)
LONG = 8
"""Layers from which a run is long."""
SIZES, SIZES_IF_LONG = (5, 6), (4,)
PAIRS, PAIRS_IF_LONG = 12, 6
"""Nodes of the graphs, and pairs of each size; fewer where a run takes more than n iterations."""


@dataclass(frozen=True)
class Example:
    """A clean graph, and a corrupted one with the same nodes and source."""

    clean: Graph
    corrupted: Graph
    source: Label | None
    problems: tuple[Problem, Problem]


@dataclass(frozen=True)
class Task:
    """A model to look at, what to try it on, and what is true of it."""

    name: str
    construction: str
    disguised: Disguised
    examples: tuple[Example, ...]

    @property
    def model(self) -> Model:
        return self.disguised.model

    @cached_property
    def circuit(self) -> Circuit:
        return self.disguised.circuit()

    @cached_property
    def redundant(self) -> dict[str, str]:
        """Edges of the circuit without which all answers are the same → why."""
        problems = [each for example in self.examples for each in example.problems]
        return check_circuit(self.model, self.circuit, problems, outside_on=0).redundant

    @cached_property
    def truth(self) -> dict[str, bool]:
        """Edge → whether it matters; those that are redundant are left out: nobody could know."""
        return {
            name: edge.in_graph
            for name, edge in self.circuit.edges.items()
            if name not in self.redundant
        }


def make_task(
    program: Callable[[str, str], Program], which: tuple[str, str, str], *, seed: int, smoke: bool
) -> Task:
    """A task, from the seed alone."""
    algorithm, construction, style = which
    plain = compile(program(algorithm, construction), limits=LIMITS)
    disguised = disguise(plain, seed=seed, **DISGUISES[style])
    model = disguised.model
    examples: list[Example] = []
    long = len(model.bound) > 2 or len(model.layers) > LONG
    for nodes in (SIZES_IF_LONG if long else SIZES)[: 1 if smoke else None]:
        count = 2 if smoke else PAIRS_IF_LONG if long else PAIRS
        graphs = list(random_graphs(model, 2 * count, nodes=nodes, seed=seed))
        for number in range(count):
            (clean, source), (corrupted, _) = graphs[2 * number : 2 * number + 2]
            inputs = flags_of(model, number)
            both = [
                encode(model, graph, source=source, inputs=inputs, scale=1)
                for graph in (clean, corrupted)
            ]
            examples.append(Example(clean, corrupted, source, (both[0], both[1])))
    return Task(f"{algorithm}-{construction}-{style}", construction, disguised, tuple(examples))


def by_size(task: Task) -> list[tuple[Example, ...]]:
    """Examples that can be one batch: of the same number of rows."""
    sizes = sorted({example.problems[0].rows for example in task.examples})
    return [tuple(e for e in task.examples if e.problems[0].rows == rows) for rows in sizes]


def answers_of(model: Model, x: NDArray[np.float64]) -> NDArray[np.float64]:
    """The columns that decoding reads, of many X in the basis of the model."""
    plain = x if model.basis is None else x @ model.basis.T
    return plain[..., 1:, [model.layout[name].first for name in model.layout.outputs.values()]]
