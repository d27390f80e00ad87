"""Bars on stderr for work that takes long; none where nobody watches."""

from __future__ import annotations

import time
from collections.abc import Callable, Generator
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


@contextmanager
def bar_if_long(what: str, total: int) -> Generator[Callable[[int], None]]:
    """What to call with how much is done; a bar appears if that is not all of it soon."""
    begin = time.monotonic()
    with ExitStack() as stack:
        shown: list[tuple[Progress, TaskID]] = []

        def progress(done: int) -> None:
            if not shown and time.monotonic() - begin > SOON:
                shown.append(stack.enter_context(progress_bar(what, total)))
            for bar, task in shown:
                bar.update(task, completed=done)

        yield progress
