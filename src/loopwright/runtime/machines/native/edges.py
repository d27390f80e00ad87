"""Edges as a problem lists them → whether they can be used, and Ã in compressed rows and columns.

Machine code trusts rows: one that is out of range is read beyond an array. So it looks at every
edge itself before a run, in one pass, and then counts them into rows. Most problems list edges once
each, sorted by tail and head; others are sorted first, by `workspace.listed_once`.
"""

# llvmlite has no types of its own.
# pyright: reportUnknownArgumentType=false, reportUnknownMemberType=false

from __future__ import annotations

from functools import reduce

from llvmlite import ir

from loopwright.runtime.machines.native.code import COUNT, Value, count, real
from loopwright.runtime.machines.native.frame import EDGES, Flaw, Slot
from loopwright.runtime.machines.native.routine import Routine


def emit_layout(module: ir.Module, *, by_tail: bool, by_head: bool, plain: bool) -> None:
    """Write `lay_out`: it looks at so many edges, returns their flaws, and unless one stands
    against it counts them into the orders that are needed. `plain`: unusual ones stand against it.

    By tails they are in order, and only where each row's edges start has to be found. By heads each
    edge then goes to the next free place of its row.
    """
    routine = Routine(module, "lay_out")
    body, flaws = routine.body, _flaws(routine)
    against = Flaw.OUTSIDE | Flaw.UNSORTED | (Flaw.UNUSUAL if plain else 0)
    with body.if_then(body.icmp_signed("==", body.and_(flaws, count(against)), count(0))):
        if by_tail:
            _count_starts(routine, Slot.BY_TAIL_STARTS, Slot.TAILS)
        if by_head:
            _count_starts(routine, Slot.BY_HEAD_STARTS, Slot.HEADS)
            _place_by_head(routine)
    routine.finish(flaws)


def _flaws(routine: Routine) -> Value:
    """What is the matter with so many edges as the argument says."""
    body, last = routine.body, routine.slot(Slot.COUNT)
    tails, heads, weights = map(routine.slot, (Slot.TAILS, Slot.HEADS, Slot.WEIGHTS))

    def flaw(condition: Value, which: Flaw) -> Value:
        return body.select(condition, count(which), count(0))

    def step(at: Value, flaws: Value, tail_before: Value, head_before: Value) -> list[Value]:
        tail, head = body.load_count(tails, at), body.load_count(heads, at)
        weight = body.load_at(weights, at)
        same = body.icmp_signed("==", tail, tail_before)
        later = body.and_(same, body.icmp_signed(">", head, head_before))
        follows = body.or_(later, body.icmp_signed(">", tail, tail_before))
        ends = [(body.icmp_unsigned(">", end, last), Flaw.OUTSIDE) for end in (tail, head)]
        zeros = [(body.icmp_signed("==", end, count(0)), Flaw.UNUSUAL) for end in (tail, head)]
        found = [
            *ends,
            *zeros,
            (body.not_(follows), Flaw.UNSORTED),
            (body.fcmp_ordered("==", weight, real(0.0)), Flaw.UNSORTED),
            (body.not_(body.fcmp_ordered(">=", weight, real(0.0))), Flaw.UNUSUAL),
        ]
        return [reduce(body.or_, (flaw(*each) for each in found), flaws), tail, head]

    flaws, _, _ = body.loop(routine.argument, step, count(0), count(-1), count(-1))
    return flaws


def _count_starts(routine: Routine, starts_slot: Slot, ends: Slot) -> None:
    """Where each row's edges start, and after the last one how many there are."""
    body, starts, rows = routine.body, routine.slot(starts_slot), routine.slot(ends)
    all_ = body.add(routine.slot(Slot.COUNT), count(2))

    def clear(at: Value) -> None:
        body.store_at(count(0), starts, at)

    def tally(at: Value) -> None:
        place = body.add(body.load_count(rows, at), count(1))
        body.store_at(body.add(body.load_count(starts, place), count(1)), starts, place)

    def add_up(at: Value, so_far: Value) -> list[Value]:
        total = body.add(so_far, body.load_count(starts, at))
        body.store_at(total, starts, at)
        return [total]

    body.loop(all_, clear)
    body.loop(routine.argument, tally)
    body.loop(all_, add_up, count(0))


def _place_by_head(routine: Routine) -> None:
    body = routine.body
    starts, ends, weights = map(routine.slot, EDGES["A"])
    tails, heads, given = map(routine.slot, (Slot.TAILS, Slot.HEADS, Slot.WEIGHTS))

    def place(at: Value) -> None:
        head = body.load_count(heads, at)
        free = body.load_count(starts, head)
        body.store_at(body.load_count(tails, at), ends, free)
        body.store_at(body.load_at(given, at), weights, free)
        body.store_at(body.add(free, count(1)), starts, head)

    def move_back(at: Value, before: Value) -> list[Value]:
        end = body.load_count(starts, at)
        body.store_at(before, starts, at)
        return [end]

    body.loop(routine.argument, place)  # now each row's start is its end, which is the next's start
    rows = body.add(routine.slot(Slot.COUNT), count(1))
    body.loop(rows, move_back, ir.Constant(COUNT, 0))
