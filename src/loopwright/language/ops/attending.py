"""Ops that read other rows, or the graph."""

from __future__ import annotations

from dataclasses import dataclass
from typing import ClassVar

from loopwright.language.ops.base import (
    NUMBERS,
    Op,
    Phase,
    at_nodes,
    need,
    need_kind,
    need_like,
    need_scope,
)
from loopwright.language.variables import OWN_INDEX, Variable
from loopwright.model.layout import Kind, Scope


@dataclass(frozen=True)
class Repeat(Op):
    """out[i] ← source, for every node i"""

    phase: ClassVar[Phase] = Phase.ATTENTION
    quantities: ClassVar[tuple[str, ...]] = ("source",)

    source: Variable

    def check(self) -> None:
        need_scope(self.out, Scope.NODES)
        need_scope(self.source, Scope.SINGLE)
        need_like(self.out, at_nodes(self.source))

    def __str__(self) -> str:
        return f"{self.out}[:] ← {self.source}"


@dataclass(frozen=True)
class ReadRow(Op):
    """out[i] ← A[position, i], for every node i; 0 where position is nowhere"""

    phase: ClassVar[Phase] = Phase.ATTENTION

    position: Variable

    def check(self) -> None:
        need_kind(self.out, Kind.VALUE, Kind.FLAG)
        need_scope(self.out, Scope.NODES)
        need_kind(self.position, Kind.POSITION)
        need_scope(self.position, Scope.SINGLE)

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
    quantities: ClassVar[tuple[str, ...]] = ("column",)

    position: Variable
    column: Variable

    def check(self) -> None:
        need_scope(self.out, Scope.SINGLE)
        need_kind(self.position, Kind.POSITION)
        need_scope(self.position, Scope.SINGLE)
        need_scope(self.column, Scope.NODES)
        need_like(at_nodes(self.out), self.column)

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
            need_kind(flag, Kind.FLAG)
        need_scope(self.out, Scope.NODES)
        if self.also:
            need_scope(self.also, Scope.NODES)
        need_kind(self.position, Kind.POSITION)
        need_scope(self.position, Scope.SINGLE)
        need_scope(self.content, Scope.SINGLE)

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
    quantities: ClassVar[tuple[str, ...]] = ("content",)

    position: Variable
    content: Variable

    def check(self) -> None:
        need_kind(self.out, *NUMBERS)
        need(self.out.signed, self.out, "is unsigned, but a difference may be negative")
        need_scope(self.out, Scope.NODES)
        need_kind(self.position, Kind.POSITION)
        need_scope(self.position, Scope.SINGLE)
        need_kind(self.content, *NUMBERS)
        need_scope(self.content, Scope.SINGLE)

    def __str__(self) -> str:
        return f"{self.out}[{self.position}] ← {self.out}[{self.position}] − {self.content}"


@dataclass(frozen=True)
class AllOne(Op):
    """out ← flags hold at every node"""

    phase: ClassVar[Phase] = Phase.ATTENTION

    flags: Variable

    def check(self) -> None:
        need_kind(self.out, Kind.FLAG)
        need_scope(self.out, Scope.SINGLE)
        need_kind(self.flags, Kind.FLAG)
        need_scope(self.flags, Scope.NODES)

    def __str__(self) -> str:
        return f"{self.out} ← all({self.flags})"


@dataclass(frozen=True)
class Everywhere(Op):
    """out[i] ← flags hold at every node, for every node i"""

    phase: ClassVar[Phase] = Phase.ATTENTION

    flags: Variable

    def check(self) -> None:
        for flag in (self.out, self.flags):
            need_kind(flag, Kind.FLAG)
            need_scope(flag, Scope.NODES)

    def __str__(self) -> str:
        return f"{self.out}[:] ← all({self.flags})"


@dataclass(frozen=True)
class SumFrom(Op):
    """out[i] ← sum of A[j, i] over the nodes j whose flag is set"""

    phase: ClassVar[Phase] = Phase.ATTENTION

    flags: Variable

    def check(self) -> None:
        need_kind(self.out, Kind.VALUE, Kind.COUNT)
        need_kind(self.flags, Kind.FLAG)
        for variable in (self.out, self.flags):
            need_scope(variable, Scope.NODES)

    def __str__(self) -> str:
        return f"{self.out}[:] ← Σ A[{self.flags}, :]"


@dataclass(frozen=True)
class SumTo(SumFrom):
    """out[i] ← sum of A[i, j] over the nodes j whose flag is set"""

    def __str__(self) -> str:
        return f"{self.out}[:] ← Σ A[:, {self.flags}]"


@dataclass(frozen=True)
class RowOf(Op):
    """out[i] ← A[j, i] of the one node j that is chosen; 0 if none is

    Choosing two is an error of the program. With one, `out` is never more than an edge.
    """

    phase: ClassVar[Phase] = Phase.ATTENTION

    chosen: Variable

    def check(self) -> None:
        need_kind(self.out, Kind.VALUE, Kind.FLAG)
        need_kind(self.chosen, Kind.FLAG)
        for variable in (self.out, self.chosen):
            need_scope(variable, Scope.NODES)

    def __str__(self) -> str:
        return f"{self.out}[:] ← A[{self.chosen}, :]"


@dataclass(frozen=True)
class ColumnOf(RowOf):
    """out[i] ← A[i, j] of the one node j that is chosen; 0 if none is"""

    def __str__(self) -> str:
        return f"{self.out}[:] ← A[:, {self.chosen}]"


@dataclass(frozen=True)
class MarkLeast(Op):
    """out ← the nodes whose value is least among those where `unless` is not set; ties all count"""

    phase: ClassVar[Phase] = Phase.ATTENTION

    value: Variable
    unless: Variable

    def check(self) -> None:
        for flag in (self.out, self.unless):
            need_kind(flag, Kind.FLAG)
        need_kind(self.value, *NUMBERS)
        need(self.out not in (self.value, self.unless), self.out, "is read to the end, as well")
        for variable in (self.out, self.value, self.unless):
            need_scope(variable, Scope.NODES)

    def __str__(self) -> str:
        return f"{self.out} ← {self.value} is least unless {self.unless}"


@dataclass(frozen=True)
class ReadLeast(Op):
    """out[i] ← the least value among the nodes where `unless` is not set; 0 if it is set at all"""

    phase: ClassVar[Phase] = Phase.ATTENTION
    quantities: ClassVar[tuple[str, ...]] = ("value",)

    value: Variable
    unless: Variable

    def check(self) -> None:
        need_kind(self.unless, Kind.FLAG)
        need_kind(self.value, *NUMBERS)
        for variable in (self.out, self.value, self.unless):
            need_scope(variable, Scope.NODES)
        need_like(self.out, self.value)

    def __str__(self) -> str:
        return f"{self.out}[:] ← least {self.value} unless {self.unless}"


@dataclass(frozen=True)
class ReadFirst(Op):
    """out[i] ← column at the first node where `found` is set, for every node i; 0 if none is"""

    phase: ClassVar[Phase] = Phase.ATTENTION
    quantities: ClassVar[tuple[str, ...]] = ("column",)

    found: Variable
    column: Variable
    own_index: Variable = OWN_INDEX

    def check(self) -> None:
        need_kind(self.found, Kind.FLAG)
        need_kind(self.column, Kind.FLAG, *NUMBERS)
        for variable in (self.out, self.found, self.column):
            need_scope(variable, Scope.NODES)
        need_like(self.out, self.column)

    def __str__(self) -> str:
        return f"{self.out}[:] ← {self.column}[first {self.found}]"


@dataclass(frozen=True)
class RoundPosition(Op):
    """out ← the position of the node that `found` marks; nowhere if it marks none"""

    phase: ClassVar[Phase] = Phase.ATTENTION

    found: Variable

    def check(self) -> None:
        need_kind(self.out, Kind.POSITION)
        need_scope(self.out, Scope.SINGLE)
        need_kind(self.found, Kind.FLAG)
        need_scope(self.found, Scope.NODES)

    def __str__(self) -> str:
        return f"{self.out} ← position of {self.found}"
