"""How near the decisions of a step are to going the other way: comparisons, and selections by Ω.

The step is done again, by the program's meaning, on the numbers that X really holds before it. So
what only passes through a step is seen as well, though it has no column.
"""

from __future__ import annotations

from collections.abc import Iterator
from math import atan2, inf, tau
from typing import Any

import numpy as np

from loopwright.language.interpret import run_step
from loopwright.language.meaning import State, World, left
from loopwright.language.op import Op, Operand
from loopwright.language.program import Program, Step
from loopwright.language.serial import from_json
from loopwright.language.variables import Variable
from loopwright.model.layout import GLOBAL_ROW, Field, Kind, Layout, Scope
from loopwright.model.weights import Weights
from loopwright.runtime.encode import Array, Problem
from loopwright.watch.verify import neighbours


def fields_read(step: Step, layout: Layout) -> list[Field]:
    """The variables that a step needs the value of, as far as they have columns."""
    names = {variable.name for op in step.ops for variable in op.reads()}
    return [field for field in layout.fields if field.name in names]


class Decisions:
    """Looks at one step after the other."""

    def __init__(self, model: Weights, problem: Problem) -> None:
        self.model = model
        self.program: Program = from_json(dict(model.program))
        self.read = [fields_read(step, model.layout) for step in self.program.steps]
        rows = problem.rows - 1
        self.world = World(rows, neighbours(problem, rows), model.constants)

    def of_step(self, index: int, before: Array) -> tuple[float, float]:
        """(the least distance of a comparison from its threshold, the largest clause over Ω).

        A comparison of a with b has (b − a)/ε at most 0 or at least 1: its threshold is in the
        middle, and the distance from it 1 where they are equal, or differ by ε.
        """
        nearest, largest = inf, 0.0

        def look(op: Op, state: State) -> None:
            nonlocal nearest, largest
            for low, high, step in self.compared(op, state):
                nearest = min(nearest, abs(float(2 * (high - low) / step - 1)))
            if op.selects and op.out.kind in (Kind.COUNT, Kind.VALUE):
                between = (getattr(op, name) for name in op.quantities)
                clauses = [entry for each in between for entry in self.entries(each, state)]
                omega = self.model.constants.omega
                largest = max(largest, *(float(abs(clause) / omega) for clause in clauses))

        run_step(self.program.steps[index], self.state(index, before), self.world, look)
        return nearest, largest

    def compared(self, op: Op, state: State) -> Iterator[tuple[Any, Any, Any]]:
        """Entry by entry: two numbers, and the least difference that such numbers should have."""
        for low, high in op.compared():
            lows, highs = self.entries(low, state), self.entries(high, state)
            step = self.resolution(low, high)
            for i in range(max(len(lows), len(highs))):
                yield lows[i % len(lows)], highs[i % len(highs)], step
        if op.picks:
            value, unless = (getattr(op, name) for name in op.picks)
            among = left(state[value.name], state[unless.name])
            step = self.resolution(value)
            yield from ((min(among), each, step) for each in among)

    def resolution(self, *operands: Operand) -> Any:
        kinds = {operand.kind for operand in operands if isinstance(operand, Variable)}
        return self.model.constants.resolution if Kind.VALUE in kinds else 1

    def entries(self, operand: Operand, state: State) -> list[Any]:
        """One, or one for each node."""
        if not isinstance(operand, Variable):
            return [self.world.constant(operand)]
        value = state[operand.name]
        return value if operand.scope is Scope.NODES else [value]

    def state(self, index: int, x: Array) -> State:
        """What a step reads of X, as the program would say it: numbers as they are, all else as
        what it is nearest to."""
        return {field.name: self.value(field, x) for field in self.read[index]}

    def value(self, field: Field, x: Array) -> Any:
        cells = x[:1] if field.scope is Scope.SINGLE else x[1:]
        listed = [self.cell(field, row) for row in cells[:, field.columns]]
        return listed[GLOBAL_ROW] if field.scope is Scope.SINGLE else listed

    def cell(self, field: Field, parts: Array) -> Any:
        if field.kind is Kind.POSITION:
            sine, cosine = map(float, parts)
            return round(atan2(sine, cosine) % tau / self.model.constants.angle) % self.most
        number = parts[0].item() if isinstance(parts[0], np.generic) else parts[0]
        return number if field.kind in (Kind.COUNT, Kind.VALUE) else round(number)

    @property
    def most(self) -> int:
        """Positions before p₀ comes round again, at least."""
        return round(tau / self.model.constants.angle)
