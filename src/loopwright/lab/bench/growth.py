"""How fast something grows with the number of nodes."""

from __future__ import annotations

from collections.abc import Sequence

import numpy as np

from loopwright.lab.bench.timing import Row


def power(rows: Sequence[Row], what: str) -> float:
    """The p of nᵖ that fits best, by least squares of logarithms.

    >>> round(power([{"n": 10, "seconds": 1.0}, {"n": 100, "seconds": 100.0}], "seconds"), 6)
    2.0
    """
    n, measured = ([row[name] for row in rows] for name in ("n", what))
    return float(np.polyfit(np.log(n), np.log(measured), 1)[0])
