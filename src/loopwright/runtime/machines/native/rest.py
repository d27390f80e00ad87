"""Nodes to which no edge brings anything: what a layer does to them, and how little that is.

Along edges something is carried to few nodes. If what a layer makes of the others is 0, or what was
there and a number that is the same for all nodes, then it is enough to see that this number is 0:
nothing else has to be computed, or even read.
"""

from __future__ import annotations

from collections.abc import Callable, Collection, Mapping
from dataclasses import dataclass

from loopwright.runtime.machines.native.forms import Algebra, Carried, Form, Own


@dataclass(frozen=True, eq=False)
class Rest:
    """What a layer does to nodes that nothing is carried to."""

    cleared: tuple[int, ...]
    """These columns become 0."""
    gains: tuple[Form, ...]
    """What is added to others, the same at all nodes; they stay as they are if this is 0."""


def at_rest(
    new: Mapping[int, Form], carried: Collection[Carried], is_alike: Callable[[Form], bool]
) -> Rest | None:
    """What becomes of columns where nothing is `carried`; None if that has to be computed."""
    algebra, cleared, gains = Algebra(), list[int](), list[Form]()
    for column, form in new.items():
        alone = algebra.without(form, carried)
        kept = {atom: k for atom, k in alone.items() if atom.content == Own(column) and k == 1.0}
        gain = {atom: k for atom, k in alone.items() if atom not in kept}
        if not alone:
            cleared.append(column)
        elif kept and is_alike(gain):
            gains.append(gain)
        else:
            return None
    return Rest(tuple(cleared), tuple(gains)) if carried else None
