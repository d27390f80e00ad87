"""Code → text that assembles to the same Code: what the machine executes, line by line."""

from __future__ import annotations

from collections.abc import Iterator

from loopwright.subleq.code import Code
from loopwright.subleq.machines import HALT, Entry, Instruction
from loopwright.subleq.syntax import ANONYMOUS

COMMENT_COLUMN = 40


def listing(code: Code) -> str:
    """Every cell and every bare instruction, with its address as a comment.

    >>> from loopwright.subleq import assemble
    >>> print(listing(assemble('''
    ... .data x 3
    ... again: sub 1, x
    ...        jgt x, again
    ... ''')))
    .data x 3                               ; M[0]
    .data =1 1                              ; M[1]
    .data Z 0                               ; M[2]
    again:
        subleq =1, x                        ; 0
        subleq Z, x, halt                   ; 1
        subleq Z, Z, again                  ; 2
    """
    text = [f"{line:<{COMMENT_COLUMN}}; {note}" for line, note in _memory(code)]
    for i in range(len(code.instructions) + 1):
        text += [f"{label}:" for label, at in code.labels.items() if at == i]
        if i < len(code.instructions):
            text.append(f"    {instruction(code, i):<{COMMENT_COLUMN - 4}}; {i}")
    return "\n".join(text)


def _memory(code: Code) -> Iterator[tuple[str, str]]:
    """Named cells, and between them those without a name, with their addresses."""
    at = 0
    for symbol in sorted(code.symbols, key=lambda symbol: symbol.first):
        if at < symbol.first:
            yield _cells(code, ANONYMOUS, range(at, symbol.first))
        yield _cells(code, symbol.name, symbol.cells)
        at = symbol.first + symbol.length
    if at < len(code.memory):
        yield _cells(code, ANONYMOUS, range(at, len(code.memory)))


def _cells(code: Code, name: str, cells: range) -> tuple[str, str]:
    values = " ".join(str(code.memory[i]) for i in cells)
    addresses = f"M[{cells[0]}]" + (f" … M[{cells[-1]}]" if len(cells) > 1 else "")
    return f".data {name} {values}", addresses


def instruction(code: Code, index: int) -> str:
    """One instruction as the assembler takes it, with names where there are any."""
    at = code.instructions[index]
    a = str(at.a) if isinstance(at.a, Entry) else code.cell_name(at.a)
    return f"subleq {a}, {_writable(code, at.b)}{_target(code, index, at)}"


def _writable(code: Code, address: int) -> str:
    """A cell that is written, by address if its name is that of a constant."""
    name = code.cell_name(address)
    return f"M[{address}]" if name.startswith("=") else name


def _target(code: Code, index: int, at: Instruction) -> str:
    if at.c == HALT:
        return ", halt"
    if at.c == index + 1:
        return ""
    label = next((label for label, at_index in code.labels.items() if at_index == at.c), None)
    return f", {at.c if label is None else label}"
