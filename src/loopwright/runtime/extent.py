"""How far the numbers of a model can go on one graph."""

from __future__ import annotations

from dataclasses import dataclass
from fractions import Fraction
from functools import cached_property
from math import log

from loopwright.model.demands import polynomial
from loopwright.model.reach import Bound, Term, without_sentinels
from loopwright.model.weights import Weights
from loopwright.runtime.graph import Graph
from loopwright.runtime.measures import WorstCase

Measured = Graph | WorstCase
"""What bounds are bounds on: a graph, or all graphs of a kind."""


@dataclass(frozen=True, eq=False)
class Extent:
    """The quantities that bounds are sums of, in the unit that the model sees."""

    model: Weights
    graph: Measured
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
        """The largest weight that the model sees."""
        if self.model.edges == "ones":
            return Fraction(int(self.graph.has_edges))
        return self.scale * Fraction(self.graph.heaviest)

    @cached_property
    def edges(self) -> Fraction:
        """The most that the edges at a node, one way or the other, add up to."""
        if self.model.edges == "ones":
            return Fraction(self.degree)
        return self.scale * Fraction(max(self.graph.sum_in, self.graph.sum_out))

    @property
    def degree(self) -> int:
        return self.graph.degree

    def of(self, bound: Bound | None, **instead: Fraction) -> Fraction | None:
        """What a bound on all iterations comes to, with other numbers `instead` of some quantities;
        None if nothing is known."""
        if bound is None or not self._holds:
            return None
        if self.iterations is None and any(term.each for term in bound):
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
        for term, times in bound.items():
            known = term.quantity in instead
            size = instead[term.quantity] if known else getattr(self, term.quantity)
            total += times * size * self._powers(term)
        return total

    def _powers(self, term: Term) -> int:
        """What the quantity of a term is multiplied by."""
        return ((self.iterations or 0) if term.each else 1) * self.degree**term.degree

    def growth(self, bound: Bound) -> Fraction:
        """How many times what numbers were `before` an iteration makes of them, by its bound."""
        before = (term for term in bound if term.quantity == "before")
        return sum((bound[term] * self._powers(term) for term in before), Fraction(0))

    def most_counted(self) -> Fraction | None:
        """The largest count, by the author's word or by the bounds."""
        demands = self.model.demands
        if demands.counts or demands.reach is None:
            return Fraction(polynomial(demands.counts, self.rows))
        return self.of(demands.reach.counts)

    def largest_index(self) -> Fraction:
        """The largest index, by the bounds, or of all that the model has."""
        reach = self.model.demands.reach
        found = None if reach is None else self.of(reach.indices)
        most = Fraction(self.model.constants.nodes) if found is None else found
        return max(most, self.nodes)

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
        off = {"edge": each, "edges": self.degree * each, "one": nothing, "nodes": nothing}
        return self.of(reach.values, **off, given=nothing)

    def errors_grow(self) -> float:
        """The logarithm of how many times more an error can be after all iterations, as each of
        them multiplies numbers; 0 where nobody knows how many there are."""
        reach = self.model.demands.reach
        assert reach is not None, "older files have their author's word"
        most = max(map(self.growth, (*reach.step, reach.step_mixed)), default=Fraction(1))
        most = max(most, Fraction(1))
        return (self.iterations or 0) * log(most)

    def watched(self) -> Fraction | None:
        """What no number may exceed when an iteration begins, so that none made in it is too large;
        None if there is no such number.

        An iteration makes a·before + c of them at most, with powers of the degree in a and c: a sum
        over neighbours has at most as many terms as there are edges at a node. None of that may
        reach Ω̂, if the program uses it. What is mixed into multiples of Ω̂ must leave them apart,
        and not exceed Ω.
        """
        reach, constants = self.model.demands.reach, self.model.constants
        assert reach is not None, "older files have their author's word"
        most = self.room
        rest = without_sentinels(reach.step_mixed) or {}
        for bound, limit in (
            *((bound, self.room) for bound in reach.step),
            (reach.step_mixed, constants.omega),
            (rest, self.most_mixed),
            (reach.step_differences, constants.omega),
        ):
            fixed = self._sum(bound, before=Fraction(0))
            if per_unit := self.growth(bound):
                most = min(most, (limit - fixed) / per_unit)
            elif fixed > limit:
                return None
        return most if most >= 0 else None
