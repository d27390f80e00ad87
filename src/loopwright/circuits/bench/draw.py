"""One picture of the benchmark: which methods find a loop's circuit, and which do not."""

# matplotlib has no complete types.
# pyright: reportUnknownMemberType=false, reportUnknownVariableType=false
# pyright: reportUnknownArgumentType=false

from __future__ import annotations

from pathlib import Path

import matplotlib as mpl
import numpy as np
from matplotlib.figure import Figure

from loopwright.circuits.bench.run import Row

COLOURS = ("#999999", "#0072b2", "#d55e00", "#009e73", "#cc79a7")
READINGS = (("axes", "#999999"), ("probe", "#0072b2"), ("dictionary", "#d55e00"))


def draw(rows: list[Row], path: Path) -> None:
    """Left, edges: AUROC of each method. Right, the residual stream: what can be read from it."""
    figure = Figure(figsize=(11, 4.4), layout="constrained")
    left, right = figure.subplots(1, 2, sharey=True, width_ratios=(3, 2))
    places = np.arange(len(rows))[::-1]
    methods = list(rows[0]["methods"])
    for name, colour, marker in zip(methods, COLOURS, "ox^sD", strict=True):
        values = [row["methods"][name]["auroc"] for row in rows]
        left.plot(values, places, marker, color=colour, label=name, markersize=7, alpha=0.85)
    left.axvline(0.5, color="#cccccc", zorder=0)
    left.set_xlim(0.35, 1.02)
    left.set_xlabel("AUROC over edges (0.5: chance)")
    left.set_yticks(places, [row["task"] for row in rows])
    for (name, colour), marker in zip(READINGS, "ox^", strict=True):
        values = [row["stream"][name] for row in rows]
        right.plot(values, places, marker, color=colour, label=name, markersize=7, alpha=0.85)
    right.set_xlim(-0.05, 1.05)
    right.set_xlabel("variables: R² (axes, probe), cosine (dictionary)")
    for axes in (left, right):
        axes.grid(axis="y", color="#eeeeee")
        axes.legend(loc="upper center", bbox_to_anchor=(0.5, 1.14), ncols=5, frameon=False)
    with mpl.rc_context({"svg.hashsalt": "loopwright"}):
        figure.savefig(path, dpi=150, metadata={"Software": None})
