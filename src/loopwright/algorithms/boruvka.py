"""Borůvka's minimum spanning forest: components join along their lightest edges. [Borůvka 1926]

Attention can look for what is equal, but not for what differs: a score that is the same for all
labels but one's own takes as many coordinates as there are labels. It can tell two digits apart. So
in a phase every node looks, digit by digit of the components' numbers, for its lightest edge to a
component that has another digit there, across a cut; after all digits it has seen every other
component. That takes ½ log₂ n iterations, as two digits fit into one, and there are at most log₂ n
phases, as each halves the components.

Edges are ordered by weight, then by their lower node, then by the other; seen from a node that is
by weight and then by index. So all weights might as well be different, and there are no cycles but
of two components that chose the same edge.
"""

from __future__ import annotations

from typing import NamedTuple

from loopwright.language import OWN, Statements
from loopwright.language.terms import NumberVariable, Truth


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


def grow(p: Statements, edges: Forest) -> Truth:
    """Add edges to a forest; true at all nodes in the iteration in which there are none to add.

    A phase has three parts: all nodes look for edges, components join, trees become flat. The first
    iteration finds all trees flat, and begins the first phase.
    """
    label = p.nodes.index(start=OWN)  # the component
    light, other = p.nodes.value(), p.nodes.index()  # the lightest edge out of the component so far
    leading, rest = p.nodes.flag(), p.nodes.index()  # a number's first digit, and the others
    digits, power = p.nodes.index(), p.nodes.index()  # those of the label that are left; 2, 4, 8 …
    looks, joins = p.nodes.flag(), p.nodes.flag()

    # Look: the lightest edges to where one of two digits is another one.
    after, power_after = rest[digits], rest[power]
    digit, next_digit = leading[digits], leading[after]
    all_seen = leading[power] | leading[power_after]
    weight = p.nearest_from(0, across=digit, otherwise=0)
    node = p.via(weight)
    next_weight = p.nearest_from(0, across=next_digit, otherwise=0)
    next_node = p.via(next_weight)

    # Join: the lightest edge of all, by weight, lower and higher end; and where it leads.
    alone = other == 0
    lightest = p.least_where(light, label, label, unless=alone)
    is_light = ~alone & (light == lightest)
    lower, higher = p.min(p.index, other), p.max(p.index, other)
    low = p.least_where(lower, label, label, unless=~is_light)
    high = p.least_where(higher, label, label, unless=~(is_light & (lower == low)))
    end = label[low]
    target = p.where(end == label, label[high], end)
    stays = (target == 0) | ((label < target) & (target[target] == label))
    hooks = joins & ~stays & (p.index == label)
    edges.tail[hooks] = low
    edges.head[hooks] = high
    complete = joins & p.all(alone)

    # Flatten: everybody points to where the node that it points to points, until nothing changes.
    pointer = label[label]
    flat = ~looks & ~joins & p.all(pointer == label)
    joined, jumped = p.where(stays, label, target), p.where(looks, label, pointer[pointer])
    label[:] = p.where(joins, joined, jumped)

    for seen, there in ((weight, node), (next_weight, next_node)):
        lighter = (other == 0) | (seen < light) | ((seen == light) & (there < other))
        better = looks & (there > 0) & lighter
        light[better] = seen
        other[better] = there
    other[flat] = 0
    ends = looks & all_seen

    # Digits: of index / (n + 1) in binary, as twice it is more than n or not. What is left of it is
    # an index again, so that numbers are looked up and never doubled twice: errors do not grow.
    digits[:] = p.where(flat, label, p.where(looks & ~ends, rest[after], digits))
    power[:] = p.where(flat, 1, rest[power_after])
    joins[:] = ends
    looks[:] = flat | (looks & ~ends)
    last, doubled = p.first(p.is_least(-p.index)), 2 * p.index
    leading[:] = doubled > last
    rest[:] = p.min(p.where(leading, abs(doubled - last - 1), doubled), last)
    return complete
