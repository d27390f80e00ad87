"""Arguments of public calls that are plain numbers: refused where they are none."""

from __future__ import annotations

from contextlib import suppress
from operator import index
from typing import Any

from loopwright.errors import LoopwrightError, brief


def whole_number(name: str, given: Any, *, least: int = 1) -> int:
    """The argument of this name; NumPy's whole numbers are taken as well.

    Raises:
        LoopwrightError: if it is no whole number, or less than the least.
    """
    found = None
    if not isinstance(given, bool):
        with suppress(TypeError):
            found = index(given)
    if found is None or found < least:
        raise LoopwrightError(f"{name}={brief(given)}: must be a whole number from {least} on.")
    return found
