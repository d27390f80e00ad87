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
from loopwright.lab.experiments.conditioning import EDGE, MATRICES, Measured
from loopwright.lab.experiments.recover import Outcome
from loopwright.lab.experiments.setting import Parameters

COLOURS = {"paper": "tab:blue", "Ω in W¹": "tab:orange", "exact flags": "tab:orange"}
LINES: dict[Parameters, str] = {"dense": "-", "used": "--", "all": ":"}

PAPERS_OMEGA = 50
"""Beyond this Ω the paper reports condition numbers above 1e16. [P App. B.4]"""


def save(figure: Figure, directory: Path, stem: str) -> list[Path]:
    """Write PNG and SVG; nothing in them depends on when or where they were made."""
    paths = [directory / f"{stem}.png", directory / f"{stem}.svg"]
    with mpl.rc_context({"svg.hashsalt": "loopwright", "svg.fonttype": "none"}):
        figure.savefig(paths[0], dpi=90, metadata={"Software": None})
        figure.savefig(paths[1], metadata={"Date": None})
    return paths


def plot_conditioning(measured: Sequence[Measured]) -> Figure:
    """The paper's figure, if-else against Ω and less-than against ε, with the paper's matrices and
    with ours; if-else with inputs that grow with Ω and with some that do not; and its four linear
    layers, each alone."""
    figure = Figure(figsize=(9, 8), layout="constrained")
    axes: Any = figure.subplots(2, 2, sharey=True)
    whole = {
        axes[0, 0]: ("if-else, inputs within ±Ω", ("if-else", "within ±Ω")),
        axes[0, 1]: ("if-else, inputs within ±1", ("if-else", "within ±1")),
        axes[1, 1]: ("less-than, inputs within ±2", ("less-than", "within ±2")),
    }
    for axis, (title, (function, inputs)) in whole.items():
        axis.set(title=title)
        for found in measured:
            if (found.curve.function, found.curve.inputs) == (function, inputs):
                plot_curve(axis, found)
        axis.plot([], [], ".", color="black", alpha=0.5, label="the same in float64")
    plot_alone(axes[1, 0], measured)
    for axis in axes.flat:
        axis.set(xscale="log", yscale="log", xlabel="Ω", ylim=(10, 1e38))
        axis.axhline(EDGE, color="black", linewidth=0.8)
        axis.grid(alpha=0.3)
        axis.legend(fontsize=9, loc="upper left", ncols=2 if axis is axes[1, 0] else 1)
    axes[1, 1].set(xlabel="ε")
    axes[1, 1].invert_xaxis()
    for axis in axes[:, 0]:
        axis.set_ylabel("condition number of the Hessian")
        axis.axvline(PAPERS_OMEGA, color="black", linewidth=0.8, linestyle=":")
        axis.annotate("the paper: > 1e16 from here", (PAPERS_OMEGA * 1.2, 2e16), fontsize=9)
    return figure


def plot_curve(axis: Any, found: Measured) -> None:
    """Plot all weights together: a line for exact arithmetic, dots for float64."""
    curve = found.curve
    at, colour = [point.at for point in found.points], COLOURS[curve.layout]
    label = f"{curve.layout}, {curve.parameters} weights"
    exact = [point.exact for point in found.points]
    axis.plot(at, exact, LINES[curve.parameters], color=colour, label=label)
    axis.plot(at, [point.float64 for point in found.points], ".", color=colour, alpha=0.5)


def plot_alone(axis: Any, measured: Sequence[Measured]) -> None:
    """Plot each linear layer of if-else alone, where it is worst: dense, inputs that grow."""
    axis.set(title="if-else, each linear layer alone\n(dense, inputs within ±Ω)")
    for found in measured:
        curve = found.curve
        if (curve.function, curve.parameters, curve.inputs) != ("if-else", "dense", "within ±Ω"):
            continue
        at = [point.at for point in found.points]
        for matrix, line in zip(MATRICES, ("-", "--", "-.", ":"), strict=True):
            alone = [point.alone[matrix] for point in found.points]
            label = f"{curve.layout}: {matrix}"
            axis.plot(at, alone, line, color=COLOURS[curve.layout], label=label)


def plot_recovery(outcomes: Sequence[Outcome]) -> Figure:
    """One column a layer: the loss; the share of the distance to the construction that is left
    (dashed: of its part in directions that the loss sees); and what users notice."""
    tasks = list(dict.fromkeys(outcome.task for outcome in outcomes))
    optimisers = list(dict.fromkeys(outcome.optimiser for outcome in outcomes))
    figure = Figure(figsize=(2.7 * len(tasks), 8), layout="constrained")
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
    shown = axes[0, 0].get_legend_handles_labels()
    figure.legend(*shown, loc="outside upper center", ncols=1 + len(optimisers))
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
