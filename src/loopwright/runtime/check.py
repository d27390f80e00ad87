"""Certificate: is the answer guaranteed on this graph, by which bounds, and how exactly?

Every bound is one of the theorems' conditions, with the number the graph needs and the number the
model has. All of them hold, or the run is refused. [P §6.1, §6.2, Thm. 1]
"""

from __future__ import annotations

from collections.abc import Callable, Iterable
from dataclasses import dataclass
from fractions import Fraction
from functools import cached_property, partial
from math import inf

from loopwright.model.layout import Kind
from loopwright.model.markup import table
from loopwright.model.weights import Weights
from loopwright.runtime.condition import Condition
from loopwright.runtime.digits import (
    digits_of_positions,
    digits_of_squares,
    digits_of_values,
    grid_of_values,
    has,
    path_differences,
    retraced_edges,
    rounding_of_values,
    smallest_weight,
    sums_of_ties,
    temperature,
    ties_of_edges,
)
from loopwright.runtime.extent import Extent
from loopwright.runtime.graph import Graph
from loopwright.runtime.inputs import row_count
from loopwright.runtime.preconditions import preconditions
from loopwright.runtime.ranges import (
    as_float,
    increments,
    positions_stay,
    ranges_of,
    sums_of_edges,
    within_an_iteration,
)
from loopwright.runtime.reweigh import (
    chosen_scale,
    heaviest_sum,
)


@dataclass(frozen=True, repr=False)
class Certificate:
    """The conditions, weakest first, and how exact an answer they guarantee."""

    conditions: tuple[Condition, ...]
    rounding: float
    """The most that a path's length changes as weights are rounded to the resolution; 0: exact."""
    scale: Fraction = Fraction(1)
    """What weights are multiplied by before; the numbers of the conditions are in that unit."""
    noise: float = 0.0
    """What every score may be off by, and the answer stays the same: half of the least tolerance of
    a hardmax head, which is half of the gap that its scores have."""
    watched: Fraction | None = None
    """What no value or count may exceed when an iteration begins, where no bound on them is known
    beforehand. A run watches that, and stops where one does."""
    watches_positions: bool = False
    """Whether a run also watches that positions do not move past the nodes."""
    watches_reliance: bool = False
    """Whether it watches that what ops count on is so, such as that one node alone is chosen."""

    def __repr__(self) -> str:
        verdict = "exact" if self.exact else "guaranteed" if self.guaranteed else "not guaranteed"
        if self.guaranteed and self.watched is not None:
            verdict += f" while no number exceeds {as_float(self.watched):g}"
        if self.guaranteed and self.watches_reliance:
            verdict += " while what ops count on is so"
        weakest = self.conditions[0]
        return (
            f"<Certificate: {verdict}; the weakest of {len(self.conditions)} bounds is "
            f"'{weakest.name}': {weakest.needed:g} of {weakest.allowed:g}>"
        )

    def _repr_html_(self) -> str:
        rows = (
            (each.name, f"{each.needed:g}", f"{each.allowed:g}", "yes" if each.holds else "NO")
            for each in self.conditions
        )
        return table(repr(self)[1:-1], ("bound", "needed", "allowed", "holds"), rows)

    @cached_property
    def guaranteed(self) -> bool:
        return all(condition.holds for condition in self.conditions)

    @property
    def exact(self) -> bool:
        """Guaranteed bit for bit, not only for the weights as rounded."""
        return self.guaranteed and self.rounding == 0

    def require(self, name: str) -> None:
        """Raise for the worst condition that does not hold.

        Raises:
            GraphError: if the graph is not what the program needs it to be.
            CapacityError: if the model cannot hold it; with both numbers, and the remedy.
        """
        for condition in self.conditions:
            if not condition.holds:
                raise condition.refusal(name)


def check(
    model: Weights,
    graph: Graph,
    *,
    rows: int | None = None,
    exact: bool = False,
    scale: Fraction | int | None = None,
    given: Iterable[Fraction] = (),
    iterations: int | None = None,
) -> Certificate:
    """Which bounds hold on a graph, before anything runs; `scale` as `reweighting` chooses it.

    `given` are values and counts that come to it besides the graph. `iterations` are the most that
    it may take, where that is not the program's own bound.

    >>> import loopwright as lw
    >>> graph = lw.Graph.of([("a", "b", 0.5)])
    >>> check(lw.compile(lw.algorithms.dijkstra()), graph).exact
    True
    """
    count, given = row_count(model, graph.n, rows), list(given)
    scale = chosen_scale(model, graph, scale, exact=exact)
    most_given = max(map(abs, given), default=Fraction(0))
    most = iterations or model.max_iterations(count)
    return certify(
        Extent(model, graph, count, scale, most_given, most),
        exact=exact,
        given=given,
        needs=preconditions(model.needs, graph, weighted=model.edges == "weights"),
        rounding=partial(rounding_of_values, graph=graph),
    )


def certify(
    extent: Extent,
    *,
    exact: bool,
    given: list[Fraction],
    needs: Iterable[Condition],
    rounding: Callable[[Extent], float],
) -> Certificate:
    """The certificate of whatever has this extent; `needs` are conditions of other kinds, and
    `rounding` says how far off rounded weights make a path."""
    model, graph, count, scale = extent.model, extent.graph, extent.rows, extent.scale
    ranges, watched = ranges_of(extent)
    found = [nodes(model, count), *ranges, *needs]
    watches_positions = not positions_stay(extent)
    if watches_positions and (further := increments(extent)).needed > count:
        found.append(further)
    if model.attention == "softmax":
        found.append(temperature(extent, watched))
    if not exact and has(Kind.SQUARE, model):
        found.append(digits_of_squares(extent))
    if not exact:
        found += [digits_of_values(model)]
        found += [digits_of_positions(model, count)] if has(Kind.POSITION, model) else []
        found += choices(extent, watched, given)
    off = 0.0
    if model.demands.averages and not exact:
        most = model.constants.omega if watched else extent.largest_sum()
        found.append(sums_of_ties(model, graph.n * most / grid_of_values(extent, given)))
    if model.demands.averages_counts and not exact:
        most = None if watched else extent.most_counted()
        ties = sums_of_ties(model, graph.n * (most or model.constants.omega))
        found += [ties] if graph.n * model.constants.omega > ties.allowed else []
    if model.edges == "weights" and graph.has_edges:
        if exact:
            found.append(path_differences(model, graph, scale, given))
        else:
            found.append(smallest_weight(model, graph, scale))
            off = rounding(extent)
        if sums := heaviest_sum(model, graph):
            found.append(sums_of_edges(model, as_float(Fraction(sums) * scale)))
    if all(condition.holds for condition in found):
        found += within_an_iteration(extent)
    return Certificate(
        conditions=tuple(sorted(found, key=lambda c: c.margin)),
        rounding=off,
        scale=scale,
        noise=noise_of(model),
        watched=watched,
        watches_positions=watches_positions,
        watches_reliance=bool(model.demands.reliances),
    )


def choices(extent: Extent, watched: Fraction | None, given: Iterable[Fraction]) -> list[Condition]:
    """On the scores of edge heads, and on what they bring, where floats compute them."""
    demands = extent.model.demands
    if not extent.graph.has_edges:
        return []
    grid = grid_of_values(extent, given)
    ties = [ties_of_edges(extent, kind, watched, grid) for kind in demands.chooses]
    retraced = demands.retraces if demands.prefers_heavy else ()
    return ties + [retraced_edges(extent, kind) for kind in retraced]


def noise_of(model: Weights) -> float:
    if model.attention == "softmax":
        return 0.0
    return min((h.tie_tolerance for layer in model.layers for h in layer.heads), default=inf) / 2


def nodes(model: Weights, count: int) -> Condition:
    return Condition(
        "nodes",
        "rows that can be told apart; one more is kept for single variables",
        count,
        model.constants.nodes,
        f"Recompile with Limits(nodes={count}).",
    )
