"""Layout and weights → what a run will most likely look like: the assumptions of the fast build.

Signs come from the layout: where a variable is 0 by its scope, and how it starts. How rows find
each other is tried out on the X₀ of a few nodes. Nothing here has to be right: every run checks
the assumptions (`check`, `survey`) and takes the general build if they fail.
"""

from __future__ import annotations

from collections.abc import Sequence
from fractions import Fraction

import numpy as np

from loopwright.model.layout import GLOBAL_ROW, OWN, Field, Kind, Scope
from loopwright.model.weights import Matrix, Weights
from loopwright.runtime.encode import encode
from loopwright.runtime.graph import Graph
from loopwright.runtime.machines.native.analyse import Analysis, Assumptions, Finds, Plan, analyse
from loopwright.runtime.machines.native.forms import Sign, Signs
from loopwright.runtime.machines.native.numbers import matching, numbering
from loopwright.runtime.machines.native.sparse import SparseHead, SparseLayer, Sum

SAMPLE_NODES = 5
"""How many nodes the sample has on which heads are tried out."""


def analyse_likely_run(model: Weights, layers: Sequence[SparseLayer]) -> Analysis:
    """Analyse a model under assumptions that runs on encoded graphs will meet.

    Signs come from the layout, and then plans for heads whose scores are proved never to change. At
    first only columns that no weight writes count as constant. Each analysis may prove more scores
    constant, which makes better plans, and those a better analysis. What was proved under earlier
    plans stays true, since later ones imply them; so this ends, usually after two rounds.
    """
    written = _written_columns(layers)
    constant = {
        head: set[Scope]() if head.score_columns & written else set(Scope)
        for layer in layers
        for head in layer.heads
    }
    alike = _columns_starting_alike(model)
    start, sample = start_signs(model), sample_start(model)
    analysis: Analysis | None = None
    while True:
        plans = {
            head: _plan_by_number(head, written) or _plan(head, sample, scopes, alike - written)
            for head, scopes in constant.items()
        }
        if analysis is not None and plans == analysis.assumptions.plans:
            return analysis
        by_number = [head for head, plan in plans.items() if plan.by_number]
        assumed = Assumptions(
            start,
            plans,
            plain_edges=True,
            alike=frozenset(alike),
            numberings=frozenset(filter(None, map(numbering, by_number))),
            matchings=frozenset(filter(None, map(matching, by_number))),
        )
        analysis = analyse(layers, assumed)
        for scope in Scope:
            changing = {column for layer in analysis.layers for column in layer.new[scope]}
            for layer in analysis.layers:
                for head in layer.heads:
                    # A column that is always 0 when this layer begins changes none of its scores.
                    moved = head.score_columns & changing
                    if all(layer.before[scope][column] is Sign.ZERO for column in moved):
                        constant[head].add(scope)


def _plan_by_number(head: SparseHead, written: set[int]) -> Plan | None:
    """A plan that needs no scores, if rows are found by whole numbers that no weight writes."""
    numbered, matched = numbering(head), matching(head)
    if numbered and not numbered.columns & written:
        if numbered.asked == numbered.number:
            return Plan(Finds.OWN, Finds.OWN, by_number=True)
        return Plan(Finds.LIVE, Finds.NUMBERED, by_number=True)
    if matched and not matched.columns & written:
        return Plan(Finds.LIVE, Finds.MATCHED, by_number=True)
    return None


def _written_columns(layers: Sequence[SparseLayer]) -> set[int]:
    """The columns that some head or MLP may write."""
    targets: set[int] = set()
    for layer in layers:
        targets.update(layer.mlp[-1], *(head.value for head in layer.heads))
    return targets


def _columns_starting_alike(model: Weights) -> set[int]:
    """The columns of X₀ that hold the same number at every node."""
    columns = set(range(model.width))
    for field in model.layout.after(-1):
        same = isinstance(field.start, Fraction) and field.at_source is None
        if field.scope is Scope.NODES and not same:
            columns -= set(range(model.width)[field.columns])
    return columns


def _plan(head: SparseHead, sample: Matrix, constant: set[Scope], alike: set[int]) -> Plan:
    """Try a head on the sample, as far as its scores are the same in every iteration.

    `constant` says of which rows that is proved, and `alike` which columns no node differs in.
    """
    if head.chooses:  # among edges, whatever the scores are
        return Plan()
    otherwise = Finds.ALIKE if head.query_columns <= alike else Finds.LIVE
    if Scope.NODES not in constant:
        return Plan(Finds.LIVE, otherwise)
    single = Finds.LIVE
    if Scope.SINGLE in constant:
        found = _attention(head, sample)
        own = np.eye(len(sample), dtype=bool)
        if np.array_equal(found[GLOBAL_ROW], own[GLOBAL_ROW]):
            single = Finds.OWN
        if np.array_equal(found[1:], own[1:]):
            return Plan(single, Finds.OWN)
        if found[1:, GLOBAL_ROW].all() and not found[1:, 1:].any():
            return Plan(single, Finds.GLOBAL, same_keys=head.key_columns <= alike)
    among_nodes = _attention(head, sample[1:])
    if not head.softmax and np.array_equal(among_nodes, np.eye(len(sample) - 1, dtype=bool)):
        return Plan(single, Finds.PAIR)
    few = otherwise is Finds.LIVE and not among_nodes.all()
    return Plan(single, Finds.STORED if few else otherwise)


def _attention(head: SparseHead, x: Matrix) -> np.ndarray[tuple[int, ...], np.dtype[np.bool_]]:
    """Which rows (down) attend to which (across)."""

    def project(sums: Sequence[Sum]) -> Matrix:
        matrix = np.zeros((x.shape[1], len(sums)))
        for i, weights in enumerate(sums):
            matrix[[column for column, _ in weights], i] = [k for _, k in weights]
        return x @ matrix

    scores = project(head.query) @ project(head.key).T
    return scores >= scores.max(axis=1, keepdims=True) - head.reach


def sample_start(model: Weights) -> Matrix:
    """The X₀ of a few nodes without edges."""
    count = min(SAMPLE_NODES, model.constants.nodes)
    graph = Graph.of(np.zeros((count, count)))
    ones = {field.input: 1 for field in model.layout.fields if field.input}  # valid for any kind
    source = 0 if model.source == "required" else None
    return encode(model, graph, source=source, inputs=ones, checked=False, scale=1).x


def start_signs(model: Weights) -> Signs:
    """What the layout says of X₀: zero outside a variable's scope, and in scratch columns."""
    signs = {scope: [Sign.ZERO] * model.width for scope in Scope}
    for field in model.layout.after(-1):
        signs[field.scope][field.columns] = [_start_sign(field)] * field.kind.width
    return {scope: tuple(column) for scope, column in signs.items()}


def _start_sign(field: Field) -> Sign:
    """The sign of a variable in its own rows. Flags, indices and squares are never below 0."""
    if field.kind is Kind.POSITION:
        return Sign.ANY
    if field.kind in (Kind.FLAG, Kind.INDEX, Kind.SQUARE) or field.start == OWN:
        return Sign.NONNEGATIVE
    starts = [field.start, Fraction(0) if field.at_source is None else field.at_source]
    if all(isinstance(start, Fraction) and start >= 0 for start in starts):
        return Sign.NONNEGATIVE
    return Sign.ANY
