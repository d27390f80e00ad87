"""SUBLEQ, SUBLEQ⁻ and Graph-SUBLEQ in plain Python on exact numbers: the references.

One instruction: M[b] ← M[b] − a, and a jump to c if the result is ≤ 0. [P App. C.7]

Departs: P's machines never halt. These do when they jump to −1, or run past the last instruction.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field
from fractions import Fraction

from loopwright.subleq.errors import SubleqError

Number = int | Fraction
HALT = -1
"""The address to which a jump halts."""
LENGTH = 3
"""So many cells hold one instruction of SUBLEQ or SUBLEQ⁻."""


@dataclass(frozen=True)
class Entry:
    """The operand A[row, column]: an edge's weight, 0 where there is none; nodes count from 0."""

    row: int
    column: int

    def __str__(self) -> str:
        return f"A[{self.row}, {self.column}]"


@dataclass(frozen=True)
class Instruction:
    """M[b] ← M[b] − a, then to instruction c if M[b] ≤ 0, else to the next.

    `a` is a memory address, or an entry of the graph (P's γₐ, a₁, a₂). Addresses and instructions
    count from 0.
    """

    a: int | Entry
    b: int
    c: int

    def __str__(self) -> str:
        a = self.a if isinstance(self.a, Entry) else f"M[{self.a}]"
        return f"subleq {a}, M[{self.b}], {self.c}"


@dataclass
class GraphSubleq:
    """Graph-SUBLEQ: instructions in a list, a memory, and a graph to read. [P Alg. graph_subleq]

    >>> machine = GraphSubleq([Instruction(Entry(0, 1), 0, HALT)], [5], [{1: 3}, {}])
    >>> machine.step()
    >>> machine.memory, machine.pc, machine.halted
    ([2], 1, True)
    """

    instructions: Sequence[Instruction]
    memory: list[Number]
    graph: Sequence[Mapping[int, Number]] = ()
    """For each node, the nodes that its edges lead to and their weights; nodes count from 0."""
    pc: int = 0
    """The instruction that comes next; after halting it is `HALT`, or one past the last."""
    steps: int = 0

    @property
    def halted(self) -> bool:
        return not 0 <= self.pc < len(self.instructions)

    def step(self) -> None:
        """Execute one instruction.

        Raises:
            SubleqError: if it names a cell or a node that is not there, or the machine has halted.
        """
        if self.halted:
            raise SubleqError(f"the machine has halted, at {self.pc}.")
        at = self.instructions[self.pc]
        m_a = self._read(at.a)
        self._check(at.b, "writes")
        if not HALT <= at.c < len(self.instructions):
            raise SubleqError(f"instruction {self.pc} jumps to {at.c}, where there is none.")
        self.memory[at.b] -= m_a
        self.pc = at.c if self.memory[at.b] <= 0 else self.pc + 1
        self.steps += 1

    def run(self, steps: int) -> bool:
        """Execute until it halts, but at most so many steps in all; say whether it has halted."""
        while not self.halted and self.steps < steps:
            self.step()
        return self.halted

    def _read(self, a: int | Entry) -> Number:
        if isinstance(a, Entry):
            if not (0 <= a.row < len(self.graph) and 0 <= a.column < len(self.graph)):
                raise SubleqError(
                    f"instruction {self.pc} reads {a}; the graph has {len(self.graph)} nodes."
                )
            return self.graph[a.row].get(a.column, 0)
        self._check(a, "reads")
        return self.memory[a]

    def _check(self, address: int, does: str) -> None:
        if not 0 <= address < len(self.memory):
            raise SubleqError(
                f"instruction {self.pc} {does} M[{address}]; memory has {len(self.memory)} cells."
            )


@dataclass
class Subleq:
    """SUBLEQ: data and instructions in one memory, three cells an instruction. [P Alg. subleq]

    With `nodes` = n it is SUBLEQ⁻: the first n² cells are an adjacency matrix, row by row, and
    read-only; execution begins behind them.

    >>> machine = Subleq([3, 4, -1, 9, 7])
    >>> machine.run(10), machine.memory[4], machine.pc
    (True, -2, -1)
    """

    memory: list[Number]
    nodes: int = 0
    pc: int = field(init=False)
    """The address that comes next; after halting it is `HALT`, or one past the last cell."""
    steps: int = 0

    def __post_init__(self) -> None:
        self.pc = self.nodes**2

    @property
    def halted(self) -> bool:
        return self.pc in (HALT, len(self.memory))

    def step(self) -> None:
        """Execute one instruction.

        Raises:
            SubleqError: if there is none, or it names a cell that is not there or is read-only.
        """
        if self.halted:
            raise SubleqError(f"the machine has halted, at {self.pc}.")
        a, b, c = decode(self.memory, self.pc, nodes=self.nodes)
        self.memory[b] -= self.memory[a]
        self.pc = c if self.memory[b] <= 0 else self.pc + LENGTH
        self.steps += 1

    def run(self, steps: int) -> bool:
        """Execute until it halts, but at most so many steps in all; say whether it has halted."""
        while not self.halted and self.steps < steps:
            self.step()
        return self.halted


def decode(memory: Sequence[Number], pc: int, *, nodes: int = 0) -> tuple[int, int, int]:
    """The addresses (a, b, c) of the instruction at an address of SUBLEQ⁻ memory.

    Raises:
        SubleqError: if those three cells are no instruction.
    """
    size, first = len(memory), nodes**2
    words = memory[pc : pc + LENGTH]
    if len(words) < LENGTH:
        raise SubleqError(f"the instruction at {pc} is cut off: memory ends at {size - 1}.")
    for word in words:
        if word != int(word):
            raise SubleqError(f"the instruction at {pc} holds {word}, which is no address.")
    a, b, c = (int(word) for word in words)
    for address in (a, b):
        if not 0 <= address < size:
            raise SubleqError(
                f"the instruction at {pc} names cell {address}; memory ends at {size - 1}."
            )
    if b < first:
        raise SubleqError(
            f"the instruction at {pc} writes cell {b}; the first {first} cells are read-only."
        )
    if c != HALT and not first <= c < size:
        raise SubleqError(f"the instruction at {pc} jumps to {c}, where there is no instruction.")
    return a, b, c
