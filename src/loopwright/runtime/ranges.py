"""Conditions on how large the numbers of a run get."""

from __future__ import annotations

from fractions import Fraction
from math import inf
from sys import float_info

from loopwright.model.reach import Bound, Reach, Term, without_sentinels
from loopwright.model.weights import Weights
from loopwright.runtime.condition import Condition
from loopwright.runtime.extent import Extent


def as_float(number: Fraction) -> float:
    """The number, or the end of floats if it is beyond."""
    return float(min(number, Fraction(float_info.max)))


def at_most(
    name: str, why: str, most: Fraction | None, allowed: Fraction | int, remedy: str
) -> Condition:
    """A condition on a number that may have no bound."""
    return Condition(name, why, inf if most is None else as_float(most), float(allowed), remedy)


def ranges_of(extent: Extent) -> tuple[list[Condition], Fraction | None]:
    """Conditions on how large numbers get; and what a run has to watch, where those that need no
    word of the author's are unknown or do not hold."""
    demands = extent.model.demands
    words = [priorities(extent)] if demands.counts else []
    if demands.paths and extent.model.edges == "weights" and extent.graph.has_edges:
        words.append(longest_path(extent))
    if demands.reach is None:
        return words, None
    bounds = with_unreached(extent, demands.reach) if not words else []
    bounds += [priorities(extent)] if not demands.counts else []
    bounds += [values(extent)] if not demands.paths else []
    bounds += [differences(extent, demands.reach)] if demands.reach.differences != {} else []
    index = indices(extent, demands.reach)
    if index.needed > extent.rows:  # else it is the condition on nodes
        words.append(index)
    if all(bound.holds for bound in bounds):
        return words + [bound for bound in bounds if bound.needed], None
    watched = extent.watched()
    return [*words, *([] if watched is not None else bounds)], watched


def priorities(extent: Extent) -> Condition:
    most = extent.most_counted()
    if most is not None and extent.model.demands.picks_indices:
        most = max(most, extent.nodes)
    return at_most(
        "priorities",
        "what the program counts up to must stay below the unreached",
        most,
        extent.room,
        f"Recompile with Limits(nodes={extent.rows}, largest={most}).",
    )


def values(extent: Extent) -> Condition:
    return at_most(
        "values",
        "what values can add up to in all iterations must stay below the unreached",
        extent.largest_value(),
        extent.room,
        "Recompile with a larger Limits(largest=…).",
    )


def within_an_iteration(extent: Extent) -> list[Condition]:
    """On what an iteration makes of numbers that keep their author's word, if that is too much: it
    may exceed them, but must not pass for the unreached, nor exceed Ω."""
    words = [extent.most_counted(), extent.longest_path() if extent.model.demands.paths else None]
    begun = max((word for word in words if word is not None), default=Fraction(0))
    made = [
        at_most(
            "within an iteration",
            "what an iteration adds up meanwhile must stay below the unreached",
            extent.of(bound, before=begun),
            room_within_an_iteration(extent),
            "Recompile with a larger Limits(largest=…).",
        )
        for bound in made_meanwhile(extent)
    ]
    return [condition for condition in made if not condition.holds][:1]


def largest_unit_within_an_iteration(extent: Extent) -> Fraction | None:
    """The largest factor of weights, and of values, with which the condition holds; None if none
    is too large. The extent is that of the weights as they are.

    An iteration begins with counts, which stay what they are, or with paths, which grow with the
    weights. What it makes of either must fit.
    """
    room, nothing = room_within_an_iteration(extent), Fraction(0)
    counted = extent.most_counted() or nothing
    begins = [(counted, counted)] + (
        [(extent.longest_path(), nothing)] * extent.model.demands.paths
    )
    units: list[Fraction] = []
    for bound in made_meanwhile(extent):
        for before, still in begins:
            made = extent.of(bound, before=before)
            fixed = extent.of(bound, before=still, edge=nothing, edges=nothing)
            if made is not None and fixed is not None and fixed < min(made, room):
                units.append((room - fixed) / (made - fixed))
    return min(units, default=None)


def made_meanwhile(extent: Extent) -> list[Bound]:
    """Bounds on what an iteration makes, where there is a word on what it begins with."""
    demands = extent.model.demands
    if demands.reach is None or not (demands.counts or demands.paths):
        return []
    edges = {Term("edges"): 1}  # that is the condition on sums of edges
    return [bound for bound in demands.reach.meanwhile if bound != edges]


def room_within_an_iteration(extent: Extent) -> Fraction:
    constants, reach = extent.model.constants, extent.model.demands.reach
    apart = constants.unreached - constants.resolution
    return apart if reach and reach.sentinels else constants.omega


def with_unreached(extent: Extent, reach: Reach) -> list[Condition]:
    """On what Ω̂ and the mask are mixed into."""
    return [
        at_most(
            "sums with the unreached",
            "what is added to Ω̂ or the mask may not make more than Ω of them",
            extent.of(reach.mixed),
            extent.model.constants.omega,
            "Recompile with a larger Limits(largest=…).",
        ),
        at_most(
            "mixed with the unreached",
            "what Ω̂ or the mask are changed by must leave them beyond other numbers",
            extent.of(without_sentinels(reach.mixed)),
            extent.most_mixed,
            "Recompile with a larger Limits(largest=…).",
        ),
    ]


def differences(extent: Extent, reach: Reach) -> Condition:
    """A difference and the number that it is taken from are added up, with the old number."""
    return at_most(
        "differences",
        "numbers that an op chooses between by their difference may not be more than Ω apart",
        extent.of(reach.differences),
        extent.model.constants.omega,
        "Recompile with a larger Limits(largest=…).",
    )


def indices(extent: Extent, reach: Reach) -> Condition:
    return at_most(
        "indices",
        "an index is the number of a node",
        extent.of(reach.indices),
        extent.model.constants.nodes,
        "Declare as a count what may be more than the number of a node.",
    )


def positions_stay(extent: Extent) -> bool:
    """Whether positions are known to stay at the nodes: by the bounds, or by the author's word."""
    demands = extent.model.demands
    if demands.reach is None or demands.counts or demands.paths:
        return True
    most = extent.of(demands.reach.positions)
    return most is not None and most <= extent.rows


def increments(extent: Extent) -> Condition:
    """A position that has gone one past the last node is seen, and has not come round to p₀."""
    assert extent.model.demands.reach is not None
    most = extent.rows + max(extent.model.demands.reach.increments, 1) - 1
    return Condition(
        "positions",
        "how far a position can move in one step, past the last node",
        most,
        extent.model.constants.nodes,
        f"Recompile with Limits(nodes={most}).",
    )


def longest_path(extent: Extent) -> Condition:
    return Condition(
        "longest path",
        "no path may weigh as much as an unreached node",
        as_float(extent.longest_path()),
        float(extent.model.constants.largest),
        "Recompile with Limits.fit(graph), or scale the weights down.",
    )


def sums_of_edges(model: Weights, heaviest: float) -> Condition:
    return Condition(
        "sums of edges",
        "all edges at a node are added up, and may not exceed Ω",
        heaviest,
        float(model.constants.omega),
        "Recompile with a larger Limits(largest=…).",
    )
