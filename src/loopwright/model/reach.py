"""Reach: how far the numbers of a program go, in terms of what is known of a graph.

A bound is a sum of multiples of a few quantities that are never negative, some of them times the
iterations, or times powers of the most edges at a node. So it can be found once,
when a program is compiled, and evaluated for every graph.
"""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, field, fields
from fractions import Fraction
from typing import Literal, NamedTuple, get_args

Quantity = Literal["one", "nodes", "edge", "edges", "given", "unreached", "mask", "before"]
"""1; the rows; the heaviest edge; the most that edges at one node weigh together; the largest
number that the caller gives; Ω̂; the mask; what numbers were at most when an iteration began."""


class Term(NamedTuple):
    """A quantity, times powers of two others: of the iterations, and of the largest degree."""

    quantity: Quantity
    each: int = 0
    """1: it is counted in each iteration."""
    degree: int = 0
    """How often sums over neighbours have multiplied it by the most edges at a node."""


Bound = Mapping[Term, Fraction]
"""Term → how often it is counted."""


@dataclass(frozen=True)
class Reach:
    """Bounds on the magnitude of all numbers of a kind, in any iteration; None: none was found."""

    values: Bound | None
    counts: Bound | None
    indices: Bound | None
    positions: Bound | None
    mixed: Bound | None
    """Numbers that Ω̂ or the mask was added to or taken from."""
    step: tuple[Bound, ...]
    """Numbers of an iteration that begins with values and counts up to `before`: each of them keeps
    one of these."""
    step_mixed: Bound
    """The same of mixed ones, if those were up to Ω̂ + `before` as well."""
    sentinels: bool
    """Whether Ω̂ or the mask occur: then no other number may be as large."""
    increments: int
    """How far a position can move within one step."""
    iterations: int | None
    """Up to how many iterations the bounds hold; None: any number of them."""
    pointers: tuple[tuple[str, ...], ...]
    """The positions that each step finds nodes by."""
    meanwhile: tuple[Bound, ...] = ()
    """The same as `step`, of variables that last for an iteration only."""
    differences: Bound | None = field(default_factory=dict[Term, Fraction])
    """Differences by which an op chooses between numbers that may have different signs."""
    errors_of_indices: Bound | None = field(default_factory=dict[Term, Fraction])
    """What indices would be that a minimum with an index holds down, if it did not: errors are a
    share of that, for nothing holds those down."""
    step_differences: Bound = field(default_factory=dict[Term, Fraction])
    """The same of an iteration that begins with values and counts up to `before`."""


def without_sentinels(bound: Bound | None) -> Bound | None:
    """What was mixed into Ω̂ and the mask: the rest beside whole multiples of Ω̂, half the mask."""
    if bound is None:
        return None
    sentinels = ("unreached", "mask")
    return {term: times for term, times in bound.items() if term.quantity not in sentinels}


QUANTITIES: tuple[Quantity, ...] = get_args(Quantity)
BOUNDS = tuple(f.name for f in fields(Reach) if str(f.type).startswith("Bound"))
"""The fields that are bounds."""
