"""Operands → addresses, as the machine takes them."""

from __future__ import annotations

from collections.abc import Mapping
from fractions import Fraction

from loopwright.subleq.declare import Names, unknown
from loopwright.subleq.machines import HALT, Entry
from loopwright.subleq.operands import Element, Known, Name
from loopwright.subleq.syntax import RESERVED, ZERO


def source(names: Names, operand: Known) -> int | Entry:
    """What may be read: an entry of the graph, a number, or what may be written.

    A number has one cell, called `=5`, which it gets when it is first read.
    """
    match operand.value:
        case Entry(row, column) as entry:
            if min(row, column) < 0:
                raise operand.place.error(f"there is no {entry}; nodes count from 0.")
            if names.nodes is not None and max(row, column) >= names.nodes:
                raise operand.place.error(
                    f"there is no {entry}; the graph has {names.nodes} nodes."
                )
            return entry
        case int() | Fraction() as number:
            constant = names.symbols.get(f"={number}")
            return constant.first if constant else names.place(f"={number}", [number])
        case _:
            return cell(names, operand)


def cell(names: Names, operand: Known) -> int:
    """What may be written: a cell of memory that is no constant's. Z gets its own at first use."""
    place = operand.place
    match operand.value:
        case Name(name, 0) if name in names.symbols:
            length = names.symbols[name].length
            if length > 1:
                raise place.error(f"'{name}' has {length} cells: say which, as {name}[0].")
            return names.symbols[name].first
        case Name(name, scope):
            if name == ZERO:
                return names.place(ZERO, [0])
            if scope or name in names.labels:
                raise place.error(f"expected a cell of memory, got the label '{name}'.")
            if name in RESERVED:
                raise place.error(f"expected a cell of memory, got '{name}', {RESERVED[name]}.")
            raise place.error(_not_in_memory(names, name))
        case Element(name, index) as element:
            if name != "M" and name not in names.symbols:
                raise place.error(_not_in_memory(names, name))
            cells = range(len(names.memory)) if name == "M" else names.symbols[name].cells
            if not 0 <= index < len(cells):
                raise place.error(f"there is no {element}; {name} has {len(cells)} cells.")
            return cells[index]
        case Entry() as entry:
            raise place.error(f"{entry} is read-only: expected a cell of memory.")
        case number:
            raise place.error(f"expected a cell of memory to write, got the number {number}.")


def _not_in_memory(names: Names, name: str) -> str:
    return unknown("in memory", name, [known for known in names.symbols if known[0] != "="])


def target(names: Names, labels: Mapping[Name, int], count: int, operand: Known) -> int:
    """Where to jump: a label, `halt`, or the number of one of so many instructions."""
    place = operand.place
    match operand.value:
        case Name("halt"):
            return HALT
        case Name() as label:
            if label in labels:
                return labels[label]
            if label.text in names.symbols:
                raise place.error(f"expected a label, got the cell '{label.text}'.")
            raise place.error(unknown("to jump to", label.text, [*names.labels, "halt"]))
        case int() as index:
            if not HALT <= index < count:
                raise place.error(f"there is no instruction {index}; the last is {count - 1}.")
            return index
        case other:
            raise place.error(f"expected a label, got {other}.")
