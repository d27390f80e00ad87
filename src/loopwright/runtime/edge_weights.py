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

LONGEST_NUMBER = 1100
"""Characters of a number: every double written out in full has fewer than 1,100."""

SHORT_NUMBER = 20
"""Digits of a decimal that is looked at without `Fraction`."""

WORDS_FOR_NO_NUMBER = frozenset({"nan", "inf", "infinity"})
EXPONENT = re.compile(r"[eE][+-]?([\d_]+)")
LARGEST_EXPONENT = 1000
"""1e999999999 is twelve characters, and as a fraction it fills the memory."""


def exact_weight(weight: Any) -> Fraction | float:
    """A number as it is: a float, or a Fraction where no float is exactly it.

    >>> exact_weight("0.5"), exact_weight("0.1")
    (0.5, Fraction(1, 10))

    Raises:
        GraphError: if it is not a number, or one that a float cannot come near.
    """
    if isinstance(weight, Rational):
        exact = Fraction(weight)
    elif isinstance(weight, Real):
        return float(weight)
    else:
        exact = _from_text(weight)
    try:
        nearest = float(exact)
    except OverflowError:
        raise GraphError(f"weight {brief(weight)} is too large for a float.") from None
    if nearest == 0 and exact != 0:
        raise GraphError(f"weight {brief(weight)} is too small for a float.")
    return nearest if Fraction(nearest) == exact else exact


def _from_text(weight: object) -> Fraction:
    text = brief(weight, LONGEST_NUMBER)
    exponent = EXPONENT.search(text)
    if exponent and int(exponent[1].replace("_", "") or 0) >= LARGEST_EXPONENT:
        raise GraphError(f"weight {brief(text)} is beyond a float.")
    try:
        return Fraction(text)
    except (ValueError, ZeroDivisionError):
        raise GraphError(f"weight {brief(repr(weight))} is not a number.") from None


def weight_from_text(text: str) -> Fraction | float:
    """A weight as a file has it; `nan` and `inf` are numbers there, if not weights.

    Plain decimals that a float holds are most of what files have, and `Fraction` is slow:
    12.5 = 125/10 is the float p/q just if 125·q = 10·p.

    Raises:
        GraphError: if it is not a number, or not positive and finite.
    """
    whole, _, part = text.partition(".")
    digits = whole + part
    if digits.isdecimal() and digits.isascii() and len(digits) <= SHORT_NUMBER:
        nearest = float(text)
        p, q = nearest.as_integer_ratio()
        if int(digits) * q == p * 10 ** len(part) and p > 0:
            return nearest
    if text.strip().lower().lstrip("+-") in WORDS_FOR_NO_NUMBER:
        return checked_weight(float(text))
    return checked_weight(text)


def checked_weight(weight: Any) -> Fraction | float:
    """A weight that an edge can have.

    Raises:
        GraphError: if it is not a number, or not positive and finite.
    """
    exact = exact_weight(weight)
    if not 0 < exact < float("inf"):
        raise GraphError(complain_about_weight(exact))
    return exact


def complain_about_weight(weight: Fraction | float) -> str:
    """Why a weight cannot be used."""
    if not isfinite(weight):
        return f"weight {weight} is not finite."
    if weight == 0:
        return (
            "weight 0 means no edge here, so it cannot be an edge's weight: leave it out, or scale."
        )
    return f"weight {brief(weight)} is negative; weights must be positive."


def as_weights(entries: NDArray[Any]) -> tuple[Fraction, ...] | NDArray[np.float64]:
    """A matrix' entries: floats, but for whole numbers so large that a float would change them.

    Raises:
        GraphError: if they are text, complex, or no numbers at all.
    """
    try:
        if np.iscomplexobj(entries):
            raise TypeError("they are complex")
        floats = entries.astype(np.float64)
    except (TypeError, ValueError, OverflowError) as problem:
        raise GraphError(f"the matrix' entries are not weights: {brief(problem)}.") from None
    if np.issubdtype(entries.dtype, np.integer) and np.any(np.abs(floats) >= 2.0**53):
        return compact([exact_weight(entry) for entry in entries.tolist()])
    return floats


def compact(weights: Sequence[Fraction | float]) -> tuple[Fraction, ...] | NDArray[np.float64]:
    """An array if every weight is a float, else all as fractions."""
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
