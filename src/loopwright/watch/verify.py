"""Program and weights in lockstep: the paper's definition of simulation, as a checker. [P Def. 3.1]

After every layer of every iteration, the whole of X must be what the program's meaning says:
every variable in its rows, and 0 everywhere else.
"""

from __future__ import annotations

from fractions import Fraction
from typing import Any, cast

import numpy as np

from loopwright.errors import Divergence, LoopwrightError, ProgramError, brief
from loopwright.language.beyond import Endless
from loopwright.language.interpret import run_step, start
from loopwright.language.meaning import State, World
from loopwright.language.program import Program
from loopwright.language.serial import from_json
from loopwright.model.layout import GLOBAL_ROW, Field, Kind, Scope
from loopwright.model.weights import Weights
from loopwright.runtime.decode import Answer, decode
from loopwright.runtime.encode import Array, Problem, exact_positions, positions
from loopwright.runtime.graph import Graph, Label
from loopwright.runtime.observe import Observer
from loopwright.runtime.run import run
from loopwright.watch.interpret import interpreted, starts_of
from loopwright.watch.promises import Promises


def verify(
    model: Weights,
    graph: object,
    *,
    source: Label | None = None,
    machine: str = "reference",
    max_iterations: int | None = None,
    rows: int | None = None,
    checked: bool = True,
    scale: Fraction | int | None = None,
    **inputs: Any,
) -> Answer:
    """Run model and program side by side; the answer, if they agree throughout.

    Arguments are those of `Model.run`.

    >>> import loopwright as lw
    >>> lw.verify(lw.compile(lw.algorithms.dijkstra()), [("a", "b", 3)], source="a").dists
    {'a': 0.0, 'b': 3.0}

    Raises:
        LoopwrightError: if an argument is not of its kind, as for `Model.run`.
        Divergence: at the first cell that differs, with iteration, layer, step, variable and node.
    """
    if not isinstance(cast("object", model), Weights):
        raise LoopwrightError(
            f"verify runs a model, which {type(model).__name__} is not: give lw.compile(program)."
        )
    return run(
        model,
        graph,
        source=source,
        machine=machine,
        observers=[Lockstep()],
        max_iterations=max_iterations,
        rows=rows,
        checked=checked,
        scale=scale,
        **inputs,
    )


class Lockstep(Observer):
    """The program's state, moved on by one step after every layer, and compared with X.

    The compiler may have added or merged steps, so the program as its author wrote it runs beside,
    iteration by iteration, with no number but infinity for Ω̂: it must halt when the model does,
    and its answer must be the model's.
    """

    def begin(self, model: Weights, graph: Graph, problem: Problem) -> None:
        self.model, self.graph, self.scale = model, graph, problem.scale
        self.program: Program = from_json(dict(model.program))
        self.require_the_same_variables()
        self.exact = problem.x.dtype == object
        rows = problem.rows - 1
        self.world = World(rows, neighbours(problem, graph.n), model.constants)
        self.table = (exact_positions if self.exact else positions)(model.constants, rows + 1)
        inputs = starts_of(self.program, problem.inputs, rows)
        self.state: State = start(self.program, self.world, source=problem.source, inputs=inputs)
        self.written = self.program.as_written()
        self.endless = World(rows, self.world.adjacency, Endless())
        self.own: State = start(self.written, self.endless, source=problem.source, inputs=inputs)
        self.promises = Promises(model, problem)
        self.expected: Array = np.zeros_like(problem.x)
        for field in model.layout.after(-1):
            self.place(field)
        self.fields = {field.name: field for field in model.layout.fields}
        self.tolerance = [self.tolerances(layer) for layer in range(len(model.layers))]
        self.compare(0, None, problem.x)

    def require_the_same_variables(self) -> None:
        """Raise if a file's program is not the one that its layers and columns are made for."""
        declared = {v.name: (v.kind, v.scope) for v in self.program.variables}
        strange = [
            field.name
            for field in self.model.layout.fields
            if declared.get(field.name) != (field.kind, field.scope)
        ]
        if strange or len(self.program.steps) != len(self.model.layers):
            what = f"variable '{brief(strange[0])}'" if strange else "number of steps"
            raise ProgramError(
                f"'{self.model.name}': weights and stored program differ in the {what}: compile "
                "the program again."
            )

    def tolerances(self, layer: int) -> Array | float:
        """What each column may be off by after a layer: nothing, but for positions in floats and
        for softmax.

        Two positions this close still count as the same in every score, whose tolerance it is.
        Softmax leaves traces of other rows; a quarter of the least difference is harmless.
        """
        if self.exact:
            return 0
        constants, soft = self.model.constants, self.model.attention == "softmax"
        allowed = np.zeros(self.model.width)
        for field in self.model.layout.after(layer):
            if field.kind is Kind.POSITION:
                allowed[field.columns] = float(constants.tie_tolerance) / 8
            elif soft:
                least = constants.resolution if field.kind is Kind.VALUE else 1
                allowed[field.columns] = float(least) / 4
        if (basis := self.model.basis) is not None:  # what is mixed is rounded together
            together = (basis != 0) @ (basis != 0).T
            allowed = np.where(together, allowed, 0).max(axis=1)
        return allowed

    def place(self, field: Field) -> None:
        """Put a variable's value into the expected X, and 0 into all other rows of its columns."""
        value = self.state[field.name]
        self.expected[:, field.columns] = 0
        rows = GLOBAL_ROW if field.scope is Scope.SINGLE else slice(1, None)
        if field.kind is Kind.POSITION:
            self.expected[rows, field.columns] = self.table[value]
        else:
            self.expected[rows, field.first] = value

    def after_layer(self, iteration: int, layer: int, x: Array) -> None:
        for name in run_step(self.program.steps[layer], self.state, self.world):
            if name in self.fields:
                self.place(self.fields[name])
        self.compare(iteration, layer, x)
        if layer == len(self.model.layers) - 1:
            self.follow(iteration, x)

    def follow(self, iteration: int, x: Array) -> None:
        """One iteration of the program as written."""
        for at in self.written.steps:
            run_step(at, self.own, self.endless)
            self.promises.check(self.written, at, self.own)
        halted = bool(x[GLOBAL_ROW, self.fields[self.model.layout.halt].first] > 0.5)
        if halted != bool(self.own[self.written.halt.name]):
            has, does = ("halts", "does not") if halted else ("does not halt", "does")
            raise Divergence(
                f"'{self.model.name}' {has} after iteration {iteration}, but the program {does}."
            )

    def end(self, x: Array, iterations: int) -> None:
        """Compare the answers, as their reader will see them."""
        found = decode(self.model, self.graph, x, self.scale)
        off = 0 if self.exact or self.model.attention == "hardmax" else self.slack()
        for name, variable in self.written.outputs.items():
            for row, label in enumerate(self.graph.labels):
                cell = self.own[variable.name][row]
                expected = interpreted(variable, self.graph, cell, self.scale)
                if not same(found[name][label], expected, off):
                    raise Divergence(
                        f"'{self.model.name}' answers {name}['{label}'] = {found[name][label]}, "
                        f"but the program {expected}."
                    )

    def slack(self) -> float:
        """What softmax may leave of other rows, in the unit of the graph."""
        return float(self.model.constants.resolution / 4 / self.scale)

    def differs(self, index: int | None, x: Array) -> Array:
        """Which cells are not as expected after a layer, or when the run begins."""
        return ~(abs(x - self.expected) <= self.tolerance[-1 if index is None else index])

    def compare(self, iteration: int, index: int | None, x: Array) -> None:
        wrong = self.differs(index, x)
        if wrong.any():
            raise self.divergence(iteration, index, x, wrong)

    def divergence(self, iteration: int, index: int | None, x: Array, wrong: Array) -> Divergence:
        """Name the first wrong cell, a variable that the step wrote before any other."""
        layer = None if index is None else self.model.layers[index]
        written = layer.writes if layer else ()
        held = self.model.layout.after(-1 if index is None else index)
        fields = sorted(held, key=lambda field: field.name not in written)
        where = "encoding" if layer is None else f"iteration {iteration}, layer {index + 1}"  # type: ignore[operator]
        step = f", step '{layer.name}'" if layer else ""
        for field in fields:
            rows, columns = np.nonzero(wrong[:, field.columns])
            if len(rows):
                cell = int(rows[0]), field.first + int(columns[0])
                what = f"variable '{field.name}', {self.row_name(cell[0])}"
                break
        else:
            rows, columns = np.nonzero(wrong)
            cell = int(rows[0]), int(columns[0])
            what = f"scratch column {cell[1]}, {self.row_name(cell[0])}"
        return Divergence(
            f"'{self.model.name}' diverges at {where}{step}, {what}: "
            f"expected {self.expected[cell]}, found {x[cell]}."
        )

    def row_name(self, row: int) -> str:
        if row == GLOBAL_ROW:
            return "row 0"
        return (
            f"node '{brief(self.graph.labels[row - 1])}'"
            if row <= self.graph.n
            else f"padding row {row}"
        )


def same(found: Any, expected: Any, off: float) -> bool:
    """Whether they are, but for the last digit of a quotient and for what softmax leaves."""
    if found is None or expected is None or isinstance(found, str | bool):
        return found == expected
    if isinstance(found, float):
        return abs(found - float(expected)) <= off
    return found == expected


def neighbours(problem: Problem, n: int) -> list[dict[int, int | Fraction]]:
    """Ã's rows for the interpreter, in exact numbers."""
    rows: list[dict[int, int | Fraction]] = [{} for _ in range(n)]
    for tail, head, weight in zip(problem.tails, problem.heads, problem.weights, strict=True):
        exact = Fraction(weight)
        rows[tail - 1][int(head)] = int(exact) if exact.denominator == 1 else exact
    return rows
