"""Formulas: what is true or false on every row, of flags and comparisons, with `&`, `|` and `~`."""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from dataclasses import dataclass
from typing import Any, cast

from loopwright.errors import ProgramError, brief

DEEPEST_FORMULA = 16
"""How deep a formula may nest: far more than an MLP can hold, and harmless to walk."""
Compared = Any
"""A variable or a constant. (`Any`: variables are formulas themselves, and come after these.)"""


class Formula:
    """Something true or false on every row. A flag is one; others are made of them."""

    def __and__(self, other: Formula) -> Formula:
        return And((*self._parts_of(And), *joined(self, "&", other)._parts_of(And)))

    def __or__(self, other: Formula) -> Formula:
        return Or((*self._parts_of(Or), *joined(self, "|", other)._parts_of(Or)))

    def __rand__(self, other: object) -> Formula:
        return joined(self, "&", other)

    def __ror__(self, other: object) -> Formula:
        return joined(self, "|", other)

    def __invert__(self) -> Formula:
        return Not(self)

    def _parts_of(self, kind: type[Formula]) -> tuple[Formula, ...]:
        """What it adds to a longer formula of a kind: its parts, if it is of that kind."""
        return (self,)

    def __bool__(self) -> bool:
        """`a and b` would be `b`, and `not a` a truth value of Python: neither is a formula."""
        raise ProgramError(
            f"'{self}' is true or false on each row of a run, not while the program is written: "
            "use &, | and ~ in the place of and, or and not."
        )

    def atoms(self) -> Iterator[Any]:
        """The flags and comparisons that it is made of."""
        raise NotImplementedError

    def variables(self) -> Iterator[Any]:
        """Everything that it reads."""
        for atom in self.atoms():
            yield from atom.variables()


def joined(formula: Formula, sign: str, other: object) -> Formula:
    """The other side of `&` or `|`, if it is a formula as well.

    Raises:
        ProgramError: with what to write in the place of a number.
    """
    if not isinstance(other, Formula):
        raise ProgramError(
            f"'{formula}' {sign} {brief(other, code=True)}: only flags can be joined; compare a "
            "number by an op such as ops.Equal or ops.LessThan, and join the flag that it sets."
        )
    return other


@dataclass(frozen=True)
class Joined(Formula):
    """Several formulas, joined."""

    parts: tuple[Formula, ...]

    def atoms(self) -> Iterator[Any]:
        for part in self.parts:
            yield from part.atoms()

    def _parts_of(self, kind: type[Formula]) -> tuple[Formula, ...]:
        return self.parts if type(self) is kind else (self,)


class And(Joined):
    """True where all parts are."""

    def __str__(self) -> str:
        return "(" + " ∧ ".join(map(str, self.parts)) + ")"


class Or(Joined):
    """True where any part is."""

    def __str__(self) -> str:
        return "(" + " ∨ ".join(map(str, self.parts)) + ")"


@dataclass(frozen=True)
class Not(Formula):
    """True where the part is not."""

    part: Formula

    def atoms(self) -> Iterator[Any]:
        yield from self.part.atoms()

    def __str__(self) -> str:
        return f"¬{self.part}"


@dataclass(frozen=True)
class Comparison(Formula):
    """Two numbers, compared on every row."""

    a: Compared
    b: Compared

    def atoms(self) -> Iterator[Any]:
        yield self

    def variables(self) -> Iterator[Any]:
        for side in (self.a, self.b):
            if isinstance(side, Formula):
                yield from side.variables()


class Less(Comparison):
    """a < b"""

    def __str__(self) -> str:
        return f"({self.a} < {self.b})"


class Same(Comparison):
    """a = b"""

    def __str__(self) -> str:
        return f"({self.a} = {self.b})"


def nests(operand: object, most: int) -> bool:
    """Whether an operand is a formula with more than so many formulas in each other."""
    if isinstance(operand, Not):
        return most == 0 or nests(operand.part, most - 1)
    if isinstance(operand, Joined):
        return most == 0 or any(nests(part, most - 1) for part in operand.parts)
    return False


def plain(formula: Formula, *, negated: bool = False) -> Formula:
    """The same with negations of flags and comparisons only, and no ∧ in ∧ nor ∨ in ∨."""
    match formula:
        case Not(part):
            return plain(part, negated=not negated)
        case And(parts) | Or(parts):
            kind = Or if isinstance(formula, And) == negated else And
            each = (plain(part, negated=negated) for part in parts)
            return kind(tuple(inner for part in each for inner in part._parts_of(kind)))  # pyright: ignore[reportPrivateUsage]
        case _:
            return Not(formula) if negated else formula


def replaced(formula: Any, others: Mapping[Any, Any]) -> Any:
    """The same formula, or side of a comparison, with other variables in the place of some."""
    match formula:
        case Joined(parts):
            return type(formula)(tuple(replaced(part, others) for part in parts))
        case Not(part):
            return Not(replaced(part, others))
        case Comparison(a, b):
            return type(formula)(replaced(a, others), replaced(b, others))
        case Formula():
            return others.get(cast("Any", formula), formula)
        case _:
            return formula
