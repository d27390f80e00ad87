"""Certificate: is the answer guaranteed on this graph, by which bounds, and how exactly?

Every bound is one of the theorems' conditions, with the number the graph needs and the number the
model has. All of them hold, or the run is refused. [P §6.1, §6.2, Thm. 1]
"""

from __future__ import annotations

from collections.abc import Iterable
from dataclasses import dataclass
from fractions import Fraction
from math import fsum, inf, lcm, log
from sys import float_info

import numpy as np

from loopwright.model.limits import GUARD_BITS, MANTISSAS, SAFETY, drift
from loopwright.model.weights import Weights
from loopwright.runtime.condition import Condition
from loopwright.runtime.graph import LARGEST_FACTOR, Graph
from loopwright.runtime.inputs import row_count
from loopwright.runtime.preconditions import preconditions
from loopwright.runtime.reweigh import (
    chosen_scale,
    heaviest_sum,
    times_power_of_two,
    weights_on_grid,
)

LEAST_UNIT = Fraction(1, LARGEST_FACTOR)
"""Of weights that have no unit of any use."""


def as_float(number: Fraction) -> float:
    """The number, or the end of floats if it is beyond."""
    return float(min(number, Fraction(float_info.max)))


@dataclass(frozen=True, repr=False)
class Certificate:
    """The conditions, weakest first, and how exact an answer they guarantee."""

    conditions: tuple[Condition, ...]
    rounding: float
    """The most that a path's length changes as weights are rounded to the resolution; 0: exact."""
    scale: Fraction = Fraction(1)
    """What weights are multiplied by before; the numbers of the conditions are in that unit."""

    def __repr__(self) -> str:
        verdict = "exact" if self.exact else "guaranteed" if self.guaranteed else "not guaranteed"
        weakest = self.conditions[0]
        return (
            f"<Certificate: {verdict}; the weakest of {len(self.conditions)} bounds is "
            f"'{weakest.name}': {weakest.needed:g} of {weakest.allowed:g}>"
        )

    @property
    def guaranteed(self) -> bool:
        return all(condition.holds for condition in self.conditions)

    @property
    def exact(self) -> bool:
        """Guaranteed bit for bit, not only for the weights as rounded."""
        return self.guaranteed and self.rounding == 0

    def require(self, name: str) -> None:
        """Raise for the worst condition that does not hold.

        Raises:
            GraphError: if the graph is not what the program needs it to be.
            CapacityError: if the model cannot hold it; with both numbers, and the remedy.
        """
        for condition in self.conditions:
            if not condition.holds:
                raise condition.refusal(name)


def check(
    model: Weights,
    graph: Graph,
    *,
    rows: int | None = None,
    exact: bool = False,
    scale: Fraction | int | None = None,
    given: Iterable[Fraction] = (),
) -> Certificate:
    """Which bounds hold on a graph, before anything runs; `scale` as `reweighting` chooses it.

    `given` are values that come to it besides the graph.

    >>> import loopwright as lw
    >>> graph = lw.Graph.of([("a", "b", 0.5)])
    >>> check(lw.compile(lw.algorithms.dijkstra()), graph).exact
    True
    """
    count = row_count(graph.n, rows)
    scale = chosen_scale(model, graph, scale, exact=exact)
    found: list[Condition] = [nodes(model, count)]
    found += preconditions(model.needs, graph, weighted=model.edges == "weights")
    if model.demands.counts:
        found.append(priorities(model, count))
    if model.attention == "softmax":
        found.append(temperature(model, count))
    if not exact:
        found += [digits_of_values(model), digits_of_positions(model, count)]
    rounding = 0.0
    if model.edges == "weights" and len(graph.tails):
        found.append(longest_path(model, graph, scale))
        if exact:
            found.append(path_differences(model, graph, scale, given))
        else:
            found.append(smallest_weight(model, graph, scale))
            rounding = rounding_of_paths(model, graph, scale)
            if model.demands.averages:
                grid = grid_of_values(model, graph, scale, given)
                found.append(sums_of_ties(model, graph, scale, grid))
        if sums := heaviest_sum(model, graph):
            found.append(sums_of_edges(model, as_float(Fraction(sums) * scale)))
    return Certificate(tuple(sorted(found, key=lambda c: c.margin)), rounding, scale)


def nodes(model: Weights, count: int) -> Condition:
    return Condition(
        "nodes",
        "positions that can be told apart; one more is kept for 'nowhere'",
        count,
        model.constants.nodes,
        f"Recompile with Limits(nodes={count}).",
    )


def priorities(model: Weights, count: int) -> Condition:
    most = model.demands.most_counted(count)
    return Condition(
        "priorities",
        "what the program counts up to must stay below the unreached",
        most,
        float(model.constants.largest),
        f"Recompile with Limits(nodes={count}, largest={most}).",
    )


def temperature(model: Weights, count: int) -> Condition:
    """What softmax gives to rows that hardmax would not, times Ω, must vanish beside ε.

    Each such row gets at most e^(−gap/T). A value is read through at most four heads on each of at
    most `count` hops of a path, so its error stays below ε/4 if 4·count · count · e^(−gap/T) · Ω
    does.

    If a comparison decides a selection before its flag is rounded, it divides that error by ε, and
    the selection multiplies it by Ω. Where two values tie this would go on from one iteration to
    the next, a factor Ω/ε each time: it must be so little that the first sum absorbs it.
    """
    constants = model.constants
    ratio = constants.omega / finest(model)
    spread = ratio * 2 ** MANTISSAS[model.dtype.name] if model.demands.chained else count
    sharpness = log(float(16 * count * ratio * spread))
    return Condition(
        "temperature",
        f"{sharpness:.3g} × T against 1 − cos δ̂, the gap between neighbouring positions",
        float(constants.temperature) * sharpness,
        float(1 - constants.cosine),
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


def finest(model: Weights) -> Fraction:
    """The least difference of two numbers: ε, or 1 where all are whole."""
    return model.constants.resolution if model.demands.values else Fraction(1)


def longest_path(model: Weights, graph: Graph, scale: Fraction) -> Condition:
    return Condition(
        "longest path",
        "no path may weigh as much as an unreached node",
        as_float(Fraction(graph.longest_path_bound()) * scale),
        float(model.constants.largest),
        "Recompile with Limits.fit(graph), or scale the weights down.",
    )


def smallest_weight(model: Weights, graph: Graph, scale: Fraction) -> Condition:
    return Condition(
        "smallest weight",
        "half the resolution against every weight, or one is rounded to 0: no edge",
        float(np.nextafter(float(model.constants.resolution / 2), 1)),
        float(Fraction(float(graph.floats.min())) * scale),
        "Recompile with Limits.fit(graph); if they do not help, the weights are too far apart.",
    )


def path_differences(
    model: Weights, graph: Graph, scale: Fraction, given: Iterable[Fraction]
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
        f"Recompile with Limits(resolution=…) at most {step}.",
    )


def grid_of_values(
    model: Weights, graph: Graph, scale: Fraction, given: Iterable[Fraction]
) -> Fraction:
    """The largest power of two that all values are multiples of; ε at least."""
    epsilon, step = model.constants.resolution, (graph.unit or LEAST_UNIT) * scale
    if step % epsilon or any(given):
        return epsilon
    grid = Fraction(step.numerator & -step.numerator, step.denominator)
    return grid if model.demands.homogeneous else min(grid, Fraction(1, model.demands.denominator))


def sums_of_ties(model: Weights, graph: Graph, scale: Fraction, grid: Fraction) -> Condition:
    """Sums of whole multiples of 2ᵏ are exact up to 2ᵏ⁺⁵³ in float64."""
    name = model.dtype.name
    return Condition(
        "sums of ties",
        f"values that tie are added before they are divided: {name} holds 2^{MANTISSAS[name]} "
        "steps",
        as_float(graph.n * Fraction(graph.longest_path_bound()) * scale / grid),
        2.0 ** MANTISSAS[name],
        "Recompile with a coarser Limits(resolution=…), or Limits.fit(graph).",
    )


def sums_of_edges(model: Weights, heaviest: float) -> Condition:
    return Condition(
        "sums of edges",
        "all edges at a node are added up, and may not exceed Ω",
        heaviest,
        float(model.constants.omega),
        "Recompile with a larger Limits(largest=…).",
    )


def rounding_of_paths(model: Weights, graph: Graph, scale: Fraction) -> float:
    """No simple path changes by more than this when weights are rounded to the resolution."""
    epsilon = model.constants.resolution
    if graph.unit and graph.unit * scale % epsilon == 0:
        return 0.0
    if not isinstance(graph.weights, np.ndarray):
        return float(graph.n * epsilon / 2 / scale)
    seen = times_power_of_two(weights_on_grid(model, graph, scale, exact=False), 1 / scale)
    most = np.sort(np.abs(seen - graph.weights))[-graph.n :]
    return float(np.nextafter(fsum(most.tolist()), inf))
