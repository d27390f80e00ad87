"""What a caller names as a file → a path, or an error of the reader's or writer's own kind."""

from __future__ import annotations

from os import PathLike, fspath
from pathlib import Path

from loopwright.errors import LoopwrightError, brief


def path_of(given: str | PathLike[str], error: type[LoopwrightError]) -> Path:
    """The path that a text or a path names.

    >>> from loopwright.errors import ModelFileError
    >>> path_of("models/dijkstra.safetensors", ModelFileError).name
    'dijkstra.safetensors'

    Raises:
        LoopwrightError: of the class `error`, if it is neither, or if no file can have that name.
    """
    try:
        path = Path(fspath(given))
    except TypeError:
        raise error(
            f"a value of type {type(given).__name__} names no file: give a text or a path, as "
            "'dijkstra.safetensors'."
        ) from None
    try:
        named = b"\0" not in bytes(path)
    except UnicodeEncodeError:  # half of a character
        named = False
    if not named:
        raise error(f"no file can be called '{brief(path)}': give another path.")
    return path
