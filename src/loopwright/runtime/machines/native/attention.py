"""Heads → code for what rows find: Σ σ(score) · value / Σ σ(score).

Three ways, from general to cheap; `analyse.Finds` says which a class of rows takes.

- live: all scores of one row, in two passes over the nodes. O(rows) for each row, or once for all
  nodes if they ask alike.
- stored: a node's scores with other nodes never move, so those that can matter were stored once
  (`survey`); only the one with row 0 is new. O(entries).
- pair: of the other nodes none matters. One comparison, a pack of nodes at a time.
"""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass

from loopwright.model.layout import Scope
from loopwright.runtime.machines.native import code
from loopwright.runtime.machines.native.analyse import NODES, SINGLE, HeadForms
from loopwright.runtime.machines.native.code import REAL, Builder, Slot, Value
from loopwright.runtime.machines.native.forms import Form
from loopwright.runtime.machines.native.routine import Evaluator, Routine

MINUS_INFINITY = float("-inf")


@dataclass(frozen=True, eq=False)
class Scored:
    """A head's forms, and how its scores become weights."""

    forms: Mapping[Scope, HeadForms]
    softmax: bool
    temperature: float
    reach: float
    """Scores further than this below the best weigh nothing."""

    def value(self, scope: Scope, column: int) -> Form:
        return self.forms[scope].value[column]


@dataclass(frozen=True)
class Stored:
    """Where a survey leaves what it finds."""

    best: int
    """The column of scratch for a node's best score among the nodes."""
    index: int | None = None
    """Which of the surveys that store entries it is, if it does."""


def dot(
    builder: Builder,
    query: Sequence[Value | None],
    key: Sequence[Value | None],
    nothing: Value,
) -> Value:
    """Σ query · key over the coordinates that neither lacks."""
    total: Value = None
    for q, k in zip(query, key, strict=True):
        if q is not None and k is not None:
            product = builder.fmul(q, k)
            total = product if total is None else builder.fadd(total, product)
    return nothing if total is None else total


def coordinates(evaluator: Evaluator, forms: Iterable[Form]) -> list[Value | None]:
    """None for a coordinate that is certainly 0."""
    return [evaluator(form) if form else None for form in forms]


def spread_all(builder: Builder, values: Iterable[Value | None]) -> list[Value | None]:
    return [None if value is None else code.spread(builder, value) for value in values]


def term(builder: Builder, head: Scored, score: Value, best: Value) -> Value:
    """exp((score − best)/T)"""
    below = builder.fsub(score, best)
    return code.exponential(builder, builder.fdiv(below, code.like(below, head.temperature)))


def node_scores(
    routine: Routine, head: Scored, query: Sequence[Value | None], index: Value
) -> tuple[Value, Evaluator]:
    """The scores of one query (as packs) with a pack of nodes; −∞ for rows that are none."""
    nodes = routine.nodes(index)
    keys = coordinates(nodes, head.forms[NODES].key)
    outside = routine.read(Slot.OUTSIDE, 0, index)
    scores = dot(routine.body, query, keys, code.pack(0.0))
    return routine.body.fadd(scores, outside), nodes


def best_node_score(routine: Routine, head: Scored, query: Sequence[Value | None]) -> Value:
    """max over the nodes; −∞ if there are none."""
    body = routine.body

    def step(index: Value, carried: list[Value]) -> list[Value]:
        scores, _ = node_scores(routine, head, query, index)
        return [code.larger(body, scores, carried[0])]

    (best,) = routine.over_packs(step, code.pack(MINUS_INFINITY))
    return code.across(body, best, code.larger)


def live(
    routine: Routine,
    head: Scored,
    scope: Scope,
    row: Evaluator,
    columns: Sequence[int],
) -> dict[int, Value]:
    """What one row finds, with all its scores computed. `row` evaluates forms of its class."""
    body = routine.body
    query = coordinates(row, head.forms[scope].query)
    key_zero = coordinates(routine.row_zero, head.forms[SINGLE].key)
    with_zero = dot(body, query, key_zero, code.real(0.0))
    queries = spread_all(body, query)
    best = code.larger(body, best_node_score(routine, head, queries), with_zero)
    cut = body.fsub(best, code.real(head.reach))
    cuts, bests = code.spread(body, cut), code.spread(body, best)
    zeros = code.pack(0.0)

    def step(index: Value, carried: list[Value]) -> list[Value]:
        scores, nodes = node_scores(routine, head, queries, index)
        near = body.fcmp_ordered(">=", scores, cuts)

        def weigh() -> list[Value]:
            if head.softmax:
                weights = term(body, head, body.select(near, scores, bests), bests)
            else:
                weights = code.pack(1.0)
            found = [weights]
            for column in columns:
                value = nodes(head.value(NODES, column))
                found.append(body.fmul(weights, value) if head.softmax else value)
            return [
                body.fadd(sum_, body.select(near, more, zeros))
                for sum_, more in zip(carried, found, strict=True)
            ]

        if head.softmax:
            return code.only_if(body, code.some_lane(body, near), weigh, carried)
        return weigh()

    packs = routine.over_packs(step, *[zeros for _ in (None, *columns)])
    total, *sums = [code.across(body, value, code.add) for value in packs]
    weight = weight_of(body, head, with_zero, best)
    total = body.fadd(total, weight)
    found: dict[int, Value] = {}
    for column, sum_ in zip(columns, sums, strict=True):
        value = routine.row_zero(head.value(SINGLE, column))
        found[column] = body.fdiv(body.fadd(sum_, body.fmul(weight, value)), total)
    return found


def weight_of(builder: Builder, head: Scored, score: Value, best: Value) -> Value:
    """The weight that a score gets beside the best one, not normalised; of one, or of a pack."""
    one, zero = code.like(score, 1.0), code.like(score, 0.0)
    near = builder.fcmp_ordered(">=", score, builder.fsub(best, code.like(best, head.reach)))
    if not head.softmax:
        return builder.select(near, one, zero)
    between = builder.and_(near, builder.fcmp_unordered("!=", score, best))
    some = between if score.type == REAL else code.some_lane(builder, between)
    sure = builder.select(near, one, zero)

    def compute() -> list[Value]:
        weight = term(builder, head, builder.select(near, score, best), best)
        return [builder.select(near, weight, zero)]

    (weight,) = code.only_if(builder, some, compute, [sure])
    return weight


def live_nodes(
    routine: Routine, head: Scored, columns: Sequence[int], targets: Mapping[int, int]
) -> None:
    """What every node finds, with all scores computed, into scratch. O(rows²)."""

    def step(index: Value, _: list[Value]) -> None:
        found = live(routine, head, NODES, routine.node(index), columns)
        for column, value in found.items():
            routine.write(Slot.SCRATCH, targets[column], index, value)

    code.loop(routine.body, routine.slot(Slot.COUNT), step)


def stored_nodes(
    routine: Routine,
    head: Scored,
    stored: Stored,
    columns: Sequence[int],
    targets: Mapping[int, int],
) -> None:
    """What every node finds, from its stored entries and row 0, into scratch."""
    body = routine.body
    key_zero = coordinates(routine.row_zero, head.forms[SINGLE].key)
    value_zero = [routine.row_zero(head.value(SINGLE, column)) for column in columns]

    def step(index: Value, _: list[Value]) -> None:
        query = coordinates(routine.node(index), head.forms[NODES].query)
        with_zero = dot(body, query, key_zero, code.real(0.0))
        best_node = routine.read(Slot.SCRATCH, stored.best, index, REAL)
        best = code.larger(body, best_node, with_zero)
        cut = body.fsub(best, code.real(head.reach))

        def entry(at: Value, carried: list[Value]) -> list[Value]:
            other = code.load(body, code.offset(body, routine.slot(Slot.ENDS), at), code.COUNT)
            kept = code.load(body, code.offset(body, routine.slot(Slot.TERMS), at))
            if head.softmax:
                weight = kept
            else:
                near = body.fcmp_ordered(">=", kept, cut)
                weight = body.select(near, code.real(1.0), code.real(0.0))
            node = routine.node(other)
            values = [node(head.value(NODES, column)) for column in columns]
            more = [weight, *(body.fmul(weight, value) for value in values)]
            return [body.fadd(a, b) for a, b in zip(carried, more, strict=True)]

        begin, end = entries_of(routine, stored, index)
        zeros = [code.real(0.0) for _ in (None, *columns)]
        total, *sums = code.loop(body, end, entry, zeros, begin=begin)
        weight = weight_of(body, head, with_zero, best)
        if head.softmax:
            scale = weight_of(body, head, best_node, best)
            total, *sums = [body.fmul(scale, value) for value in (total, *sums)]
        total = body.fadd(total, weight)
        for column, sum_, value in zip(columns, sums, value_zero, strict=True):
            found = body.fdiv(body.fadd(sum_, body.fmul(weight, value)), total)
            routine.write(Slot.SCRATCH, targets[column], index, found)

    code.loop(body, routine.slot(Slot.COUNT), step)


def entries_of(routine: Routine, stored: Stored, index: Value) -> tuple[Value, Value]:
    """Where a node's stored entries begin and end."""
    body = routine.body
    at = code.offset(body, starts_of(routine, stored), index)
    after = code.offset(body, at, code.count(1))
    return code.load(body, at, code.COUNT), code.load(body, after, code.COUNT)


def starts_of(routine: Routine, stored: Stored) -> Value:
    """The address of the survey's row starts: one more than there are nodes, for each survey."""
    assert stored.index is not None
    each = routine.prologue.add(routine.slot(Slot.COUNT), code.count(1))
    skipped = routine.prologue.mul(each, code.count(stored.index))
    return code.offset(routine.prologue, routine.slot(Slot.STARTS), skipped)


def pair(
    routine: Routine, head: Scored, stored: Stored, index: Value, columns: Sequence[int]
) -> dict[int, Value]:
    """What a pack of nodes finds where each may find only itself and row 0."""
    body, nodes = routine.body, routine.nodes(index)
    query = coordinates(nodes, head.forms[NODES].query)
    key_zero = coordinates(routine.row_zero, head.forms[SINGLE].key)
    keys = [None if key is None else routine.spread(key) for key in key_zero]
    with_zero = dot(body, query, keys, code.pack(0.0))
    with_self = routine.read(Slot.SCRATCH, stored.best, index)
    best = code.larger(body, with_self, with_zero)
    own = weight_of(body, head, with_self, best)
    other = weight_of(body, head, with_zero, best)
    total = body.fadd(own, other)
    if not head.softmax:
        both = body.fcmp_ordered(">", total, code.pack(1.0))
        share = body.select(both, code.pack(0.5), code.pack(1.0))
    else:
        share = body.fdiv(code.pack(1.0), total)
    found: dict[int, Value] = {}
    for column in columns:
        parts: list[Value] = []
        if form := head.value(NODES, column):
            parts.append(body.fmul(own, nodes(form)))
        if form := head.value(SINGLE, column):
            parts.append(body.fmul(other, routine.spread(routine.row_zero(form))))
        sum_ = parts[0] if len(parts) == 1 else body.fadd(*parts)
        found[column] = body.fmul(sum_, share)
    return found
