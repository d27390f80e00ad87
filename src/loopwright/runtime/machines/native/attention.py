"""HeadCode: code for what rows find in a head, Σ σ(score) · value / Σ σ(score).

Three ways, from general to cheap; `analyse.Finds` says which a class of rows takes.

- live: all scores of one row, in two passes over the nodes. O(rows) for each row, or once for all
  nodes if they ask alike.
- stored: a node's scores with other nodes never change, so those that can matter were stored once
  (`survey`); only the one with row 0 is new. O(entries).
- pair: of the other nodes none matters. One comparison, a pack of nodes at a time.
"""

# llvmlite has no types of its own.
# pyright: reportUnknownArgumentType=false, reportUnknownMemberType=false

from __future__ import annotations

from collections.abc import Callable, Iterable, Mapping, Sequence
from dataclasses import dataclass
from functools import reduce

from loopwright.model.layout import Scope
from loopwright.runtime.machines.native.analyse import FormsByScope
from loopwright.runtime.machines.native.code import REAL, Value, count, pack, real
from loopwright.runtime.machines.native.frame import Slot
from loopwright.runtime.machines.native.routine import Evaluator, Routine
from loopwright.runtime.machines.native.sparse import SparseHead

Vector = Sequence[Value | None]
"""A query; None stands for a coordinate that is certainly 0."""


@dataclass
class Survey:
    """One pattern of scores among the nodes, computed once a run for all heads that have it."""

    index: int
    """Which survey it is: surveys count from 0, and have one row of starts each."""
    head: SparseHead
    forms: FormsByScope
    alone: bool = False
    """Whether some head relies on every node finding no node but itself."""
    stores: bool = False
    """Whether some head needs the entries that are near a node's best score."""
    same_keys: bool = False
    """Whether all nodes answer alike."""

    @property
    def best(self) -> int:
        """The column of every node's best score among the nodes."""
        return -1 - self.index


class HeadCode:
    """Writes what one head computes, into one routine."""

    def __init__(self, routine: Routine, head: SparseHead, forms: FormsByScope) -> None:
        self.routine, self.body = routine, routine.body
        self.head, self.forms = head, forms

    def query(self, scope: Scope, row: Evaluator) -> Vector:
        """The query of a row, or of a pack of rows, of this class."""
        return [row(form) if form else None for form in self.forms[scope].query]

    def values(self, scope: Scope, row: Evaluator, columns: Iterable[int]) -> list[Value]:
        """X W_V in some columns, for a row, or for a pack of rows, of this class."""
        return [row(self.forms[scope].value[column]) for column in columns]

    def broadcast(self, vector: Vector) -> Vector:
        return [None if value is None else self.body.broadcast(value) for value in vector]

    def score(self, query: Vector, scope: Scope, row: Evaluator) -> Value:
        """The score of a query with the key of a row, or of a pack of rows, of this class."""
        keys = [
            row(form) if form and self.counts(c, asked) else None
            for c, (asked, form) in enumerate(zip(query, self.forms[scope].key, strict=True))
        ]
        return self.added_up(query, keys, row.number(0.0))

    def counts(self, coordinate: int, asked: Value | None) -> bool:
        """Whether a key matters in a coordinate: not in a product with 0, but in any hinge."""
        return asked is not None or coordinate < len(self.head.hinges)

    def added_up(self, query: Vector, key: Vector, nothing: Value) -> Value:
        """The score of a query with a key, or with a pack of keys, coordinate by coordinate."""
        body, total = self.body, None
        for c, (asked, shown) in enumerate(zip(query, key, strict=True)):
            if c < len(self.head.hinges):
                there = [value for value in (asked, shown) if value is not None]
                if not there:
                    continue
                weight = body.constant_like(nothing, self.head.hinges[c])
                added = body.fmul(weight, body.relu(reduce(body.fadd, there)))
            elif asked is not None and shown is not None:
                added = body.fmul(asked, shown)
            else:
                continue
            total = added if total is None else body.fadd(total, added)
        return nothing if total is None else total

    def node_scores(self, query: Vector, index: Value) -> tuple[Value, Evaluator]:
        """The scores of one query (as packs) with a pack of nodes; −∞ for rows that are none."""
        nodes = self.routine.nodes(index)
        scores = self.score(query, Scope.NODES, nodes)
        outside = pack(float("-inf"))
        return self.body.select(self.routine.are_nodes(index), scores, outside), nodes

    def best_node_score(self, query: Vector) -> Value:
        """The best score of one query (as packs) with any node; −∞ if there are none."""

        def step(index: Value, best: Value) -> list[Value]:
            scores, _ = self.node_scores(query, index)
            return [self.body.larger(scores, best)]

        (best,) = self.routine.over_packs(step, pack(float("-inf")))
        return self.body.across(best, self.body.larger)

    def near(self, score: Value, best: Value) -> Value:
        """Whether a score is so near to the best one that it gets attention."""
        cut = self.body.fsub(best, self.body.constant_like(best, self.head.reach))
        return self.body.fcmp_ordered(">=", score, cut)

    def term(self, score: Value, best: Value) -> Value:
        """What a score adds to the softmax's sum: exp((score − best)/T)."""
        temperature = self.body.constant_like(score, self.head.temperature)
        return self.body.exponential(self.body.fdiv(self.body.fsub(score, best), temperature))

    def weight(self, score: Value, best: Value) -> Value:
        """What one score weighs beside the best, not normalised: 1 or 0, or its term."""
        near = self.near(score, best)
        sure = self.body.select(near, real(1.0), real(0.0))
        if not self.head.softmax:
            return sure
        between = self.body.and_(near, self.body.fcmp_unordered("!=", score, best))
        (weight,) = self.body.only_if(between, lambda: [self.term(score, best)], [sure])
        return weight

    def live(self, scope: Scope, row: Evaluator, columns: Sequence[int]) -> dict[int, Value]:
        """What one row of a class finds in these columns, with all its scores computed."""
        if self.head.softmax:
            return self.plainly(scope, row, columns)
        query = self.query(scope, row)
        with_zero = self.score(query, Scope.SINGLE, self.routine.row_zero)
        keys = zip(query, self.forms[Scope.NODES].key, strict=True)
        if all(self.routine.are_alike(key) for asked, key in keys if asked is not None):
            return self.of_all_nodes(query, with_zero, columns)
        queries = self.broadcast(query)
        doubt, found = self.in_one_pass(queries, with_zero, columns)
        again = lambda: list(self.in_two_passes(queries, with_zero, columns).values())  # noqa: E731
        return dict(zip(columns, self.body.only_if(doubt, again, found), strict=True))

    def plainly(self, scope: Scope, row: Evaluator, columns: Sequence[int]) -> dict[int, Value]:
        """The same with less code: in two passes, whatever the scores are."""
        query = self.query(scope, row)
        with_zero = self.score(query, Scope.SINGLE, self.routine.row_zero)
        return self.in_two_passes(self.broadcast(query), with_zero, columns)

    def of_all_nodes(
        self, query: Vector, with_zero: Value, columns: Sequence[int]
    ) -> dict[int, Value]:
        """The same, by hardmax, where all nodes answer alike: it finds all of them, or none."""
        body, nodes = self.body, self.routine.slot(Slot.COUNT)
        are_there = body.icmp_signed(">", nodes, count(0))
        with_nodes = self.score(query, Scope.NODES, self.routine.every_node)
        with_nodes = body.select(are_there, with_nodes, real(float("-inf")))
        best = body.larger(with_nodes, with_zero)

        def add_up() -> list[Value]:
            def step(index: Value, *sums: Value) -> list[Value]:
                found = self.values(Scope.NODES, self.routine.nodes(index), columns)
                here = self.routine.are_nodes(index)
                return [
                    body.fadd(sum_, body.select(here, value, pack(0.0)))
                    for sum_, value in zip(sums, found, strict=True)
                ]

            packs = self.routine.over_packs(step, *[pack(0.0)] * len(columns))
            return [body.sitofp(nodes, REAL), *(body.across(sum_, body.fadd) for sum_ in packs)]

        nothing = [real(0.0)] * (1 + len(columns))
        sums = body.only_if(self.near(with_nodes, best), add_up, nothing)
        return self.mean(columns, sums, with_zero, best)

    def in_one_pass(
        self, queries: Vector, with_zero: Value, columns: Sequence[int]
    ) -> tuple[Value, list[Value]]:
        """(whether a score is in doubt, the mean of what the best rows bring), by hardmax.

        Every lane of the packs keeps the best score that it has seen, and sums of what rows with
        this very score bring; in the end the lanes with the best score of all count.
        """
        body = self.body

        def step(index: Value, *so_far: Value) -> list[Value]:
            nodes = self.routine.nodes(index)
            scores = self.score(queries, Scope.NODES, nodes)

            def look() -> list[Value]:
                among = body.select(self.routine.are_nodes(index), scores, pack(float("-inf")))
                return self.compare(among, so_far, lambda: self.values(Scope.NODES, nodes, columns))

            # Most packs have nothing that is near, so whether all rows are nodes is asked later.
            return body.only_if(body.some(self.near(scores, so_far[0])), look, so_far)

        nothing = [pack(float("-inf")), count(0), *[pack(0.0)] * (1 + len(columns))]
        bests, doubt, *sums = self.routine.over_packs(step, *nothing)
        best = body.larger(body.across(bests, body.larger), with_zero)
        all_best = body.broadcast(best)
        same = body.fcmp_ordered("==", bests, all_best)
        between = body.and_(self.near(bests, all_best), body.not_(same))
        doubt = body.or_(doubt, body.set_lanes(between))
        sums = [body.across(body.select(same, sum_, pack(0.0)), body.fadd) for sum_ in sums]
        found = self.mean(columns, sums, with_zero, best)
        return body.icmp_unsigned("!=", doubt, count(0)), list(found.values())

    def compare(
        self, score: Value, so_far: Sequence[Value], brought: Callable[[], Sequence[Value]]
    ) -> list[Value]:
        """Compare a score, or a pack of them, with the best so far, by hardmax.

        `so_far` is the best score, how often one was in doubt, how many rows have the best score,
        and the sum of what these bring in each column; this returns what it is with the new score.
        Where every score is either the best one to the last bit or too far from it to be near, one
        pass is enough: sums begin anew whenever a better one comes. A score that is near to the
        best one but not the same, which no compiled model has, is in doubt.
        """
        body = self.body
        best, doubt, *sums = so_far
        near = self.near(score, best)

        def look() -> list[Value]:
            same = body.fcmp_ordered("==", score, best)
            above = body.not_(self.near(best, score))
            between = body.and_(near, body.not_(body.or_(same, above)))
            more = [body.constant_like(score, 1.0), *brought()]
            new = [
                body.select(above, value, body.select(same, body.fadd(sum_, value), sum_))
                for sum_, value in zip(sums, more, strict=True)
            ]
            doubts = body.or_(doubt, body.set_lanes(between))
            return [body.select(above, score, best), doubts, *new]

        return body.only_if(body.some(near), look, so_far)

    def in_two_passes(
        self, queries: Vector, with_zero: Value, columns: Sequence[int]
    ) -> dict[int, Value]:
        """The mean of what rows bring whose score is near the best: one pass for the best score,
        one for the sums."""
        body, softmax = self.body, self.head.softmax
        best = body.larger(self.best_node_score(queries), with_zero)
        bests = body.broadcast(best)

        def step(index: Value, *sums: Value) -> list[Value]:
            scores, nodes = self.node_scores(queries, index)
            near = self.near(scores, bests)

            def add() -> list[Value]:
                weights, found = pack(1.0), self.values(Scope.NODES, nodes, columns)
                if softmax:
                    weights = self.term(body.select(near, scores, bests), bests)
                    found = [body.fmul(weights, value) for value in found]
                more = (body.select(near, value, pack(0.0)) for value in (weights, *found))
                return list(map(body.fadd, sums, more))

            return body.only_if(body.some(near), add, sums)

        packs = self.routine.over_packs(step, *[pack(0.0)] * (1 + len(columns)))
        sums = [body.across(value, body.fadd) for value in packs]
        return self.mean(columns, sums, with_zero, best)

    def stored(self, survey: Survey, index: Value, columns: Sequence[int]) -> dict[int, Value]:
        """What one node finds in these columns, from its stored entries and row 0."""
        body, routine, softmax = self.body, self.routine, self.head.softmax
        query = self.query(Scope.NODES, routine.node(index))
        with_zero = self.score(query, Scope.SINGLE, routine.row_zero)
        best_node = routine.read_one(survey.best, index)
        best = body.larger(best_node, with_zero)

        def add(at: Value, *sums: Value) -> list[Value]:
            other = routine.node(body.load_count(routine.slot(Slot.ENDS), at))
            weight = body.load_at(routine.slot(Slot.TERMS), at)
            if not softmax:
                weight = body.select(self.near(weight, best), real(1.0), real(0.0))
            found = [body.fmul(weight, v) for v in self.values(Scope.NODES, other, columns)]
            return list(map(body.fadd, sums, [weight, *found]))

        begin, end = body.extent(self.starts(survey), index)
        sums = body.loop(end, add, *[real(0.0)] * (1 + len(columns)), begin=begin)
        if softmax:
            scale = self.weight(best_node, best)
            sums = [body.fmul(scale, sum_) for sum_ in sums]
        return self.mean(columns, sums, with_zero, best)

    def mean(
        self, columns: Sequence[int], sums: Sequence[Value], with_zero: Value, best: Value
    ) -> dict[int, Value]:
        """Add row 0's part to the total weight and each sum, and divide the sums by the total."""
        weight = self.weight(with_zero, best)
        total = self.body.fadd(sums[0], weight)
        found: dict[int, Value] = {}
        values = self.values(Scope.SINGLE, self.routine.row_zero, columns)
        for column, sum_, value in zip(columns, sums[1:], values, strict=True):
            added = self.body.fadd(sum_, self.body.fmul(weight, value))
            found[column] = self.body.fdiv(added, total)
        return found

    def find(self, targets: Mapping[int, int], survey: Survey | None) -> None:
        """Put what every node finds into columns of scratch: stored if there is a survey, or else
        live, which takes O(rows²)."""

        def step(index: Value) -> None:
            if survey:
                found = self.stored(survey, index, list(targets))
            else:
                found = self.live(Scope.NODES, self.routine.node(index), list(targets))
            for column, value in found.items():
                self.routine.write(targets[column], index, value)

        self.body.loop(self.routine.slot(Slot.COUNT), step)

    def pairs(self, survey: Survey, index: Value, columns: Sequence[int]) -> dict[int, Value]:
        """What a pack of nodes finds where each may find only itself and row 0, by hardmax."""
        body, routine = self.body, self.routine
        nodes = routine.nodes(index)
        query = self.query(Scope.NODES, nodes)
        with_zero = self.score(query, Scope.SINGLE, routine.row_zero_packs)
        with_self = routine.read(survey.best, index)
        best = body.larger(with_self, with_zero)
        own, other = (
            body.select(self.near(score, best), pack(1.0), pack(0.0))
            for score in (with_self, with_zero)
        )
        both = body.fcmp_ordered(">", body.fadd(own, other), pack(1.0))
        share = body.select(both, pack(0.5), pack(1.0))
        found: dict[int, Value] = {}
        for column in columns:
            parts: list[Value] = []
            if form := self.forms[Scope.NODES].value[column]:
                parts.append(body.fmul(own, nodes(form)))
            if form := self.forms[Scope.SINGLE].value[column]:
                parts.append(body.fmul(other, routine.row_zero_packs(form)))
            found[column] = body.fmul(reduce(body.fadd, parts), share)
        return found

    def starts(self, survey: Survey) -> Value:
        """Where a survey's row starts are: one more than there are nodes, for each survey."""
        prologue, slot = self.routine.prologue, self.routine.slot
        each = prologue.add(slot(Slot.COUNT), count(1))
        return prologue.offset(slot(Slot.STARTS), prologue.mul(each, count(survey.index)))
