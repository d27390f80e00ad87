"""Operands with their numbers worked out: `list[i+1]` → `list[3]`, by what names stand for."""

from __future__ import annotations

from dataclasses import dataclass

from loopwright.subleq.machines import Entry, Number
from loopwright.subleq.syntax import Indexed, Literal, Operand, Place, Sum, Word

FINEST = 2**4096
"""A denominator that no sum may exceed: far more than any machine computes with."""


@dataclass(frozen=True)
class Name:
    """A cell, an array or a label, to be looked up when all of them are known."""

    text: str
    scope: int = 0
    """Labels inside a macro or loop have one scope for each writing-out; all else is in scope 0."""


@dataclass(frozen=True)
class Element:
    """One cell of an array."""

    array: str
    index: int

    def __str__(self) -> str:
        return f"{self.array}[{self.index}]"


@dataclass(frozen=True)
class Known:
    """An operand, and where the user wrote it: an error in a macro shows what was put in."""

    value: Number | Name | Element | Entry
    place: Place


@dataclass(frozen=True)
class Scope:
    """What names stand for: here, or else in the scope outside."""

    number: int
    bound: dict[str, Known | Number]
    """A macro's arguments, which know their place; and numbers: constants and loop variables."""
    labels: frozenset[str] = frozenset()
    outer: Scope | None = None

    def look_up(self, name: Word) -> Known:
        """What a name stands for; shown where it is used, but an argument where it was given."""
        scope: Scope | None = self
        while scope is not None:
            if name.text in scope.bound:
                found = scope.bound[name.text]
                return found if isinstance(found, Known) else Known(found, name.place)
            if name.text in scope.labels:
                return Known(Name(name.text, scope.number), name.place)
            scope = scope.outer
        return Known(Name(name.text), name.place)

    def close(self, operand: Operand) -> Known:
        """An operand with all its numbers worked out."""
        match operand:
            case Sum():
                if operand.name is not None:
                    return self.look_up(operand.name)
                return Known(self.total(operand), operand.place)
            case Indexed(graph, row, Sum() as column):
                return Known(Entry(self.whole(row), self.whole(column)), graph.place)
            case Indexed(array, index):
                base = self.look_up(array).value
                if not (isinstance(base, Name) and base.scope == 0):
                    raise array.place.error(f"expected the name of an array, got {array}.")
                return Known(Element(base.text, self.whole(index)), array.place)

    def total(self, value: Sum) -> Number:
        """The number that a sum is.

        Raises:
            AssemblyError: if a name in it stands for no number.
        """
        result: Number = 0
        for sign, word in value.terms:
            term = word.value if isinstance(word, Literal) else self.look_up(word).value
            if not isinstance(term, Number):
                hint = (
                    "'nodes' is the number of nodes: give a graph"
                    if word.text == "nodes"
                    else "a '.const' above could name one"
                )
                raise word.place.error(f"expected a number, got {word}; {hint}.")
            result += sign * term
            if result.denominator > FINEST:
                raise word.place.error("the sum is too fine: its denominator exceeds 2⁴⁰⁹⁶.")
        return result

    def whole(self, value: Sum) -> int:
        """The number that a sum is, if that has no fraction."""
        number = self.total(value)
        if number.denominator != 1:
            raise value.place.error(f"expected a whole number, got {number}.")
        return int(number)
