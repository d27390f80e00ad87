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

from loopwright.runtime.machines.native.code import COUNT, Value, Writer, count, real
from loopwright.runtime.machines.native.frame import EDGES, Flaw, Slot
from loopwright.runtime.machines.native.routine import Routine


def emit_layout(module: ir.Module, *, by_tail: bool, by_head: bool, plain: bool) -> None:
    """Write `lay_out`: it looks at all edges, returns their flaws, and unless one stands against it
    counts them into the orders that are needed. `plain`: unusual ones stand against it.

    By tails they are in order, and only where each row's edges start has to be found. By heads each
    edge goes to the next free place of its row: `place` does that for a share of the rows, and
    `lay_out` calls it where there is one share alone.
    """
    place = _emit_place(module) if by_head else None
    routine = Routine(module, "lay_out")
    body, flaws = routine.body, _flaws(routine)
    against = Flaw.OUTSIDE | Flaw.UNSORTED | (Flaw.UNUSUAL if plain else 0)
    with body.if_then(body.icmp_signed("==", body.and_(flaws, count(against)), count(0))):
        if by_tail:
            _count_starts(routine)
        if place:
            alone = body.icmp_signed("==", routine.slot(Slot.SHARES), count(1))
            with body.if_then(alone):
                body.call(place, [routine.frame, count(0)])
    routine.finish(flaws)


def _flaws(routine: Routine) -> Value:
    """What is the matter with the edges."""
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

    flaws, _, _ = body.loop(routine.slot(Slot.EDGES), step, count(0), count(-1), count(-1))
    return flaws


def _count_starts(routine: Routine) -> None:
    """Where each row's edges start by tails, and after the last one how many there are."""
    body, starts, rows = routine.body, *map(routine.slot, (Slot.BY_TAIL_STARTS, Slot.TAILS))
    all_ = body.add(routine.slot(Slot.COUNT), count(2))

    def clear(at: Value) -> None:
        body.store_at(count(0), starts, at)

    def tally(at: Value) -> None:
        _add_one(body, starts, body.add(body.load_count(rows, at), count(1)))

    def add_up(at: Value, so_far: Value) -> list[Value]:
        total = body.add(so_far, body.load_count(starts, at))
        body.store_at(total, starts, at)
        return [total]

    body.loop(all_, clear)
    body.loop(routine.slot(Slot.EDGES), tally)
    body.loop(all_, add_up, count(0))


def _emit_place(module: ir.Module) -> Value:
    """Write `place`: it brings the edges that enter a share of the rows into order.

    It looks for them among all edges, so no share waits for another one; and what it writes is
    near together, which saves many times the time for looking.
    """
    routine = Routine(module, "place")
    body, all_edges = routine.body, routine.slot(Slot.EDGES)
    starts, ends, weights = map(routine.slot, EDGES["A"])
    tails, heads, given = map(routine.slot, (Slot.TAILS, Slot.HEADS, Slot.WEIGHTS))
    nodes_begin, nodes_end = routine.share()
    is_first = body.icmp_signed("==", routine.argument, count(0))  # then it has row 0 as well
    begin = body.select(is_first, count(0), body.add(nodes_begin, count(1)))
    end = body.add(nodes_end, count(1))
    size = body.sub(end, begin)

    def is_ours(head: Value) -> Value:
        return body.icmp_unsigned("<", body.sub(head, begin), size)

    def clear(row: Value) -> None:
        body.store_at(count(0), starts, row)

    def tally(at: Value, before: Value) -> list[Value]:
        head = body.load_count(heads, at)
        with body.if_then(is_ours(head)):
            _add_one(body, starts, head)
        return [body.add(before, body.zext(body.icmp_signed("<", head, begin), COUNT))]

    def start(row: Value, so_far: Value) -> list[Value]:
        edges = body.load_count(starts, row)
        body.store_at(so_far, starts, row)
        return [body.add(so_far, edges)]

    def place(at: Value) -> None:
        head = body.load_count(heads, at)
        with body.if_then(is_ours(head)):
            free = _add_one(body, starts, head)
            body.store_at(body.load_count(tails, at), ends, free)
            body.store_at(body.load_at(given, at), weights, free)

    def move_back(row: Value, before: Value) -> list[Value]:
        after = body.load_count(starts, row)
        body.store_at(before, starts, row)
        return [after]

    body.loop(end, clear, begin=begin)
    (before,) = body.loop(all_edges, tally, count(0))
    body.loop(end, start, before, begin=begin)
    body.loop(all_edges, place)  # now each row's start is its end, which is the next one's start
    body.loop(end, move_back, before, begin=begin)
    body.store_at(all_edges, starts, body.add(routine.slot(Slot.COUNT), count(1)))
    routine.finish()
    return routine.function


def _add_one(body: Writer, counts: Value, at: Value) -> Value:
    """Add 1 to a number in an array; returns what it was."""
    before = body.load_count(counts, at)
    body.store_at(body.add(before, count(1)), counts, at)
    return before
