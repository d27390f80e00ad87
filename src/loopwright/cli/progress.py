"""Bars on stderr for work that takes long; none where nobody watches."""

from __future__ import annotations

import time
from collections.abc import Generator
from contextlib import ExitStack, contextmanager

from rich.console import Console
from rich.progress import (
    BarColumn,
    MofNCompleteColumn,
    Progress,
    TaskID,
    TextColumn,
    TimeElapsedColumn,
    TimeRemainingColumn,
)

from loopwright.runtime.observe import Observer

SOON = 1.0
"""Seconds in which a run may end before a bar appears."""


@contextmanager
def progress_bar(what: str, total: int) -> Generator[tuple[Progress, TaskID]]:
    """A bar that is gone when the work is done."""
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
        yield bar, bar.add_task(what, total=total)


class BarIfLong(Observer):
    """A bar of the iterations done, which appears if they are not all of them soon."""

    def __init__(self, what: str, total: int) -> None:
        self.what, self.total = what, total
        self.shown: tuple[Progress, TaskID] | None = None
        self.stack = ExitStack()
        self.started = time.monotonic()

    def progress(self, iterations: int) -> None:
        if self.shown is None and time.monotonic() - self.started > SOON:
            self.shown = self.stack.enter_context(progress_bar(self.what, self.total))
        if self.shown:
            bar, task = self.shown
            bar.update(task, completed=iterations)

    def close(self) -> None:
        self.stack.close()
