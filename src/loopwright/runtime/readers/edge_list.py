"""Lines `tail head [weight]` → the parts of a graph. `#` starts a comment."""

from __future__ import annotations

from loopwright.errors import GraphError
from loopwright.runtime.arcs import GraphParts
from loopwright.runtime.readers.source import Source


def read_edge_list(source: Source) -> GraphParts:
    """Directed edges between labels that are text; one label alone in a line is a node.

    Weights are as they are written: 1/3 is a third.
    """
    arcs = source.arcs()
    with source.lines() as lines:
        for line in lines:
            fields = line.partition("#")[0].split()
            if len(fields) > 3:
                raise GraphError(f"expected 'tail head [weight]', got {len(fields)} fields.")
            if len(fields) == 1:
                arcs.node(fields[0])
            elif fields:
                arcs.edge(*fields)
    return arcs.pack()
