"""Certificate: is the answer guaranteed on this graph, by which bounds, and how exactly?

Every bound is one of the theorems' conditions, with the number the graph needs and the number the
model has. All of them hold, or the run is refused. [P §6.1, §6.2, Thm. 1]
"""

from __future__ import annotations

from dataclasses import dataclass
from fractions import Fraction
from math import gcd, lcm, log

import numpy as np

from loopwright.errors import CapacityError
from loopwright.limits import MANTISSA
from loopwright.model import Model
from loopwright.runtime.graph import Graph


@dataclass(frozen=True)
class Condition:
    """`needed` must not exceed `allowed`."""

    name: str
    why: str
    needed: float
    allowed: float
    remedy: str

    @property
    def holds(self) -> bool:
        return self.needed <= self.allowed

    @property
    def margin(self) -> float:
        """How many times over it holds; below 1 it does not."""
        return self.allowed / self.needed if self.needed else float("inf")


@dataclass(frozen=True)
class Certificate:
    """The conditions, weakest first, and how exact an answer they guarantee."""

    conditions: tuple[Condition, ...]
    rounding: float
    """The most that a path's length changes as weights are rounded to the resolution; 0: exact."""

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
            CapacityError: with both numbers, and the remedy.
        """
        for condition in self.conditions:
            if not condition.holds:
                raise CapacityError(
                    f"'{name}' is not guaranteed on this graph: {condition.name}: "
                    f"{condition.needed:g} exceeds {condition.allowed:g} ({condition.why}). "
                    f"{condition.remedy}"
                )


def check(
    model: Model, graph: Graph, *, rows: int | None = None, exact: bool = False
) -> Certificate:
    """Which bounds hold on a graph, before anything runs.

    >>> import loopwright as lw
    >>> graph = lw.Graph.of([("a", "b", 0.5)])
    >>> check(lw.compile(lw.algorithms.dijkstra()), graph).exact
    True
    """
    constants = model.constants
    count = rows or graph.n
    found = [
        Condition(
            "nodes",
            "positions that can be told apart; one more is kept for 'nowhere'",
            count,
            constants.nodes,
            f"Recompile with Limits(nodes={count}).",
        ),
        Condition(
            "priorities",
            "a count of visits, so many for each node, must stay below the unreached",
            visits_a_node(model) * count,
            float(constants.largest),
            f"Recompile with Limits(nodes={count}).",
        ),
    ]
    if model.attention == "softmax":
        found.append(temperature(model, count))
    rounding = 0.0
    if model.edges == "weights" and len(graph.tails):
        found += exact_weight_conditions(model, graph) if exact else weight_conditions(model, graph)
        rounding = 0.0 if exact else rounding_of_paths(model, graph)
    return Certificate(tuple(sorted(found, key=lambda c: c.margin)), rounding)


def visits_a_node(model: Model) -> int:
    """How often a loop comes to each node: the leading coefficient of its bound on iterations."""
    return model.bound[-1] if model.bound else 1


def temperature(model: Model, rows: int) -> Condition:
    """What softmax gives to rows that hardmax would not, times Ω, must vanish beside ε.

    Each such row gets at most e^(−gap/T). A value is read through at most four heads on each of at
    most `rows` hops of a path, so its error stays below ε/4 if 4·rows · rows · e^(−gap/T) · Ω does.
    """
    constants = model.constants
    epsilon = constants.resolution if model.edges == "weights" else Fraction(1)
    sharpness = log(float(16 * rows * rows * constants.omega / epsilon))
    return Condition(
        "temperature",
        f"{sharpness:.3g} × T against 1 − cos δ̂, the gap between neighbouring positions",
        float(constants.temperature) * sharpness,
        float(1 - constants.cosine),
        "Recompile with a smaller Limits(temperature=…).",
    )


def weight_conditions(model: Model, graph: Graph) -> list[Condition]:
    """Ω against the longest path, ε against the smallest weight, float64 against sums of ties."""
    constants = model.constants
    epsilon, longest = float(constants.resolution), graph.longest_path_bound()
    found = [
        longest_path(model, graph),
        Condition(
            "smallest weight",
            "half the resolution against every weight, or one is rounded to 0: no edge",
            float(np.nextafter(epsilon / 2, 1)),
            float(graph.floats.min()),
            "Scale the weights, or recompile with Limits.fit(graph).",
        ),
    ]
    if model.averages:
        digits = longest / common_grid(graph, epsilon)
        found.append(
            Condition(
                "sums of ties",
                "values that tie are added before they are divided: float64 holds 2⁵³ steps",
                graph.n * digits,
                2.0**MANTISSA,
                "Recompile with a coarser Limits(resolution=…), or Limits.fit(graph).",
            )
        )
    return found


def longest_path(model: Model, graph: Graph) -> Condition:
    return Condition(
        "longest path",
        "no path may weigh as much as an unreached node",
        graph.longest_path_bound(),
        float(model.constants.largest),
        "Recompile with Limits.fit(graph), or scale the weights down.",
    )


def exact_weight_conditions(model: Model, graph: Graph) -> list[Condition]:
    """In exact arithmetic: two paths must differ by 0 or by at least ε, and stay below Ω̂."""
    together = lcm(*(Fraction(weight).denominator for weight in graph.weights))
    return [
        longest_path(model, graph),
        Condition(
            "path differences",
            "1/ε against the weights' common denominator",
            float(together),
            float(1 / model.constants.resolution),
            f"Recompile with Limits(resolution=…) at most 1/{together}.",
        ),
    ]


def common_grid(graph: Graph, epsilon: float) -> float:
    """The largest power of two times ε that all rounded weights are multiples of."""
    steps = gcd(*(int(step) for step in np.unique(np.rint(graph.floats / epsilon))))
    return epsilon * (steps & -steps) if steps else epsilon


def rounding_of_paths(model: Model, graph: Graph) -> float:
    """No simple path changes by more than this when weights are rounded to the resolution."""
    epsilon = float(model.constants.resolution)
    moved = np.abs(np.rint(graph.floats / epsilon) * epsilon - graph.floats)
    inexact = not isinstance(graph.weights, np.ndarray)
    return float(np.sort(moved)[-graph.n :].sum()) or (graph.n * epsilon / 2 if inexact else 0.0)
