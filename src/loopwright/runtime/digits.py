"""Conditions on how finely floats, or softmax, tell the numbers of a run apart."""

from __future__ import annotations

from collections.abc import Iterable
from fractions import Fraction
from math import fsum, inf, lcm, log
from sys import float_info

import numpy as np

from loopwright.errors import brief
from loopwright.model.layout import Kind
from loopwright.model.limits import (
    GUARD_BITS,
    MANTISSAS,
    SAFETY,
    SHARPNESS,
    SHARPNESS_OF_NUMBERS,
    drift,
)
from loopwright.model.magnitudes import retracing
from loopwright.model.weights import Weights
from loopwright.runtime.condition import Condition
from loopwright.runtime.extent import Extent, Measured
from loopwright.runtime.graph import LARGEST_FACTOR, Graph
from loopwright.runtime.ranges import as_float
from loopwright.runtime.reweigh import (
    times_power_of_two,
    weights_on_grid,
)

LEAST_UNIT = Fraction(1, LARGEST_FACTOR)
"""Of weights that have no unit of any use."""


def temperature(extent: Extent, watched: Fraction | None) -> Condition:
    """What softmax gives to rows that hardmax would not, times Ω, must vanish beside ε.

    Each such row gets at most e^(−gap/T). A value is read through at most four heads on each of at
    most `count` hops of a path, so its error stays below ε/4 if 4·count · count · e^(−gap/T) · Ω
    does.

    If a comparison decides a selection before its flag is rounded, it divides that error by ε, and
    the selection multiplies it by Ω. Where two values tie this would go on from one iteration to
    the next, a factor Ω/ε each time: it must be so little that the first sum absorbs it.

    Errors grow as numbers do, so where bounds on those were found errors are a share of them; of an
    index that a minimum holds down, a share of what it would be if it were not. Where none were, an
    iteration of a program that multiplies, or adds numbers to each other, may multiply errors, also
    that of a 0, by as much as it may multiply numbers; the author's word on numbers says nothing of
    errors.

    Where there are squares, they count beside Ω, in steps of 1. A score of keys, with W ≤ 16Ω for
    what they weigh, is off by W times what two squares are off, and by 2W·count times what a key
    and a query are: by 4·count passes through rows as many, of numbers up to count² and count. That
    stays below ε/4 if 128·count² times as much as above does. A score that retraces a path is off
    by W times what that is off, where W·ε would do.

    Heads whose scores are not of positions have a T of their own, with gap/T = SHARPNESS at least.
    """
    model, count = extent.model, extent.rows
    constants, reach = model.constants, model.demands.reach
    found = [] if reach is None else [reach.values, reach.counts, reach.errors_of_indices]
    bounded = watched is None and None not in found
    of_indices = Fraction(0) if reach is None else extent.of(reach.errors_of_indices)
    ratio = max(constants.omega / finest(model), of_indices or Fraction(0))
    if has(Kind.SQUARE, model):
        ratio = max(ratio, Fraction(count**2))
    spread = ratio * 2 ** MANTISSAS[model.dtype.name] if model.demands.chained else count
    keys = 128 * count**2 if model.demands.matches else 1
    heavy = model.demands.prefers_heavy
    paths = [retracing(kind, constants, heaviest=heavy) for kind in model.demands.retraces]
    keys *= max((path.nearer * path.step for path in paths), default=1)
    sharpness = log(16 * count * ratio * spread * keys)
    sharpness += extent.errors_grow() if model.demands.multiplies and not bounded else 0
    sharpness = inf if of_indices is None else sharpness
    if not has(Kind.POSITION, model):
        return Condition(
            "temperature",
            "what every gap between scores must be, in units of T, against what it is at least",
            sharpness,
            SHARPNESS_OF_NUMBERS,
            "Recompile with Limits of a smaller largest, or a larger resolution.",
        )
    gap, own = float(1 - constants.cosine), float(constants.temperature) * SHARPNESS
    return Condition(
        "temperature",
        f"{sharpness:.3g} × T against 1 − cos δ̂, the gap between neighbouring positions",
        float(constants.temperature) * sharpness,
        gap if sharpness <= SHARPNESS else min(gap, own),
        "Recompile with a smaller Limits(temperature=…).",
    )


def digits_of_values(model: Weights) -> Condition:
    name = model.dtype.name
    return Condition(
        "dtype: values",
        f"Ω/ε against what {name} tells apart, less {GUARD_BITS} bit for sums",
        float(model.constants.omega / finest(model)),
        2.0 ** (MANTISSAS[name] - GUARD_BITS),
        "Recompile with a coarser Limits(resolution=…), or use wider floats.",
    )


def digits_of_positions(model: Weights, count: int) -> Condition:
    name = model.dtype.name
    return Condition(
        "dtype: positions",
        f"what rounding in {name} does to a score, {SAFETY} times over, against 1 − cos δ̂",
        float(SAFETY * drift(count, name)),
        float(1 - model.constants.cosine),
        "Recompile with fewer Limits(nodes=…), or use wider floats.",
    )


def has(kind: Kind, model: Weights) -> bool:
    """Whether a model has variables of a kind: positions, or squares of numbers to find rows by."""
    return any(field.kind is kind for field in model.layout.fields)


def digits_of_squares(extent: Extent) -> Condition:
    """A score is 2·t·j − j², of a number t that is asked for and that of a row, j."""
    name = extent.model.dtype.name
    return Condition(
        "dtype: squares",
        f"2 × an index × the rows, in the scores of rows that are found by number, against what "
        f"{name} tells apart",
        as_float(2 * extent.largest_index() * extent.rows),
        2.0 ** MANTISSAS[name],
        "Run it on fewer nodes, or use wider floats.",
    )


def retraced_edges(extent: Extent, kind: Kind) -> Condition:
    """Scores that find the edge by which a path came about, and of several the heaviest, then that
    of the least index. Half a step less than the best score is what still ties with it, so that
    floats must hold half steps as well."""
    name, constants = extent.model.dtype.name, extent.model.constants
    return Condition(
        "retraced edges",
        f"2 × nodes × the heaviest edge, in the least steps of a {kind}, against what {name} tells "
        "apart, less a bit for half steps",
        as_float(retracing(kind, constants, heaviest=True).heavier * extent.edge),
        2.0 ** (MANTISSAS[name] - 1),
        "Recompile with Limits of fewer nodes or a larger resolution.",
    )


def ties_of_edges(
    extent: Extent, kind: Kind, watched: Fraction | None, grid: Fraction
) -> Condition:
    """What edges bring that are as good as each other: no more of it than a node has edges."""
    most = extent.largest_sum() if kind is Kind.VALUE else extent.most_counted()
    large = extent.model.constants.omega if watched or most is None else most + extent.edge
    if kind is Kind.INDEX:
        large = extent.largest_index()
    return sums_of_ties(extent.model, extent.degree * large / (grid if kind is Kind.VALUE else 1))


def finest(model: Weights) -> Fraction:
    """The least difference of two numbers: ε, or 1 where all are whole."""
    return model.constants.resolution if model.demands.values else Fraction(1)


def smallest_weight(model: Weights, graph: Measured, scale: Fraction) -> Condition:
    return Condition(
        "smallest weight",
        "half the resolution against every weight, or one is rounded to 0: no edge",
        float(np.nextafter(float(model.constants.resolution / 2), 1)),
        as_float(Fraction(graph.lightest) * scale),
        "Recompile with Limits.fit(graph); if they do not help, the weights are too far apart.",
    )


def path_differences(
    model: Weights, graph: Measured, scale: Fraction, given: Iterable[Fraction]
) -> Condition:
    """In exact arithmetic two paths must differ by 0 or by at least ε.

    Where values meet other numbers, so must they and those.
    """
    epsilon, step = model.constants.resolution, (graph.unit or LEAST_UNIT) * scale
    if not model.demands.homogeneous:
        others = (value.denominator for value in given)
        step = Fraction(1, lcm(step.denominator, model.demands.denominator, *others))
    return Condition(
        "path differences",
        "1/ε against the weights' common denominator",
        as_float(1 / step),
        float(1 / epsilon),
        f"Recompile with Limits(resolution=…) at most {brief(step)}.",
    )


def grid_of_values(extent: Extent, given: Iterable[Fraction]) -> Fraction:
    """The largest power of two that all values are multiples of; ε at least."""
    demands, epsilon = extent.model.demands, extent.model.constants.resolution
    weighted = extent.model.edges == "weights" and extent.graph.has_edges
    step = (extent.graph.unit or LEAST_UNIT) * extent.scale if weighted else Fraction(1)
    if step % epsilon:
        return epsilon
    grid = Fraction(step.numerator & -step.numerator, step.denominator)
    if demands.homogeneous:
        return grid
    others = lcm(demands.denominator, *(number.denominator for number in given))
    return max(min(grid, Fraction(1, others)), epsilon)


def sums_of_ties(model: Weights, steps: Fraction) -> Condition:
    """Sums of whole multiples of 2ᵏ are exact up to 2ᵏ⁺⁵³ in float64."""
    name = model.dtype.name
    return Condition(
        "sums of ties",
        f"values that tie are added before they are divided: {name} holds 2^{MANTISSAS[name]} "
        "steps",
        as_float(steps),
        2.0 ** MANTISSAS[name],
        "Recompile with a coarser Limits(resolution=…), or Limits.fit(graph).",
    )


def rounding_of_values(extent: Extent, graph: Graph) -> float:
    """No value changes by more than this when weights are rounded to the resolution: no simple
    path, where values are those, and else no sum of as many weights as a bound has."""
    model, scale = extent.model, extent.scale
    epsilon = model.constants.resolution
    if graph.unit and graph.unit * scale % epsilon == 0:
        return 0.0
    if not model.demands.paths:
        most = extent.rounded_off(epsilon / 2 / scale)
        return inf if most is None else as_float(most)
    if not isinstance(graph.weights, np.ndarray):
        return as_float(graph.n * epsilon / 2 / scale)
    if extent.edge > Fraction(float_info.max):
        return inf
    seen = times_power_of_two(weights_on_grid(model, graph, scale, exact=False), 1 / scale)
    most = np.sort(np.abs(seen - graph.weights))[-graph.n :]
    return float(np.nextafter(fsum(most.tolist()), inf))
