"""What an op is: declared operands, from which its checks and its printing follow, and facts.

An op says here what it takes and what is true of it; nothing else in the package lists ops by name.
What it does is said twice, independently: `language.meaning` in plain Python, and `compiler.lower`
in weights.
"""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass, field, fields
from enum import Enum, auto
from fractions import Fraction
from functools import cache
from typing import Any, ClassVar, Literal, TypeVar, dataclass_transform

from loopwright.errors import ProgramError, brief
from loopwright.language.variables import Formula, Named, Variable, fits_floats
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


class Malformed(ProgramError):
    """An op's operands do not fit; the program adds the step's name."""


def need(ok: bool, operand: object, what: str) -> None:
    if not ok:
        raise Malformed(f"'{written(operand)}' {what}")


def written(operand: object) -> str:
    """As an op prints it: its name or its number; clipped, if it is no operand at all."""
    return str(operand) if isinstance(operand, Formula | Named) else brief(operand)


def is_a(thing: object, *kinds: type) -> bool:
    """Whether it is of one of these types, whatever an annotation promised of it."""
    return isinstance(thing, kinds)


# ── what an operand may be ──────────────────────────────────────────────────────────────────────


@dataclass(frozen=True)
class Takes:
    """What an op accepts as one of its operands."""

    kinds: tuple[Kind, ...]
    scope: Scope | None
    """Which rows it must have; None stands for those of `out`."""
    constant: bool
    """Whether a number may stand in the place of a variable."""
    formula: bool
    """Whether a formula of flags may."""
    stored: bool
    """Whether `out` takes its value over, and so must be able to hold it."""
    sign: Literal["any", "signed", "unsigned"]
    """Whether a variable that may be negative is needed, or must not be given."""

    def check(self, name: str, operand: object, out: Variable) -> None:
        """Raise `Malformed` unless the operand of this name is one of these."""
        if isinstance(operand, bool):
            remedy = "join flags by &, | and ~, and compare by ops.Equal or ops.LessThan"
            need(False, name, f"is {operand}, a truth value of Python: {remedy}")
        if isinstance(operand, Variable) or (self.formula and isinstance(operand, Formula)):
            for variable in operand.variables():
                self.check_variable(variable, out)
        elif not (self.constant and isinstance(operand, Named | Fraction | int)):
            formula = isinstance(operand, Formula)
            remedy = ": Set a flag to it, and give that" if formula else ""
            need(False, name, f"is {written(operand)}, where a variable is needed{remedy}")
        if isinstance(operand, Fraction | int):
            problem = f"is {written(operand)}, which floats cannot hold: choose another unit"
            need(fits_floats(operand), name, problem)
        if self.stored and isinstance(operand, Operand):
            check_stored(out, operand)

    def check_variable(self, variable: Variable, out: Variable) -> None:
        wanted = " or ".join(self.kinds)
        kind, scope = variable.kind, self.scope or out.scope
        need(kind in self.kinds, variable, f"is a {kind}, where a {wanted} is needed")
        if self.sign == "signed":
            need(variable.signed, variable, "is unsigned, but a difference may be negative")
        if self.sign == "unsigned":
            need(not variable.signed, variable, "may be negative")
        need(variable.scope is scope, variable, f"is of scope {variable.scope}, not {scope}")


def check_stored(out: Variable, operand: Operand) -> None:
    """Raise `Malformed` unless `out` can hold the operand: its width, its sign, its kind."""
    if isinstance(operand, Variable):
        widths = f"has width {operand.kind.width}, but '{out}' has width {out.kind.width}"
        need(operand.kind.width == out.kind.width, operand, widths)
        need(out.signed or not operand.signed, out, f"is unsigned, but '{operand}' may be negative")
        wide_enough = out.kind in STORES[operand.kind]
        need(wide_enough, operand, f"is a {operand.kind}, but '{out}' is a {out.kind}")
    elif isinstance(operand, Named):
        need(out.kind in (Kind.COUNT, Kind.VALUE), out, f"is a {out.kind}: too small for {operand}")
    else:
        allowed = {Kind.FLAG: (0, 1), Kind.INDEX: (0, 1), Kind.POSITION: (0,)}.get(out.kind)
        fits = operand in allowed if allowed else operand >= 0 or out.signed
        need(fits, out, f"is a {out.kind}: it cannot be {written(operand)}")
        check_whole(out, operand)


def check_whole(beside: Operand, operand: Operand) -> None:
    """Raise `Malformed` if a fraction meets a variable that holds whole numbers."""
    if isinstance(operand, int | Fraction) and isinstance(beside, Variable):
        whole = beside.kind is Kind.VALUE or Fraction(operand).denominator == 1
        need(whole, beside, f"is a {beside.kind}: {written(operand)} is not a whole number")


ABSENT: Any = object()


def takes(
    *kinds: Kind,
    scope: Scope | None = None,
    constant: bool = False,
    formula: bool = False,
    stored: bool = False,
    sign: Literal["any", "signed", "unsigned"] = "any",
    default: Any = ABSENT,
) -> Any:
    """Declare an operand; see `Takes`. One with a default may be left out."""
    declared = Takes(kinds or tuple(Kind), scope, constant, formula, stored, sign)
    optional = {} if default is ABSENT else {"default": default}
    return field(metadata={"takes": declared}, **optional)


# ── what an op is ───────────────────────────────────────────────────────────────────────────────


class Phase(Enum):
    """When in its layer, and so in its step, an op happens."""

    ATTENTION = auto()
    """First: it reads other rows or the graph, as they were before the step."""
    MLP = auto()
    """Then: it works row by row, after all attention of the step and the ops before it."""


@dataclass(frozen=True)
class Op:
    """Writes `out` from all other operands.

    Whoever adds one answers each of these questions once, here, by a class attribute.
    """

    text: ClassVar[str] = "{out} ← …"
    """How it prints, with the names of its operands in braces."""
    phase: ClassVar[Phase] = Phase.MLP
    updates: ClassVar[bool] = False
    """Is the old value of `out` read, too?"""
    quantities: ClassVar[tuple[str, ...]] = ()
    """Which operands are in one unit? `out` is in it as well, unless it is a flag."""
    adds: ClassVar[bool] = False
    """Can `out` be as large as its quantities together? Else it is no larger than each of them."""
    steps: ClassVar[int] = 0
    """By how much more than that?"""
    compares: ClassVar[tuple[tuple[str | int, str], ...]] = ()
    """Which operands, as (low, high), does it tell apart by a least difference? The flag that says
    so is as far off as they are, divided by that difference."""
    picks: ClassVar[tuple[str, str] | None] = None
    """Does attention find the least of a variable unless a flag is set, by which names? Where
    several nodes tie, it takes the mean of what is equal."""
    selects: ClassVar[str | None] = None
    """Which flag decides between the quantities, by a wall of Ω before the other one?"""
    rounds: ClassVar[bool] = False
    """Is its flag exactly 0 or 1 although what it reads is a little off?"""
    magnifies: ClassVar[bool] = False
    """Is its flag off by many times what the flags that it reads are off?"""
    edges: ClassVar[Literal["from", "to"] | None] = None
    """Does it read the graph: edges from the nodes that it names, or edges to them?"""
    adds_edges: ClassVar[bool] = False
    """Does it add up several edges at a node?"""

    out: Variable

    def operands(self) -> dict[str, Any]:
        """Every operand but `out`, by name."""
        return {f.name: getattr(self, f.name) for f in fields(self) if f.name != "out"}

    def reads(self) -> Iterator[Variable]:
        """Every variable whose value the op needs."""
        given = self.operands() | ({"out": self.out} if self.updates else {})
        for operand in given.values():
            if isinstance(operand, Formula):
                yield from operand.variables()

    def points_with(self) -> list[Variable]:
        """The positions by which attention finds a node: they should be exact to the last digit."""
        if self.phase is not Phase.ATTENTION:
            return []
        taken = declarations(type(self))
        only = [name for name, each, _ in taken if each.kinds == (Kind.POSITION,) and name != "out"]
        return [getattr(self, name) for name in only]

    @property
    def constants(self) -> list[Fraction]:
        """The numbers among its quantities, but for 0."""
        given = (getattr(self, name) for name in self.quantities)
        return [Fraction(x) for x in given if isinstance(x, int | Fraction) and x]

    @property
    def homogeneous(self) -> bool:
        """Whether values may be in any unit: they meet no other numbers here but 0, and Ω̂ or the
        mask, which are beyond all of them."""
        given: list[Operand] = [getattr(self, name) for name in self.quantities]
        given += [self.out] if self.out.kind is not Kind.FLAG else []
        kinds = {x.kind for x in given if isinstance(x, Variable)}
        return Kind.VALUE not in kinds or (kinds == {Kind.VALUE} and not self.constants)

    def compared(self) -> list[tuple[Operand, Operand]]:
        """The pairs of `compares`, as operands."""

        def operand(name: str | int) -> Operand:
            return getattr(self, name) if isinstance(name, str) else name

        return [(operand(low), operand(high)) for low, high in self.compares]

    def compares_kinds(self) -> set[Kind]:
        """What kinds of variables it tells apart."""
        compared = [operand for pair in self.compared() for operand in pair]
        return {operand.kind for operand in compared if isinstance(operand, Variable)}

    @property
    def blurs(self) -> bool:
        """Whether its flag must be rounded under softmax, before others build on it.

        A comparison of values divides what they are off by ε; other ops magnify what flags are off;
        and attention that follows a position brings traces of other rows. Whole numbers differ by
        1, so a comparison of them is no further off than they are.
        """
        off = Kind.VALUE in self.compares_kinds() or self.magnifies or bool(self.points_with())
        return self.out.kind is Kind.FLAG and off and not self.rounds

    def check(self) -> None:
        """Raise `Malformed` where the operands do not fit the declaration."""
        need(type(self) in DECLARED, type(self).__name__, "is no op, but what ops are derived from")
        need(is_a(self.out, Variable), self.out, "cannot be written: it is no variable")
        for name, declared, optional in declarations(type(self)):
            operand = getattr(self, name)
            if operand is not None or not optional:
                declared.check(name, operand, self.out)
        for low, high in self.compared():
            check_whole(low, high)
            check_whole(high, low)

    def __str__(self) -> str:
        operands = self.operands() | {"out": self.out}
        return self.text.format(**{name: written(each) for name, each in operands.items()})


@cache
def declarations(op: type[Op]) -> tuple[tuple[str, Takes, bool], ...]:
    """(name, what it takes, whether it may be None) of every declared operand."""
    return tuple(
        (f.name, f.metadata["takes"], f.default is None)
        for f in fields(op)
        if "takes" in f.metadata
    )


OpType = TypeVar("OpType", bound=Op)
DECLARED: list[type[Op]] = []
"""Every op, in the order of declaration."""


@dataclass_transform(frozen_default=True, field_specifiers=(takes,))
def op(cls: type[OpType]) -> type[OpType]:
    """Declare an op: a frozen dataclass that every test over all ops knows of."""
    made = dataclass(frozen=True)(cls)
    DECLARED.append(made)
    return made
