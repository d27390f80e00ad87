"""Routine: one function over the frame of a run, and how forms are evaluated in it.

A routine begins with a prologue, to which code can be added at any time: addresses, and whatever
is computed from row 0 as it was before. So every loop finds those ready, each computed once.
"""

# llvmlite has no types of its own.
# pyright: reportUnknownMemberType=false

from __future__ import annotations

from collections.abc import Callable, Collection, Mapping, Sequence

from llvmlite import ir

from loopwright.runtime.machines.native.code import (
    COUNT,
    PACK,
    POINTER,
    REAL,
    Value,
    Writer,
    count,
    pack,
    real,
)
from loopwright.runtime.machines.native.forms import Atom, Form, Global, Leaf, Own, leaves
from loopwright.runtime.machines.native.frame import LANES, Slot

Load = Callable[[Leaf], Value]
"""Writes code that loads a leaf, for some row or for a pack of rows."""


class Evaluator:
    """Form → the number, or the pack of numbers, that it is in some row or pack of rows."""

    def __init__(self, writer: Writer, load: Load, number: Callable[[float], Value]) -> None:
        self.writer, self.load, self.number = writer, load, number
        self._known: dict[Atom | Leaf, Value] = {}

    def __call__(self, form: Form) -> Value:
        """Terms with a positive coefficient come first, so that others can be subtracted."""
        total: Value = None
        for atom, k in sorted(form.items(), key=lambda term: term[1] < 0):
            value = self._atom(atom)
            size = abs(k) if total is not None else k
            term = value if size == 1.0 else self.writer.fmul(self.number(size), value)
            if total is None:
                total = term
            else:
                total = (self.writer.fadd if k > 0 else self.writer.fsub)(total, term)
        return self.number(0.0) if total is None else total

    def leaf(self, leaf: Leaf) -> Value:
        if leaf not in self._known:
            self._known[leaf] = self.load(leaf)
        return self._known[leaf]

    def _atom(self, atom: Atom) -> Value:
        if not isinstance(atom.content, Mapping):
            return self.leaf(atom.content)
        if atom not in self._known:
            self._known[atom] = self.writer.relu(self(atom.content))
        return self._known[atom]


class Routine:
    """A function of the frame and of one more number; `body` is where its code goes on."""

    def __init__(
        self,
        module: ir.Module,
        name: str,
        *,
        alike: Collection[int] = (),
        numbers: Collection[int] = (),
    ) -> None:
        """`alike` are columns that hold the same number at every node, so that it is loaded once,
        and `numbers` those that hold the numbers of rows, which need not be loaded at all."""
        self.alike, self.numbers = alike, numbers
        self.module, self.name = module, name
        kind = ir.FunctionType(COUNT, [POINTER, COUNT])
        self.function = ir.Function(module, kind, name)
        self.function.attributes.add("noinline")  # layers are called alone, too: once is enough
        self.frame, self.argument = self.function.args
        self.prologue = Writer(self.function.append_basic_block("prologue"))
        self._begin = self.function.append_basic_block("begin")
        self.body = Writer(self._begin)
        self.row_zero = Evaluator(self.prologue, self._load_row_zero, real)
        """Evaluates forms in row 0, as it is when the routine begins."""
        self.row_zero_packs = Evaluator(self.prologue, self._load_row_zero_pack, pack)
        """The same, with results as packs."""
        self.every_node = Evaluator(self.prologue, self._load_every_node, real)
        """Evaluates forms of columns that are alike."""
        self.every_node_packs = Evaluator(self.prologue, self._load_every_node_pack, pack)
        """The same, with results as packs."""
        self._slots: dict[Slot, Value] = {}
        self._columns: dict[int, Value] = {}
        self._counted: dict[Value, Value] = {}
        """Index of a pack → the numbers of its rows, which are counted and not converted."""

    def beside(self, name: str) -> Routine:
        """Another function, to which the same is known."""
        return Routine(self.module, name, alike=self.alike, numbers=self.numbers)

    def finish(self, result: Value | None = None) -> None:
        """Return the result, or else 0. No code can be added after this."""
        self.body.ret(result or count(0))
        self.prologue.branch(self._begin)

    def slot(self, slot: Slot) -> Value:
        """An address or a size, from the frame."""
        if slot not in self._slots:
            kind = COUNT if slot >= Slot.PITCH else POINTER
            self._slots[slot] = self.prologue.load_at(self.frame, count(slot), kind)
        return self._slots[slot]

    def column(self, column: int) -> Value:
        """The address of a column's first node; row 0 is just before it."""
        if column not in self._columns:
            start = self.prologue.mul(self.slot(Slot.PITCH), count(column))
            start = self.prologue.add(start, count(LANES))
            self._columns[column] = self.prologue.offset(self.slot(Slot.COLUMNS), start)
        return self._columns[column]

    def _load_row_zero(self, leaf: Leaf) -> Value:
        assert isinstance(leaf, Own | Global)
        return self.prologue.load_at(self.slot(Slot.ROW_ZERO), count(leaf.column))

    def _load_row_zero_pack(self, leaf: Leaf) -> Value:
        return self.prologue.broadcast(self.row_zero.leaf(leaf))

    def _load_every_node(self, leaf: Leaf) -> Value:
        assert isinstance(leaf, Own)
        assert leaf.column in self.alike
        return self.prologue.load_at(self.column(leaf.column), count(0))

    def _load_every_node_pack(self, leaf: Leaf) -> Value:
        return self.prologue.broadcast(self.every_node.leaf(leaf))

    def are_alike(self, form: Form) -> bool:
        """Whether a form comes to the same number at every node."""
        return all(isinstance(leaf, Own) and leaf.column in self.alike for leaf in leaves([form]))

    def needs_no_memory(self, form: Form) -> bool:
        """Whether a form can be computed at a node whose index is known without reading of it."""
        return all(
            isinstance(leaf, Own) and (leaf.column in self.alike or leaf.column in self.numbers)
            for leaf in leaves([form])
        )

    def are_nodes(self, index: Value) -> Value:
        """Which rows of a pack are nodes, and do not just fill up the last one, as a mask."""
        return self.body.lanes_below(index, self.slot(Slot.COUNT))

    def read(self, column: int, index: Value) -> Value:
        """A pack of a column; the index is of its first node, counted from 0."""
        if column in self.alike:
            return self.every_node_packs.leaf(Own(column))
        if column in self.numbers:
            return self._counted[index]
        return self.body.load_at(self.column(column), index, PACK)

    def read_one(self, column: int, index: Value) -> Value:
        """One number of a column, at a node (counted from 0)."""
        if column in self.alike:
            return self.every_node.leaf(Own(column))
        if column in self.numbers:
            return self.body.sitofp(self.body.add(index, count(1)), REAL)
        return self.body.load_at(self.column(column), index)

    def write(self, column: int, index: Value, value: Value) -> None:
        """Store a pack or a number in a column, at a node (counted from 0)."""
        self.body.store_at(value, self.column(column), index)

    def node(self, index: Value) -> Evaluator:
        """Evaluates forms of columns at one node."""

        def load(leaf: Leaf) -> Value:
            assert isinstance(leaf, Own)
            return self.read_one(leaf.column, index)

        return Evaluator(self.body, load, real)

    def nodes(self, index: Value, other: Load | None = None) -> Evaluator:
        """Evaluates forms at a pack of nodes; `other` loads leaves of neither these nor row 0."""

        def load(leaf: Leaf) -> Value:
            if isinstance(leaf, Own):
                return self.read(leaf.column, index)
            if isinstance(leaf, Global):
                return self.row_zero_packs.leaf(leaf)
            assert other is not None
            return other(leaf)

        return Evaluator(self.body, load, pack)

    def numbered_nodes(self, numbers: Value) -> Evaluator:
        """Evaluates forms that need no memory, at nodes of any numbers."""

        def load(leaf: Leaf) -> Value:
            assert isinstance(leaf, Own)
            if leaf.column in self.alike:
                return self.every_node_packs.leaf(leaf)
            assert leaf.column in self.numbers
            return numbers

        return Evaluator(self.body, load, pack)

    def over_share(self, body: Callable[[Value], None], *, step: int) -> None:
        """Loop over the nodes of the share whose number is the argument, so many at a time."""
        begin, end = self.share()
        self.body.loop(end, body, begin=begin, step=step)

    def share_end(self, index: Value) -> Value:
        """The index, or the end of the share if that is less."""
        _, end = self.share()
        return self.body.select(self.body.icmp_signed("<", index, end), index, end)

    def share(self) -> tuple[Value, Value]:
        """Where the share of the nodes begins whose number is the argument, and where it ends."""
        return self._share(0), self._share(1)

    def _share(self, next_: int) -> Value:
        """Where the share begins, or the next one: with a pack, or after the last node."""
        prologue, nodes = self.prologue, self.slot(Slot.COUNT)
        share = prologue.add(self.argument, count(next_))
        packs = prologue.sdiv(prologue.mul(self.slot(Slot.PACKS), share), self.slot(Slot.SHARES))
        begin = prologue.mul(packs, count(LANES))
        return prologue.select(prologue.icmp_signed("<", begin, nodes), begin, nodes)

    def over_packs(
        self, body: Callable[..., Sequence[Value] | None], *values: Value, begin: int = 0
    ) -> list[Value]:
        """Loop over all nodes, a pack at a time; the index is of the pack's first node."""
        stop = self.prologue.mul(self.slot(Slot.PACKS), count(LANES))
        return self._over_packs(body, values, count(begin), stop)

    def over_packs_of_share(
        self, body: Callable[..., Sequence[Value] | None], *values: Value
    ) -> list[Value]:
        """The same over the nodes of the share whose number is the argument."""
        return self._over_packs(body, values, *self.share())

    def _over_packs(
        self,
        body: Callable[..., Sequence[Value] | None],
        values: Sequence[Value],
        begin: Value,
        end: Value,
    ) -> list[Value]:
        def counting(index: Value, numbers: Value, *values: Value) -> Sequence[Value]:
            self._counted[index] = numbers
            updated = body(index, *values) or ()
            return self.body.fadd(numbers, pack(float(LANES))), *updated

        lanes = ir.Constant(PACK, [float(1 + lane) for lane in range(LANES)])
        first = self.body.fadd(self.body.broadcast(self.body.sitofp(begin, REAL)), lanes)
        return self.body.loop(end, counting, first, *values, begin=begin, step=LANES)[1:]
