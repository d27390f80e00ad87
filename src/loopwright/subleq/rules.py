"""Text → TuringMachine: one rule in a line, and a few directives."""

from __future__ import annotations

import re
from collections.abc import Callable, Sequence
from dataclasses import dataclass, field
from operator import attrgetter

from loopwright.subleq.errors import AssemblyError
from loopwright.subleq.syntax import Place, Word
from loopwright.subleq.turing import MOVES, Rule, TuringMachine

RULE = "STATE SYMBOL -> SYMBOL MOVE STATE"
STATE = re.compile(r"\w+", re.ASCII)
LONGEST = 1000
"""A tape may start with so many symbols: far more than floats can hold in one number."""


def turing_machine(text: str, *, file: str = "<text>", tape: str | None = None) -> TuringMachine:
    """Read a Turing machine; `docs/turing.md` describes its language.

    Args:
        file: what messages call the text.
        tape: what is on the tape at the start, instead of what the text says.

    >>> machine = turing_machine('''
    ... .tape 1011
    ... flip 0 -> 1 R flip
    ... flip 1 -> 0 R flip
    ... ''')
    >>> *_, last = machine.configurations()
    >>> print(last)
    in state flip, on 0100[_]

    Raises:
        AssemblyError: beginning with file:line:column, saying what was expected.
    """
    reader = _Reader()
    for number, line in enumerate(text.splitlines(), 1):
        code = line.partition(";")[0]
        words = [
            Word(found[0], Place(file, number, found.start() + 1))
            for found in re.finditer(r"\S+", code)
        ]
        if words:
            reader.line(words)
    if reader.first is None:
        end = Place(file, text.count("\n") + 1, 1)
        raise end.error(f"expected a rule '{RULE}', got the end of the machine.")
    written = reader.directives.get(".tape", "")
    symbols = "".join(dict.fromkeys([reader.blank, *reader.symbols, *written]))
    start, found = reader.directives.get(".start", reader.first), written if tape is None else tape
    if len(found) > LONGEST:
        raise AssemblyError(
            f"{file}: a tape of {len(found)} symbols is too long: {LONGEST} at most."
        )
    if unknown := [symbol for symbol in found if symbol not in symbols]:
        raise AssemblyError(
            f"{file}: '{unknown[0]}' on the tape is no symbol of its rules; there are: "
            f"{' '.join(symbols)}"
        )
    return TuringMachine(reader.rules, symbols, start, found, file)


@dataclass
class _Reader:
    """What the lines so far have said."""

    rules: dict[tuple[str, str], Rule] = field(default_factory=dict[tuple[str, str], Rule])
    places: dict[str, Place] = field(default_factory=dict[str, Place])
    """Where each directive and each rule was."""
    directives: dict[str, str] = field(default_factory=dict[str, str])
    symbols: list[str] = field(default_factory=list[str])
    first: str | None = None
    """The state of the first rule."""

    @property
    def blank(self) -> str:
        return self.directives.get(".blank", "_")

    def line(self, words: Sequence[Word]) -> None:
        """Take in a line that is not empty."""
        if words[0].text.startswith(".") and "->" not in [word.text for word in words]:
            self.directive(words)
        else:
            self.rule(words)

    def directive(self, words: Sequence[Word]) -> None:
        checks: dict[str, Callable[[Word], str]] = {
            ".blank": _symbol,
            ".start": _state,
            ".tape": attrgetter("text"),
        }
        name, *values = words
        if name.text not in checks:
            raise name.place.error(f"no directive {name}; there are: {', '.join(checks)}.")
        if len(values) != 1:
            raise name.place.error(f"expected '{name.text}' and one word, got {len(values)}.")
        self.claim(str(name), name)
        self.directives[name.text] = checks[name.text](values[0])

    def rule(self, words: Sequence[Word]) -> None:
        if len(words) != len(RULE.split()) or words[2].text != "->":
            line = " ".join(word.text for word in words)
            raise words[0].place.error(f"expected '{RULE}', got '{line}'.")
        old, read, _, write, move, new = words
        if move.text not in MOVES:
            raise move.place.error(f"expected a move L, R or S, got {move}.")
        key = (_state(old), _symbol(read))
        self.claim(f"what to do in {old} on {read}", old)
        self.rules[key] = Rule(_symbol(write), move.text, _state(new))
        self.symbols += [read.text, write.text]
        self.first = self.first or old.text

    def claim(self, what: str, word: Word) -> None:
        """Refuse what was said before."""
        if what in self.places:
            raise word.place.error(f"{what} is already defined at {self.places[what]}.")
        self.places[what] = word.place


def _state(word: Word) -> str:
    if not STATE.fullmatch(word.text):
        raise word.place.error(f"expected a state of letters, digits and '_', got {word}.")
    return word.text


def _symbol(word: Word) -> str:
    if len(word.text) != 1:
        raise word.place.error(f"expected a symbol, which is one character, got {word}.")
    return word.text
