"""Matrix Market (.mtx) → the parts of a graph: the entry (i, j) is the weight of i → j.

Read here, line by line: `scipy.io.mmread` allocates what a header declares, and its compiled parser
runs past the end of lines such as `4 1 3x`, which ends the process (SciPy 1.17).
"""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass

import numpy as np

from loopwright.errors import GraphError, brief
from loopwright.model.limits import MANTISSA
from loopwright.runtime.arcs import Arcs, GraphParts, pack
from loopwright.runtime.edge_columns import sorted_parts
from loopwright.runtime.readers.caps import MOST_EDGES, MOST_NODES
from loopwright.runtime.readers.plain_numbers import read_columns
from loopwright.runtime.readers.source import Source

BANNER = "%%MatrixMarket matrix coordinate|array real|integer|pattern general|symmetric"
ALLOWED = [words.lower().split("|") for words in BANNER.split()]


HEAD = 2**16
"""Bytes in which the banner, comments and sizes of a plain file are."""


@dataclass(frozen=True)
class Header:
    array: bool
    """Whether there is a value for each cell, rather than a line `row column [value]` for some."""
    field: str
    symmetric: bool
    nodes: int
    entries: int
    """The number of lines that follow."""
    fields: int
    """The number of fields in each of these lines."""


def read_matrix_market(source: Source) -> GraphParts:
    """Nodes are called 1 … n, as in the file; a symmetric matrix is an undirected graph."""
    if plain := _read_plain(source):
        return plain
    arcs = source.arcs()
    with source.lines() as lines:
        header = _read_header(lines)
        for label in range(1, header.nodes + 1):
            arcs.node(label)
        cells, found = _cells(header), 0
        for fields in _data(lines):
            found += 1
            if found > header.entries:
                raise GraphError(f"more than the {header.entries:,} entries that are declared")
            _add(fields, header, cells, arcs)
        if found < header.entries:
            raise GraphError(f"{header.entries:,} entries are declared, but {found:,} are there")
    return arcs.pack(directed=not header.symmetric)


def _read_plain(source: Source) -> GraphParts | None:
    """A large file of entries, without blank lines or comments among them."""
    large = source.large_content()
    if not large:
        return None
    size = next((line for line in large[:HEAD].splitlines(True) if line[:1] != b"%"), b"")
    begin = large.find(size) + len(size)
    try:
        header = _read_header(iter(large[:begin].decode("ascii").splitlines(True)))
    except (GraphError, UnicodeDecodeError):
        return None
    body = large[begin:]
    columns = None if header.array else read_columns(body)
    if columns is None or len(columns.tails) != header.entries:
        return None
    weights = np.asarray(columns.weights, np.float64)  # the nearest ones, as `value` has it
    whole = header.field != "integer" or (
        weights.max() < 2.0**MANTISSA and not any(byte in body for byte in b".eE")
    )
    ends = np.concatenate(columns[:2])
    inside = 1 <= ends.min() and ends.max() <= header.nodes
    if not (whole and inside and header.fields == (2 if header.field == "pattern" else 3)):
        return None
    labels = tuple(range(1, header.nodes + 1))
    if header.symmetric:
        return pack(labels, columns.tails - 1, columns.heads - 1, weights, directed=False)
    return sorted_parts(labels, columns.tails - 1, columns.heads - 1, weights)


def _data(lines: Iterator[str]) -> Iterator[list[str]]:
    """The fields of every line that is neither blank nor a comment."""
    for line in lines:
        if not line.startswith("%") and (fields := line.split()):
            yield fields


def _read_header(lines: Iterator[str]) -> Header:
    """The banner in the first line, and the sizes in the first line of data.

    An array has an entry for each cell, or, if it is symmetric, for each on or below the diagonal.
    """
    words = next(lines, "").lower().split()
    if len(words) != len(ALLOWED) or any(
        word not in allowed for word, allowed in zip(words, ALLOWED, strict=True)
    ):
        raise GraphError(f"expected '{BANNER}'")
    array, field, symmetric = words[2] == "array", words[3], words[4] == "symmetric"
    if array and field == "pattern":
        raise GraphError("an array has values: expected 'real' or 'integer'")
    fields = next(_data(lines), list[str]())
    wanted = "'rows columns'" if array else "'rows columns entries'"
    if len(fields) != len(wanted.split()):
        raise GraphError(f"expected {wanted}, got '{brief(' '.join(fields))}'")
    rows, columns, *rest = map(whole, fields)
    if rows != columns:
        raise GraphError(f"an adjacency matrix must be square, but this one is {rows} × {columns}")
    if rows > MOST_NODES:
        raise GraphError(f"{rows:,} nodes; at most {MOST_NODES:,} are read")
    cells = rows * (rows + 1) // 2 if symmetric else rows * rows
    entries = rest[0] if rest else cells
    if entries > MOST_EDGES:
        raise GraphError(f"{entries:,} entries; at most {MOST_EDGES:,} are read")
    fields_of_a_line = 1 if array else 2 if field == "pattern" else 3
    return Header(array, field, symmetric, rows, entries, fields_of_a_line)


def _cells(header: Header) -> Iterator[tuple[int, int]]:
    """The places of an array's values: column by column, and below the diagonal if symmetric."""
    for column in range(1, header.nodes + 1):
        for row in range(column if header.symmetric else 1, header.nodes + 1):
            yield row, column


def _add(fields: list[str], header: Header, cells: Iterator[tuple[int, int]], arcs: Arcs) -> None:
    """Add what a line says: `row column [value]`, or the `value` of an array's next cell."""
    if len(fields) != header.fields:
        wanted = ["one value", "'row column'", "'row column value'"][header.fields - 1]
        raise GraphError(f"expected {wanted}, got {len(fields)} fields")
    row, column = next(cells) if header.array else (whole(fields[0]), whole(fields[1]))
    if not (1 <= row <= header.nodes and 1 <= column <= header.nodes):
        raise GraphError(f"entry ({row}, {column}) is outside of the matrix")
    weight = 1.0 if header.field == "pattern" else value(header, fields[-1])
    if weight != 0 or not header.array:  # in an array, 0 is no edge; as an entry, it is refused
        arcs.edge(row, column, weight)


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
