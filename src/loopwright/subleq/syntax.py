"""What a program's text says, before any name is looked up; `grammar.lark` says how it is written.

Every word knows its place, so that any later pass can say where in the text something is wrong.
"""

from __future__ import annotations

from dataclasses import dataclass

from loopwright.subleq.errors import AssemblyError
from loopwright.subleq.machines import Number

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


@dataclass(frozen=True)
class Place:
    """Where in a text something is; lines and columns count from 1."""

    file: str
    line: int
    column: int

    def __str__(self) -> str:
        return f"{self.file}:{self.line}:{self.column}"

    def error(self, message: str) -> AssemblyError:
        return AssemblyError(f"{self}: {message}")


@dataclass(frozen=True)
class Word:
    """A name, as it stands at one place of the text."""

    text: str
    place: Place

    def __str__(self) -> str:
        return f"'{self.text}'"

    def refuse_reserved(self) -> None:
        if self.text in RESERVED:
            raise self.place.error(f"{self} is {RESERVED[self.text]}: choose another name.")


@dataclass(frozen=True)
class Literal(Word):
    """A number, `5` or `1/2`; or a constant, `=5`, which is also the name of the cell of 5."""

    value: Number


# ── operands ────────────────────────────────────────────────────────────────────────────────────


@dataclass(frozen=True)
class Sum:
    """Numbers and names, each with its sign; a name alone can stand for anything."""

    terms: tuple[tuple[int, Word], ...]

    @property
    def place(self) -> Place:
        return self.terms[0][1].place

    @property
    def name(self) -> Word | None:
        """The name, if the sum is nothing else."""
        (sign, word), *others = self.terms
        return None if sign < 0 or others or isinstance(word, Literal) else word


@dataclass(frozen=True)
class Indexed:
    """NAME[SUM], one cell of an array or of memory (M); or A[SUM, SUM], an entry of the graph."""

    array: Word
    index: Sum
    column: Sum | None = None


Operand = Sum | Indexed

# ── statements ──────────────────────────────────────────────────────────────────────────────────


@dataclass(frozen=True)
class Label:
    """NAME: in front of a statement, or on a line of its own."""

    name: Word


@dataclass(frozen=True)
class Use:
    """An instruction, or a macro's name with what to put in."""

    name: Word
    operands: tuple[Operand, ...]


@dataclass(frozen=True)
class Data:
    """.data NAME VALUE …: named cells, and what they start as."""

    name: Word
    values: tuple[Sum, ...]


@dataclass(frozen=True)
class Space:
    """.space NAME COUNT: an array of zeros."""

    name: Word
    count: Sum


@dataclass(frozen=True)
class Const:
    """.const NAME SUM: a number that exists only while assembling."""

    name: Word
    value: Sum


@dataclass(frozen=True)
class For:
    """.for NAME, FIRST, END: the lines up to .end, for FIRST … END − 1."""

    name: Word
    first: Sum
    end: Sum
    body: Body


@dataclass(frozen=True)
class Macro:
    """.macro NAME P, Q …: NAME x, y … stands for the lines up to .end."""

    name: Word
    parameters: tuple[Word, ...]
    body: Body


Body = tuple[Label | Use | For, ...]
"""What a block may hold: nothing is declared inside it."""
Statement = Label | Use | For | Data | Space | Const | Macro
