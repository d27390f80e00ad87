"""What an op is: declared operands, from which its checks and its printing follow, and facts.

An op says here what it takes and what is true of it; nothing else in the package lists ops by name.
What it does is said twice, independently: `language.meaning` in plain Python, and `compiler.lower`
in weights.
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from dataclasses import dataclass, field, fields, replace
from enum import Enum, auto
from fractions import Fraction
from functools import cache
from typing import Any, ClassVar, Literal, TypeVar, dataclass_transform

from loopwright.errors import ProgramError, brief
from loopwright.language.formulas import Formula, Same, replaced
from loopwright.language.variables import ANY_NUMBER, Named, Variable, fits_floats
from loopwright.model.layout import Kind, Scope

Operand = Variable | Named | Fraction | int
"""A variable, or a constant (for a position: which one)."""

NUMBERS = (Kind.INDEX, Kind.COUNT, Kind.VALUE)
STORES = {
    Kind.FLAG: (Kind.FLAG, *NUMBERS),
    Kind.INDEX: NUMBERS,
    Kind.COUNT: (Kind.COUNT, Kind.VALUE),
    Kind.VALUE: (Kind.VALUE,),
    Kind.SQUARE: (Kind.SQUARE,),
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


def a_or_an(kind: Kind) -> str:
    """A kind with its article."""
    return f"an {kind}" if kind is Kind.INDEX else f"a {kind}"


def is_whole(thing: object) -> bool:
    """Whether it is a whole number of Python's, and no truth value."""
    return isinstance(thing, int) and not isinstance(thing, bool)


def is_natural(operand: Operand) -> bool:
    """Whether it is a whole number that is not negative, Ω̂ and the mask among them."""
    if isinstance(operand, Variable):
        return operand.kind in (Kind.FLAG, Kind.INDEX, Kind.COUNT) and not operand.signed
    return isinstance(operand, Named) or (Fraction(operand).denominator == 1 and operand >= 0)


def is_negative(constant: Named | Fraction | int) -> bool:
    """Whether a constant is; Ω̂ and the mask are not."""
    return not isinstance(constant, Named) and constant < 0


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
            for atom in operand.atoms():
                if isinstance(atom, Variable):
                    self.check_variable(atom, out)
                else:
                    kinds = (Kind.FLAG, *NUMBERS) if isinstance(atom, Same) else NUMBERS
                    side = Takes(kinds, None, True, False, False, "any")
                    side.check(name, atom.a, out)
                    side.check(name, atom.b, out)
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
        wanted = " or ".join([a_or_an(self.kinds[0]), *self.kinds[1:]])
        kind, scope = variable.kind, self.scope or out.scope
        need(kind in self.kinds, variable, f"is {a_or_an(kind)}, where {wanted} is needed")
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
        lost = f"is unsigned, but '{operand}' may be negative"
        if out.kind in ANY_NUMBER:
            lost += ": declare it with signed=True"
        need(out.signed or not operand.signed, out, lost)
        wider = f"is {a_or_an(operand.kind)}, but '{out}' is {a_or_an(out.kind)}"
        if operand.kind in ANY_NUMBER:
            declare = f"declare '{out}' as {a_or_an(operand.kind)}"
            wider += ": compare it" if out.kind is Kind.FLAG else f": {declare}"
        need(out.kind in STORES[operand.kind], operand, wider)
    elif isinstance(operand, Named):
        too_small = f"is {a_or_an(out.kind)}: too small for {operand}"
        need(out.kind in ANY_NUMBER, out, too_small)
    else:
        few = {Kind.FLAG: (0, 1), Kind.INDEX: (0, 1), Kind.SQUARE: (0, 1), Kind.POSITION: (0,)}
        allowed = few.get(out.kind)
        fits = operand in allowed if allowed else operand >= 0 or out.signed
        need(fits, out, f"is {a_or_an(out.kind)}: it cannot be {written(operand)}")
        check_whole(out, operand)


def check_whole(beside: Operand, operand: Operand) -> None:
    """Raise `Malformed` if a fraction meets a variable that holds whole numbers."""
    if isinstance(operand, int | Fraction) and isinstance(beside, Variable):
        whole = beside.kind is Kind.VALUE or Fraction(operand).denominator == 1
        need(whole, beside, f"is {a_or_an(beside.kind)}: {written(operand)} is not a whole number")


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
    opposes: ClassVar[bool] = False
    """Does it take one from the other, so that `out` is no larger than each if none is negative?"""
    steps: ClassVar[int] = 0
    """By how much more than that?"""
    no_more: ClassVar[bool] = False
    """Is `out` no more than the least of its quantities? Then it is an index if one of them is, and
    none is a fraction or negative."""
    multiplies: ClassVar[str | None] = None
    """By which operand, a whole number, is its quantity multiplied?"""
    compares: ClassVar[tuple[tuple[str | int, str], ...]] = ()
    """Which operands, as (low, high), does it tell apart by a least difference? The flag that says
    so is as far off as they are, divided by that difference."""
    picks: ClassVar[tuple[str, str] | None] = None
    """Does attention find the least of a variable unless a flag is set, by which names? Where
    several nodes tie, it takes the mean of what is equal."""
    matches: ClassVar[str | None] = None
    """Of which operand does attention find the least, among the nodes with the key that is asked
    for? It stands in the scores beside squares of keys."""
    selects: ClassVar[str | None] = None
    """Which flag decides between the quantities, by a wall of Ω before the other one?"""
    rounds: ClassVar[bool] = False
    """Is its flag exactly 0 or 1 although what it reads is a little off?"""
    magnifies: ClassVar[bool] = False
    """Is its flag off by many times what the flags that it reads are off?"""
    late: ClassVar[tuple[str, ...]] = ()
    """Which operands of attention does the MLP of the layer read as well?"""
    edges: ClassVar[Literal["from", "to"] | None] = None
    """Does it read the graph: edges from the nodes that it names, or edges to them?"""
    adds_edges: ClassVar[bool] = False
    """Does it add up several edges at a node?"""
    chooses: ClassVar[bool] = False
    """Does attention choose one of the edges at a node? Where several are as good, it takes the
    mean of what they bring."""
    with_edge: ClassVar[bool] = False
    """Does the edge that is chosen count, so that `out` is that much more than its quantities?"""
    retraces: ClassVar[str | None] = None
    """Does it find the edge by which a number came about, and which operand is that number?"""
    along: ClassVar[bool] = False
    """Did the edge count when it did?"""
    heaviest: ClassVar[bool] = False
    """Is the heaviest of several such edges preferred?"""

    reads_also: ClassVar[tuple[Variable, ...]] = ()
    """Which constants does it read besides its operands?"""

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
        yield from self.reads_also

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
        given = (operand for group in self.in_one_unit() for operand in group)
        return [Fraction(x) for x in given if isinstance(x, int | Fraction) and x]

    def bounds_an_index(self) -> bool:
        """Whether `out` is an index because one of its quantities is."""
        given = [getattr(self, name) for name in self.quantities]
        has_index = any(isinstance(x, Variable) and x.kind is Kind.INDEX for x in given)
        return self.no_more and self.out.kind is Kind.INDEX and has_index

    @property
    def homogeneous(self) -> bool:
        """Whether values may be in any unit: they meet no other numbers here but 0, and Ω̂ or the
        mask, which are beyond all of them."""
        for group in self.in_one_unit():
            kinds = {x.kind for x in group if isinstance(x, Variable)}
            numbers = any(x for x in group if isinstance(x, int | Fraction))
            if Kind.VALUE in kinds and (kinds != {Kind.VALUE} or numbers):
                return False
        return True

    def in_one_unit(self) -> list[list[Operand]]:
        """Its quantities and `out`, unless that is a flag; as one group, if they meet."""
        given: list[Operand] = [getattr(self, name) for name in self.quantities]
        return [given + ([self.out] if self.out.kind is not Kind.FLAG else [])]

    @property
    def along_edges(self) -> bool:
        """Whether it adds up numbers of other nodes along edges, each of which must count as 1."""
        return self.edges is not None and bool(self.quantities) and not self.chooses

    @property
    def magnifies_numbers(self) -> bool:
        """Whether a number, and what it is off, can become several times as large: as a multiple,
        or added to another one, which may be itself."""
        read = [getattr(self, name) for name in self.quantities]
        terms = sum(isinstance(each, Variable) for each in read) + self.updates
        if self.along_edges or (self.adds and terms > 1):
            return True
        return bool(self.multiplies and abs(getattr(self, self.multiplies)) > 1)

    @property
    def subtracts(self) -> bool:
        """Whether it chooses between numbers by their difference, which may be as large as both of
        them together if they can have different signs."""
        read = [getattr(self, name) for name in self.quantities]
        chooses = len(read) > 1 and not (self.adds or self.selects or self.chooses)
        signed = any(x.signed if isinstance(x, Variable) else is_negative(x) for x in read)
        return chooses and self.out.kind is not Kind.FLAG and signed

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


def with_variables(op: Op, names: Mapping[Variable, Variable], out: Variable) -> Op:
    """The op with other variables in the place of some that it reads, and another one to write."""
    given = {name: each for name, each in op.operands().items() if isinstance(each, Formula)}
    return replace(op, out=out, **{name: replaced(each, names) for name, each in given.items()})


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
