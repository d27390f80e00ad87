"""Text → Code: a page of named passes."""

from __future__ import annotations

import re
from collections.abc import Mapping, Sequence
from os import PathLike

from loopwright.errors import GraphError
from loopwright.model.paths import path_of
from loopwright.runtime.readers.caps import MOST_PROGRAM_BYTES
from loopwright.runtime.readers.source import Source
from loopwright.subleq.code import Code
from loopwright.subleq.declare import declare
from loopwright.subleq.errors import AssemblyError
from loopwright.subleq.expand import expand
from loopwright.subleq.machines import Number
from loopwright.subleq.syntax import Place, Statement


def assemble(
    text: str,
    *,
    file: str = "<text>",
    nodes: int | None = None,
    settings: Mapping[str, Sequence[Number]] | None = None,
    prelude: Sequence[Statement] = (),
) -> Code:
    """Assemble a program; `docs/subleq.md` describes its language.

    Args:
        file: what messages call the text.
        nodes: the number of nodes of the graph, which the program may use as `nodes`.
        settings: what named data or constants start as, instead of what the text says.
        prelude: what the text may use besides the idioms: macros, and the cells that these need.

    >>> code = assemble('''
    ... .data x 3
    ...     sub 5, x      ; x ← x − 5
    ... ''')
    >>> code.instructions, code.memory
    ((Instruction(a=1, b=0, c=-1),), (3, 5))

    Raises:
        AssemblyError: beginning with file:line:column, saying what was expected.
    """
    from loopwright.subleq.parse import idioms, parse  # not above: it imports lark

    statements = (*prelude, *parse(text, file))
    names = declare(statements, idioms(), nodes=nodes, settings=settings or {})
    instructions, lines, labels = expand(statements, names)
    if not instructions:
        end = Place(file, text.count("\n") + 1, 1)
        raise end.error("expected an instruction, got the end of the program.")
    # A comment begins at ; or #, which have no other meaning.
    source = [re.split("[;#]", line, maxsplit=1)[0].strip() for line in text.splitlines()]
    origins = tuple(f"{file}:{line}: {source[line - 1]}" for line in lines)
    symbols = tuple(names.symbols.values())
    return Code(instructions, tuple(names.memory), symbols, labels, origins)


def assemble_file(
    path: str | PathLike[str],
    *,
    nodes: int | None = None,
    settings: Mapping[str, Sequence[Number]] | None = None,
) -> Code:
    """Assemble a program from a file; messages name it."""
    return assemble(read_text(path), file=str(path), nodes=nodes, settings=settings)


def read_text(path: str | PathLike[str]) -> str:
    """What a file says.

    Raises:
        AssemblyError: naming the file, if it cannot be read, is no text, or too long for a program.
    """
    try:
        return Source(path_of(path, AssemblyError)).content(MOST_PROGRAM_BYTES).decode("utf-8-sig")
    except GraphError as problem:
        raise AssemblyError(str(problem)) from None
    except UnicodeDecodeError:
        raise AssemblyError(f"{path}: not a text file (expected UTF-8).") from None
