"""SUBLEQ⁻ → Graph-SUBLEQ: the lemma, and what it leaves out. [P App. C.7, lemma]

A memory cell keeps its content and moves from x to x − n²; a cell x of the graph becomes A[⌊x/n⌋,
x mod n]. Instructions move out of memory into a list of their own.

Departs: P has c̃ = c. Here a jump to the address of an instruction becomes one to its index.
Departs: what writes or reads instructions as if they were data has no counterpart. It is refused,
as is a program that could execute something that is no instruction, even if it never would.
"""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from dataclasses import dataclass

from loopwright.runtime.graph import Graph
from loopwright.subleq.code import Code
from loopwright.subleq.errors import SubleqError, TranslationError
from loopwright.subleq.machines import HALT, LENGTH, Entry, Instruction, Number, decode


@dataclass(frozen=True)
class Translation:
    """A Graph-SUBLEQ program, the graph it reads, and where its instructions came from."""

    code: Code
    graph: Graph | None
    addresses: tuple[int, ...]
    """For each instruction of `code`, the address it had in SUBLEQ⁻ memory."""


def translate(memory: Sequence[Number], *, nodes: int = 0) -> Translation:
    """Translate a SUBLEQ⁻ memory image, whose first nodes² cells are the graph.

    >>> graph, program, data = [0, 7, 0, 0], [1, 10, 7, 11, 11, -1], [9, 0]
    >>> for instruction in translate(graph + program + data, nodes=2).code.instructions:
    ...     print(instruction)
    subleq A[0, 1], M[6], 1
    subleq M[7], M[7], -1

    Raises:
        TranslationError: naming the instruction, if the program modifies or reads itself, jumps
            into an instruction or the graph, writes to the graph, or may run into data.
    """
    found = reachable(memory, nodes)
    refuse_code_as_data(found, found)
    first = nodes**2
    addresses = tuple(sorted(found))
    index = {address: i for i, address in enumerate(addresses)} | {HALT: HALT}

    def operand(a: int) -> int | Entry:
        return Entry(*divmod(a, nodes)) if a < first else a - first

    instructions = tuple(
        Instruction(operand(a), b - first, index[c])
        for a, b, c in (found[address] for address in addresses)
    )
    return Translation(
        Code(instructions, tuple(memory[first:])), read_graph(memory, nodes), addresses
    )


def reachable(memory: Sequence[Number], nodes: int) -> dict[int, tuple[int, int, int]]:
    """Address → instruction, for all that execution could reach if every branch could go both ways.

    Only `x, x, c` is known to jump: x − x ≤ 0.
    """
    found: dict[int, tuple[int, int, int]] = {}
    waiting = [nodes**2]
    while waiting:
        address = waiting.pop()
        if address in found or address in (HALT, len(memory)):
            continue
        refuse_overlap(address, found)
        try:
            a, b, c = found[address] = decode(memory, address, nodes=nodes)
        except SubleqError as problem:
            # A program that changes an instruction may hold nonsense there before: say that first.
            refuse_code_as_data(found, [*found, address])
            raise TranslationError(f"cannot translate: {problem}") from None
        waiting += [c] if a == b else [c, address + LENGTH]
    if not found:
        raise TranslationError("cannot translate: there is no instruction.")
    return found


def refuse_overlap(address: int, found: dict[int, tuple[int, int, int]]) -> None:
    """No two instructions may share a cell."""
    for other in range(address - LENGTH + 1, address + LENGTH):
        if other in found:
            first, second = sorted((address, other))
            raise TranslationError(
                f"cannot translate: the instruction at {second} lies in the middle of the one at "
                f"{first}; a list of instructions has no such place to jump to."
            )


def refuse_code_as_data(found: dict[int, tuple[int, int, int]], starts: Iterable[int]) -> None:
    """No instruction may write or read a cell of one that starts at any of these addresses."""
    cells = {address + i: address for address in starts for i in range(LENGTH)}
    for address, (a, b, _) in found.items():
        if b in cells:
            raise TranslationError(
                f"cannot translate: the instruction at {address} writes cell {b}, which may be "
                f"executed as part of the one at {cells[b]}; in Graph-SUBLEQ, instructions do not "
                "change."
            )
        if a in cells:
            raise TranslationError(
                f"cannot translate: the instruction at {address} reads cell {a}, which may be "
                f"executed as part of the one at {cells[a]}; in Graph-SUBLEQ, instructions are not "
                "data."
            )


def read_graph(memory: Sequence[Number], nodes: int) -> Graph | None:
    """The graph in the read-only block; None if there is no such block."""
    for i, weight in enumerate(memory[: nodes**2]):
        if weight < 0:
            raise TranslationError(
                f"cannot translate: cell {i} of the graph is {weight}; weights are not negative."
            )
    edges = [
        (*divmod(i, nodes), weight) for i, weight in enumerate(memory[: nodes**2]) if weight > 0
    ]
    return Graph.from_edges(edges, nodes=range(nodes)) if nodes else None
