"""`loopwright recover`: noise on the construction, training, and does it still simulate?"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import asdict, replace
from fractions import Fraction
from functools import partial
from statistics import median
from typing import TYPE_CHECKING, Annotated

import typer
from rich.table import Table

from loopwright.cli import options
from loopwright.cli.experiment import make_folder, present, provenance
from loopwright.cli.output import table
from loopwright.cli.progress import tracked
from loopwright.errors import needing
from loopwright.lab.experiments.setting import Parameters, Setting
from loopwright.model.limits import Limits

if TYPE_CHECKING:
    from loopwright.lab.experiments.basin import Basin
    from loopwright.lab.experiments.recover import Outcome


def recover(
    out: options.FigureFolder = None,
    seed: options.Seed = 0,
    repeats: Annotated[
        int, typer.Option(metavar="N", min=1, help="Draws of the noise at each level.")
    ] = 3,
    nodes: Annotated[int, typer.Option(metavar="N", min=2, help="Nodes of a random graph.")] = 6,
    largest: Annotated[
        int,
        typer.Option(
            metavar="N", min=1, help="The longest path that the weights are built for: Ω/8."
        ),
    ] = 64,
    resolution_bits: Annotated[
        int, typer.Option(metavar="N", min=0, max=40, help="ε = 2⁻ᵇⁱᵗˢ, the step between values.")
    ] = 2,
    parameters: Annotated[
        Parameters,
        typer.Option(
            help="What is trained: 'used' (weights that are not 0), 'dense' (all between the "
            "columns and units that are used), or 'all'.",
        ),
    ] = "dense",
    basin: Annotated[
        bool, typer.Option("--basin/--no-basin", help="Also noise without training, by step.")
    ] = True,
    smoke: options.Smoke = False,
    as_json: options.AsJson = False,
) -> None:
    """Add noise to the weights, train, and see what comes back.

    One layer starts at the construction plus noise, is trained, is put back, and held-out graphs
    are run. Supervision is the inputs and right outputs of the layer. Gradient descent, Adam,
    L-BFGS and a damped Newton method (Levenberg–Marquardt). A few minutes.

    For example: loopwright recover --out figures --seed 0
    """
    with needing("recover"):
        from loopwright.lab.experiments import basin as basin_experiment
        from loopwright.lab.experiments import plots
        from loopwright.lab.experiments import recover as experiment
        from loopwright.lab.experiments.optimisers import STEPS
        from loopwright.runtime.machines.torch import one_thread
    limits = Limits(nodes=nodes, largest=largest, resolution=Fraction(1, 2**resolution_bits))
    setting = Setting(limits=limits, nodes=nodes, parameters=parameters, seed=seed)
    tasks, noises, steps = experiment.TASKS, experiment.NOISES, STEPS
    subjects = basin_experiment.SUBJECTS if basin else ()
    if smoke:
        setting = replace(setting, training_graphs=4, held_out_graphs=4, rows=64)
        tasks, noises, steps = tasks[:1], (1e-7,), dict.fromkeys(STEPS, 3)
        subjects, repeats = subjects[-1:], 1
    make_folder(out)
    total = len(tasks) * len(noises) * repeats * len(steps)
    runs = experiment.sweep(setting, tasks, noises, repeats, steps)
    moves = basin_experiment.basins(setting, subjects, repeats)
    with one_thread:
        outcomes = list(tracked(runs, "recover", total))
        basins = list(tracked(moves, "basin", basin_experiment.count(subjects)))
    settings = provenance(
        seed=seed,
        repeats=repeats,
        nodes=nodes,
        omega=float(limits.constants().omega),
        epsilon=float(limits.resolution),
        parameters=parameters,
        steps=dict(steps),
        smoke=smoke,
    )
    measured = {"recovery": list(map(asdict, outcomes)), "basins": list(map(asdict, basins))}
    tables, figures = [_recoveries(outcomes)], {"recovery": partial(plots.plot_recovery, outcomes)}
    if basins:
        tables.append(_basins(basins))
        figures["basins"] = partial(plots.plot_basins, basins)
    present("recover", settings | measured, tables, figures, out=out, as_json=as_json)


def _recoveries(outcomes: Sequence[Outcome]) -> Table:
    """Loss and held-out graphs right, medians over the repeats; and the smallest distance that any
    optimiser left, as a share of the distance at the start."""
    optimisers = list(dict.fromkeys(outcome.optimiser for outcome in outcomes))
    groups: dict[tuple[str, float], dict[str, list[Outcome]]] = {}
    for outcome in outcomes:
        group = groups.setdefault((outcome.task, outcome.noise), {})
        group.setdefault(outcome.optimiser, []).append(outcome)

    def cell(losses: list[float], graphs: list[float]) -> str:
        return f"{median(losses):.0e} {median(graphs):.0%}"

    def row(task: str, noise: float, found: dict[str, list[Outcome]]) -> list[str]:
        runs = [run for name in optimisers for run in found[name]]
        left = (median(r.distance_after / r.distance_before for r in found[o]) for o in optimisers)
        return [
            task,
            f"{noise:.0e}",
            cell([run.loss_before for run in runs], [run.graphs_before for run in runs]),
            *(
                cell([run.loss_after for run in found[o]], [run.graphs_after for run in found[o]])
                for o in optimisers
            ),
            f"× {min(left):.2f}",
        ]

    return table(
        ("layer", "noise", "before", *optimisers, "distance"),
        (row(task, noise, found) for (task, noise), found in groups.items()),
        title="recovery: loss and held-out graphs right, before and after training",
    )


def _basins(basins: Sequence[Basin]) -> Table:
    found: dict[tuple[str, str], dict[str, str]] = {}
    for basin in basins:
        number = "" if basin.paper_step is None else f"({basin.paper_step}) "
        key = f"{basin.algorithm}, {basin.construction}", number + basin.step
        found.setdefault(key, {})[basin.weights] = f"{basin.holds:.0e}" if basin.holds else "–"
    return table(
        ("algorithm", "step", "used weights", "all weights"),
        ((*key, holds["used"], holds["all"]) for key, holds in found.items()),
        title="basin: the largest noise that does no harm, no training",
    )
