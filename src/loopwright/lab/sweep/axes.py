"""One axis for each limit: for each of its values, how far the certificate goes, and how far runs.

On every axis, going up makes it harder. `allowed` is the most that the certificate guarantees,
`measured` the most that came out right, and every point at or below `allowed` that was tried and
came out wrong would be a wrong answer that the certificate had allowed.
"""

# networkx has no types of its own.
# pyright: reportUnknownArgumentType=false, reportUnknownVariableType=false

from __future__ import annotations

from collections.abc import Callable, Iterable
from dataclasses import dataclass, replace
from fractions import Fraction
from functools import cached_property, partial
from typing import Any, Literal

import numpy as np

from loopwright.algorithms import ALGORITHMS
from loopwright.compiler.compile import compile
from loopwright.lab.sweep.cast import in_dtype
from loopwright.lab.sweep.graphs import ORACLES, is_right, path, tells_apart
from loopwright.language.program import Program
from loopwright.model.demands import polynomial
from loopwright.model.limits import GUARD_BITS, MANTISSAS, Constants, Limits
from loopwright.runtime.model import Model

SWEPT = tuple(ORACLES)
"""The algorithms that this can be done to: all but Graph-SUBLEQ, which needs a program."""

Try = Callable[[float], bool]
"""Whether a run this hard comes out right."""


@dataclass(frozen=True)
class Point:
    """One value of a limit, and the two borders there."""

    limit: float
    allowed: float
    measured: float
    wrong: int
    """Runs inside `allowed` that came out wrong: there must be none."""
    tried: int


@dataclass(frozen=True)
class Axis:
    """A limit, what is driven against it, and the points found."""

    name: str
    limit: str
    """What a point's `limit` is a value of."""
    hardness: str
    """What its `allowed` and `measured` are amounts of."""
    points: tuple[Point, ...]


INSIDE = (0.1, 0.25, 0.5, 0.75, 0.9, 1.0)
"""How much of what is allowed is tried at every point, besides the search for the border."""
STEP = 1.05
"""The measured border is found to within this factor, unless an axis has a grid of its own."""


def point(limit: float, allowed: float, try_: Try, *, most: float, step: float = STEP) -> Point:
    """Try what is allowed; then go beyond it, as long as runs come out right."""
    wrong = sum(not try_(allowed * share) for share in INSIDE)
    measured = 0.0 if wrong else allowed
    while 0 < measured * step <= most and try_(measured * step):
        measured *= step
    return Point(limit, allowed, measured, wrong, len(INSIDE))


@dataclass(frozen=True)
class Subject:
    """An algorithm in one construction: what is driven against its limits."""

    name: str
    construction: str | None = None
    """Unless it is named, the algorithm's default is taken."""

    @cached_property
    def program(self) -> Program:
        return ALGORITHMS[self.name](self.construction)

    @property
    def weighted(self) -> bool:
        return self.program.edges == "weights"

    def compiled(
        self, limits: Limits | Constants, attention: Literal["hardmax", "softmax"] = "hardmax"
    ) -> Model:
        return Model.of(compile(self.program, limits=limits, attention=attention))

    def axes(self) -> dict[str, Callable[[Subject], Axis]]:
        """Name → what finds its borders. Without weights there is nothing to resolve."""
        if not self.weighted:
            return {"positions": positions, "omega": visits, "temperature": temperature}
        return {
            "positions": positions,
            "omega": lengths,
            "resolution": resolution,
            "temperature": temperature,
            "precision": precision,
        }


Find = Callable[[Subject, Any], Point]
"""Finds the point at one value of a limit."""


def axis(
    name: str, limit: str, hardness: str, values: Iterable[object]
) -> Callable[[Find], Callable[[Subject], Axis]]:
    """Make what finds one point into what finds the whole axis."""

    def whole(find: Find) -> Callable[[Subject], Axis]:
        return lambda subject: Axis(
            name, limit, hardness, tuple(find(subject, value) for value in values)
        )

    return whole


@axis("positions", "1/δ̂", "nodes", (8, 16, 32, 64, 128))
def positions(subject: Subject, nodes: int) -> Point:
    """Nodes against δ̂: past 2π/δ̂ positions come round again."""
    model = subject.compiled(Limits(nodes=nodes))
    inverse = 1 / model.constants.angle
    return point(inverse, nodes, partial(right_on_path, model), most=4.0 * nodes)


@axis("Ω", "Ω", "nodes", (8, 16, 32, 64))
def visits(subject: Subject, largest: int) -> Point:
    """Nodes on a path against Ω: a search counts its visits."""
    model = subject.compiled(Limits(nodes=1024, largest=largest, omega=Fraction(40 * largest)))
    omega = float(model.constants.omega)
    allowed = max(
        n for n in range(1, largest + 1) if polynomial(model.demands.counts, n) <= largest
    )
    return point(omega, allowed, partial(right_on_path, model), most=8.0 * allowed)


def right_on_path(model: Model, nodes: float) -> bool:
    """Whether a path of so many nodes comes out right."""
    return is_right(model, path(max(2, int(nodes))))


@axis("Ω", "Ω", "path length", (16, 64, 256, 1024, 4096))
def lengths(subject: Subject, largest: int) -> Point:
    """Path lengths against Ω."""
    model = subject.compiled(Limits(nodes=4, largest=largest, resolution=Fraction(1, 2**10)))

    def try_(length: float) -> bool:
        return is_right(model, path(4, int(length / 3 * 2**10) / 2**10))

    return point(float(model.constants.omega), largest, try_, most=16.0 * largest)


@axis("ε", "1/ε", "1/difference of paths", (4, 8, 12, 16, 20))
def resolution(subject: Subject, bits: int) -> Point:
    """1/(difference of two paths) against 1/ε: smaller differences are rounded away."""
    model = subject.compiled(Limits(nodes=5, largest=32, resolution=Fraction(1, 2**bits)))
    steps = 2.0**bits
    return point(steps, steps, lambda inverse: tells_apart(model, 1 / inverse), most=16 * steps)


@axis("T", "1 − cos δ̂", "T", (4, 8, 12))
def temperature(subject: Subject, nodes: int) -> Point:
    """T of softmax against the gap between neighbouring positions."""
    limits = Limits(nodes=nodes, largest=4 * nodes, resolution=Fraction(1, 2**10))
    cold = subject.compiled(limits, "softmax")
    conditions = cold.check(path(nodes)).conditions
    heat = next(c for c in conditions if c.name == "temperature")
    allowed = float(cold.constants.temperature) * heat.margin

    def try_(t: float) -> bool:
        warm = subject.compiled(replace(limits, temperature=Fraction(t)), "softmax")
        return is_right(warm, path(nodes), machine="reference")

    return point(heat.allowed, allowed, try_, most=64 * allowed)


@axis("dtype", "2^(bits of the float)", "Ω/ε", MANTISSAS)
def precision(subject: Subject, dtype: str) -> Point:
    """Ω/ε against the bits of a float: float16 (emulated), float32, float64."""
    bits = MANTISSAS[dtype]
    roomy = Limits(nodes=4, largest=16, resolution=Fraction(1)).constants()

    def try_(ratio: float) -> bool:
        finest = min(roomy.omega / 2 ** int(np.log2(ratio)), Fraction(1))
        model = in_dtype(subject.compiled(replace(roomy, resolution=finest)), np.dtype(dtype))
        steps = int(roomy.largest / 3 / finest)
        odd = max(1, steps - (steps + 1) % 2)  # an odd multiple of ε needs all the digits
        return is_right(model, path(4, odd * float(finest)), machine="reference")

    return point(2.0**bits, 2.0 ** (bits - GUARD_BITS), try_, most=2.0 ** (bits + 3), step=2.0)
