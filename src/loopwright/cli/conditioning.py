"""`loopwright conditioning`: how ill-conditioned is the loss around the constructed weights?"""

from __future__ import annotations

from functools import partial
from typing import TYPE_CHECKING

from rich.table import Table

from loopwright.cli import options
from loopwright.cli.experiment import needing, present, provenance
from loopwright.cli.output import table
from loopwright.cli.progress import tracked

if TYPE_CHECKING:
    from loopwright.lab.experiments.conditioning import Measured

SMOKE = 9
"""A smoke test measures one point in so many."""


def conditioning(
    out: options.FigureFolder = None, smoke: options.Smoke = False, as_json: options.AsJson = False
) -> None:
    """Measure how ill-conditioned the constructed weights are.

    Condition numbers of the Hessian: if-else against Ω and less-than against ε, as in the paper's
    appendix on ill-conditioning. They are computed by automatic differentiation of the module that
    runs, in float64 and without rounding.

    For example: loopwright conditioning --out figures
    """
    with needing("conditioning"):
        from loopwright.lab.experiments import conditioning as experiment
        from loopwright.lab.experiments import plots
    if out:
        out.mkdir(parents=True, exist_ok=True)
    curves = experiment.sweep(every=SMOKE if smoke else 1)
    measured = list(tracked(curves, "conditioning", len(experiment.CURVES)))
    present(
        "conditioning",
        provenance(smoke=smoke) | {"curves": [found.report() for found in measured]},
        [_table(measured)],
        {"conditioning": partial(plots.plot_conditioning, measured)},
        out=out,
        as_json=as_json,
    )


def _table(measured: list[Measured]) -> Table:
    def row(found: Measured) -> tuple[object, ...]:
        curve, first, last = found.curve, found.points[0], found.points[-1]
        return (
            curve.function if curve.function == "if-else" else f"less-than ({curve.formula})",
            f"{curve.parameters} {first.parameters}",
            first.rank,
            curve.inputs,
            f"{first.exact:.1e}",
            f"{last.exact:.1e}",
            f"{curve.varies} = {found.crossing:.1e}" if found.crossing else "never",
        )

    heads = ("function", "weights", "rank", "inputs", "from", "to", "1e16 at")
    return table(
        heads, map(row, measured), title="condition number of the Hessian at the construction"
    )
