"""Code: an assembled Graph-SUBLEQ program, checked as soon as it is made."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, field

from loopwright.subleq.errors import SubleqError
from loopwright.subleq.machines import HALT, Entry, Instruction, Number


@dataclass(frozen=True)
class Symbol:
    """A name for one or several cells of memory."""

    name: str
    first: int
    length: int = 1

    @property
    def cells(self) -> range:
        return range(self.first, self.first + self.length)

    @property
    def is_data(self) -> bool:
        """Whether the program's author named it: not a constant `=5`, nor the zero cell `Z`."""
        return self.name != "Z" and not self.name.startswith("=")


@dataclass(frozen=True)
class Code:
    """Instructions, what memory holds at the start, and what its author called things.

    Raises:
        SubleqError: if an instruction names a cell or an instruction that is not there.
    """

    instructions: tuple[Instruction, ...]
    memory: tuple[Number, ...]
    symbols: tuple[Symbol, ...] = ()
    labels: Mapping[str, int] = field(default_factory=dict[str, int])
    """For each label the instruction behind it, which is one past the last at the end."""
    origins: tuple[str, ...] = field(default=(), compare=False)
    """For each instruction, where it comes from: `file:line: text`. Empty if unknown."""

    def __post_init__(self) -> None:
        count, size = len(self.instructions), len(self.memory)
        if not count:
            raise SubleqError("the program is empty: at least one instruction is needed.")
        for i, at in enumerate(self.instructions):
            for address in [at.b] if isinstance(at.a, Entry) else [at.a, at.b]:
                if not 0 <= address < size:
                    raise SubleqError(
                        f"{self.where(i)} names M[{address}]; there are {size} cells."
                    )
            if not HALT <= at.c < count:
                raise SubleqError(f"{self.where(i)} jumps to {at.c}; there are {count}.")
        owners: dict[int, str] = {}
        for symbol in self.symbols:
            for cell in symbol.cells:
                if owners.setdefault(cell, symbol.name) != symbol.name:
                    raise SubleqError(f"M[{cell}] is both '{owners[cell]}' and '{symbol.name}'.")
            if not 0 <= symbol.first <= symbol.first + symbol.length <= size:
                raise SubleqError(f"'{symbol.name}' lies outside the {size} cells of memory.")
        for label, at in self.labels.items():
            if not 0 <= at <= count:
                raise SubleqError(f"label '{label}' is at {at}; there are {count} instructions.")

    def cell_name(self, address: int) -> str:
        """What the program's text would call a cell."""
        for symbol in self.symbols:
            if address in symbol.cells:
                index = f"[{address - symbol.first}]" if symbol.length > 1 else ""
                return symbol.name + index
        return f"M[{address}]"

    def where(self, index: int) -> str:
        """An instruction as messages name it, with the line it comes from if that is known."""
        origin = f" ({self.origins[index]})" if self.origins else ""
        return f"instruction {index}{origin}"
