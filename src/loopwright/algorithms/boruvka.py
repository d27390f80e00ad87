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

from loopwright.language import OWN, Statements
from loopwright.language.terms import NumberVariable, OfAllNodes


class Forest(NamedTuple):
    """Edges: each is held by one node, and no node holds two."""

    tail: NumberVariable
    """An end of the edge that a node holds; 0 if it holds none."""
    head: NumberVariable
    """The other end."""


def forest(p: Statements) -> Forest:
    """One without edges."""
    tail, head = p.nodes.index(), p.nodes.index()
    return Forest(tail, head)


def grow(p: Statements, edges: Forest) -> OfAllNodes:
    """Add edges to a forest; true in the iteration in which there are none to add.

    In every iteration the heights of all trees together shrink by a third at least, where there are
    edges to add: docs/parallel.md proves it.
    """
    label = p.nodes.index(start=OWN)

    # A root that nobody points to by way of another node is that of a star.
    pointer = label[label]
    deep = p.least_where(p.index, pointer, p.index, unless=pointer == label)
    is_star = (label == p.index) & (deep == 0)

    # The lightest edge out of each node, and out of each star: by weight, lower and higher end.
    light = p.nearest_from(0, across=label, otherwise=0)
    other = p.via(light)
    alone = light == 0
    lightest = p.least_where(light, label, label, unless=alone)
    is_light = ~alone & (light == lightest)
    lower, higher = p.min(p.index, other), p.max(p.index, other)
    low = p.least_where(lower, label, label, unless=~is_light)
    is_chosen = is_light & (lower == low)
    high = p.least_where(higher, label, label, unless=~is_chosen)
    there = p.least_where(label[other], label, label, unless=~is_chosen)

    # Roots of stars hook, and all jump. Of two stars that hook to each other the lower root stays.
    target = p.where(is_star & ~(low == 0), there, label)
    after = target[target]
    jumped = p.where(after == p.index, p.min(target, after), after)
    hooks = ~(target == label) & ~((after == p.index) & (p.index < target))
    edges.tail[hooks] = low
    edges.head[hooks] = high
    label[:] = jumped[jumped]
    return p.all(alone)
