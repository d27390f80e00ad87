"""Scores that never change → computed once a run: each node's best, and the entries near it.

The same code finds out whether the plans hold: that nodes find themselves alone, or row 0 alone,
where the build says so. It runs over X₀, and takes O(rows²) time but only the memory of its result.
"""

# llvmlite has no types of its own.
# pyright: reportUnknownMemberType=false

from __future__ import annotations

from llvmlite import ir

from loopwright.model.layout import Scope
from loopwright.runtime.machines.native.analyse import Finds, FormsByScope, Plan
from loopwright.runtime.machines.native.attention import HeadCode, Survey
from loopwright.runtime.machines.native.code import COUNT, OUTSIDE, Slot, Value, count
from loopwright.runtime.machines.native.forms import Form, Own
from loopwright.runtime.machines.native.routine import Routine
from loopwright.runtime.machines.native.sparse import SparseHead


class Surveys:
    """The surveys that the heads of a model need, and the plans to be checked with them."""

    def __init__(self) -> None:
        self._surveys: dict[object, Survey] = {}
        self._plans: list[tuple[SparseHead, FormsByScope, Plan, Survey | None]] = []

    def __len__(self) -> int:
        return len(self._surveys)

    @property
    def stores(self) -> bool:
        """Whether any survey stores entries."""
        return any(survey.stores for survey in self._surveys.values())

    def add(self, head: SparseHead, forms: FormsByScope, plan: Plan) -> Survey | None:
        """Have a plan checked; returns the survey of the head's scores, if the plan needs one."""
        survey = None
        if plan.nodes not in (Finds.LIVE, Finds.ALIKE):
            nodes = forms[Scope.NODES]
            pattern = (head.reach, *map(_identity, nodes.query + nodes.key))
            survey = self._surveys.setdefault(pattern, Survey(len(self), head, forms))
            survey.alone |= plan.nodes in (Finds.OWN, Finds.PAIR)
            survey.stores |= plan.nodes is Finds.STORED
        if survey or plan.single is Finds.OWN:
            self._plans.append((head, forms, plan, survey))
        return survey

    def emit(self, module: ir.Module) -> None:
        """Write two functions. `survey` fills in best scores and counts entries, and returns how
        often a plan is broken; `fill` fills in the entries, once their counts have become starts.
        """
        routine = Routine(module, "survey")
        broken: Value = count(0)
        for survey in self._surveys.values():
            code = HeadCode(routine, survey.head, survey.forms)
            broken = routine.body.add(broken, _survey_nodes(code, survey))
        for head, forms, plan, survey in self._plans:
            code = HeadCode(routine, head, forms)
            if plan.single is Finds.OWN:
                broken = routine.body.add(broken, _row_zero_strays(code))
            if survey and plan.nodes in (Finds.OWN, Finds.GLOBAL):
                broken = routine.body.add(broken, _count_stray_nodes(code, plan, survey))
        routine.finish(broken)
        routine = Routine(module, "fill")
        for survey in self._surveys.values():
            if survey.stores:
                _fill(HeadCode(routine, survey.head, survey.forms), survey)
        routine.finish()


def _identity(form: Form) -> object:
    """What a form of columns is, whichever layer it comes from."""
    return frozenset(
        (atom.content.column, k) for atom, k in form.items() if isinstance(atom.content, Own)
    )


def _survey_nodes(code: HeadCode, survey: Survey) -> Value:
    """Find every node's best score among the nodes, and how many entries are near it. Returns how
    many nodes do not find themselves alone, if that matters."""
    body, routine = code.body, code.routine

    def step(index: Value, strays: Value) -> list[Value]:
        node = routine.node(index)
        query = code.query(Scope.NODES, node)
        queries = code.broadcast(query)
        best = code.best_node_score(queries)
        routine.write(survey.best, index, best)
        if not survey.alone and not survey.stores:
            return [strays]
        bests = body.broadcast(best)

        def tally(at: Value, entries: Value) -> list[Value]:
            scores, _ = code.node_scores(queries, at)
            return [body.add(entries, body.how_many(code.near(scores, bests)))]

        (entries,) = routine.over_packs(tally, count(0))
        if survey.stores:
            body.store_at(entries, code.starts(survey), body.add(index, count(1)))
        own = code.score(query, Scope.NODES, node)
        only_one = body.icmp_signed("==", entries, count(1))
        alone = body.and_(code.near(own, best), only_one)
        return [body.add(strays, body.zext(body.not_(alone), COUNT))]

    (strays,) = body.loop(routine.slot(Slot.COUNT), step, count(0))
    return strays if survey.alone else count(0)


def _row_zero_strays(code: HeadCode) -> Value:
    """1 if row 0 finds any node, where it should find itself alone; else 0."""
    query = code.query(Scope.SINGLE, code.routine.row_zero)
    itself = code.score(query, Scope.SINGLE, code.routine.row_zero)
    other = code.best_node_score(code.broadcast(query))
    return code.body.zext(code.near(other, itself), COUNT)


def _count_stray_nodes(code: HeadCode, plan: Plan, survey: Survey) -> Value:
    """How many nodes find row 0 beside themselves, or any node where it should be row 0 alone."""
    body, routine = code.body, code.routine

    def step(index: Value, strays: Value) -> list[Value]:
        query = code.query(Scope.NODES, routine.nodes(index))
        other = code.score(query, Scope.SINGLE, routine.row_zero_packs)
        wanted = routine.read(survey.best, index)
        if plan.nodes is Finds.GLOBAL:
            wanted, other = other, wanted
        other = body.fadd(other, routine.read(OUTSIDE, index))
        return [body.add(strays, body.how_many(code.near(other, wanted)))]

    (strays,) = routine.over_packs(step, count(0))
    return strays


def _fill(code: HeadCode, survey: Survey) -> None:
    """Store every node's entries: which node each is, and its score, or under softmax its term."""
    body, routine = code.body, code.routine

    def step(index: Value) -> None:
        queries = code.broadcast(code.query(Scope.NODES, routine.node(index)))
        best = routine.read_one(survey.best, index)
        bests = body.broadcast(best)

        def scan(at: Value, place: Value) -> list[Value]:
            scores, _ = code.node_scores(queries, at)
            near = code.near(scores, bests)

            def keep(lane: Value, rank: Value) -> None:
                to = body.add(place, rank)
                score = body.extract_element(scores, lane)
                kept = code.term(score, best) if code.head.softmax else score
                body.store_at(body.add(at, lane), routine.slot(Slot.ENDS), to)
                body.store_at(kept, routine.slot(Slot.TERMS), to)

            body.each_lane(near, keep)
            return [body.add(place, body.how_many(near))]

        routine.over_packs(scan, body.load_count(code.starts(survey), index))

    body.loop(routine.slot(Slot.COUNT), step)
