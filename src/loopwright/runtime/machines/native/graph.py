"""EdgeCode: code for heads over Ã and Ãᵀ, where what rows found is carried along edges.

    (Ã f)ᵢ = Σⱼ Aᵢⱼ fⱼ      (Ãᵀ f)ᵢ = Σⱼ Aⱼᵢ fⱼ

Usually few rows have found anything, so each such row j adds to the rows that its edges lead to:
edges are ordered by the end that f is read at, the head for Ã and the tail for Ãᵀ.
"""

# llvmlite has no types of its own.
# pyright: reportUnknownArgumentType=false, reportUnknownMemberType=false

from __future__ import annotations

from collections.abc import Callable, Mapping
from functools import reduce

from loopwright.model.weights import Over
from loopwright.runtime.machines.native.code import Value, count, pack
from loopwright.runtime.machines.native.forms import Form
from loopwright.runtime.machines.native.frame import EDGES, LANES
from loopwright.runtime.machines.native.routine import Evaluator, Routine


class EdgeCode:
    """Writes how one head carries along edges, into one routine.

    `targets` says for each column of X which column of scratch takes what is carried.
    """

    def __init__(self, routine: Routine, over: Over, targets: Mapping[int, int]) -> None:
        self.routine, self.body, self.targets = routine, routine.body, targets
        self.starts, self.ends, self.weights = (routine.slot(slot) for slot in EDGES[over])

    def clear(self) -> None:
        """Zero the columns of scratch, beginning with the pack in which row 0 has its place."""

        def step(index: Value) -> None:
            for target in self.targets.values():
                self.routine.write(target, index, pack(0.0))

        self.routine.over_packs(step, begin=-LANES)

    def carry_from_nodes(
        self, found: Mapping[int, Form], nodes_at: Callable[[Value], Evaluator]
    ) -> None:
        """Add what nodes found, wherever it is not 0, to the rows at the ends of their edges.

        `nodes_at` gives what evaluates forms at the pack of nodes with some index.
        """
        body = self.body

        def step(index: Value) -> None:
            nodes = nodes_at(index)
            values = {column: nodes(form) for column, form in found.items()}
            nonzero = [body.fcmp_unordered("!=", value, pack(0.0)) for value in values.values()]

            def carry(lane: Value, _: Value) -> None:
                row = body.add(body.add(index, lane), count(1))
                here = {column: body.extract_element(v, lane) for column, v in values.items()}
                self.carry_from_row(row, here)

            brings = reduce(body.or_, nonzero)
            with body.if_then(body.some(brings)):
                body.each_lane(body.and_(brings, self.routine.are_nodes(index)), carry)

        self.routine.over_packs(step)

    def carry_from_row(self, row: Value, found: Mapping[int, Value]) -> None:
        """Add what one row found to the rows at the ends of its edges."""
        body, routine = self.body, self.routine
        begin, end = body.extent(self.starts, row)

        def edge(at: Value) -> None:
            index = body.sub(body.load_count(self.ends, at), count(1))
            weight = body.load_at(self.weights, at)
            for column, value in found.items():
                sum_ = routine.read_one(self.targets[column], index)
                added = body.fadd(sum_, body.fmul(weight, value))
                routine.write(self.targets[column], index, added)

        body.loop(end, edge, begin=begin)
