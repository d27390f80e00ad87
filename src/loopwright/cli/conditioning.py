"""`loopwright conditioning`: how ill-conditioned is the loss around the constructed weights?"""

from __future__ import annotations

from functools import partial
from typing import TYPE_CHECKING

from rich.table import Table

from loopwright.cli import options
from loopwright.cli.experiment import make_folder, present, provenance
from loopwright.cli.output import table
from loopwright.cli.progress import tracked
from loopwright.errors import needing

if TYPE_CHECKING:
    from loopwright.lab.experiments.conditioning import Curve, Measured

SMOKE = 9
"""A smoke test measures one point in so many."""
NAME = ("function", "inputs", "weights")
"""The heads of the columns that say which curve it is."""


def conditioning(
    out: options.FigureFolder = None, smoke: options.Smoke = False, as_json: options.AsJson = False
) -> None:
    """Measure how ill-conditioned the constructed weights are.

    Condition numbers of the Hessian: if-else against Ω and less-than against ε, as in the paper's
    appendix on ill-conditioning; with the paper's matrices and with ours, of all weights and of
    each linear layer alone. They are computed by automatic differentiation of the module that runs,
    in float64 and without rounding.

    For example: loopwright conditioning --out figures
    """
    with needing("conditioning"):
        from loopwright.lab.experiments import conditioning as experiment
        from loopwright.lab.experiments import plots
    make_folder(out)
    curves = experiment.sweep(every=SMOKE if smoke else 1)
    measured = list(tracked(curves, "conditioning", len(experiment.CURVES)))
    present(
        "conditioning",
        provenance(smoke=smoke) | {"curves": [found.report() for found in measured]},
        [_whole(measured), _alone(measured)],
        {"conditioning": partial(plots.plot_conditioning, measured)},
        out=out,
        as_json=as_json,
    )


def _name(curve: Curve) -> tuple[str, ...]:
    """What both tables say of a curve first."""
    return f"{curve.function} ({curve.layout})", curve.inputs, curve.parameters


def _whole(measured: list[Measured]) -> Table:
    """All weights together: how many there are, how many directions the loss sees, and κ."""

    def crossing(found: Measured) -> str:
        if found.crossing:
            return f"{found.curve.varies} = {found.crossing:.1e}"
        return "further on" if found.growth.grows else "never"

    def row(found: Measured) -> tuple[object, ...]:
        law = found.growth.text(found.curve.varies)
        first = found.points[0]
        return (*_name(found.curve), first.parameters, first.rank, law, crossing(found))

    heads = (*NAME, "number", "rank", "grows like", "1e16 at")
    return table(
        heads, map(row, measured), title="condition number of the Hessian at the construction"
    )


def _alone(measured: list[Measured]) -> Table:
    """How κ of each matrix grows, while the other three are held."""

    def row(found: Measured) -> tuple[object, ...]:
        laws = (law.text(found.curve.varies) for law in found.growth_alone.values())
        return (*_name(found.curve), *laws)

    heads = (*NAME, *measured[0].growth_alone)
    return table(heads, map(row, measured), title="the same for each linear layer alone")
