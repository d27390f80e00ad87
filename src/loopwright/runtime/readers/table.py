"""CSV with a header → Graph: a row for each edge, columns by name (see `runtime.frames`)."""

from __future__ import annotations

import csv
from collections.abc import Container, Iterator
from itertools import chain

from loopwright.errors import GraphError, brief
from loopwright.runtime.edge_weights import exact_weight, weight_from_text
from loopwright.runtime.frames import ENDS, find_columns
from loopwright.runtime.graph import Graph
from loopwright.runtime.readers.source import Source

DELIMITERS = (",", ";", "\t")
HINT = "expected a header such as source,target,weight in its first line"


def read_table(source: Source) -> Graph:
    """Directed edges between labels that are text; a row without head is a node alone.

    Raises:
        GraphError: naming file and line.
    """
    rows = _rows(source)
    first, header = next(rows, (1, []))
    try:
        tail, head, weight = find_columns(header)
        _check_header(header)
    except GraphError as problem:
        raise source.error(f"{str(problem).rstrip('.')}; {HINT}", line=first) from None
    arcs = source.arcs()
    for number, row in rows:
        try:
            if len(row) != len(header):
                raise GraphError(f"expected {len(header)} fields, as in the header, got {len(row)}")
            if not row[tail]:
                raise GraphError(f"the field '{brief(header[tail])}' is empty: expected a label")
            if row[head]:
                number_or_one = 1.0 if weight is None else weight_from_text(row[weight])
                arcs.edge(row[tail], row[head], number_or_one)
            else:
                arcs.node(row[tail])
        except GraphError as problem:
            raise source.error(problem, line=number) from None
    try:
        _check_not_an_edge([header[tail], header[head]], arcs.rows)
    except GraphError as problem:
        raise source.error(f"{problem}; {HINT}", line=first) from None
    return Graph.from_arcs(arcs)


def _rows(source: Source) -> Iterator[tuple[int, list[str]]]:
    """Line numbers and stripped fields of every row that is not blank."""
    lines = source.lines()
    number, first = next(((number, line) for number, line in lines if line.strip()), (1, ""))
    delimiter = "\t" if source.suffix == ".tsv" else _sniff(first)
    rest = (line for _, line in lines)
    rows = csv.reader(chain([first], rest), delimiter=delimiter, skipinitialspace=True, strict=True)
    try:
        for row in rows:
            fields = [field.strip() for field in row]
            if any(fields):
                yield number - 1 + rows.line_num, fields
    except csv.Error as problem:
        place = number - 1 + rows.line_num
        raise source.error(f"not a row of a CSV file: {problem}", line=place) from None


def _sniff(line: str) -> str:
    """What separates most fields of the header."""

    def fields(delimiter: str) -> int:
        try:
            return len(next(csv.reader([line], delimiter=delimiter), []))
        except csv.Error:
            return 0

    return max(DELIMITERS, key=fields)


def _check_header(header: list[str]) -> None:
    """A file without header would lose its first edge without a word.

    Raises:
        GraphError: if one of the names is a number.
    """
    for name in header[:3]:
        try:
            exact_weight(name)
        except GraphError:
            continue
        raise GraphError(f"'{brief(name)}' is a number, not the name of a column")


def _check_not_an_edge(names: list[str], nodes: Container[str]) -> None:
    """The same, for labels that are text: an unknown name that is also a node's is an edge.

    Raises:
        GraphError: if so.
    """
    if tuple(name.lower() for name in names) not in ENDS:
        for name in names:
            if name in nodes:
                raise GraphError(f"'{brief(name)}' is also a node")
