"""Bars on stderr for work that takes long; none where nobody watches."""

from __future__ import annotations

import time
from collections.abc import Callable, Generator, Iterable, Iterator
from contextlib import ExitStack, contextmanager
from functools import partial
from pathlib import Path
from typing import TypeVar

from rich.console import Console
from rich.markup import escape
from rich.progress import (
    BarColumn,
    MofNCompleteColumn,
    Progress,
    TextColumn,
    TimeElapsedColumn,
    TimeRemainingColumn,
)

from loopwright.errors import printable
from loopwright.runtime.observe import Observer

SOON = 1.0
"""Seconds in which a run may end before a bar appears."""
Item = TypeVar("Item")
Advance = Callable[..., None]
"""Moves a bar on by one step, or by as many as are given."""


@contextmanager
def progress_bar(what: str, total: int) -> Generator[Advance]:
    """Show a bar until the work is done; whoever does it calls what is yielded after every step."""
    console = Console(stderr=True)
    with Progress(
        TextColumn("{task.description}"),
        BarColumn(),
        MofNCompleteColumn(),
        TimeElapsedColumn(),
        TimeRemainingColumn(),
        console=console,
        transient=True,
        disable=not console.is_terminal,
    ) as bar:
        yield partial(bar.advance, bar.add_task(what, total=total))


def tracked(items: Iterable[Item], what: str, total: int) -> Iterator[Item]:
    """Hand on the items, beside a bar that moves whenever the next one is asked for."""
    with progress_bar(what, total) as advance:
        for item in items:
            yield item
            advance()


LARGE = 2**22
"""Bytes of a file that takes a while to read."""


@contextmanager
def reading(path: str) -> Generator[None]:
    """Say on stderr that a large file is being read, and how large it is."""
    try:
        size = Path(path).stat().st_size
    except (OSError, ValueError):
        size = 0  # whoever reads it says what is wrong
    if size < LARGE:
        yield
        return
    with Console(stderr=True).status(f"reading {escape(printable(path))}, {size / 1e6:,.0f} MB"):
        yield


class BarIfLong(Observer):
    """Shows a bar of the iterations done, unless the run ends soon."""

    def __init__(self, what: str, total: int) -> None:
        self.what, self.total = what, total
        self.advance: Advance | None = None
        self.shown = 0
        self.stack = ExitStack()
        self.started = time.monotonic()

    def progress(self, iterations: int) -> None:
        if self.advance is None and time.monotonic() - self.started > SOON:
            self.advance = self.stack.enter_context(progress_bar(self.what, self.total))
        if self.advance:
            self.advance(iterations - self.shown)
            self.shown = iterations

    def close(self) -> None:
        self.stack.close()
