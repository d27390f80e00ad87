"""Decimals such as 0.1 and 12.75, exactly, as columns: no Fraction is made for each of millions."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from fractions import Fraction
from functools import cached_property
from math import gcd
from typing import Any, overload

import numpy as np
from numpy.typing import NDArray

from loopwright.model.limits import MANTISSA

DECIMAL = np.dtype([("mantissa", np.int64), ("places", np.int64)])
"""Of a number that is mantissa/10ᵖˡᵃᶜᵉˢ."""

MOST_DIGITS = 18
"""All numbers of so many digits are below 2⁶³."""
MOST_PLACES = 40
"""Random floats as Python writes them have some 17 digits behind a few zeros; more places are
nobody's, and each would cost a pass."""

TENS = [10**places for places in range(MOST_PLACES + 1)]
FIVES = np.array([5**places for places in range(28)])
"""A mantissa is below 5²⁶, so no more than these can divide it."""
EXACT_TENS = np.array([float(ten) for ten in TENS[:23]])
"""Powers of ten that are floats."""


class Decimals(Sequence[Fraction]):
    """A sequence of fractions, equal to a tuple of them, that are made where they are asked for."""

    def __init__(self, column: NDArray[Any]) -> None:
        """Of a column of `DECIMAL`, of which no mantissa could be shorter; see `of`."""
        column.flags.writeable = False
        self.column = column

    @classmethod
    def of(cls, mantissas: NDArray[np.int64], places: NDArray[np.int64]) -> Decimals:
        """Of numbers mantissa/10ᵖˡᵃᶜᵉˢ; 0.10 becomes 0.1, so that equal ones are equal in both.

        >>> Decimals.of(np.array([10, 7]), np.array([2, 0]))
        (Fraction(1, 10), Fraction(7, 1))
        """
        column = np.empty(len(mantissas), DECIMAL)
        column["mantissa"], column["places"] = mantissas, places
        long = np.flatnonzero(places)
        while len(long := long[column["mantissa"][long] % 10 == 0]):
            column["mantissa"][long] //= 10
            column["places"][long] -= 1
            long = long[column["places"][long] > 0]
        return cls(column)

    def __reduce__(self) -> Any:
        return Decimals, (self.column,)

    def __len__(self) -> int:
        return len(self.column)

    @overload
    def __getitem__(self, index: int) -> Fraction: ...
    @overload
    def __getitem__(self, index: slice) -> Decimals: ...
    def __getitem__(self, index: int | slice) -> Fraction | Decimals:
        if isinstance(index, slice):
            return Decimals(self.column[index])
        mantissa, places = self.column[index].tolist()
        return Fraction(mantissa, TENS[places])

    def __iter__(self) -> Iterator[Fraction]:
        return (Fraction(mantissa, TENS[places]) for mantissa, places in self.column.tolist())

    def __eq__(self, other: object) -> bool:
        if isinstance(other, Decimals):
            return np.array_equal(self.column, other.column)
        return tuple(self) == other

    __hash__ = None  # pyright: ignore[reportAssignmentType]

    def __repr__(self) -> str:
        return repr(tuple(self))

    def __array__(self, dtype: Any = None, copy: bool | None = None) -> NDArray[Any]:
        """The nearest floats, or, as objects, the fractions."""
        if dtype is not None and np.dtype(dtype).kind == "f":
            return self.floats.astype(dtype, copy=bool(copy))
        fractions = np.empty(len(self), object)
        fractions[:] = list(self)
        return fractions

    @cached_property
    def floats(self) -> NDArray[np.float64]:
        """The floats next to them. Of two floats that are exact the quotient is the nearest one; so
        it is, in Python, of any two whole numbers."""
        mantissas, places = self.column["mantissa"], self.column["places"]
        found = mantissas / EXACT_TENS[np.minimum(places, len(EXACT_TENS) - 1)]
        long = np.flatnonzero((mantissas >= 2**MANTISSA) | (places >= len(EXACT_TENS)))
        found[long] = [mantissa / TENS[ten] for mantissa, ten in self.column[long].tolist()]
        found.flags.writeable = False
        return found

    @property
    def unit(self) -> Fraction:
        """The largest number that all are multiples of: the mantissas' common divisor, in the
        smallest of their places."""
        mantissas, places = self.column["mantissa"], self.column["places"]
        there = np.flatnonzero(np.bincount(places)).tolist()
        of_each = (int(np.gcd.reduce(mantissas[places == one])) for one in there)
        ten = TENS[there[-1]]
        common = gcd(*(own * (ten // TENS[one]) for own, one in zip(of_each, there, strict=True)))
        return Fraction(common, ten)


def floats_or_decimals(
    mantissas: NDArray[np.int64], places: NDArray[np.int64]
) -> NDArray[np.float64] | Decimals:
    """Numbers mantissa/10ᵖˡᵃᶜᵉˢ, above 0: floats if these are exactly all of them.

    N/10ᵏ is a float just if 5ᵏ divides N, and the quotient has 53 bits, without its zeros.
    """
    fives = FIVES[np.minimum(places, len(FIVES) - 1)]
    if not (mantissas % fives).any():
        halves = mantissas // fives
        if (halves // (halves & -halves)).max(initial=0) < 2**MANTISSA:
            return np.ldexp(halves.astype(np.float64), -places)
    return Decimals.of(mantissas, places)
