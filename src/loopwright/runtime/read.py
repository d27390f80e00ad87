"""A file → the parts of a graph: the suffix says which reader. See docs/inputs.md."""

from __future__ import annotations

from collections.abc import Callable, Mapping

from loopwright.runtime.arcs import GraphParts
from loopwright.runtime.attributes import WEIGHT, without_names
from loopwright.runtime.readers.edge_list import read_edge_list
from loopwright.runtime.readers.gml import read_gml
from loopwright.runtime.readers.graphml import read_graphml
from loopwright.runtime.readers.json_graph import read_json
from loopwright.runtime.readers.matrix_market import read_matrix_market
from loopwright.runtime.readers.npz import read_npz
from loopwright.runtime.readers.source import Source
from loopwright.runtime.readers.table import read_table

ATTRIBUTED: Mapping[str, Callable[[Source, str | None], GraphParts]] = {
    ".csv": read_table,
    ".tsv": read_table,
    ".graphml": read_graphml,
    ".gml": read_gml,
    ".json": read_json,
}
"""Suffix → reader of a format in which what edges have is named, and so which is the weight."""

PLAIN: Mapping[str, Callable[[Source], GraphParts]] = {
    ".mtx": read_matrix_market,
    ".npz": read_npz,
}
"""Suffix → reader of a format in which an edge has one number; any other file is an edge list."""


def read_parts(source: Source, *, weight: str | None = WEIGHT) -> GraphParts:
    """Read the format that the suffix names, with `.gz` or not; else lines `tail head [weight]`.

    Edges are directed unless the format says otherwise. `weight` is the attribute that is read as
    their weight, where they have attributes.
    """
    if source.suffix in ATTRIBUTED:
        return ATTRIBUTED[source.suffix](source, weight)
    return without_names(PLAIN.get(source.suffix, read_edge_list)(source), weight)
