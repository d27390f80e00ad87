"""Watches a run whose numbers have no bound beforehand, and stops it before one is too large."""

from __future__ import annotations

from collections.abc import Callable, Iterator, Mapping
from fractions import Fraction
from math import tau
from typing import Any

import numpy as np

from loopwright.errors import CapacityError, brief
from loopwright.model.layout import GLOBAL_ROW, Field, Kind, Scope
from loopwright.model.reliance import BEYOND, Reliance, RelianceKind
from loopwright.model.weights import Weights
from loopwright.runtime.check import Certificate
from loopwright.runtime.encode import Array, Problem
from loopwright.runtime.graph import Graph
from loopwright.runtime.observe import Observer


class WatchedNumbers(Observer):
    """Looks at values and counts whenever an iteration begins.

    If none exceeds `most`, none that the iteration makes is too large: see `Extent.watched`. What
    the last iteration made is not looked at, as nothing is made of it.
    """

    def __init__(self, most: Fraction) -> None:
        self.most = most

    def begin(self, model: Weights, graph: Graph, problem: Problem) -> None:
        self.model, self.graph = model, graph
        self.last = len(model.layers) - 1
        held = model.layout.after(self.last)
        self.fields = [f for f in held if f.kind in (Kind.VALUE, Kind.COUNT)]
        self.before = problem.x.copy()
        self.number: Any = Fraction if problem.x.dtype == object else float

    def after_layer(self, iteration: int, layer: int, x: Array) -> None:
        if layer == 0:
            for field in self.fields:
                self.look(iteration, field)
        if layer == self.last:
            self.before = x.copy()

    def look(self, iteration: int, field: Field) -> None:
        """Raise if the variable was too large when the iteration began.

        Where the program uses Ω̂, a number is k·Ω̂ and a rest: k is 0 for plain numbers, and may be
        1; the mask is 2·Ω̂, and no rest. Softmax leaves a little in every rest.
        """
        reach, constants = self.model.demands.reach, self.model.constants
        numbers: Any = abs(self.before[:, field.first])
        slack = self.number(constants.resolution / 4)
        times, rest = numbers * 0, numbers
        if reach and reach.sentinels:
            unreached = self.number(constants.unreached)
            times = (numbers / unreached + self.number(Fraction(1, 2))) // 1
            rest = abs(numbers - times * unreached)
        mask = (times == 2) & (rest <= slack)
        large = ((rest > self.number(self.most) + slack) | (times > 1)).astype(bool) & ~mask
        if large.any():
            row = int(np.flatnonzero(large)[0])
            where = "" if row == GLOBAL_ROW else f" at {self.node(row)}"
            raise CapacityError(
                f"'{self.model.name}' stopped before iteration {iteration}: '{field.name}'{where} "
                f"is {self.before[row, field.first]}, and the answer is guaranteed while no number "
                f"exceeds {float(self.most):g}. Recompile with a larger Limits(largest=…)."
            )

    def node(self, row: int) -> str:
        n = self.graph.n
        return f"node '{brief(self.graph.labels[row - 1])}'" if row <= n else f"padding row {row}"


class WatchedPositions(Observer):
    """Looks at positions whenever a layer begins.

    The position after the last node finds nobody, as nowhere does, so one step further is harmless.
    But softmax rounds it before it points with it, to nowhere, and the next step would lead from
    there to the first node. What the last layer made is not looked at, as nothing is made of it.
    """

    def begin(self, model: Weights, graph: Graph, problem: Problem) -> None:
        self.model, self.rows = model, problem.rows - 1
        self.fields = {f.name: f for f in model.layout.fields if f.kind is Kind.POSITION}
        self.soft = model.attention == "softmax"
        held = self.fields.keys() & {field.name for field in model.layout.after(-1)}
        self.before = {name: self.furthest(self.fields[name], problem.x) for name in held}

    def after_layer(self, iteration: int, layer: int, x: Array) -> None:
        reach, step = self.model.demands.reach, self.model.layers[layer]
        pointers = reach.pointers[layer] if reach and self.soft else ()
        for name, furthest in self.before.items():
            self.require(furthest <= self.rows + (name not in pointers), iteration, step.name, name)
        for name in self.fields.keys() & set(step.writes):
            self.before[name] = self.furthest(self.fields[name], x)

    def furthest(self, field: Field, x: Array) -> int:
        """The largest number of a position that a variable holds."""
        rows = x[:1] if field.scope is Scope.SINGLE else x[1:]
        sine, cosine = np.asarray(rows[:, field.columns], dtype=np.float64).T
        whole_turn = tau / self.model.constants.angle
        turned = np.arctan2(sine, cosine) % tau / self.model.constants.angle
        number = np.where(turned > whole_turn - 0.5, 0, np.rint(turned))  # a little below p₀ is p₀
        return int(number.max(initial=0))

    def require(self, holds: bool, iteration: int, step: str, name: str) -> None:
        if not holds:
            raise CapacityError(
                f"'{self.model.name}' stopped before step '{step}' of iteration {iteration}: "
                f"'{name}' is position {self.before[name]}, past the last row: set it to NOWHERE, "
                "or halt, once it has been at the last node."
            )


class WatchedReliance(Observer):
    """Looks at what ops count on whenever a layer begins that has some: see `model/reliance.py`."""

    def begin(self, model: Weights, graph: Graph, problem: Problem) -> None:
        self.model, self.problem = model, problem
        self.before = problem.x.copy()
        exact = problem.x.dtype == object
        self.slack: Any = Fraction(0) if exact else float(model.constants.resolution / 4)

    def after_layer(self, iteration: int, layer: int, x: Array) -> None:
        for reliance in self.model.demands.reliances:
            if reliance.layer == layer and (broken := BROKEN[reliance.kind](self, reliance)):
                raise CapacityError(
                    f"'{self.model.name}' stopped in iteration {iteration}, step "
                    f"'{self.model.layers[layer].name}': {broken}."
                )
        self.before = x.copy()

    def column(self, name: str) -> list[Any]:
        """What a variable of the nodes held when the layer began."""
        return self.before[1:, self.model.layout[name].first].tolist()

    def one(self, reliance: Reliance) -> str:
        (flag,) = reliance.variables
        chosen = sum(number > HALF for number in self.column(flag))
        return (
            f"{chosen} nodes are chosen, where one at most can be ('{flag}')" if chosen > 1 else ""
        )

    def squares(self, reliance: Reliance) -> str:
        for square, number in zip(reliance.variables[::2], reliance.variables[1::2], strict=True):
            pairs = zip(self.column(square), self.column(number), strict=True)
            if any(abs(its - k * k) > HALF for its, k in pairs):
                return f"'{square}' is not the square of '{number}': Gather it from OWN_SQUARE"
        return ""

    def path(self, reliance: Reliance) -> str:
        """Whether an edge makes a shorter way than the path of the node that sees it."""
        path, unless, *begins = reliance.variables
        lengths, no_way = self.column(path), self.column(unless)
        starts = self.column(*begins) if begins else [self.constant(reliance)] * len(lengths)
        sides = [round(side) for side in self.column(reliance.across)] if reliance.across else None
        edges: Any = (self.problem.tails, self.problem.heads, self.problem.weights)
        for tail, head, weight in zip(*(column.tolist() for column in edges), strict=True):
            at, other = (head, tail) if reliance.inwards else (tail, head)
            if sides and sides[at - 1] == sides[other - 1]:
                continue
            way = starts[other - 1] + (weight if reliance.along else 0)
            if no_way[other - 1] < HALF and way < lengths[at - 1] - self.slack:
                return (
                    f"'{path}' is longer than the way to it: make it with LeastFrom or NearestFrom"
                )
        return ""

    def constant(self, reliance: Reliance) -> Any:
        if reliance.constant in BEYOND:
            return type(self.slack)(getattr(self.model.constants, reliance.constant.lower()))
        return type(self.slack)(Fraction(reliance.constant))


HALF = 0.5
"""Above it a flag is set, also one that softmax has blurred."""
BROKEN: Mapping[RelianceKind, Callable[[WatchedReliance, Reliance], str]] = {
    "one": WatchedReliance.one,
    "square": WatchedReliance.squares,
    "path": WatchedReliance.path,
}
"""Kind of reliance → in what way it is broken, or nothing."""


def watching(certificate: Certificate | None) -> Iterator[Observer]:
    """Those who see to it that what a certificate could not prove is so, or the run stops."""
    if certificate is None or not certificate.guaranteed:
        return
    if certificate.watched is not None:
        yield WatchedNumbers(certificate.watched)
    if certificate.watches_positions:
        yield WatchedPositions()
    if certificate.watches_reliance:
        yield WatchedReliance()
