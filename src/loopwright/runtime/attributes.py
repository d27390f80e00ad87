"""Which attribute of the edges is their weight; where that would be a guess, the graph is refused.

To take every edge as 1 because its length is called "km" would be a wrong answer without a word.
"""

from __future__ import annotations

from collections.abc import Collection, Iterable, Mapping
from numbers import Real
from typing import Any

import numpy as np

from loopwright.errors import GraphError, brief
from loopwright.runtime.arcs import GraphParts

WEIGHT = "weight"
"""What is read unless the caller names another attribute; None stands for 1 on every edge."""

NAMES = ("id", "key", "source", "target")
"""Attributes that say which edge it is, and not how long, even if they are numbers."""


def check_attribute(wanted: str | None, edges: Iterable[Mapping[str, Any]]) -> None:
    """Look for the attribute that is wanted, up to the first edge that has it.

    Raises:
        GraphError: if no edge has it, and `refuse_to_guess` does not take that for unweighted.
    """
    there = False
    numbers: dict[str, None] = {}
    for attributes in edges:
        if wanted is None or wanted in attributes:
            return
        there = True
        if attributes:  # most graphs without weights have none, on any of their many edges
            numbers.update((str(name), None) for name, one in attributes.items() if is_number(one))
    if there:
        refuse_to_guess(wanted, numbers)


def refuse_to_guess(wanted: str | None, numbers: Collection[str]) -> None:
    """Where no edge has the attribute that is wanted, and `numbers` are attributes that some have.

    Only a graph whose edges have no numbers at all is one without weights.

    Raises:
        GraphError: with the attributes that there are, and what to do.
    """
    others = [brief(name) for name in numbers if name not in NAMES]
    there = ", ".join(others) or "none"
    if wanted not in (None, WEIGHT):
        raise GraphError(f"no edge has '{brief(wanted)}'; what edges have as numbers: {there}.")
    if wanted and others:
        raise GraphError(
            f"no edge has '{wanted}', but edges have numbers: {there}. Say which is the weight, "
            f'such as weight="{others[0]}" (--weight {others[0]}), or weight=None (--weight none) '
            "to take every edge as 1."
        )


def is_number(value: object) -> bool:
    """Whether a value could be a length: a truth value could not."""
    return not isinstance(value, bool) and isinstance(value, Real)


def without_names(parts: GraphParts, wanted: str | None) -> GraphParts:
    """A graph from a form in which an edge has one weight, or none, and that has no name.

    Raises:
        GraphError: if a name is wanted.
    """
    if wanted == WEIGHT:
        return parts
    if wanted is not None:
        raise GraphError(
            f"weight '{brief(wanted)}' is wanted, but here the edges have one weight, without a "
            "name: leave weight (--weight) out."
        )
    return parts._replace(weights=np.ones(len(parts.tails)))
