"""Demands: what a program asks of numbers. It is all that a certificate needs to know of it."""

from __future__ import annotations

from dataclasses import dataclass


@dataclass(frozen=True)
class Demands:
    """Facts about a program's ops, found when it is compiled."""

    counts: tuple[int, ...]
    """The largest number that a count reaches, as coefficients of a polynomial in the number of
    nodes, constant first; empty if the program does not count."""
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

    def most_counted(self, nodes: int) -> int:
        """The largest number that a count reaches on a graph of this size."""
        return polynomial(self.counts, nodes)


def polynomial(coefficients: tuple[int, ...], nodes: int) -> int:
    """The value of a polynomial in the number of nodes, given its coefficients, constant first.

    >>> polynomial((1, 0, 2), 10)
    201
    """
    return sum(k * nodes**power for power, k in enumerate(coefficients))
