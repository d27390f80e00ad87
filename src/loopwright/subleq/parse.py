"""Text → statements: `grammar.lark` says what is right, and what is here says what is wrong.

Importing this module imports lark, which takes a while: import it where a text is to be read.
"""

# lark has no complete types.
# pyright: reportUnknownArgumentType=false, reportUnknownMemberType=false
# pyright: reportUnknownVariableType=false

from __future__ import annotations

import re
from functools import cache
from pathlib import Path
from typing import Any

from lark import Lark, Token, UnexpectedInput, UnexpectedToken
from lark.exceptions import VisitError
from lark.visitors import Transformer_NonRecursive

from loopwright.errors import brief
from loopwright.runtime.readers.caps import MOST_PROGRAM_BYTES
from loopwright.runtime.readers.number import read_number
from loopwright.subleq import syntax
from loopwright.subleq.errors import AssemblyError
from loopwright.subleq.machines import Number
from loopwright.subleq.syntax import Literal, Macro, Place, Statement, Sum, Word

EXPECTED = {
    "_FOR": "a label, an instruction or a directive",
    "NUMBER": "a number or a name",
    "RSQB": "']'",
    "COMMA": "','",
    "NAME": "a name",
    "_EOL": "the end of the line",
}
"""What a message says was expected: of all words that would fit, the first in this table."""


def parse(text: str, file: str) -> tuple[Statement, ...]:
    """All statements of a text, `.macro` and `.for` with theirs inside.

    Raises:
        AssemblyError: at the first word that does not fit, saying what was expected; or at once, if
            the text is too long to be a program.
    """
    if len(text) > MOST_PROGRAM_BYTES:
        raise AssemblyError(
            f"{file}: {len(text):,} characters; a program has at most {MOST_PROGRAM_BYTES:,}."
        )
    source = "\n".join(text.splitlines()) + "\n"
    try:
        return _Statements(file).transform(_parser().parse(source))
    except UnexpectedInput as problem:
        raise _explain(problem, source, file) from None
    except VisitError as problem:
        raise problem.orig_exc from None


@cache
def idioms() -> dict[str, Macro]:
    """The macros that every program has, by their names."""
    path = Path(__file__).with_name("idioms.sq")
    found = parse(path.read_text(encoding="utf-8"), path.name)
    return {macro.name.text: macro for macro in found if isinstance(macro, Macro)}


@cache
def _parser() -> Lark:
    return Lark.open("grammar.lark", rel_to=__file__, parser="lalr", lexer="basic")


class _Statements(Transformer_NonRecursive[Token, tuple[Statement, ...]]):
    """What each rule makes of its parts; not recursive, so that blocks may be of any depth."""

    def __init__(self, file: str) -> None:
        super().__init__()
        self.file = file

    def __default__(self, data: str, children: list[Any], meta: object) -> Any:
        """A rule without a method becomes the class that is called like it."""
        return getattr(syntax, data.capitalize())(*children)

    def __default_token__(self, token: Token) -> Word | int:
        place = _place(token, self.file)
        if token.type == "SIGN":
            return int(f"{token}1")
        if token.type in ("NUMBER", "CONSTANT"):
            return Literal(str(token), place, _number(token, place))
        return Word(str(token), place)

    def start(self, parts: list[Any]) -> tuple[Any, ...]:
        return tuple(parts)

    operands = values = body = start

    def parameters(self, names: list[Word]) -> tuple[Word, ...]:
        last = {name.text: name for name in names}
        for name in names:
            if last[name.text] is not name:
                raise last[name.text].place.error(f"there is a parameter {name} already.")
        return tuple(names)

    def sum(self, parts: list[Any]) -> Sum:
        signed: list[Any] = parts if isinstance(parts[0], int) else [1, *parts]
        return Sum(tuple(zip(signed[::2], signed[1::2], strict=True)))

    def new(self, parts: list[Word]) -> Word:
        parts[0].refuse_reserved()
        return parts[0]


def _number(text: str, place: Place) -> Number:
    """The value of a number or constant: a whole number, a decimal, or a fraction p/q."""
    # Fraction reads "1/2" and "0.5", but not "0.5/2".
    top, _, bottom = text.removeprefix("=").partition("/")
    try:
        value = read_number(top) / read_number(bottom or "1")
    except OverflowError as problem:
        raise place.error(f"'{brief(text)}' {problem}.") from None
    except ZeroDivisionError:
        raise place.error(f"'{text}' divides by zero.") from None
    return int(value) if value.denominator == 1 else value


def _explain(problem: UnexpectedInput, source: str, file: str) -> AssemblyError:
    """What does not fit, where it is, and what would fit."""
    place = Place(file, problem.line, problem.column)
    if not isinstance(problem, UnexpectedToken):
        begins = source[problem.pos_in_stream :]
        directive = re.match(r"\.[A-Za-z]\w*", begins)
        if directive is None:
            return place.error(f"'{begins[0]}' has no meaning here.")
        known = ".data, .space, .const, .macro, .for, .end"
        return place.error(f"no directive '{directive[0]}'; there are: {known}.")
    found, block = problem.token, _open_block(problem)
    if found.type == "$END" and block is not None:
        return _place(block, file).error(f"'{block}' has no '.end'.")
    if "_FOR" in problem.accepts and found.startswith("."):
        if block is None:
            return place.error(f"'{found}' without a '.macro' or '.for' before it.")
        where = f"'{block}' at {_place(block, file)}"
        return place.error(
            f"'{found}' cannot be inside a '.macro' or '.for'; {where} has no '.end' yet."
        )
    expected = next(words for name, words in EXPECTED.items() if name in problem.accepts)
    got = "the end of the line" if found.type == "_EOL" else f"'{found}'"
    return place.error(f"expected {expected}, got {got}.")


def _open_block(problem: UnexpectedToken) -> Token | None:
    """The innermost `.macro` or `.for` that has not ended where the problem is."""
    stack = reversed(problem.interactive_parser.parser_state.value_stack)
    return next((t for t in stack if isinstance(t, Token) and t.type in ("_MACRO", "_FOR")), None)


def _place(token: Token, file: str) -> Place:
    return Place(file, token.line or 0, token.column or 0)
