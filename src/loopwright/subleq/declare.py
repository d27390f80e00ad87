"""Declarations → names: data and where it lies in memory, constants, macros, labels."""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass, field
from difflib import get_close_matches

from loopwright.subleq.code import Symbol
from loopwright.subleq.errors import AssemblyError
from loopwright.subleq.machines import Number
from loopwright.subleq.operands import Scope
from loopwright.subleq.syntax import (
    ANONYMOUS,
    RESERVED,
    ZERO,
    Const,
    Data,
    Label,
    Literal,
    Macro,
    Place,
    Space,
    Statement,
    Word,
)

MOST_CELLS = 2**20
"""More memory than this is a mistake in a `.space`: the model would hardly fit a computer."""


@dataclass
class Names:
    """Everything that the program's text declares, and the memory that is laid out by that."""

    scope: Scope
    """What names stand for everywhere: the constants, and `nodes` if there is a graph."""
    macros: dict[str, Macro]
    settings: dict[str, Sequence[Number]]
    """What the caller wants data and constants to start as, and the text has not named yet."""
    nodes: int | None
    """How many nodes the graph has; None if there is no graph yet."""
    memory: list[Number] = field(default_factory=list["Number"])
    symbols: dict[str, Symbol] = field(default_factory=dict[str, Symbol])
    labels: list[str] = field(default_factory=list[str])
    seen: dict[str, Place] = field(default_factory=dict[str, Place])

    def declare(self, statement: Statement) -> None:
        """Take in one statement, if it declares anything."""
        match statement:
            case Data(name, sums):
                self.data(name, [self.scope.total(value) for value in sums])
            case Space(name, count):
                size = self.scope.whole(count)
                if size < 1:
                    raise count.place.error(f"expected at least 1 cell, got {size}.")
                if len(self.memory) + size > MOST_CELLS:
                    raise count.place.error(f"the program has more than {MOST_CELLS:,} cells.")
                self.data(name, [0] * size)
            case Const(name, value):
                self.claim(name)
                (self.scope.bound[name.text],) = self.start(name, [self.scope.total(value)])
            case Macro(name):
                self.claim(name)
                if name.text in self.macros or name.text in RESERVED:
                    raise name.place.error(f"{name} means something already: choose another name.")
                self.macros[name.text] = statement
            case Label(name):
                self.claim(name)
                self.labels.append(name.text)
            case _:
                pass

    def claim(self, name: Word) -> None:
        """Refuse a name that is taken, whatever it means there."""
        if name.text in self.seen:
            raise name.place.error(f"{name} is already defined at {self.seen[name.text]}.")
        self.seen[name.text] = name.place

    def start(self, name: Word, written: list[Number]) -> list[Number]:
        """What data or a constant starts as: what the caller has set, or else what is written."""
        chosen = list(self.settings.pop(name.text, written))
        if len(chosen) != len(written):
            raise name.place.error(f"{name} has {len(written)} cells, but {len(chosen)} were set.")
        return chosen

    def data(self, name: Word, written: list[Number]) -> None:
        """Lay out named cells; in a listing, also those of constants, and Z."""
        values = self.start(name, written)
        if name.text == ANONYMOUS:
            self.memory += values
            return
        if (name.text, values) != (ZERO, [0]):
            name.refuse_reserved()
        if isinstance(name, Literal) and values != [name.value]:
            raise name.place.error(f"the constant {name} must hold {name.value}.")
        self.claim(name)
        self.place(name.text, values)

    def place(self, name: str, values: list[Number]) -> int:
        """Put values into the next cells of memory, under a name, and return the first address."""
        first = len(self.memory)
        self.memory += values
        self.symbols[name] = Symbol(name, first, len(values))
        return first


def declare(
    statements: Iterable[Statement],
    idioms: Mapping[str, Macro],
    *,
    nodes: int | None,
    settings: Mapping[str, Sequence[Number]],
) -> Names:
    """All names of a program, in the order of its text."""
    scope = Scope(0, {} if nodes is None else {"nodes": nodes})
    names = Names(scope, dict(idioms), dict(settings), nodes)
    for statement in statements:
        names.declare(statement)
    for unused in names.settings:
        known = [name for name, symbol in names.symbols.items() if symbol.is_data]
        known += [name for name in names.scope.bound if name not in RESERVED]
        raise AssemblyError(unknown("to set", unused, known))
    return names


def unknown(what: str, name: str, known: list[str]) -> str:
    """A message about a name that is not there, with the nearest that is."""
    near = get_close_matches(name, known, 1)
    hint = f"did you mean '{near[0]}'?" if near else f"there are: {', '.join(known) or 'none'}."
    return f"there is no '{name}' {what}; {hint}"
