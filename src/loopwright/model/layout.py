"""Variable name → columns of X: the contract between the compiler and the machines.

The only file that knows column indices. Row 0 of X holds single variables, rows 1…n one node each.
"""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from enum import StrEnum
from fractions import Fraction

GLOBAL_ROW = 0


class Kind(StrEnum):
    """What a variable holds, and so how it is encoded, bounded and decoded."""

    FLAG = "flag"  # 0 or 1
    INDEX = "index"  # a node's number 1…n, 0 for none
    COUNT = "count"  # a whole number
    VALUE = "value"  # a multiple of the resolution
    SQUARE = "square"  # the square of a node's number, 0 for none
    POSITION = "position"  # a node as a point on the circle, p₀ for none

    @property
    def width(self) -> int:
        return 2 if self is Kind.POSITION else 1


class Scope(StrEnum):
    """Which rows hold the variable; it is 0 in all others."""

    SINGLE = "single"  # row 0
    NODES = "nodes"  # rows 1…n


OWN = "own"
"""Start value of an index, a square or a position: each node's own."""


@dataclass(frozen=True)
class Field:
    """One variable as encoding and decoding see it."""

    name: str
    kind: Kind
    scope: Scope
    first: int
    start: Fraction | str
    """A number (for a position, which one), `OWN`, or `"input:NAME"`: the caller gives it."""
    at_source: Fraction | None = None
    signed: bool = True
    """Whether it may be negative. A file that does not say so is older, and may mean either."""
    held: tuple[int, ...] | None = None
    """The layers after which its columns hold it, where it shares them, and −1 if they do so when a
    run begins; None: always."""

    @property
    def columns(self) -> slice:
        return slice(self.first, self.first + self.kind.width)

    @property
    def input(self) -> str | None:
        """The name under which the caller gives this variable's start, if so."""
        if isinstance(self.start, str) and self.start.startswith("input:"):
            return self.start.removeprefix("input:")
        return None


@dataclass(frozen=True)
class Layout:
    """Every variable's columns, the halting flag, and what is read out at the end."""

    fields: tuple[Field, ...]
    width: int
    """d: columns of X, scratchpad included, and hidden units of each level of an MLP."""
    halt: str
    outputs: Mapping[str, str]
    """Result name → variable."""

    __iter__ = None  # variables are found by name; else Python would look for those called 0, 1, …

    def after(self, layer: int) -> tuple[Field, ...]:
        """The variables that X holds after a layer, or when a run begins if the layer is −1: of
        those that share columns, one each."""
        return tuple(one for one in self.fields if one.held is None or layer in one.held)

    def __getitem__(self, name: str) -> Field:
        for field in self.fields:
            if field.name == name:
                return field
        raise KeyError(name)
