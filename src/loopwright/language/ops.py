"""The vocabulary: one frozen class for each op, with what it takes and how it prints.

What an op does is said twice, independently: `language.interpret` in plain Python, and
`compiler.lower` in weights. An op belongs to one of two phases of a layer, and of its step:

- ``ATTENTION``: it reads other rows or the graph, as they were before the step.
- ``MLP``: row by row, after all attention of the step and after the ops before it.
"""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass, fields
from enum import Enum, auto
from fractions import Fraction
from typing import ClassVar

from loopwright.language.variables import OWN_INDEX, Formula, Named, Variable
from loopwright.layout import Kind, Scope

Operand = Variable | Named | Fraction | int
"""A variable, or a constant (for a position: which one)."""

NUMBERS = (Kind.INDEX, Kind.COUNT, Kind.VALUE)
STORES = {
    Kind.FLAG: (Kind.FLAG, *NUMBERS),
    Kind.INDEX: NUMBERS,
    Kind.COUNT: (Kind.COUNT, Kind.VALUE),
    Kind.VALUE: (Kind.VALUE,),
    Kind.POSITION: (Kind.POSITION,),
}
"""Kind of a value → the kinds of variable that can hold it."""


class Phase(Enum):
    ATTENTION = auto()
    MLP = auto()


class Malformed(ValueError):
    """An op's operands do not fit; the program adds the step's name."""


def _need(ok: bool, variable: object, what: str) -> None:
    if not ok:
        raise Malformed(f"'{variable}' {what}")


def _need_kind(operand: Operand, *kinds: Kind) -> None:
    if isinstance(operand, Variable):
        wanted = " or ".join(kinds)
        _need(operand.kind in kinds, operand, f"is a {operand.kind}, where a {wanted} is needed")


def _need_scope(operand: Operand, scope: Scope) -> None:
    if isinstance(operand, Variable):
        _need(operand.scope is scope, operand, f"is of scope {operand.scope}, not {scope}")


def _need_like(out: Variable, operand: Operand) -> None:
    """`operand` can be stored in `out`: same rows, same width, no lost sign."""
    _need_scope(operand, out.scope)
    if isinstance(operand, Variable):
        _need(
            operand.kind.width == out.kind.width,
            operand,
            f"has width {operand.kind.width}, but '{out}' has width {out.kind.width}",
        )
        _need(
            out.signed or not operand.signed, out, f"is unsigned, but '{operand}' may be negative"
        )
        wide_enough = out.kind in STORES[operand.kind]
        _need(wide_enough, operand, f"is a {operand.kind}, but '{out}' is a {out.kind}")
    elif isinstance(operand, Named):
        _need(
            out.kind in (Kind.COUNT, Kind.VALUE), out, f"is a {out.kind}: too small for {operand}"
        )
    else:
        allowed = {Kind.FLAG: (0, 1), Kind.INDEX: (0, 1), Kind.POSITION: (0,)}.get(out.kind)
        fits = operand in allowed if allowed else operand >= 0 or out.signed
        _need(fits, out, f"is a {out.kind}: it cannot be {operand}")
        _need_whole(out, operand)


def _need_whole(beside: Variable, operand: Operand) -> None:
    """Only values may be compared with, or hold, a fraction."""
    if isinstance(operand, int | Fraction) and beside.kind is not Kind.VALUE:
        whole = Fraction(operand).denominator == 1
        _need(whole, beside, f"is a {beside.kind}: {operand} is not a whole number")


@dataclass(frozen=True)
class Op:
    """Writes `out` from all other fields."""

    phase: ClassVar[Phase] = Phase.MLP
    updates: ClassVar[bool] = False
    """Whether the old value of `out` is read, too."""
    averages: ClassVar[bool] = False
    """Whether its attention takes a mean or a sum of values, which must be exact."""

    out: Variable

    def reads(self) -> Iterator[Variable]:
        """Every variable whose value the op needs."""
        for field in fields(self):
            operand = getattr(self, field.name)
            if isinstance(operand, Formula) and (field.name != "out" or self.updates):
                yield from operand.variables()

    def check(self) -> None:
        """Raise `Malformed` where the operands do not fit."""
        raise NotImplementedError


# ── row by row ──────────────────────────────────────────────────────────────────────────────────


@dataclass(frozen=True)
class LessThan(Op):
    """out ← a < b"""

    a: Operand
    b: Operand

    def check(self) -> None:
        _need_kind(self.out, Kind.FLAG)
        for operand, other in ((self.a, self.b), (self.b, self.a)):
            _need_kind(operand, *NUMBERS)
            _need_scope(operand, self.out.scope)
            if isinstance(other, Variable):
                _need_whole(other, operand)

    def __str__(self) -> str:
        return f"{self.out} ← {self.a} < {self.b}"


@dataclass(frozen=True)
class LessOrEqual(LessThan):
    """out ← a ≤ b"""

    def __str__(self) -> str:
        return f"{self.out} ← {self.a} ≤ {self.b}"


@dataclass(frozen=True)
class Between(Op):
    """out ← low < value < high"""

    low: Operand
    value: Operand
    high: Operand

    def check(self) -> None:
        LessThan(self.out, self.low, self.value).check()
        LessThan(self.out, self.value, self.high).check()

    def __str__(self) -> str:
        return f"{self.out} ← {self.low} < {self.value} < {self.high}"


@dataclass(frozen=True)
class Where(Op):
    """out ← then if condition else otherwise"""

    condition: Variable
    then: Operand
    otherwise: Operand

    def check(self) -> None:
        _need_kind(self.condition, Kind.FLAG)
        _need_scope(self.condition, self.out.scope)
        _need_like(self.out, self.then)
        _need_like(self.out, self.otherwise)

    def __str__(self) -> str:
        return f"{self.out} ← {self.then} if {self.condition} else {self.otherwise}"


@dataclass(frozen=True)
class Copy(Op):
    """out ← source"""

    source: Operand

    def check(self) -> None:
        _need_like(self.out, self.source)

    def __str__(self) -> str:
        return f"{self.out} ← {self.source}"


@dataclass(frozen=True)
class Increment(Op):
    """out ← the position after `position`"""

    position: Variable

    def check(self) -> None:
        _need_kind(self.out, Kind.POSITION)
        _need_kind(self.position, Kind.POSITION)
        _need_scope(self.position, self.out.scope)

    def __str__(self) -> str:
        return f"{self.out} ← next({self.position})"


@dataclass(frozen=True)
class MarkZeros(Op):
    """out ← value = 0, for a value that is never negative"""

    value: Variable

    def check(self) -> None:
        _need_kind(self.out, Kind.FLAG)
        _need_kind(self.value, *NUMBERS)
        _need_scope(self.value, self.out.scope)
        _need(not self.value.signed, self.value, "may be negative")

    def __str__(self) -> str:
        return f"{self.out} ← {self.value} = 0"


@dataclass(frozen=True)
class Set(Op):
    """out ← formula of flags"""

    formula: Formula

    def check(self) -> None:
        _need_kind(self.out, Kind.FLAG)
        for variable in self.formula.variables():
            _need_kind(variable, Kind.FLAG)
            _need_scope(variable, self.out.scope)

    def __str__(self) -> str:
        return f"{self.out} ← {self.formula}"


@dataclass(frozen=True)
class Equal(Op):
    """out ← a = b, for flags or whole numbers"""

    a: Variable
    b: Variable

    def check(self) -> None:
        _need_kind(self.out, Kind.FLAG)
        for operand in (self.a, self.b):
            _need_kind(operand, Kind.FLAG, Kind.INDEX, Kind.COUNT)
            _need_scope(operand, self.out.scope)

    def __str__(self) -> str:
        return f"{self.out} ← {self.a} = {self.b}"


@dataclass(frozen=True)
class Add(Op):
    """out ← a + b"""

    a: Operand
    b: Operand

    def check(self) -> None:
        _need_kind(self.out, *NUMBERS)
        _need_like(self.out, self.a)
        _need_like(self.out, self.b)

    def __str__(self) -> str:
        return f"{self.out} ← {self.a} + {self.b}"


@dataclass(frozen=True)
class Subtract(Op):
    """out ← a − b"""

    a: Operand
    b: Operand

    def check(self) -> None:
        _need_kind(self.out, *NUMBERS)
        _need(self.out.signed, self.out, "is unsigned, but a difference may be negative")
        _need_like(self.out, self.a)
        _need_like(self.out, self.b)

    def __str__(self) -> str:
        return f"{self.out} ← {self.a} − {self.b}"


@dataclass(frozen=True)
class RoundFlag(Op):
    """out ← out, freed of small errors"""

    updates: ClassVar[bool] = True

    def check(self) -> None:
        _need_kind(self.out, Kind.FLAG)

    def __str__(self) -> str:
        return f"round {self.out}"


# ── by attention ─────────────────────────────────────────────────────────────────────────────


@dataclass(frozen=True)
class Repeat(Op):
    """out[i] ← source, for every node i"""

    phase: ClassVar[Phase] = Phase.ATTENTION

    source: Variable

    def check(self) -> None:
        _need_scope(self.out, Scope.NODES)
        _need_scope(self.source, Scope.SINGLE)
        _need_like(self.out, _at_nodes(self.source))

    def __str__(self) -> str:
        return f"{self.out}[:] ← {self.source}"


@dataclass(frozen=True)
class ReadRow(Op):
    """out[i] ← A[position, i], for every node i; 0 where position is nowhere"""

    phase: ClassVar[Phase] = Phase.ATTENTION

    position: Variable

    def check(self) -> None:
        _need_kind(self.out, Kind.VALUE, Kind.FLAG)
        _need_scope(self.out, Scope.NODES)
        _need_kind(self.position, Kind.POSITION)
        _need_scope(self.position, Scope.SINGLE)

    def __str__(self) -> str:
        return f"{self.out}[:] ← A[{self.position}, :]"


@dataclass(frozen=True)
class ReadColumn(ReadRow):
    """out[i] ← A[i, position], for every node i; 0 where position is nowhere"""

    def __str__(self) -> str:
        return f"{self.out}[:] ← A[:, {self.position}]"


@dataclass(frozen=True)
class ReadX(Op):
    """out ← column[position]; 0 where position is nowhere"""

    phase: ClassVar[Phase] = Phase.ATTENTION

    position: Variable
    column: Variable

    def check(self) -> None:
        _need_scope(self.out, Scope.SINGLE)
        _need_kind(self.position, Kind.POSITION)
        _need_scope(self.position, Scope.SINGLE)
        _need_scope(self.column, Scope.NODES)
        _need_like(_at_nodes(self.out), self.column)

    def __str__(self) -> str:
        return f"{self.out} ← {self.column}[{self.position}]"


@dataclass(frozen=True)
class WriteRow(Op):
    """out[position] ← true if content; also true wherever `also` is. Other flags stay."""

    phase: ClassVar[Phase] = Phase.ATTENTION
    updates: ClassVar[bool] = True

    position: Variable
    content: Variable
    also: Variable | None = None

    def check(self) -> None:
        for flag in (self.out, self.content, *([self.also] if self.also else [])):
            _need_kind(flag, Kind.FLAG)
        _need_scope(self.out, Scope.NODES)
        if self.also:
            _need_scope(self.also, Scope.NODES)
        _need_kind(self.position, Kind.POSITION)
        _need_scope(self.position, Scope.SINGLE)
        _need_scope(self.content, Scope.SINGLE)

    def __str__(self) -> str:
        also = f" ∨ {self.also}" if self.also else ""
        return f"{self.out}[{self.position}] ← {self.out} ∨ {self.content}{also}"


@dataclass(frozen=True)
class OneHot(Op):
    """out ← content at position, false at every other node"""

    phase: ClassVar[Phase] = Phase.ATTENTION

    position: Variable
    content: Variable

    def check(self) -> None:
        WriteRow(self.out, self.position, self.content).check()

    def __str__(self) -> str:
        return f"{self.out} ← one-hot({self.position}) ∧ {self.content}"


@dataclass(frozen=True)
class SubtractAt(Op):
    """out[position] ← out[position] − content; nothing where position is nowhere"""

    phase: ClassVar[Phase] = Phase.ATTENTION
    updates: ClassVar[bool] = True

    position: Variable
    content: Variable

    def check(self) -> None:
        _need_kind(self.out, *NUMBERS)
        _need(self.out.signed, self.out, "is unsigned, but a difference may be negative")
        _need_scope(self.out, Scope.NODES)
        _need_kind(self.position, Kind.POSITION)
        _need_scope(self.position, Scope.SINGLE)
        _need_kind(self.content, *NUMBERS)
        _need_scope(self.content, Scope.SINGLE)

    def __str__(self) -> str:
        return f"{self.out}[{self.position}] ← {self.out}[{self.position}] − {self.content}"


@dataclass(frozen=True)
class AllOne(Op):
    """out ← flags hold at every node"""

    phase: ClassVar[Phase] = Phase.ATTENTION

    flags: Variable

    def check(self) -> None:
        _need_kind(self.out, Kind.FLAG)
        _need_scope(self.out, Scope.SINGLE)
        _need_kind(self.flags, Kind.FLAG)
        _need_scope(self.flags, Scope.NODES)

    def __str__(self) -> str:
        return f"{self.out} ← all({self.flags})"


@dataclass(frozen=True)
class Everywhere(Op):
    """out[i] ← flags hold at every node, for every node i"""

    phase: ClassVar[Phase] = Phase.ATTENTION

    flags: Variable

    def check(self) -> None:
        for flag in (self.out, self.flags):
            _need_kind(flag, Kind.FLAG)
            _need_scope(flag, Scope.NODES)

    def __str__(self) -> str:
        return f"{self.out}[:] ← all({self.flags})"


@dataclass(frozen=True)
class SumFrom(Op):
    """out[i] ← sum of A[j, i] over the nodes j whose flag is set

    Of one node it is that node's row of A; then `out` may be a flag if edges are 1.
    """

    phase: ClassVar[Phase] = Phase.ATTENTION
    averages: ClassVar[bool] = True

    flags: Variable

    def check(self) -> None:
        _need_kind(self.out, Kind.VALUE, Kind.COUNT, Kind.FLAG)
        _need_kind(self.flags, Kind.FLAG)
        for variable in (self.out, self.flags):
            _need_scope(variable, Scope.NODES)

    def __str__(self) -> str:
        return f"{self.out}[:] ← Σ A[{self.flags}, :]"


@dataclass(frozen=True)
class SumTo(SumFrom):
    """out[i] ← sum of A[i, j] over the nodes j whose flag is set"""

    def __str__(self) -> str:
        return f"{self.out}[:] ← Σ A[:, {self.flags}]"


@dataclass(frozen=True)
class MarkLeast(Op):
    """out ← the nodes whose value is least among those where `unless` is not set; ties all count"""

    phase: ClassVar[Phase] = Phase.ATTENTION
    averages: ClassVar[bool] = True

    value: Variable
    unless: Variable

    def check(self) -> None:
        for flag in (self.out, self.unless):
            _need_kind(flag, Kind.FLAG)
        _need_kind(self.value, *NUMBERS)
        _need(self.out not in (self.value, self.unless), self.out, "is read to the end, as well")
        for variable in (self.out, self.value, self.unless):
            _need_scope(variable, Scope.NODES)

    def __str__(self) -> str:
        return f"{self.out} ← {self.value} is least unless {self.unless}"


@dataclass(frozen=True)
class ReadLeast(Op):
    """out[i] ← the least value among the nodes where `unless` is not set; 0 if it is set at all"""

    phase: ClassVar[Phase] = Phase.ATTENTION
    averages: ClassVar[bool] = True

    value: Variable
    unless: Variable

    def check(self) -> None:
        _need_kind(self.unless, Kind.FLAG)
        _need_kind(self.value, *NUMBERS)
        for variable in (self.out, self.value, self.unless):
            _need_scope(variable, Scope.NODES)
        _need_like(self.out, self.value)

    def __str__(self) -> str:
        return f"{self.out}[:] ← least {self.value} unless {self.unless}"


@dataclass(frozen=True)
class ReadFirst(Op):
    """out[i] ← column at the first node where `found` is set, for every node i; 0 if none is"""

    phase: ClassVar[Phase] = Phase.ATTENTION

    found: Variable
    column: Variable
    own_index: Variable = OWN_INDEX

    def check(self) -> None:
        _need_kind(self.found, Kind.FLAG)
        _need_kind(self.column, Kind.FLAG, *NUMBERS)
        for variable in (self.out, self.found, self.column):
            _need_scope(variable, Scope.NODES)
        _need_like(self.out, self.column)

    def __str__(self) -> str:
        return f"{self.out}[:] ← {self.column}[first {self.found}]"


@dataclass(frozen=True)
class RoundPosition(Op):
    """out ← the position of the node that `found` marks; nowhere if it marks none"""

    phase: ClassVar[Phase] = Phase.ATTENTION

    found: Variable

    def check(self) -> None:
        _need_kind(self.out, Kind.POSITION)
        _need_scope(self.out, Scope.SINGLE)
        _need_kind(self.found, Kind.FLAG)
        _need_scope(self.found, Scope.NODES)

    def __str__(self) -> str:
        return f"{self.out} ← position of {self.found}"


def _at_nodes(variable: Variable) -> Variable:
    """The same variable with one entry a node, to compare kinds across scopes."""
    return Variable(variable.name, variable.kind, Scope.NODES, signed=variable.signed)


ALL: tuple[type[Op], ...] = (
    LessThan,
    LessOrEqual,
    Between,
    Where,
    Copy,
    Increment,
    MarkZeros,
    Set,
    Equal,
    Add,
    Subtract,
    RoundFlag,
    Repeat,
    ReadRow,
    ReadColumn,
    ReadX,
    WriteRow,
    OneHot,
    SubtractAt,
    AllOne,
    Everywhere,
    SumFrom,
    SumTo,
    MarkLeast,
    ReadLeast,
    ReadFirst,
    RoundPosition,
)
"""Every op. Tests run over this list: each needs a meaning, a lowering, and a strategy."""
