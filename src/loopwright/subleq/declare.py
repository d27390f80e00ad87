"""Declarations → names: data and where it lies in memory, constants, macros, labels."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field
from difflib import get_close_matches

from loopwright.subleq.code import Symbol
from loopwright.subleq.errors import AssemblyError
from loopwright.subleq.lexer import Kind, Place, Token
from loopwright.subleq.machines import Number
from loopwright.subleq.operands import Scope, total, whole
from loopwright.subleq.syntax import (
    ANONYMOUS,
    RESERVED,
    ZERO,
    Const,
    Data,
    Label,
    Macro,
    Space,
    Statement,
)


@dataclass
class Names:
    """Everything that the program's text declares, and the memory it lays out by that."""

    scope: Scope
    macros: list[Macro] = field(default_factory=list[Macro])
    memory: list[Number] = field(default_factory=list["Number"])
    symbols: dict[str, Symbol] = field(default_factory=dict[str, Symbol])
    seen: dict[str, Place] = field(default_factory=dict[str, Place])

    def claim(self, name: Token) -> None:
        """Refuse a name that is taken, whatever it means there."""
        if name.text in self.seen:
            raise name.place.error(f"{name} is already defined at {self.seen[name.text]}.")
        self.seen[name.text] = name.place

    def place(self, name: str, values: Sequence[Number]) -> int:
        """Put values into the next cells of memory, under a name."""
        first = len(self.memory)
        self.memory += values
        self.symbols[name] = Symbol(name, first, len(values))
        return first


def declare(
    statements: list[Statement],
    idioms: list[Macro],
    *,
    nodes: int | None,
    settings: Mapping[str, Sequence[Number]],
) -> Names:
    """Data, constants, macros and labels, in the order of the text."""
    names = Names(Scope(0, {} if nodes is None else {"nodes": nodes}, frozenset()))
    taken = {macro.name.text for macro in idioms} | RESERVED.keys()
    unused = dict(settings)

    def setting(name: Token, values: list[Number]) -> list[Number]:
        """What the caller set, if so; as many values as the text has."""
        chosen = unused.pop(name.text, None)
        if chosen is None:
            return values
        if len(chosen) != len(values):
            raise name.place.error(f"{name} has {len(values)} cells, but {len(chosen)} were set.")
        return list(chosen)

    for statement in statements:
        match statement:
            case Data(name, sums):
                values = [total(value, names.scope) for value in sums]
                _declare_data(names, name, setting(name, values))
            case Space(name, count):
                size = whole(count, names.scope)
                if size < 1:
                    raise count.place.error(f"expected at least 1 cell, got {size}.")
                _declare_data(names, name, setting(name, [0] * size))
            case Const(name, value):
                names.claim(name)
                (number,) = setting(name, [total(value, names.scope)])
                names.scope.bound[name.text] = number
            case Macro(name):
                names.claim(name)
                if name.text in taken:
                    raise name.place.error(f"{name} means something already: choose another name.")
                taken.add(name.text)
                names.macros.append(statement)
            case Label(name):
                names.claim(name)
            case _:
                pass
    if unused:
        known = [n for n, s in names.symbols.items() if s.is_data]
        known += [n for n in names.scope.bound if n not in RESERVED]
        raise AssemblyError(unknown("to set", next(iter(unused)), known))
    return names


def _declare_data(names: Names, name: Token, values: list[Number]) -> None:
    if name.text == ANONYMOUS:
        names.memory += values
        return
    if name.text == ZERO and values != [0]:
        raise name.place.error(f"'{ZERO}' is the cell that is 0: choose another name.")
    if name.kind is Kind.CONSTANT and values != [name.number]:
        raise name.place.error(f"the constant {name} must hold {name.number}.")
    names.claim(name)
    names.place(name.text, values)


def unknown(what: str, name: str, known: list[str]) -> str:
    """A message about a name that is not there, with the nearest that is."""
    near = get_close_matches(name, known, 1)
    hint = f"did you mean '{near[0]}'?" if near else f"there are: {', '.join(known) or 'none'}."
    return f"there is no '{name}' {what}; {hint}"
