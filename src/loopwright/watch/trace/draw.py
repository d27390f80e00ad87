"""A variable of a trace → how it changes over the layers, by matplotlib."""

# matplotlib has no complete types.
# pyright: reportUnknownMemberType=false

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

import numpy as np
from numpy.typing import NDArray

from loopwright.errors import brief
from loopwright.runtime.draw import Picture
from loopwright.runtime.graph import Label

MOST_NAMED = 40
"""Nodes that have their labels written at the side."""


def draw_variable(
    name: str, values: NDArray[Any], iterations: float, labels: Sequence[Label], unreached: float
) -> Picture:
    """A line for one number (frames), an image for one of each node (nodes × frames)."""
    figure = Picture(figsize=(8, 2.5 if values.ndim == 1 else 4.5), layout="constrained")
    panel = figure.subplots()
    moments = np.linspace(0, iterations, values.shape[-1])
    grey = ""
    if values.ndim == 1:
        panel.step(moments, values, where="post")
    else:
        reached = np.ma.masked_where(~(np.abs(values) < unreached), values)
        grey = "; grey: not reached" if np.ma.is_masked(reached) else ""
        extent = (0, iterations, len(values) - 0.5, -0.5)
        image = panel.imshow(
            reached, aspect="auto", extent=extent, cmap="viridis", interpolation="nearest"
        )
        panel.set_facecolor("0.9")
        figure.colorbar(image, ax=panel)
        if len(values) <= MOST_NAMED:
            names = [brief(label, 16) for label in labels]
            names += [f"row {row}" for row in range(len(names) + 1, len(values) + 1)]
            panel.set_yticks(range(len(values)), names, fontsize=7, parse_math=False)
    panel.set_xlabel("iteration")
    panel.set_title(f"{brief(name)}{grey}", parse_math=False)
    return figure
