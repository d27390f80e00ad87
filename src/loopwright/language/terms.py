"""Terms: what statements are written with. Numbers and truths that stand for what a run will hold.

A term knows the statements that it belongs to, and is worth what its formula was where it was
written. Arithmetic adds an op at once. Truths wait until somebody needs a flag: comparisons and
flags that are joined are one formula, as long as nothing that it reads has changed.
"""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

from loopwright.language import ops
from loopwright.language.formulas import (
    DEEPEST_FORMULA,
    And,
    Formula,
    Less,
    Not,
    Or,
    Same,
    nests,
)
from loopwright.language.variables import Variable
from loopwright.model.layout import Kind, Scope

Statements = Any
"""What a term belongs to. (`Any`: statements make terms, and come after them.)"""
PARTS = frozenset(
    (
        "p",
        "held",
        "difference",
        "of_nodes",
        "as_index",
        "chosen",
        "formula",
        "_scope",
        "when",
        "nodes",
    )
)
"""What terms are made of. Whatever else is written after their names is an author's mistake."""


class Term:
    """Something that has a value on every row of a run."""

    p: Statements
    __hash__ = object.__hash__

    if not TYPE_CHECKING:

        def __getattr__(self, word: str) -> Any:
            if word in PARTS or word.startswith("_"):
                raise AttributeError(word)
            raise self.p.no_part(self, word)

        def __setattr__(self, word: str, value: object) -> None:
            if word not in PARTS:
                raise self.p.no_part(self, word)
            super().__setattr__(word, value)

    @property
    def scope(self) -> Scope:
        raise NotImplementedError

    def variable(self) -> Variable:
        """A variable that holds the value."""
        raise NotImplementedError

    def __bool__(self) -> bool:
        raise self.p.error(
            f"{self.p.shown(self)} has a value on each row of a run, not while the program is "
            "written: use &, | and ~ in the place of and, or and not, p.where in the place of if, "
            "p.min and p.max in the place of min and max, (a < b) & (b < c) in that of a < b < c"
        )

    def _not_yet(self, *_: object) -> Any:
        raise self.p.error(
            f"{self.p.shown(self)} has a value on each row of a run, not while the program is "
            "written: it cannot be rounded, measured or made a number of Python's"
        )

    __int__ = __float__ = __complex__ = __index__ = __len__ = _not_yet
    __round__ = __trunc__ = __floor__ = __ceil__ = _not_yet

    def __delitem__(self, where: object) -> None:
        raise self.p.error(f"{self.p.shown(self)}: nothing is deleted; x[flag] = 0 clears rows")

    def __iter__(self) -> Any:
        raise self.p.error(f"{self.p.shown(self)} is one term; p.all and p.any look at all nodes")

    def __getitem__(self, pointer: object) -> Any:
        """What the node that each node's pointer names has in this column: a number, or a truth."""
        return self.p.gather(self, pointer)

    def __setitem__(self, where: object, value: object) -> None:
        raise self.p.error(
            f"{self.p.shown(self)} is a term, not a variable: declare one, as x = p.nodes.count(), "
            "and then write x[:] = …"
        )

    # `==` compares what is on each row; whether two terms are one and the same, `is` says.

    def __eq__(self, other: object) -> Truth:  # type: ignore[override]
        return self.p.compare(Same, self, other)

    def __ne__(self, other: object) -> Truth:  # type: ignore[override]
        return ~self.p.compare(Same, self, other)

    def __add__(self, other: object) -> Number:
        return self.p.arithmetic(ops.Add, self, other)

    def __radd__(self, other: object) -> Number:
        return self.p.arithmetic(ops.Add, other, self)

    def __sub__(self, other: object) -> Number:
        return self.p.arithmetic(ops.Subtract, self, other, signed=True)

    def __rsub__(self, other: object) -> Number:
        return self.p.arithmetic(ops.Subtract, other, self, signed=True)

    def __neg__(self) -> Number:
        return 0 - self

    def __mul__(self, times: object) -> Number:
        return self.p.multiple(self, times)

    __rmul__ = __mul__

    def _undone(self, other: object) -> Number:
        raise self.p.error(
            f"{self.p.shown(self)} and {self.p.shown(other)}: nothing divides, shifts, or raises "
            "to a power; numbers can be added, subtracted, and multiplied by a whole number"
        )

    __truediv__ = __floordiv__ = __mod__ = __divmod__ = __pow__ = _undone
    __rtruediv__ = __rfloordiv__ = __rmod__ = __rdivmod__ = __rpow__ = _undone
    __matmul__ = __lshift__ = __rshift__ = _undone
    __rmatmul__ = __rlshift__ = __rrshift__ = _undone

    def _either(self, other: object) -> Truth:
        raise self.p.error(
            f"{self.p.shown(self)} ^ {self.p.shown(other)}: say a != b, which is true where one "
            "is and the other is not"
        )

    __xor__ = __rxor__ = _either

    def __pos__(self) -> Number:
        raise self.p.error(f"+{self.p.shown(self)} is {self.p.shown(self)}: leave out the +")


class Number(Term):
    """An index, a count or a value on every row."""

    def __init__(self, p: Statements, held: Variable) -> None:
        self.p, self.held = p, held
        self.difference: tuple[object, object, Any] | None = None
        """If it is one, of what, and at which moment."""
        self.of_nodes = False
        """Whether it is known to be an index, or else UNREACHED, whatever kind holds it."""
        self.as_index: Variable | None = None
        """The same once more, for those who need an index: a count that is at most some index."""
        self.chosen: tuple[Any, Any, Any, Any, Any] | None = None
        """If an edge was chosen for it, by which op, of which value, unless what, across what, and
        when."""

    @property
    def scope(self) -> Scope:
        return self.held.scope

    def variable(self) -> Variable:
        return self.held

    def __and__(self, other: object) -> Truth:
        return self.p.join(And, "&", self, other)

    def __or__(self, other: object) -> Truth:
        return self.p.join(Or, "|", self, other)

    __rand__, __ror__ = __and__, __or__

    def __invert__(self) -> Truth:
        return self.p.join(Not, "~", self)

    def __abs__(self) -> Number:
        return self.p.absolute(self)

    def __lt__(self, other: object) -> Truth:
        return self.p.compare(Less, self, other)

    def __gt__(self, other: object) -> Truth:
        return self.p.compare(Less, other, self)

    def __le__(self, other: object) -> Truth:
        return ~self.p.compare(Less, other, self)

    def __ge__(self, other: object) -> Truth:
        return ~self.p.compare(Less, self, other)


class Truth(Term):
    """True or false on every row: a flag, a comparison, or several of them joined."""

    def __init__(self, p: Statements, formula: Formula, scope: Scope) -> None:
        self.p, self.formula, self._scope = p, formula, scope
        self.when = p.moment()

    @property
    def scope(self) -> Scope:
        return self._scope

    def variable(self) -> Variable:
        """The flag that it is; if it is none, or that has changed, one that is set to it where it
        was written."""
        if not isinstance(self.formula, Variable) or self.p.changed(self.formula, self.when):
            flag = self.p.temporary(Kind.FLAG, self.scope)
            self.p.add(ops.Set(flag, self.formula), self.when)
            self.formula = flag
        return self.formula

    def now(self) -> Formula:
        """A formula that is true where it was true when it was written, and that others can be
        made of: of what nests as deep as a formula may, it is the flag."""
        full = nests(self.formula, DEEPEST_FORMULA - 1)
        if full or self.p.changed(self.formula, self.when):
            return self.variable()
        return self.formula

    def at_nodes(self) -> Truth:
        """The same truth at every node."""
        return self.p.truth(self.p.repeated(self.variable()), Scope.NODES)

    def __and__(self, other: object) -> Truth:
        return self.p.join(And, "&", self, other)

    def __or__(self, other: object) -> Truth:
        return self.p.join(Or, "|", self, other)

    __rand__, __ror__ = __and__, __or__

    def __invert__(self) -> Truth:
        return self.p.truth(negation(self.now()), self.scope)

    def _unordered(self, other: object) -> Truth:
        raise self.p.error(
            f"{self.p.shown(self)} and {self.p.shown(other)}: what is true or false is not less or "
            "more than anything; say a & ~b, or compare numbers"
        )

    __lt__ = __gt__ = __le__ = __ge__ = _unordered

    def __abs__(self) -> Number:
        raise self.p.error(f"{self.p.shown(self)} is true or false, and has no sign")


class OfAllNodes(Truth):
    """A truth about all nodes: a flag in row 0, or the same at every node, whichever is needed."""

    def __init__(self, p: Statements, single: Formula, nodes: Formula) -> None:
        super().__init__(p, single, Scope.SINGLE)
        self.nodes = nodes

    def at_nodes(self) -> Truth:
        return self.p.truth(self.nodes, Scope.NODES)

    def __invert__(self) -> OfAllNodes:
        return OfAllNodes(self.p, negation(self.formula), negation(self.nodes))


def negation(formula: Formula) -> Formula:
    return formula.part if isinstance(formula, Not) else Not(formula)


# ── variables, which statements assign to ───────────────────────────────────────────────────────


class Assigned(Term):
    """`x[:] = …` writes a variable, `x[flag] = …` writes it where the flag is set.

    It lasts from one iteration to the next, and is worth what it holds where it is read.
    """

    def __setitem__(self, where: object, value: object) -> None:
        self.p.assign(self, where, value)


class NumberVariable(Assigned, Number):
    """A number that lasts."""

    def __iadd__(self, other: object) -> NumberVariable:
        self[:] = self + other
        return self

    def __isub__(self, other: object) -> NumberVariable:
        self[:] = self - other
        return self

    def __imul__(self, times: object) -> NumberVariable:
        self[:] = self * times
        return self


class FlagVariable(Assigned, Truth):
    """A flag that lasts."""

    def variable(self) -> Variable:
        assert isinstance(self.formula, Variable)
        return self.formula

    def __ior__(self, other: object) -> FlagVariable:
        self[:] = self | other
        return self

    def __iand__(self, other: object) -> FlagVariable:
        self[:] = self & other
        return self

    def _no_number(self, other: object) -> FlagVariable:
        raise self.p.error(
            f"{self.p.shown(self)} is a flag, which cannot grow: write f |= …, f &= … or f[:] = …"
        )

    __iadd__ = __isub__ = __imul__ = _no_number
