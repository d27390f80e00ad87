"""JSON → the parts of a graph: networkx's node-link form (`edges` or `links`), or its adjacency.

    {"directed": true, "nodes": [{"id": "a"}, {"id": "b"}],
     "edges": [{"source": "a", "target": "b", "weight": 2}]}          node-link
     "adjacency": [[{"id": "b", "weight": 2}], []]                    adjacency, beside `nodes`

Walked here rather than by networkx, which makes another graph of a broken document without a word:
`node_link_graph` invents the nodes that edges name and nobody declared, calls a node without `id`
by a number, takes `true` and 1 for one node, keeps the last of two weights, and says of an entry
that it cannot use neither where it is nor what it should be (networkx 3.6).
"""

from __future__ import annotations

import json
from collections.abc import Iterator
from itertools import chain
from math import isfinite
from typing import Any, cast

from loopwright.errors import GraphError, brief
from loopwright.runtime.arcs import MULTIGRAPH, Arcs, GraphParts, Label
from loopwright.runtime.attributes import check_attribute
from loopwright.runtime.readers.caps import MOST_DOCUMENT_BYTES
from loopwright.runtime.readers.source import Source

FORMS = ("edges", "links", "adjacency")


def read_json(source: Source, weight: str | None) -> GraphParts:
    """Directed unless it says `"directed": false`; labels are text, numbers, or lists of them."""
    content = source.content(MOST_DOCUMENT_BYTES)
    try:
        text = content.decode("utf-8-sig")
    except UnicodeDecodeError:
        raise source.not_text() from None
    with source.parsing("JSON"):
        data = json.loads(text)
    document = cast("dict[str, Any]", data) if isinstance(data, dict) else {}
    present = [form for form in FORMS if isinstance(document.get(form), list)]
    if len(present) != 1 or not isinstance(document.get("nodes"), list):
        raise GraphError(
            "expected an object with 'nodes' and either 'edges', 'links' or 'adjacency'"
        )
    if _flag(document, "multigraph", default=False):
        raise GraphError(MULTIGRAPH)
    arcs = source.arcs()
    for count, (place, node) in enumerate(_objects(document["nodes"], "nodes")):
        label = _label(node, "id", place)
        if arcs.node(label) != count:
            raise GraphError(f"{place}: another node is called {brief(label)} too.")
    entries: list[Any] = document[present[0]]
    nested = present == ["adjacency"]
    check_attribute(weight, _attributes(entries, nested=nested))
    add = _add_neighbours if nested else _add_edges
    add(entries, arcs, weight)
    return arcs.pack(directed=_flag(document, "directed", default=True))


def _add_edges(entries: list[Any], arcs: Arcs, weight: str | None) -> None:
    for place, edge in _objects(entries, "edges"):
        tail, head = (_known_label(edge, end, place, arcs) for end in ("source", "target"))
        arcs.edge(tail, head, _weight(edge, weight))


def _add_neighbours(entries: list[Any], arcs: Arcs, weight: str | None) -> None:
    """A list for each node, in the order of `nodes`, of those that its edges lead to."""
    tails = list(arcs.rows)
    if len(entries) != len(tails):
        raise GraphError(f"adjacency has {len(entries)} lists for {len(tails)} nodes.")
    for i, (tail, neighbours) in enumerate(zip(tails, entries, strict=True)):
        if not isinstance(neighbours, list):
            raise GraphError(f"adjacency[{i}]: expected a list of objects.")
        for place, edge in _objects(cast("list[Any]", neighbours), f"adjacency[{i}]"):
            arcs.edge(tail, _known_label(edge, "id", place, arcs), _weight(edge, weight))


def _attributes(entries: list[Any], *, nested: bool) -> Iterator[dict[str, Any]]:
    """What edges have; entries that are no edges are refused where they are read."""
    lists = entries if nested else [entries]
    edges = chain.from_iterable(cast("list[Any]", one) for one in lists if isinstance(one, list))
    return (cast("dict[str, Any]", edge) for edge in edges if isinstance(edge, dict))


def _weight(edge: dict[str, Any], weight: str | None) -> Any:
    return 1 if weight is None else edge.get(weight, 1)


def _objects(entries: list[Any], name: str) -> Iterator[tuple[str, dict[str, Any]]]:
    """Each entry of a list, and its place for messages, such as `edges[3]`."""
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


def _known_label(entry: dict[str, Any], key: str, place: str, arcs: Arcs) -> Label:
    label = _label(entry, key, place)
    if label not in arcs.rows:
        raise GraphError(f"{place}: its {key} {brief(label)} is not among the nodes.")
    return label


def _flag(document: dict[str, Any], key: str, *, default: bool) -> bool:
    value = document.get(key, default)
    if not isinstance(value, bool):
        raise GraphError(f"'{key}' must be true or false, got {brief(value)}.")
    return value
