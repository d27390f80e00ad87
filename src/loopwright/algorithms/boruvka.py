"""Borůvka's minimum spanning forest: components join along their lightest edges. [Borůvka 1926]

Nodes point to nodes of their component, as in a forest of trees. A tree in which all nodes point to
the root is a star: its nodes know their component, and so which of their edges lead out of it. In
every iteration each star looks for its lightest edge, and its root points to where that leads; and
all nodes jump, to where the node that they point to points. [Awerbuch and Shiloach 1987]

Edges are ordered by weight, then by their lower node, then by the other; seen from a node that is
by weight and then by index. So all weights might as well be different, and there are no cycles but
of two stars that chose the same edge, of which the one with the lower root stays.
"""

from __future__ import annotations

from typing import NamedTuple

from loopwright.language import Statements
from loopwright.language.terms import Number, NumberVariable, OfAllNodes, Truth


class Hooks(NamedTuple):
    """What an iteration does to the forest."""

    roots: Truth
    """The roots of stars that hook, each by an edge of its own."""
    low: Number
    """The lower end of that edge, at such a root."""
    high: Number
    """The higher end."""
    pointer: Number
    """Where every node then points."""
    complete: OfAllNodes
    """Whether there is no edge to add."""


def hook(p: Statements, pointer: NumberVariable, *, waits: Truth | None = None) -> Hooks:
    """Have every star hook, but for those where some node waits, if there may be such nodes.

    If none does, the heights of all trees together shrink by a third at least in every iteration,
    as long as there are edges to add: docs/parallel.md proves it.
    """
    # A root that nobody points to by way of another node is that of a star.
    further = pointer[pointer]
    held_up = ~(further == pointer)
    if waits is not None:
        held_up = held_up | waits
    first_held_up = p.least_where(p.index, further, p.index, unless=~held_up)
    is_star = (pointer == p.index) & (first_held_up == 0)

    # The lightest edge out of each node, and out of each star: by weight, lower and higher end.
    light = p.nearest_from(0, across=pointer, otherwise=0)
    other = p.via(light)
    alone = light == 0
    lightest = p.least_where(light, pointer, pointer, unless=alone)
    is_light = ~alone & (light == lightest)
    lower, higher = p.min(p.index, other), p.max(p.index, other)
    low = p.least_where(lower, pointer, pointer, unless=~is_light)
    is_chosen = is_light & (lower == low)
    high = p.least_where(higher, pointer, pointer, unless=~is_chosen)
    there = p.least_where(pointer[other], pointer, pointer, unless=~is_chosen)

    # Roots of stars hook, and all jump. Of two stars that hook to each other the lower root stays.
    target = p.where(is_star & ~(low == 0), there, pointer)
    after = target[target]
    jumped = p.where(after == p.index, p.min(target, after), after)
    roots = ~(target == pointer) & ~((after == p.index) & (p.index < target))
    return Hooks(roots, low, high, jumped[jumped], p.all(alone))
