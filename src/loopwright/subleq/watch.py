"""What is looked at after every instruction: the range of values, and the plain machine."""

from __future__ import annotations

from collections.abc import Callable
from fractions import Fraction
from math import atan2, pi

import numpy as np

from loopwright.errors import Divergence
from loopwright.model.layout import GLOBAL_ROW
from loopwright.model.weights import Weights
from loopwright.runtime.encode import Array, Problem
from loopwright.runtime.graph import Graph
from loopwright.runtime.observe import Observer
from loopwright.subleq import words
from loopwright.subleq.code import Code
from loopwright.subleq.errors import OutOfRange
from loopwright.subleq.machines import GraphSubleq, Number


class Watch(Observer):
    """Reads memory and program counter after every instruction; stops at a value out of range.

    Memory starts within ±largest, so one difference is within ±2·largest, a quarter of Ω, and still
    exact: what is reported is the right number, and nothing is computed from it.
    """

    def __init__(self, code: Code, then: Callable[[Watch], None] | None = None) -> None:
        """`then` is called before the first instruction, and after every one."""
        self.code, self.then = code, then

    def begin(self, model: Weights, graph: Graph, problem: Problem) -> None:
        self.model = model
        self.cell = model.layout["M"].first
        self.counter = model.layout["k"].columns
        self.largest = np.asarray(model.constants.largest, dtype=problem.x.dtype)
        self.last_layer = len(model.layers) - 1
        self.x, self.steps, self.pc = problem.x, 0, 0
        if self.then is not None:
            self.then(self)

    @property
    def memory(self) -> tuple[Number, ...]:
        return tuple(exactly(cell) for cell in self.column)

    @property
    def column(self) -> Array:
        return self.x[1 : len(self.code.memory) + 1, self.cell]

    def after_layer(self, iteration: int, layer: int, x: Array) -> None:
        if layer != self.last_layer:
            return
        executed, self.x, self.steps = self.pc, x.copy(), iteration
        for address in np.flatnonzero(abs(self.column) > self.largest):
            raise OutOfRange(
                f"step {iteration}, {self.code.where(executed)}: "
                f"{self.code.cell_name(int(address))} would become {self.memory[address]}, "
                f"outside {words.span(self.model.constants)}."
            )
        self.pc = self.position(x) - 1
        if self.then is not None:
            self.then(self)

    def position(self, x: Array) -> int:
        """Which row k points to; 0 for nowhere, which rounding may put a little below angle 0."""
        sine, cosine = (float(part) for part in x[GLOBAL_ROW, self.counter])
        step = self.model.constants.angle
        return int((atan2(sine, cosine) + step / 2) % (2 * pi) / step)


class Beside(Observer):
    """The plain Graph-SUBLEQ machine, moved on by one instruction and compared with the watch,
    which must have seen the layer before."""

    def __init__(self, code: Code, watch: Watch) -> None:
        self.watch, self.code = watch, code

    def begin(self, model: Weights, graph: Graph, problem: Problem) -> None:
        self.halt = model.layout[model.layout.halt].first
        code = self.code
        self.plain = GraphSubleq(code.instructions, list(code.memory), weights(graph))

    def after_layer(self, iteration: int, layer: int, x: Array) -> None:
        if layer != self.watch.last_layer:
            return
        executed, plain, watch = self.plain.pc, self.plain, self.watch
        plain.step()
        found = [
            ("steps", plain.steps, watch.steps),
            ("program counter", plain.pc, watch.pc),
            ("halted", int(plain.halted), exactly(x[GLOBAL_ROW, self.halt])),
        ]
        found += [
            (self.code.cell_name(i), *pair)
            for i, pair in enumerate(zip(plain.memory, watch.memory, strict=True))
        ]
        for name, expected, got in found:
            if expected != got:
                raise Divergence(
                    f"step {iteration}, {self.code.where(executed)}: {name} is {got}, but "
                    f"{expected} on the plain machine."
                )


def weights(graph: Graph) -> list[dict[int, Number]]:
    """The graph as the plain machine reads it."""
    rows: list[dict[int, Number]] = [{} for _ in graph.labels]
    for tail, head, weight in zip(graph.tails, graph.heads, graph.weights, strict=True):
        rows[int(tail)][int(head)] = exactly(weight)
    return rows


def exactly(number: float | Fraction) -> Number:
    """A number of X without rounding, whole if it is."""
    exact = Fraction(number)
    return int(exact) if exact.denominator == 1 else exact
