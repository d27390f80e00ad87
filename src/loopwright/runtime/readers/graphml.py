"""GraphML → the parts of a graph, element by element: nothing but labels, ends and weights is kept.

Read here with expat rather than by `networkx.read_graphml`, which makes another graph of a broken
or unusual file without a word: an edge without target leads to a node called "None", ends that
nobody declared become nodes, default weights and all graphs but the first are left out, and the
last of two weights counts. Its errors have no lines, and the tree that it builds of 16 MiB of empty
elements takes some 700 MB (networkx 3.6). A document type is refused, since it can define entities:
those that multiply, and those that fetch.
"""

from __future__ import annotations

from fractions import Fraction
from typing import NoReturn
from xml.parsers import expat

from loopwright.errors import GraphError, brief
from loopwright.runtime.arcs import Arcs, GraphParts
from loopwright.runtime.attributes import refuse_to_guess
from loopwright.runtime.edge_weights import exact_weight
from loopwright.runtime.readers.caps import (
    DEEPEST,
    LONGEST_LINE,
    MOST_DOCUMENT_BYTES,
    MOST_ELEMENTS,
)
from loopwright.runtime.readers.source import Source

EXACT_TYPES = ("int", "long", "string")
"""Weights of these types are as they are written; those of any other are the nearest double."""

NUMBER_TYPES = ("int", "long", "float", "double")

SKIPPED = ""
"""What `Reader.within` has for an element that is not read, and neither is what is inside of it."""

BROKEN = "not a GraphML file that can be read"


def read_graphml(source: Source, weight: str | None) -> GraphParts:
    """Labels are the nodes' ids, weights the edges' data of this name, or its default, or 1."""
    content = source.content(MOST_DOCUMENT_BYTES)
    parser = expat.ParserCreate(namespace_separator=" ")
    reader = Reader(source.arcs(), weight)
    parser.buffer_text = True
    parser.StartElementHandler = reader.start
    parser.EndElementHandler = reader.end
    parser.CharacterDataHandler = reader.hear
    parser.StartDoctypeDeclHandler = refuse_doctype
    try:
        with source.parsing("a GraphML file"):
            parser.Parse(content, True)
    except GraphError:
        source.line = parser.CurrentLineNumber
        raise
    if reader.directed is None:
        raise GraphError(f"{BROKEN}: it has no element 'graph'")
    return reader.arcs.pack(directed=reader.directed)


class Reader:
    """What has been read so far. Its handlers raise; `read_graphml` adds file and line."""

    def __init__(self, arcs: Arcs, wanted: str | None) -> None:
        self.arcs = arcs
        self.wanted = wanted
        """The name of the data that are weights."""
        self.weighted = False
        """Whether there is a weight, of an edge or as a default."""
        self.numbers: dict[str, str] = {}
        """Key → name, of data that are numbers but not called as what is wanted."""
        self.unread: dict[str, None] = {}
        """The names of such data that edges have."""
        self.directed: bool | None = None
        self.elements = 0
        self.within = ["document"]
        """The names of the elements that are open, from the outside."""
        self.nodes: set[str] = set()
        """The nodes that are declared so far; an edge may come before those that it joins."""
        self.types: dict[str, str | None] = {}
        """Key → the type of the weights that it means, or None if it means something else.
        There can be several: networkx writes one for weights that are ints, and one for floats."""
        self.key = ""
        self.default: Fraction | float | None = None
        self.edge = ("", "")
        self.weight: Fraction | float | None = None
        self.heard: list[str] | None = None
        """The text of a weight so far; None outside of one."""

    def start(self, name: str, attributes: dict[str, str]) -> None:
        tag = name.rpartition(" ")[2]
        self.elements += 1
        if self.elements > MOST_ELEMENTS or len(self.within) > DEEPEST:
            raise GraphError(f"more than {MOST_ELEMENTS:,} elements, or deeper than {DEEPEST}")
        if sum(map(len, attributes.values())) > LONGEST_LINE:
            raise GraphError(f"attributes of more than {LONGEST_LINE:,} characters")
        if self.heard is not None:
            raise GraphError(f"the element '{brief(tag)}' in a weight: expected a number")
        try:
            self.within.append(self.enter(tag, attributes))
        except KeyError as missing:
            raise GraphError(f"{BROKEN}: expected {tag} to have the attribute {missing}") from None

    def enter(self, tag: str, attributes: dict[str, str]) -> str:
        """Read the attributes of an element; its name, or `SKIPPED`.

        Raises:
            KeyError: if there is one too few.
        """
        match self.within[-1], tag:
            case "graph", "node":
                self.add_node(attributes["id"])
            case "graph", "edge":
                self.start_edge(attributes)
            case "edge", "data":
                self.start_data(attributes["key"])
            case "document", "graphml":
                pass
            case "document", _:
                raise GraphError(f"{BROKEN}: its root is '{brief(tag)}', expected 'graphml'")
            case "graphml", "key":
                self.start_key(attributes)
            case "key", "default":
                self.heard = None if self.types[self.key] is None else []
            case "graphml", "graph" if self.directed is None:
                self.start_graph(attributes)
            case _, "graph":
                raise GraphError("a second graph, or one within a node: expected one graph")
            case _, "hyperedge":
                raise GraphError("a hyperedge joins more than two nodes: expected edges")
            case _:
                return SKIPPED
        return tag

    def start_key(self, attributes: dict[str, str]) -> None:
        if self.directed is not None:
            raise GraphError("a key after the graph: expected all keys before it")
        self.key = attributes["id"]
        if self.key in self.types:
            raise GraphError(f"key '{brief(self.key)}' is declared twice")
        for_edges = attributes.get("for", "all") in ("edge", "all")
        name, kind = attributes.get("attr.name", ""), attributes.get("attr.type", "string")
        self.types[self.key] = kind if for_edges and name == self.wanted else None
        if for_edges and name != self.wanted and kind in NUMBER_TYPES:
            self.numbers[self.key] = name

    def start_graph(self, attributes: dict[str, str]) -> None:
        default = attributes.get("edgedefault")
        if default not in ("directed", "undirected"):
            raise GraphError("a graph's edgedefault must be 'directed' or 'undirected'")
        self.directed = default == "directed"

    def add_node(self, label: str) -> None:
        if label in self.nodes:
            raise GraphError(f"node '{brief(label)}' is given twice")
        self.nodes.add(label)
        self.arcs.node(label)

    def start_edge(self, attributes: dict[str, str]) -> None:
        other = "false" if self.directed else "true"
        if attributes.get("directed") == other:
            raise GraphError("directed and undirected edges are mixed: expected one kind")
        self.edge = attributes["source"], attributes["target"]
        self.weight = None

    def start_data(self, key: str) -> None:
        if key not in self.types:
            raise GraphError(f"data of the key '{brief(key)}', which is not declared")
        self.key = key
        if key in self.numbers:
            self.unread[self.numbers[key]] = None
        if self.types[key] is not None:
            if self.weight is not None:
                raise GraphError("an edge has two weights: expected one")
            self.heard = []

    def hear(self, text: str) -> None:
        if self.heard is not None:
            self.heard.append(text)

    def end(self, name: str) -> None:
        tag = self.within.pop()
        if self.heard is not None:
            exact = exact_weight("".join(self.heard).strip())
            number = exact if self.types[self.key] in EXACT_TYPES else float(exact)
            self.heard = None
            self.weighted = True
            if tag == "data":
                self.weight = number
            elif self.default is None:
                self.default = number
            else:
                raise GraphError("two default weights: expected one")
        elif tag == "edge":
            given = self.default if self.weight is None else self.weight
            self.arcs.edge(*self.edge, 1.0 if given is None else given)
        elif tag == "graph" and len(self.nodes) != len(self.arcs.rows):
            strange = next(label for label in self.arcs.rows if label not in self.nodes)
            raise GraphError(f"an edge's end '{brief(strange)}' is not among the nodes")
        elif tag == "graph" and not self.weighted and self.arcs.has_edges:
            refuse_to_guess(self.wanted, self.unread)


def refuse_doctype(*_: object) -> NoReturn:
    raise GraphError("a document type (<!DOCTYPE …>) is not read: remove it, and its entities")
