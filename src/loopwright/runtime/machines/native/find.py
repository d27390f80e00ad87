"""Code for heads that find rows by whole numbers; `numbers` says why it is right.

What is not as it must be for that, a number that is none of a row's or a square of another number,
is found as in any other head: by all scores.
"""

# llvmlite has no types of its own.
# pyright: reportUnknownArgumentType=false, reportUnknownMemberType=false
# pyright: reportUnknownVariableType=false

from __future__ import annotations

from collections.abc import Mapping, Sequence

from loopwright.model.layout import Scope
from loopwright.runtime.machines.native.attention import HeadCode, Vector
from loopwright.runtime.machines.native.code import COUNT, REAL, Value, count, pack, real
from loopwright.runtime.machines.native.frame import LANES, Slot
from loopwright.runtime.machines.native.numbers import Matching, Numbering


class NumberCode:
    """Writes how rows are found by their numbers, into one routine."""

    def __init__(self, code: HeadCode) -> None:
        self.code, self.routine, self.body = code, code.routine, code.body

    def row_of(self, number: Value) -> tuple[Value, Value]:
        """(whether it is the number of a row, that row or 0)."""
        body = self.body
        last = body.sitofp(self.routine.slot(Slot.COUNT), REAL)
        inside = body.and_(
            body.fcmp_ordered(">=", number, real(0.0)), body.fcmp_ordered("<=", number, last)
        )
        row = body.fptosi(body.select(inside, number, real(0.0)), COUNT)
        whole = body.fcmp_ordered("==", body.sitofp(row, REAL), number)
        is_row = body.and_(inside, whole)
        return is_row, body.select(is_row, row, count(0))

    def at(self, row: Value, columns: Sequence[int]) -> list[Value]:
        """X W_V of a row."""
        body, routine, code = self.body, self.routine, self.code
        is_zero = body.icmp_signed("==", row, count(0))
        node = routine.node(body.sub(body.select(is_zero, count(1), row), count(1)))
        of_nodes = code.values(Scope.NODES, node, columns)
        of_zero = code.values(Scope.SINGLE, routine.row_zero, columns)
        pairs = zip(of_zero, of_nodes, strict=True)
        return [body.select(is_zero, zero, other) for zero, other in pairs]

    def live(self, index: Value, columns: Sequence[int]) -> list[Value]:
        """What a node finds, by all scores."""
        node = self.routine.node(index)
        return list(self.code.plainly(Scope.NODES, node, columns).values())

    def find(self, numbering: Numbering, targets: Mapping[int, int]) -> None:
        """Put what every node finds into columns of scratch."""
        body, columns = self.body, list(targets)

        def step(index: Value) -> None:
            is_row, row = self.row_of(self.routine.read_one(numbering.asked, index))
            found = self.at(row, columns)
            found = body.only_if(body.not_(is_row), lambda: self.live(index, columns), found)
            for column, value in zip(columns, found, strict=True):
                self.routine.write(targets[column], index, value)

        body.loop(self.routine.slot(Slot.COUNT), step)


class MatchCode(NumberCode):
    """Writes how rows are found by their keys, into one routine."""

    def __init__(self, code: HeadCode, matching: Matching, buckets: Sequence[int]) -> None:
        """`buckets` are columns of scratch: for the best u of each key, for how many rows have it,
        and for the sum of each column that is found."""
        super().__init__(code)
        self.matching = matching
        self.best, self.count, *self.sums = buckets

    def find(self, targets: Mapping[int, int]) -> None:  # type: ignore[override]
        """Put what every node finds into columns of scratch."""
        columns = list(targets)
        self.clear()
        broken, most = self.fill()
        limit = real(self.matching.weight / 4 - self.code.head.reach)
        sound = self.body.and_(
            self.body.icmp_signed("==", broken, count(0)),
            self.body.fcmp_ordered("<", most, limit),
        )
        with self.body.if_else(sound) as (then, otherwise):
            with then:
                self.add_up(columns)
                self.look(targets)
            with otherwise:
                self.code.find(targets, None)

    def clear(self) -> None:
        def step(index: Value) -> None:
            self.routine.write(self.best, index, pack(float("-inf")))
            for column in (self.count, *self.sums):
                self.routine.write(column, index, pack(0.0))

        self.routine.over_packs(step, begin=-LANES)

    def bucket(self, number: Value, square: Value) -> tuple[Value, Value]:
        """(whether a number has a bucket and this is its square, where the bucket is)."""
        body = self.body
        is_row, row = self.row_of(number)
        fits = body.fcmp_ordered("==", body.fmul(number, number), square)
        return body.and_(is_row, fits), body.sub(row, count(1))

    def preference(self, index: Value) -> Value:
        """u: what decides among rows with the same key."""
        form = self.code.forms[Scope.NODES].key[3]
        return self.routine.node(index)(form)

    def fill(self) -> tuple[Value, Value]:
        """The best u of each key; how many keys have no bucket, and the best u of all."""
        body, routine, columns = self.body, self.routine, self.matching

        def step(index: Value, broken: Value, most: Value) -> list[Value]:
            numbers = (routine.read_one(c, index) for c in (columns.key, columns.key_square))
            sound, place = self.bucket(*numbers)
            preference = self.preference(index)
            so_far = routine.read_one(self.best, place)
            routine.write(self.best, place, body.larger(preference, so_far))
            wrong = body.zext(body.not_(sound), COUNT)
            return [body.add(broken, wrong), body.larger(preference, most)]

        start = (count(0), real(float("-inf")))
        broken, most = body.loop(routine.slot(Slot.COUNT), step, *start)
        return broken, most

    def add_up(self, columns: Sequence[int]) -> None:
        """How many rows share the best u of their key, and what they bring together."""
        body, routine, code = self.body, self.routine, self.code

        def step(index: Value) -> None:
            _, row = self.row_of(routine.read_one(self.matching.key, index))
            place = body.sub(row, count(1))
            near = code.near(self.preference(index), routine.read_one(self.best, place))
            with body.if_then(near):
                values = code.values(Scope.NODES, routine.node(index), columns)
                for column, value in zip(
                    (self.count, *self.sums), (real(1.0), *values), strict=True
                ):
                    total = body.fadd(routine.read_one(column, place), value)
                    routine.write(column, place, total)

        body.loop(routine.slot(Slot.COUNT), step)

    def look(self, targets: Mapping[int, int]) -> None:
        """Every node takes the mean of its bucket, or finds row 0, or all scores are computed."""
        body, routine, code, columns = self.body, self.routine, self.code, list(targets)

        def step(index: Value) -> None:
            node = routine.node(index)
            query: Vector = code.query(Scope.NODES, node)
            with_zero = code.score(query, Scope.SINGLE, routine.row_zero)
            asked = (
                routine.read_one(c, index)
                for c in (self.matching.asked, self.matching.asked_square)
            )
            sound, place = self.bucket(*asked)
            best = routine.read_one(self.best, place)
            reach = real(code.head.reach)
            better = body.fcmp_ordered(">", best, body.fadd(with_zero, reach))
            worse = body.fcmp_ordered("<", best, body.fsub(with_zero, reach))
            high = body.fcmp_ordered(">=", with_zero, real(-self.matching.weight / 2))
            sound = body.and_(body.and_(sound, high), body.or_(better, worse))
            share = body.select(better, routine.read_one(self.count, place), real(1.0))
            of_zero = code.values(Scope.SINGLE, routine.row_zero, columns)
            found = [
                body.select(better, body.fdiv(routine.read_one(total, place), share), zero)
                for total, zero in zip(self.sums, of_zero, strict=True)
            ]
            found = body.only_if(body.not_(sound), lambda: self.live(index, columns), found)
            for column, value in zip(columns, found, strict=True):
                routine.write(targets[column], index, value)

        body.loop(routine.slot(Slot.COUNT), step)
