"""A thin layer over llvmlite's IR builder: packs of rows, loops, and the frame of a run.

Rows are worked on in packs of `LANES`, as LLVM vectors: they become SIMD instructions on any
machine, without a vectoriser having to prove anything. Nothing carries a fast-math flag, so no
product and sum are ever fused and results do not depend on the processor.
"""

from __future__ import annotations

from collections.abc import Callable, Sequence
from enum import IntEnum, auto
from typing import Any

from llvmlite import ir

Value = Any
Builder = Any
IRModule = Any

LANES = 8
REAL: Any = ir.DoubleType()
PACK: Any = ir.VectorType(REAL, LANES)
COUNT: Any = ir.IntType(64)
BITS: Any = ir.IntType(LANES)
POINTER: Any = ir.PointerType()
PACK_BYTES = 8 * LANES


class Slot(IntEnum):
    """What the frame of a run holds, 8 bytes each: addresses of arrays, then sizes.

    Arrays over rows have one column after another, `PITCH` numbers apart. A column's first pack is
    followed by the nodes; the last number of that pack is for row 0. X itself keeps row 0 apart.
    """

    ROW_ZERO = 0
    """Row 0 of X, column by column."""
    NODES = auto()
    """The other rows of X."""
    SCRATCH = auto()
    """Columns for scores and for what heads find."""
    OUTSIDE = auto()
    """One column: 0 at the nodes, −∞ in the rows that fill up the last pack."""
    STARTS = auto()
    """Stored attention, in compressed rows: for each survey, where each node's entries start."""
    ENDS = auto()
    TERMS = auto()
    BY_TAIL_STARTS = auto()
    """Ã in compressed rows, by the row an edge leaves …"""
    BY_TAIL_ENDS = auto()
    BY_TAIL_WEIGHTS = auto()
    BY_HEAD_STARTS = auto()
    """… and by the one it enters."""
    BY_HEAD_ENDS = auto()
    BY_HEAD_WEIGHTS = auto()
    PITCH = auto()
    COUNT = auto()
    """Nodes: rows without row 0."""
    PACKS = auto()


def count(number: int) -> Value:
    return ir.Constant(COUNT, number)


def real(number: float) -> Value:
    return ir.Constant(REAL, number)


def pack(number: float) -> Value:
    return ir.Constant(PACK, [number] * LANES)


def like(value: Value, number: float) -> Value:
    """The number, as one or as a pack."""
    return pack(number) if value.type == PACK else real(number)


def spread(builder: Builder, value: Value) -> Value:
    """One number → a pack of it."""
    alone = builder.insert_element(ir.Constant(PACK, ir.Undefined), value, count(0))
    every_lane = ir.Constant(ir.VectorType(ir.IntType(32), LANES), [0] * LANES)
    return builder.shuffle_vector(alone, ir.Constant(PACK, ir.Undefined), every_lane)


def larger(builder: Builder, a: Value, b: Value) -> Value:
    return builder.select(builder.fcmp_ordered(">", a, b), a, b)


def relu(builder: Builder, value: Value) -> Value:
    """In the operand order of a single `max` instruction; what is not a number stays so."""
    zero = like(value, 0.0)
    return builder.select(builder.fcmp_ordered(">", zero, value), zero, value)


def add(builder: Builder, a: Value, b: Value) -> Value:
    return builder.fadd(a, b)


def across(
    builder: Builder, value: Value, combine: Callable[[Builder, Value, Value], Value]
) -> Value:
    """A pack → one number, by combining its halves until one lane is left."""
    width = LANES
    while width > 1:
        width //= 2
        lanes = [lane + width if lane < width else lane for lane in range(LANES)]
        upper = ir.Constant(ir.VectorType(ir.IntType(32), LANES), lanes)
        value = combine(builder, value, builder.shuffle_vector(value, value, upper))
    return builder.extract_element(value, count(0))


def exponential(builder: Builder, value: Value) -> Value:
    """eˣ, by the C library."""
    suffix = "v8f64" if value.type == PACK else "f64"
    name = f"llvm.exp.{suffix}"
    module = builder.module
    known = module.globals.get(name)
    function = known or ir.Function(module, ir.FunctionType(value.type, [value.type]), name)
    return builder.call(function, [value])


def offset(builder: Builder, address: Value, index: Value) -> Value:
    """The address of the number `index` places on."""
    return builder.gep(address, [index], source_etype=REAL)


def load(builder: Builder, address: Value, kind: Value = REAL) -> Value:
    return builder.load(address, typ=kind, align=PACK_BYTES if kind == PACK else 8)


def store(builder: Builder, value: Value, address: Value) -> None:
    builder.store(value, address, align=PACK_BYTES if value.type == PACK else 8)


def loop(
    builder: Builder,
    stop: Value,
    body: Callable[[Value, list[Value]], Sequence[Value] | None],
    carried: Sequence[Value] = (),
    *,
    begin: Value | None = None,
    step: int = 1,
) -> list[Value]:
    """for index in range(begin, stop, step): carried = body(index, carried). Returns the last."""
    entry = builder.block
    head = builder.append_basic_block("loop")
    inside = builder.append_basic_block("inside")
    after = builder.append_basic_block("after")
    builder.branch(head)
    builder.position_at_end(head)
    index = builder.phi(COUNT)
    index.add_incoming(begin or count(0), entry)
    values = [builder.phi(value.type) for value in carried]
    for phi, value in zip(values, carried, strict=True):
        phi.add_incoming(value, entry)
    builder.cbranch(builder.icmp_signed("<", index, stop), inside, after)
    builder.position_at_end(inside)
    updated = body(index, values) or ()
    index.add_incoming(builder.add(index, count(step)), builder.block)
    for phi, value in zip(values, updated, strict=True):
        phi.add_incoming(value, builder.block)
    builder.branch(head)
    builder.position_at_end(after)
    return values


def some_lane(builder: Builder, mask: Value) -> Value:
    """Whether a lane of the mask is set."""
    return builder.icmp_unsigned("!=", builder.bitcast(mask, BITS), ir.Constant(BITS, 0))


def only_if(
    builder: Builder,
    condition: Value,
    body: Callable[[], Sequence[Value]],
    otherwise: Sequence[Value],
) -> list[Value]:
    """body() if the condition holds, else the given values; for what is worth a branch."""
    entry = builder.block
    inside = builder.append_basic_block("then")
    after = builder.append_basic_block("after")
    builder.cbranch(condition, inside, after)
    builder.position_at_end(inside)
    computed = body()
    last = builder.block
    builder.branch(after)
    builder.position_at_end(after)
    merged: list[Value] = []
    for value, other in zip(computed, otherwise, strict=True):
        phi = builder.phi(value.type)
        phi.add_incoming(value, last)
        phi.add_incoming(other, entry)
        merged.append(phi)
    return merged


def each_lane(builder: Builder, mask: Value, body: Callable[[Value, Value], None]) -> None:
    """body(lane, rank) for every set lane of the mask, lowest first; ranks count from 0."""
    entry = builder.block
    head = builder.append_basic_block("lanes")
    inside = builder.append_basic_block("lane")
    after = builder.append_basic_block("done")
    first = builder.zext(builder.bitcast(mask, BITS), COUNT)
    builder.branch(head)
    builder.position_at_end(head)
    bits, rank = builder.phi(COUNT), builder.phi(COUNT)
    bits.add_incoming(first, entry)
    rank.add_incoming(count(0), entry)
    builder.cbranch(builder.icmp_unsigned("!=", bits, count(0)), inside, after)
    builder.position_at_end(inside)
    body(builder.cttz(bits, ir.Constant(ir.IntType(1), 1)), rank)
    bits.add_incoming(builder.and_(bits, builder.sub(bits, count(1))), builder.block)
    rank.add_incoming(builder.add(rank, count(1)), builder.block)
    builder.branch(head)
    builder.position_at_end(after)
