"""What can go wrong, one class for each kind of remedy; and how to quote and to name things."""

from __future__ import annotations

from collections.abc import Generator, Iterable
from contextlib import contextmanager
from difflib import get_close_matches
from numbers import Integral
from typing import Any


class LoopwrightError(Exception):
    """Anything a user can cause and mend: the message says what, where, and the remedy."""


class ProgramError(LoopwrightError):
    """A program is malformed; names the step and the variable."""


class GraphError(LoopwrightError):
    """A graph, or the file it came from, cannot be used."""


class CapacityError(LoopwrightError):
    """A graph is sound but outside what this model was built for."""


class ModelFileError(LoopwrightError):
    """A saved model cannot be trusted: truncated, tampered with, or too new."""


class TraceError(LoopwrightError):
    """A trace cannot be written, or a file cannot be read as one."""


class FailedCheck(LoopwrightError):
    """Nothing was wrong with the input, but the run did not do what it should."""


class DidNotHalt(FailedCheck):
    """The loop passed the program's own bound on iterations."""


class MarginError(FailedCheck):
    """A run came too close to going wrong, and was stopped."""


class Divergence(FailedCheck):
    """Weights and program disagree: the first cell where they do."""


LONGEST_QUOTE = 80
"""Characters of foreign text in a message: it stays one readable line."""
MOST_LISTED = 64
"""Names that a message lists: a run of many iterations has thousands of hook points."""


def brief(value: object, most: int = LONGEST_QUOTE, *, code: bool = False) -> str:
    r"""A value as text, clipped, and with control characters spelled out.

    Labels come from files of others: one with a line break or a terminal's escape sequence must not
    be printed as it is. With `code`, the value is shown as Python writes it, text in quotes.

    >>> print(brief("a\nb"), brief("x" * 10, most=3), brief("1", code=True), brief(1, code=True))
    a\nb xxx… '1' 1
    """
    try:
        text = repr(value) if code else str(value)
    except (ValueError, RecursionError):  # a number of thousands of digits; a list in a list in …
        return f"a very large {type(value).__name__}"
    clipped = printable(text[:most])
    return clipped + "…" if len(text) > most else clipped


def printable(text: str) -> str:
    r"""The same text, with what cannot be seen spelled out.

    That is control characters, which can move the cursor, and those that turn the direction of
    writing, after which a line shows other words than it holds.

    >>> print(printable("a\x1b[2J"), printable("\u202eab"))
    a\x1b[2J \u202eab
    """
    if text.isprintable():
        return text
    return "".join(c if c.isprintable() else repr(c)[1:-1] for c in text)


def suggestion(given: object, known: Iterable[str]) -> str:
    """ " did you mean …?", if a known name is near; else nothing.

    >>> suggestion("weight", ["weights", "ones"]), suggestion("gpu", ["native"])
    (" did you mean 'weights'?", '')
    """
    near = get_close_matches(brief(given), known, 1)
    return f" did you mean '{near[0]}'?" if near else ""


def require_known(
    what: str,
    given: object,
    known: Iterable[str],
    *,
    of: str = "",
    error: type[LoopwrightError] = LoopwrightError,
) -> None:
    """Refuse what is not one of the known names or choices; name the nearest, and list them.

    >>> require_known("machine", "gpu", ("reference", "native"))
    Traceback (most recent call last):
        ...
    loopwright.errors.LoopwrightError: no machine 'gpu'; there are: reference, native.
    """
    names = tuple(known)
    if isinstance(given, str) and given in names:
        return
    listed = [*names[:MOST_LISTED], *([f"… ({len(names)})"] if len(names) > MOST_LISTED else [])]
    where, there = f" for '{of}'" if of else "", ", ".join(listed) or "none"
    near = suggestion(given, names)
    begin = f"no {what} '{brief(given)}'{where};"
    raise error(f"{begin}{near} There are: {there}." if near else f"{begin} there are: {there}.")


def require_type(
    what: str,
    given: object,
    kind: type | tuple[type, ...],
    expected: str,
    *,
    error: type[LoopwrightError] = LoopwrightError,
) -> None:
    """Refuse what is not of its type, whatever an annotation promised of it.

    >>> require_type("checked", "no", bool, "True or False")
    Traceback (most recent call last):
        ...
    loopwright.errors.LoopwrightError: checked='no': must be True or False.
    """
    if not isinstance(given, kind):
        raise error(f"{what}={brief(given, code=True)}: must be {expected}.")


EXTRAS = {
    "torch": "torch",
    "flint": "exact",
    "matplotlib": "plot",
    "pyarrow": "parquet",
    "onnx": "onnx",
    "onnxruntime": "onnx",
    "torch_geometric": "pyg",
} | dict.fromkeys(("dask", "distributed"), "cluster")
"""Module → the extra that installs it."""


@contextmanager
def needing(what: str) -> Generator[None]:
    """Say which extra to install where an import fails.

    Raises:
        LoopwrightError: in place of the ImportError.
    """
    try:
        yield
    except ImportError as problem:
        module = (problem.name or "").partition(".")[0]
        if module not in EXTRAS:
            raise
        raise LoopwrightError(
            f"{what} needs {module}: pip install 'loopwright[{EXTRAS[module]}]'."
        ) from None


def require_whole(
    what: str,
    given: Any,
    *,
    least: int = 1,
    most: int | None = None,
    error: type[LoopwrightError] = LoopwrightError,
) -> int:
    """A whole number, also one of NumPy's, as Python's own.

    >>> require_whole("max_iterations", 0)
    Traceback (most recent call last):
        ...
    loopwright.errors.LoopwrightError: max_iterations=0: must be a whole number, at least 1.
    """
    whole = type(given) is int or (type(given) is not bool and isinstance(given, Integral))
    if not whole or int(given) < least or (most is not None and int(given) > most):
        bounds = f"at least {least}" if most is None else f"from {least} to {most}"
        raise error(f"{what}={brief(given)}: must be a whole number, {bounds}.")
    return int(given)
