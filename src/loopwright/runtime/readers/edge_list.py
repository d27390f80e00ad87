"""Lines `tail head [weight]` → the parts of a graph. `#` starts a comment."""

from __future__ import annotations

from loopwright.errors import GraphError
from loopwright.runtime.arcs import GraphParts
from loopwright.runtime.readers.caps import MOST_EDGES, MOST_NODES
from loopwright.runtime.readers.plain_numbers import parts_of_text_labels, read_columns
from loopwright.runtime.readers.source import Source

DELIMITERS = ",;|"
"""What separates fields in other files: `a,b,3` is not a node of this name."""


def read_edge_list(source: Source) -> GraphParts:
    """Directed edges between labels that are text; one label alone in a line is a node.

    Weights are as they are written: 1/3 is a third.
    """
    if large := source.large_content():
        columns = read_columns(large)
        parts = columns and parts_of_text_labels(columns, MOST_NODES, MOST_EDGES)
        if parts:
            return parts
    arcs = source.arcs()
    with source.lines() as lines:
        for line in lines:
            fields = line.partition("#")[0].split()
            if _is_delimited(fields):
                raise GraphError(
                    "expected 'tail head [weight]' with spaces between them; for commas, "
                    "semicolons or bars, call the file .csv and give it a header, such as "
                    "source,target,weight."
                )
            if len(fields) > 3:
                raise GraphError(f"expected 'tail head [weight]', got {len(fields)} fields.")
            if len(fields) == 1:
                arcs.node(fields[0])
            elif fields:
                arcs.edge(*fields)
    return arcs.pack()


def _is_delimited(fields: list[str]) -> bool:
    """Whether a line was meant to be split where we do not: `a,b,3`, or `a, b, 3`."""
    if len(fields) == 1:
        return any(delimiter in fields[0] for delimiter in DELIMITERS)
    return any(field[0] in DELIMITERS or field[-1] in DELIMITERS for field in fields)
