"""Axes → one picture: the measured border and the certificate's, for every limit."""

# matplotlib has no complete types.
# pyright: reportUnknownMemberType=false, reportUnknownLambdaType=false

from __future__ import annotations

from collections.abc import Sequence
from math import ceil, log10
from pathlib import Path
from typing import Any

from matplotlib.figure import Figure
from matplotlib.ticker import LogLocator, NullFormatter, NullLocator

from loopwright.errors import LoopwrightError
from loopwright.lab.sweep.axes import Axis
from loopwright.model.files import require_writable

COLUMNS = 3
"""How many panels stand side by side: as many as can be read at the width of a page."""
PANEL = 3.0
"""The width and the height of a panel, in inches."""


def require_drawable(path: Path) -> None:
    """Whether a picture can be written here, before there is one.

    Raises:
        LoopwrightError: if matplotlib does not know the suffix.
        OSError: naming the file, if it cannot be written.
    """
    known = Figure().canvas.get_supported_filetypes()
    if path.suffix.lower().removeprefix(".") not in known:
        there = ", ".join(known)
        raise LoopwrightError(f"{path}: pictures have one of the suffixes {there}.")
    require_writable(path)


def draw(title: str, axes: Sequence[Axis], path: Path) -> None:
    """Write a PNG (or SVG, by the suffix)."""
    picture(title, axes).savefig(path, dpi=110)


def picture(title: str, axes: Sequence[Axis]) -> Figure:
    """One panel for each limit, and one legend for all."""
    columns = min(COLUMNS, len(axes))
    rows = ceil(len(axes) / columns)
    figure = Figure(figsize=(PANEL * columns, PANEL * rows + 0.8), layout="constrained")
    panels: Any = figure.subplots(rows, columns, squeeze=False)
    for axis, panel in zip(axes, panels.flat, strict=False):
        draw_axis(axis, panel)
    for panel in panels.flat[len(axes) :]:
        panel.set_axis_off()
    handles, labels = panels[0, 0].get_legend_handles_labels()
    figure.legend(handles, labels, loc="outside lower center", ncols=columns)
    figure.suptitle(f"{title}: where it breaks")
    return figure


def draw_axis(axis: Axis, panel: Any) -> None:
    """Draw one limit: red is the last run that was right, blue the last that is guaranteed."""
    limits = [point.limit for point in axis.points]
    allowed = [point.allowed for point in axis.points]
    measured = [point.measured for point in axis.points]
    panel.loglog(limits, measured, "o-", color="tab:red", label="right up to here")
    panel.loglog(limits, allowed, "s--", color="tab:blue", label="guaranteed up to here")
    panel.fill_between(limits, allowed, measured, color="0.9", label="right, not guaranteed")
    set_ticks(panel.xaxis, limits)
    set_ticks(panel.yaxis, [*allowed, *measured])
    panel.grid(alpha=0.3)
    panel.set(xlabel=axis.limit, ylabel=axis.hardness, title=axis.name)


def set_ticks(side: Any, values: Sequence[float]) -> None:
    """Label a few powers of ten; below two decades also 2 and 5 times these, as plain numbers, for
    a side might have a single power of ten or none."""
    decades = log10(max(values) / min(values))
    if decades < 2:
        side.set_major_locator(LogLocator(subs=(1, 2, 5)))
        side.set_major_formatter(lambda value, _: f"{value:g}")
        side.set_minor_locator(NullLocator())
    else:
        side.set_major_locator(LogLocator(numticks=5))
        side.set_minor_formatter(NullFormatter())
