"""Models that tests share: to compile takes longer than to run a small graph."""

from __future__ import annotations

from functools import cache
from typing import Any

import loopwright as lw
from loopwright.algorithms import ALGORITHMS


@cache
def compiled(name: str, construction: str, **options: Any) -> lw.Model:
    """Once in each process, whatever runs on it; native code is kept with its model."""
    return lw.compile(ALGORITHMS[name](construction), **options)
