"""Matrix Market (.mtx) → Graph: the entry (i, j) is the weight of i → j.

Read here, line by line: `scipy.io.mmread` allocates what a header declares, and its compiled parser
runs past the end of lines such as `4 1 3x`, which ends the process (SciPy 1.17).
"""

from __future__ import annotations

from collections.abc import Callable, Iterator
from dataclasses import dataclass

from loopwright.errors import GraphError, brief
from loopwright.runtime.arcs import Arcs
from loopwright.runtime.graph import Graph
from loopwright.runtime.readers.caps import MOST_EDGES, MOST_NODES
from loopwright.runtime.readers.source import Source

BANNER = "%%MatrixMarket matrix coordinate|array real|integer|pattern general|symmetric"
ALLOWED = [words.lower().split("|") for words in BANNER.split()]
Lines = Iterator[tuple[int, list[str]]]


@dataclass(frozen=True)
class Header:
    form: str
    field: str
    symmetry: str
    nodes: int = 0
    entries: int = 0
    """Lines that follow; of an array all below the diagonal too, if it is symmetric."""


def read_matrix_market(source: Source) -> Graph:
    """Nodes are called 1 … n, as in the file; a symmetric matrix is an undirected graph.

    Raises:
        GraphError: naming file and line.
    """
    lines = source.lines()
    number, banner = next(lines, (1, ""))
    try:
        header = _read_banner(banner)
        data = _data(lines)
        number, sizes = next(data, (number, []))
        header = _read_sizes(header, sizes)
        arcs = source.arcs()
        for label in range(1, header.nodes + 1):
            arcs.node(label)
        add = add_cells(header, arcs) if header.form == "array" else add_entries(header, arcs)
        found = 0
        for found, (number, fields) in enumerate(data, start=1):  # noqa: B007 (for the handler)
            if found > header.entries:
                raise GraphError(f"more than the {header.entries:,} entries that are declared")
            add(fields)
        if found < header.entries:
            raise GraphError(f"{header.entries:,} entries are declared, but {found:,} are there")
    except GraphError as problem:
        raise source.error(problem, line=number) from None
    return Graph.from_arcs(arcs, directed=header.symmetry == "general")


def _data(lines: Iterator[tuple[int, str]]) -> Lines:
    """The lines that are neither blank nor comments, as fields."""
    for number, line in lines:
        if not line.startswith("%") and (fields := line.split()):
            yield number, fields


def _read_banner(line: str) -> Header:
    words = line.lower().split()
    if len(words) != len(ALLOWED) or any(
        word not in allowed for word, allowed in zip(words, ALLOWED, strict=True)
    ):
        raise GraphError(f"expected '{BANNER}'")
    if words[2:4] == ["array", "pattern"]:
        raise GraphError("an array has values: expected 'real' or 'integer'")
    return Header(words[2], words[3], words[4])


def _read_sizes(header: Header, fields: list[str]) -> Header:
    wanted = "'rows columns'" if header.form == "array" else "'rows columns entries'"
    if len(fields) != wanted.count(" ") + 1:
        raise GraphError(f"expected {wanted}, got '{brief(' '.join(fields))}'")
    rows, columns, *rest = (whole(field) for field in fields)
    if rows != columns:
        raise GraphError(f"an adjacency matrix must be square, but this one is {rows} × {columns}")
    if rows > MOST_NODES:
        raise GraphError(f"{rows:,} nodes; at most {MOST_NODES:,} are read")
    half = rows * (rows + 1) // 2
    entries = rest[0] if rest else half if header.symmetry == "symmetric" else rows * rows
    if entries > MOST_EDGES:
        raise GraphError(f"{entries:,} entries; at most {MOST_EDGES:,} are read")
    return Header(header.form, header.field, header.symmetry, rows, entries)


def add_entries(header: Header, arcs: Arcs) -> Callable[[list[str]], None]:
    """What to do with a line `row column [value]`."""
    pattern = header.field == "pattern"
    wanted = "'row column'" if pattern else "'row column value'"

    def add(fields: list[str]) -> None:
        if len(fields) != (2 if pattern else 3):
            raise GraphError(f"expected {wanted}, got {len(fields)} fields")
        row, column = whole(fields[0]), whole(fields[1])
        if not (1 <= row <= header.nodes and 1 <= column <= header.nodes):
            raise GraphError(f"entry ({row}, {column}) is outside of the matrix")
        arcs.edge(row, column, 1.0 if pattern else value(header, fields[2]))

    return add


def add_cells(header: Header, arcs: Arcs) -> Callable[[list[str]], None]:
    """What to do with a line `value`: they come column by column; 0 is no edge."""
    lower = header.symmetry == "symmetric"
    cells = (
        (row, column)
        for column in range(1, header.nodes + 1)
        for row in range(column if lower else 1, header.nodes + 1)
    )

    def add(fields: list[str]) -> None:
        if len(fields) != 1:
            raise GraphError(f"expected one value, got {len(fields)} fields")
        row, column = next(cells)
        weight = value(header, fields[0])
        if weight != 0:
            arcs.edge(row, column, weight)

    return add


def whole(text: str) -> int:
    """A number that counts something.

    Raises:
        GraphError: if it is none, or absurd.
    """
    if not (text.isascii() and text.isdecimal() and len(text) < 19):
        raise GraphError(f"expected a whole number, got '{brief(text)}'")
    return int(text)


def value(header: Header, text: str) -> int | float:
    """A weight as the banner has it: a whole number, or the nearest double.

    Raises:
        GraphError: if it is not a number.
    """
    try:
        return int(text) if header.field == "integer" else float(text)
    except ValueError:
        raise GraphError(f"value '{brief(text)}' is not a number") from None
