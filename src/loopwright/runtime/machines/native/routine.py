"""Routine: one function over the frame of a run, and how forms are evaluated in it.

A routine begins with a prologue, to which code can be added at any time: addresses, and whatever
is computed from row 0 as it was before. So every loop finds those ready, each computed once.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping

from llvmlite import ir

from loopwright.runtime.machines.native import code
from loopwright.runtime.machines.native.code import COUNT, PACK, POINTER, Builder, Slot, Value
from loopwright.runtime.machines.native.forms import Atom, Form, Global, Leaf, Own

Load = Callable[[Leaf], Value]


class Evaluator:
    """Form → the number, or the pack of numbers, that it is in some row or pack of rows."""

    def __init__(self, builder: Builder, load: Load, number: Callable[[float], Value]) -> None:
        self.builder, self.load, self.number = builder, load, number
        self._atoms: dict[Atom, Value] = {}
        self._leaves: dict[Leaf, Value] = {}

    def __call__(self, form: Form) -> Value:
        """Terms with a positive coefficient first, so that others can be subtracted."""
        total: Value = None
        for atom, k in sorted(form.items(), key=lambda term: term[1] < 0):
            value = self._atom(atom)
            size = abs(k) if total is not None else k
            term = value if size == 1.0 else self.builder.fmul(self.number(size), value)
            if total is None:
                total = term
            else:
                total = (self.builder.fadd if k > 0 else self.builder.fsub)(total, term)
        return self.number(0.0) if total is None else total

    def leaf(self, leaf: Leaf) -> Value:
        if leaf not in self._leaves:
            self._leaves[leaf] = self.load(leaf)
        return self._leaves[leaf]

    def _atom(self, atom: Atom) -> Value:
        if atom not in self._atoms:
            if isinstance(atom.content, Mapping):
                self._atoms[atom] = code.relu(self.builder, self(atom.content))
            else:
                self._atoms[atom] = self.leaf(atom.content)
        return self._atoms[atom]


class Routine:
    """A function of the frame (and one more number); `body` is where its code goes on."""

    def __init__(self, module: ir.Module, name: str) -> None:
        kind = ir.FunctionType(COUNT, [POINTER, COUNT])
        self.function = ir.Function(module, kind, name)
        self.function.attributes.add("noinline")  # layers are called alone, too: once is enough
        self.frame, self.argument = self.function.args
        self.prologue: Builder = ir.IRBuilder(self.function.append_basic_block("prologue"))
        self._begin = self.function.append_basic_block("begin")
        self.body: Builder = ir.IRBuilder(self._begin)
        self.row_zero = Evaluator(self.prologue, self._load_row_zero, code.real)
        self._slots: dict[Slot, Value] = {}
        self._columns: dict[tuple[Slot, int], Value] = {}
        self._packs: dict[int, tuple[Value, Value]] = {}

    def finish(self, result: Value | None = None) -> None:
        self.body.ret(result or code.count(0))
        self.prologue.branch(self._begin)

    def slot(self, slot: Slot) -> Value:
        """An address or a size, from the frame."""
        if slot not in self._slots:
            kind = COUNT if slot >= Slot.PITCH else POINTER
            at = code.offset(self.prologue, self.frame, code.count(slot))
            self._slots[slot] = code.load(self.prologue, at, kind)
        return self._slots[slot]

    def column(self, slot: Slot, column: int) -> Value:
        """The address of a column's first node; row 0 is just before it."""
        at = (slot, column)
        if at not in self._columns:
            start = self.prologue.mul(self.slot(Slot.PITCH), code.count(column))
            start = self.prologue.add(start, code.count(code.LANES))
            self._columns[at] = code.offset(self.prologue, self.slot(slot), start)
        return self._columns[at]

    def row_zero_address(self, builder: Builder, column: int) -> Value:
        return code.offset(builder, self.slot(Slot.ROW_ZERO), code.count(column))

    def _load_row_zero(self, leaf: Leaf) -> Value:
        assert isinstance(leaf, Own | Global)
        return code.load(self.prologue, self.row_zero_address(self.prologue, leaf.column))

    def spread(self, value: Value) -> Value:
        """A number that the prologue computed, as a pack."""
        if id(value) not in self._packs:
            self._packs[id(value)] = value, code.spread(self.prologue, value)
        return self._packs[id(value)][1]

    def read(self, slot: Slot, column: int, index: Value, kind: Value = PACK) -> Value:
        """A pack of a column, or one number of it, at a node (counted from 0)."""
        return code.load(self.body, code.offset(self.body, self.column(slot, column), index), kind)

    def write(self, slot: Slot, column: int, index: Value, value: Value) -> None:
        code.store(self.body, value, code.offset(self.body, self.column(slot, column), index))

    def node(self, index: Value) -> Evaluator:
        """Forms of columns, at one node."""

        def load(leaf: Leaf) -> Value:
            assert isinstance(leaf, Own)
            return self.read(Slot.NODES, leaf.column, index, code.REAL)

        return Evaluator(self.body, load, code.real)

    def nodes(self, index: Value, other: Load | None = None) -> Evaluator:
        """Forms at a pack of nodes; `other` gives what is neither theirs nor row 0's."""

        def load(leaf: Leaf) -> Value:
            if isinstance(leaf, Own):
                return self.read(Slot.NODES, leaf.column, index)
            if isinstance(leaf, Global):
                return self.spread(self.row_zero.leaf(leaf))
            assert other is not None
            return other(leaf)

        return Evaluator(self.body, load, code.pack)

    def over_packs(
        self, body: Callable[[Value, list[Value]], list[Value] | None], *carried: Value
    ) -> list[Value]:
        """A loop over all nodes, a pack at a time; the index is of the pack's first node."""
        stop = self.prologue.mul(self.slot(Slot.PACKS), code.count(code.LANES))
        return code.loop(self.body, stop, body, carried, step=code.LANES)
