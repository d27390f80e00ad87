"""Variables and constants: what the steps of a program are written with."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass
from fractions import Fraction
from numbers import Integral
from typing import Any

from loopwright.errors import ProgramError, brief, require_known
from loopwright.language.formulas import Formula
from loopwright.model.layout import OWN, Kind, Scope
from loopwright.model.limits import LARGEST_NUMBER

GIVEN = "input:"
"""What a start begins with that the caller passes when the model is run."""


RESERVED = (
    *("model", "program", "graph", "source", "weight", "machine", "observers", "max_iterations"),
    *("rows", "checked", "scale", "graphs", "sources", "workers", "cluster", "progress"),
)
"""What `run`, `run_many`, `verify` and `interpret` take under these names is no input."""


def require_name(what: str, name: object) -> None:
    """Names are shown in tables and messages, and stored with the weights.

    Raises:
        ProgramError: if it is no text, or none that can be shown.
    """
    if not isinstance(name, str) or not name or not name.isprintable():
        raise ProgramError(
            f"the name {brief(name, code=True)} of {what} must be text that can be printed on one "
            "line."
        )


def require_input_name(name: object) -> None:
    """Inputs are given by name, next to the options of a run.

    Raises:
        ProgramError: if it is no name, or that of an option.
    """
    require_name("an input", name)
    if name in RESERVED:
        raise ProgramError(f"no input can be called '{name}': a run has an option of that name.")


def fits_floats(number: Fraction | int) -> bool:
    """Whether it is a number that some model may hold: no other can be stored, nor even shown."""
    return abs(number) <= LARGEST_NUMBER and Fraction(number).denominator <= LARGEST_NUMBER


@dataclass(frozen=True)
class Named:
    """A constant whose number follows from the limits, such as `MASK`."""

    name: str

    def __post_init__(self) -> None:
        require_known("constant", self.name, ("unreached", "mask"), error=ProgramError)

    def __str__(self) -> str:
        return self.name.upper()

    def _alone(self, other: object = None) -> Any:
        """With a term of a program it is computed; with a number it would be another constant."""
        if other is None or isinstance(other, int | float | Fraction | Named):
            raise ProgramError(
                f"{self} is beyond every number, so none is added to it or taken from it: compute "
                f"with a variable, as x - {self}."
            )
        return NotImplemented

    __add__ = __radd__ = __sub__ = __rsub__ = __mul__ = __rmul__ = __neg__ = __pos__ = _alone


UNREACHED = Named("unreached")
"""Ω̂: the distance or priority of what has not been reached."""
MASK = Named("mask")
"""What a visited node shows to the minimum: above every distance and above `UNREACHED`."""
NOWHERE = 0
"""The position p₀, which is no node's."""


ANY_NUMBER = (Kind.COUNT, Kind.VALUE)
"""Kinds that hold numbers of any size; such a variable says itself whether it may be negative."""

Start = Fraction | int | str | Named | None
"""A number, `OWN`, what `given` makes, a named constant; or None, if a step writes it first."""


@dataclass(frozen=True)
class Variable(Formula):
    """A named variable: one number for the whole run, or one for each node.

    `signed` says that it may be negative. Positions always may; flags, indices and squares never.
    `start` is its value before the first iteration; None: nothing reads it before a step wrote it.
    `at_source` replaces `start` at the source node. A `constant` is never written.

    Raises:
        ProgramError: at once, if it could not be what is declared.
    """

    name: str
    kind: Kind
    scope: Scope
    start: Start = None
    at_source: Fraction | int | Named | None = None
    signed: bool = False
    constant: bool = False

    def __post_init__(self) -> None:
        require_name("a variable", self.name)
        for part, kinds in (("kind", Kind), ("scope", Scope)):
            chosen = getattr(self, part)
            require_known(part, chosen, kinds, of=self.name, error=ProgramError)
            object.__setattr__(self, part, kinds(chosen))
        for part in ("signed", "constant"):
            if not isinstance(getattr(self, part), bool):
                raise self._fail(f"{part} must be True or False")
        if self.kind is Kind.POSITION and not self.signed:
            raise self._fail("a position may be negative: declare it with signed=True")
        if self.kind in (Kind.FLAG, Kind.INDEX, Kind.SQUARE) and self.signed:
            raise self._fail("flags, indices and squares are never negative: leave signed out")
        object.__setattr__(self, "start", self._checked("start", self.start))
        if self.at_source is not None:
            if self.scope is Scope.SINGLE or self.kind is Kind.POSITION:
                raise self._fail("at_source is for numbers and flags that every node has")
            if isinstance(self.at_source, str):
                raise self._fail(f"at_source={brief(self.at_source, code=True)} must be a number")
            object.__setattr__(self, "at_source", self._checked("at_source", self.at_source))

    def _fail(self, problem: str) -> ProgramError:
        return ProgramError(f"variable '{self.name}': {problem}.")

    def _checked(self, role: str, start: object) -> Start:
        """A start that the variable can have; whole numbers as Python's own.

        Raises:
            ProgramError: if it cannot.
        """
        given = f"{role}={brief(start, code=isinstance(start, str))}"
        match start:
            case None:
                return None
            case str() if start == OWN:
                if self.scope is Scope.SINGLE or self.kind is Kind.FLAG:
                    raise self._fail(f"{given}: only numbers and positions of nodes are their own")
                return start
            case str() if start.startswith(GIVEN):
                require_input_name(start.removeprefix(GIVEN))
                return start
            case Named():
                if self.kind not in ANY_NUMBER:
                    raise self._fail(f"{given}: only values and counts are large enough for it")
                return start
            case Integral() | Fraction():
                number = start if isinstance(start, Fraction) else int(start)
                self._check_number(given, number)
                return number
            case _:
                named = f", or given({start!r})" if isinstance(start, str) else ""
                raise self._fail(
                    f"{given}: must be a whole number, a Fraction, UNREACHED, MASK, OWN{named}"
                )

    def _check_number(self, given: str, number: Fraction | int) -> None:
        if not fits_floats(number):
            raise self._fail(f"{given}: floats cannot hold it; choose another unit")
        if self.kind not in ANY_NUMBER and number not in (0, 1):
            raise self._fail(f"{given}: of kind {self.kind}, it starts at 0 or 1")
        if self.kind is Kind.COUNT and Fraction(number).denominator != 1:
            raise self._fail(f"{given}: a count is a whole number")
        if number < 0 and not self.signed:
            raise self._fail(f"{given}: it is unsigned; declare it with signed=True")

    def atoms(self) -> Iterator[Variable]:
        yield self

    def variables(self) -> Iterator[Variable]:
        yield self

    def __str__(self) -> str:
        return self.name


@dataclass(frozen=True)
class _Declare:
    """Variables of one scope: `nodes.flag("visited")` reads as a declaration."""

    scope: Scope

    def flag(self, name: str, start: Start = None, at_source: int | None = None) -> Variable:
        return Variable(name, Kind.FLAG, self.scope, start, at_source)

    def index(self, name: str, start: Start = None) -> Variable:
        return Variable(name, Kind.INDEX, self.scope, start)

    def square(self, name: str, start: Start = None) -> Variable:
        return Variable(name, Kind.SQUARE, self.scope, start)

    def position(self, name: str, start: Start = None) -> Variable:
        return Variable(name, Kind.POSITION, self.scope, start, signed=True)

    def count(
        self,
        name: str,
        start: Start = None,
        at_source: Fraction | int | Named | None = None,
        *,
        signed: bool = False,
    ) -> Variable:
        return Variable(name, Kind.COUNT, self.scope, start, at_source, signed=signed)

    def value(
        self,
        name: str,
        start: Start = None,
        at_source: Fraction | int | Named | None = None,
        *,
        signed: bool = False,
    ) -> Variable:
        return Variable(name, Kind.VALUE, self.scope, start, at_source, signed=signed)


nodes = _Declare(Scope.NODES)
"""Declares variables with one entry for each node."""
single = _Declare(Scope.SINGLE)
"""Declares variables with one entry in all, kept in row 0."""


def given(name: str) -> str:
    """A start that the caller passes under this name when the model is run; 0 if not passed.

    For a variable with an entry for each node: a list, or one number for all of them.

    Raises:
        ProgramError: if it is no name, or that of an option of a run, such as "scale".
    """
    require_input_name(name)
    return GIVEN + name


B_GLOBAL = Variable("B_global", Kind.FLAG, Scope.SINGLE, 1, constant=True)
B_LOCAL = Variable("B_local", Kind.FLAG, Scope.NODES, 1, constant=True)
NOBODY = Variable("nobody", Kind.FLAG, Scope.NODES, 0, constant=True)
"""True at no node, as `B_LOCAL` is at all of them."""
POSITIONS = Variable("P", Kind.POSITION, Scope.NODES, OWN, signed=True, constant=True)
OWN_INDEX = Variable("own_index", Kind.INDEX, Scope.NODES, OWN, constant=True)
"""Each node's own number."""
OWN_SQUARE = Variable("own_square", Kind.SQUARE, Scope.NODES, OWN, constant=True)
"""The square of each node's own number."""
CONSTANTS = (B_GLOBAL, B_LOCAL, POSITIONS, OWN_INDEX, OWN_SQUARE)
"""What models have, or may get from the compiler, whether their program reads it or not."""
