"""Statements → instructions: macros and loops written out, names replaced by addresses."""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from dataclasses import dataclass, field

from loopwright.subleq.declare import Names
from loopwright.subleq.errors import AssemblyError
from loopwright.subleq.machines import HALT, Entry, Instruction, Number
from loopwright.subleq.operands import Known, Name, Scope
from loopwright.subleq.resolve import cell, source, target
from loopwright.subleq.syntax import Body, For, Label, Macro, Place, Statement, Use, Word

MOST = 2**16
"""More instructions than this are a mistake in a `.for`: the model has no positions for them."""
MOST_LINES = 16 * MOST
"""More lines than this, written out for fewer instructions, are a loop over next to nothing."""
DEEPEST = 100
"""More macros and loops inside each other than this are nothing that a person has written."""
INSTRUCTION = "subleq"


@dataclass(frozen=True)
class Written:
    """One `subleq`, whose jump waits until all labels are known."""

    line: int
    """The line of the program, not of a macro, that it comes from."""
    uses: tuple[Word, ...]
    """The macros that it was written out from, outermost first."""
    a: int | Entry
    b: int
    c: Known | None = None
    """Where to jump; None for the next instruction."""


@dataclass
class Expansion:
    """A program as it is written out; counts instructions, so that labels know their place."""

    names: Names
    written: list[Written] = field(default_factory=list[Written])
    labels: dict[Name, int] = field(default_factory=dict[Name, int])
    """For each label the index of the instruction behind it."""
    uses: tuple[Word, ...] = ()
    """The macros being written out, outermost first; after an error, those it happened in."""
    depth: int = 0
    """How many macros and rounds of loops are being written out, one inside the other."""
    blocks: int = 0
    """How many macros and rounds of loops have been begun: each has a scope of that number."""
    lines: int = 0
    """How many lines these have, with the one that begins each."""

    def statements(self, statements: Iterable[Statement], scope: Scope) -> None:
        """Write out statements in order; declarations have had their effect before."""
        for statement in statements:
            match statement:
                case Label(name):
                    label = Name(name.text, scope.number)
                    if label in self.labels:
                        raise name.place.error(f"label {name} is already defined.")
                    self.labels[label] = len(self.written)
                case For(name, first, end, body):
                    rounds = range(scope.whole(first), scope.whole(end))
                    self.allow(rounds.stop - rounds.start, name.place, body)
                    for i in rounds:
                        self.block(name.place, body, {name.text: i}, scope)
                case Use(name, operands):
                    self.use(name, [scope.close(operand) for operand in operands])
                case _:
                    pass

    def block(
        self, place: Place, body: Body, bound: dict[str, Known | Number], outer: Scope
    ) -> None:
        """Write out a macro, or one round of a loop, with names and labels of its own."""
        self.allow(1, place, body)
        self.blocks += 1
        self.lines += 1 + len(body)
        if self.depth == DEEPEST:
            raise place.error(
                f"more than {DEEPEST} macros and loops are inside each other: use fewer."
            )
        self.depth += 1
        labels = frozenset(each.name.text for each in body if isinstance(each, Label))
        self.statements(body, Scope(self.blocks, bound, labels, outer))
        self.depth -= 1

    def allow(self, times: int, place: Place, body: Body) -> None:
        """Refuse a block that would be written out too often, before it is the first time."""
        if self.lines + times * (1 + len(body)) > MOST_LINES:
            raise place.error(
                f"more than {MOST_LINES:,} lines would be written out: a '.for' has too many "
                "rounds."
            )

    def use(self, name: Word, given: Sequence[Known]) -> None:
        """Write out an instruction, or what a macro stands for."""
        if name.text == INSTRUCTION:
            self.instruction(name.place, given)
            return
        macro = self.macro(name, len(given))
        put: dict[str, Known | Number] = {
            parameter.text: each for parameter, each in zip(macro.parameters, given, strict=True)
        }
        outside, self.uses = self.uses, (*self.uses, name)
        # A macro sees the program's own names, not those of whoever uses it.
        self.block(name.place, macro.body, put, self.names.scope)
        self.uses = outside

    def macro(self, name: Word, given: int) -> Macro:
        """The macro of that name, if it takes so many operands."""
        macro = self.names.macros.get(name.text)
        if macro is None:
            known = ", ".join([INSTRUCTION, *sorted(self.names.macros)])
            raise name.place.error(f"no instruction or macro {name}; there are: {known}.")
        if given != len(macro.parameters):
            wanted = f"{name.text} {', '.join(each.text for each in macro.parameters)}".strip()
            raise name.place.error(f"expected '{wanted}', got {given} operands.")
        if any(name.text == earlier.text for earlier in self.uses):
            raise name.place.error(f"macro {name} uses itself, so it would never end.")
        return macro

    def instruction(self, place: Place, given: Sequence[Known]) -> None:
        if len(given) not in (2, 3):
            raise place.error(f"expected 'subleq a, b[, c]', got {len(given)} operands.")
        outermost = self.uses[0].place if self.uses else place
        if len(self.written) == MOST:
            raise outermost.error(f"the program is longer than {MOST:,} instructions.")
        a, b, *jump = given
        a, b = source(self.names, a), cell(self.names, b)
        self.written.append(Written(outermost.line, self.uses, a, b, *jump))

    def linked(self) -> tuple[Instruction, ...]:
        """The instructions with their jumps, now that all labels are known."""
        count, instructions = len(self.written), list[Instruction]()
        for i, each in enumerate(self.written):
            self.uses = each.uses
            c = i + 1 if each.c is None else target(self.names, self.labels, count, each.c)
            # Behind the last instruction the machine halts, whether it jumped there or walked.
            instructions.append(Instruction(each.a, each.b, HALT if c == count else c))
        return tuple(instructions)


def expand(
    statements: Iterable[Statement], names: Names
) -> tuple[tuple[Instruction, ...], tuple[int, ...], dict[str, int]]:
    """The program's instructions, the line that each comes from, and where its own labels are.

    Raises:
        AssemblyError: ending with the macros, innermost first, that the error happened in.
    """
    expansion = Expansion(names)
    try:
        expansion.statements(statements, names.scope)
        instructions = expansion.linked()
    except AssemblyError as problem:
        way = (f" (in {use}, used at {use.place})" for use in reversed(expansion.uses))
        raise AssemblyError(f"{problem}{''.join(way)}") from None
    labels = {label.text: at for label, at in expansion.labels.items() if label.scope == 0}
    return instructions, tuple(each.line for each in expansion.written), labels
