"""Heads over Ã and Ãᵀ: what rows found, carried along edges.

    (Ã f)ᵢ = Σⱼ Aᵢⱼ fⱼ      (Ãᵀ f)ᵢ = Σⱼ Aⱼᵢ fⱼ

Usually few rows have found anything, so each such row j adds to the rows that its edges lead to:
edges are ordered by the end that f is read at, the head for Ã and the tail for Ãᵀ.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping

from loopwright.model.weights import Over
from loopwright.runtime.machines.native import code
from loopwright.runtime.machines.native.code import COUNT, Slot, Value
from loopwright.runtime.machines.native.forms import Form
from loopwright.runtime.machines.native.routine import Evaluator, Load, Routine

EDGES: dict[Over, tuple[Slot, Slot, Slot]] = {
    "A": (Slot.BY_HEAD_STARTS, Slot.BY_HEAD_ENDS, Slot.BY_HEAD_WEIGHTS),
    "AT": (Slot.BY_TAIL_STARTS, Slot.BY_TAIL_ENDS, Slot.BY_TAIL_WEIGHTS),
}


def clear(routine: Routine, targets: Mapping[int, int]) -> None:
    """Zero the scratch columns, row 0's place included."""

    def step(index: Value, _: list[Value]) -> None:
        for target in targets.values():
            routine.write(Slot.SCRATCH, target, index, code.pack(0.0))

    for target in targets.values():
        routine.write(Slot.SCRATCH, target, code.count(-1), code.real(0.0))
    routine.over_packs(step)


def carry_from_nodes(
    routine: Routine,
    over: Over,
    found: Mapping[int, Form],
    targets: Mapping[int, int],
    other: Callable[[Value], Load],
) -> None:
    """Add what nodes found, wherever it is not 0, to the rows at the other ends of their edges."""
    body = routine.body

    def step(index: Value, _: list[Value]) -> None:
        nodes = routine.nodes(index, other(index))
        values = {column: nodes(form) for column, form in found.items()}
        node = body.fcmp_ordered("==", routine.read(Slot.OUTSIDE, 0, index), code.pack(0.0))
        some: Value = None
        for value in values.values():
            found_any = body.fcmp_unordered("!=", value, code.pack(0.0))
            some = found_any if some is None else body.or_(some, found_any)

        def carry(lane: Value, _: Value) -> None:
            row = body.add(body.add(index, lane), code.count(1))
            here = {column: body.extract_element(value, lane) for column, value in values.items()}
            _carry(routine, over, row, here, targets)

        code.each_lane(body, body.and_(some, node), carry)

    routine.over_packs(step)


def carry_from_row_zero(
    routine: Routine,
    over: Over,
    found: Mapping[int, Form],
    targets: Mapping[int, int],
    row: Evaluator,
) -> None:
    """The same for row 0, where edges may touch it."""
    here = {column: row(form) for column, form in found.items()}
    _carry(routine, over, code.count(0), here, targets)


def _carry(
    routine: Routine, over: Over, row: Value, here: Mapping[int, Value], targets: Mapping[int, int]
) -> None:
    body = routine.body
    starts, ends, weights = (routine.slot(slot) for slot in EDGES[over])
    begin = code.load(body, code.offset(body, starts, row), COUNT)
    after = body.add(row, code.count(1))
    stop = code.load(body, code.offset(body, starts, after), COUNT)

    def edge(at: Value, _: list[Value]) -> None:
        end = code.load(body, code.offset(body, ends, at), COUNT)
        index = body.sub(end, code.count(1))
        weight = code.load(body, code.offset(body, weights, at))
        for column, value in here.items():
            place = code.offset(body, routine.column(Slot.SCRATCH, targets[column]), index)
            brought = body.fmul(weight, value)
            code.store(body, body.fadd(code.load(body, place), brought), place)

    code.loop(body, stop, edge, begin=begin)
