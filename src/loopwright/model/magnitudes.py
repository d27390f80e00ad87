"""Kind → how large its numbers can be, and how much more keys must weigh that are found first."""

from __future__ import annotations

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


def digits_of_keys(kind: Kind, constants: Constants, most: Fraction) -> Fraction:
    """How many steps the scores of keys up to `most` have, where the least number is looked for.

    Of a query t and a key k that is 2W·t·k − (W·k² − W·k/2 + v), in steps of 1, or of ε for values.
    Each of the two products is at most 2W·most², and so is their sum but for W·most/2 + v.
    """
    step = constants.resolution if kind is Kind.VALUE else Fraction(1)
    return 4 * weight_of_keys(kind, constants) * most**2 / step
