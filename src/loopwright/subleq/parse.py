"""Lines → statements; `syntax` describes them."""

from __future__ import annotations

from collections.abc import Iterable

from loopwright.subleq.lexer import Kind, Line, Token
from loopwright.subleq.syntax import (
    RESERVED,
    ZERO,
    Const,
    Data,
    Edge,
    For,
    Indexed,
    Label,
    Macro,
    Operand,
    Space,
    Statement,
    Sum,
    Use,
)


def parse(found: Iterable[Line]) -> list[Statement]:
    """All statements, `.macro` and `.for` with theirs inside.

    Raises:
        AssemblyError: at the first token that does not fit, saying what was expected.
    """
    program: list[Statement] = []
    open_blocks: list[tuple[Token, Macro | For]] = []
    for line in found:
        read = Reader(line)
        body = open_blocks[-1][1].body if open_blocks else program
        if read.peek.kind is Kind.NAME and read.after.is_mark(":"):
            body.append(Label(read.new_name()))
            read.mark(":")
            if read.at_end:
                continue
        begin = read.peek
        if begin.kind is Kind.DIRECTIVE and begin.text == ".end":
            read.take(Kind.DIRECTIVE)
            read.end()
            if not open_blocks:
                raise begin.place.error("'.end' without a '.macro' or '.for' before it.")
            open_blocks.pop()
            continue
        statement = read.statement()
        read.end()
        body.append(statement)
        if isinstance(statement, Macro | For):
            open_blocks.append((begin, statement))
    if open_blocks:
        begin, _ = open_blocks[-1]
        raise begin.place.error(f"{begin} has no '.end'.")
    return program


class Reader:
    """One line, token by token."""

    def __init__(self, line: Line) -> None:
        self.line, self.at = line, 0

    @property
    def peek(self) -> Token:
        return self.line.tokens[self.at]

    @property
    def after(self) -> Token:
        return self.line.tokens[min(self.at + 1, len(self.line.tokens) - 1)]

    @property
    def at_end(self) -> bool:
        return self.peek.kind is Kind.END

    def take(self, kind: Kind, what: str | None = None) -> Token:
        token = self.peek
        if token.kind is not kind:
            raise token.place.error(f"expected {what or kind}, got {token}.")
        self.at += 1
        return token

    def mark(self, text: str) -> None:
        if not self.peek.is_mark(text):
            raise self.peek.place.error(f"expected '{text}', got {self.peek}.")
        self.at += 1

    def comma(self) -> bool:
        """Step over a comma, if there is one."""
        found = self.peek.is_mark(",")
        self.at += found
        return found

    def end(self) -> None:
        if not self.at_end:
            raise self.peek.place.error(f"expected the end of the line, got {self.peek}.")

    def statement(self) -> Statement:
        if self.peek.kind is Kind.DIRECTIVE:
            return self.directive()
        name = self.take(Kind.NAME, "a label, an instruction or a directive")
        operands: list[Operand] = []
        if not self.at_end:
            operands.append(self.operand())
            while self.comma():
                operands.append(self.operand())
            if not self.at_end:
                raise self.peek.place.error(f"expected ',', got {self.peek}.")
        return Use(name, tuple(operands), self.line)

    def directive(self) -> Statement:
        token = self.take(Kind.DIRECTIVE)
        match token.text:
            case ".data":
                name = self.data_name()
                values = [self.value()]
                while self.comma() or not self.at_end:
                    values.append(self.value())
                return Data(name, tuple(values))
            case ".space":
                return Space(self.new_name(), self.sum())
            case ".const":
                return Const(self.new_name(), self.sum())
            case ".macro":
                name, parameters = self.take(Kind.NAME), list[Token]()
                if not self.at_end:
                    parameters.append(self.new_name())
                    while self.comma():
                        parameters.append(self.new_name())
                return Macro(name, tuple(parameters))
            case ".for":
                name = self.new_name()
                self.mark(",")
                first = self.sum()
                self.mark(",")
                return For(name, first, self.sum())
            case _:
                known = ".data, .space, .const, .macro, .for, .end"
                raise token.place.error(f"no directive {token}; there are: {known}.")

    def data_name(self) -> Token:
        """A new name, or one of those that a listing has: `=5` for the cell of 5, and Z."""
        if self.peek.kind is Kind.CONSTANT:
            return self.take(Kind.CONSTANT)
        return self.take(Kind.NAME) if self.peek.text == ZERO else self.new_name()

    def new_name(self) -> Token:
        name = self.take(Kind.NAME)
        if name.text in RESERVED:
            raise name.place.error(f"{name} is {RESERVED[name.text]}: choose another name.")
        return name

    def value(self) -> Sum:
        """A number or a name with at most a sign, so that `5 -3` are two."""
        sign = self.sign()
        return Sum(((sign, self.term()),))

    def sign(self) -> int:
        sign = -1 if self.peek.is_mark("-") else 1
        if sign < 0 or self.peek.is_mark("+"):
            self.at += 1
        return sign

    def term(self) -> Token:
        if self.peek.kind is Kind.NAME:
            return self.take(Kind.NAME)
        return self.take(Kind.NUMBER, "a number or a name")

    def sum(self) -> Sum:
        terms = [(self.sign(), self.term())]
        while self.peek.is_mark("+") or self.peek.is_mark("-"):
            terms.append((self.sign(), self.term()))
        return Sum(tuple(terms))

    def operand(self) -> Operand:
        if self.peek.kind is Kind.CONSTANT:
            return Sum(((1, self.take(Kind.CONSTANT)),))
        if not (self.peek.kind is Kind.NAME and self.after.is_mark("[")):
            return self.sum()
        name = self.take(Kind.NAME)
        self.mark("[")
        index = self.sum()
        if name.text != "A":
            self.mark("]")
            return Indexed(name, index)
        self.mark(",")
        column = self.sum()
        self.mark("]")
        return Edge(index, column, name.place)
