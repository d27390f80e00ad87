"""What operators on terms and assignments become: numbers and truths made of others, row by row.

Also `column[pointer]`, the one operator that looks at another node.
"""

from __future__ import annotations

from typing import Any, cast

from loopwright.language import ops
from loopwright.language.formulas import And, Joined, Less, Not, Same
from loopwright.language.op import is_natural
from loopwright.language.operands import RANK, Operands
from loopwright.language.terms import Assigned, FlagVariable, Number, Term, Truth
from loopwright.language.variables import Variable
from loopwright.model.layout import Kind


def names_nodes(term: object) -> bool:
    """Whether a term is an index, or else UNREACHED."""
    return isinstance(term, Number) and (term.of_nodes or term.held.kind is Kind.INDEX)


class Operators(Operands):
    """Operands that can be added, compared, joined, chosen between and assigned."""

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
        some_index = any(isinstance(x, Variable) and x.kind is Kind.INDEX for x in sides)
        if of_nodes and some_index:
            kind = Kind.INDEX
        out = self.temporary(kind, scope, signed=self._signed(*sides) if signed is None else signed)
        self.add(op(out, *sides))
        made = Number(self, out)
        made.of_nodes = of_nodes
        if op is ops.Minimum and kind is Kind.COUNT and some_index and all(map(is_natural, sides)):
            made.as_index = self.temporary(Kind.INDEX, scope, signed=False)
            self.add(op(made.as_index, *sides))
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

    def gather(self, column: Term, pointer: object) -> Term:
        """`column[pointer]`: what the node that each node's pointer names has; 0 for no node."""
        if not isinstance(pointer, Number) or pointer.held.kind is not Kind.INDEX:
            raise self.error(
                f"{self.shown(column)}[{self.shown(pointer)}]: only an index finds a node; "
                "p.where(flag, x, 0) reads where a flag is set"
            )
        of, where = self.at_nodes(column), self.at_nodes(pointer)
        return self._read(of, lambda out: ops.Gather(out, where, of))

    # ── assignments ─────────────────────────────────────────────────────────────────────────────

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
            if out.kind is Kind.INDEX and isinstance(value, Number) and value.as_index is not None:
                value = Number(self, value.as_index)
            self.add(ops.Copy(out, self._operand(value, out.scope)))
