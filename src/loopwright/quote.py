"""Anything → a few printable characters of it, for an error message."""

from __future__ import annotations

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
    clipped = text[:most]
    if not clipped.isprintable():
        clipped = "".join(c if c.isprintable() else repr(c)[1:-1] for c in clipped)
    return clipped + "…" if len(text) > most else clipped
