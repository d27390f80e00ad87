"""A number of any kind → an edge's weight: a float, or a Fraction where no float is exactly it."""

from __future__ import annotations

import re
from collections.abc import Sequence
from fractions import Fraction
from math import isfinite
from numbers import Rational, Real
from typing import Any

import numpy as np
from numpy.typing import NDArray

from loopwright.errors import GraphError, brief
from loopwright.model.limits import MANTISSA
from loopwright.runtime.readers.caps import LONGEST_NUMBER
from loopwright.runtime.readers.number import read_number

EdgeWeights = tuple[Fraction, ...] | NDArray[np.float64]
"""The weights of all edges: floats, or fractions where floats would not be exact."""

SHORT_NUMBER = 20
"""A plain decimal of at most this many digits is read without `Fraction`, which is slow."""

NOT_FINITE = re.compile(r"\s*[+-]?(nan|inf|infinity)\s*", re.ASCII | re.IGNORECASE)


def exact_weight(weight: Any) -> Fraction | float:
    """The number that is given, unchanged: a float, or a Fraction where no float is exactly it.

    >>> exact_weight("0.5"), exact_weight("0.1"), exact_weight("nan")
    (0.5, Fraction(1, 10), nan)

    Raises:
        GraphError: if it is not a number, or one that a float cannot come near.
    """
    if isinstance(weight, str) and (plain := _plain_decimal(weight)) is not None:
        return plain
    if isinstance(weight, Rational):
        exact = Fraction(weight)
    elif isinstance(weight, Real):
        return float(weight)
    else:
        text = weight if isinstance(weight, str) else brief(weight, LONGEST_NUMBER)
        if NOT_FINITE.fullmatch(text):
            return float(text)
        try:
            exact = read_number(text)
        except OverflowError as problem:
            raise GraphError(f"weight {brief(text)} {problem}.") from None
        except ValueError:
            raise GraphError(f"weight {brief(repr(weight))} is not a number.") from None
    try:
        nearest = float(exact)
    except OverflowError:
        raise GraphError(f"weight {brief(weight)} is too large for a float.") from None
    if nearest == 0 and exact != 0:
        raise GraphError(f"weight {brief(weight)} is too small for a float.")
    return nearest if Fraction(nearest) == exact else exact


def _plain_decimal(text: str) -> Fraction | float | None:
    """A decimal of few digits, without sign or exponent: most of what files hold, and read fast.

    12.5 = 125/10 is the float p/q just if 125·q = 10·p, so no Fraction is made for it.
    """
    whole, _, part = text.partition(".")
    digits = whole + part
    if not (digits.isdecimal() and digits.isascii() and len(digits) <= SHORT_NUMBER):
        return None
    numerator, denominator = int(digits), 10 ** len(part)
    nearest = float(text)
    p, q = nearest.as_integer_ratio()
    return nearest if numerator * q == p * denominator else Fraction(numerator, denominator)


def compact(weights: Sequence[Fraction | float]) -> EdgeWeights:
    """An array if every weight is a float, else all as fractions.

    No fraction is infinite or nan; with one of these the array is made, for `Graph` to refuse.
    """
    if any(isinstance(weight, Fraction) for weight in weights) and all(map(isfinite, weights)):
        return tuple(Fraction(weight) for weight in weights)
    return np.array(weights, dtype=np.float64)


def common_unit(weights: NDArray[np.float64]) -> Fraction:
    """The largest number that all of these floats are multiples of.

    Each is an odd number times a power of two; so is the unit, with the least power among them.

    >>> common_unit(np.array([0.75, 6.0]))
    Fraction(3, 4)
    """
    parts, exponents = np.frexp(weights)
    whole = np.ldexp(parts, MANTISSA).astype(np.int64)
    _, trailing = np.frexp((whole & -whole).astype(np.float64))
    odd = np.gcd.reduce(whole >> (trailing - 1))
    power = int((exponents + trailing).min()) - MANTISSA - 1
    return Fraction(int(odd)) * Fraction(2) ** power
