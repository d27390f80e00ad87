"""Which numbers a program may hold so that the weights compute with them exactly.

All numbers of memory and graph are multiples of one grain. In float64 the grain is a power of two,
and values up to `GRAINS` grains are exact, differences included; in exact arithmetic any will do.
"""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import replace
from fractions import Fraction
from math import lcm

from loopwright.model.limits import GUARD_BITS, Constants, Limits, power_of_two_at_least
from loopwright.runtime.graph import Graph
from loopwright.subleq.code import Code
from loopwright.subleq.errors import OutOfRange

GRAINS = 2 ** (53 - GUARD_BITS) // 8
"""The largest value in grains: `Limits` makes Ω eight times that, and a float of 53 bits must hold
Ω with GUARD_BITS to spare."""


def numbers(code: Code, graph: Graph) -> Iterator[tuple[str, Fraction]]:
    """Every number that the run starts with, and its name."""
    for address, value in enumerate(code.memory):
        yield code.cell_name(address), Fraction(value)
    for tail, head, weight in zip(graph.tails, graph.heads, graph.weights, strict=True):
        yield f"A[{tail}, {head}]", Fraction(weight)


def fit(code: Code, graph: Graph, *, rows: int, exact: bool) -> Limits:
    """The coarsest grain that all numbers have in common, and with it the widest range.

    There are positions for 2¹⁶ rows where the range allows it, so that all programs of one grain
    run on the same weights; in exact arithmetic only as many as needed, since few are quicker.

    Raises:
        OutOfRange: if the grain is so fine that not even `rows` can be counted.
    """
    found = list(numbers(code, graph))
    grain = 1 / power_of_two_at_least(lcm(*(number.denominator for _, number in found)))
    largest = GRAINS * grain
    if largest < 4 * rows:
        name, finest = max(found, key=lambda each: each[1].denominator)
        raise OutOfRange(
            f"{name} = {finest} is too fine: numbers up to {4 * rows} are needed, and at most "
            f"{GRAINS} steps between 0 and the largest. Round or scale the program's numbers."
        )
    standard = Limits.nodes
    nodes = rows if exact or rows > standard or largest < 4 * standard else standard
    return Limits(nodes=nodes, largest=largest, resolution=grain)


def widened(constants: Constants, factor: int) -> Constants:
    """The same constants, for numbers up to `factor` times as large: Ω and what goes with it grow.

    Nothing is said of floats: only exact arithmetic can go on without end.
    """
    return replace(
        constants,
        largest=factor * constants.largest,
        unreached=factor * constants.unreached,
        mask=factor * constants.mask,
        omega=factor * constants.omega,
    )


def check(code: Code, graph: Graph, constants: Constants, *, exact: bool) -> None:
    """Refuse numbers that are not on the grid, or too large.

    Raises:
        OutOfRange: naming the cell or the entry of the graph.
    """
    grain = constants.resolution
    for name, number in numbers(code, graph):
        if abs(number) > constants.largest:
            raise OutOfRange(f"{name} = {number} is outside {span(constants)}.")
        if not exact and (number / grain).denominator != 1:
            raise OutOfRange(
                f"{name} = {number} is no multiple of {grain}, which floats need: scale the "
                "program's numbers, or use the exact machine."
            )


def span(constants: Constants) -> str:
    """The range of values, as messages say it."""
    return f"−{constants.largest} … {constants.largest}"
