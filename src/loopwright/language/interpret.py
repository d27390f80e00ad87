"""A program run by its meaning alone: start, step, loop."""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from typing import Any

from loopwright.errors import DidNotHalt
from loopwright.language.meaning import State, World, outcome
from loopwright.language.op import Op, Phase
from loopwright.language.program import Program, Step
from loopwright.language.variables import GIVEN, Variable
from loopwright.model.layout import OWN, Scope


def start(
    program: Program,
    world: World,
    *,
    source: int | None = None,
    inputs: Mapping[str, Any] | None = None,
) -> State:
    """Every variable before the first iteration; `source` is a node's number."""
    state: State = {}
    for variable in program.variables:
        value = start_of(variable, world, inputs or {})
        if variable.scope is Scope.NODES:
            several = isinstance(value, Sequence)
            listed: Sequence[Any] = value if several else [value] * world.rows
            value = [*listed, *[0] * (world.rows - len(listed))]
            if variable.at_source is not None and source is not None:
                value[source - 1] = world.constant(variable.at_source)
        state[variable.name] = value
    return state


def start_of(variable: Variable, world: World, inputs: Mapping[str, Any]) -> Any:
    """A number for the whole variable, or a list for its first rows."""
    if variable.start == OWN:
        return range(1, world.rows + 1)
    if isinstance(variable.start, str):
        return inputs.get(variable.start.removeprefix(GIVEN), 0)
    return world.constant(0 if variable.start is None else variable.start)


def run_step(
    at: Step, state: State, world: World, look: Callable[[Op, State], None] | None = None
) -> list[str]:
    """Do one step in place, all its attention at once, then row by row in order; what it wrote.

    `look` is called before each op, with the state that the op reads.
    """

    def do(op: Op) -> Any:
        if look:
            look(op, state)
        return outcome(op, state, world)

    attention = [op for op in at.ops if op.phase is not Phase.MLP]
    state.update({op.out.name: do(op) for op in attention})
    for op in at.ops:
        if op.phase is Phase.MLP:
            state[op.out.name] = do(op)
    return [variable.name for variable in at.writes()]


def interpret(
    program: Program,
    world: World,
    *,
    source: int | None = None,
    inputs: Mapping[str, Any] | None = None,
    max_iterations: int,
) -> tuple[State, int]:
    """Run the program by its meaning alone: the last state, and the iterations it took."""
    state = start(program, world, source=source, inputs=inputs)
    for iteration in range(1, max_iterations + 1):
        for at in program.steps:
            run_step(at, state, world)
        if state[program.halt.name]:
            return state, iteration
    raise DidNotHalt(f"'{program.name}' did not halt within {max_iterations} iterations.")
