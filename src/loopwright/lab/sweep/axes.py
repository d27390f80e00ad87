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
from functools import partial
from typing import Any

import numpy as np

from loopwright.lab.sweep.cast import in_dtype
from loopwright.lab.sweep.graphs import ORACLES, fork, path
from loopwright.lab.sweep.subject import NothingGuaranteed, Subject
from loopwright.model.demands import polynomial
from loopwright.model.limits import GUARD_BITS, MANTISSAS, Limits
from loopwright.model.weights import Weights
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


Find = Callable[[Subject, Any], Point]
"""Finds the point at one value of a limit."""


def axis(
    name: str, limit: str, hardness: str, values: Iterable[object], *, own: int | None = None
) -> Callable[[Find], Callable[[Subject], Axis]]:
    """Make what finds one point into what finds the whole axis.

    On somebody's `own` program so many values are tried: on many nodes, plain Python takes long to
    say what it means.
    """
    tried = tuple(values)

    def whole(find: Find) -> Callable[[Subject], Axis]:
        def found(subject: Subject) -> Axis:
            taken = tried[:own] if subject.is_own else tried
            return Axis(name, limit, hardness, tuple(find(subject, value) for value in taken))

        return found

    return whole


@axis("positions", "1/δ̂", "nodes", (8, 16, 32, 64, 128), own=3)
def positions(subject: Subject, nodes: int) -> Point:
    """Nodes against δ̂: past 2π/δ̂ positions come round again."""
    model = subject.compiled(Limits(nodes=nodes))
    inverse = 1 / model.constants.angle
    allowed = most_nodes(subject, model, nodes)
    return point(inverse, allowed, partial(right_on_path, subject, model), most=4.0 * nodes)


@axis("Ω", "Ω", "nodes", (8, 16, 32, 64), own=2)
def visits(subject: Subject, largest: int) -> Point:
    """Nodes on a path against Ω: a search counts its visits."""
    model = subject.compiled(Limits(nodes=1024, largest=largest, omega=Fraction(40 * largest)))
    omega = float(model.constants.omega)
    counted = max(
        n for n in range(1, largest + 1) if polynomial(model.demands.counts, n) <= largest
    )
    allowed = most_nodes(subject, model, counted)
    return point(omega, allowed, partial(right_on_path, subject, model), most=8.0 * allowed)


def most_nodes(subject: Subject, model: Model, nodes: int) -> float:
    """How many nodes a path may have, up to so many."""
    return subject.allowed(range(nodes, 1, -1), lambda n: subject.checked(model, path(int(n))))


def right_on_path(subject: Subject, model: Model, nodes: float) -> bool:
    """Whether a path of so many nodes comes out right."""
    return subject.is_right(model, path(max(2, int(nodes))))


@axis("Ω", "Ω", "path length", (16, 64, 256, 1024, 4096))
def lengths(subject: Subject, largest: int) -> Point:
    """Path lengths against Ω."""
    model = subject.compiled(Limits(nodes=4, largest=largest, resolution=Fraction(1, 2**10)))

    def long(length: float) -> Any:
        return path(4, int(length / 3 * 2**10) / 2**10)

    shorter = (largest * sixteenths / 16 for sixteenths in range(16, 0, -1))
    allowed = subject.allowed(shorter, lambda length: subject.checked(model, long(length)))
    return point(
        float(model.constants.omega),
        allowed,
        lambda length: subject.is_right(model, long(length)),
        most=16.0 * largest,
    )


@axis("ε", "1/ε", "1/difference of paths", (4, 8, 12, 16, 20))
def resolution(subject: Subject, bits: int) -> Point:
    """1/(difference of two paths) against 1/ε: smaller differences are rounded away."""
    model = subject.compiled(Limits(nodes=5, largest=32, resolution=Fraction(1, 2**bits)))
    steps = 2.0**bits
    allowed = subject.allowed(
        (steps / 2**k for k in range(bits)),
        lambda inverse: subject.checked(model, fork(1 / inverse), fork(-1 / inverse)),
    )
    return point(
        steps,
        allowed,
        lambda inverse: subject.tells_apart(model, 1 / inverse),
        most=16 * steps,
    )


@axis("T", "1 − cos δ̂", "T", (4, 8, 12))
def temperature(subject: Subject, nodes: int) -> Point:
    """T of softmax against the gap between neighbouring positions."""
    limits = Limits(nodes=nodes, largest=4 * nodes, resolution=Fraction(1, 2**10))
    cold = subject.compiled(limits, "softmax")
    conditions = cold.check(path(nodes)).conditions
    heats = [c for c in conditions if c.name == "temperature"]
    if not heats:
        raise NothingGuaranteed(f"'{cold.name}' has no attention that a temperature could blur.")
    hottest = float(cold.constants.temperature) * heats[0].margin

    def warm(t: float) -> Model:
        return subject.compiled(replace(limits, temperature=Fraction(t)), "softmax")

    allowed = subject.allowed(
        (hottest * STEP**-k for k in range(20)),
        lambda t: subject.checked(warm(t), path(nodes), machine="reference"),
    )
    return point(
        heats[0].allowed,
        allowed,
        lambda t: subject.is_right(warm(t), path(nodes), machine="reference"),
        most=64 * allowed,
    )


@axis("dtype", "2^(bits of the float)", "Ω/ε", MANTISSAS)
def precision(subject: Subject, dtype: str) -> Point:
    """Ω/ε against the bits of a float: float16 (emulated), float32, float64."""
    bits = MANTISSAS[dtype]
    roomy = Limits(nodes=4, largest=16, resolution=Fraction(1)).constants()

    def narrow(ratio: float) -> tuple[Weights, Any]:
        """A model in these floats, and a path that needs all of their digits."""
        finest = min(roomy.omega / 2 ** int(np.log2(ratio)), Fraction(1))
        model = in_dtype(subject.compiled(replace(roomy, resolution=finest)), np.dtype(dtype))
        steps = int(roomy.largest / 3 / finest)
        odd = max(1, steps - (steps + 1) % 2)  # an odd multiple of ε needs all the digits
        return model, path(4, odd * float(finest))

    allowed = subject.allowed(
        (2.0 ** (bits - GUARD_BITS - k) for k in range(bits - GUARD_BITS)),
        lambda ratio: subject.checked(*narrow(ratio), machine="reference"),
    )
    return point(
        2.0**bits,
        allowed,
        lambda ratio: subject.is_right(*narrow(ratio), machine="reference"),
        most=2.0 ** (bits + 3),
        step=2.0,
    )


def axes_of(subject: Subject) -> dict[str, Callable[[Subject], Axis]]:
    """Name → what finds its borders. Without weights there is nothing to resolve."""
    if not subject.weighted:
        return {"positions": positions, "omega": visits, "temperature": temperature}
    return {
        "positions": positions,
        "omega": lengths,
        "resolution": resolution,
        "temperature": temperature,
        "precision": precision,
    }
