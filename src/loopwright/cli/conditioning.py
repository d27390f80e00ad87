"""`loopwright conditioning`: how ill-conditioned is the loss around the constructed weights?"""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

from rich.console import Console
from rich.table import Table

from loopwright.cli.experiment import (
    OutputFolder,
    Smoke,
    make_folder,
    needing,
    provenance,
    write_json,
)
from loopwright.cli.options import AsJson, print_json
from loopwright.cli.progress import progress_bar

if TYPE_CHECKING:
    from loopwright.lab.experiments.conditioning import Measured

SMOKE = slice(None, None, 9)
"""Every ninth point of a sweep."""


def conditioning(out: OutputFolder = None, smoke: Smoke = False, as_json: AsJson = False) -> None:
    """Condition numbers of the Hessian at the constructed weights, against Ω and ε.

    If-else against Ω and less-than against ε, as in the paper's appendix on ill-conditioning:
    computed by automatic differentiation of the module that runs, in float64 and without rounding.
    For example: loopwright conditioning --out figures
    """
    with needing("conditioning"):
        from loopwright.lab.experiments import conditioning as experiment
        from loopwright.lab.experiments import plots
    if out:
        make_folder(out)
    thinned = SMOKE if smoke else slice(None)
    omegas, epsilons = experiment.OMEGAS[thinned], experiment.EPSILONS[thinned]
    curves = experiment.CURVES
    total = sum(len(omegas if curve.varies == "Ω" else epsilons) for curve in curves)
    with progress_bar("conditioning", total) as (bar, line):
        measured = list(
            experiment.sweep(omegas=omegas, epsilons=epsilons, progress=lambda: bar.advance(line))
        )
    report: dict[str, Any] = provenance(smoke=smoke) | {
        "curves": [found.report() for found in measured]
    }
    if out:
        write_json(out / "conditioning.json", report)
        plots.save(plots.plot_conditioning(measured), out, "conditioning")
    if as_json:
        print_json(report)
        return
    Console().print(_table(measured))
    if out:
        print(f"Written to {out}: conditioning.png, conditioning.svg, conditioning.json.")


def _table(measured: list[Measured]) -> Table:
    heads = ("function", "weights", "rank", "inputs", "from", "to", "1e16 at")
    table = Table(*heads, title="condition number of the Hessian at the construction")
    for found in measured:
        curve, first, last = found.curve, found.points[0], found.points[-1]
        crossing = found.crossing
        formula = "" if curve.function == "if-else" else f" ({curve.formula})"
        table.add_row(
            f"{curve.function}{formula}",
            f"{curve.parameters} {first.parameters}",
            str(first.rank),
            curve.inputs,
            f"{first.exact:.1e}",
            f"{last.exact:.1e}",
            "never" if crossing is None else f"{curve.varies} = {crossing:.1e}",
        )
    return table
