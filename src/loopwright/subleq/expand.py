"""Statements → bare instructions: macros and loops written out.

What is left to `resolve` is to give cells and labels their addresses.
"""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from dataclasses import dataclass, field

from loopwright.subleq.errors import AssemblyError
from loopwright.subleq.lexer import Token
from loopwright.subleq.machines import Number
from loopwright.subleq.operands import Known, LocalLabel, Name, Scope, close, whole
from loopwright.subleq.syntax import Const, Data, For, Label, Macro, Space, Statement, Use

MOST = 2**16
"""More instructions than this are a mistake in a `.for`: the model has no positions for them."""
INSTRUCTION = "subleq"


@dataclass(frozen=True)
class Bare:
    """One `subleq`; c is None for the next instruction."""

    a: Known
    b: Known
    c: Known | None
    origin: str
    """The line of the program, not of a macro, that it comes from."""
    way_here: str
    """The macros that it was written out from, for messages."""


def labels_of(body: Iterable[Statement]) -> frozenset[str]:
    return frozenset(s.name.text for s in body if isinstance(s, Label))


def expand(
    statements: Iterable[Statement], macros: Iterable[Macro], scope: Scope
) -> tuple[list[Bare], dict[LocalLabel | Name, int]]:
    """The program's instructions, and for each label the index of the instruction behind it."""
    expander = Expander({macro.name.text: macro for macro in macros})
    try:
        expander.body(statements, scope)
    except AssemblyError as problem:
        raise AssemblyError(f"{problem}{expander.way_here()}") from None
    return expander.bare, expander.labels


@dataclass
class Expander:
    """Writes a program out, keeping count of the instructions so that labels know their place."""

    macros: Mapping[str, Macro]
    bare: list[Bare] = field(default_factory=list[Bare])
    labels: dict[LocalLabel | Name, int] = field(default_factory=dict["LocalLabel | Name", int])
    uses: list[Use] = field(default_factory=list[Use])
    """The macros being written out, outermost first; after an error, those it happened in."""
    scopes: int = 0

    def way_here(self) -> str:
        return "".join(f" (in '{u.name.text}', used at {u.name.place})" for u in self.uses[::-1])

    def body(self, statements: Iterable[Statement], scope: Scope) -> None:
        """Write out statements in order."""
        for statement in statements:
            match statement:
                case Label(name):
                    self.label(name, scope)
                case Use():
                    self.use(statement, scope)
                case For(name, first, end, body):
                    for i in range(whole(first, scope), whole(end, scope)):
                        self.body(body, self.inner(body, {name.text: i}, scope))
                case Data(name) | Space(name) | Const(name) | Macro(name):
                    if scope.outer is not None:
                        raise name.place.error(
                            f"{name} cannot be declared inside a '.macro' or '.for'."
                        )

    def inner(
        self, body: Iterable[Statement], bound: dict[str, Known | Number], outer: Scope
    ) -> Scope:
        self.scopes += 1
        return Scope(self.scopes, bound, labels_of(body), outer)

    def label(self, name: Token, scope: Scope) -> None:
        key = LocalLabel(name.text, scope.number) if scope.outer else Name(name.text)
        if key in self.labels:
            raise name.place.error(f"label {name} is already defined.")
        self.labels[key] = len(self.bare)

    def use(self, use: Use, scope: Scope) -> None:
        name, given = use.name.text, [close(operand, scope) for operand in use.operands]
        if name == INSTRUCTION:
            self.instruction(use, given)
            return
        macro = self.macros.get(name)
        if macro is None:
            known = ", ".join([INSTRUCTION, *sorted(self.macros)])
            raise use.name.place.error(f"no instruction or macro {use.name}; there are: {known}.")
        wanted = macro.parameters
        if len(given) != len(wanted):
            shape = f"{name} {', '.join(parameter.text for parameter in wanted)}".strip()
            raise use.name.place.error(f"expected '{shape}', got {len(given)} operands.")
        if any(name == earlier.name.text for earlier in self.uses):
            raise use.name.place.error(f"macro {use.name} uses itself, so it would never end.")
        bound: dict[str, Known | Number] = {
            parameter.text: put for parameter, put in zip(wanted, given, strict=True)
        }
        self.uses.append(use)
        self.body(macro.body, self.inner(macro.body, bound, root(scope)))
        self.uses.pop()

    def instruction(self, use: Use, given: list[Known]) -> None:
        if len(given) not in (2, 3):
            raise use.name.place.error(f"expected 'subleq a, b[, c]', got {len(given)} operands.")
        if len(self.bare) == MOST:
            raise use.name.place.error(f"the program is longer than {MOST} instructions.")
        a, b, *rest = given
        c = rest[0] if rest else None
        line = self.uses[0].line if self.uses else use.line
        origin = f"{line.place.file}:{line.place.line}: {line.text}"
        self.bare.append(Bare(a, b, c, origin, self.way_here()))


def root(scope: Scope) -> Scope:
    """A macro sees the program's own names, not those of whoever uses it."""
    return scope if scope.outer is None else root(scope.outer)
