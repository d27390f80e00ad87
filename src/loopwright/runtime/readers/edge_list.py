"""Lines `tail head [weight]` → Graph. One label alone is a node; `#` starts a comment."""

from __future__ import annotations

from loopwright.errors import GraphError
from loopwright.runtime.edge_weights import weight_from_text
from loopwright.runtime.graph import Graph
from loopwright.runtime.readers.source import Source


def read_edge_list(source: Source) -> Graph:
    """Directed edges between labels that are text, weights as they are written (1/3 is a third).

    Raises:
        GraphError: naming file and line.
    """
    arcs = source.arcs()
    for number, line in source.lines():
        fields = line.partition("#")[0].split()
        try:
            if len(fields) > 3:
                raise GraphError(f"expected 'tail head [weight]', got {len(fields)} fields.")
            if len(fields) == 1:
                arcs.node(fields[0])
            elif len(fields) == 2:
                arcs.edge(fields[0], fields[1])
            elif fields:
                arcs.edge(fields[0], fields[1], weight_from_text(fields[2]))
        except GraphError as problem:
            raise source.error(problem, line=number) from None
    return Graph.from_arcs(arcs)
