"""What every op has, and how its operands are checked."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass, fields
from enum import Enum, auto
from fractions import Fraction
from typing import ClassVar

from loopwright.language.variables import Formula, Named, Variable
from loopwright.model.layout import Kind, Scope

Operand = Variable | Named | Fraction | int
"""A variable, or a constant (for a position: which one)."""

NUMBERS = (Kind.INDEX, Kind.COUNT, Kind.VALUE)
STORES = {
    Kind.FLAG: (Kind.FLAG, *NUMBERS),
    Kind.INDEX: NUMBERS,
    Kind.COUNT: (Kind.COUNT, Kind.VALUE),
    Kind.VALUE: (Kind.VALUE,),
    Kind.POSITION: (Kind.POSITION,),
}
"""Kind of a value → the kinds of variable that can hold it."""


class Phase(Enum):
    ATTENTION = auto()
    MLP = auto()


class Malformed(ValueError):
    """An op's operands do not fit; the program adds the step's name."""


def need(ok: bool, variable: object, what: str) -> None:
    if not ok:
        raise Malformed(f"'{variable}' {what}")


def need_kind(operand: Operand, *kinds: Kind) -> None:
    if isinstance(operand, Variable):
        wanted = " or ".join(kinds)
        need(operand.kind in kinds, operand, f"is a {operand.kind}, where a {wanted} is needed")


def need_scope(operand: Operand, scope: Scope) -> None:
    if isinstance(operand, Variable):
        need(operand.scope is scope, operand, f"is of scope {operand.scope}, not {scope}")


def need_like(out: Variable, operand: Operand) -> None:
    """`operand` can be stored in `out`: same rows, same width, no lost sign."""
    need_scope(operand, out.scope)
    if isinstance(operand, Variable):
        need(
            operand.kind.width == out.kind.width,
            operand,
            f"has width {operand.kind.width}, but '{out}' has width {out.kind.width}",
        )
        need(out.signed or not operand.signed, out, f"is unsigned, but '{operand}' may be negative")
        wide_enough = out.kind in STORES[operand.kind]
        need(wide_enough, operand, f"is a {operand.kind}, but '{out}' is a {out.kind}")
    elif isinstance(operand, Named):
        need(out.kind in (Kind.COUNT, Kind.VALUE), out, f"is a {out.kind}: too small for {operand}")
    else:
        allowed = {Kind.FLAG: (0, 1), Kind.INDEX: (0, 1), Kind.POSITION: (0,)}.get(out.kind)
        fits = operand in allowed if allowed else operand >= 0 or out.signed
        need(fits, out, f"is a {out.kind}: it cannot be {operand}")
        need_whole(out, operand)


def need_whole(beside: Variable, operand: Operand) -> None:
    """Only values may be compared with, or hold, a fraction."""
    if isinstance(operand, int | Fraction) and beside.kind is not Kind.VALUE:
        whole = Fraction(operand).denominator == 1
        need(whole, beside, f"is a {beside.kind}: {operand} is not a whole number")


@dataclass(frozen=True)
class Op:
    """Writes `out` from all other fields."""

    phase: ClassVar[Phase] = Phase.MLP
    updates: ClassVar[bool] = False
    """Whether the old value of `out` is read, too."""
    quantities: ClassVar[tuple[str, ...]] = ()
    """Operands that are in one unit; `out` is in it as well, unless it is a flag."""

    out: Variable

    def reads(self) -> Iterator[Variable]:
        """Every variable whose value the op needs."""
        for field in fields(self):
            operand = getattr(self, field.name)
            if isinstance(operand, Formula) and (field.name != "out" or self.updates):
                yield from operand.variables()

    @property
    def constants(self) -> list[Fraction]:
        """The numbers among its operands, but for 0."""
        operands = (getattr(self, name) for name in self.quantities)
        return [Fraction(x) for x in operands if isinstance(x, int | Fraction) and x]

    @property
    def homogeneous(self) -> bool:
        """Whether values may be in any unit: they meet no other numbers here but 0, and Ω̂ or the
        mask, which are beyond all of them."""
        operands: list[Operand] = [getattr(self, name) for name in self.quantities]
        operands += [self.out] if self.out.kind is not Kind.FLAG else []
        kinds = {x.kind for x in operands if isinstance(x, Variable)}
        return Kind.VALUE not in kinds or (kinds == {Kind.VALUE} and not self.constants)

    def check(self) -> None:
        """Raise `Malformed` where the operands do not fit."""
        raise NotImplementedError


def at_nodes(variable: Variable) -> Variable:
    """The same variable with one entry a node, to compare kinds across scopes."""
    return Variable(variable.name, variable.kind, Scope.NODES, signed=variable.signed)
