"""A number of any kind → an edge's weight: a float, or a Fraction where no float is exactly it."""

from __future__ import annotations

import re
from collections.abc import Sequence
from fractions import Fraction
from math import isfinite
from numbers import Rational, Real
from typing import Any, cast

import numpy as np
from numpy.typing import NDArray

from loopwright.errors import GraphError, brief
from loopwright.model.limits import MANTISSA
from loopwright.runtime.decimals import DECIMAL, Decimals
from loopwright.runtime.readers.caps import LONGEST_NUMBER
from loopwright.runtime.readers.number import read_number

EdgeWeights = tuple[Fraction, ...] | Decimals | NDArray[np.float64]
"""The weights of all edges: floats, or fractions where floats would not be exact; of a large file,
decimals."""

KINDS_OF_NUMBERS = "biufO"
"""NumPy's letters for arrays of bool, int, float, and any Python objects, such as fractions."""

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
            raise GraphError(f"weight {brief(weight, code=True)} is not a number.") from None
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


def column_of(weights: EdgeWeights) -> NDArray[Any]:
    """An array of the weights, to choose from and to compare; `of_column` gives them back."""
    if isinstance(weights, np.ndarray):
        return weights
    if isinstance(weights, Decimals):
        return weights.column
    column = np.empty(len(weights), object)
    column[:] = weights
    return column


def of_column(column: NDArray[Any]) -> EdgeWeights:
    if column.dtype == DECIMAL:
        return Decimals(column)
    return tuple(column.tolist()) if column.dtype == object else column


def weights_of(entries: object) -> EdgeWeights:
    """What holds the weights of all edges → floats, unless these would not be exact.

    They are not for large whole numbers, and for fractions. What floats hold is converted as a
    whole, not one by one.

    >>> weights_of([1, "1/3"]), weights_of(np.array([1, 2], dtype=np.int8))
    ((Fraction(1, 1), Fraction(1, 3)), array([1., 2.]))

    Raises:
        GraphError: if they are no list of numbers.
    """
    if isinstance(entries, Decimals):
        return entries
    if isinstance(entries, np.ndarray):
        array = cast("NDArray[Any]", entries)
        kind = array.dtype.kind
        if array.ndim != 1 or kind not in KINDS_OF_NUMBERS:
            raise GraphError(f"weights are {kind_of_array(array)}: expected a list of numbers.")
        large = kind in "iu" and np.any(np.abs(array.astype(np.float64)) >= 2.0**MANTISSA)
        if not large and kind != "O":
            return array.astype(np.float64)
        entries = array.tolist()
    if not isinstance(entries, Sequence) or isinstance(entries, str | bytes):
        raise GraphError(f"weights are of type {type(entries).__name__}: expected a list.")
    listed = cast("Sequence[Any]", entries)
    if isinstance(listed, tuple) and all(type(weight) is Fraction for weight in listed):
        return listed
    return compact([exact_weight(weight) for weight in listed])


def kind_of_array(array: NDArray[Any]) -> str:
    """An array's type and shape, for messages: what it holds would be too long."""
    return f"an array of {array.dtype} and shape {array.shape}"


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
