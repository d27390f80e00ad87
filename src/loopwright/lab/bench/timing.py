"""How a job is timed."""

from __future__ import annotations

import time
from collections.abc import Callable
from typing import Any

Row = dict[str, Any]
Report = Callable[[str], None]


def best_of(job: Callable[[], Any], *, seconds: float = 0.3, most: int = 20) -> float:
    """The shortest of several runs: noise only ever adds, and the first one warms up."""
    best, spent, runs = float("inf"), 0.0, 0
    while runs == 0 or (runs == 1 < most and spent < 2) or (spent < seconds and runs < most):
        begin = time.perf_counter()
        job()
        took = time.perf_counter() - begin
        best, spent, runs = min(best, took), spent + took, runs + 1
    return best
