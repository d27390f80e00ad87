"""Measurements → figures, PNG and SVG. Needs matplotlib; opens no window."""

# torch, matplotlib and pyarrow have no complete types.
# pyright: reportUnknownMemberType=false

from __future__ import annotations

from collections.abc import Callable, Sequence
from pathlib import Path
from statistics import median
from typing import Any

import matplotlib as mpl
from matplotlib.figure import Figure

from loopwright.lab.experiments.basin import ALL_STEPS, LEVELS, Basin
from loopwright.lab.experiments.conditioning import EDGE, Measured
from loopwright.lab.experiments.recover import Outcome
from loopwright.lab.experiments.setting import Parameters

COLOURS = {"paper": "tab:blue", "exact flags": "tab:orange"}
LINES: dict[Parameters, str] = {"dense": "-", "used": "--", "all": ":"}


def save(figure: Figure, directory: Path, stem: str) -> list[Path]:
    """Write PNG and SVG; nothing in them depends on when or where they were made."""
    paths = [directory / f"{stem}.png", directory / f"{stem}.svg"]
    with mpl.rc_context({"svg.hashsalt": "loopwright", "svg.fonttype": "none"}):
        figure.savefig(paths[0], dpi=90, metadata={"Software": None})
        figure.savefig(paths[1], metadata={"Date": None})
    return paths


def plot_conditioning(measured: Sequence[Measured]) -> Figure:
    """The paper's figure: if-else against Ω on the left, less-than against ε on the right."""
    figure = Figure(figsize=(10, 4.2), layout="constrained")
    axes: Any = figure.subplots(1, 2, sharey=True)
    for found in measured:
        curve = found.curve
        axis = axes[0] if curve.function == "if-else" else axes[1]
        flat = curve.inputs == "within ±1"
        colour = "tab:grey" if flat else COLOURS[curve.formula]
        at = [point.at for point in found.points]
        exact = [point.exact for point in found.points]
        axis.plot(at, exact, LINES[curve.parameters], color=colour, label=curve.label)
        axis.plot(at, [point.float64 for point in found.points], ".", color=colour, alpha=0.5)
    for axis, title, name in zip(axes, ("if-else", "less-than"), ("Ω", "ε"), strict=True):
        axis.set(title=title, xlabel=name, xscale="log", yscale="log")
        axis.axhline(EDGE, color="black", linewidth=0.8)
        axis.plot([], [], ".", color="black", alpha=0.5, label="the same in float64")
        axis.grid(alpha=0.3)
        axis.legend(fontsize=8, loc="upper left")
    axes[0].axvline(50, color="black", linewidth=0.8, linestyle=":")
    axes[0].annotate("the paper's Ω = 50, > 1e16", (55, 1e18), fontsize=8)
    axes[0].set_ylabel("condition number of the Hessian")
    axes[0].set_ylim(10, 1e28)
    axes[1].invert_xaxis()
    return figure


def plot_recovery(outcomes: Sequence[Outcome]) -> Figure:
    """One column a layer: the loss; the share of the distance to the construction that is left
    (dashed: of its part in directions that the loss sees); and what users notice."""
    tasks = list(dict.fromkeys(outcome.task for outcome in outcomes))
    optimisers = list(dict.fromkeys(outcome.optimiser for outcome in outcomes))
    figure = Figure(figsize=(3.6 * len(tasks), 8), layout="constrained")
    axes: Any = figure.subplots(3, len(tasks), sharex=True, sharey="row", squeeze=False)
    for task, (losses, distances, graphs) in zip(tasks, axes.T, strict=True):
        for i, name in enumerate(optimisers):
            runs = [run for run in outcomes if (run.task, run.optimiser) == (task, name)]
            if i == 0:
                draw(losses, runs, lambda run: run.loss_before, ":", "black", "before")
                draw(graphs, runs, lambda run: run.graphs_before, ":", "black")
            draw(losses, runs, lambda run: run.loss_after, ".-", f"C{i}", name)
            draw(
                distances, runs, lambda run: run.distance_after / run.distance_before, ".-", f"C{i}"
            )
            draw(distances, runs, lambda run: run.seen_after / run.seen_before, ".--", f"C{i}")
            draw(graphs, runs, lambda run: run.graphs_after, ".-", f"C{i}")
        losses.set(title=task, xscale="log", yscale="log")
        distances.set(yscale="log")
        graphs.set(xlabel="noise on the construction", ylim=(-0.05, 1.05))
    for row, name in zip(axes, ("loss", "distance left", "held-out graphs right"), strict=True):
        row[0].set_ylabel(name)
        for axis in row:
            axis.grid(alpha=0.3)
    axes[0, 0].legend(fontsize=8)
    return figure


def draw(
    axis: Any,
    runs: Sequence[Outcome],
    value: Callable[[Outcome], float],
    style: str,
    colour: str,
    label: str | None = None,
) -> None:
    """Plot the median over repeats against the noise."""
    noises = sorted({run.noise for run in runs})
    middle = [median(value(run) for run in runs if run.noise == at) for at in noises]
    axis.plot(noises, middle, style, color=colour, label=label)


def plot_basins(basins: Sequence[Basin]) -> Figure:
    """One panel an algorithm; for each step a mark where noise begins to matter."""
    subjects: dict[str, list[Basin]] = {}
    for basin in basins:
        subjects.setdefault(f"{basin.algorithm}, {basin.construction}", []).append(basin)
    sizes = [len(here) for here in subjects.values()]
    figure = Figure(figsize=(8, 0.12 * sum(sizes) + 0.6 * len(sizes)), layout="constrained")
    axes: Any = figure.subplots(len(sizes), sharex=True, squeeze=False, height_ratios=sizes)
    marks = {"used": ("o", "tab:blue"), "all": ("x", "tab:red")}
    for (title, here), axis in zip(subjects.items(), axes[:, 0], strict=True):
        steps = list(dict.fromkeys(basin.step for basin in here))
        for weights, (mark, colour) in marks.items():
            chosen = [basin for basin in here if basin.weights == weights]
            at = [basin.holds or LEVELS[0] / 10 for basin in chosen]
            rows = [steps.index(basin.step) for basin in chosen]
            axis.plot(at, rows, mark, color=colour, label=f"noise on {weights} weights")
        axis.set(title=title, xscale="log", ylim=(len(steps) - 0.4, -0.6))
        axis.set_yticks(range(len(steps)), steps, fontsize=7)
        axis.get_yticklabels()[steps.index(ALL_STEPS)].set_fontweight("bold")
        axis.grid(alpha=0.3)
    axes[0, 0].legend(fontsize=8)
    axes[-1, 0].set_xlabel("largest noise that does no harm (leftmost: none that was tried)")
    return figure
