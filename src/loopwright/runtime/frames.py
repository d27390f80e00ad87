"""Which columns of a table are the edges' ends and weights: by name, or the first two and third."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from typing import Any

from loopwright.errors import GraphError, brief
from loopwright.runtime.attributes import WEIGHT, refuse_to_guess

ENDS = (("source", "target"), ("from", "to"), ("tail", "head"), ("u", "v"))
"""What people call the ends of an edge; the first pair that is there is taken."""

WEIGHTS = (WEIGHT, "w")
"""What people call the weight of an edge."""


def is_frame(source: Any) -> bool:
    """Whether it is a pandas DataFrame, or acts as one; pandas need not be installed."""
    return hasattr(source, "columns") and hasattr(source, "iloc")


def find_ends(names: Sequence[str]) -> tuple[int, int]:
    """Indices of the columns of tails and heads: by name, or else the first two.

    >>> find_ends(["id", "To", "From", "weight"]), find_ends(["city", "next", "km"])
    ((2, 1), (0, 1))

    Raises:
        GraphError: if there are fewer than two columns, or several of the same name.
    """
    known = [_plain(name) for name in names]
    if len(known) < 2:
        raise GraphError("expected a column for tails and one for heads, found one column or none.")
    tail, head = next(
        ((known.index(one), known.index(other)) for one, other in ENDS if {one, other} <= {*known}),
        (0, 1),
    )
    if known.count(known[tail]) > 1 or known.count(known[head]) > 1:
        raise GraphError(f"two columns have the same meaning: {brief(', '.join(names))}.")
    return tail, head


def find_weight(
    names: Sequence[str],
    ends: tuple[int, int],
    weight: str | None,
    holds_numbers: Callable[[int], bool],
) -> int | None:
    """The index of the column of weights, or None for a table without weights.

    The only column left beside two ends is the weight, whatever its name. Of several that are left,
    it is the one called so, or as the caller says. `holds_numbers` says whether another could be.

    >>> find_weight(["city", "next", "km"], (0, 1), "weight", lambda column: True)
    2
    >>> find_weight(["city", "next", "name", "w"], (0, 1), "weight", lambda column: True)
    3

    Raises:
        GraphError: if there are two columns of this name, or if it would be a guess which it is.
    """
    others = [i for i in range(len(names)) if i not in ends]
    if weight is None:
        return None
    wanted = WEIGHTS if weight == WEIGHT else (_plain(weight),)
    named = [i for i in others if _plain(names[i]) in wanted]
    if len(named) > 1:
        raise GraphError(f"two columns have the same meaning: {brief(', '.join(names))}.")
    if named:
        return named[0]
    if weight == WEIGHT and len(others) == 1:
        return others[0]
    refuse_to_guess(weight, [names[i].strip() for i in others if holds_numbers(i)])
    return None


def _plain(name: str) -> str:
    return name.strip().lower()
