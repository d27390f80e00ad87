"""Trace → X where the page begins, and of every layer after it the cells that it changes."""

from __future__ import annotations

from dataclasses import dataclass, field
from itertools import islice
from typing import Any

import numpy as np
from numpy.typing import NDArray

from loopwright.errors import LoopwrightError
from loopwright.model.description import JSON
from loopwright.runtime.encode import Array
from loopwright.viewer.record import as_number
from loopwright.watch.monitor import TURNS, MarginsOf
from loopwright.watch.trace import Trace
from loopwright.watch.trace.format import frame_number

MOST_FRAMES = 20_000
"""How many layers a page shows: the paper's Dijkstra on 16 nodes has 4,352."""

MOST_CHANGES = 2**20
"""How many changes of cells a page holds: some 8 MB, which a browser opens in two seconds."""

MOST_MEASURED = 2**28
"""How many scores, and cells a hundred times, are looked at for margins: some ten seconds."""

DIGITS = 3
"""Of margins, which need no more, and are the same from one iteration to the next then."""


@dataclass
class Frames:
    """A run as far as a page shows it. Frames are numbered as layers run: 0 is X₀."""

    before: int
    """The number of the frame before the first."""
    last: int
    start: list[JSON]
    """Columns, rows and values of the cells that are not 0 before the first frame."""
    changes: list[list[JSON]] = field(default_factory=list[list[JSON]])
    """Number of a frame, then column, row and new value of each cell that changed."""
    margins: list[list[JSON]] = field(default_factory=list[list[JSON]])
    """Number of a frame, and its margins, where the layer last had others …"""
    measured: int = 0
    """… up to this frame."""


def frames_of(trace: Trace, *, start: int = 1, measure: MarginsOf | None = None) -> Frames:
    """The frames from an iteration on, as many as a page can hold; with margins, if these are to
    be measured.

    Raises:
        LoopwrightError: if the run did not come so far.
    """
    layers = len(trace.layers)
    if start > max(1, trace.iterations):
        raise LoopwrightError(f"start={start}: the run ended after {trace.iterations} iterations.")
    x = floats(trace.start.x if start == 1 else trace[start - 1, -1].x)
    before = frame_number(start, 0, layers) - 1
    found = Frames(before, before, cells(x, x != 0))
    last_margins: dict[int, list[JSON]] = {}
    changes = work = 0
    for frame in islice(trace.since(start) if len(trace) else (), MOST_FRAMES):
        after = floats(frame.x)
        changed = cells(after, ~((after == x) | ((after != after) & (x != x))))
        changes += len(changed) // 3
        if changes > MOST_CHANGES:
            break
        found.last = frame_number(frame.iteration, frame.layer, layers)
        if changed:
            found.changes.append([found.last, *changed])
        heads = len(trace.layers[frame.layer]["heads"])
        work += len(x) * (len(x) * heads + 100)
        finite = bool(np.isfinite(x).all() and np.isfinite(after).all())
        if measure is not None and work <= MOST_MEASURED and finite:
            found.measured = found.last
            margins = shortened(measure.layer(frame.layer, x, after))
            if last_margins.get(frame.layer) != margins:
                last_margins[frame.layer] = margins
                found.margins.append([found.last, *margins])
        x = after
    return found


def floats(x: Array) -> NDArray[np.float64]:
    """X as the page has it: a browser has no fractions."""
    return np.asarray(x, np.float64)


def cells(x: NDArray[np.float64], chosen: NDArray[np.bool_]) -> list[JSON]:
    """Column, row and value, one after the other; by columns, which are alike inside."""
    columns, rows = np.nonzero(chosen.T)
    listed: list[JSON] = []
    for column, row in zip(columns.tolist(), rows.tolist(), strict=True):
        listed += [column, row, as_number(x[row, column])]
    return listed


def shortened(margins: Any) -> list[JSON]:
    """To a few digits; null where there was nothing to tell apart."""
    numbers = (getattr(margins, name) for name in TURNS)
    return [float(f"{number:.{DIGITS}g}") if np.isfinite(number) else None for number in numbers]
