"""Terms and constants → the operands that ops take, of the kind, the rows and the sign they need.

What does not fit is an error with the author's line and a remedy.
"""

from __future__ import annotations

from fractions import Fraction
from typing import Any, cast

from loopwright.language import ops
from loopwright.language.terms import Number, Term, Truth
from loopwright.language.variables import B_LOCAL, NOBODY, Named, Variable
from loopwright.language.writing import Kept, Writing
from loopwright.model.layout import Kind, Scope
from loopwright.model.weights import Edges, Source

RANK = {Kind.FLAG: 0, Kind.INDEX: 1, Kind.COUNT: 2, Kind.VALUE: 3}
"""Of two kinds, the later one can hold what the other holds."""


def as_fraction(number: object) -> str:
    """How to write a float that is meant to be exact."""
    return f", as Fraction('{number}')" if isinstance(number, float) else ""


class Operands(Writing):
    """Writing that knows what an operand becomes: a variable with entries in the right rows."""

    def __init__(self, name: str, edges: Edges, source: Source = "none") -> None:
        super().__init__(name, edges, source)
        self._repeats: Kept = {}
        """Single variable → what holds it at every node."""

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
        kind, signed = variable.kind, variable.signed
        return self._kept(
            self._repeats, variable, kind, lambda out: ops.Repeat(out, variable), signed=signed
        )

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
