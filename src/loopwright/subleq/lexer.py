"""Text → tokens, each knowing its file, line and column."""

from __future__ import annotations

import re
from collections.abc import Iterator
from dataclasses import dataclass
from enum import StrEnum
from fractions import Fraction

from loopwright.subleq.errors import AssemblyError
from loopwright.subleq.machines import Number


class Kind(StrEnum):
    """What a token is, in the words of an error message."""

    NAME = "a name"
    NUMBER = "a number"
    CONSTANT = "a constant"  # =5: the cell that holds 5
    DIRECTIVE = "a directive"
    MARK = "punctuation"
    END = "the end of the line"


_NUMBER = r"\d+(?:\.\d+)?(?:/\d+)?"
_TOKEN = re.compile(
    rf"(?P<NAME>[A-Za-z_]\w*)|(?P<NUMBER>{_NUMBER})|(?P<CONSTANT>=[+-]?{_NUMBER})"
    r"|(?P<DIRECTIVE>\.[A-Za-z]+)|(?P<MARK>[\[\],:+-])",
    re.ASCII,
)
_SKIP = re.compile(r"\s*(?:[;#].*)?")


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
class Token:
    """One word of a line. The last of each line is of kind `END`."""

    kind: Kind
    text: str
    place: Place

    def __str__(self) -> str:
        return Kind.END.value if self.kind is Kind.END else f"'{self.text}'"

    def is_mark(self, text: str) -> bool:
        return self.kind is Kind.MARK and self.text == text

    @property
    def number(self) -> Number:
        """The value of a number or constant: a whole number, a decimal, or a fraction p/q."""
        try:
            # Fraction reads "1/2" and "0.5", but not "0.5/2".
            top, _, bottom = self.text.removeprefix("=").partition("/")
            value = Fraction(top) / Fraction(bottom or 1)
        except ZeroDivisionError:
            raise self.place.error(f"{self} divides by zero.") from None
        return int(value) if value.denominator == 1 else value


@dataclass(frozen=True)
class Line:
    """The tokens of one line, and the line itself for messages."""

    tokens: tuple[Token, ...]
    text: str

    @property
    def place(self) -> Place:
        return self.tokens[0].place


def lines(text: str, file: str) -> Iterator[Line]:
    """Every line that says something, without its comment.

    Raises:
        AssemblyError: at a character that starts no token.
    """
    for number, line in enumerate(text.splitlines(), start=1):
        tokens = tuple(_tokens(line, file, number))
        if len(tokens) > 1:
            yield Line(tokens, line[: tokens[-1].place.column - 1].strip())


def _tokens(line: str, file: str, number: int) -> Iterator[Token]:
    at, end = _skip(line, 0), len(line)
    used = 0
    while at < end:
        place = Place(file, number, at + 1)
        found = _TOKEN.match(line, at)
        if found is None:
            raise place.error(f"'{line[at]}' has no meaning here.")
        assert found.lastgroup is not None
        yield Token(Kind[found.lastgroup], found.group(), place)
        used = found.end()
        at = _skip(line, used)
    yield Token(Kind.END, "", Place(file, number, used + 1))


def _skip(line: str, at: int) -> int:
    """Past spaces, and past a comment if one begins there."""
    found = _SKIP.match(line, at)
    assert found is not None
    return found.end()
