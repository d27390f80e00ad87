"""Reach: how far the numbers of a program go, in terms of what is known of a graph.

A bound is a sum of multiples of a few quantities that are never negative. So it can be found once,
when a program is compiled, and evaluated for every graph.
"""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, fields
from fractions import Fraction
from typing import Literal, get_args

Quantity = Literal["one", "nodes", "edge", "edges", "given", "unreached", "mask", "before"]
"""1; the rows; the heaviest edge; the most that edges at one node weigh together; the largest
number that the caller gives; Ω̂; the mask; what numbers were at most when an iteration began."""

Bound = Mapping[tuple[Quantity, int], Fraction]
"""(quantity, 0) → how often it is counted, (quantity, 1) → how often in each iteration."""


@dataclass(frozen=True)
class Reach:
    """Bounds on the magnitude of all numbers of a kind, in any iteration; None: none was found."""

    values: Bound | None
    counts: Bound | None
    indices: Bound | None
    positions: Bound | None
    mixed: Bound | None
    """Numbers that Ω̂ or the mask was added to or taken from."""
    step: Bound
    """Numbers of an iteration that begins with values and counts up to `before`."""
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


def without_sentinels(bound: Bound | None) -> Bound | None:
    """What was mixed into Ω̂ and the mask: the rest beside whole multiples of Ω̂, half the mask."""
    if bound is None:
        return None
    return {term: times for term, times in bound.items() if term[0] not in ("unreached", "mask")}


QUANTITIES: tuple[Quantity, ...] = get_args(Quantity)
BOUNDS = tuple(f.name for f in fields(Reach) if "Bound" in str(f.type))
"""The fields that are bounds."""
