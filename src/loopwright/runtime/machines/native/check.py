"""Assumptions → whether a problem is as assumed, before any score is looked at.

A few passes over X₀: cheap beside a run. What heads find is for `survey` to check.
"""

from __future__ import annotations

import numpy as np

from loopwright.model.layout import Scope
from loopwright.model.weights import Matrix
from loopwright.runtime.encode import Problem
from loopwright.runtime.machines.native.analyse import NODES, SINGLE, Assumptions, Signs
from loopwright.runtime.machines.native.forms import Sign


class Check:
    """Made once for a build, and then called with every problem."""

    def __init__(self, assumptions: Assumptions) -> None:
        self.single = _bounds(assumptions.start, SINGLE)
        self.nodes = _bounds(assumptions.start, NODES)
        self.alike = sorted(assumptions.alike)
        self.plain_edges = assumptions.plain_edges

    def __call__(self, problem: Problem) -> bool:
        row_zero, nodes = problem.x[:1], problem.x[1:]
        alike = nodes[:, self.alike]
        return (
            _within(row_zero, *self.single)
            and _within(nodes, *self.nodes)
            and bool((alike == alike[:1]).all())
            and (not self.plain_edges or _plain(problem))
        )


def _bounds(start: Signs, scope: Scope) -> tuple[Matrix, Matrix]:
    """The least and the largest that each column may hold."""
    signs = np.array(start[scope])
    low = np.where(signs == Sign.ANY, -np.inf, 0.0)
    return low, np.where(signs == Sign.ZERO, 0.0, np.inf)


def _within(rows: Matrix, low: Matrix, high: Matrix) -> bool:
    return bool((rows >= low).all() and (rows <= high).all())


def _plain(problem: Problem) -> bool:
    """Whether edges join nodes, and none weighs less than 0."""
    if not len(problem.tails):
        return True
    joined = problem.tails.min() > 0 and problem.heads.min() > 0
    return bool(joined and problem.weights.min() >= 0)
