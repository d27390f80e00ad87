"""Scores that never move → computed once a run: each node's best, and the entries near it.

The same code finds out whether the plans hold: that nodes find themselves alone, or row 0 alone,
where the build says so. It runs over X₀, and takes O(rows²) time but only the memory of its result.
"""

from __future__ import annotations

from dataclasses import dataclass

from llvmlite import ir

from loopwright.runtime.machines.native import code
from loopwright.runtime.machines.native.analyse import NODES, SINGLE, Finds, Plan
from loopwright.runtime.machines.native.attention import (
    Scored,
    Stored,
    best_node_score,
    coordinates,
    dot,
    entries_of,
    node_scores,
    spread_all,
    starts_of,
    term,
)
from loopwright.runtime.machines.native.code import COUNT, REAL, Slot, Value
from loopwright.runtime.machines.native.forms import Form, Own
from loopwright.runtime.machines.native.routine import Routine

Key = tuple[object, ...]


@dataclass
class Survey:
    """One pattern of scores among the nodes, shared by all heads that have it."""

    head: Scored
    stored: Stored
    alone: bool = False
    """Some head relies on every node finding itself alone."""


class Surveys:
    """The surveys that the heads of a model need, and the columns of scratch they fill."""

    def __init__(self) -> None:
        self._surveys: dict[Key, Survey] = {}
        self._heads: list[tuple[Scored, Plan, Survey | None]] = []
        self.columns = 0
        self.stored = 0

    @property
    def any(self) -> bool:
        """Whether a run has to begin with a survey at all."""
        return bool(self._heads)

    def add(self, head: Scored, plan: Plan) -> Stored | None:
        """Say how a head finds; where it then will find its node scores."""
        survey = None
        if plan.nodes not in (Finds.LIVE, Finds.ALIKE):
            survey = self._survey(head, store=plan.nodes is Finds.STORED)
            survey.alone |= plan.nodes in (Finds.OWN, Finds.PAIR)
        if survey or plan.single is Finds.OWN:
            self._heads.append((head, plan, survey))
        return survey.stored if survey else None

    def _survey(self, head: Scored, *, store: bool) -> Survey:
        forms = head.forms[NODES]
        key = (store, head.reach, *map(_identity, forms.query), *map(_identity, forms.key))
        if key not in self._surveys:
            self._surveys[key] = Survey(head, Stored(self.columns, self.stored if store else None))
            self.columns += 1
            self.stored += store
        return self._surveys[key]

    def emit(self, module: ir.Module) -> None:
        """`survey`: fills in best scores and counts; returns how often a plan is broken.
        `fill`: once the counts have become starts, the entries themselves."""
        routine = Routine(module, "survey")
        broken: Value = code.count(0)
        for survey in self._surveys.values():
            broken = routine.body.add(broken, _survey_nodes(routine, survey))
        for head, plan, survey in self._heads:
            if plan.single is Finds.OWN:
                broken = routine.body.add(broken, _row_zero_strays(routine, head))
            if survey and plan.nodes in (Finds.OWN, Finds.GLOBAL):
                broken = routine.body.add(broken, _nodes_stray(routine, head, plan, survey))
        routine.finish(broken)
        routine = Routine(module, "fill")
        for survey in self._surveys.values():
            if survey.stored.index is not None:
                _fill(routine, survey)
        routine.finish()


def _identity(form: Form) -> object:
    """What a form of columns is, whichever layer it comes from."""
    return frozenset(
        (atom.content.column, k) for atom, k in form.items() if isinstance(atom.content, Own)
    )


def _near(routine: Routine, head: Scored, score: Value, best: Value) -> Value:
    cut = routine.body.fsub(best, code.like(best, head.reach))
    return routine.body.fcmp_ordered(">=", score, cut)


def _survey_nodes(routine: Routine, survey: Survey) -> Value:
    """Best score and number of entries for every node; returns how many are not alone."""
    body, head, stored = routine.body, survey.head, survey.stored

    def step(index: Value, carried: list[Value]) -> list[Value]:
        node = routine.node(index)
        query = coordinates(node, head.forms[NODES].query)
        queries = spread_all(body, query)
        best = best_node_score(routine, head, queries)
        routine.write(Slot.SCRATCH, stored.best, index, best)
        if not survey.alone and stored.index is None:
            return carried
        bests = code.spread(body, best)

        def tally(at: Value, counted: list[Value]) -> list[Value]:
            scores, _ = node_scores(routine, head, queries, at)
            bits = body.bitcast(_near(routine, head, scores, bests), code.BITS)
            return [body.add(counted[0], body.zext(body.ctpop(bits), COUNT))]

        (entries,) = routine.over_packs(tally, code.count(0))
        if stored.index is not None:
            after = body.add(index, code.count(1))
            code.store(body, entries, code.offset(body, starts_of(routine, stored), after))
        own = dot(body, query, coordinates(node, head.forms[NODES].key), code.real(0.0))
        itself = _near(routine, head, own, best)
        alone = body.and_(itself, body.icmp_signed("==", entries, code.count(1)))
        return [body.add(carried[0], body.zext(body.not_(alone), COUNT))]

    (strays,) = code.loop(body, routine.slot(Slot.COUNT), step, [code.count(0)])
    return strays if survey.alone else code.count(0)


def _row_zero_strays(routine: Routine, head: Scored) -> Value:
    """1 if row 0 finds any node, where it should find itself alone."""
    forms, body = head.forms[SINGLE], routine.body
    query = coordinates(routine.row_zero, forms.query)
    key = coordinates(routine.row_zero, forms.key)
    itself = dot(body, query, key, code.real(0.0))
    other = best_node_score(routine, head, spread_all(body, query))
    return body.zext(_near(routine, head, other, itself), COUNT)


def _nodes_stray(routine: Routine, head: Scored, plan: Plan, survey: Survey) -> Value:
    """How many nodes find row 0 beside themselves, or any node where it should be row 0 alone."""
    body = routine.body
    key_zero = coordinates(routine.row_zero, head.forms[SINGLE].key)
    keys = [None if key is None else routine.spread(key) for key in key_zero]

    def step(index: Value, carried: list[Value]) -> list[Value]:
        query = coordinates(routine.nodes(index), head.forms[NODES].query)
        with_zero = dot(body, query, keys, code.pack(0.0))
        with_nodes = routine.read(Slot.SCRATCH, survey.stored.best, index)
        wanted, other = with_nodes, with_zero
        if plan.nodes is Finds.GLOBAL:
            wanted, other = with_zero, with_nodes
        other = body.fadd(other, routine.read(Slot.OUTSIDE, 0, index))
        bits = body.bitcast(_near(routine, head, other, wanted), code.BITS)
        return [body.add(carried[0], body.zext(body.ctpop(bits), COUNT))]

    (strays,) = routine.over_packs(step, code.count(0))
    return strays


def _fill(routine: Routine, survey: Survey) -> None:
    """Every node's entries: which node, and its score, or its term of the softmax."""
    body, head, stored = routine.body, survey.head, survey.stored

    def step(index: Value, _: list[Value]) -> None:
        query = coordinates(routine.node(index), head.forms[NODES].query)
        queries = spread_all(body, query)
        best = routine.read(Slot.SCRATCH, stored.best, index, REAL)
        begin, _end = entries_of(routine, stored, index)
        bests = code.spread(body, best)

        def scan(at: Value, carried: list[Value]) -> list[Value]:
            (place,) = carried
            scores, _ = node_scores(routine, head, queries, at)
            near = _near(routine, head, scores, bests)
            bits = body.bitcast(near, code.BITS)

            def keep(lane: Value, rank: Value) -> None:
                to = body.add(place, rank)
                other = body.add(at, lane)
                score = body.extract_element(scores, lane)
                kept = term(body, head, score, best) if head.softmax else score
                code.store(body, other, code.offset(body, routine.slot(Slot.ENDS), to))
                code.store(body, kept, code.offset(body, routine.slot(Slot.TERMS), to))

            code.each_lane(body, near, keep)
            return [body.add(place, body.zext(body.ctpop(bits), COUNT))]

        routine.over_packs(scan, begin)

    code.loop(body, routine.slot(Slot.COUNT), step)
