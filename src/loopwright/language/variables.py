"""Variables, constants and flag formulas: what the steps of a program are written with."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass
from fractions import Fraction

from loopwright.model.layout import OWN, Kind, Scope


@dataclass(frozen=True)
class Named:
    """A constant whose number follows from the limits, such as `MASK`."""

    name: str

    def __str__(self) -> str:
        return self.name.upper()


UNREACHED = Named("unreached")
"""Ω̂: the distance or priority of what has not been reached."""
MASK = Named("mask")
"""What a visited node shows to the minimum: above every distance and above `UNREACHED`."""
NOWHERE = 0
"""The position p₀, which is no node's."""


class Formula:
    """Something true or false on every row: flags joined by `&`, `|` and `~`."""

    def __and__(self, other: Formula) -> Formula:
        return And((self, other))

    def __or__(self, other: Formula) -> Formula:
        return Or((self, other))

    def __invert__(self) -> Formula:
        return Not(self)

    def variables(self) -> Iterator[Variable]:
        raise NotImplementedError


@dataclass(frozen=True)
class Variable(Formula):
    """A named variable: one number for the whole run, or one for each node.

    `signed` says that it may be negative. Positions always may, flags and indices never.
    `start` is its value before the first iteration; None: nothing reads it before a step wrote it.
    `at_source` replaces `start` at the source node. A `constant` is never written.
    """

    name: str
    kind: Kind
    scope: Scope
    start: Fraction | int | str | Named | None = None
    at_source: Fraction | int | Named | None = None
    signed: bool = False
    constant: bool = False

    def variables(self) -> Iterator[Variable]:
        yield self

    def __str__(self) -> str:
        return self.name


@dataclass(frozen=True)
class And(Formula):
    """True where all parts are."""

    parts: tuple[Formula, ...]

    def variables(self) -> Iterator[Variable]:
        for part in self.parts:
            yield from part.variables()

    def __and__(self, other: Formula) -> Formula:
        return And((*self.parts, other))

    def __str__(self) -> str:
        return "(" + " ∧ ".join(map(str, self.parts)) + ")"


@dataclass(frozen=True)
class Or(Formula):
    """True where any part is."""

    parts: tuple[Formula, ...]

    def variables(self) -> Iterator[Variable]:
        for part in self.parts:
            yield from part.variables()

    def __or__(self, other: Formula) -> Formula:
        return Or((*self.parts, other))

    def __str__(self) -> str:
        return "(" + " ∨ ".join(map(str, self.parts)) + ")"


@dataclass(frozen=True)
class Not(Formula):
    """True where the part is not."""

    part: Formula

    def variables(self) -> Iterator[Variable]:
        yield from self.part.variables()

    def __str__(self) -> str:
        return f"¬{self.part}"


@dataclass(frozen=True)
class _Declare:
    """Variables of one scope: `nodes.flag("visited")` reads as a declaration."""

    scope: Scope

    def flag(
        self, name: str, start: int | str | None = None, at_source: int | None = None
    ) -> Variable:
        return Variable(name, Kind.FLAG, self.scope, start, at_source)

    def index(self, name: str, start: int | str | None = None) -> Variable:
        return Variable(name, Kind.INDEX, self.scope, start)

    def position(self, name: str, start: int | str | None = None) -> Variable:
        return Variable(name, Kind.POSITION, self.scope, start, signed=True)

    def count(
        self,
        name: str,
        start: int | str | Named | None = None,
        at_source: int | None = None,
        *,
        signed: bool = False,
    ) -> Variable:
        return Variable(name, Kind.COUNT, self.scope, start, at_source, signed=signed)

    def value(
        self,
        name: str,
        start: int | str | Named | None = None,
        at_source: int | None = None,
        *,
        signed: bool = False,
    ) -> Variable:
        return Variable(name, Kind.VALUE, self.scope, start, at_source, signed=signed)


nodes = _Declare(Scope.NODES)
"""Declares variables with one entry for each node."""
single = _Declare(Scope.SINGLE)
"""Declares variables with one entry in all, kept in row 0."""


def given(name: str) -> str:
    """A start that the caller passes under this name when the model is run; 0 if not passed.

    For a variable with an entry for each node: a list, or one number for all of them.
    """
    return f"input:{name}"


B_GLOBAL = Variable("B_global", Kind.FLAG, Scope.SINGLE, 1, constant=True)
B_LOCAL = Variable("B_local", Kind.FLAG, Scope.NODES, 1, constant=True)
POSITIONS = Variable("P", Kind.POSITION, Scope.NODES, OWN, signed=True, constant=True)
OWN_INDEX = Variable("own_index", Kind.INDEX, Scope.NODES, OWN, constant=True)
"""Each node's own number."""
