"""Turing machines: what one does in plain Python, and → a counter machine → Graph-SUBLEQ.

The tape is two stacks, left and right of the head, and a stack is a number: its digits, in a base
of as many symbols as there are, are the symbols, the lowest nearest to the head. The blank is the
digit 0, so that all blanks beyond are there without being written. A move pushes what was written
onto one stack, and pops what the head finds from the other.
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass
from functools import cached_property
from itertools import islice

from loopwright.subleq.code import Code
from loopwright.subleq.counters import CounterMachine, counter_machine
from loopwright.subleq.errors import AssemblyError
from loopwright.subleq.expand import MOST
from loopwright.subleq.machines import Number

MOVES = {"L": -1, "R": 1, "S": 0}
"""Where each move takes the head: left, right, or nowhere."""


@dataclass(frozen=True)
class Rule:
    """What to do in a state, on a symbol."""

    write: str
    move: str
    """L, R, or S to stay."""
    state: str
    """The state that comes next."""


@dataclass(frozen=True)
class Tape:
    """A configuration of a Turing machine; blanks beyond the last other symbol are left out."""

    state: str
    left: str
    """What is left of the head, the nearest symbol last."""
    symbol: str
    """What the head is on."""
    right: str

    def named(self) -> Mapping[str, int | str]:
        """What to show of it: where the head is counts from the first symbol shown."""
        tape = self.left + self.symbol + self.right
        return {"state": self.state, "tape": tape, "head": len(self.left)}

    def __str__(self) -> str:
        return f"in state {self.state}, on {self.left}[{self.symbol}]{self.right}"


@dataclass(frozen=True)
class TuringMachine:
    """What a Turing machine's text says. It halts where there is no rule."""

    rules: Mapping[tuple[str, str], Rule]
    """For each state and symbol, what to do."""
    symbols: str
    """Each symbol once; its place here is its digit, and the first is the blank."""
    start: str
    tape: str
    """What is on the tape at the start; the head is on its first symbol."""
    file: str = "<text>"

    def configurations(self) -> Iterator[Tape]:
        """The plain machine: every configuration in order, for ever if it does not halt."""
        blank, state, head = self.symbols[0], self.start, 0
        cells = dict(enumerate(self.tape))
        while True:
            ends = [head, *(at for at, symbol in cells.items() if symbol != blank)]
            span = range(min(ends), max(ends) + 1)
            shown = "".join(cells.get(at, blank) for at in span)
            at = head - span.start
            yield Tape(state, shown[:at], shown[at], shown[at + 1 :])
            rule = self.rules.get((state, cells.get(head, blank)))
            if rule is None:
                return
            cells[head] = rule.write
            head += MOVES[rule.move]
            state = rule.state

    @property
    def states(self) -> list[str]:
        """Every state, the first being the one that it starts in."""
        named = (state for (old, _), rule in self.rules.items() for state in (old, rule.state))
        return list(dict.fromkeys([self.start, *named]))

    @cached_property
    def counters(self) -> CounterMachine:
        """The counter machine that this becomes."""
        head, *right = map(self.symbols.index, self.tape or self.symbols[0])
        start = {"left": 0, "head": head, "right": self._number(right)}
        lines = list(islice(_counter_text(self), MOST + 1))
        if len(lines) > MOST:
            raise AssemblyError(
                f"{self.file}: {len(self.states):,} states and {len(self.symbols):,} symbols make "
                f"a counter machine of more than {MOST:,} lines: use fewer."
            )
        text = "\n".join(lines)
        return counter_machine(text, file=f"{self.file} as counters", settings=start)

    @property
    def code(self) -> Code:
        return self.counters.code

    @property
    def begins(self) -> Mapping[int, str]:
        """For each instruction of the code where the head is to be read, the machine's state."""
        return {self.code.labels[f"state_{state}"]: state for state in self.states}

    def configuration(self, pc: int, memory: tuple[Number, ...]) -> Tape:
        """What the memory of the code means, where it begins a step."""
        values = self.counters.values(memory)
        left, right = self._digits(values["left"])[::-1], self._digits(values["right"])
        return Tape(self.begins[pc], left, self.symbols[values["head"]], right)

    @property
    def base(self) -> int:
        return max(2, len(self.symbols))

    def _number(self, digits: Sequence[int]) -> int:
        return sum(digit * self.base**place for place, digit in enumerate(digits))

    def _digits(self, number: int) -> str:
        found = ""
        while number:
            number, digit = divmod(number, self.base)
            found += self.symbols[digit]
        return found


def _counter_text(machine: TuringMachine) -> Iterator[str]:
    """A counter machine that goes through the same configurations, one at each label `state_…`.

    `head` is the digit under the head. Counting it down to 0 finds the symbol; then it is free for
    the next. A state can be entered in three ways: from the left, from the right, or staying.
    """
    entered = {(rule.move, rule.state) for rule in machine.rules.values()}
    yield from (".data left 0", ".data head 0", ".data right 0")
    yield f"jump state_{machine.start}"
    for state in machine.states:
        if ("L", state) in entered:
            yield f"from_right_{state}: pop left, head, {machine.base}"
            yield f"jump state_{state}"
        if ("R", state) in entered:
            yield f"from_left_{state}: pop right, head, {machine.base}"
        yield f"state_{state}:"
        for digit in range(len(machine.symbols) - 1):
            yield f"dec head, reads_{digit}_{state}"
        # Behind these, the digit was the highest: its rule comes first.
        for digit in reversed(range(len(machine.symbols))):
            yield f"reads_{digit}_{state}:"
            yield from _rule_text(machine, state, digit)


def _rule_text(machine: TuringMachine, state: str, digit: int) -> Iterator[str]:
    """What to do in a state on a symbol, when the counter `head` is 0."""
    rule = machine.rules.get((state, machine.symbols[digit]))
    if rule is None:
        yield from ["inc head"] * digit
        yield "halt"
        return
    written = machine.symbols.index(rule.write)
    if rule.move == "R":
        yield f"push left, {written}, {machine.base}"
        yield f"jump from_left_{rule.state}"
    elif rule.move == "L":
        yield f"push right, {written}, {machine.base}"
        yield f"jump from_right_{rule.state}"
    else:
        yield from ["inc head"] * written
        yield f"jump state_{rule.state}"
