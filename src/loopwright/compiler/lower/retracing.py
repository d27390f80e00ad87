"""Every node finds the edge by which a number came about: edge heads that compare sums with it.

As in `choosing`, one lowering serves `…From` and its twin `…To`.
"""

from __future__ import annotations

from fractions import Fraction

from loopwright.compiler.attend import EDGE
from loopwright.compiler.layer import LayerBuilder
from loopwright.compiler.lower.choosing import added, at_the_other_end, bring, cut_of
from loopwright.compiler.lower.registry import lowers
from loopwright.errors import ProgramError
from loopwright.language import ops
from loopwright.language.variables import OWN_INDEX
from loopwright.model.limits import LARGEST_NUMBER
from loopwright.model.magnitudes import retracing


def _via(op: ops.LeastViaFrom, layer: LayerBuilder) -> None:
    weights = retracing(op.path.kind, layer.constants, heaviest=op.heaviest)
    omega, unless, index = layer.constants.omega, layer.column(op.unless), layer.column(OWN_INDEX)
    if 32 * omega * weights.nearer > LARGEST_NUMBER:
        raise ProgramError("scores would not fit into floats: declare smaller Limits.")
    sums = added(at_the_other_end(op.value, layer, with_edge=op.along), unless, 8 * omega)
    others = {index: Fraction(-1)} | ({EDGE: weights.heavier} if op.heaviest else {})
    pattern = layer.patterns.way(
        layer.column(op.path),
        sums,
        others,
        cut=cut_of(op, layer, weights.nearer),
        weight=weights.nearer,
        row_0=-2 * weights.nodes,
    )
    bring(op, layer, pattern, {layer.column(op.column): Fraction(1)}, Fraction(0))


@lowers(ops.LeastViaFrom, ops.LeastViaTo)
def least_via(op: ops.LeastViaFrom, layer: LayerBuilder) -> None:
    """out[i] ← column[j] of the first edge j → i (…To: i → j) with value[j] = path[i]; 0 if none is

        edge head, query (path, 1, 1),  key (W, −W·(value + 8Ω·unless), −index):
        column → out           self:  −out → out

    Why: W·path − W·value is 0 where it fits, and −W·ε at most elsewhere, which is twice as much as
    an index can be; of those that fit the first scores most. Row 0 scores −2N: less than what fits,
    and more than what does not. No two edges tie.
    Exact: coordinates are added in their order: the first two cancel before the last is added.
    Cost: 1 edge head, 1 over I.
    Departs: P has no such head.
    """
    _via(op, layer)


@lowers(ops.NearestViaFrom, ops.NearestViaTo)
def nearest_via(op: ops.NearestViaFrom, layer: LayerBuilder) -> None:
    """out[i] ← column[j] of the first edge j → i (…To: i → j) with value[j] + A = path[i], or 0

        edge head, query (path, 1, 1),  key (W, −W·(value + A + 8Ω·unless), −index):
        column → out           self:  −out → out

    Why: as without the edge.
    Exact: coordinates are added in their order: the first two cancel before the last is added.
    Cost: 1 edge head, 1 over I.
    Departs: P has no such head.
    """
    _via(op, layer)


@lowers(ops.HeaviestViaFrom, ops.HeaviestViaTo)
def heaviest_via(op: ops.HeaviestViaFrom, layer: LayerBuilder) -> None:
    """out[i] ← column[j] of the heaviest edge j → i (…To: i → j) with value[j] + A = path[i], or 0

        edge head, query (path, 1, 1),  key (W, −W·(value + A + 8Ω·unless), H·A − index):
        column → out           self:  −out → out

    Why: as without H·A, which is less than half of W·ε; of edges that fit, a heavier one outdoes
    all indices, as H·ε is twice as much as those.
    Exact: A × 2N / ε ≤ 2⁵², with N > nodes, so that H·A − index − ½ is; and coordinates are added
    in their order, so that the first two cancel before it is added.
    Cost: 1 edge head, 1 over I.
    Departs: P has no such head.
    """
    _via(op, layer)
