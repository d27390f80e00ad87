"""Axes → one picture: the measured border and the certificate's, for every limit."""

# matplotlib has no complete types.
# pyright: reportUnknownMemberType=false

from __future__ import annotations

from collections.abc import Sequence
from pathlib import Path
from typing import Any

from matplotlib.figure import Figure

from loopwright.errors import LoopwrightError
from loopwright.lab.sweep.axes import Axis


def draw(title: str, axes: Sequence[Axis], path: Path) -> None:
    """Write a PNG (or SVG, by the suffix).

    Raises:
        LoopwrightError: if matplotlib does not know the suffix.
    """
    figure = Figure(figsize=(3.4 * len(axes), 3.4), layout="tight")
    panels: Any = figure.subplots(1, len(axes), squeeze=False)
    for axis, panel in zip(axes, panels[0], strict=True):
        limits = [point.limit for point in axis.points]
        allowed = [point.allowed for point in axis.points]
        measured = [point.measured for point in axis.points]
        panel.loglog(limits, measured, "o-", color="tab:red", label="breaks above")
        panel.loglog(limits, allowed, "s--", color="tab:blue", label="guaranteed below")
        panel.fill_between(limits, allowed, measured, color="0.9")
        panel.minorticks_off()
        panel.set(xlabel=axis.limit, ylabel=axis.hardness, title=axis.name)
    panels[0][0].legend(fontsize=7)
    figure.suptitle(f"{title}: where it breaks")
    try:
        figure.savefig(path, dpi=110)
    except ValueError as problem:
        raise LoopwrightError(f"{path}: {problem}.") from None
