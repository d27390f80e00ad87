"""Ops in the order in which statements are written, and terms that stand for what they make.

An author sees none of this: `language.statements` has the words, and terms the operators, that it
serves.
"""

from __future__ import annotations

import re
from collections.abc import Callable
from dataclasses import dataclass, field
from fractions import Fraction
from typing import Any, cast

from loopwright.errors import ProgramError, brief, suggestion
from loopwright.language import ops
from loopwright.language.formulas import And, Formula, Joined, Less, Not, Same
from loopwright.language.op import Malformed, Op
from loopwright.language.source import Place, Places
from loopwright.language.terms import (
    Assigned,
    FlagVariable,
    Number,
    Term,
    Truth,
)
from loopwright.language.variables import (
    B_GLOBAL,
    B_LOCAL,
    NOBODY,
    OWN_INDEX,
    OWN_SQUARE,
    POSITIONS,
    Named,
    Variable,
)
from loopwright.model.layout import Kind, Scope
from loopwright.model.weights import Edges, Source

TAKEN = tuple(v.name for v in (B_GLOBAL, B_LOCAL, NOBODY, POSITIONS, OWN_INDEX, OWN_SQUARE))
"""Names of what every model has."""
RANK = {Kind.FLAG: 0, Kind.INDEX: 1, Kind.COUNT: 2, Kind.VALUE: 3}
"""Of two kinds, the later one can hold what the other holds."""


@dataclass(frozen=True, order=True)
class Moment:
    """A point in the order of statements, and the line of the author's that it is on."""

    number: int
    place: Place = field(compare=False)


Making = Callable[[Variable], Op]
"""An op that lacks only what it writes."""
UNNAMED = re.compile(r"#(\d+)")
"""What variables are called until it is known what the function calls them."""


class UnknownWord(ProgramError, AttributeError):
    """What is asked for is no word of the language."""


def made_by(op: Op) -> str:
    """What an op makes, without where it puts it."""
    return str(op).partition(" ← ")[2]


def names_nodes(term: object) -> bool:
    """Whether a term is an index, or else UNREACHED."""
    return isinstance(term, Number) and (term.of_nodes or term.held.kind is Kind.INDEX)


def as_fraction(number: object) -> str:
    """How to write a float that is meant to be exact."""
    return f", as Fraction('{number}')" if isinstance(number, float) else ""


class Writing:
    """What terms are made with, and what they add their ops to."""

    def __init__(self, name: str, edges: Edges, source: Source = "none") -> None:
        self.name, self.edges, self.source = name, edges, source
        self.ops: dict[Moment, Op] = {}
        self.given_names: set[str] = {*TAKEN}
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
        self._repeats: dict[Variable, tuple[Moment, Variable]] = {}
        """Single variable → what holds it at every node, and since when."""

    # ── row by row ──────────────────────────────────────────────────────────────────────────────

    def where(self, condition: object, then: object, otherwise: object) -> Any:
        """One or the other, on each row."""
        scope = self._scope_of(condition, then, otherwise)
        flag = self._flag(condition, scope)
        sides = [self._operand(side, scope) for side in (then, otherwise)]
        kind = self._kind(*sides)
        out = self.temporary(kind, scope, signed=self._signed(*sides))
        self.add(ops.Where(out, flag, *sides))
        return self.truth(out, scope) if kind is Kind.FLAG else Number(self, out)

    def min(self, a: object, b: object) -> Number:
        """The smaller of two numbers, on each row."""
        return self.arithmetic(ops.Minimum, a, b)

    def max(self, a: object, b: object) -> Number:
        """The larger of two numbers, on each row."""
        return self.arithmetic(ops.Maximum, a, b)

    def arithmetic(
        self, op: type[Any], a: object, b: object, *, signed: bool | None = None
    ) -> Number:
        """A number that an op makes of two."""
        scope = self._scope_of(a, b)
        sides = [self._operand(side, scope) for side in (a, b)]
        kind = max(Kind.COUNT, self._kind(*sides), key=RANK.__getitem__)
        if op in (ops.Minimum, ops.Maximum):
            kind = self._kind(*sides)
        of_nodes = op is ops.Minimum and all(names_nodes(side) for side in (a, b))
        if of_nodes and any(isinstance(x, Variable) and x.kind is Kind.INDEX for x in sides):
            kind = Kind.INDEX
        out = self.temporary(kind, scope, signed=self._signed(*sides) if signed is None else signed)
        self.add(op(out, *sides))
        made = Number(self, out)
        made.of_nodes = of_nodes
        if op is ops.Subtract:
            made.difference = a, b, self.moment()
        return made

    def absolute(self, of: Number) -> Number:
        """A number without its sign; that of a difference is made of its sides at once, as long as
        they are numbers that have not changed since."""
        sides: tuple[object, object] = (of, 0)
        if of.difference is not None:
            a, b, when = of.difference
            numbers = [side.held for side in (a, b) if isinstance(side, Number)]
            changed = any(self.changed(held, when) for held in numbers)
            if not changed and not isinstance(a, Truth) and not isinstance(b, Truth):
                sides = a, b
        return self.arithmetic(ops.Difference, *sides, signed=False)

    def multiple(self, a: Term, times: object) -> Number:
        """A whole number times a term."""
        if isinstance(times, bool) or not isinstance(times, int):
            raise self.error(
                f"{self.shown(a)} * {self.shown(times)}: only a whole number can be a factor, as "
                "the weights have to know it"
            )
        of = self._operand(a, a.scope)
        kind = max(Kind.COUNT, of.kind, key=RANK.__getitem__)
        out = self.temporary(kind, of.scope, signed=of.signed or times < 0)
        self.add(ops.Multiply(out, of, times))
        return Number(self, out)

    def compare(self, how: type[Less | Same], a: object, b: object) -> Truth:
        """Whether a < b, or a = b."""
        scope = self._scope_of(a, b)
        sides = [self._operand(side, scope) for side in (a, b)]
        return self.truth(how(*sides), scope)

    def join(self, how: type[Joined | Not], sign: str, *sides: object) -> Truth:
        """Truths joined by `&` or `|`."""
        for side in sides:
            if not isinstance(side, Truth):
                shown = f" {sign} ".join(map(self.shown, sides))
                raise self.error(
                    f"{shown if len(sides) > 1 else sign + shown}: only what is true or false can "
                    f"be joined; compare {self.shown(side)} with something, as in (x > 0)"
                )
        a, b = sides
        scope = self._scope_of(a, b)
        one, other = (self._truth(cast("Truth", side), scope).now() for side in (a, b))
        return self.truth(one & other if how is And else one | other, scope)

    def truth(self, formula: Formula, scope: Scope) -> Truth:
        return Truth(self, formula, scope)

    def gather(self, column: Term, pointer: object) -> Term:
        """`column[pointer]`: what the node that each node's pointer names has; 0 for no node."""
        if not isinstance(pointer, Number) or pointer.held.kind is not Kind.INDEX:
            raise self.error(
                f"{self.shown(column)}[{self.shown(pointer)}]: only an index finds a node; "
                "p.where(flag, x, 0) reads where a flag is set"
            )
        of, where = self.at_nodes(column), self.at_nodes(pointer)
        return self._read(of, lambda out: ops.Gather(out, where, of))

    # ── statements ──────────────────────────────────────────────────────────────────────────────

    def assign(self, variable: Assigned, where: Any, value: object) -> None:
        """`variable[where] = value`"""
        if value is variable:  # what `x += 1` in the place of `x[flag] += 1` leaves to do
            return
        out = variable.variable()
        if type(where) is slice and where == slice(None):
            self._assign(out, value)
        elif isinstance(where, Truth):
            if isinstance(variable, FlagVariable) and type(value) is int and value in (0, 1):
                self._assign(out, variable | where if value else variable & ~where)
            else:
                self._assign(out, self.where(where, value, variable))
        else:
            raise self.error(
                f"{self.shown(variable)}[{self.shown(where)}] = …: write x[:] = … for all rows, or "
                "x[flag] = … for those where a flag is set; what a pointer names can be read, but "
                "not written"
            )

    def _assign(self, out: Variable, value: object) -> None:
        if isinstance(value, Truth) and out.kind is Kind.FLAG:
            self.add(ops.Set(out, self._truth(value, out.scope).now()))
        else:
            self.add(ops.Copy(out, self._operand(value, out.scope)))

    # ── operands ────────────────────────────────────────────────────────────────────────────────

    def _scope_of(self, *operands: object) -> Scope:
        """The nodes', if anything has an entry for each; else what is single stays single."""
        scopes = {operand.scope for operand in operands if isinstance(operand, Term)}
        if not scopes:
            raise self.error(f"{', '.join(map(self.shown, operands))}: nothing here is a variable")
        return Scope.NODES if Scope.NODES in scopes else Scope.SINGLE

    def _operand(self, given: object, scope: Scope) -> Any:
        """A term as a variable with entries in these rows; a constant as it is."""
        if isinstance(given, Truth):
            return self._truth(given, scope).variable()
        if isinstance(given, Number):
            return self._in_scope(self.own(given).variable(), scope)
        if isinstance(given, Named | int | Fraction) and not isinstance(given, bool):
            return given
        raise self.error(
            f"{self.shown(given)} is no term: numbers are whole, or UNREACHED, or a "
            f"Fraction{as_fraction(given)}"
        )

    def _in_scope(self, variable: Variable, scope: Scope) -> Variable:
        if variable.scope is scope:
            return variable
        if scope is Scope.SINGLE:
            raise self.error(
                f"{self.shown(variable)} has an entry for each node, where one for all is needed: "
                "p.first(flags, x) or p.least(x) chooses one, p.all and p.any ask all nodes"
            )
        return self.repeated(variable)

    def repeated(self, variable: Variable) -> Variable:
        """A single variable's value, at every node."""
        since, out = self._repeats.get(variable, (None, None))
        if since is None or out is None or self.changed(variable, since):
            out = self.temporary(variable.kind, Scope.NODES, signed=variable.signed)
            self.add(ops.Repeat(out, variable))
            self._repeats[variable] = self.moment(), out
        return out

    def own(self, term: Term) -> Term:
        """A term of these statements.

        Raises:
            ProgramError: if it is one of others, whose variables this program knows nothing of.
        """
        if term.p is not self:
            raise self.error(
                f"a term of '{term.p.name}' meets one of '{self.name}': make all of them with the "
                "p that the function was given"
            )
        return term

    def _as_truth(self, given: object) -> Truth:
        if not isinstance(given, Truth):
            it = self.shown(given)
            raise self.error(f"{it} is no truth, where one is needed: compare it, as in (x > 0)")
        self.own(given)
        return given

    def _truth(self, given: Truth, scope: Scope) -> Truth:
        self.own(given)
        if given.scope is scope:
            return given
        if scope is Scope.SINGLE:
            raise self.error(
                f"{self.shown(given)} may differ from node to node: use p.all or p.any"
            )
        return given.at_nodes()

    def _flag(self, given: object, scope: Scope = Scope.NODES) -> Variable:
        """A truth as a flag; 0 is true nowhere, and 1 everywhere."""
        if isinstance(given, int) and given in (0, 1) and scope is Scope.NODES:
            return B_LOCAL if given else NOBODY
        return self._truth(self._as_truth(given), scope).variable()

    def _number(self, given: object) -> Variable:
        """A term as a variable of the nodes."""
        if not isinstance(given, Term):
            raise self.error(f"{self.shown(given)} is no term, where every node needs a number")
        return self.at_nodes(given)

    def at_nodes(self, given: Term) -> Variable:
        """A term as a variable of the nodes; what is one for all, every node is told."""
        return cast("Variable", self._operand(given, Scope.NODES))

    def _kind(self, *operands: Any) -> Kind:
        """A kind that can hold each of them."""
        kinds = [x.kind for x in operands if isinstance(x, Variable)]
        for number in (x for x in operands if not isinstance(x, Variable)):
            if isinstance(number, Named):
                kinds.append(Kind.COUNT)
            elif Fraction(number).denominator != 1:
                kinds.append(Kind.VALUE)
            elif number not in (0, 1):
                kinds.append(Kind.COUNT)
        return max(kinds, key=RANK.__getitem__, default=Kind.FLAG)

    def _signed(self, *operands: Any) -> bool:
        return any(
            x.signed if isinstance(x, Variable) else not isinstance(x, Named) and x < 0
            for x in operands
        )

    # ── ops ─────────────────────────────────────────────────────────────────────────────────────

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

    def unnamed(self) -> str:
        self._count += 1
        return f"#{self._count}"

    def temporary(self, kind: Kind, scope: Scope, *, signed: bool = False) -> Variable:
        """A variable that lasts for the iteration; what it is called, the function says later."""
        return Variable(self.unnamed(), kind, scope, signed=signed)

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

    # ── words ───────────────────────────────────────────────────────────────────────────────────

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

    def _free_name(self, name: str) -> str:
        while name in self.given_names:
            name += "′"
        self.given_names.add(name)
        return name
