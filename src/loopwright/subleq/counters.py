"""Counter machines: text → what it does in plain Python, and → Graph-SUBLEQ.

There are a few counters that hold 0, 1, 2, …, and a list of steps that change them. With `inc` and
`dec` alone these compute whatever can be computed (Minsky). The text is that of the assembler, with
`.data` and labels as they are there, and the instructions in `TAKES`.
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from dataclasses import dataclass
from functools import cache
from pathlib import Path

from loopwright.subleq.assemble import assemble
from loopwright.subleq.code import Code
from loopwright.subleq.declare import unknown
from loopwright.subleq.errors import AssemblyError
from loopwright.subleq.machines import HALT, Number
from loopwright.subleq.operands import Scope
from loopwright.subleq.syntax import Data, Label, Literal, Operand, Statement, Sum, Use, Word

TAKES = {
    "inc": ("counter",),
    "dec": ("counter", "label"),
    "jump": ("label",),
    "halt": (),
    "push": ("counter", "digit", "base"),
    "pop": ("counter", "counter", "base"),
}
"""The instructions, and what each is used with. `CounterMachine.configurations` says in Python what
they mean, `counters.sq` in SUBLEQ."""


@dataclass(frozen=True)
class Step:
    """One instruction of a counter machine; counters and labels are named as in the text."""

    name: str
    operands: tuple[str | int, ...]


@dataclass(frozen=True)
class Counters:
    """A configuration of a counter machine."""

    step: int
    """The step that comes next, counted from 0; one past the last if the machine has halted."""
    values: Mapping[str, int]

    def named(self) -> Mapping[str, int | str]:
        """What to show of it."""
        return self.values

    def __str__(self) -> str:
        values = ", ".join(f"{name} = {value}" for name, value in self.values.items())
        return f"before step {self.step}: {values}"


@dataclass(frozen=True)
class CounterMachine:
    """What a counter machine's text says, and the Graph-SUBLEQ program that it becomes."""

    start: Mapping[str, int]
    """The counters, and what they start as."""
    steps: tuple[Step, ...]
    labels: Mapping[str, int]
    """For each label the step behind it; `halt` is one past the last."""
    code: Code

    def configurations(self) -> Iterator[Counters]:
        """The plain machine: every configuration in order, for ever if it does not halt."""
        at, values = 0, dict(self.start)
        yield Counters(at, dict(values))
        while at < len(self.steps):
            step = self.steps[at]
            at += 1
            match step.name, step.operands:
                case "inc", (str(x),):
                    values[x] += 1
                case "dec", (str(x), str(to)):
                    if values[x] == 0:
                        at = self.labels[to]
                    else:
                        values[x] -= 1
                case "jump", (str(to),):
                    at = self.labels[to]
                case "push", (str(x), int(digit), int(base)):
                    values[x] = base * values[x] + digit
                case "pop", (str(x), str(digit), int(base)):
                    values[x], values[digit] = divmod(values[x], base)
                case _:
                    at = self.labels["halt"]
            yield Counters(at, dict(values))

    @property
    def begins(self) -> Mapping[int, int]:
        """For each instruction of the code that begins a step, which; and where the code halts.

        Every step has a line of its own, and becomes at least one instruction.
        """
        lines = self.code.origins
        firsts = [i for i, line in enumerate(lines) if i == 0 or line != lines[i - 1]]
        end = len(self.steps)
        return dict(zip(firsts, range(end), strict=True)) | {HALT: end, len(lines): end}

    def configuration(self, pc: int, memory: tuple[Number, ...]) -> Counters:
        """What the memory of the code means, where it begins a step or halts."""
        return Counters(self.begins[pc], self.values(memory))

    def values(self, memory: tuple[Number, ...]) -> dict[str, int]:
        """What the counters hold."""
        cells = {symbol.name: symbol.first for symbol in self.code.symbols}
        return {name: int(memory[cells[name]]) for name in self.start}


def counter_machine(
    text: str, *, file: str = "<text>", settings: Mapping[str, Number] | None = None
) -> CounterMachine:
    """Read a counter machine; `docs/turing.md` describes its language.

    Args:
        file: what messages call the text.
        settings: what counters start as, instead of what the text says.

    >>> machine = counter_machine('''
    ... .data x 2
    ... .data y 3
    ... again: dec x, halt
    ...        inc y
    ...        jump again
    ... ''')
    >>> *_, last = machine.configurations()
    >>> dict(last.values), len(machine.code.instructions)
    ({'x': 0, 'y': 5}, 4)

    Raises:
        AssemblyError: beginning with file:line:column, saying what was expected.
    """
    from loopwright.subleq.parse import parse  # not above: it imports lark

    statements = parse(text, file)
    start = _start(statements, settings or {})
    steps, labels = list[Step](), dict[str, int]()
    for statement in statements:
        if isinstance(statement, Label):
            labels[statement.name.text] = len(steps)
        elif isinstance(statement, Use):
            steps.append(_step(statement, start))
    cells = {name: [value] for name, value in start.items()}
    code = assemble(text, file=file, settings=cells, prelude=_instructions())
    return CounterMachine(start, tuple(steps), labels | {"halt": len(steps)}, code)


@cache
def _instructions() -> tuple[Statement, ...]:
    """`counters.sq`: the instructions as macros, and the cells that they need."""
    from loopwright.subleq.parse import parse  # not above: it imports lark

    path = Path(__file__).with_name("counters.sq")
    return parse(path.read_text(encoding="utf-8"), path.name)


def _start(statements: tuple[Statement, ...], settings: Mapping[str, Number]) -> dict[str, int]:
    """The counters and what they start as: what the caller has set, or else what is written."""
    start = dict[str, int]()
    for statement in statements:
        name = statement.name
        match statement:
            case Data(_, (value,)):
                if name.text.startswith("_") or isinstance(name, Literal):
                    raise name.place.error(
                        f"{name} cannot name a counter: choose a name that begins with a letter."
                    )
                name.refuse_reserved()
                chosen = settings.get(name.text, Scope(0, {}).total(value))
                if chosen < 0 or chosen.denominator != 1:
                    raise name.place.error(f"a counter holds 0, 1, 2, …; {name} is {chosen}.")
                start[name.text] = int(chosen)
            case Data(_, values):
                raise name.place.error(f"a counter is one number, but {name} has {len(values)}.")
            case Label() | Use():
                pass
            case _:
                raise name.place.error(
                    f"a counter machine has '.data', labels and {', '.join(TAKES)}; no "
                    f"'.{type(statement).__name__.lower()}'."
                )
    for name in settings:
        if name not in start:
            raise AssemblyError(unknown("to set", name, list(start)))
    return start


def _step(use: Use, counters: Mapping[str, int]) -> Step:
    """One instruction; whether its label exists is for the assembler to say."""
    name, given = use.name, use.operands
    if name.text not in TAKES:
        raise name.place.error(f"no instruction {name}; there are: {', '.join(TAKES)}.")
    takes = TAKES[name.text]
    if len(given) != len(takes):
        wanted = f"{name.text} {', '.join(takes)}".strip()
        raise name.place.error(f"expected '{wanted}', got {len(given)} operands.")
    operands = [_operand(*each, name, counters) for each in zip(takes, given, strict=True)]
    match name.text, operands:
        case "pop", [x, digit, _] if x == digit:
            raise name.place.error(
                f"'pop' needs two counters, for quotient and rest; got '{x}' twice."
            )
        case "push", [_, int(digit), int(base)] if digit >= base:
            raise name.place.error(f"a digit is less than its base; got {digit} of base {base}.")
        case _:
            return Step(name.text, tuple(operands))


def _operand(kind: str, given: Operand, use: Word, counters: Mapping[str, int]) -> str | int:
    """The name of a counter or label, or a number."""
    if not isinstance(given, Sum):
        raise given.array.place.error(f"expected a {kind}, got an element of {given.array}.")
    if kind in ("digit", "base"):
        least = 2 if kind == "base" else 0
        number = Scope(0, {}).whole(given)
        if number < least:
            raise given.place.error(f"expected a {kind} of at least {least}, got {number}.")
        return number
    if given.name is None:
        raise given.place.error(f"'{use.text}' expected a {kind}, got a number.")
    if kind == "counter" and given.name.text not in counters:
        missing = unknown("among the counters", given.name.text, list(counters))
        raise given.place.error(missing)
    return given.name.text
