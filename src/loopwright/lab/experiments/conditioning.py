"""Ω or ε → the condition number of the Hessian at the construction. [P §7, App. B.4]

A curve is one layout of a function, one choice of parameters and one range of inputs; a point of it
is one compiled model. `hessian` says what is computed, `primitives` with which inputs.

The paper's text speaks of the Hessian, its figure's caption of "linear layers". So each of the four
matrices is also measured alone: the Hessian in its weights, while the other three stay as they are.
"""

# torch, matplotlib and pyarrow have no complete types.
# pyright: reportUnknownArgumentType=false, reportUnknownMemberType=false
# pyright: reportUnknownVariableType=false

from __future__ import annotations

from collections.abc import Callable, Iterator
from dataclasses import asdict, dataclass
from fractions import Fraction
from functools import partial
from math import log
from sys import float_info
from typing import Any, Literal

import torch

from loopwright.lab.experiments.growth import Growth
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

MATRICES = ("W¹", "W²", "W³", "W⁴")


@dataclass(frozen=True)
class Curve:
    """A function, of which Ω or ε is varied and all else is held."""

    function: Literal["if-else", "less-than"]
    layout: Literal["paper", "Ω in W¹", "exact flags"]
    """The paper's matrices; or ours, which hold Ω in W¹ and make flags exact."""
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
        return f"{self.layout}, {self.parameters} weights, inputs {self.inputs}"


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
    alone: dict[str, float]
    """κ of each matrix, W¹ to W⁴, while the other three are held: in exact arithmetic."""


def _if_else(inputs: str, inputs_within: Fraction | None) -> Iterator[Curve]:
    for layout in ("paper", "Ω in W¹"):
        build = partial(if_else, paper=layout == "paper", inputs_within=inputs_within)
        for parameters in ("dense", "used"):
            yield Curve("if-else", layout, parameters, inputs, build)


def _less_than() -> Iterator[Curve]:
    for layout in ("paper", "exact flags"):
        build = partial(less_than, paper=layout == "paper")
        for parameters in ("dense", "used"):
            yield Curve("less-than", layout, parameters, "within ±2", build)


CURVES = (
    *_if_else("within ±Ω", inputs_within=None),
    *_if_else("within ±1", inputs_within=Fraction(1)),
    *_less_than(),
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

    @property
    def growth(self) -> Growth:
        """How κ grows with Ω, or with 1/ε."""
        return self._growth([point.exact for point in self.points])

    @property
    def growth_alone(self) -> dict[str, Growth]:
        """The same for each matrix alone."""
        names = self.points[0].alone
        return {name: self._growth([point.alone[name] for point in self.points]) for name in names}

    def _growth(self, conditions: list[float]) -> Growth:
        rising = self.curve.varies == "Ω"
        return Growth.of([p.at if rising else 1 / p.at for p in self.points], conditions)

    def report(self) -> dict[str, Any]:
        """The object for it in the JSON report."""
        names = ("function", "layout", "parameters", "inputs", "varies")
        return {name: getattr(self.curve, name) for name in names} | {
            "growth": asdict(self.growth),
            "crosses_1e16_at": self.crossing,
            "growth_alone": {name: asdict(law) for name, law in self.growth_alone.items()},
            "points": [asdict(point) for point in self.points],
        }


def measure(curve: Curve, at: Fraction) -> Point:
    """Compile, differentiate, and take the spectrum twice; then that of each matrix alone.

    >>> point = measure(CURVES[0], Fraction(50))
    >>> point.parameters, point.rank, f"{point.exact:.4g}", f"{point.alone['W¹']:.3g}"
    (136, 28, '9.798e+05', '5.25e+07')
    """
    with one_thread:
        specimen = curve.build(at)
        chosen = Selection.of(specimen.mlp, curve.parameters)
        h = hessian(chosen, specimen.x)
        j = chosen.jacobian(chosen.start, specimen.x)
        exact = exact_spectrum(j)
        parts = j.split([len(entries) for entries in chosen.entries.values()], dim=1)
        return Point(
            at=float(at),
            parameters=len(chosen.start),
            rank=exact.rank,
            smallest=exact.smallest,
            largest=exact.largest,
            exact=exact.condition,
            float64=float_condition(h, exact.rank),
            naive=min(float(torch.linalg.cond(h)), float_info.max),  # JSON has no infinity
            alone={
                name: exact_spectrum(part).condition
                for name, part in zip(MATRICES, parts, strict=True)
            },
        )


def sweep(*, every: int = 1) -> Iterator[Measured]:
    """Measure all curves, each at one in `every` of its values."""
    for curve in CURVES:
        yield Measured(curve, tuple(measure(curve, at) for at in curve.values[::every]))
