"""Scores that never change → computed once a run: each node's best, and the entries near it.

The same code finds out whether what the build assumes of X₀ is so: signs of columns, columns that
are the same at every node, and the plans, by which nodes find themselves alone, or row 0 alone. It
takes O(rows²) time but only the memory of its result.
"""

# llvmlite has no types of its own.
# pyright: reportUnknownMemberType=false

from __future__ import annotations

from llvmlite import ir

from loopwright.model.layout import Scope
from loopwright.runtime.machines.native.analyse import Assumptions, Finds, FormsByScope, Plan
from loopwright.runtime.machines.native.attention import HeadCode, Survey
from loopwright.runtime.machines.native.code import COUNT, REAL, Value, Writer, count, pack, real
from loopwright.runtime.machines.native.forms import Form, Own, Sign
from loopwright.runtime.machines.native.frame import Slot
from loopwright.runtime.machines.native.numbers import MOST_ROWS
from loopwright.runtime.machines.native.routine import Routine
from loopwright.runtime.machines.native.sparse import SparseHead, Sum

VIOLATES = {Sign.ZERO: "!=", Sign.NONNEGATIVE: "<"}
"""Sign → how a number that does not have it compares with 0."""


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
        if plan.by_number:
            return None
        if plan.nodes not in (Finds.LIVE, Finds.ALIKE):
            nodes = forms[Scope.NODES]
            pattern = (head.reach, *map(_identity, nodes.query + nodes.key))
            survey = self._surveys.setdefault(pattern, Survey(len(self), head, forms))
            survey.alone |= plan.nodes in (Finds.OWN, Finds.PAIR)
            survey.stores |= plan.nodes is Finds.STORED
            survey.same_keys |= plan.same_keys
        if survey or plan.single is Finds.OWN:
            self._plans.append((head, forms, plan, survey))
        return survey

    def emit(self, module: ir.Module, assumptions: Assumptions) -> None:
        """Write two functions. `survey` fills in best scores and counts entries, and returns how
        often an assumption or a plan is broken; `fill` fills in the entries, once their counts have
        become starts.
        """
        routine = Routine(module, "survey")
        broken = _count_broken_columns(routine, assumptions)
        broken = routine.body.add(broken, _count_broken_numbers(routine, assumptions))
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


def _count_broken_columns(routine: Routine, assumptions: Assumptions) -> Value:
    """How many numbers of X₀ do not have the sign of their column, in row 0 and at the nodes, or
    are not alike where all nodes should be. What is not a number has no sign, and is like none."""
    body = routine.body
    broken: Value = count(0)
    for column, sign in enumerate(assumptions.start[Scope.SINGLE]):
        if sign is not Sign.ANY:
            number = routine.row_zero.leaf(Own(column))
            wrong = body.fcmp_unordered(VIOLATES[sign], number, real(0.0))
            broken = body.add(broken, body.zext(wrong, COUNT))
    alike = {c: body.broadcast(routine.read_one(c, count(0))) for c in sorted(assumptions.alike)}

    def step(index: Value, broken: Value) -> list[Value]:
        for column, sign in enumerate(assumptions.start[Scope.NODES]):
            if sign is not Sign.ANY:  # rows that are no nodes hold 0
                numbers = routine.read(column, index)
                wrong = body.fcmp_unordered(VIOLATES[sign], numbers, pack(0.0))
                broken = body.add(broken, body.how_many(wrong))
        are_nodes = routine.are_nodes(index)
        for column, first in alike.items():
            other = body.fcmp_unordered("!=", routine.read(column, index), first)
            broken = body.add(broken, body.how_many(body.and_(other, are_nodes)))
        return [broken]

    (broken,) = routine.over_packs(step, broken)
    return broken


def _count_broken_numbers(routine: Routine, assumptions: Assumptions) -> Value:
    """How often a column does not hold the numbers of rows, their squares, or ones, where it should
    in row 0 and at the nodes; and one more if there are too many rows for exact squares."""
    body = routine.body
    many = body.icmp_signed(">=", routine.slot(Slot.COUNT), count(MOST_ROWS))
    wanted: list[tuple[Sum, float, float | str]] = []
    for each in assumptions.numberings:
        wanted += [(((each.number, 1.0),), 0.0, "number"), (((each.square, 1.0),), 0.0, "square")]
        wanted += [(each.ones, 1.0, 1.0)]
    for each in assumptions.matchings:
        wanted += [(((each.local, 1.0),), 0.0, 1.0), (((each.single, 1.0),), 1.0, 0.0)]
    broken: Value = body.zext(many, COUNT) if wanted else count(0)
    for sums, in_row_zero, _ in wanted:
        form = total_of([(k, routine.row_zero.leaf(Own(c))) for c, k in sums], body)
        wrong = body.fcmp_unordered("!=", form, real(in_row_zero))
        broken = body.add(broken, body.zext(wrong, COUNT))

    def step(index: Value, broken: Value) -> list[Value]:
        number = body.sitofp(body.add(index, count(1)), REAL)
        squared = body.fmul(number, number)
        for sums, _, at_nodes in wanted:
            named = {"number": number, "square": squared}
            expected = named[at_nodes] if isinstance(at_nodes, str) else real(at_nodes)
            form = total_of([(k, routine.read_one(c, index)) for c, k in sums], body)
            wrong = body.fcmp_unordered("!=", form, expected)
            broken = body.add(broken, body.zext(wrong, COUNT))
        return [broken]

    if not wanted:
        return broken
    (broken,) = body.loop(routine.slot(Slot.COUNT), step, broken)
    return broken


def total_of(terms: list[tuple[float, Value]], body: Writer) -> Value:
    """A weighted sum of numbers."""
    total: Value = real(0.0)
    for k, value in terms:
        total = body.fadd(total, body.fmul(real(k), value))
    return total


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
        one = code.score(query, Scope.NODES, routine.node(count(0)))
        best = one if survey.same_keys else code.best_node_score(queries)
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
        stray = body.and_(code.near(other, wanted), routine.are_nodes(index))
        return [body.add(strays, body.how_many(stray))]

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
