"""Which columns of a table are the edges' ends and weights: by name, or the first two and third."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

from loopwright.errors import GraphError, brief

ENDS = (("source", "target"), ("from", "to"), ("tail", "head"), ("u", "v"))
"""What people call the ends of an edge; the first pair that is there is taken."""

WEIGHT = ("weight", "w")


def is_frame(source: Any) -> bool:
    """Whether it is a pandas DataFrame, or acts as one; pandas need not be installed."""
    return hasattr(source, "columns") and hasattr(source, "iloc")


def find_columns(names: Sequence[str]) -> tuple[int, int, int | None]:
    """Indices of tail, head and weight, or None for a table without weights.

    The only column left beside two ends is the weight, whatever its name: to take every edge as 1
    because it is called "km" would be a wrong answer.

    >>> find_columns(["id", "To", "From", "weight"])
    (2, 1, 3)
    >>> find_columns(["city", "next", "km"]), find_columns(["a", "b"])
    ((0, 1, 2), (0, 1, None))

    Raises:
        GraphError: if there are fewer than two columns, or several of the same name.
    """
    known = [name.strip().lower() for name in names]
    if len(known) < 2:
        raise GraphError("expected a column for tails and one for heads, found one column or none.")
    tail, head = next(
        ((known.index(one), known.index(other)) for one, other in ENDS if {one, other} <= {*known}),
        (0, 1),
    )
    others = [i for i in range(len(known)) if i not in (tail, head)]
    named = [i for i in others if known[i] in WEIGHT]
    if len(named) > 1 or known.count(known[tail]) > 1 or known.count(known[head]) > 1:
        raise GraphError(f"two columns have the same meaning: {brief(', '.join(names))}.")
    if named:
        return tail, head, named[0]
    by_name = (known[tail], known[head]) in ENDS
    if len(others) == 1 or (others and not by_name):
        return tail, head, others[0]
    return tail, head, None
