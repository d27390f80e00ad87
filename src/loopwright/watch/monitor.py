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
    """The worst that one step has shown so far."""

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


class Monitor(Observer):
    """Keeps, for each layer, the worst that it has shown: `margins`.

    Raises, from `after_layer`:
        MarginError: if what ties, a gap, a flag or a comparison comes half the way to where it
            would turn, a value reaches Ω or is no number.
    """

    def begin(self, model: Weights, graph: Graph, problem: Problem) -> None:
        self.model = model
        self.before = problem.x
        self.decisions = Decisions(model, problem)
        self.margins = [Margins() for _ in model.layers]
        kinds: dict[Kind, list[int]] = {kind: [] for kind in Kind}
        for entry in model.layout.fields:
            kinds[entry.kind].append(entry.first)
        self.flags = kinds[Kind.FLAG]
        self.values = kinds[Kind.VALUE] + kinds[Kind.COUNT]

    def after_layer(self, iteration: int, layer: int, x: Array) -> None:
        worst = self.margins[layer]
        before, after = np.asarray(self.before, np.float64), np.asarray(x, np.float64)
        if not np.isfinite(after).all():
            raise self.too_close(iteration, layer, "a number is not finite")
        for head in self.model.layers[layer].heads:
            gap, spread = score_margins(head, before)
            worst.gap, worst.spread = min(worst.gap, gap), max(worst.spread, spread)
        comparison, clause = self.decisions.of_step(layer, self.before)
        worst.comparison = min(worst.comparison, comparison)
        flags, values = after[:, self.flags], np.abs(after[:, self.values])
        worst.flag = max(worst.flag, float(np.minimum(np.abs(flags), np.abs(flags - 1)).max()))
        largest = float(values.max()) if values.size else 0.0
        worst.value = max(worst.value, largest / float(self.model.constants.omega), clause)
        self.before = x.copy()
        for what, bad in (
            (f"attention cannot tell rows apart (gap {worst.gap:.3g})", worst.gap < 1.5),
            (f"rows that should tie do not (spread {worst.spread:.3g})", worst.spread > 0.5),
            (f"a comparison is undecided ({worst.comparison:.3g})", worst.comparison < 0.5),
            (f"a flag is off by {worst.flag:.3g}", worst.flag > 0.25),
            (f"a value reaches {worst.value:.3g} Ω", worst.value > 1),
        ):
            if bad:
                raise self.too_close(iteration, layer, what)

    def too_close(self, iteration: int, layer: int, what: str) -> MarginError:
        step = self.model.layers[layer].name
        where = f"iteration {iteration}, layer {layer + 1}, step '{step}'"
        return MarginError(f"'{self.model.name}' stopped at {where}: {what}.")


def score_margins(head: Head, x: Matrix) -> tuple[float, float]:
    """(gap, spread) of a head's scores, in units of its tolerance, or of what rounding can do."""
    found = scores(head, x)
    rounding = float(np.abs(found).max()) * 2.0 ** (3 - MANTISSA)
    unit = head.tie_tolerance or rounding or 1.0
    below = found.max(axis=1, keepdims=True) - found
    tied = below <= head.tie_tolerance
    apart = float(below[~tied].min()) if not tied.all() else float("inf")
    return apart / unit, float(below[tied].max()) / unit
