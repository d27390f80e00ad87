"""Ω or ε → the condition number of the Hessian at the construction. [P §7, App. B.4]

A curve is one formula, one choice of parameters and one range of inputs; a point of it is one
compiled model. `hessian` says what is computed, `primitives` with which inputs.
"""

# torch, matplotlib and pyarrow have no complete types.
# pyright: reportUnknownArgumentType=false, reportUnknownMemberType=false

from __future__ import annotations

from collections.abc import Callable, Iterator
from dataclasses import asdict, dataclass
from fractions import Fraction
from functools import partial
from math import log
from sys import float_info
from typing import Any, Literal

import torch

from loopwright.lab.experiments.hessian import exact_spectrum, float_condition, hessian
from loopwright.lab.experiments.primitives import Specimen, if_else, less_than
from loopwright.lab.experiments.selection import Selection
from loopwright.lab.experiments.setting import Parameters
from loopwright.runtime.machines.torch import one_thread

EDGE = 1e16
"""Where float64 ends, since 1/2⁻⁵³ is 0.9e16; the paper gives it for Ω = 50."""
OMEGAS = tuple(Fraction(k * 10**power) for power in range(10) for k in (1, 2, 5))[2:-2]
"""The values of Ω: 5, 10, 20, 50, … 10⁹."""
EPSILONS = tuple(Fraction(1, 2**bits) for bits in range(2, 42, 2))
"""The values of ε, ¼ down to 10⁻¹²: powers of two, as a resolution must be."""


@dataclass(frozen=True)
class Curve:
    """A function, of which Ω or ε is varied and all else is held."""

    function: Literal["if-else", "less-than"]
    formula: Literal["paper", "exact flags"]
    """Whose formula it is; for if-else, ours is the paper's."""
    parameters: Parameters
    inputs: str
    build: Callable[[Fraction], Specimen]

    @property
    def varies(self) -> Literal["Ω", "ε"]:
        return "Ω" if self.function == "if-else" else "ε"

    @property
    def values(self) -> tuple[Fraction, ...]:
        """The values of Ω or ε, from easy to hard."""
        return OMEGAS if self.varies == "Ω" else EPSILONS

    @property
    def label(self) -> str:
        formula = "" if self.function == "if-else" else f"{self.formula}, "
        return f"{formula}{self.parameters} weights, inputs {self.inputs}"


@dataclass(frozen=True)
class Point:
    """One construction: its parameters, how many directions the loss sees, and κ by three ways."""

    at: float
    parameters: int
    rank: int
    smallest: float
    largest: float
    exact: float
    """κ in exact arithmetic."""
    float64: float
    """κ from eigenvalues in float64, which is told how many are not 0."""
    naive: float
    """κ by PyTorch's `cond`, which divides by the rounding that stands for 0."""


PAPER, OURS = partial(less_than, paper=True), partial(less_than, paper=False)
CURVES = (
    Curve("if-else", "paper", "dense", "within ±Ω", if_else),
    Curve("if-else", "paper", "used", "within ±Ω", if_else),
    Curve("if-else", "paper", "dense", "within ±1", partial(if_else, inputs_within=Fraction(1))),
    Curve("less-than", "paper", "dense", "within ±2", PAPER),
    Curve("less-than", "paper", "used", "within ±2", PAPER),
    Curve("less-than", "exact flags", "dense", "within ±2", OURS),
    Curve("less-than", "exact flags", "used", "within ±2", OURS),
)


@dataclass(frozen=True)
class Measured:
    """A curve and its points, from easy to hard."""

    curve: Curve
    points: tuple[Point, ...]

    @property
    def crossing(self) -> float | None:
        """The Ω or ε at which κ reaches 1e16, on a straight line between points in log–log scale;
        None if it does not get there."""
        for left, right in zip(self.points, self.points[1:], strict=False):
            if left.exact < EDGE <= right.exact:
                share = log(EDGE / left.exact) / log(right.exact / left.exact)
                return left.at * (right.at / left.at) ** share
        return None

    def report(self) -> dict[str, Any]:
        """The object for it in the JSON report."""
        names = ("function", "formula", "parameters", "inputs", "varies")
        return {name: getattr(self.curve, name) for name in names} | {
            "crosses_1e16_at": self.crossing,
            "points": [asdict(point) for point in self.points],
        }


def measure(curve: Curve, at: Fraction) -> Point:
    """Compile, differentiate, and take the spectrum twice.

    >>> point = measure(CURVES[0], Fraction(50))
    >>> point.parameters, point.rank, f"{point.exact:.4g}"
    (74, 22, '5.313e+04')
    """
    with one_thread:
        specimen = curve.build(at)
        chosen = Selection.of(specimen.mlp, curve.parameters)
        h = hessian(chosen, specimen.x)
        exact = exact_spectrum(chosen.jacobian(chosen.start, specimen.x))
        return Point(
            at=float(at),
            parameters=len(chosen.start),
            rank=exact.rank,
            smallest=exact.smallest,
            largest=exact.largest,
            exact=exact.condition,
            float64=float_condition(h, exact.rank),
            naive=min(float(torch.linalg.cond(h)), float_info.max),  # JSON has no infinity
        )


def sweep(*, every: int = 1) -> Iterator[Measured]:
    """Measure all curves, each at one in `every` of its values."""
    for curve in CURVES:
        yield Measured(curve, tuple(measure(curve, at) for at in curve.values[::every]))
