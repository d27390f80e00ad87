"""Ops that work row by row: comparisons, selections, arithmetic, logic."""

from __future__ import annotations

from dataclasses import dataclass
from typing import ClassVar

from loopwright.language.ops.base import (
    NUMBERS,
    Op,
    Operand,
    need,
    need_kind,
    need_like,
    need_scope,
    need_whole,
)
from loopwright.language.variables import Formula, Variable
from loopwright.model.layout import Kind


@dataclass(frozen=True)
class LessThan(Op):
    """out ← a < b"""

    quantities: ClassVar[tuple[str, ...]] = ("a", "b")

    a: Operand
    b: Operand

    def check(self) -> None:
        need_kind(self.out, Kind.FLAG)
        for operand, other in ((self.a, self.b), (self.b, self.a)):
            need_kind(operand, *NUMBERS)
            need_scope(operand, self.out.scope)
            if isinstance(other, Variable):
                need_whole(other, operand)

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

    quantities: ClassVar[tuple[str, ...]] = ("low", "value", "high")

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

    quantities: ClassVar[tuple[str, ...]] = ("then", "otherwise")

    condition: Variable
    then: Operand
    otherwise: Operand

    def check(self) -> None:
        need_kind(self.condition, Kind.FLAG)
        need_scope(self.condition, self.out.scope)
        need_like(self.out, self.then)
        need_like(self.out, self.otherwise)

    def __str__(self) -> str:
        return f"{self.out} ← {self.then} if {self.condition} else {self.otherwise}"


@dataclass(frozen=True)
class Copy(Op):
    """out ← source"""

    quantities: ClassVar[tuple[str, ...]] = ("source",)

    source: Operand

    def check(self) -> None:
        need_like(self.out, self.source)

    def __str__(self) -> str:
        return f"{self.out} ← {self.source}"


@dataclass(frozen=True)
class Increment(Op):
    """out ← the position after `position`"""

    position: Variable

    def check(self) -> None:
        need_kind(self.out, Kind.POSITION)
        need_kind(self.position, Kind.POSITION)
        need_scope(self.position, self.out.scope)

    def __str__(self) -> str:
        return f"{self.out} ← next({self.position})"


@dataclass(frozen=True)
class MarkZeros(Op):
    """out ← value = 0, for a value that is never negative"""

    value: Variable

    def check(self) -> None:
        need_kind(self.out, Kind.FLAG)
        need_kind(self.value, *NUMBERS)
        need_scope(self.value, self.out.scope)
        need(not self.value.signed, self.value, "may be negative")

    def __str__(self) -> str:
        return f"{self.out} ← {self.value} = 0"


@dataclass(frozen=True)
class Set(Op):
    """out ← formula of flags"""

    formula: Formula

    def check(self) -> None:
        need_kind(self.out, Kind.FLAG)
        for variable in self.formula.variables():
            need_kind(variable, Kind.FLAG)
            need_scope(variable, self.out.scope)

    def __str__(self) -> str:
        return f"{self.out} ← {self.formula}"


@dataclass(frozen=True)
class Equal(Op):
    """out ← a = b, for flags or whole numbers"""

    a: Variable
    b: Variable

    def check(self) -> None:
        need_kind(self.out, Kind.FLAG)
        for operand in (self.a, self.b):
            need_kind(operand, Kind.FLAG, Kind.INDEX, Kind.COUNT)
            need_scope(operand, self.out.scope)

    def __str__(self) -> str:
        return f"{self.out} ← {self.a} = {self.b}"


@dataclass(frozen=True)
class Add(Op):
    """out ← a + b"""

    quantities: ClassVar[tuple[str, ...]] = ("a", "b")

    a: Operand
    b: Operand

    def check(self) -> None:
        need_kind(self.out, *NUMBERS)
        need_like(self.out, self.a)
        need_like(self.out, self.b)

    def __str__(self) -> str:
        return f"{self.out} ← {self.a} + {self.b}"


@dataclass(frozen=True)
class Subtract(Op):
    """out ← a − b"""

    quantities: ClassVar[tuple[str, ...]] = ("a", "b")

    a: Operand
    b: Operand

    def check(self) -> None:
        need_kind(self.out, *NUMBERS)
        need(self.out.signed, self.out, "is unsigned, but a difference may be negative")
        need_like(self.out, self.a)
        need_like(self.out, self.b)

    def __str__(self) -> str:
        return f"{self.out} ← {self.a} − {self.b}"


@dataclass(frozen=True)
class RoundFlag(Op):
    """out ← out, freed of small errors"""

    updates: ClassVar[bool] = True

    def check(self) -> None:
        need_kind(self.out, Kind.FLAG)

    def __str__(self) -> str:
        return f"round {self.out}"
