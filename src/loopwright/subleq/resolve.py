"""Names → addresses: operands as the machine takes them."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass

from loopwright.subleq.declare import Names, unknown
from loopwright.subleq.errors import AssemblyError
from loopwright.subleq.expand import Bare
from loopwright.subleq.lexer import Place
from loopwright.subleq.machines import HALT, Entry, Instruction, Number
from loopwright.subleq.operands import Element, Known, LocalLabel, Name
from loopwright.subleq.syntax import RESERVED, ZERO


@dataclass
class Resolver:
    """Gives operands their addresses; constants and Z get their cell at their first use."""

    names: Names
    labels: Mapping[LocalLabel | Name, int]
    count: int
    """How many instructions there are."""
    nodes: int | None
    """How many nodes the graph has; None if there is none yet."""

    def instruction(self, index: int, bare: Bare) -> Instruction:
        try:
            a, b = self.source(bare.a), self.cell(bare.b)
            c = index + 1 if bare.c is None else self.target(bare.c)
        except AssemblyError as problem:
            raise AssemblyError(f"{problem}{bare.way_here}") from None
        # Behind the last instruction the machine halts, whether it jumped there or walked.
        return Instruction(a, b, HALT if c == self.count else c)

    def source(self, operand: Known) -> int | Entry:
        """What may be read: an entry of the graph, a number, or what may be written."""
        if isinstance(operand.value, Entry):
            return self.entry(operand.value, operand.place)
        if isinstance(operand.value, Number):
            return self.constant(operand.value)
        return self.cell(operand)

    def cell(self, operand: Known) -> int:
        """What may be written: a cell of memory that is no constant's."""
        match operand.value:
            case Name(name):
                return self.named(name, operand.place)
            case Element(array, index):
                return self.element(array, index, operand.place)
            case LocalLabel(name):
                raise operand.place.error(f"expected a cell of memory, got the label '{name}'.")
            case Entry() as entry:
                raise operand.place.error(f"{entry} is read-only: expected a cell of memory.")
            case number:
                raise operand.place.error(
                    f"expected a cell of memory to write, got the number {number}."
                )

    def entry(self, entry: Entry, place: Place) -> Entry:
        least, most = sorted((entry.row, entry.column))
        if least < 0:
            raise place.error(f"there is no {entry}; nodes count from 0.")
        if self.nodes is not None and most >= self.nodes:
            raise place.error(f"there is no {entry}; the graph has {self.nodes} nodes.")
        return entry

    def named(self, name: str, place: Place) -> int:
        symbols = self.names.symbols
        if name == ZERO and name not in symbols:
            return self.names.place(ZERO, [0])
        if name in symbols:
            length = symbols[name].length
            if length > 1:
                raise place.error(f"'{name}' has {length} cells: say which, as {name}[0].")
            return symbols[name].first
        if Name(name) in self.labels:
            raise place.error(f"expected a cell of memory, got the label '{name}'.")
        if name in RESERVED:
            raise place.error(f"expected a cell of memory, got '{name}', {RESERVED[name]}.")
        raise place.error(unknown("in memory", name, [n for n in symbols if n[0] != "="]))

    def element(self, array: str, index: int, place: Place) -> int:
        memory, symbols = len(self.names.memory), self.names.symbols
        if array == "M":
            first, length = 0, memory
        elif array in symbols:
            first, length = symbols[array].first, symbols[array].length
        else:
            raise place.error(unknown("in memory", array, [n for n in symbols if n[0] != "="]))
        if not 0 <= index < length:
            raise place.error(f"there is no {array}[{index}]; {array} has {length} cells.")
        return first + index

    def constant(self, number: Number) -> int:
        """The cell of a constant, `=5` by name; the same for each use of the number."""
        name = f"={number}"
        symbols = self.names.symbols
        return symbols[name].first if name in symbols else self.names.place(name, [number])

    def target(self, operand: Known) -> int:
        """Where to jump: a label, `halt`, or the number of an instruction."""
        match operand.value:
            case Name("halt"):
                return HALT
            case (Name() | LocalLabel()) as label:
                if label in self.labels:
                    return self.labels[label]
                if label.text in self.names.symbols:
                    raise operand.place.error(f"expected a label, got the cell '{label.text}'.")
                known = [key.text for key in self.labels if isinstance(key, Name)]
                raise operand.place.error(unknown("to jump to", label.text, [*known, "halt"]))
            case int() as index:
                if not HALT <= index < self.count:
                    raise operand.place.error(
                        f"there is no instruction {index}; the last is {self.count - 1}."
                    )
                return index
            case other:
                raise operand.place.error(f"expected a label, got {other}.")
