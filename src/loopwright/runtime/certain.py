"""Certain at once: what was proved for the worst of many graphs holds for each of them.

A certificate is a dozen inequalities between rationals. For a given number of nodes each of them
only gets harder if weights are heavier, lighter or on a finer grid, or if there are more edges. So
one certificate, of weights rounded outwards to powers of two and of all edges that there could be,
serves very many graphs; a graph for which that one does not hold gets its own.
"""

from __future__ import annotations

from fractions import Fraction

from loopwright.model.weights import Weights
from loopwright.runtime.check import Certificate, certify
from loopwright.runtime.extent import Extent
from loopwright.runtime.graph import LONGEST_PATH, Graph
from loopwright.runtime.measures import Spread, WorstCase
from loopwright.runtime.preconditions import preconditions
from loopwright.runtime.remember import once_for_each_model
from loopwright.runtime.reweigh import reweighting

MOST_KEPT = 4096
"""Kinds of graphs whose certificates are kept for a model; after that many it begins anew."""

Kind = tuple[int, bool, Spread]


@once_for_each_model
def kept_certificates(model: Weights) -> dict[Kind, Certificate | None]:
    """Of every kind of graphs that was asked for; None where not all of them have one."""
    return {}


def certificate_of_kind(model: Weights, graph: Graph) -> Certificate | None:
    """A certificate by which the answer is exact, with weights as they are and nothing to watch.

    None if there is no such for all graphs of this kind; then this one may still have its own. It
    is for runs without inputs, with the rows and iterations that the program itself asks for.
    """
    if graph.spread is None:
        return None
    kind = (graph.n, graph.has_edges, graph.spread)
    known = kept_certificates(model)
    if kind in known:
        found = known[kind]
    else:
        worst = graph.spread.worst_case(graph.n, has_edges=graph.has_edges)
        found = _certificate(model, worst)
        if len(known) >= MOST_KEPT:
            known.clear()
        known[kind] = found
    if found is None or not model.needs:
        return found
    needs = preconditions(model.needs, graph, weighted=model.edges == "weights")
    return found if all(need.holds for need in needs) else None


def _certificate(model: Weights, worst: WorstCase) -> Certificate | None:
    if worst.longest_path_bound() > LONGEST_PATH or reweighting(model, worst) != 1:
        return None
    extent = Extent(model, worst, worst.n, Fraction(1), Fraction(0), model.max_iterations(worst.n))
    epsilon = model.constants.resolution
    if model.edges == "weights" and worst.unit % epsilon:
        return None
    found = certify(extent, exact=False, given=[], needs=(), rounding=lambda extent: 0.0)
    watches = found.watches_positions or found.watches_reliance
    unwatched = found.watched is None and not watches
    return found if found.guaranteed and unwatched else None
