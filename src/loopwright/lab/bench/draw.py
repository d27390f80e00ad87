"""Measurements → a picture: nodes against time, both in powers."""

# matplotlib has no complete types.
# pyright: reportUnknownArgumentType=false, reportUnknownMemberType=false
# pyright: reportUnknownVariableType=false

from __future__ import annotations

from pathlib import Path
from typing import Any

import matplotlib.pyplot as plt

from loopwright.lab.bench.growth import power
from loopwright.lab.bench.report import LIBRARIES, by_algorithm, found_of
from loopwright.lab.bench.timing import Row


def draw(results: Row, path: Path) -> None:
    """One panel for each algorithm, whole calls as lines, the loop of the native machine dotted;
    and one for large graphs."""
    runs = results["runs"]
    algorithms = list(dict.fromkeys(row["algorithm"] for row in runs))
    count = len(algorithms) + bool(results["very_large"])
    figure, panels = plt.subplots(1, count, figsize=(4 * count, 4), sharey=True, squeeze=False)
    for panel, algorithm in zip(panels[0], algorithms, strict=False):
        _panel(panel, results, algorithm)
    if results["very_large"]:
        _large_panel(panels[0][-1], results["very_large"])
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
    for number, name in enumerate(LIBRARIES):
        listed = [(row["n"], row["total_seconds"]) for row in runs if row.get("library") == name]
        if listed:
            style = ("--", "-.", (0, (1, 1)))[number]
            panel.plot(*zip(*listed, strict=True), ls=style, color=f"C{7 + number}", label=name)
    _finish(panel, algorithm)


def _large_panel(panel: Any, rows: list[Row]) -> None:
    """Whole calls of `parallel` constructions, SciPy dashed, with the powers that fit."""
    for number, (name, own) in enumerate(by_algorithm(rows).items()):
        sizes = [row["n"] for row in own]
        grows = power(own, "total_seconds")
        whole, scipy = ([row[kind] for row in own] for kind in ("total_seconds", "scipy_seconds"))
        panel.plot(sizes, whole, "o-", color=f"C{number}", label=f"{name}: n^{grows:.2f}")
        panel.plot(sizes, scipy, "--", color=f"C{number}", label=f"{name}, scipy")
    _finish(panel, "parallel, about 10 edges a node")


def _finish(panel: Any, title: str) -> None:
    panel.set(xscale="log", yscale="log", title=title, xlabel="nodes")
    panel.grid(alpha=0.3)
    panel.legend(fontsize=7)
