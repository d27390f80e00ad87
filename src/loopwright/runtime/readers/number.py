"""The text of a number → a Fraction, exactly; never more work than a number is worth."""

from __future__ import annotations

import re
from fractions import Fraction

from loopwright.runtime.readers.caps import LARGEST_EXPONENT, LONGEST_NUMBER

EXPONENT = re.compile(r"[eE][+-]?([\d_]+)")


def read_number(text: str) -> Fraction:
    """A whole number, a decimal, with an exponent or without, or a fraction p/q.

    >>> read_number("0.1"), read_number("-1e3")
    (Fraction(1, 10), Fraction(-1000, 1))

    Raises:
        OverflowError: if it is longer, or its exponent larger, than any number that is meant well;
            the message says how the sentence "it …" ends, and the bound.
        ValueError: if it is no number.
    """
    if len(text) > LONGEST_NUMBER:
        raise OverflowError(
            f"has {len(text):,} characters; a number has at most {LONGEST_NUMBER:,}"
        )
    exponent = EXPONENT.search(text)
    if exponent and int(exponent[1].replace("_", "") or 0) >= LARGEST_EXPONENT:
        raise OverflowError(f"is beyond a float: exponents are below {LARGEST_EXPONENT:,}")
    try:
        return Fraction(text)
    except ZeroDivisionError:
        raise ValueError(f"{text} divides by zero") from None
