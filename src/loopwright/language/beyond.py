"""Ω̂ as the idea that it stands for: more than any number, not just a large one.

A model has to choose a number for it. The interpreter does not: there, numbers may be of any size,
and what is unreached is told apart by what it is.
"""

from __future__ import annotations

from dataclasses import dataclass
from fractions import Fraction
from functools import total_ordering
from typing import Any, ClassVar

Number = int | Fraction


@total_ordering
@dataclass(frozen=True)
class Beyond:
    """times · ∞ + rest, in the order of (times, rest).

    >>> Beyond(1) + 5 > 10**100, Beyond(1) - Beyond(1) == 0, Beyond(1) * 3 > Beyond(2)
    (True, True, True)
    """

    times: Number
    rest: Number = 0

    def __add__(self, other: Any) -> Any:
        times, rest = _parts(other)
        return _number(self.times + times, self.rest + rest)

    __radd__ = __add__

    def __neg__(self) -> Beyond:
        return Beyond(-self.times, -self.rest)

    def __sub__(self, other: Any) -> Any:
        return self + -other

    def __rsub__(self, other: Any) -> Any:
        return -self + other

    def __mul__(self, times: int) -> Beyond | Number:
        return _number(self.times * times, self.rest * times)

    def __eq__(self, other: object) -> bool:
        return (self.times, self.rest) == _parts(other)

    def __lt__(self, other: Any) -> bool:
        return (self.times, self.rest) < _parts(other)

    def __hash__(self) -> int:
        return hash((self.times, self.rest))


def _parts(number: Any) -> tuple[Number, Number]:
    return (number.times, number.rest) if isinstance(number, Beyond) else (0, number)


def _number(times: Number, rest: Number) -> Beyond | Number:
    return Beyond(times, rest) if times else rest


@dataclass(frozen=True)
class Endless:
    """What a program's named constants are where no model chooses them."""

    unreached: ClassVar[Beyond] = Beyond(1)
    mask: ClassVar[Beyond] = Beyond(2)
