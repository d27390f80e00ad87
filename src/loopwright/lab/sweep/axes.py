"""One axis for each limit: for each of its values, how far the certificate goes, and how far runs.

On every axis, going up makes it harder. `allowed` is the most that the certificate guarantees,
`measured` the most that came out right, and every point at or below `allowed` that was tried and
came out wrong would be a wrong answer that the certificate had allowed.
"""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass, replace
from fractions import Fraction
from functools import cached_property
from typing import Literal

import numpy as np

from loopwright.algorithms import ALGORITHMS
from loopwright.compiler.compile import compile
from loopwright.lab.sweep.cast import in_dtype
from loopwright.lab.sweep.graphs import ORACLES, is_right, path, tells_apart
from loopwright.language.program import Program
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
    hardness: str
    points: tuple[Point, ...]


INSIDE = (0.1, 0.25, 0.5, 0.75, 0.9, 1.0)
"""How much of what is allowed is tried at every point, besides the search for the border."""
STEP = 1.05
"""The measured border is found to within this factor, unless an axis has a grid of its own."""


def find_border(try_: Try, allowed: float, *, most: float, step: float) -> float:
    """The hardest run that is right, from `allowed` up, as long as all easier ones are."""
    hardness = allowed
    while hardness * step <= most and try_(hardness * step):
        hardness *= step
    return hardness


def point(limit: float, allowed: float, try_: Try, *, most: float, step: float = STEP) -> Point:
    """Try what is allowed, then go beyond it."""
    wrong = sum(not try_(allowed * share) for share in INSIDE)
    measured = find_border(try_, allowed, most=most, step=step) if not wrong else 0.0
    return Point(limit, allowed, measured, wrong, len(INSIDE))


@dataclass(frozen=True)
class Subject:
    """An algorithm in one construction: what is driven against its limits."""

    name: str
    construction: str | None = None
    """The paper's, unless given, or the only one."""

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


def positions(subject: Subject) -> Axis:
    """Nodes against δ̂: past 2π/δ̂ positions come round again."""

    def at(nodes: int) -> Point:
        model = subject.compiled(Limits(nodes=nodes))

        def try_(n: float) -> bool:
            return is_right(model, path(max(2, int(n))))

        return point(1 / model.constants.angle, nodes, try_, most=4.0 * nodes)

    return Axis("positions", "1/δ̂", "nodes", tuple(map(at, (8, 16, 32, 64, 128))))


def lengths(subject: Subject) -> Axis:
    """Path lengths against Ω."""

    def at(largest: int) -> Point:
        model = subject.compiled(Limits(nodes=4, largest=largest, resolution=Fraction(1, 2**10)))

        def try_(length: float) -> bool:
            return is_right(model, path(4, int(length / 3 * 2**10) / 2**10))

        return point(float(model.constants.omega), largest, try_, most=16.0 * largest)

    return Axis("Ω", "Ω", "path length", tuple(map(at, (16, 64, 256, 1024, 4096))))


def visits(subject: Subject) -> Axis:
    """What a search counts on a path against Ω."""

    def at(largest: int) -> Point:
        limits = Limits(nodes=1024, largest=largest, omega=Fraction(40 * largest))
        model = subject.compiled(limits)
        allowed = max(n for n in range(1, largest + 1) if model.demands.most_counted(n) <= largest)

        def try_(n: float) -> bool:
            return is_right(model, path(max(2, int(n))))

        return point(float(model.constants.omega), allowed, try_, most=8.0 * allowed)

    return Axis("Ω", "Ω", "nodes", tuple(map(at, (8, 16, 32, 64))))


def resolution(subject: Subject) -> Axis:
    """1/(difference of two paths) against 1/ε: smaller differences are rounded away."""

    def at(bits: int) -> Point:
        epsilon = Fraction(1, 2**bits)
        model = subject.compiled(Limits(nodes=5, largest=32, resolution=epsilon))

        def try_(inverse: float) -> bool:
            return tells_apart(model, 1 / inverse)

        return point(2.0**bits, 2.0**bits, try_, most=16 * 2.0**bits)

    return Axis("ε", "1/ε", "1/difference of paths", tuple(map(at, (4, 8, 12, 16, 20))))


def temperature(subject: Subject) -> Axis:
    """T of softmax against the gap between neighbouring positions."""

    def at(nodes: int) -> Point:
        limits = Limits(nodes=nodes, largest=4 * nodes, resolution=Fraction(1, 2**10))
        cold = subject.compiled(limits, "softmax")
        conditions = cold.check(path(nodes)).conditions
        heat = next(c for c in conditions if c.name == "temperature")
        allowed = float(cold.constants.temperature) * heat.margin

        def try_(t: float) -> bool:
            warm = subject.compiled(replace(limits, temperature=Fraction(t)), "softmax")
            return is_right(warm, path(nodes), machine="reference")

        return point(heat.allowed, allowed, try_, most=64 * allowed)

    return Axis("T", "1 − cos δ̂", "T", tuple(map(at, (4, 8, 12))))


def precision(subject: Subject) -> Axis:
    """Ω/ε against the bits of a float: float16 (emulated), float32, float64."""

    def at(dtype: str) -> Point:
        bits = MANTISSAS[dtype]
        roomy = Limits(nodes=4, largest=16, resolution=Fraction(1)).constants()

        def try_(ratio: float) -> bool:
            finest = min(roomy.omega / 2 ** int(np.log2(ratio)), Fraction(1))
            model = in_dtype(subject.compiled(replace(roomy, resolution=finest)), np.dtype(dtype))
            steps = int(roomy.largest / 3 / finest)
            odd = max(1, steps - (steps + 1) % 2)  # an odd multiple of ε needs all the digits
            return is_right(model, path(4, odd * float(finest)), machine="reference")

        allowed = 2.0 ** (bits - GUARD_BITS)
        return point(2.0**bits, allowed, try_, most=2.0 ** (bits + 3), step=2.0)

    return Axis("dtype", "2^(bits of the float)", "Ω/ε", tuple(map(at, MANTISSAS)))
