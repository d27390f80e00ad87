"""AnewCode: code that tells which nodes have to choose anew in an edge head; others keep theirs.

What a node finds depends on what it asks, on its edges, which never change, and on what row 0 and
the rows at their other ends show. If all of that is as it was when the node last chose, to the last
bit, then so is what it finds. In most runs few rows change in an iteration, at first and towards
the end; whoever sees one of them has to look again, and nobody else.

A row is looked at through the columns of X that queries, keys and values are made of. Copies of
those that change are kept from one iteration to the next, as are keys, and what was found.
"""

# llvmlite has no types of its own.
# pyright: reportUnknownArgumentType=false, reportUnknownMemberType=false
# pyright: reportUnknownVariableType=false

from __future__ import annotations

from collections.abc import Callable, Collection, Iterable, Mapping, Sequence
from functools import reduce

from llvmlite import ir

from loopwright.model.layout import Scope
from loopwright.model.weights import Over
from loopwright.runtime.machines.native.analyse import FormsByScope
from loopwright.runtime.machines.native.code import COUNT, COUNTS, Value, count, real
from loopwright.runtime.machines.native.forms import Form, Own, leaves
from loopwright.runtime.machines.native.frame import EDGES, LANES, Slot
from loopwright.runtime.machines.native.routine import Routine

REVERSE: dict[Over, Over] = {"E": "AT", "ET": "A"}
"""The edges of a row, seen from it, that a head over these edges sees from their other ends."""
ROW_ZERO, LOOKED = -1, -2
"""Places in a column of scratch, before the nodes': of row 0, and of whether anybody looked yet."""
MANY = 8
"""If one of so many rows changes, nearly all nodes see one of them: then all choose anew, which
costs less than to ask each."""

Changing = Mapping[Scope, Collection[int]]
"""The columns of X that some layer changes, in row 0 and at the nodes."""


def columns_of(forms: Iterable[Form]) -> set[int]:
    """The columns of their own row that forms are made of."""
    return {leaf.column for leaf in leaves(forms) if isinstance(leaf, Own)}


class Kept:
    """Which columns of X a head has copies of, and where."""

    def __init__(
        self, forms: FormsByScope, found: Iterable[int], changing: Changing, alike: Collection[int]
    ) -> None:
        """`found` are the columns that nodes want of the head; `alike` hold one number at all."""
        nodes, single = forms[Scope.NODES], forms[Scope.SINGLE]
        shown = columns_of([*nodes.key, *(nodes.value[column] for column in found)])
        asked = columns_of(nodes.query)
        by_row_zero = columns_of([*single.key, *(single.value[column] for column in found)])
        changed = {*changing[Scope.NODES]}
        self.row_zero = sorted(by_row_zero & {*changing[Scope.SINGLE]})
        self.alike = sorted((shown | asked) & changed & {*alike})
        self.shown = sorted(shown & changed - {*alike})
        self.asked = sorted(asked & changed - {*alike})
        self.copied = sorted({*self.row_zero, *self.alike, *self.shown, *self.asked})


class AnewCode:
    """Writes, into one routine, how nodes that must choose anew are found, or asked for."""

    def __init__(self, routine: Routine, over: Over, kept: Kept, scratch: Sequence[int]) -> None:
        """`scratch` has a column for each copy, and one for whose choice still stands: 1, or 0."""
        self.routine, self.body, self.kept = routine, routine.body, kept
        *copies, self.settled = scratch
        self.copies = dict(zip(kept.copied, copies, strict=True))
        self.starts, self.ends, _ = map(routine.slot, EDGES[REVERSE[over]])

    def look_at_row_zero(self) -> None:
        """Settle row 0 if somebody looked before, and what it shows, and what all nodes show alike,
        is what it was. Unless it is settled, all nodes choose anew."""
        body, routine = self.body, self.routine
        looked = body.load_at(routine.column(self.settled), count(LOOKED))
        same = body.fcmp_ordered("==", looked, real(1.0))
        x = routine.slot(Slot.ROW_ZERO)
        cells = [
            (column, ROW_ZERO, body.load_at(x, count(column))) for column in self.kept.row_zero
        ]
        first = [(column, 0, routine.read_one(column, count(0))) for column in self.kept.alike]
        for column, place, now in cells + first:
            before = body.load_at(routine.column(self.copies[column]), count(place))
            same = body.and_(same, body.icmp_signed("==", *self._bits(COUNT, before, now)))
            routine.write(self.copies[column], count(place), now)
        routine.write(self.settled, count(ROW_ZERO), body.select(same, real(1.0), real(0.0)))
        routine.write(self.settled, count(LOOKED), real(1.0))

    def show(self, write_keys: Callable[[Value], None]) -> None:
        """Have a share of the rows show what they are: write the keys of those packs that changed,
        and unsettle whoever asks otherwise than before, or sees a row that shows something else."""
        body, everyone = self.body, self.everyone()
        begin, end = self.routine.share()
        size = body.sub(end, begin)

        def step(index: Value, so_far: Value) -> list[Value]:
            shown, asked = (
                self._changed(self.kept.shown, index),
                self._changed(self.kept.asked, index),
            )

            def note() -> list[Value]:
                for column in {*self.kept.shown, *self.kept.asked}:
                    now = self.routine.read(column, index)
                    self.routine.write(self.copies[column], index, now)
                write_keys(index)
                body.each_lane(asked, lambda lane, _: self._unsettle(body.add(index, lane)))
                changed = body.add(so_far, body.how_many(shown))
                few = body.icmp_signed("<", body.mul(changed, count(MANY)), size)
                with body.if_else(few) as (then, otherwise):
                    with then:
                        body.each_lane(shown, lambda lane, _: self._tell(body.add(index, lane)))
                    with otherwise:
                        self._unsettle(count(ROW_ZERO))
                return [changed]

            news = body.or_(everyone, body.some(body.or_(shown, asked)))
            return body.only_if(news, note, [so_far])

        self.routine.over_packs_of_share(step, count(0))

    def everyone(self) -> Value:
        """Whether all nodes choose anew, as far as it is known when the routine begins."""
        prologue = self.routine.prologue
        settled = prologue.load_at(self.routine.column(self.settled), count(ROW_ZERO))
        return prologue.fcmp_ordered("==", settled, real(0.0))

    def must_choose(self, index: Value, everyone: Value) -> Value:
        """Whether a node has to choose anew."""
        settled = self.routine.read_one(self.settled, index)
        return self.body.or_(everyone, self.body.fcmp_ordered("==", settled, real(0.0)))

    def settle(self, index: Value) -> None:
        """The node has chosen."""
        self.routine.write(self.settled, index, real(1.0))

    def _changed(self, columns: Iterable[int], index: Value) -> Value:
        """Which nodes of a pack have other bits in these columns than their copies, as a mask."""
        body, mask = self.body, ir.VectorType(ir.IntType(1), LANES)
        differ: list[Value] = [ir.Constant(mask, [0] * LANES)]
        for column in columns:
            now, before = (self.routine.read(each, index) for each in (column, self.copies[column]))
            differ.append(body.icmp_unsigned("!=", *self._bits(COUNTS, before, now)))
        return body.and_(reduce(body.or_, differ), self.routine.are_nodes(index))

    def _bits(self, kind: Value, *values: Value) -> list[Value]:
        return [self.body.bitcast(value, kind) for value in values]

    def _tell(self, index: Value) -> None:
        """Unsettle all who see this node. Threads may do so at once: all of them write 0."""
        begin, end = self.body.extent(self.starts, self.body.add(index, count(1)))

        def unsettle(at: Value) -> None:
            self._unsettle(self.body.sub(self.body.load_count(self.ends, at), count(1)))

        self.body.loop(end, unsettle, begin=begin)

    def _unsettle(self, index: Value) -> None:
        self.routine.write(self.settled, index, real(0.0))
