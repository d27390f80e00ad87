"""How jobs are timed."""

from __future__ import annotations

import gc
import time
from collections.abc import Callable, Mapping
from typing import Any, TypeVar

Row = dict[str, Any]
Report = Callable[[str], None]
Name = TypeVar("Name")
WARM_UP = 5
"""What took more seconds than this the first time is not run a second time."""


def in_turns(
    jobs: Mapping[Name, Callable[[], Any]], *, seconds: float = 0.3, most: int = 300
) -> dict[Name, float]:
    """The shortest of several runs of each job: noise only ever adds, and the first one warms up,
    unless that alone took many seconds.

    Jobs take turns, so that all of them meet the same disturbances; none takes part any longer once
    it has taken so many seconds. As in `timeit`, Python collects no garbage meanwhile: with a graph
    of NetworkX's in memory, of ten million edges, that takes a second, of whichever job it meets.
    """
    collects = gc.isenabled()
    gc.disable()
    try:
        return _in_turns(jobs, seconds, most)
    finally:
        if collects:
            gc.enable()


def _in_turns(
    jobs: Mapping[Name, Callable[[], Any]], seconds: float, most: int
) -> dict[Name, float]:
    best = dict.fromkeys(jobs, float("inf"))
    spent, runs, going = dict.fromkeys(jobs, 0.0), 0, dict(jobs)
    while going:
        runs += 1
        for name, job in [*going.items()]:
            begin = time.perf_counter()
            job()
            took = time.perf_counter() - begin
            best[name], spent[name] = min(best[name], took), spent[name] + took
            again = spent[name] < (WARM_UP if runs == 1 else seconds)
            if not again or runs >= most:
                del going[name]
    return best
