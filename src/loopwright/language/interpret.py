"""A program run by its meaning alone: start, step, loop."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from typing import Any

from loopwright.errors import DidNotHalt, ProgramError
from loopwright.language.meaning import State, World, beyond_the_nodes, outcome
from loopwright.language.op import Op, Phase
from loopwright.language.program import Program, Step
from loopwright.language.variables import GIVEN, Variable
from loopwright.model.layout import OWN, Kind, Scope


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
        if variable.at_source is not None and source is not None:
            value[source - 1] = world.constant(variable.at_source)
        state[variable.name] = value
    return state


def start_of(variable: Variable, world: World, inputs: Mapping[str, Any]) -> Any:
    """What the variable is before the first iteration, but for the source."""
    begin: Any = 0 if variable.start is None else variable.start
    if begin == OWN:
        own = range(1, world.rows + 1)
        return [i * i for i in own] if variable.kind is Kind.SQUARE else list(own)
    if isinstance(begin, str):
        begin = inputs.get(begin.removeprefix(GIVEN), 0)
    else:
        begin = world.constant(begin)
    if variable.scope is Scope.SINGLE:
        return begin
    return [*begin] if isinstance(begin, list) else [begin] * world.rows


def run_step(
    at: Step, state: State, world: World, look: Callable[[Op, State], None] | None = None
) -> list[str]:
    """Do one step in place, all its attention at once, then row by row in order; what it wrote.

    `look` is called before each op, with the state that the op reads.
    """

    def do(op: Op) -> Any:
        if look:
            look(op, state)
        value = outcome(op, state, world)
        if op.steps:
            require_near_the_nodes(op, value, world)
        return value

    attention = [op for op in at.ops if op.phase is not Phase.MLP]
    state.update({op.out.name: do(op) for op in attention})
    for op in at.ops:
        if op.phase is Phase.MLP:
            state[op.out.name] = do(op)
    return [variable.name for variable in at.writes()]


def require_near_the_nodes(op: Op, value: Any, world: World) -> None:
    """A position may move to just after the last node, where it finds nobody, and no further.

    Raises:
        ProgramError: if it does.
    """
    furthest: int = value if op.out.scope is Scope.SINGLE else max(value)
    if furthest > world.rows + 1:
        raise ProgramError(f"'{op}': {beyond_the_nodes(furthest, world.rows)}.")


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
