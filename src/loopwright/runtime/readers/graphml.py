"""GraphML → Graph, element by element: nothing is kept but labels, ends and weights.

Read with expat rather than as a tree: the memory is bounded, errors have lines, and what would make
another graph of it in silence (a second graph, a default weight, an end that is missing) is seen.
A document type is refused, since it can define entities: those that multiply, and those that fetch.
"""

from __future__ import annotations

from dataclasses import dataclass, field
from typing import NoReturn
from xml.parsers import expat

from loopwright.errors import GraphError, brief
from loopwright.runtime.arcs import Arcs
from loopwright.runtime.edge_weights import WORDS_FOR_NO_NUMBER, exact_weight
from loopwright.runtime.graph import Graph
from loopwright.runtime.readers.caps import (
    DEEPEST,
    LONGEST_LINE,
    MOST_DOCUMENT_BYTES,
    MOST_ELEMENTS,
)
from loopwright.runtime.readers.source import FileError, Source

EXACT_TYPES = ("int", "long", "string")
FOR_EDGES = ("edge", "all")
BROKEN = "not a GraphML file that can be read"


def read_graphml(source: Source) -> Graph:
    """Labels are the nodes' ids, weights the edges' data called `weight`, or its default, or 1.

    Raises:
        GraphError: naming file and line.
    """
    content = source.content(MOST_DOCUMENT_BYTES)
    parser = expat.ParserCreate(namespace_separator=" ")
    reader = Reader(source, parser, source.arcs())
    parser.buffer_text = True
    parser.StartElementHandler = reader.start
    parser.EndElementHandler = reader.end
    parser.CharacterDataHandler = reader.text
    parser.StartDoctypeDeclHandler = reader.refuse_doctype
    try:
        parser.Parse(content, True)
    except expat.ExpatError as problem:
        raise source.error(f"{BROKEN}: {problem}", line=problem.lineno) from None
    except FileError:
        raise
    except GraphError as problem:
        raise source.error(problem, line=parser.CurrentLineNumber) from None
    except Exception as problem:  # an encoding that there is not, or not for XML
        raise source.error(f"{BROKEN}: {problem}") from None
    if reader.directed is None:
        raise source.error(f"{BROKEN}: it has no element 'graph'")
    return Graph.from_arcs(reader.arcs, directed=reader.directed)


@dataclass
class Reader:
    """What has been read so far. Handlers raise; `read_graphml` adds the line."""

    source: Source
    parser: expat.XMLParserType
    arcs: Arcs
    directed: bool | None = None
    path: list[str] = field(default_factory=list[str])
    elements: int = 0
    key: str = ""
    keys: set[str] = field(default_factory=set[str])
    weight_types: dict[str, str] = field(default_factory=dict[str, str])
    """Key → type, for each that means weights: networkx writes one for ints and one for floats."""
    default: object = None
    nodes: set[str] = field(default_factory=set[str])
    edge: tuple[str, str] = ("", "")
    weight: object = None
    heard: str | None = None
    """The text of a weight so far; None outside of one."""

    def start(self, name: str, attributes: dict[str, str]) -> None:
        tag = name.rpartition(" ")[2]
        self.elements += 1
        if not self.path and tag != "graphml":
            raise GraphError(f"{BROKEN}: its root is '{brief(tag)}', expected 'graphml'")
        if self.elements > MOST_ELEMENTS or len(self.path) >= DEEPEST:
            raise GraphError(f"more than {MOST_ELEMENTS:,} elements, or deeper than {DEEPEST}")
        if sum(map(len, attributes.values())) > LONGEST_LINE:
            raise GraphError(f"attributes of more than {LONGEST_LINE:,} characters")
        self.path.append(tag)
        within = "/".join(self.path)
        if tag == "key":
            self.start_key(attributes)
        elif tag == "graph":
            self.start_graph(attributes)
        elif tag == "hyperedge":
            raise GraphError("a hyperedge joins more than two nodes: expected edges")
        elif within == "graphml/graph/node":
            self.add_node(need(attributes, "node", "id"))
        elif within == "graphml/graph/edge":
            self.start_edge(attributes)
        elif within == "graphml/graph/edge/data":
            self.start_data(attributes)
        elif within == "graphml/key/default" and self.key in self.weight_types:
            self.heard = ""

    def start_key(self, attributes: dict[str, str]) -> None:
        """Remember which key means weights; its `default` follows, if there is one."""
        if self.directed is not None:
            raise GraphError("a key after the graph: expected all keys before it")
        self.key = key = need(attributes, "key", "id")
        self.keys.add(key)
        if attributes.get("attr.name") == "weight" and attributes.get("for", "all") in FOR_EDGES:
            self.weight_types[key] = attributes.get("attr.type", "string")

    def start_graph(self, attributes: dict[str, str]) -> None:
        if self.directed is not None:
            raise GraphError("a second graph, or one within a node: expected one graph")
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
        self.edge = need(attributes, "edge", "source"), need(attributes, "edge", "target")
        self.weight = None

    def start_data(self, attributes: dict[str, str]) -> None:
        self.key = need(attributes, "data", "key")
        if self.key not in self.keys:
            raise GraphError(f"data of the key '{brief(self.key)}', which is not declared")
        if self.key in self.weight_types:
            if self.weight is not None:
                raise GraphError("an edge has two weights: expected one")
            self.heard = ""

    def text(self, text: str) -> None:
        if self.heard is not None:
            self.heard += text
            if len(self.heard) > LONGEST_LINE:
                raise GraphError(f"a weight of more than {LONGEST_LINE:,} characters")

    def end(self, name: str) -> None:
        tag = self.path.pop()
        if tag == "data" and self.heard is not None:
            self.weight, self.heard = self.number(self.heard), None
        elif tag == "default" and self.heard is not None:
            if self.default is not None:
                raise GraphError("two default weights: expected one")
            self.default, self.heard = self.number(self.heard), None
        elif tag == "edge" and self.path == ["graphml", "graph"]:
            given = self.default if self.weight is None else self.weight
            self.arcs.edge(*self.edge, 1.0 if given is None else given)
        elif tag == "graph" and len(self.nodes) != len(self.arcs.rows):
            strange = next(label for label in self.arcs.rows if label not in self.nodes)
            raise GraphError(f"an edge's end '{brief(strange)}' is not among the nodes")

    def number(self, weight: str) -> object:
        """A weight as its type has it: 0.1 is one tenth as text, and the nearest double as one."""
        text = weight.strip()
        if text.lower().lstrip("+-") in WORDS_FOR_NO_NUMBER:
            return float(text)
        exact = exact_weight(text)
        return exact if self.weight_types[self.key] in EXACT_TYPES else float(exact)

    def refuse_doctype(self, *_: object) -> NoReturn:
        raise GraphError("a document type (<!DOCTYPE …>) is not read: remove it, and its entities")


def need(attributes: dict[str, str], tag: str, name: str) -> str:
    """An attribute that an element must have.

    Raises:
        GraphError: if it does not.
    """
    if name not in attributes:
        raise GraphError(f"{BROKEN}: expected {tag} to have the attribute '{name}'")
    return attributes[name]
