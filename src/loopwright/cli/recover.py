"""`loopwright recover`: noise on the construction, training, and does it still simulate?"""

from __future__ import annotations

from dataclasses import asdict
from fractions import Fraction
from statistics import median
from typing import TYPE_CHECKING, Annotated, Any

import typer
from rich.console import Console
from rich.table import Table

from loopwright.cli.experiment import (
    OutputFolder,
    Seed,
    Smoke,
    make_folder,
    needing,
    provenance,
    write_json,
)
from loopwright.cli.options import AsJson, print_json
from loopwright.cli.progress import progress_bar
from loopwright.errors import LoopwrightError
from loopwright.model.limits import Limits

if TYPE_CHECKING:
    from collections.abc import Sequence

    from loopwright.lab.experiments.basin import Basin
    from loopwright.lab.experiments.recover import Outcome
    from loopwright.lab.experiments.selection import Parameters

NOTHING_FOUND = "–"


def recover(
    out: OutputFolder = None,
    seed: Seed = 0,
    repeats: Annotated[int, typer.Option(min=1, help="Draws of the noise at each level.")] = 3,
    nodes: Annotated[int, typer.Option(min=2, help="Nodes of a random graph.")] = 6,
    largest: Annotated[
        int, typer.Option(min=1, help="The longest path that the weights are built for: Ω/8.")
    ] = 64,
    resolution_bits: Annotated[
        int, typer.Option(min=0, max=40, help="ε = 2⁻ᵇⁱᵗˢ, the step between values.")
    ] = 2,
    parameters: Annotated[
        str,
        typer.Option(
            metavar="SET",
            help="What is trained: 'used' (weights that are not 0), 'dense' (all between the "
            "columns and units that are used), or 'all'.",
        ),
    ] = "dense",
    basin: Annotated[
        bool, typer.Option("--basin/--no-basin", help="Also noise without training, by step.")
    ] = True,
    smoke: Smoke = False,
    as_json: AsJson = False,
) -> None:
    """Start at the construction plus noise, train one layer, put it back, run held-out graphs.

    Supervision is the inputs and right outputs of the layer. Gradient descent, Adam, L-BFGS and a
    damped Newton method (Levenberg–Marquardt). A few minutes. For example:
    loopwright recover --out figures --seed 0
    """
    with needing("recover"):
        from loopwright.lab.experiments import basin as basin_experiment
        from loopwright.lab.experiments import plots
        from loopwright.lab.experiments import recover as experiment
        from loopwright.lab.experiments.optimisers import OPTIMISERS, STEPS
        from loopwright.runtime.machines.torch import one_thread
    setting = experiment.Setting(
        limits=Limits(nodes=nodes, largest=largest, resolution=Fraction(1, 2**resolution_bits)),
        nodes=nodes,
        parameters=_parameters(parameters),
        seed=seed,
        training_graphs=4 if smoke else 16,
        held_out_graphs=4 if smoke else 16,
        rows=64 if smoke else 256,
    )
    if out:
        make_folder(out)
    tasks = experiment.TASKS[:1] if smoke else experiment.TASKS
    noises = (1e-7,) if smoke else experiment.NOISES
    steps = {name: 3 for name in OPTIMISERS} if smoke else STEPS
    subjects = (("bfs", "compact"),) if smoke else basin_experiment.SUBJECTS
    repeats = 1 if smoke else repeats
    total = len(tasks) * len(noises) * repeats * len(steps)
    with one_thread, progress_bar("recover", total) as (bar, line):
        outcomes = list(
            experiment.sweep(
                setting,
                tasks=tasks,
                noises=noises,
                repeats=repeats,
                steps=steps,
                progress=lambda: bar.advance(line),
            )
        )
    basins: list[Basin] = []
    if basin:
        with one_thread, progress_bar("basin", basin_experiment.count(subjects)) as (bar, line):
            basins += basin_experiment.basins(
                setting, subjects=subjects, repeats=repeats, progress=lambda: bar.advance(line)
            )
    report: dict[str, Any] = provenance(
        seed=seed,
        repeats=repeats,
        nodes=nodes,
        omega=float(setting.limits.constants().omega),
        epsilon=float(setting.limits.resolution),
        parameters=parameters,
        steps=dict(steps),
        smoke=smoke,
    ) | {"recovery": [asdict(o) for o in outcomes], "basins": [asdict(b) for b in basins]}
    if out:
        write_json(out / "recover.json", report)
        plots.save(plots.plot_recovery(outcomes), out, "recovery")
        if basins:
            plots.save(plots.plot_basins(basins), out, "basins")
    if as_json:
        print_json(report)
        return
    Console().print(_recovery_table(outcomes))
    if basins:
        Console().print(_basin_table(basins))
    if out:
        written = ["recover.json", "recovery.png", "recovery.svg"]
        written += ["basins.png", "basins.svg"] if basins else []
        print(f"Written to {out}: {', '.join(written)}.")


def _parameters(name: str) -> Parameters:
    from loopwright.lab.experiments.selection import PARAMETERS

    for known in PARAMETERS:
        if name == known:
            return known
    raise LoopwrightError(f"no parameters '{name}'; there are: {', '.join(PARAMETERS)}.")


def _recovery_table(outcomes: Sequence[Outcome]) -> Table:
    """Loss and held-out graphs right, medians over the repeats; and the smallest distance that any
    optimiser left, as a share of the distance at the start."""
    optimisers = list(dict.fromkeys(outcome.optimiser for outcome in outcomes))
    table = Table(
        *("layer", "noise", "before", *optimisers, "distance"),
        title="recovery: loss and held-out graphs right, before and after training",
    )
    groups: dict[tuple[str, float], list[Outcome]] = {}
    for outcome in outcomes:
        groups.setdefault((outcome.task, outcome.noise), []).append(outcome)
    for (task, noise), runs in groups.items():
        before = _cell([(run.loss_before, run.graphs_before) for run in runs])
        after = [
            _cell([(run.loss_after, run.graphs_after) for run in runs if run.optimiser == name])
            for name in optimisers
        ]
        nearest = min(
            median(
                run.distance_after / run.distance_before for run in runs if run.optimiser == name
            )
            for name in optimisers
        )
        table.add_row(task, f"{noise:.0e}", before, *after, f"× {nearest:.2f}")
    return table


def _cell(found: Sequence[tuple[float, float]]) -> str:
    loss, graphs = (median(values) for values in zip(*found, strict=True))
    return f"{loss:.0e} {graphs:.0%}"


def _basin_table(basins: Sequence[Basin]) -> Table:
    heads = ("algorithm", "step", "used weights", "all weights")
    table = Table(*heads, title="basin: the largest noise that does no harm, no training")
    found: dict[tuple[str, str], dict[str, float]] = {}
    for basin in basins:
        number = "" if basin.paper_step is None else f"({basin.paper_step}) "
        key = f"{basin.algorithm}, {basin.construction}", number + basin.step
        found.setdefault(key, {})[basin.weights] = basin.holds
    for (algorithm, step), holds in found.items():
        levels = [f"{holds[w]:.0e}" if holds[w] else NOTHING_FOUND for w in ("used", "all")]
        table.add_row(algorithm, step, *levels)
    return table
