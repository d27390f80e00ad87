"""Whether a problem can be run at all; and assumptions → whether it is as assumed.

This takes a few passes over the edges, which are cheap beside a run. X₀, and what rows find, is for
`survey` to check.
"""

from __future__ import annotations

import numpy as np

from loopwright.errors import LoopwrightError
from loopwright.runtime.encode import Problem


def require_sound(problem: Problem, width: int) -> None:
    """Machine code trusts shapes and rows: one that is out of range is read beyond an array.

    Raises:
        LoopwrightError: if X₀ is not (K, d), or an edge is incomplete or leads out of it.
    """
    if problem.x.ndim != 2 or problem.x.shape[1] != width or not problem.rows:
        raise LoopwrightError(f"X₀ is {problem.x.shape}: this model needs (rows, {width}).")
    if problem.plain:
        return
    shapes = {array.shape for array in (problem.tails, problem.heads, problem.weights)}
    if len(shapes) != 1 or problem.tails.ndim != 1:
        raise LoopwrightError("tails, heads and weights must be lists of the same length.")
    for ends in (problem.tails, problem.heads):
        if ends.dtype != np.int64:
            raise LoopwrightError(f"the rows that edges join are {ends.dtype}: expected int64.")
        if len(ends) and not 0 <= ends.min() <= ends.max() < problem.rows:
            raise LoopwrightError(f"an edge leads out of the {problem.rows} rows of X₀.")


class Check:
    """Says of any problem whether its edges are as assumed. A build makes one, and every run calls
    it."""

    def __init__(self, *, plain_edges: bool) -> None:
        self.plain_edges = plain_edges

    def __call__(self, problem: Problem) -> bool:
        return not self.plain_edges or _edges_are_plain(problem)


def _edges_are_plain(problem: Problem) -> bool:
    """Whether edges join nodes (never row 0), and none weighs less than 0."""
    if not len(problem.tails):
        return True
    joined = problem.tails.min() > 0 and problem.heads.min() > 0
    return bool(joined and problem.weights.min() >= 0)
