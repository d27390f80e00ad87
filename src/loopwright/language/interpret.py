"""What every op means, in plain Python on exact numbers: the definition.

A single variable is a number; a variable with an entry for each node is a list, node 1 first.
A position is the node's number, 0 for nowhere.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass
from fractions import Fraction
from typing import Any

from loopwright.errors import DidNotHalt, ProgramError
from loopwright.language import ops
from loopwright.language.ops import Op, Operand, Phase
from loopwright.language.program import Program, Step
from loopwright.language.variables import And, Formula, Named, Not, Or, Variable
from loopwright.model.layout import OWN, Scope
from loopwright.model.limits import Constants

Number = int | Fraction
State = dict[str, Any]
"""Variable name → number, or list of numbers. (`Any`: a type checker cannot tell which.)"""


@dataclass(frozen=True)
class World:
    """What a program runs on besides its variables."""

    rows: int
    """Entries of a per-node variable: the nodes, or more where a program pads."""
    adjacency: Sequence[Mapping[int, Number]]
    """For each node 1…n: its out-neighbours' numbers → weight. Absent: no edge."""
    constants: Constants

    def constant(self, operand: Named | Number) -> Number:
        return getattr(self.constants, operand.name) if isinstance(operand, Named) else operand


Meaning = Callable[[Any, State, World], Any]
MEANINGS: dict[type[Op], Meaning] = {}


def means(op: type[Op]) -> Callable[[Meaning], Meaning]:
    """Register the value that `op` gives to its `out`."""

    def register(meaning: Meaning) -> Meaning:
        MEANINGS[op] = meaning
        return meaning

    return register


def _rowwise(op: Op, world: World, entry: Callable[[int | None], Number]) -> Any:
    """`entry` for row 0, or for each node: as `op.out` has it."""
    if op.out.scope is Scope.SINGLE:
        return entry(None)
    return [entry(i) for i in range(world.rows)]


def _at(operand: Operand, i: int | None, state: State, world: World) -> Number:
    """The operand's value in row 0 (i is None) or at node i + 1."""
    if isinstance(operand, Variable):
        return state[operand.name] if i is None else state[operand.name][i]
    return world.constant(operand)


@means(ops.LessThan)
def _(op: ops.LessThan, state: State, world: World) -> Any:
    return _rowwise(
        op, world, lambda i: int(_at(op.a, i, state, world) < _at(op.b, i, state, world))
    )


@means(ops.LessOrEqual)
def _(op: ops.LessOrEqual, state: State, world: World) -> Any:
    return _rowwise(
        op, world, lambda i: int(_at(op.a, i, state, world) <= _at(op.b, i, state, world))
    )


@means(ops.Between)
def _(op: ops.Between, state: State, world: World) -> Any:
    def inside(i: int | None) -> int:
        low, value, high = (_at(x, i, state, world) for x in (op.low, op.value, op.high))
        return int(low < value < high)

    return _rowwise(op, world, inside)


@means(ops.Where)
def _(op: ops.Where, state: State, world: World) -> Any:
    def choose(i: int | None) -> Number:
        chosen = op.then if _at(op.condition, i, state, world) else op.otherwise
        return _at(chosen, i, state, world)

    return _rowwise(op, world, choose)


@means(ops.Copy)
def _(op: ops.Copy, state: State, world: World) -> Any:
    return _rowwise(op, world, lambda i: _at(op.source, i, state, world))


@means(ops.Increment)
def _(op: ops.Increment, state: State, world: World) -> Any:
    return _rowwise(op, world, lambda i: _at(op.position, i, state, world) + 1)


@means(ops.MarkZeros)
def _(op: ops.MarkZeros, state: State, world: World) -> Any:
    return _rowwise(op, world, lambda i: int(_at(op.value, i, state, world) == 0))


def holds(formula: Formula, i: int | None, state: State, world: World) -> bool:
    """Whether a formula of flags is true in a row."""
    match formula:
        case Variable():
            return bool(_at(formula, i, state, world))
        case And(parts):
            return all(holds(part, i, state, world) for part in parts)
        case Or(parts):
            return any(holds(part, i, state, world) for part in parts)
        case Not(part):
            return not holds(part, i, state, world)
        case _:
            raise TypeError(f"not a formula: {formula!r}")


@means(ops.Set)
def _(op: ops.Set, state: State, world: World) -> Any:
    return _rowwise(op, world, lambda i: int(holds(op.formula, i, state, world)))


@means(ops.Equal)
def _(op: ops.Equal, state: State, world: World) -> Any:
    return _rowwise(
        op, world, lambda i: int(_at(op.a, i, state, world) == _at(op.b, i, state, world))
    )


@means(ops.Add)
def _(op: ops.Add, state: State, world: World) -> Any:
    return _rowwise(op, world, lambda i: _at(op.a, i, state, world) + _at(op.b, i, state, world))


@means(ops.Subtract)
def _(op: ops.Subtract, state: State, world: World) -> Any:
    return _rowwise(op, world, lambda i: _at(op.a, i, state, world) - _at(op.b, i, state, world))


@means(ops.RoundFlag)
def _(op: ops.RoundFlag, state: State, world: World) -> Any:
    return state[op.out.name]


@means(ops.Repeat)
def _(op: ops.Repeat, state: State, world: World) -> Any:
    return [state[op.source.name]] * world.rows


@means(ops.ReadRow)
def _(op: ops.ReadRow, state: State, world: World) -> Any:
    node = state[op.position.name]
    row = world.adjacency[node - 1] if 1 <= node <= len(world.adjacency) else {}
    return [row.get(i + 1, 0) for i in range(world.rows)]


@means(ops.ReadColumn)
def _(op: ops.ReadColumn, state: State, world: World) -> Any:
    node = state[op.position.name]
    column = [row.get(node, 0) for row in world.adjacency]
    return column + [0] * (world.rows - len(column))


@means(ops.ReadX)
def _(op: ops.ReadX, state: State, world: World) -> Any:
    node = state[op.position.name]
    return state[op.column.name][node - 1] if node else 0


@means(ops.WriteRow)
def _(op: ops.WriteRow, state: State, world: World) -> Any:
    flags = list(state[op.out.name])
    if state[op.position.name] and state[op.content.name]:
        flags[state[op.position.name] - 1] = 1
    if op.also:
        flags = [int(flag or also) for flag, also in zip(flags, state[op.also.name], strict=True)]
    return flags


@means(ops.OneHot)
def _(op: ops.OneHot, state: State, world: World) -> Any:
    node = state[op.position.name]
    return [int(i + 1 == node and state[op.content.name]) for i in range(world.rows)]


@means(ops.SubtractAt)
def _(op: ops.SubtractAt, state: State, world: World) -> Any:
    values = list(state[op.out.name])
    if state[op.position.name]:
        values[state[op.position.name] - 1] -= state[op.content.name]
    return values


@means(ops.AllOne)
def _(op: ops.AllOne, state: State, world: World) -> Any:
    return int(all(state[op.flags.name]))


@means(ops.Everywhere)
def _(op: ops.Everywhere, state: State, world: World) -> Any:
    return [int(all(state[op.flags.name]))] * world.rows


@means(ops.SumFrom)
def _(op: ops.SumFrom, state: State, world: World) -> Any:
    total: list[Number] = [0] * world.rows
    for j, row in enumerate(world.adjacency):
        if state[op.flags.name][j]:
            for i, weight in row.items():
                total[i - 1] += weight
    return total


@means(ops.SumTo)
def _(op: ops.SumTo, state: State, world: World) -> Any:
    flags = state[op.flags.name]
    total = [sum(w for j, w in row.items() if flags[j - 1]) for row in world.adjacency]
    return total + [0] * (world.rows - len(total))


@means(ops.RowOf)
def _(op: ops.RowOf, state: State, world: World) -> Any:
    j = the_chosen(op, state)
    row = world.adjacency[j] if j is not None and j < len(world.adjacency) else {}
    return [row.get(i, 0) for i in range(1, world.rows + 1)]


@means(ops.ColumnOf)
def _(op: ops.ColumnOf, state: State, world: World) -> Any:
    j = the_chosen(op, state)
    column = [row.get(j + 1, 0) if j is not None else 0 for row in world.adjacency]
    return column + [0] * (world.rows - len(column))


def the_chosen(op: ops.RowOf, state: State) -> int | None:
    """Which node is flagged, 0 for the first; None if none is.

    Raises:
        ProgramError: if two are.
    """
    flags = state[op.chosen.name]
    if sum(flags) > 1:
        raise ProgramError(f"'{op}': two nodes are chosen.")
    return flags.index(1) if 1 in flags else None


@means(ops.MarkLeast)
def _(op: ops.MarkLeast, state: State, world: World) -> Any:
    values, unless = state[op.value.name], state[op.unless.name]
    among = [value for value, no in zip(values, unless, strict=True) if not no]
    return [int(not no and value == min(among)) for value, no in zip(values, unless, strict=True)]


@means(ops.ReadLeast)
def _(op: ops.ReadLeast, state: State, world: World) -> Any:
    values, unless = state[op.value.name], state[op.unless.name]
    among = [value for value, no in zip(values, unless, strict=True) if not no]
    return [min(among, default=0)] * world.rows


@means(ops.ReadFirst)
def _(op: ops.ReadFirst, state: State, world: World) -> Any:
    found, column = state[op.found.name], state[op.column.name]
    return [column[found.index(1)] if 1 in found else 0] * world.rows


@means(ops.RoundPosition)
def _(op: ops.RoundPosition, state: State, world: World) -> Any:
    flags = state[op.found.name]
    return flags.index(1) + 1 if 1 in flags else 0


# ── running ─────────────────────────────────────────────────────────────────────────────────────


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
        begin = 0 if variable.start is None else variable.start
        if variable.start == OWN:
            state[variable.name] = list(range(1, world.rows + 1))
            continue
        if isinstance(begin, str):
            value = (inputs or {}).get(begin.removeprefix("input:"), 0)
            if variable.scope is Scope.NODES:
                listed = value if isinstance(value, Sequence) else [value] * world.rows
                value = [*listed, *[0] * (world.rows - len(listed))]
            state[variable.name] = value
            continue
        number = world.constant(begin)
        if variable.scope is Scope.SINGLE:
            state[variable.name] = number
            continue
        state[variable.name] = [number] * world.rows
        if variable.at_source is not None and source is not None:
            state[variable.name][source - 1] = world.constant(variable.at_source)
    return state


def run_step(
    at: Step, state: State, world: World, look: Callable[[Op, State], None] | None = None
) -> list[str]:
    """Do one step in place, all its attention at once, then row by row in order; what it wrote.

    `look` is called before each op, with the state that the op reads.
    """

    def do(op: Op) -> Any:
        if look:
            look(op, state)
        return MEANINGS[type(op)](op, state, world)

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
