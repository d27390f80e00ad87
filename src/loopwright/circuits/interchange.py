"""Interchange interventions: a variable of one run, put into another run. [Geiger et al. 2021]

A pair of graphs of the same size, a variable and a moment: the base run gets the variable as the
other run has it at that moment. What must come of it, the program says exactly.
"""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass
from typing import Any

import numpy as np

from loopwright.circuits.graphs import flags_of, random_graph, random_graphs
from loopwright.circuits.moments import moment_of
from loopwright.circuits.patch import Counterfactual, Setting
from loopwright.errors import LoopwrightError, ProgramError
from loopwright.language.interpret import run_step, start
from loopwright.language.meaning import World
from loopwright.language.program import Program
from loopwright.language.serial import from_json
from loopwright.model.layout import GLOBAL_ROW, Kind, Scope
from loopwright.model.weights import Weights
from loopwright.runtime.decode import decode
from loopwright.runtime.encode import Problem, encode
from loopwright.runtime.graph import Graph, Label
from loopwright.watch.interpret import starts_of
from loopwright.watch.verify import neighbours

Moments = dict[tuple[int, int], dict[str, Any]]
"""(iteration, layer) → every variable after it."""


POOL = 60
"""Graphs among which pairs are drawn."""


def states_of(model: Weights, program: Program, graph: Graph, problem: Problem) -> Moments:
    """Every variable of the program after every step of its run."""
    rows = problem.rows - 1
    world = World(rows, neighbours(problem, graph.n), model.constants)
    inputs = starts_of(program, problem.inputs, rows)
    state = start(program, world, source=problem.source, inputs=inputs)
    seen: Moments = {}
    for iteration in range(1, (model.max_iterations(rows) or 0) + 1):
        for at, step in enumerate(program.steps):
            run_step(step, state, world)
            seen[iteration, at] = dict(state)
        if state[program.halt.name]:
            break
    return seen


@dataclass(frozen=True)
class Interchange:
    """One intervention, and what came of it."""

    variable: str
    iteration: int
    layer: int
    changed: bool
    """Whether the other run had another value there than the base run."""
    found: Counterfactual | None
    """None if the program itself has no answer: one of its ops was promised something else."""


def random_interchanges(
    model: Weights, count: int, *, seed: int, nodes: int = 5, machine: str = "reference"
) -> Iterator[Interchange]:
    """Random pairs of graphs, variables and moments."""
    rng = np.random.default_rng([seed, 3])
    program = from_json(dict(model.program))
    written = [
        field.name
        for field in model.layout.fields
        if field.kind is not Kind.SQUARE and any(field.name in each.writes for each in model.layers)
    ]
    runs: list[tuple[Graph, Problem, Moments]] = []
    for place, (graph, source) in enumerate(random_graphs(model, POOL, nodes=nodes, seed=seed)):
        problem = encode(model, graph, source=source, inputs=flags_of(model, place))
        runs.append((graph, problem, states_of(model, program, graph, problem)))
    for _ in range(count):
        first, second = map(int, rng.permutation(len(runs))[:2])
        (graph, problem, base), (_, _, other) = runs[first], runs[second]
        variable = written[int(rng.integers(len(written)))]
        field, layer = moment_of(model, variable)
        shared = min(max(base)[0], max(other)[0])
        iteration = 1 + int(rng.integers(shared))
        value, before = other[iteration, layer][variable], base[iteration, layer][variable]
        cells: dict[int, Any] = (
            {GLOBAL_ROW: value}
            if field.scope is Scope.SINGLE
            else {row: cell for row, cell in enumerate(value, start=1)}
        )
        most = model.max_iterations(problem.rows - 1) or 0
        setting = Setting(model, graph, problem, field, iteration, layer, most)
        try:
            expected = setting.by_program(cells)
        except ProgramError:
            yield Interchange(variable, iteration, layer, value != before, None)
            continue
        except LoopwrightError:  # it halts on an output that is no answer
            expected = None
        x, iterations = setting.by_weights(cells, machine)
        try:
            result = None if x is None else decode(model, graph, x, problem.scale)
        except LoopwrightError:
            result = None
        slack = 0.0 if model.attention == "hardmax" else setting.slack
        found = Counterfactual(result, expected, iterations, slack)
        yield Interchange(variable, iteration, layer, value != before, found)


@dataclass(frozen=True)
class Pair:
    """Two graphs with the same nodes, whose runs differ in one variable at one moment."""

    clean: Graph
    corrupted: Graph
    source: Label | None
    variable: str
    iteration: int


def pairs(
    model: Weights, *, variable: str, iteration: int, seed: int = 0, nodes: int = 6
) -> Iterator[Pair]:
    """Graphs that differ in the weight of one edge, and whose runs, after an iteration, in one
    variable of those that last: endless, by trial.

    >>> import loopwright as lw
    >>> model = lw.compile(lw.algorithms.dijkstra())
    >>> pair = next(pairs(model, variable="dists", iteration=2))
    >>> (pair.clean.weights != pair.corrupted.weights).sum()
    np.int64(1)

    Raises:
        LoopwrightError: if there is no such variable, or it does not last.
    """
    moment_of(model, variable, len(model.layers) - 1)
    program = from_json(dict(model.program))
    lasting = [v.name for v in program.variables if v.start is not None]
    if variable not in lasting:
        raise LoopwrightError(f"'{variable}' does not last for an iteration of '{model.name}'.")
    rng = np.random.default_rng([seed, 5])
    last = len(model.layers) - 1
    while True:
        graph = random_graph(rng, nodes, model.needs)
        if not len(graph.weights):
            continue
        source = int(rng.integers(nodes)) if model.source == "required" else None
        weights = np.array(graph.weights, dtype=np.float64)
        edge = int(rng.integers(len(weights)))
        weights[edge] += int(rng.integers(1, 9))
        if "undirected" in model.needs:
            ends = (graph.heads[edge], graph.tails[edge])
            back = (graph.tails == ends[0]) & (graph.heads == ends[1])
            weights[back] = weights[edge]
        other = Graph(graph.labels, graph.tails, graph.heads, weights, directed=True)
        seen: list[dict[str, Any]] = []
        for each in (graph, other):
            problem = encode(model, each, source=source, inputs=flags_of(model, 0), scale=1)
            moments = states_of(model, program, each, problem)
            seen.append(moments.get((iteration, last), {}))
        if not (seen[0] and seen[1]):
            continue
        if [name for name in lasting if seen[0][name] != seen[1][name]] == [variable]:
            yield Pair(graph, other, source, variable, iteration)
