"""Demands: what a program asks of numbers. All that a certificate needs to know of it."""

from __future__ import annotations

from dataclasses import dataclass


@dataclass(frozen=True)
class Demands:
    """Facts about a program's ops, found when it is compiled."""

    counts: tuple[int, ...]
    """The most that a count reaches, as coefficients of a polynomial in n; empty: none counts."""
    values: bool
    """Whether there are values, which are compared to within ε; else all numbers are whole."""
    homogeneous: bool
    """Whether the unit of the weights is arbitrary: doubling all of them doubles all values, and
    changes nothing else."""
    denominator: int
    """Of the constants that values meet, all together."""
    averages: bool
    """Whether attention takes means of values that tie."""
    chained: bool
    """Whether a comparison decides a selection before its flag is rounded: softmax must be colder
    then."""
    sums_from: bool
    """Whether weights of edges into a node are added up …"""
    sums_to: bool
    """… or of edges out of one."""

    def most_counted(self, nodes: int) -> int:
        """On a graph of this size."""
        return polynomial(self.counts, nodes)


def polynomial(coefficients: tuple[int, ...], nodes: int) -> int:
    """Its value, constant first.

    >>> polynomial((1, 0, 2), 10)
    201
    """
    return sum(k * nodes**power for power, k in enumerate(coefficients))
