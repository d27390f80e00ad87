"""Ops in the order in which statements are written, and words for what is wrong with them.

An author sees none of this: `language.statements` has the words, and terms the operators, that it
serves.
"""

from __future__ import annotations

import re
from collections.abc import Callable
from dataclasses import dataclass, field
from typing import Any

from loopwright.errors import ProgramError, brief, suggestion
from loopwright.language.formulas import Formula
from loopwright.language.op import Malformed, Op
from loopwright.language.source import Place, Places
from loopwright.language.terms import Number, Term, Truth
from loopwright.language.variables import (
    CONSTANTS,
    NOBODY,
    Variable,
)
from loopwright.model.layout import Kind, Scope
from loopwright.model.weights import Edges, Source


@dataclass(frozen=True, order=True)
class Moment:
    """A point in the order of statements, and the line of the author's that it is on."""

    number: int
    place: Place = field(compare=False)


Making = Callable[[Variable], Op]
"""An op that lacks only what it writes."""
Kept = dict[Variable, tuple[Moment, Variable]]
"""Variable → what holds something that was made of it, and since when."""
UNNAMED = re.compile(r"#(\d+)")
"""What variables are called until it is known what the function calls them."""


class UnknownWord(ProgramError, AttributeError):
    """What is asked for is no word of the language."""


def made_by(op: Op) -> str:
    """What an op makes, without where it puts it."""
    return str(op).partition(" ← ")[2]


class Writing:
    """What terms are made with, and what they add their ops to."""

    def __init__(self, name: str, edges: Edges, source: Source = "none") -> None:
        self.name, self.edges, self.source = name, edges, source
        self.ops: dict[Moment, Op] = {}
        self.given_names: set[str] = {v.name for v in (*CONSTANTS, NOBODY)}
        self.declared: dict[Variable, Place] = {}
        """Variable → the line that declares it."""
        self.is_finished = False
        self.inputs: list[Variable] = []
        """The variables that the caller of a run gives a start."""
        self.places = Places()
        self.halting: Variable | None = None
        self._count = 0
        self._changes: dict[Variable, int] = {}
        """Variable → when it was written last."""

    # ── ops ─────────────────────────────────────────────────────────────────────────────────────

    def unnamed(self) -> str:
        self._count += 1
        return f"#{self._count}"

    def temporary(self, kind: Kind, scope: Scope, *, signed: bool = False) -> Variable:
        """A variable that lasts for the iteration; what it is called, the function says later."""
        return Variable(self.unnamed(), kind, scope, signed=signed)

    def _free_name(self, name: str) -> str:
        while name in self.given_names:
            name += "′"
        self.given_names.add(name)
        return name

    def moment(self) -> Moment:
        """Now: after all that was written so far."""
        self._count += 1
        return Moment(self._count, self.places.here())

    def changed(self, formula: Formula, since: Moment) -> bool:
        """Whether a statement after a moment has written what a formula reads."""
        return any(self._changes.get(v, 0) > since.number for v in formula.variables())

    def add(self, op: Op, when: Moment | None = None) -> None:
        """One more op, done after those written before it."""
        if self.is_finished:
            raise self.error(
                f"the statements of '{self.name}' are written already: make terms with the p that "
                "this function was given"
            )
        when = when or self.moment()
        try:
            op.check()
        except Malformed as problem:
            shown = str(op) if op.out in self.declared else made_by(op)
            raise self.error(f"{problem} ({shown})") from None
        self.ops[when] = op
        if op.out.start is not None:
            self._changes[op.out] = when.number

    # ── terms that stand for what ops make ──────────────────────────────────────────────────────

    def truth(self, formula: Formula, scope: Scope) -> Truth:
        return Truth(self, formula, scope)

    def _made(self, kind: Kind, op: Making, *, signed: bool = False) -> Number:
        out = self.temporary(kind, Scope.NODES, signed=signed)
        self.add(op(out))
        return Number(self, out)

    def _read(self, like: Variable, op: Making) -> Any:
        """What attention brings of a variable: a truth, if that is a flag."""
        made = self._made(like.kind, op, signed=like.signed)
        return self.truth(made.held, Scope.NODES) if like.kind is Kind.FLAG else made

    def _flagged(self, op: Making) -> Truth:
        out = self.temporary(Kind.FLAG, Scope.NODES)
        self.add(op(out))
        return self.truth(out, Scope.NODES)

    def _kept(
        self, kept: Kept, of: Variable, kind: Kind, op: Making, *, signed: bool = False
    ) -> Variable:
        """What an op makes of a variable; made once, as long as that has not changed."""
        since, out = kept.get(of, (None, None))
        if since is None or out is None or self.changed(of, since):
            out = self._made(kind, op, signed=signed).held
            kept[of] = self.moment(), out
        return out

    # ── messages ────────────────────────────────────────────────────────────────────────────────

    def error(self, problem: str) -> ProgramError:
        """What is wrong, with the line of the author's file and with the names used there."""
        return ProgramError(f"{self.places.here()}: {self.with_names(problem)}.")

    def with_names(self, text: str) -> str:
        """A text in which variables are called what their function calls them; those that it has no
        name for are shown by what makes them, unless that is made of themselves."""
        names = self.places.names()
        makers = {op.out.name: op for op in self.ops.values()}

        def shown(text: str, inside: frozenset[str]) -> str:
            def named(found: re.Match[str]) -> str:
                name = found[0]
                if name in names or name not in makers or name in inside:
                    return names.get(name, "…")
                return shown(made_by(makers[name]), inside | {name})

            return UNNAMED.sub(named, text)

        return shown(text, frozenset())

    def unknown_word(self, word: str, after: str, known: tuple[str, ...]) -> Exception:
        """What to raise where something is asked for that is not there."""
        if word.startswith("_"):
            return AttributeError(word)
        near = suggestion(word, known) or f" it has {', '.join(known)}."
        return UnknownWord(f"{self.places.here()}: {after} has no '{word}';{near}")

    def no_part(self, term: Term, word: str) -> Exception:
        """What to raise where something is written after the name of a term, as in x.set(3)."""
        return UnknownWord(
            f"{self.places.here()}: {self.with_names(self.shown(term))} has no '{word}': x[:] = … "
            "writes a variable, and x[flag] = … where a flag is set."
        )

    def shown(self, operand: object) -> str:
        """An operand as a message shows it."""
        if isinstance(operand, Truth):
            return f"'{operand.formula}'"
        if isinstance(operand, Number):
            return f"'{operand.held}'"
        return f"'{operand}'" if isinstance(operand, Variable) else brief(operand, code=True)
