"""What every op means, in plain Python on exact numbers: the definition.

A single variable is a number; a variable with an entry for each node is a list, node 1 first.
A position is the node's number, 0 for nowhere. A meaning gets the values of the op's operands in
their order, the old `out` first if the op updates it, and gives the new value of `out`.
"""

# A meaning takes as many values as its op has operands, so lambdas have no declared types.
# pyright: reportUnknownArgumentType=false, reportUnknownLambdaType=false
# pyright: reportUnknownMemberType=false, reportUnknownVariableType=false

from __future__ import annotations

import operator
from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass, fields
from fractions import Fraction
from typing import Any

from loopwright.errors import ProgramError
from loopwright.language import ops
from loopwright.language.beyond import Endless
from loopwright.language.formulas import And, Formula, Less, Not, Or, Same
from loopwright.language.op import Op, Phase
from loopwright.language.variables import Named, Variable
from loopwright.model.layout import Scope
from loopwright.model.limits import Constants

Number = int | Fraction
State = dict[str, Any]
"""Variable name → number, or list of numbers. (`Any`: a type checker cannot tell which.)"""
Flags = Sequence[int]
Column = list[Any]


@dataclass(frozen=True)
class World:
    """What a program runs on besides its variables."""

    rows: int
    """Entries of a per-node variable: the nodes, or more where a program pads."""
    adjacency: Sequence[Mapping[int, Number]]
    """For each node 1…n: its out-neighbours' numbers → weight. Absent: no edge."""
    constants: Constants | Endless

    def constant(self, operand: Named | Number) -> Number:
        return getattr(self.constants, operand.name) if isinstance(operand, Named) else operand

    def row(self, node: int) -> Column:
        """A[node, :], all 0 for nowhere."""
        edges = self.adjacency[node - 1] if 1 <= node <= len(self.adjacency) else {}
        return [edges.get(i, 0) for i in range(1, self.rows + 1)]

    def column(self, node: int) -> Column:
        """A[:, node], all 0 for nowhere."""
        entries = [edges.get(node, 0) for edges in self.adjacency]
        return entries + [0] * (self.rows - len(entries))


# ── row by row: from the operands' values in a row to the value of `out` in it ──────────────────

ROWWISE: dict[type[Op], Callable[..., Number]] = {
    ops.LessThan: operator.lt,
    ops.LessOrEqual: operator.le,
    ops.Between: lambda low, value, high: low < value < high,
    ops.Where: lambda condition, then, otherwise: then if condition else otherwise,
    ops.Copy: lambda source: source,
    ops.Increment: lambda position: position + 1,
    ops.MarkZeros: lambda value: value == 0,
    ops.Set: lambda formula: formula,
    ops.Equal: operator.eq,
    ops.Add: operator.add,
    ops.Subtract: operator.sub,
    ops.Multiply: operator.mul,
    ops.Minimum: min,
    ops.Maximum: max,
    ops.Difference: lambda a, b: max(a - b, b - a),
    ops.RoundFlag: lambda out: out,
}

# ── attention: from whole variables to the whole of `out` ───────────────────────────────────────

ATTENDING: dict[type[Op], Callable[..., Any]] = {
    ops.Repeat: lambda world, source: [source] * world.rows,
    ops.ReadRow: lambda world, position: world.row(position),
    ops.ReadColumn: lambda world, position: world.column(position),
    ops.ReadX: lambda world, position, column: entry(column, position),
    ops.AllOne: lambda world, flags: int(all(flags)),
    ops.Everywhere: lambda world, flags: [int(all(flags))] * world.rows,
    ops.RowOf: lambda world, chosen: world.row(the_one(chosen)),
    ops.ColumnOf: lambda world, chosen: world.column(the_one(chosen)),
    ops.Gather: lambda world, pointer, column: [entry(column, min(t, world.rows)) for t in pointer],
    ops.RoundPosition: lambda world, found: the_one(found),
}


def attends(op: type[Op]) -> Callable[[Callable[..., Any]], Callable[..., Any]]:
    """Register a meaning that takes more than a line."""

    def register(meaning: Callable[..., Any]) -> Callable[..., Any]:
        ATTENDING[op] = meaning
        return meaning

    return register


def entry(column: Column, position: int) -> Number:
    """A node's entry, 0 for nowhere and past the last node."""
    return column[position - 1] if 1 <= position <= len(column) else 0


def beyond_the_nodes(position: int, rows: int) -> str:
    """What is wrong with a position that was incremented too often, and the remedy."""
    return (
        f"position {position} is beyond the last of {rows} rows: set it to NOWHERE, or halt, once "
        "it has been at the last node"
    )


def first(flags: Flags) -> int:
    """The number of the first node that is flagged, 0 if none is."""
    return flags.index(1) + 1 if 1 in flags else 0


def the_one(flags: Flags) -> int:
    """The same, where a program promises that there is one at most."""
    if sum(flags) > 1:
        raise ProgramError("two nodes are chosen")
    return first(flags)


@attends(ops.WriteRow)
def _(world: World, out: Flags, position: int, content: int, also: Flags | None) -> Column:
    hit = [content and i == position for i in range(1, world.rows + 1)]
    extra = also or [0] * world.rows
    return [int(any(flags)) for flags in zip(out, hit, extra, strict=True)]


@attends(ops.OneHot)
def _(world: World, position: int, content: int) -> Column:
    return [int(content and i == position) for i in range(1, world.rows + 1)]


@attends(ops.SubtractAt)
def _(world: World, out: Column, position: int, content: Number) -> Column:
    return [old - content if i == position else old for i, old in enumerate(out, start=1)]


@attends(ops.SumFrom)
def _(world: World, flags: Flags) -> Column:
    rows = [world.row(j) for j in range(1, len(world.adjacency) + 1) if flags[j - 1]]
    return [sum(entries) for entries in zip(*rows, strict=True)] or [0] * world.rows


@attends(ops.SumTo)
def _(world: World, flags: Flags) -> Column:
    total = [sum(w for j, w in edges.items() if flags[j - 1]) for edges in world.adjacency]
    return total + [0] * (world.rows - len(total))


@attends(ops.AddFrom)
def _(world: World, column: Column) -> Column:
    total: Column = [0] * world.rows
    for number, edges in zip(column, world.adjacency, strict=False):
        for i in edges:
            total[i - 1] += number
    return total


@attends(ops.AddTo)
def _(world: World, column: Column) -> Column:
    total: Column = [sum(column[j - 1] for j in edges) for edges in world.adjacency]
    return total + [0] * (world.rows - len(total))


# ── edge heads: every node chooses one of its edges ─────────────────────────────────────────────


def edges_at(
    op: type[Op], world: World, across: Column | None, unless: Flags
) -> list[list[tuple[int, Number]]]:
    """For each node the edges that it chooses among: the node at the other end, and the weight."""
    seen: list[list[tuple[int, Number]]] = [[] for _ in range(world.rows)]
    for tail, edges in enumerate(world.adjacency, start=1):
        for head, weight in edges.items():
            at, other = (head, tail) if op.edges == "from" else (tail, head)
            crosses = across is None or across[at - 1] != across[other - 1]
            if crosses and not unless[other - 1]:
                seen[at - 1].append((other, weight))
    return seen


def as_column(operand: Any, world: World) -> Column:
    """A column, or a constant in every row of one."""
    return operand if isinstance(operand, list) else [world.constant(operand)] * world.rows


def chooses_least(op: type[Op]) -> None:
    """Give an op its meaning: the least of value, or of value + edge."""

    def meaning(
        world: World, across: Column | None, value: Any, unless: Flags, otherwise: Any
    ) -> Column:
        values = as_column(value, world)
        sums = [
            [values[j - 1] + (weight if op.with_edge else 0) for j, weight in edges]
            for edges in edges_at(op, world, across, unless)
        ]
        return [min(each, default=world.constant(otherwise)) for each in sums]

    ATTENDING[op] = meaning


def chooses_heaviest(op: type[Op]) -> None:
    """Give an op its meaning: the heaviest edge."""

    def meaning(world: World, across: Column | None, unless: Flags) -> Column:
        each = edges_at(op, world, across, unless)
        return [max((weight for _, weight in edges), default=0) for edges in each]

    ATTENDING[op] = meaning


def retraces(op: type[Op]) -> None:
    """Give an op its meaning: the node by which a path came about."""

    def meaning(
        world: World,
        across: Column | None,
        value: Any,
        path: Column,
        unless: Flags,
        column: Column,
    ) -> Column:
        values = as_column(value, world)
        found: Column = []
        for length, edges in zip(path, edges_at(op, world, across, unless), strict=True):
            sums = [(values[j - 1] + op.along * weight, weight, j) for j, weight in edges]
            if any(total < length for total, _, _ in sums):
                remedy = "make it with LeastFrom or NearestFrom, in a step before"
                raise ProgramError(f"a path is longer than the way to it: {remedy}")
            fits = [(op.heaviest * -weight, j) for total, weight, j in sums if total == length]
            found.append(entry(column, min(fits)[1]) if fits else 0)
        return found

    ATTENDING[op] = meaning


for _op in (ops.LeastFrom, ops.LeastTo, ops.NearestFrom, ops.NearestTo):
    chooses_least(_op)
for _op in (ops.HeaviestFrom, ops.HeaviestTo):
    chooses_heaviest(_op)
for _op in (op for op in ops.ALL if op.retraces):
    retraces(_op)


def left(value: Column, unless: Flags) -> Column:
    """The values of the nodes that are not excluded."""
    return [v for v, no in zip(value, unless, strict=True) if not no]


@attends(ops.MarkLeast)
def _(world: World, value: Column, unless: Flags) -> Column:
    least = min(left(value, unless), default=None)
    return [int(not no and v == least) for v, no in zip(value, unless, strict=True)]


@attends(ops.ReadLeast)
def _(world: World, value: Column, unless: Flags) -> Column:
    return [min(left(value, unless), default=0)] * world.rows


@attends(ops.ReadFirst)
def _(world: World, found: Flags, column: Column, own_index: Column) -> Column:
    return [column[first(found) - 1] if any(found) else 0] * world.rows


@attends(ops.LeastWhereEqual)
def _(
    world: World,
    value: Column,
    key: Column,
    square: Column,
    query: Column,
    asked: Column,
    unless: Flags,
) -> Column:
    for number, its_square in ((key, square), (query, asked)):
        if its_square != [k * k for k in number]:
            remedy = "Gather it from OWN_SQUARE, in a step after the last that writes the number"
            raise ProgramError(f"a square is not that of its number: {remedy}")
    least: dict[int, Number] = {}
    for k, v, no in zip(key, value, unless, strict=True):
        if not no:
            least[k] = min(v, least.get(k, v))
    return [least.get(t, 0) for t in query]


# ── an op on a state ────────────────────────────────────────────────────────────────────────────


def outcome(op: Op, state: State, world: World) -> Any:
    """The value that an op gives to its `out`.

    Raises:
        ProgramError: if the program breaks a promise of the op.
    """
    given = [getattr(op, f.name) for f in fields(op) if f.name != "out" or op.updates]
    if op.phase is Phase.ATTENTION:
        whole = [state[v.name] if isinstance(v, Variable) else v for v in given]
        try:
            return ATTENDING[type(op)](world, *whole)
        except ProgramError as problem:
            raise ProgramError(f"'{op}': {problem}.") from None
    meaning = ROWWISE[type(op)]
    single = op.out.scope is Scope.SINGLE
    rows = zip(*(column_of(operand, state, world, single=single) for operand in given), strict=True)
    entries = [as_number(meaning(*row)) for row in rows]
    return entries[0] if single else entries


def as_number(value: Number) -> Number:
    """Truth values as 0 and 1."""
    return int(value) if isinstance(value, bool) else value


def column_of(operand: object, state: State, world: World, *, single: bool) -> Column:
    """An operand's value in every row of its scope: row 0 alone, or all nodes."""
    match operand:
        case Variable(name):
            return [state[name]] if single else state[name]
        case Formula():
            return column_of_formula(operand, state, world, single=single)
        case Named() | Fraction() | int():
            return [world.constant(operand)] * (1 if single else world.rows)
        case _:
            raise TypeError(f"no operand: {operand!r}")


def column_of_formula(formula: Formula, state: State, world: World, *, single: bool) -> Column:
    """Whether a formula of flags is true, in every row."""

    def columns(parts: Sequence[object]) -> Any:
        each = [column_of(part, state, world, single=single) for part in parts]
        return zip(*each, strict=True)

    match formula:
        case And(parts):
            return [all(row) for row in columns(parts)]
        case Or(parts):
            return [any(row) for row in columns(parts)]
        case Not(part):
            return [not flag for (flag,) in columns([part])]
        case Less(a, b):
            return [low < high for low, high in columns([a, b])]
        case Same(a, b):
            return [one == other for one, other in columns([a, b])]
        case _:
            raise TypeError(f"no formula: {formula!r}")
