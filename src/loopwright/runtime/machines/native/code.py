"""Writer: llvmlite's IR builder, with packs of rows, loops and branches.

Rows are worked on in packs of `LANES`, as LLVM vectors: they become SIMD instructions on any
machine, without a vectoriser having to prove anything. Nothing carries a fast-math flag, so no
product and sum are ever fused and results do not depend on the processor.
"""

# llvmlite has no types of its own.
# pyright: reportUnknownArgumentType=false, reportUnknownMemberType=false
# pyright: reportUnknownVariableType=false

from __future__ import annotations

from collections.abc import Callable, Sequence
from typing import Any

from llvmlite import ir

from loopwright.runtime.machines.native.frame import LANES, PACK_BYTES

Value = Any
"""A value of llvmlite's IR, which has no types of its own: a number, a pack or an address."""

REAL: Any = ir.DoubleType()
PACK: Any = ir.VectorType(REAL, LANES)
COUNT: Any = ir.IntType(64)
COUNTS: Any = ir.VectorType(COUNT, LANES)
POINTER: Any = ir.PointerType()
FLAG: Any = ir.IntType(32)


def count(number: int) -> Value:
    """A whole number, as a constant of the code."""
    return ir.Constant(COUNT, number)


def real(number: float) -> Value:
    """One float64, as a constant of the code."""
    return ir.Constant(REAL, number)


def pack(number: float) -> Value:
    """The same float64 in every lane of a pack."""
    return ir.Constant(PACK, [number] * LANES)


class Writer(ir.IRBuilder):
    """A place in a function where code is being written."""

    def constant_like(self, value: Value, number: float) -> Value:
        """The number as a pack if the value is one, or else as a single number."""
        return pack(number) if value.type == PACK else real(number)

    def larger(self, a: Value, b: Value) -> Value:
        return self.select(self.fcmp_ordered(">", a, b), a, b)

    def relu(self, value: Value) -> Value:
        """max(0, value), in the operand order of a single instruction; what is not a number stays
        so."""
        zero = self.constant_like(value, 0.0)
        return self.select(self.fcmp_ordered(">", zero, value), zero, value)

    def exponential(self, value: Value) -> Value:
        """eˣ, by the C library."""
        name = f"llvm.exp.v{LANES}f64" if value.type == PACK else "llvm.exp.f64"
        kind = ir.FunctionType(value.type, [value.type])
        return self.call(self.module.declare_intrinsic(name, fnty=kind), [value])

    def broadcast(self, value: Value) -> Value:
        """One number → a pack of it."""
        unknown = ir.Constant(PACK if value.type == REAL else COUNTS, ir.Undefined)
        alone = self.insert_element(unknown, value, count(0))
        return self.shuffle_vector(alone, unknown, _lanes([0] * LANES))

    def together(self, values: Sequence[Value]) -> Value:
        """A pack of these numbers."""
        together = ir.Constant(PACK, ir.Undefined)
        for lane, value in enumerate(values):
            together = self.insert_element(together, value, count(lane))
        return together

    def across(self, value: Value, combine: Callable[[Value, Value], Value]) -> Value:
        """A pack → one number, by combining its halves until one lane is left."""
        width = LANES
        while width > 1:
            width //= 2
            upper = _lanes([lane + width if lane < width else lane for lane in range(LANES)])
            value = combine(value, self.shuffle_vector(value, value, upper))
        return self.extract_element(value, count(0))

    def set_lanes(self, mask: Value) -> Value:
        """The lanes of a mask that are set, as the bits of a count; a condition is one lane."""
        lanes = mask.type.count if isinstance(mask.type, ir.VectorType) else 1
        return self.zext(self.bitcast(mask, ir.IntType(lanes)) if lanes > 1 else mask, COUNT)

    def some(self, mask: Value) -> Value:
        """Whether any lane of a mask is set."""
        return self.icmp_unsigned("!=", self.set_lanes(mask), count(0))

    def lanes_below(self, index: Value, end: Value) -> Value:
        """The lanes of the pack that begins at an index which lie before the end, as a mask."""
        rooms = self.broadcast(self.sub(end, index))
        return self.icmp_signed("<", ir.Constant(COUNTS, list(range(LANES))), rooms)

    def how_many(self, mask: Value) -> Value:
        """How many lanes of a mask are set."""
        return self.ctpop(self.set_lanes(mask))

    def offset(self, array: Value, index: Value) -> Value:
        """The address `index` numbers into an array."""
        return self.gep(array, [index], source_etype=REAL)

    def load_at(self, array: Value, index: Value, kind: Value = REAL) -> Value:
        """What stands `index` numbers into an array: a number, or the pack that begins there."""
        align = PACK_BYTES if kind == PACK else 8
        return self.load(self.offset(array, index), typ=kind, align=align)

    def load_from(self, array: Value, index: Value, kind: Value = PACK) -> Value:
        """The pack that begins `index` numbers into an array, wherever that is."""
        return self.load(self.offset(array, index), typ=kind, align=8)

    def prefetch(self, array: Value, index: Value) -> None:
        """Ask for what stands `index` numbers into an array: it will be read, and soon."""
        kind = ir.FunctionType(ir.VoidType(), [POINTER, FLAG, FLAG, FLAG])
        intrinsic = self.module.declare_intrinsic("llvm.prefetch.p0", fnty=kind)
        read, keep, data = (ir.Constant(FLAG, value) for value in (0, 3, 1))
        self.call(intrinsic, [self.offset(array, index), read, keep, data])

    def load_count(self, array: Value, index: Value) -> Value:
        return self.load_at(array, index, COUNT)

    def store_at(self, value: Value, array: Value, index: Value) -> None:
        align = PACK_BYTES if value.type == PACK else 8
        self.store(value, self.offset(array, index), align=align)

    def extent(self, starts: Value, row: Value) -> tuple[Value, Value]:
        """Where the entries of a row begin and end, in an array of compressed rows."""
        end = self.load_count(starts, self.add(row, count(1)))
        return self.load_count(starts, row), end

    def repeat(
        self, goes_on: Callable[..., Value], body: Callable[..., Sequence[Value]], *values: Value
    ) -> list[Value]:
        """while goes_on(*values): values = body(*values). Returns the last values."""
        entry = self.block
        head, inside, after = (self.append_basic_block(n) for n in ("loop", "inside", "after"))
        self.branch(head)
        self.position_at_end(head)
        carried = [self.phi(value.type) for value in values]
        self.cbranch(goes_on(*carried), inside, after)
        self.position_at_end(inside)
        updated = body(*carried)
        for phi, first, next_ in zip(carried, values, updated, strict=True):
            phi.add_incoming(first, entry)
            phi.add_incoming(next_, self.block)
        self.branch(head)
        self.position_at_end(after)
        return carried

    def loop(
        self,
        stop: Value,
        body: Callable[..., Sequence[Value] | None],
        *values: Value,
        begin: Value | None = None,
        step: int = 1,
    ) -> list[Value]:
        """for index in range(begin, stop, step): values = body(index, *values). Returns them."""

        def advance(index: Value, *values: Value) -> Sequence[Value]:
            updated = body(index, *values) or ()
            return self.add(index, count(step)), *updated

        def goes_on(index: Value, *_: Value) -> Value:
            return self.icmp_signed("<", index, stop)

        return self.repeat(goes_on, advance, begin or count(0), *values)[1:]

    def each_lane(self, mask: Value, body: Callable[[Value, Value], None]) -> None:
        """body(lane, rank) for every set lane of the mask, lowest first; ranks count from 0."""

        def advance(bits: Value, rank: Value) -> Sequence[Value]:
            body(self.cttz(bits, ir.Constant(ir.IntType(1), 1)), rank)
            others = self.and_(bits, self.sub(bits, count(1)))
            return others, self.add(rank, count(1))

        def goes_on(bits: Value, _: Value) -> Value:
            return self.icmp_unsigned("!=", bits, count(0))

        self.repeat(goes_on, advance, self.set_lanes(mask), count(0))

    def only_if(
        self, condition: Value, body: Callable[[], Sequence[Value]], otherwise: Sequence[Value]
    ) -> list[Value]:
        """body() if the condition holds, else the given values; for what is worth a branch."""
        entry = self.block
        with self.if_then(condition):
            computed = body()
            last = self.block
        merged = [self.phi(value.type) for value in computed]
        for phi, value, other in zip(merged, computed, otherwise, strict=True):
            phi.add_incoming(value, last)
            phi.add_incoming(other, entry)
        return merged


def _lanes(lanes: Sequence[int]) -> Value:
    """Which lane each lane of a shuffled pack comes from."""
    return ir.Constant(ir.VectorType(ir.IntType(32), LANES), lanes)
