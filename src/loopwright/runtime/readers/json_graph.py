"""JSON → Graph: networkx's node-link form (`edges` or `links`) or its adjacency form.

    {"directed": true, "nodes": [{"id": "a"}, {"id": "b"}],
     "edges": [{"source": "a", "target": "b", "weight": 2}]}          node-link
     "adjacency": [[{"id": "b", "weight": 2}], []]                    adjacency, beside `nodes`

Walked here rather than by networkx, which keeps the last of two weights and invents missing nodes.
"""

from __future__ import annotations

import json
from collections.abc import Callable, Iterator
from math import isfinite
from typing import Any, cast

from loopwright.errors import GraphError, brief
from loopwright.runtime.arcs import Arcs, Label
from loopwright.runtime.graph import Graph
from loopwright.runtime.readers.caps import MOST_DOCUMENT_BYTES
from loopwright.runtime.readers.source import Source

FORMS = "expected an object with 'nodes' and either 'edges', 'links' or 'adjacency'"


def read_json(source: Source) -> Graph:
    """Directed unless it says `"directed": false`; labels are text, numbers, or lists of them.

    Raises:
        GraphError: naming the file, and the line or the entry.
    """
    data = _parse(source)
    if not isinstance(data, dict):
        raise source.error(FORMS)
    document = cast("dict[str, Any]", data)
    if _flag(document, "multigraph", default=False):
        raise source.error("a multigraph can have several edges between two nodes: reduce it first")
    forms: dict[str, Callable[[list[Any], Arcs], None]] = {
        "edges": _add_edges,
        "links": _add_edges,
        "adjacency": _add_neighbours,
    }
    present = [name for name in forms if isinstance(document.get(name), list)]
    if len(present) != 1 or not isinstance(document.get("nodes"), list):
        raise source.error(FORMS)
    arcs = source.arcs()
    for place, node in _objects(document["nodes"], "nodes"):
        label, known = _label(node, "id", place), len(arcs.rows)
        if arcs.node(label) < known:
            raise GraphError(f"{place}: another node is called {brief(label)} too.")
    forms[present[0]](document[present[0]], arcs)
    return Graph.from_arcs(arcs, directed=_flag(document, "directed", default=True))


def _parse(source: Source) -> object:
    try:
        text = source.content(MOST_DOCUMENT_BYTES).decode("utf-8-sig")
        return json.loads(text)
    except UnicodeDecodeError:
        raise source.not_text() from None
    except json.JSONDecodeError as problem:
        raise source.error(f"not JSON: {problem.msg}", line=problem.lineno) from None
    except RecursionError:
        raise source.error("not a graph as JSON: its lists are too deep") from None
    except ValueError as problem:  # an integer of thousands of digits
        raise source.error(f"not JSON that can be read: {problem}") from None


def _add_edges(entries: list[Any], arcs: Arcs) -> None:
    for place, edge in _objects(entries, "edges"):
        tail, head = (_known(edge, end, place, arcs) for end in ("source", "target"))
        arcs.edge(tail, head, edge.get("weight", 1))


def _add_neighbours(entries: list[Any], arcs: Arcs) -> None:
    """A list for each node, in the order of `nodes`, of those that its edges lead to."""
    tails = list(arcs.rows)
    if len(entries) != len(tails):
        raise GraphError(f"adjacency has {len(entries)} lists for {len(tails)} nodes.")
    for i, (tail, neighbours) in enumerate(zip(tails, entries, strict=True)):
        if not isinstance(neighbours, list):
            raise GraphError(f"adjacency[{i}]: expected a list of objects.")
        for place, edge in _objects(cast("list[Any]", neighbours), f"adjacency[{i}]"):
            arcs.edge(tail, _known(edge, "id", place, arcs), edge.get("weight", 1))


def _objects(entries: list[Any], name: str) -> Iterator[tuple[str, dict[str, Any]]]:
    for i, entry in enumerate(entries):
        if not isinstance(entry, dict):
            raise GraphError(f"{name}[{i}]: expected an object.")
        yield f"{name}[{i}]", cast("dict[str, Any]", entry)


def _label(entry: dict[str, Any], key: str, place: str) -> Label:
    """A label that can be told from others: true would be the same node as 1."""
    label = entry.get(key)
    parts = cast("list[Any]", label) if isinstance(label, list) else [label]
    for part in parts:
        number = isinstance(part, int | float) and not isinstance(part, bool) and isfinite(part)
        if not (isinstance(part, str) or number):
            raise GraphError(f"{place}: expected '{key}' to be a label, text or a number.")
    return tuple(parts) if isinstance(label, list) else label


def _known(entry: dict[str, Any], key: str, place: str, arcs: Arcs) -> Label:
    label = _label(entry, key, place)
    if label not in arcs.rows:
        raise GraphError(f"{place}: its {key} {brief(label)} is not among the nodes.")
    return label


def _flag(document: dict[str, Any], key: str, *, default: bool) -> bool:
    value = document.get(key, default)
    if not isinstance(value, bool):
        raise GraphError(f"'{key}' must be true or false, got {brief(value)}.")
    return value
