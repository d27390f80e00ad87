"""ChoiceCode: code for edge heads, where each row chooses among the edges that it sees.

    Σ σ(score) · [xⱼ, Aⱼᵢ] W_V / Σ σ(score)      over the edges j → i, and row 0 at an edge of 0

Two passes over the edges of a row: one for the best score, one for the sums. Edges are ordered by
the row that sees them, so all of it takes O(edges), and a row needs none but its own.
"""

# llvmlite has no types of its own.
# pyright: reportUnknownArgumentType=false, reportUnknownMemberType=false

from __future__ import annotations

from collections.abc import Mapping, Sequence

from loopwright.model.layout import Scope
from loopwright.runtime.machines.native.attention import HeadCode, Vector
from loopwright.runtime.machines.native.code import Slot, Value, count, real
from loopwright.runtime.machines.native.graph import EDGES
from loopwright.runtime.machines.native.routine import Evaluator


class ChoiceCode:
    """Writes what one edge head finds, into one routine."""

    def __init__(self, code: HeadCode) -> None:
        self.code, self.head = code, code.head
        self.routine, self.body = code.routine, code.body
        self.starts, self.ends, self.weights = (self.routine.slot(s) for s in EDGES[code.head.over])

    def find(self, targets: Mapping[int, int]) -> None:
        """Put what every node finds into columns of scratch."""

        def step(index: Value) -> None:
            query = self.code.query(Scope.NODES, self.routine.node(index))
            found = self.found(query, self.body.add(index, count(1)), list(targets))
            for column, value in found.items():
                self.routine.write(targets[column], index, value)

        self.body.loop(self.routine.slot(Slot.COUNT), step)

    def find_at_row_zero(self, columns: Sequence[int]) -> dict[int, Value]:
        """What row 0 finds, where edges may lead to it."""
        query = self.code.query(Scope.SINGLE, self.routine.row_zero)
        return self.found(query, count(0), columns)

    def show_row_zero(self) -> None:
        """Put row 0 before the first node, for edges that lead to it from elsewhere."""
        used = self.head.score_columns | {c for sums in self.head.value.values() for c, _ in sums}
        for column in sorted(used):
            value = self.body.load_at(self.routine.slot(Slot.ROW_ZERO), count(column))
            self.routine.write(column, count(-1), value)

    def found(self, query: Vector, row: Value, columns: Sequence[int]) -> dict[int, Value]:
        """What a row with this query finds."""
        body, code = self.body, self.code
        with_zero = code.score(query, Scope.SINGLE, self.routine.row_zero)
        begin, end = body.extent(self.starts, row)

        def look(at: Value, best: Value) -> list[Value]:
            score, _, _ = self.score(query, at)
            return [body.larger(score, best)]

        (best,) = body.loop(end, look, with_zero, begin=begin)

        def add(at: Value, *sums: Value) -> list[Value]:
            score, node, weight = self.score(query, at)

            def more() -> list[Value]:
                share = code.weight(score, best)
                values = code.values(Scope.NODES, node, columns)
                for i, column in enumerate(columns):
                    if times := self.head.edge_value.get(column):
                        along = body.fmul(real(times), weight)
                        values[i] = body.fadd(values[i], along)
                added = [share, *(body.fmul(share, value) for value in values)]
                return list(map(body.fadd, sums, added))

            return body.only_if(code.near(score, best), more, sums)

        sums = body.loop(end, add, *[real(0.0)] * (1 + len(columns)), begin=begin)
        return code.mean(columns, sums, with_zero, best)

    def score(self, query: Vector, at: Value) -> tuple[Value, Evaluator, Value]:
        """The score of a query with an edge; what evaluates forms at its other end; its weight."""
        body = self.body
        node = self.routine.node(body.sub(body.load_count(self.ends, at), count(1)))
        weight = body.load_at(self.weights, at)
        total: Value = None
        keys = self.code.forms[Scope.NODES].key
        for coordinate, form, times in zip(query, keys, self.head.edge_key, strict=True):
            if coordinate is None or not (form or times):
                continue
            key = node(form) if form else None
            if times:
                along = body.fmul(real(times), weight)
                key = along if key is None else body.fadd(key, along)
            product = body.fmul(coordinate, key)
            total = product if total is None else body.fadd(total, product)
        return (real(0.0) if total is None else total), node, weight
