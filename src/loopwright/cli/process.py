"""The process that a command runs in: Ctrl-C at any moment, and output that nobody can read."""

from __future__ import annotations

import io
import os
import signal
import sys
import threading
from collections.abc import Generator
from contextlib import contextmanager, suppress
from typing import Any, NoReturn, cast

from loopwright.errors import LoopwrightError

INTERRUPTED, CLOSED_PIPE = 130, 141
"""Exit codes: 128 and the number of the signal, as shells have it, for Ctrl-C (SIGINT), and where
whoever read the output went away (SIGPIPE), as `head` does. The latter is no failure to tell."""


def complain(line: str) -> None:
    """Print one line on stderr, if there is one."""
    if sys.stderr is not None:  # pyright: ignore[reportUnnecessaryComparison]  # None for 2>&-
        with suppress(OSError):
            print(line, file=sys.stderr, flush=True)


# ── Ctrl-C ──────────────────────────────────────────────────────────────────────────────────────


def interrupted() -> int:
    """Say so, once, and return the code to exit with."""
    complain("loopwright: interrupted")
    return INTERRUPTED


def end_at_once(*_: object) -> NoReturn:
    """What Ctrl-C does where nobody would catch an exception."""
    os._exit(interrupted())


@contextmanager
def ending_at_once() -> Generator[None]:
    """Ctrl-C ends the process without an exception.

    For imports: there, an exception may come up in a callback that nobody catches it from, or
    become an ImportError.
    """
    if not _is_ours():
        yield
        return
    signal.signal(signal.SIGINT, end_at_once)
    try:
        yield
    finally:
        signal.signal(signal.SIGINT, signal.default_int_handler)


def raise_from_now_on() -> None:
    """Ctrl-C is an exception again, as whoever calls this catches it."""
    if _is_ours():
        signal.signal(signal.SIGINT, signal.default_int_handler)


def end_at_once_from_now_on() -> None:
    """Ctrl-C ends the process without an exception until it is over, which takes Python a while."""
    if _is_ours():
        signal.signal(signal.SIGINT, end_at_once)


def _is_ours() -> bool:
    """Whether Ctrl-C does here what it does in Python, or what we made of that: under `nohup` it
    does not."""
    main = threading.current_thread() is threading.main_thread()
    return main and signal.getsignal(signal.SIGINT) in (signal.default_int_handler, end_at_once)


# ── output ──────────────────────────────────────────────────────────────────────────────────────


def require_output() -> None:
    """There must be a place to print to; what its encoding lacks is then printed as `\\u2192`.

    Raises:
        LoopwrightError: if standard output is closed.
    """
    if sys.stdout is None:  # pyright: ignore[reportUnnecessaryComparison]  # None for >&-
        raise LoopwrightError(
            "standard output is closed: send it to /dev/null if nobody is to read it."
        )
    out: object = sys.stdout
    if isinstance(out, io.TextIOWrapper):
        cast("io.TextIOWrapper[Any]", out).reconfigure(errors="backslashreplace")


def abandon_output() -> None:
    """Forget what could not be printed: else Python would try again at the end, and complain."""
    with suppress(OSError):
        nowhere = os.open(os.devnull, os.O_WRONLY)
        os.dup2(nowhere, sys.stdout.fileno())
