"""Assumptions → whether a problem is as assumed, before any score is looked at.

This takes a few passes over X₀ and the edges, which are cheap beside a run. What rows find is for
`survey` to check.
"""

from __future__ import annotations

import numpy as np

from loopwright.model.layout import Scope
from loopwright.runtime.encode import Problem
from loopwright.runtime.machines.native.analyse import Assumptions
from loopwright.runtime.machines.native.forms import Sign


class Check:
    """Says of any problem whether it is as assumed. A build makes one, and every run calls it."""

    def __init__(self, assumptions: Assumptions) -> None:
        signs = np.array([assumptions.start[Scope.SINGLE], assumptions.start[Scope.NODES]])
        self.least = np.where(signs == Sign.ANY, -np.inf, 0.0)
        self.largest = np.where(signs == Sign.ZERO, 0.0, np.inf)
        self.alike = sorted(assumptions.alike)
        self.plain_edges = assumptions.plain_edges

    def __call__(self, problem: Problem) -> bool:
        alike = problem.x[1:, self.alike]
        return (
            self._signs_hold(problem)
            and bool((alike == alike[:1]).all())
            and (not self.plain_edges or _edges_are_plain(problem))
        )

    def _signs_hold(self, problem: Problem) -> bool:
        """Whether every number of X₀ is in the range of its column, in row 0 and at the nodes."""
        classes = zip((problem.x[:1], problem.x[1:]), self.least, self.largest, strict=True)
        return all((x >= least).all() and (x <= largest).all() for x, least, largest in classes)


def _edges_are_plain(problem: Problem) -> bool:
    """Whether edges join nodes (never row 0), and none weighs less than 0."""
    if not len(problem.tails):
        return True
    joined = problem.tails.min() > 0 and problem.heads.min() > 0
    return bool(joined and problem.weights.min() >= 0)
