"""The weights of edges as whole numbers of a unit, or why they cannot be.

Floats are added with rounding, and which of two paths is shorter may hang on it. NetworkX rounds at
every step. A model works on a grid, on which nothing is rounded. Both agree where every sum that
can occur is exact, and that is what is asked for here.
"""

from __future__ import annotations

from collections.abc import Callable, Hashable
from dataclasses import dataclass
from fractions import Fraction
from math import floor, gcd, isfinite, isinf, lcm
from numbers import Rational, Real
from typing import Any

from loopwright.bridges.networkx.refusal import Refusal
from loopwright.bridges.networkx.snapshot import Direction, Snapshot
from loopwright.errors import brief
from loopwright.model.limits import MANTISSA

Weight = str | Callable[[Any, Any, Any], Any] | None
"""As NetworkX takes it: the name of an attribute, or a function of an edge; None counts hops."""


@dataclass(frozen=True)
class Costs:
    """What each edge costs, as NetworkX would add it up, and in whole numbers."""

    given: dict[tuple[Hashable, Hashable], Any]
    """An edge's ends → its cost, as it is: an int, a float, a fraction. Hidden ones are missing."""
    units: dict[tuple[Hashable, Hashable], int]
    """The same as a multiple of the unit."""
    unit: Fraction
    least: int
    most: int

    @property
    def offset(self) -> int:
        """What is added to every weight, so that none is 0 or less: 0 means no edge in Ã."""
        return 1 - min(0, self.least)

    def within(self, cutoff: Any, longest: int) -> int:
        """The most units that a path may cost."""
        if cutoff is None or (isinstance(cutoff, float) and isinf(cutoff) and cutoff > 0):
            return longest
        try:
            return max(-longest, min(longest, floor(Fraction(cutoff) / self.unit)))
        except (TypeError, ValueError, OverflowError):
            raise Refusal(f"cutoff {brief(cutoff, code=True)} is no finite number.") from None


def read_costs(graph: Snapshot, weight: Weight, direction: Direction) -> Costs:
    """Of all edges, in NetworkX's order.

    Raises:
        Refusal: if a cost is no number, or if sums of them would be rounded.
    """
    given = dict[tuple[Hashable, Hashable], Any]()
    for u, of in graph.neighbours(direction).items():
        for v, data in of.items():
            cost = cost_of(graph, weight, u, v, data)
            if cost is not None:
                given[u, v] = cost
    exact = {ends: exact_cost(cost) for ends, cost in given.items()}
    unit = common_unit(exact.values())
    units = {ends: int(cost / unit) for ends, cost in exact.items()}
    least, most = min(units.values(), default=0), max(units.values(), default=0)
    if any(isinstance(cost, float) for cost in given.values()):
        power_of_two = unit.denominator & (unit.denominator - 1) == 0
        longest = len(graph) * max(abs(least), abs(most))
        if not power_of_two or longest * unit.numerator > 2**MANTISSA:
            raise Refusal(
                "floats would round the sums of these weights, and two paths could differ by less "
                "than that: use whole numbers, or multiples of a power of two."
            )
    return Costs(given, units, unit, least, most)


def cost_of(graph: Snapshot, weight: Weight, u: Any, v: Any, data: Any) -> Any:
    """As NetworkX has it: the least of parallel edges, and 1 where the attribute is missing."""
    if callable(weight):
        return weight(u, v, data)
    if graph.multigraph:
        return min(attributes.get(weight, 1) for attributes in data.values())
    return data.get(weight, 1)


def exact_cost(cost: Any) -> Fraction:
    if not isinstance(cost, Real) or not isfinite(cost):
        raise Refusal(f"weight {brief(cost, code=True)} is no finite number.")
    return Fraction(cost) if isinstance(cost, Rational) else Fraction(float(cost))


def common_unit(costs: Any) -> Fraction:
    """The largest number that all of them are multiples of; 1 if all are 0."""
    numbers = [cost for cost in costs if cost]
    if not numbers:
        return Fraction(1)
    below = lcm(*(number.denominator for number in numbers))
    return Fraction(gcd(*(int(number * below) for number in numbers)), below)
