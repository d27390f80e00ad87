"""The unit in which a model sees a graph's weights, and the weights in it. [P §6.3]

A program whose values meet no other numbers does not care about the unit. So weights that are too
large, too small or no multiples of ε are multiplied by a factor before the run, and lengths divided
by it afterwards: 0.1 + 0.7 = 0.8 becomes 1 + 7 = 8, which floats hold exactly.
"""

from __future__ import annotations

from fractions import Fraction
from math import inf
from sys import float_info
from typing import Any

import numpy as np
from numpy.typing import NDArray

from loopwright.errors import GraphError, brief
from loopwright.model.limits import MANTISSA, MANTISSAS, power_of_two_at_most
from loopwright.model.magnitudes import retracing
from loopwright.model.weights import Weights
from loopwright.runtime.extent import Extent, Measured
from loopwright.runtime.graph import Graph
from loopwright.runtime.ranges import as_float, largest_unit_within_an_iteration


def chosen_scale(
    model: Weights, graph: Measured, scale: Fraction | float | None, *, exact: bool = False
) -> Fraction:
    """What to multiply weights by: what the caller says, or else what `reweighting` finds.

    Raises:
        GraphError: if it is no positive number, or if the unit of the weights matters.
    """
    if scale is None:
        return reweighting(model, graph, exact=exact)
    if not is_positive(scale):
        raise GraphError(f"scale={brief(scale)}: must be a positive number.")
    if scale != 1 and (model.edges == "ones" or not model.demands.homogeneous):
        raise GraphError(
            f"scale={brief(scale)}: '{model.name}' has numbers beside the weights, or sees none, "
            "so their unit matters: leave scale out."
        )
    return Fraction(scale)


def is_positive(given: Any) -> bool:
    """Whether it is a number, finite and above 0."""
    number = type(given) is not bool and isinstance(given, Fraction | int | float)
    return number and 0 < given < inf


def reweighting(model: Weights, graph: Measured, *, exact: bool = False) -> Fraction:
    """What to multiply weights by: 1 if the model can hold them as they are.

    Else what makes them whole numbers, or multiples of a fraction that is still on the grid of ε.
    If there is no such factor they must be rounded, least with the largest power of two that leaves
    room for values, for what an iteration makes of them, and for sums of edges.
    """
    if model.edges == "ones" or not model.demands.homogeneous or not graph.has_edges:
        return Fraction(1)
    epsilon, unit = model.constants.resolution, graph.unit
    extent = Extent(model, graph, graph.n, Fraction(1), Fraction(0), model.max_iterations(graph.n))
    longest = extent.largest_value() or extent.longest_path()
    most = extent.room / longest
    if sums := heaviest_sum(model, graph):
        most = min(most, model.constants.omega / Fraction(sums))
    if meanwhile := largest_unit_within_an_iteration(extent):
        most = min(most, meanwhile)
    if model.demands.prefers_heavy and not exact:
        most = min(most, heaviest_retraced(model) / Fraction(graph.heaviest))
    if unit and most >= 1 and (unit >= epsilon if exact else unit % epsilon == 0):
        return Fraction(1)
    if unit:
        whole = min(Fraction(1), power_of_two_at_most(most * unit))
        if whole >= epsilon:
            return whole / unit
    if model.demands.averages and not exact:
        digits = 2 ** MANTISSAS[model.dtype.name]
        most = min(most, digits * epsilon / (graph.n * longest))
    return power_of_two_at_most(most)


def heaviest_retraced(model: Weights) -> Fraction:
    """The heaviest edge by which floats tell paths apart that came by different edges, in a model
    that prefers heavy ones."""
    digits = 2 ** (MANTISSAS[model.dtype.name] - 1)
    kinds = model.demands.retraces
    return min(digits / retracing(k, model.constants, heaviest=True).heavier for k in kinds)


def heaviest_sum(model: Weights, graph: Measured) -> float:
    """The most that the edges add up to at a node, where a model adds them; else 0."""
    into = graph.sum_in if model.demands.sums_from else 0.0
    return max(into, graph.sum_out if model.demands.sums_to else 0.0)


def weights_on_grid(model: Weights, graph: Graph, scale: Fraction, *, exact: bool) -> NDArray[Any]:
    """The entries of A: 1 for every edge, or weights times `scale`, rounded to multiples of ε.

    On that grid every sum and difference below Ω is exact in floats. In exact arithmetic weights
    need no grid.
    """
    if model.edges == "ones":
        return np.full(len(graph.tails), Fraction(1) if exact else 1.0)
    if exact:
        column = np.empty(len(graph.tails), dtype=object)
        column[:] = [Fraction(weight) * scale for weight in graph.weights]
        return column
    epsilon = model.constants.resolution
    if isinstance(graph.weights, np.ndarray) and scale == power_of_two_at_most(scale):
        return rounded_to(epsilon, times_power_of_two(graph.weights, scale))
    return multiples_of(epsilon, graph, scale)


def multiples_of(epsilon: Fraction, graph: Graph, scale: Fraction) -> NDArray[np.float64]:
    """Weights times `scale`, each rounded to a multiple of ε, a power of two.

    In floats w · (scale/ε) is three roundings away from the number of steps that it is, less than
    2⁻⁵¹ of it: which whole number is nearest is certain unless it is as near as that to a half.
    Where it is not certain, it is found in fractions.
    """
    factor = as_float(scale / epsilon)
    with np.errstate(over="ignore", under="ignore", invalid="ignore"):
        steps = graph.floats * factor
        rounded = np.rint(steps)
        certain = 0.5 - np.abs(steps - rounded) > steps * 2.0**-51
        found = times_power_of_two(rounded, epsilon)
    certain &= (graph.floats >= float_info.min) & (float_info.min <= factor < inf)
    for i in np.flatnonzero(~certain).tolist():
        found[i] = float(round(Fraction(graph.weights[i]) * scale / epsilon) * epsilon)
    return found


def rounded_to(epsilon: Fraction, numbers: NDArray[np.float64]) -> NDArray[np.float64]:
    """To multiples of a power of two, which floats beyond 2⁵³ of it are already."""
    coarse = numbers >= float(epsilon * 2**MANTISSA)
    steps = np.rint(times_power_of_two(np.where(coarse, 0, numbers), 1 / epsilon))
    return np.where(coarse, numbers, times_power_of_two(steps, epsilon))


def times_power_of_two(numbers: NDArray[np.float64], power: Fraction) -> NDArray[np.float64]:
    """By moving the exponent: the power itself may be too large or small for a float."""
    exponent = power.numerator.bit_length() - power.denominator.bit_length()
    return np.ldexp(numbers, exponent)
