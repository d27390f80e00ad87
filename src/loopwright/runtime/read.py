"""A file → Graph: a whitespace edge list, or GraphML. Errors say file and line."""

from __future__ import annotations

from collections.abc import Iterator
from os import PathLike
from pathlib import Path
from xml.etree.ElementTree import ParseError

import networkx as nx

from loopwright.errors import GraphError
from loopwright.runtime.graph import Graph, complain_about_weight, exact_weight


def read_graph(path: str | PathLike[str]) -> Graph:
    """Read `*.graphml` as GraphML, anything else as an edge list; labels are text.

    An edge list has a line `tail head [weight]` for each edge, or one label for a node without
    edges; `#` starts a comment. Edges are directed; `Graph.undirected` makes both directions.

    Raises:
        GraphError: naming file and line.
    """
    path = Path(path)
    try:
        if path.suffix.lower() == ".graphml":
            return _read_graphml(path)
        text = path.read_text(encoding="utf-8")
    except OSError as problem:
        raise GraphError(f"{path}: {problem.strerror or problem}.") from None
    except UnicodeDecodeError:
        raise GraphError(f"{path}: not a text file (expected UTF-8).") from None
    nodes: dict[str, None] = {}
    edges = list(_read_edges(path, text, nodes))
    try:
        return Graph.from_edges(edges, nodes=nodes)
    except GraphError as problem:
        raise GraphError(f"{path}: {problem}") from None


def _read_edges(path: Path, text: str, nodes: dict[str, None]) -> Iterator[tuple[object, ...]]:
    """The edges of an edge list; `nodes` collects labels in order of appearance."""
    for number, line in enumerate(text.splitlines(), start=1):
        fields = line.partition("#")[0].split()
        if len(fields) > 3:
            raise GraphError(
                f"{path}:{number}: expected 'tail head [weight]', got {len(fields)} fields."
            )
        nodes.update(dict.fromkeys(fields[:2]))
        if len(fields) < 2:
            continue
        if len(fields) == 3:
            weight = _read_weight(path, number, fields[2])
            yield (fields[0], fields[1], weight)
        else:
            yield tuple(fields)


def _read_weight(path: Path, number: int, text: str) -> object:
    try:
        weight = float(text) if text.lower().lstrip("+-") in ("nan", "inf", "infinity") else None
        weight = exact_weight(text) if weight is None else weight
    except GraphError:
        raise GraphError(f"{path}:{number}: weight '{text}' is not a number.") from None
    if not 0 < weight < float("inf"):
        raise GraphError(f"{path}:{number}: {complain_about_weight(weight)}")
    return weight


def _read_graphml(path: Path) -> Graph:
    try:
        graph = nx.read_graphml(path)
    except (ParseError, nx.NetworkXError, KeyError, ValueError, TypeError) as problem:
        raise GraphError(f"{path}: not a GraphML file that can be read: {problem}.") from None
    try:
        return Graph.from_networkx(graph)
    except GraphError as problem:
        raise GraphError(f"{path}: {problem}") from None
