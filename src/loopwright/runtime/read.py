"""A file → the parts of a graph: the suffix says which reader. See docs/inputs.md."""

from __future__ import annotations

from collections.abc import Mapping
from importlib import import_module
from typing import Any

from loopwright.runtime.arcs import GraphParts
from loopwright.runtime.attributes import WEIGHT, without_names
from loopwright.runtime.readers.source import Source

ATTRIBUTED: Mapping[str, str] = {
    ".csv": "table.read_table",
    ".tsv": "table.read_table",
    ".graphml": "graphml.read_graphml",
    ".gml": "gml.read_gml",
    ".json": "json_graph.read_json",
}
"""Suffix → reader of a format in which what edges have is named, and so which is the weight. It
takes a source, and the name of the attribute that is meant."""

PLAIN: Mapping[str, str] = {
    ".mtx": "matrix_market.read_matrix_market",
    ".npz": "npz.read_npz",
}
"""Suffix → reader of a format in which an edge has one number; any other file is an edge list. It
takes a source."""


def read_parts(source: Source, *, weight: str | None = WEIGHT) -> GraphParts:
    """Read the format that the suffix names, with `.gz` or not; else lines `tail head [weight]`.

    Edges are directed unless the format says otherwise. `weight` is the attribute that is read as
    their weight, where they have attributes.
    """
    if source.suffix in ATTRIBUTED:
        return _reader(ATTRIBUTED[source.suffix])(source, weight)
    name = PLAIN.get(source.suffix, "edge_list.read_edge_list")
    return without_names(_reader(name)(source), weight)


def _reader(name: str) -> Any:
    """A reader by the name of its module and its own; those of other formats are not imported."""
    module, _, function = name.partition(".")
    return getattr(import_module(f"loopwright.runtime.readers.{module}"), function)
