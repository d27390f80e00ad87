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
from loopwright.model.reach import Reach, without_sentinels
from loopwright.model.weights import Weights
from loopwright.runtime.condition import Condition
from loopwright.runtime.extent import Extent
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
    noise: float = 0.0
    """What every score may be off by, and the answer stays the same: half of the least tolerance of
    a hardmax head, which is half of the gap that its scores have."""
    watched: Fraction | None = None
    """What no value or count may exceed when an iteration begins, where no bound on them is known
    beforehand. A run watches that, and stops where one does."""
    watches_positions: bool = False
    """Whether a run also watches that positions do not move past the nodes."""

    def __repr__(self) -> str:
        verdict = "exact" if self.exact else "guaranteed" if self.guaranteed else "not guaranteed"
        if self.guaranteed and self.watched is not None:
            verdict += f" while no number exceeds {as_float(self.watched):g}"
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
    iterations: int | None = None,
) -> Certificate:
    """Which bounds hold on a graph, before anything runs; `scale` as `reweighting` chooses it.

    `given` are values and counts that come to it besides the graph. `iterations` are the most that
    it may take, where that is not the program's own bound.

    >>> import loopwright as lw
    >>> graph = lw.Graph.of([("a", "b", 0.5)])
    >>> check(lw.compile(lw.algorithms.dijkstra()), graph).exact
    True
    """
    count, given = row_count(model, graph.n, rows), list(given)
    scale = chosen_scale(model, graph, scale, exact=exact)
    most_given = max(map(abs, given), default=Fraction(0))
    extent = Extent(
        model, graph, count, scale, most_given, iterations or model.max_iterations(count)
    )
    ranges, watched = ranges_of(extent)
    found = [nodes(model, count), *ranges]
    found += preconditions(model.needs, graph, weighted=model.edges == "weights")
    watches_positions = not positions_stay(extent)
    if watches_positions and (further := increments(extent)).needed > count:
        found.append(further)
    if model.attention == "softmax":
        found.append(temperature(model, count))
    if not exact:
        found += [digits_of_values(model), digits_of_positions(model, count)]
    rounding = 0.0
    if model.demands.averages_counts and not exact:
        most = None if watched else extent.most_counted()
        ties = sums_of_ties(model, graph.n * (most or model.constants.omega))
        found += [ties] if graph.n * model.constants.omega > ties.allowed else []
    if model.edges == "weights" and len(graph.tails):
        if exact:
            found.append(path_differences(model, graph, scale, given))
        else:
            found.append(smallest_weight(model, graph, scale))
            rounding = rounding_of_values(extent)
            if model.demands.averages:
                most = model.constants.omega if watched else extent.largest_sum()
                found.append(sums_of_ties(model, graph.n * most / grid_of_values(extent, given)))
        if sums := heaviest_sum(model, graph):
            found.append(sums_of_edges(model, as_float(Fraction(sums) * scale)))
    return Certificate(
        conditions=tuple(sorted(found, key=lambda c: c.margin)),
        rounding=rounding,
        scale=scale,
        noise=noise_of(model),
        watched=watched,
        watches_positions=watches_positions,
    )


def noise_of(model: Weights) -> float:
    if model.attention == "softmax":
        return 0.0
    return min((h.tie_tolerance for layer in model.layers for h in layer.heads), default=inf) / 2


def nodes(model: Weights, count: int) -> Condition:
    return Condition(
        "nodes",
        "positions that can be told apart; one more is kept for 'nowhere'",
        count,
        model.constants.nodes,
        f"Recompile with Limits(nodes={count}).",
    )


def ranges_of(extent: Extent) -> tuple[list[Condition], Fraction | None]:
    """Conditions on how large numbers get; and what a run has to watch, where those that need no
    word of the author's are unknown or do not hold."""
    demands = extent.model.demands
    words = [priorities(extent)] if demands.counts else []
    if demands.paths and extent.model.edges == "weights" and len(extent.graph.tails):
        words.append(longest_path(extent))
    if demands.reach is None:
        return words, None
    bounds = with_unreached(extent, demands.reach) if not words else []
    bounds += [priorities(extent)] if not demands.counts else []
    bounds += [values(extent)] if not demands.paths else []
    index = indices(extent, demands.reach)
    if index.needed > extent.rows:  # else it is the condition on nodes
        words.append(index)
    if all(bound.holds for bound in bounds):
        return words + [bound for bound in bounds if bound.needed], None
    watched = extent.watched()
    return [*words, *([] if watched is not None else bounds)], watched


def at_most(
    name: str, why: str, most: Fraction | None, allowed: Fraction | int, remedy: str
) -> Condition:
    """A condition on a number that may have no bound."""
    return Condition(name, why, inf if most is None else as_float(most), float(allowed), remedy)


def priorities(extent: Extent) -> Condition:
    most = extent.most_counted()
    return at_most(
        "priorities",
        "what the program counts up to must stay below the unreached",
        most,
        extent.room,
        f"Recompile with Limits(nodes={extent.rows}, largest={most}).",
    )


def values(extent: Extent) -> Condition:
    return at_most(
        "values",
        "what values can add up to in all iterations must stay below the unreached",
        extent.largest_value(),
        extent.room,
        "Recompile with a larger Limits(largest=…).",
    )


def with_unreached(extent: Extent, reach: Reach) -> list[Condition]:
    """On what Ω̂ and the mask are mixed into."""
    return [
        at_most(
            "sums with the unreached",
            "what is added to Ω̂ or the mask may not make more than Ω of them",
            extent.of(reach.mixed),
            extent.model.constants.omega,
            "Recompile with a larger Limits(largest=…).",
        ),
        at_most(
            "mixed with the unreached",
            "what Ω̂ or the mask are changed by must leave them beyond other numbers",
            extent.of(without_sentinels(reach.mixed)),
            extent.most_mixed,
            "Recompile with a larger Limits(largest=…).",
        ),
    ]


def indices(extent: Extent, reach: Reach) -> Condition:
    return at_most(
        "indices",
        "an index is the number of a node",
        extent.of(reach.indices),
        extent.model.constants.nodes,
        "Declare as a count what may be more than the number of a node.",
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


def positions_stay(extent: Extent) -> bool:
    """Whether positions are known to stay at the nodes: by the bounds, or by the author's word."""
    demands = extent.model.demands
    if demands.reach is None or demands.counts or demands.paths:
        return True
    most = extent.of(demands.reach.positions)
    return most is not None and most <= extent.rows


def increments(extent: Extent) -> Condition:
    """A position that has gone one past the last node is seen, and has not come round to p₀."""
    assert extent.model.demands.reach is not None
    most = extent.rows + max(extent.model.demands.reach.increments, 1) - 1
    return Condition(
        "positions",
        "how far a position can move in one step, past the last node",
        most,
        extent.model.constants.nodes,
        f"Recompile with Limits(nodes={most}).",
    )


def longest_path(extent: Extent) -> Condition:
    return Condition(
        "longest path",
        "no path may weigh as much as an unreached node",
        as_float(extent.longest_path()),
        float(extent.model.constants.largest),
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


def grid_of_values(extent: Extent, given: Iterable[Fraction]) -> Fraction:
    """The largest power of two that all values are multiples of; ε at least."""
    demands, epsilon = extent.model.demands, extent.model.constants.resolution
    step = (extent.graph.unit or LEAST_UNIT) * extent.scale
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


def sums_of_edges(model: Weights, heaviest: float) -> Condition:
    return Condition(
        "sums of edges",
        "all edges at a node are added up, and may not exceed Ω",
        heaviest,
        float(model.constants.omega),
        "Recompile with a larger Limits(largest=…).",
    )


def rounding_of_values(extent: Extent) -> float:
    """No value changes by more than this when weights are rounded to the resolution: no simple
    path, where values are those, and else no sum of as many weights as a bound has."""
    model, graph, scale = extent.model, extent.graph, extent.scale
    epsilon = model.constants.resolution
    if graph.unit and graph.unit * scale % epsilon == 0:
        return 0.0
    if not model.demands.paths:
        most = extent.rounded_off(epsilon / 2 / scale)
        return inf if most is None else as_float(most)
    if not isinstance(graph.weights, np.ndarray):
        return float(graph.n * epsilon / 2 / scale)
    seen = times_power_of_two(weights_on_grid(model, graph, scale, exact=False), 1 / scale)
    most = np.sort(np.abs(seen - graph.weights))[-graph.n :]
    return float(np.nextafter(fsum(most.tolist()), inf))
