"""ChoiceCode: code for edge heads, where each row chooses among the edges that it sees.

    Σ σ(score) · [xⱼ, Aⱼᵢ] W_V / Σ σ(score)      over the edges j → i, and row 0 at an edge of 0

Edges are ordered by the row that sees them, so all of it takes O(edges), and a row needs none but
its own. What an edge takes is mostly the time to fetch the key of its other end, so keys are
computed for all rows first, one column of scratch for each coordinate in which they differ; values
are fetched only for edges that may be chosen.

By hardmax one pass over the edges of a row is enough, unless a score is in doubt (`compare`): then
a row takes a second way, in two passes, one for the best score, one for the sums. So does softmax.
"""

# llvmlite has no types of its own.
# pyright: reportUnknownArgumentType=false, reportUnknownMemberType=false

from __future__ import annotations

from collections.abc import Mapping, Sequence

from loopwright.model.layout import Scope
from loopwright.runtime.machines.native.attention import HeadCode, Vector
from loopwright.runtime.machines.native.code import Slot, Value, count, real
from loopwright.runtime.machines.native.graph import EDGES


class ChoiceCode:
    """Writes what one edge head finds, into one routine."""

    def __init__(self, code: HeadCode, scratch: Mapping[int, int], *, general: bool) -> None:
        """`scratch` has a column for the keys of every coordinate; `general`: edges may lead from
        row 0, or to it."""
        self.code, self.head, self.general = code, code.head, general
        self.routine, self.body = code.routine, code.body
        self.starts, self.ends, self.weights = (self.routine.slot(s) for s in EDGES[code.head.over])
        self.scratch, self.same = scratch, dict[int, Value]()
        self.keys = code.forms[Scope.NODES].key
        for coordinate, form in enumerate(self.keys):
            if form and self.routine.are_alike(form):
                self.same[coordinate] = self.routine.every_node(form)

    def show_keys(self) -> None:
        """Compute the keys of all rows; row 0 has its place before the first node."""
        differ = {c: form for c, form in enumerate(self.keys) if form and c not in self.same}

        def step(index: Value) -> None:
            nodes = self.routine.nodes(index)
            for coordinate, form in differ.items():
                self.routine.write(self.scratch[coordinate], index, nodes(form))

        self.routine.over_packs(step)
        for coordinate, form in differ.items() if self.general else ():
            self.routine.write(self.scratch[coordinate], count(-1), self.routine.row_zero(form))

    def show_values(self) -> None:
        """Put row 0 before the first node, for edges that lead to it from elsewhere."""
        for column in sorted({c for sums in self.head.value.values() for c, _ in sums}):
            value = self.body.load_at(self.routine.slot(Slot.ROW_ZERO), count(column))
            self.routine.write(column, count(-1), value)

    def find(self, targets: Mapping[int, int]) -> None:
        """Put what every node finds into columns of scratch."""

        def step(index: Value) -> None:
            query = self.code.query(Scope.NODES, self.routine.node(index))
            found = self.found(query, self.body.add(index, count(1)), list(targets))
            for column, value in zip(targets, found, strict=True):
                self.routine.write(targets[column], index, value)

        self.body.loop(self.routine.slot(Slot.COUNT), step)

    def find_at_row_zero(self, columns: Sequence[int]) -> list[Value]:
        """What row 0 finds, where edges may lead to it."""
        query = self.code.query(Scope.SINGLE, self.routine.row_zero)
        return self.found(query, count(0), columns)

    def found(self, query: Vector, row: Value, columns: Sequence[int]) -> list[Value]:
        """What a row with this query finds in these columns."""
        if self.head.softmax:
            return self.in_two_passes(query, row, columns)
        doubtful, found = self.in_one_pass(query, row, columns)
        again = lambda: self.in_two_passes(query, row, columns)  # noqa: E731
        return self.body.only_if(doubtful, again, found)

    def in_one_pass(
        self, query: Vector, row: Value, columns: Sequence[int]
    ) -> tuple[Value, list[Value]]:
        """(whether a score is in doubt, the mean of what the best edges bring)."""
        body, code = self.body, self.code
        with_zero = code.score(query, Scope.SINGLE, self.routine.row_zero)
        of_zero = code.values(Scope.SINGLE, self.routine.row_zero, columns)

        def edge(at: Value, *so_far: Value) -> list[Value]:
            score, end, weight = self.score(query, at)
            return code.compare(score, so_far, lambda: self.brought(end, weight, columns))

        start = [with_zero, count(0), real(1.0), *of_zero]
        begin, end = body.extent(self.starts, row)
        _, doubt, ties, *sums = body.loop(end, edge, *start, begin=begin)
        doubtful = body.icmp_unsigned("!=", doubt, count(0))
        return doubtful, [body.fdiv(total, ties) for total in sums]

    def in_two_passes(self, query: Vector, row: Value, columns: Sequence[int]) -> list[Value]:
        """The mean of what edges bring that are near the best."""
        body, code = self.body, self.code
        with_zero = code.score(query, Scope.SINGLE, self.routine.row_zero)
        begin, end = body.extent(self.starts, row)

        def look(at: Value, best: Value) -> list[Value]:
            return [body.larger(self.score(query, at)[0], best)]

        (best,) = body.loop(end, look, with_zero, begin=begin)

        def add(at: Value, *sums: Value) -> list[Value]:
            score, other, weight = self.score(query, at)

            def more() -> list[Value]:
                share = code.weight(score, best)
                brought = self.brought(other, weight, columns)
                added = [share, *(body.fmul(share, value) for value in brought)]
                return list(map(body.fadd, sums, added))

            return body.only_if(code.near(score, best), more, sums)

        sums = body.loop(end, add, *[real(0.0)] * (1 + len(columns)), begin=begin)
        return list(code.mean(columns, sums, with_zero, best).values())

    def brought(self, end: Value, weight: Value, columns: Sequence[int]) -> list[Value]:
        """What an edge of this weight brings from its other end."""
        values = self.code.values(Scope.NODES, self.routine.node(end), columns)
        for i, column in enumerate(columns):
            if times := self.head.edge_value.get(column):
                values[i] = self.body.fadd(values[i], self.body.fmul(real(times), weight))
        return values

    def score(self, query: Vector, at: Value) -> tuple[Value, Value, Value]:
        """The score of a query with an edge; its other end, as the index of a node; its weight."""
        body = self.body
        end = body.sub(body.load_count(self.ends, at), count(1))
        weight = body.load_at(self.weights, at)
        total: Value = None
        for c, (coordinate, times) in enumerate(zip(query, self.head.edge_key, strict=True)):
            if coordinate is None or not (self.keys[c] or times):
                continue
            key = self.same.get(c)
            if self.keys[c] and key is None:
                key = self.routine.read_one(self.scratch[c], end)
            if times:
                along = body.fmul(real(times), weight)
                key = along if key is None else body.fadd(key, along)
            product = body.fmul(coordinate, key)
            total = product if total is None else body.fadd(total, product)
        return (real(0.0) if total is None else total), end, weight
