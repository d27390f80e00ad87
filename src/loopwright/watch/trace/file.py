"""Which file a trace is in."""

from __future__ import annotations

from os import PathLike
from pathlib import Path
from typing import cast

from loopwright.errors import TraceError, brief


def trace_file(path: object) -> Path:
    """The path of a trace.

    Raises:
        TraceError: if no file can have it.
    """
    if not isinstance(path, str | PathLike):
        raise TraceError(f"a trace is in a file, and '{brief(path)}' is not the path of one.")
    found = Path(cast("str | PathLike[str]", path))
    try:
        named = b"\0" not in bytes(found)
    except UnicodeEncodeError:  # half of a character
        named = False
    if not named:
        raise TraceError(f"no file can be called '{brief(found)}': give another path.")
    return found
