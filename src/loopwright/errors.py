"""What can go wrong, one class for each kind of remedy; and how foreign text is quoted."""

from __future__ import annotations


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


def brief(value: object, most: int = LONGEST_QUOTE) -> str:
    r"""A value as text, clipped, and with control characters spelled out.

    Labels come from files of others: one with a line break or a terminal's escape sequence must not
    be printed as it is.

    >>> print(brief("a\nb"), brief("x" * 10, most=3))
    a\nb xxx…
    """
    try:
        text = str(value)
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
