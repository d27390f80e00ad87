"""Kind → how large its numbers can be, and how much more keys must weigh that are found first."""

from __future__ import annotations

from dataclasses import dataclass
from fractions import Fraction

from loopwright.model.layout import Kind
from loopwright.model.limits import Constants, power_of_two_at_least


def bound_of(kind: Kind, constants: Constants) -> Fraction:
    """Ω for this kind of variable: at least as large as anything it can hold. [P §6.2]

    As small as can be: a selector that adds and takes away 2 loses fewer digits of a position
    than one that adds and takes away 10⁵.
    """
    match kind:
        case Kind.FLAG:
            return Fraction(1)
        case Kind.POSITION:
            return Fraction(2)
        case Kind.INDEX:
            return power_of_two_at_least(constants.nodes + 1)
        case Kind.SQUARE:
            return power_of_two_at_least(constants.nodes + 1) ** 2
        case Kind.COUNT | Kind.VALUE:
            return constants.omega


def weight_of_keys(kind: Kind, constants: Constants) -> Fraction:
    """W: what a key weighs beside a number of this kind, in a score that looks at keys first.

    Half of it is four times the largest number: twice as much as two of them differ by.
    """
    return power_of_two_at_least(8 * bound_of(kind, constants))


@dataclass(frozen=True)
class Retracing:
    """What the parts of a score weigh that finds the edge by which a path came about: first whether
    it is that long, then how heavy the edge is, then the index."""

    nodes: Fraction
    """More than any index."""
    heavier: Fraction
    """What an edge weighs: a step more of it counts twice as much as all indices."""
    nearer: Fraction
    """What a path weighs: a step less of it counts twice as much as all edges."""
    step: Fraction
    """The least difference of two paths."""


def retracing(kind: Kind, constants: Constants, *, heaviest: bool) -> Retracing:
    """The weights of a path of this kind, all of them powers of two, so that products are exact;
    edges do not count unless the heaviest is preferred."""
    step = constants.resolution if kind is Kind.VALUE else Fraction(1)
    nodes = power_of_two_at_least(constants.nodes + 1)
    heavier = 2 * nodes / step if heaviest else Fraction(0)
    nearer = power_of_two_at_least(2 * (heavier * constants.omega + 2 * nodes) / step)
    return Retracing(nodes, heavier, nearer, step)
