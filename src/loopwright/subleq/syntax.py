"""What a program's text says, before any name is looked up.

line       label: statement          either part may be missing; ; or # begins a comment
statement  .data NAME VALUE …        named cells
           .space NAME COUNT         so many cells of 0
           .const NAME SUM           a number that exists only while assembling
           .macro NAME P, Q …        up to .end: NAME x, y … stands for these lines
           .for NAME, FIRST, END     up to .end: these lines for FIRST … END − 1
           NAME OPERAND, …           the instruction `subleq a, b[, c]`, or a macro
operand    SUM | NAME[SUM] | A[SUM, SUM]
sum        numbers and names, joined by + and −
"""

from __future__ import annotations

from dataclasses import dataclass, field

from loopwright.subleq.lexer import Kind, Line, Place, Token

RESERVED = {
    "A": "the graph",
    "M": "the whole memory",
    "Z": "the cell that is 0",
    "halt": "the jump that halts",
    "nodes": "the number of nodes",
    "subleq": "the instruction",
}
"""Names that mean something already; only a listing declares Z, as the 0 that it is."""
ANONYMOUS = "_"
"""The name of data that has none."""
ZERO = "Z"

# ── operands ────────────────────────────────────────────────────────────────────────────────────


@dataclass(frozen=True)
class Sum:
    """Signed numbers and names; a name alone can stand for anything."""

    terms: tuple[tuple[int, Token], ...]

    @property
    def place(self) -> Place:
        return self.terms[0][1].place

    @property
    def name(self) -> Token | None:
        """The name, if it is nothing else."""
        (sign, token), *others = self.terms
        return token if token.kind is Kind.NAME and sign > 0 and not others else None


@dataclass(frozen=True)
class Indexed:
    """NAME[SUM]: one cell of an array, or of memory (M)."""

    array: Token
    index: Sum

    @property
    def place(self) -> Place:
        return self.array.place


@dataclass(frozen=True)
class Edge:
    """A[SUM, SUM]: an entry of the graph."""

    row: Sum
    column: Sum
    place: Place


Operand = Sum | Indexed | Edge

# ── statements ──────────────────────────────────────────────────────────────────────────────────


@dataclass(frozen=True)
class Label:
    name: Token


@dataclass(frozen=True)
class Use:
    """An instruction, or a macro's name with what to put in."""

    name: Token
    operands: tuple[Operand, ...]
    line: Line


@dataclass(frozen=True)
class Data:
    name: Token
    values: tuple[Sum, ...]


@dataclass(frozen=True)
class Space:
    name: Token
    count: Sum


@dataclass(frozen=True)
class Const:
    name: Token
    value: Sum


@dataclass
class Macro:
    name: Token
    parameters: tuple[Token, ...]
    body: list[Statement] = field(default_factory=list["Statement"])


@dataclass
class For:
    name: Token
    first: Sum
    end: Sum
    body: list[Statement] = field(default_factory=list["Statement"])


Statement = Label | Use | Data | Space | Const | Macro | For
