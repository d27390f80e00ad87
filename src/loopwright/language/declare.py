"""`p.nodes.flag(start=0)`: how statements declare the variables that last."""

from __future__ import annotations

from dataclasses import dataclass
from fractions import Fraction
from typing import TYPE_CHECKING, Any

from loopwright.errors import ProgramError
from loopwright.language.terms import (
    FlagVariable,
    NumberVariable,
)
from loopwright.language.variables import (
    GIVEN,
    Named,
    Start,
    Variable,
)
from loopwright.model.layout import Kind, Scope

KINDS = ("flag", "index", "count", "value")
"""What can be declared."""


@dataclass(frozen=True)
class Declare:
    """`p.nodes.flag(start=0)` declares a variable; it is called what it is assigned to."""

    p: Any
    """The statements that it is part of."""
    scope: Scope

    def flag(
        self, name: str | None = None, start: Start = 0, at_source: int | None = None
    ) -> FlagVariable:
        """True or false."""
        return FlagVariable(self.p, self._declared(name, Kind.FLAG, start, at_source), self.scope)

    def index(self, name: str | None = None, start: Start = 0) -> NumberVariable:
        """The number of a node, 0 for none."""
        return NumberVariable(self.p, self._declared(name, Kind.INDEX, start, None))

    def count(
        self,
        name: str | None = None,
        start: Start = 0,
        at_source: Fraction | int | Named | None = None,
        *,
        signed: bool = False,
    ) -> NumberVariable:
        """A whole number."""
        made = self._declared(name, Kind.COUNT, start, at_source, signed)
        return NumberVariable(self.p, made)

    def value(
        self,
        name: str | None = None,
        start: Start = 0,
        at_source: Fraction | int | Named | None = None,
        *,
        signed: bool = False,
    ) -> NumberVariable:
        """A number as edges weigh."""
        made = self._declared(name, Kind.VALUE, start, at_source, signed)
        return NumberVariable(self.p, made)

    def _declared(
        self, name: str | None, kind: Kind, start: Start, at_source: Any, signed: bool = False
    ) -> Variable:
        p = self.p
        if name in p.given_names:
            raise p.error(f"there is a variable '{name}' already: give this one another name")
        if at_source is not None and p.source == "none":
            remedy = "add source='required' or source='optional' to @algorithm(…)"
            raise p.error(f"at_source={at_source}, but the program has no source: {remedy}")
        called = name or p.unnamed()
        try:
            made = Variable(called, kind, self.scope, start, at_source, signed)
        except ProgramError as problem:
            said = str(problem).removeprefix(f"variable '{called}': ")
            raise p.error(said.rstrip(".")) from None
        if name is not None:
            p.given_names.add(name)
        if isinstance(start, str) and start.startswith(GIVEN):
            p.inputs.append(made)
        p.declared[made] = p.places.here()
        return made

    if not TYPE_CHECKING:

        def __getattr__(self, word: str) -> Any:
            raise self.p.unknown_word(word, f"p.{self.scope}", KINDS)
