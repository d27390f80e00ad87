"""CSV with a header → the parts of a graph: a row for each edge, columns by name (see `frames`)."""

from __future__ import annotations

import csv
from collections.abc import Iterator
from itertools import chain

from loopwright.errors import GraphError, brief
from loopwright.runtime.arcs import GraphParts
from loopwright.runtime.edge_weights import exact_weight
from loopwright.runtime.frames import ENDS, find_columns
from loopwright.runtime.readers.source import Source

DELIMITERS = (",", ";", "\t")
HINT = "expected a header such as source,target,weight in its first line"


def read_table(source: Source) -> GraphParts:
    """Directed edges between labels that are text; a row without head is a node alone."""
    arcs = source.arcs()
    with source.lines() as lines:
        rows = _rows(lines, tabs=source.suffix == ".tsv")
        header = next(rows, list[str]())
        line_of_header = source.line
        try:
            tail, head, weight = find_columns(header)
            _check_names(header[:3])
        except GraphError as problem:
            raise GraphError(f"{str(problem).rstrip('.')}; {HINT}") from None
        for row in rows:
            if len(row) != len(header):
                raise GraphError(f"expected {len(header)} fields, as in the header, got {len(row)}")
            if not row[tail]:
                raise GraphError(f"the field '{brief(header[tail])}' is empty: expected a label")
            if row[head]:
                arcs.edge(row[tail], row[head], 1.0 if weight is None else row[weight])
            else:
                arcs.node(row[tail])
    ends = (header[tail], header[head])
    labels = [name for name in ends if name in arcs.rows]
    if labels and tuple(map(str.lower, ends)) not in ENDS:  # then the header was an edge
        problem = f"'{brief(labels[0])}' is also a node; {HINT}"
        raise source.error(problem, line=line_of_header)
    return arcs.pack()


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


def _check_names(names: list[str]) -> None:
    """A file without header would lose its first edge without a word.

    Raises:
        GraphError: if one of the names is a number.
    """
    for name in names:
        try:
            exact_weight(name)
        except GraphError:
            continue
        raise GraphError(f"'{brief(name)}' is a number, not the name of a column")
