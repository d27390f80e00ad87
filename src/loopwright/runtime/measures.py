"""What weights are like, in powers of two; and the worst graph that has such weights."""

from __future__ import annotations

from dataclasses import dataclass
from fractions import Fraction
from math import frexp, ldexp
from typing import NamedTuple

import numpy as np
from numpy.typing import NDArray

from loopwright.model.limits import MANTISSA


@dataclass(frozen=True)
class WorstCase:
    """Numbers that no graph of a kind exceeds: n nodes, weights up to `heaviest` that are multiples
    of `unit`, and any edges. It has all that bounds ask of a graph, by the same names as a `Graph`:
    what is certain of it is certain of all of them."""

    n: int
    has_edges: bool
    unit: Fraction
    heaviest: float

    @property
    def lightest(self) -> float:
        return float(self.unit)

    @property
    def sum_in(self) -> float:
        return self.n * self.heaviest

    sum_out = sum_in

    @property
    def degree(self) -> int:
        return self.n if self.has_edges else 0

    def longest_path_bound(self) -> float:
        return self.n * self.heaviest


LARGEST_EXPONENT = 1000
"""Of weights that leave room for paths: see `LONGEST_PATH`."""


class Spread(NamedTuple):
    """What weights are like, in powers of two: the same for very many graphs."""

    grid: int
    """k, where 2ᵏ is the largest power of two that every weight is a multiple of."""
    most: int
    """k, where every weight is below 2ᵏ."""

    @classmethod
    def of(cls, weights: NDArray[np.float64]) -> Spread | None:
        """None if 53 bits do not hold all of them as multiples of one power of two.

        >>> Spread.of(np.array([0.75, 6.0]))
        Spread(grid=-2, most=3)
        """
        if not len(weights):
            return cls(0, 1)
        most = frexp(weights.max())[1]
        if most > LARGEST_EXPONENT:
            return None
        step = most - MANTISSA
        whole = np.ldexp(weights, -step)  # below 2⁵³
        steps = whole.astype(np.int64)
        if np.count_nonzero(steps != whole):
            return None
        together = int(np.bitwise_or.reduce(steps))
        return cls((together & -together).bit_length() - 1 + step, most)

    def worst_case(self, n: int, *, has_edges: bool) -> WorstCase:
        return WorstCase(n, has_edges, Fraction(2) ** self.grid, ldexp(1.0, self.most))
