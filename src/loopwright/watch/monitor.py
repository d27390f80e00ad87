"""How close a run comes to going wrong: attention gaps, flags, values against Ω, step by step.

The certificate says beforehand that all of this stays in range; the monitor watches that it does,
and stops a run, naming the step, before a wrong number can be passed on.
"""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np

from loopwright.errors import MarginError
from loopwright.model.layout import Kind
from loopwright.model.limits import MANTISSA
from loopwright.model.weights import Head, Matrix, Weights
from loopwright.runtime.encode import Array, Problem
from loopwright.runtime.graph import Graph
from loopwright.runtime.machines.reference import scores
from loopwright.runtime.observe import Observer
from loopwright.watch.decisions import Decisions


@dataclass
class Margins:
    """How far a step was from going wrong: once, or the worst that it has shown so far."""

    gap: float = float("inf")
    """The least distance from the best score to the best that does not tie with it …"""
    spread: float = 0.0
    """… and the most between scores that do tie; both in units of what separates them."""
    flag: float = 0.0
    """The most that a flag was off 0 or 1."""
    comparison: float = float("inf")
    """The least distance of a comparison from its threshold: 1 between equal and ε more."""
    value: float = 0.0
    """The largest value, or clause of a selection, in units of Ω."""

    def worst(self, other: Margins) -> Margins:
        """The worse of both, each by itself."""
        return Margins(
            **{
                name: (min if turn.below else max)(getattr(self, name), getattr(other, name))
                for name, turn in TURNS.items()
            }
        )


@dataclass(frozen=True)
class Turn:
    """Where a margin is half the way to a step that goes wrong, and what to say there."""

    at: float
    below: bool
    """Whether it is smaller margins that are worse."""
    complaint: str

    def reached(self, margin: float) -> bool:
        return margin < self.at if self.below else margin > self.at


TURNS = {
    "gap": Turn(1.5, True, "attention cannot tell rows apart (gap {:.3g})"),
    "spread": Turn(0.5, False, "rows that should tie do not (spread {:.3g})"),
    "comparison": Turn(0.5, True, "a comparison is undecided ({:.3g})"),
    "flag": Turn(0.25, False, "a flag is off by {:.3g}"),
    "value": Turn(1, False, "a value reaches {:.3g} Ω"),
}
"""Margin → where a run is stopped."""


class MarginsOf:
    """Measures the margins of one layer after the other."""

    def __init__(self, model: Weights, problem: Problem) -> None:
        self.model = model
        self.decisions = Decisions(model, problem)
        self.a = np.asarray(problem.adjacency(), np.float64)

    def layer(self, layer: int, before: Array, x: Array) -> Margins:
        """Those of a layer that has made `x` of `before`."""
        found = Margins()
        floats, after = np.asarray(before, np.float64), np.asarray(x, np.float64)
        for head in self.model.layers[layer].heads:
            gap, spread = score_margins(head, floats, self.a)
            found.gap, found.spread = min(found.gap, gap), max(found.spread, spread)
        found.comparison, clause = self.decisions.of_step(layer, before)
        held = self.model.layout.after(layer)
        flags = after[:, [field.first for field in held if field.kind is Kind.FLAG]]
        numbers = [field.first for field in held if field.kind in (Kind.VALUE, Kind.COUNT)]
        values = np.abs(after[:, numbers])
        found.flag = float(np.minimum(np.abs(flags), np.abs(flags - 1)).max())
        largest = float(values.max()) if values.size else 0.0
        found.value = max(largest / float(self.model.constants.omega), clause)
        return found


class Monitor(Observer):
    """Keeps, for each layer, the worst that it has shown: `margins`.

    Raises, from `after_layer`:
        MarginError: if what ties, a gap, a flag or a comparison comes half the way to where it
            would turn, a value reaches Ω or is no number.
    """

    def begin(self, model: Weights, graph: Graph, problem: Problem) -> None:
        self.model = model
        self.before = problem.x
        self.measure = MarginsOf(model, problem)
        self.margins = [Margins() for _ in model.layers]

    def after_layer(self, iteration: int, layer: int, x: Array) -> None:
        if not np.isfinite(np.asarray(x, np.float64)).all():
            raise self.too_close(iteration, layer, "a number is not finite")
        worst = self.margins[layer].worst(self.measure.layer(layer, self.before, x))
        self.margins[layer], self.before = worst, x.copy()
        for name, turn in TURNS.items():
            if turn.reached(margin := getattr(worst, name)):
                raise self.too_close(iteration, layer, turn.complaint.format(margin))

    def too_close(self, iteration: int, layer: int, what: str) -> MarginError:
        step = self.model.layers[layer].name
        where = f"iteration {iteration}, layer {layer + 1}, step '{step}'"
        return MarginError(f"'{self.model.name}' stopped at {where}: {what}.")


def score_margins(head: Head, x: Matrix, a: Matrix) -> tuple[float, float]:
    """(gap, spread) of a head's scores, in units of its tolerance, or of what rounding can do."""
    found = scores(head, x, a)
    rounding = float(np.abs(found[np.isfinite(found)]).max()) * 2.0 ** (3 - MANTISSA)
    unit = head.tie_tolerance or rounding or 1.0
    below = found.max(axis=1, keepdims=True) - found
    tied = below <= head.tie_tolerance
    apart = float(below[~tied].min()) if not tied.all() else float("inf")
    return apart / unit, float(below[tied].max()) / unit
