"""CSV with a header → the parts of a graph: a row for each edge, columns by name (see `frames`)."""

from __future__ import annotations

import csv
from collections.abc import Iterator
from itertools import chain

from loopwright.errors import GraphError, brief
from loopwright.runtime.arcs import GraphParts
from loopwright.runtime.attributes import WEIGHT
from loopwright.runtime.edge_weights import exact_weight
from loopwright.runtime.frames import ENDS, find_ends, find_weight
from loopwright.runtime.readers.caps import MOST_EDGES, MOST_NODES
from loopwright.runtime.readers.plain_numbers import parts_of_text_labels, read_columns
from loopwright.runtime.readers.source import Source

DELIMITERS = (",", ";", "\t", "|")
HINT = "expected a header such as source,target,weight in its first line"


def read_table(source: Source, weight: str | None) -> GraphParts:
    """Directed edges between labels that are text; a row without head is a node alone."""
    if plain := _read_plain(source, weight):
        return plain
    arcs = source.arcs()
    with source.lines() as lines:
        rows = _rows(lines, tabs=source.suffix == ".tsv")
        header = next(rows, list[str]())
        line_of_header = source.line
        first = next(rows, list[str]())

        def holds_numbers(column: int) -> bool:
            return column < len(first) and _is_number(first[column])

        with source.at_line(line_of_header):
            tail, head = _ends_of_header(header)
            weights = find_weight(header, (tail, head), weight, holds_numbers)
        for row in chain([first] if first else [], rows):
            if len(row) != len(header):
                raise GraphError(f"expected {len(header)} fields, as in the header, got {len(row)}")
            if not row[tail]:
                raise GraphError(f"the field '{brief(header[tail])}' is empty: expected a label")
            if row[head]:
                arcs.edge(row[tail], row[head], 1.0 if weights is None else row[weights])
            else:
                arcs.node(row[tail])
    ends = (header[tail], header[head])
    labels = [name for name in ends if name in arcs.rows]
    if labels and tuple(map(str.lower, ends)) not in ENDS:  # then the header was an edge
        problem = f"'{brief(labels[0])}' is also a node; {HINT}"
        raise source.error(problem, line=line_of_header)
    return arcs.pack()


def _read_plain(source: Source, weight: str | None) -> GraphParts | None:
    """A large file of whole numbers, with commas and a header that says what is what."""
    large = source.large_content()
    if not large or weight != WEIGHT:
        return None
    first, _, body = large.partition(b"\n")
    try:
        header = next(csv.reader([first.decode("utf-8-sig", "replace").rstrip("\r")]), list[str]())
    except csv.Error:  # then it is refused line by line, with the number of the line
        return None
    known = {name: i for i, name in enumerate(header)}
    ends = [pair for pair in ENDS if {*pair} <= known.keys()]
    if not ends or len(known) != len(header) or len(header) not in (2, 3):
        return None
    tail, head = (known[end] for end in ends[0])
    columns = read_columns(body, delimiters=b",", order=(tail, head, 3 - tail - head))
    return columns and parts_of_text_labels(columns, MOST_NODES, MOST_EDGES)


def _rows(lines: Iterator[str], *, tabs: bool) -> Iterator[list[str]]:
    """The stripped fields of every row that is not blank."""
    first = next((line for line in lines if line.strip()), "")
    delimiter = "\t" if tabs else max(DELIMITERS, key=lambda one: _count_fields(first, one))
    rows = csv.reader(
        chain([first], lines), delimiter=delimiter, skipinitialspace=True, strict=True
    )
    try:
        for row in rows:
            fields = [field.strip() for field in row]
            if any(fields):
                yield fields
    except csv.Error as problem:
        raise GraphError(f"not a row of a CSV file: {problem}") from None


def _count_fields(line: str, delimiter: str) -> int:
    try:
        return len(next(csv.reader([line], delimiter=delimiter), list[str]()))
    except csv.Error:
        return 0


def _ends_of_header(header: list[str]) -> tuple[int, int]:
    """The columns of tails and heads.

    Raises:
        GraphError: if it is not a header; the message says what one looks like.
    """
    try:
        _check_names(header[:3])
        return find_ends(header)
    except GraphError as problem:
        raise GraphError(f"{str(problem).rstrip('.')}; {HINT}") from None


def _check_names(names: list[str]) -> None:
    """A file without header would lose its first edge without a word.

    Raises:
        GraphError: if one of the names is a number.
    """
    for name in names:
        if _is_number(name):
            raise GraphError(f"'{brief(name)}' is a number, not the name of a column")


def _is_number(text: str) -> bool:
    try:
        exact_weight(text)
    except GraphError:
        return False
    return True
