"""Layout and weights → what a run will most likely look like: the assumptions of the fast build.

Signs come from the layout: where a variable is 0 by its scope, and how it starts. How rows find
each other is tried out on the X₀ of a few nodes. Nothing here has to be right: every run checks
the assumptions (`check`, `survey`) and takes the general build if they fail.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import replace
from fractions import Fraction

import numpy as np

from loopwright.model.layout import GLOBAL_ROW, OWN, Field, Kind, Scope
from loopwright.model.weights import Matrix, Weights
from loopwright.runtime.encode import positions, start_of
from loopwright.runtime.inputs import read_inputs
from loopwright.runtime.machines.native.analyse import (
    NODES,
    SINGLE,
    Analysis,
    Assumptions,
    Finds,
    Plan,
    Signs,
    analyse,
)
from loopwright.runtime.machines.native.forms import Sign
from loopwright.runtime.machines.native.sparse import Entries, SparseHead, SparseLayer

SAMPLE_NODES = 5
EXP_UNDERFLOW = 746.0
"""exp(−746) is 0 in float64."""


def reach(model: Weights, head: SparseHead) -> float:
    """Scores further than this below the best get no attention at all."""
    if model.attention == "hardmax":
        return head.tie_tolerance
    return EXP_UNDERFLOW * head.temperature


def guess(model: Weights, layers: Sequence[SparseLayer]) -> Analysis:
    """Signs from the layout, then plans for heads whose scores are proved not to move.

    At first only columns that no weight writes count as still. Each analysis may prove more scores
    still, which makes better plans, and those a better analysis. What was proved under earlier
    plans stays true, since later ones imply them; so this ends, usually after two rounds.
    """
    written = _written(layers)
    assumptions = replace(
        Assumptions.none(layers, model.width),
        start=start_signs(model),
        plain_edges=True,
    )
    alike = _alike(model) - written
    sample = sample_start(model)
    moving = [
        [dict.fromkeys(Scope, bool(head.scored & written)) for head in layer.heads]
        for layer in layers
    ]
    analysis: Analysis | None = None
    while True:
        plans = tuple(
            tuple(
                _plan(model, head, sample, moves, alike)
                for head, moves in zip(l.heads, ms, strict=True)
            )
            for l, ms in zip(layers, moving, strict=True)
        )
        if analysis is not None and plans == analysis.assumptions.plans:
            return analysis
        asked = _asked_alike(layers, plans)
        analysis = analyse(layers, replace(assumptions, plans=plans, alike=asked))
        for index, layer in enumerate(layers):
            for head, moves in zip(layer.heads, moving[index], strict=True):
                for scope in Scope:
                    moves[scope] = moves[scope] and _moves(head, analysis, index, scope)


def _written(layers: Sequence[SparseLayer]) -> set[int]:
    """Columns that some head or MLP may write."""
    targets: set[int] = set()
    for layer in layers:
        targets.update(layer.mlp[-1], *(head.value for head in layer.heads))
    return targets


def _alike(model: Weights) -> set[int]:
    """Columns that start the same at every node."""
    columns = set(range(model.width))
    for field in model.layout.fields:
        plain = isinstance(field.start, Fraction) and field.at_source is None
        if field.scope is NODES and not plain:
            columns -= set(range(model.width)[field.columns])
    return columns


def _asked_alike(layers: Sequence[SparseLayer], plans: Sequence[Sequence[Plan]]) -> frozenset[int]:
    """The columns of all queries that must be the same at every node."""
    return frozenset(
        column
        for layer, planned in zip(layers, plans, strict=True)
        for head, plan in zip(layer.heads, planned, strict=True)
        for column in head.queried
        if plan.nodes is Finds.ALIKE
    )


def _moves(head: SparseHead, analysis: Analysis, layer: int, scope: Scope) -> bool:
    """Whether the columns of a head's scores may differ from one iteration to another.

    A column that is always 0 when this layer begins does not move its scores.
    """
    before = analysis.layers[layer].before[scope]
    return any(before[c] is not Sign.ZERO for c in head.scored & analysis.changing(scope))


def _plan(
    model: Weights,
    head: SparseHead,
    sample: Matrix,
    moving: dict[Scope, bool],
    alike: set[int],
) -> Plan:
    """Try a head on the sample, as far as it is the same in every iteration."""
    otherwise = Finds.ALIKE if head.queried <= alike else Finds.LIVE
    if moving[NODES]:
        return Plan(Finds.LIVE, otherwise)
    single = Finds.LIVE
    if not moving[SINGLE]:
        found = _attended(model, head, sample)
        own = np.eye(len(sample), dtype=bool)
        if np.array_equal(found[GLOBAL_ROW], own[GLOBAL_ROW]):
            single = Finds.OWN
        if np.array_equal(found[1:], own[1:]):
            return Plan(single, Finds.OWN)
        if found[1:, GLOBAL_ROW].all() and not found[1:, 1:].any():
            return Plan(single, Finds.GLOBAL)
    among_nodes = _attended(model, head, sample[1:])
    if np.array_equal(among_nodes, np.eye(len(sample) - 1, dtype=bool)):
        return Plan(single, Finds.PAIR)
    few = otherwise is Finds.LIVE and not among_nodes.all()
    return Plan(single, Finds.STORED if few else otherwise)


def _attended(
    model: Weights, head: SparseHead, x: Matrix
) -> np.ndarray[tuple[int, ...], np.dtype[np.bool_]]:
    """Which rows get attention from which."""

    def project(coordinates: tuple[Entries, ...]) -> Matrix:
        maps = np.zeros((x.shape[1], len(coordinates)))
        for i, entries in enumerate(coordinates):
            for column, k in entries:
                maps[column, i] = k
        return x @ maps

    scores = project(head.query) @ project(head.key).T
    return scores >= scores.max(axis=1, keepdims=True) - reach(model, head)


def sample_start(model: Weights) -> Matrix:
    """The X₀ of a few nodes without edges or source."""
    count = min(SAMPLE_NODES, model.constants.nodes)
    x = np.zeros((count + 1, model.width))
    table = positions(model.constants, count)
    ones = {field.input: 1 for field in model.layout.fields if field.input}  # valid for any kind
    given = read_inputs(model, ones, count)
    for field in model.layout.fields:
        rows = GLOBAL_ROW if field.scope is SINGLE else slice(1, None)
        x[rows, field.columns] = start_of(field, table, given, exact=False)
    return x


def start_signs(model: Weights) -> Signs:
    """What the layout says of X₀: zero outside a variable's scope, and in scratch columns."""
    signs = {scope: [Sign.ZERO] * model.width for scope in Scope}
    for field in model.layout.fields:
        sign = _start_sign(field)
        signs[field.scope][field.columns] = [sign] * field.kind.width
    return {scope: tuple(column) for scope, column in signs.items()}


def _start_sign(field: Field) -> Sign:
    """Of a variable in its own rows. Flags and indices are never below 0."""
    if field.kind is Kind.POSITION:
        return Sign.ANY
    if field.kind in (Kind.FLAG, Kind.INDEX) or field.start == OWN:
        return Sign.NONNEGATIVE
    starts = [field.start, Fraction(0) if field.at_source is None else field.at_source]
    if all(isinstance(start, Fraction) and start >= 0 for start in starts):
        return Sign.NONNEGATIVE
    return Sign.ANY
