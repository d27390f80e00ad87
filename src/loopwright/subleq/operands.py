"""Operands with their numbers worked out: `list[i+1]` → `list[3]`, by what names stand for."""

from __future__ import annotations

from dataclasses import dataclass

from loopwright.subleq.lexer import Kind, Place, Token
from loopwright.subleq.machines import Entry, Number
from loopwright.subleq.syntax import Edge, Indexed, Operand, Sum


@dataclass(frozen=True)
class Name:
    """A cell, an array or a label, to be looked up when all of them are known."""

    text: str


@dataclass(frozen=True)
class LocalLabel:
    """A label inside a macro or loop: each writing-out has its own."""

    text: str
    scope: int


@dataclass(frozen=True)
class Element:
    """One cell of an array."""

    array: str
    index: int


Value = Number | Name | LocalLabel | Element | Entry


@dataclass(frozen=True)
class Known:
    """An operand, and where the user wrote it: an error in a macro shows what was put in."""

    value: Value
    place: Place


@dataclass
class Scope:
    """What names stand for, innermost first."""

    number: int
    bound: dict[str, Known | Number]
    """A macro's arguments, which know their place; and numbers: constants and loop variables."""
    labels: frozenset[str]
    outer: Scope | None = None

    def find(self, name: str) -> Known | Number | LocalLabel | None:
        if name in self.bound:
            return self.bound[name]
        if name in self.labels and self.outer is not None:
            return LocalLabel(name, self.number)
        return self.outer.find(name) if self.outer else None


def close(operand: Operand, scope: Scope) -> Known:
    """An operand with all its numbers worked out."""
    match operand:
        case Sum():
            if operand.name is not None:
                return look_up(operand.name, scope)
            return Known(total(operand, scope), operand.place)
        case Indexed(array, index):
            base = look_up(array, scope)
            if not isinstance(base.value, Name):
                raise array.place.error(f"expected the name of an array, got {array}.")
            return Known(Element(base.value.text, whole(index, scope)), operand.place)
        case Edge(row, column, place):
            return Known(Entry(whole(row, scope), whole(column, scope)), place)


def look_up(name: Token, scope: Scope) -> Known:
    """What a name stands for; shown where it is used, but an argument where it was given."""
    found = scope.find(name.text)
    if isinstance(found, Known):
        return found
    return Known(Name(name.text) if found is None else found, name.place)


def total(value: Sum, scope: Scope) -> Number:
    """The number that a sum is.

    Raises:
        AssemblyError: if a name in it stands for no number.
    """
    result: Number = 0
    for sign, token in value.terms:
        if token.kind is not Kind.NAME:
            result += sign * token.number
            continue
        term = look_up(token, scope).value
        if not isinstance(term, Number):
            hint = (
                "'nodes' is the number of nodes: give a graph"
                if token.text == "nodes"
                else "a '.const' above could name one"
            )
            raise token.place.error(f"expected a number, got {token}; {hint}.")
        result += sign * term
    return result


def whole(value: Sum, scope: Scope) -> int:
    number = total(value, scope)
    if number != int(number):
        raise value.place.error(f"expected a whole number, got {number}.")
    return int(number)
