"""Measurements → a picture: nodes against time, both in powers."""

# matplotlib has no complete types.
# pyright: reportUnknownArgumentType=false, reportUnknownMemberType=false
# pyright: reportUnknownVariableType=false

from __future__ import annotations

from pathlib import Path
from typing import Any

import matplotlib.pyplot as plt

from loopwright.lab.bench.report import LIBRARIES, Row, found_of


def draw(results: Row, path: Path) -> None:
    """One panel for each algorithm: whole calls as lines, the loop of the native machine dotted."""
    runs = results["runs"]
    algorithms = list(dict.fromkeys(row["algorithm"] for row in runs))
    figure, panels = plt.subplots(
        1, len(algorithms), figsize=(4 * len(algorithms), 4), sharey=True, squeeze=False
    )
    for panel, algorithm in zip(panels[0], algorithms, strict=True):
        _panel(panel, results, algorithm)
    panels[0][0].set_ylabel("seconds")
    figure.tight_layout()
    figure.savefig(path, dpi=120)
    plt.close(figure)


def _panel(panel: Any, results: Row, algorithm: str) -> None:
    runs = [row for row in results["runs"] if row["algorithm"] == algorithm]
    sizes = sorted({row["n"] for row in runs})
    kinds = list(dict.fromkeys(row["construction"] for row in runs if "construction" in row))
    for number, kind in enumerate(kinds):
        found = [found_of(results, algorithm, kind, n).get("native") for n in sizes]
        whole = [(n, row["total_seconds"]) for n, row in zip(sizes, found, strict=True) if row]
        loop = [(n, row["seconds"]) for n, row in zip(sizes, found, strict=True) if row]
        panel.plot(*zip(*whole, strict=True), "o-", color=f"C{number}", label=f"{kind}, whole call")
        panel.plot(*zip(*loop, strict=True), ":", color=f"C{number}", label=f"{kind}, loop")
    for row in results["very_large"]:
        if row["algorithm"] == algorithm:
            panel.plot(row["n"], row["total_seconds"], "s", color="C3")
    for number, name in enumerate(LIBRARIES):
        listed = [(row["n"], row["total_seconds"]) for row in runs if row.get("library") == name]
        if listed:
            style = ("--", "-.", (0, (1, 1)))[number]
            panel.plot(*zip(*listed, strict=True), ls=style, color=f"C{7 + number}", label=name)
    panel.set(xscale="log", yscale="log", title=algorithm, xlabel="nodes")
    panel.grid(alpha=0.3)
    panel.legend(fontsize=7)
