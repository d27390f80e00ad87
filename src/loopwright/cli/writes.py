"""Files that a command writes: looked at before the work, and never one that it reads."""

from __future__ import annotations

from pathlib import Path

from loopwright.cli.own_file import split_file
from loopwright.errors import LoopwrightError
from loopwright.model.files import require_writable


def require_output(out: Path, *read: str | None) -> None:
    """Whether a file can be written without the loss of one that was given as ALGORITHM or GRAPH.

    Raises:
        LoopwrightError: if it is one of those, by whatever name.
        OSError: naming the file, if it cannot be written.
    """
    require_writable(out)
    for given in filter(None, read):
        file = Path((split_file(given) or (given,))[0])
        if out.is_file() and file.is_file() and out.samefile(file):
            raise LoopwrightError(f"{out}: this is the file to read from: write to another one.")
