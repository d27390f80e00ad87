"""Interventions by meaning: set a variable of the program in X, run on, and know the right answer.

The right answer is the program's own: its meaning, step by step, with the same variable set at the
same moment. Weights and program are two runs that share nothing but the graph.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass, replace
from fractions import Fraction
from math import isfinite
from typing import Any, cast

import numpy as np

from loopwright.circuits.moments import moment_of
from loopwright.errors import (
    DidNotHalt,
    GraphError,
    LoopwrightError,
    brief,
    require_type,
    require_whole,
)
from loopwright.language.interpret import run_step, start
from loopwright.language.meaning import State, World
from loopwright.language.serial import from_json
from loopwright.language.variables import B_GLOBAL, B_LOCAL, OWN_INDEX, OWN_SQUARE, POSITIONS
from loopwright.model.layout import GLOBAL_ROW, Field, Kind, Scope
from loopwright.model.weights import Weights
from loopwright.runtime.basis import Turned
from loopwright.runtime.decode import decode, most_plain, value_of
from loopwright.runtime.encode import Array, Problem, encode, exact_positions, positions
from loopwright.runtime.graph import Graph, Label
from loopwright.runtime.machines import is_exact, prepare
from loopwright.watch.interpret import starts_of
from loopwright.watch.verify import neighbours

Result = Mapping[str, Mapping[Label, Any]]

CONSTANT = {v.name for v in (B_GLOBAL, B_LOCAL, POSITIONS, OWN_INDEX, OWN_SQUARE)}
"""Columns that no program writes: its meaning knows of no other biases, numbers or positions."""


@dataclass(frozen=True)
class Counterfactual:
    """What the weights and the program answer after the same intervention."""

    result: Result | None
    """Output → label → value, by the weights; None if they do not halt within the bound."""
    expected: Result | None
    """The same by the program."""
    iterations: int
    """How many iterations the weights took, or were given."""
    slack: float = 0.0
    """How far apart numbers may be that count as equal: 0, but for softmax."""

    @property
    def agrees(self) -> bool:
        """Whether the weights did what the program does."""
        if self.result is None or self.expected is None:
            return self.result is self.expected
        return all(
            same(cell, self.expected[name][label], self.slack)
            for name, cells in self.result.items()
            for label, cell in cells.items()
        )

    def __getattr__(self, name: str) -> Any:
        """An output by its name, as in an answer: `found.dists["a"]`."""
        result = self.__dict__.get("result")
        if result is None or name not in result:
            raise AttributeError(f"no output '{name}'")
        return result[name]


def same(found: Any, expected: Any, slack: float) -> bool:
    if slack and isinstance(found, float) and expected is not None:
        return abs(found - expected) <= slack
    return bool(found == expected)


def patch(
    model: Weights,
    graph: object,
    *,
    variable: str,
    value: Any,
    iteration: int,
    node: Label | None = None,
    layer: int | None = None,
    source: Label | None = None,
    machine: str = "reference",
    max_iterations: int | None = None,
    **inputs: Any,
) -> Counterfactual:
    """Set a variable in some iteration, run on, and compare with the program's own counterfactual.

    Args:
        variable: its name in the program; see `model.layout`.
        value: what to set it to, as people see it: a number, a label for a node, True or False,
            None for unreached or nowhere. For all nodes, a list of such, or a dict by label.
        iteration: in which, from 1.
        node: where, for a variable of nodes; None to set it at all of them.
        layer: after which layer, from 0; −1 is before the first. If not given, after the last
            that writes the variable.

    >>> import loopwright as lw
    >>> model = lw.compile(lw.algorithms.dijkstra())
    >>> roads = [("a", "b", 3), ("b", "c", 0.5), ("a", "c", 10)]
    >>> found = patch(model, roads, variable="dists", node="c", iteration=1, value=1, source="a")
    >>> found.dists, found.agrees
    ({'a': 0.0, 'b': 3.0, 'c': 1.0}, True)

    Raises:
        LoopwrightError: if there is no such variable, moment, node or value.
        GraphError, CapacityError: as for a run.
    """
    require_type("model", model, Weights, "what lw.compile(program) or lw.load(path) gives")
    when = require_whole("iteration", iteration)
    if layer is not None:
        layer = require_whole("layer", layer, least=-1, most=len(model.layers) - 1)
    if max_iterations is not None:
        max_iterations = require_whole("max_iterations", max_iterations)
    field, at = moment_of(model, variable, layer)
    if variable in CONSTANT:
        raise LoopwrightError(f"'{variable}' is what every model has, and no program changes.")
    graph = Graph.of(graph)
    problem = encode(
        model,
        graph,
        source=source,
        inputs=inputs,
        exact=is_exact(machine),
        iterations=max_iterations,
    )
    most = max_iterations or model.max_iterations(problem.rows - 1)
    if most is None:
        raise LoopwrightError(f"'{model.name}' has no bound of its own: give max_iterations.")
    setting = Setting(model, graph, problem, field, when, at, most)
    cells = setting.cells(node, value)
    x, iterations = setting.by_weights(cells, machine)
    return Counterfactual(
        None if x is None else decode(model, graph, x, problem.scale),
        setting.by_program(cells),
        iterations,
        0.0 if model.attention == "hardmax" else setting.slack,
    )


class Reached(Exception):
    """Ends a run at the moment of the intervention."""


@dataclass(frozen=True)
class Setting:
    """Where and when something is set."""

    model: Weights
    graph: Graph
    problem: Problem
    field: Field
    iteration: int
    layer: int
    """After which layer; −1: before the first."""
    most: int

    @property
    def slack(self) -> float:
        return float(self.model.constants.resolution / 4 / self.problem.scale)

    # ── what is set ─────────────────────────────────────────────────────────────────────────────

    def cells(self, node: Label | None, value: Any) -> dict[int, Any]:
        """Row → what the program's variable is to be there, in the units of the model.

        Raises:
            LoopwrightError: if the value is none that the variable could hold.
        """
        if self.field.scope is Scope.SINGLE:
            if node is not None:
                raise LoopwrightError(f"'{self.field.name}' is of no node: leave node out.")
            return {GLOBAL_ROW: self.cell(value)}
        if node is not None:
            return {self.graph.index(node) + 1: self.cell(value)}
        labels = self.graph.labels
        if isinstance(value, Mapping):
            given = cast("Mapping[Label, Any]", value)
            return {self.graph.index(label) + 1: self.cell(each) for label, each in given.items()}
        listed = (
            cast("Sequence[Any]", value)
            if isinstance(value, list | tuple)
            else [value] * len(labels)
        )
        if len(listed) != len(labels):
            raise LoopwrightError(
                f"{len(listed)} values for {len(labels)} nodes: give one for each, or node=…."
            )
        return {row: self.cell(each) for row, each in enumerate(listed, start=1)}

    def cell(self, value: Any) -> Any:
        kind, constants = self.field.kind, self.model.constants
        if kind in (Kind.INDEX, Kind.POSITION):
            if value is None:
                return 0
            try:
                return self.graph.index(value) + 1
            except GraphError:
                raise LoopwrightError(
                    f"'{self.field.name}' holds a node, and {brief(value)} is none."
                ) from None
        if value is None and kind in (Kind.VALUE, Kind.COUNT):
            return whole(constants.unreached)
        given = value_in_python(value)
        finite = isinstance(given, float) and isfinite(given)
        if not (finite or isinstance(given, int | Fraction)):
            raise LoopwrightError(
                f"value={brief(given, code=True)}: '{self.field.name}' is a {kind}."
            )
        number = Fraction(given)
        if kind is Kind.VALUE:
            number *= self.problem.scale
        fits = {
            Kind.FLAG: number in (0, 1),
            Kind.VALUE: number % constants.resolution == 0,
        }.get(kind, number.denominator == 1)
        if not fits or abs(number) > constants.largest or (number < 0 and not self.field.signed):
            raise LoopwrightError(
                f"value={brief(given, code=True)}: '{self.field.name}' is a {kind}, and cannot "
                "hold it within the model's limits."
            )
        return whole(number)

    # ── the program ─────────────────────────────────────────────────────────────────────────────

    def by_program(self, cells: Mapping[int, Any]) -> Result | None:
        """The program's answer, with its variable set; None if it does not halt."""
        program = from_json(dict(self.model.program))
        rows = self.problem.rows - 1
        world = World(rows, neighbours(self.problem, self.graph.n), self.model.constants)
        inputs = starts_of(program, self.problem.inputs, rows)
        state = start(program, world, source=self.problem.source, inputs=inputs)
        for iteration in range(1, self.most + 1):
            if iteration == self.iteration and self.layer < 0:
                self.set_state(state, cells)
            for at, step in enumerate(program.steps):
                run_step(step, state, world)
                if (iteration, at) == (self.iteration, self.layer):
                    self.set_state(state, cells)
            if state[program.halt.name]:
                most = most_plain(self.model)
                return {
                    name: {
                        label: value_of(variable, self.graph, cell, self.problem.scale, most)
                        for label, cell in zip(
                            self.graph.labels, state[variable.name], strict=False
                        )
                    }
                    for name, variable in program.outputs.items()
                }
        return None

    def set_state(self, state: State, cells: Mapping[int, Any]) -> None:
        if self.field.scope is Scope.SINGLE:
            state[self.field.name] = cells[GLOBAL_ROW]
            return
        column = list(state[self.field.name])
        for row, cell in cells.items():
            column[row - 1] = cell
        state[self.field.name] = column

    # ── the weights ─────────────────────────────────────────────────────────────────────────────

    def by_weights(self, cells: Mapping[int, Any], machine: str) -> tuple[Array | None, int]:
        """The last X of a run, on any machine, that was stopped, changed, and continued."""
        turned = Turned(self.model.basis)
        x = turned.back(self.reached(machine))
        table = (exact_positions if x.dtype == object else positions)(
            self.model.constants, self.problem.rows
        )
        number: Callable[[Any], Any] = Fraction if x.dtype == object else float
        for row, cell in cells.items():
            place = table[cell] if self.field.kind is Kind.POSITION else number(cell)
            x[row, self.field.columns] = place
        x = turned.there(x)
        done = self.iteration - 1
        if self.layer >= 0:
            x = self.to_the_end(x, machine)
            done = self.iteration
            if self.halts(x):
                return turned.back(x), done
        try:
            rest = prepare(self.model, machine)(replace(self.problem, x=x), self.most - done)
        except DidNotHalt:
            return None, self.most
        return turned.back(rest[0]), done + rest[1]

    def halts(self, x: Array) -> bool:
        return bool(x[GLOBAL_ROW, self.model.layout[self.model.layout.halt].first] > 0.5)

    def reached(self, machine: str) -> Array:
        """X at the moment of the intervention.

        Raises:
            LoopwrightError: if the run is over by then.
        """
        last = len(self.model.layers) - 1
        moment = (self.iteration, self.layer) if self.layer >= 0 else (self.iteration - 1, last)
        if moment[0] == 0:
            return Turned(self.model.basis).there(self.problem.x.copy())
        found: list[Array] = []

        def look(iteration: int, layer: int, x: Array) -> None:
            if (iteration, layer) == moment:
                found.append(x.copy())
                raise Reached

        over = f"'{self.model.name}' halts before iteration {self.iteration} on this graph."
        try:
            problem = Turned(self.model.basis).problem(self.problem)
            prepare(self.model, machine)(problem, self.most, look)
        except Reached:
            if self.layer < 0 and self.halts(found[0]):
                raise LoopwrightError(over) from None
            return found[0]
        except DidNotHalt:
            pass
        raise LoopwrightError(over)

    def to_the_end(self, x: Array, machine: str) -> Array:
        """X after the other layers of the iteration, which are a model of their own."""
        rest = self.model.layers[self.layer + 1 :]
        if not rest:
            return x
        seen: list[Array] = []

        def look(iteration: int, layer: int, x: Array) -> None:
            if layer == len(rest) - 1:
                seen.append(x.copy())

        try:
            tail = replace(self.model, layers=rest)
            prepare(tail, machine)(replace(self.problem, x=x), 1, look)
        except DidNotHalt:
            pass
        return seen[0]


def value_in_python(value: Any) -> Any:
    """A number of NumPy's as Python's; anything else as it is."""
    return cast("Any", value).item() if isinstance(value, np.generic) else value


def whole(number: Fraction) -> int | Fraction:
    """As the interpreter counts: whole numbers are Python's."""
    return int(number) if number.denominator == 1 else number
