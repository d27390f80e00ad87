"""Demands: what a program asks of numbers. It is all that a certificate needs to know of it."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Any, cast

from loopwright.model.layout import Kind
from loopwright.model.limits import LARGEST_COUNT
from loopwright.model.reach import Reach
from loopwright.model.reliance import Reliance


@dataclass(frozen=True)
class Demands:
    """Facts about a program's ops, found when it is compiled."""

    counts: tuple[int, ...]
    """The author's word on the largest number that a count reaches, as coefficients of a polynomial
    in the number of nodes, constant first; empty if there is none."""
    values: bool
    """Whether the program has values, which are compared to within ε. If not, all its numbers are
    whole."""
    homogeneous: bool
    """Whether the unit of the weights is arbitrary: doubling all weights doubles all values, and
    changes nothing else."""
    denominator: int
    """The common denominator of the constants that the program adds to values or compares them
    with; 1 if they are whole, or if there are none."""
    averages: bool
    """Whether attention takes the mean of values that tie, and so must add them up exactly."""
    chained: bool
    """Whether a comparison decides a selection before its flag is rounded. Softmax must be colder
    then."""
    sums_from: bool
    """Whether the weights of all edges into a node are added up."""
    sums_to: bool
    """Whether the weights of all edges out of a node are added up."""
    picks_indices: bool = False
    """Whether attention finds the least of indices, which then count as priorities do."""
    averages_counts: bool = False
    """Whether attention takes the mean of counts that tie."""
    paths: bool = True
    """The author's word that no value is more than what a simple path weighs, or the edges at one
    node, or than a count."""
    multiplies: bool = False
    """Whether an op multiplies numbers, by a constant or by as many as a node has edges, or adds
    them to each other."""
    matches: tuple[Kind, ...] = ()
    """The kinds of numbers of which attention finds the least, among nodes with the same key."""
    chooses: tuple[Kind, ...] = ()
    """The kinds of numbers that edge heads bring, and add up where several edges are as good."""
    retraces: tuple[Kind, ...] = ()
    """The kinds of paths of which edge heads find the edge that they came by."""
    prefers_heavy: bool = False
    """Whether one of these prefers heavy edges."""
    reliances: tuple[Reliance, ...] = ()
    """What ops count on that nothing proves: a run looks at it. None in files of older versions."""
    reach: Reach | None = None
    """Bounds that were found without anybody's word; None in files of older versions."""


def is_polynomial(given: object) -> bool:
    """Whether it is a tuple of coefficients, of a size that a file can hold.

    >>> is_polynomial((1, 2)), is_polynomial((1, -2)), is_polynomial([1, 2])
    (True, False, False)
    """
    return isinstance(given, tuple) and all(
        type(k) is int and 0 <= k < LARGEST_COUNT for k in cast("tuple[Any, ...]", given)
    )


def polynomial(coefficients: tuple[int, ...], nodes: int) -> int:
    """The value of a polynomial in the number of nodes, given its coefficients, constant first.

    >>> polynomial((1, 0, 2), 10)
    201
    """
    return sum(k * nodes**power for power, k in enumerate(coefficients))
