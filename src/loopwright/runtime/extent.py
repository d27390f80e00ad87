"""How far the numbers of a model can go on one graph."""

from __future__ import annotations

from dataclasses import dataclass
from fractions import Fraction
from functools import cached_property

import numpy as np
from numpy.typing import NDArray

from loopwright.model.demands import polynomial
from loopwright.model.reach import Bound, without_sentinels
from loopwright.model.weights import Weights
from loopwright.runtime.graph import Graph


@dataclass(frozen=True, eq=False)
class Extent:
    """The quantities that bounds are sums of, in the unit that the model sees."""

    model: Weights
    graph: Graph
    rows: int
    scale: Fraction
    given: Fraction
    """The largest number that the caller gives."""
    iterations: int | None
    """How many there are at most; None: nobody knows."""
    one = Fraction(1)

    @property
    def nodes(self) -> Fraction:
        return Fraction(self.rows)

    @property
    def unreached(self) -> Fraction:
        return self.model.constants.unreached

    @property
    def mask(self) -> Fraction:
        return self.model.constants.mask

    @property
    def room(self) -> Fraction:
        """What plain numbers may be: less than Ω̂ where the program uses it, or up to Ω."""
        reach, constants = self.model.demands.reach, self.model.constants
        return constants.omega if reach and not reach.sentinels else constants.largest

    @property
    def most_mixed(self) -> Fraction:
        """What may be mixed into multiples of Ω̂ = 2 × largest: then they are in the same order as
        if Ω̂ were beyond every number, and any but 0 is beyond 3/2 × largest."""
        constants = self.model.constants
        return constants.largest / 2 - constants.resolution

    @cached_property
    def edge(self) -> Fraction:
        return self._unit * Fraction(float(self._weights.max(initial=0.0)))

    @cached_property
    def edges(self) -> Fraction:
        ends = (self.graph.tails, self.graph.heads)
        sums = [np.bincount(end, self._weights, minlength=1).max() for end in ends]
        return self._unit * Fraction(float(max(sums)))

    @property
    def _weights(self) -> NDArray[np.float64]:
        ones = self.model.edges == "ones"
        return np.ones(len(self.graph.tails)) if ones else self.graph.floats

    @property
    def _unit(self) -> Fraction:
        return Fraction(1) if self.model.edges == "ones" else self.scale

    def of(self, bound: Bound | None, **instead: Fraction) -> Fraction | None:
        """What a bound on all iterations comes to, with other numbers `instead` of some quantities;
        None if nothing is known."""
        if bound is None or not self._holds:
            return None
        if self.iterations is None and any(each for _, each in bound):
            return None
        return self._sum(bound, **instead)

    @property
    def _holds(self) -> bool:
        """Whether the run takes no more iterations than the bounds are for."""
        reach = self.model.demands.reach
        most = None if reach is None else reach.iterations
        return most is None or (self.iterations is not None and self.iterations <= most)

    def _sum(self, bound: Bound, **instead: Fraction) -> Fraction:
        total = Fraction(0)
        for (quantity, each), times in bound.items():
            size = instead[quantity] if quantity in instead else getattr(self, quantity)
            total += times * size * ((self.iterations or 0) if each else 1)
        return total

    def most_counted(self) -> Fraction | None:
        """The largest count, by the author's word or by the bounds."""
        demands = self.model.demands
        if demands.counts or demands.reach is None:
            return Fraction(polynomial(demands.counts, self.rows))
        return self.of(demands.reach.counts)

    def longest_path(self) -> Fraction:
        return Fraction(self.graph.longest_path_bound()) * self.scale

    def largest_value(self) -> Fraction | None:
        """The largest value, by the author's word or by the bounds."""
        demands = self.model.demands
        if demands.paths or demands.reach is None:
            return self.longest_path()
        return self.of(demands.reach.values)

    def largest_sum(self) -> Fraction:
        """The largest number that ties are added up of, where bounds hold; Ω̂ and the mask, which
        are powers of two, add up exactly anyhow."""
        demands = self.model.demands
        mixed = None if demands.paths or demands.reach is None else self.of(demands.reach.mixed)
        return max(self.largest_value() or Fraction(0), mixed or Fraction(0))

    def rounded_off(self, each: Fraction) -> Fraction | None:
        """How far off a value is at most if every weight is off by so much."""
        reach, nothing = self.model.demands.reach, Fraction(0)
        assert reach is not None, "older files have their author's word"
        ends = (self.graph.tails, self.graph.heads)
        most = max(int(np.bincount(end, minlength=1).max()) for end in ends)
        off = {"edge": each, "edges": most * each, "one": nothing, "nodes": nothing}
        return self.of(reach.values, **off, given=nothing)

    def watched(self) -> Fraction | None:
        """What no number may exceed when an iteration begins, so that none made in it is too large;
        None if there is no such number.

        An iteration makes a·before + c of them at most. None of that may reach Ω̂, if the program
        uses it. What is mixed into multiples of Ω̂ must leave them apart, and not exceed Ω.
        """
        reach, constants = self.model.demands.reach, self.model.constants
        assert reach is not None, "older files have their author's word"
        most = self.room
        rest = without_sentinels(reach.step_mixed) or {}
        for bound, limit in (
            (reach.step, self.room),
            (reach.step_mixed, constants.omega),
            (rest, self.most_mixed),
        ):
            fixed = self._sum(bound, before=Fraction(0))
            if per_unit := bound.get(("before", 0), Fraction(0)):
                most = min(most, (limit - fixed) / per_unit)
            elif fixed > limit:
                return None
        return most if most >= 0 else None
