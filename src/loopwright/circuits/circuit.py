"""A model → the graph of its components: who reads what whom has written."""

from __future__ import annotations

import json
from collections.abc import Iterator
from dataclasses import dataclass, replace
from functools import cached_property
from typing import Any, get_args

import networkx as nx
import numpy as np

from loopwright.circuits.components import (
    GRAPH,
    HALT,
    LOGITS,
    Columns,
    Grain,
    Port,
    Reader,
    Source,
    erased_at,
    head_name,
    mlp_name,
    parts_of,
    readers_of,
    sources_of,
    unit_name,
    wires_of,
)
from loopwright.circuits.relevance import relevance
from loopwright.errors import LoopwrightError, require_known, require_type
from loopwright.model.weights import HEAD_KINDS, Layer, Weights

JSON = dict[str, Any]


@dataclass(frozen=True)
class Node:
    """A component."""

    name: str
    does: str
    """What it is there for, in the words of the program."""
    ops: tuple[str, ...]
    """The ops of the program that it serves."""
    in_graph: bool
    """Whether an answer can depend on it."""


@dataclass(frozen=True)
class Edge:
    """What one component adds to X, as another reads it.

    In a loop that is all that the source has added so far, in this iteration and those before.
    """

    source: str
    target: str
    port: Port
    columns: tuple[int, ...]
    """The columns through which it goes; none for Ã, and between units of one MLP."""
    variables: tuple[str, ...]
    """The variables that the reader finds in them."""
    carries: bool
    """Whether something that the source wrote is still there when the target reads it. Else it was
    erased meanwhile: whoever erased it added its opposite, and the two cancel in what is read."""
    in_graph: bool
    """Whether the target reads what the source writes, and an answer can depend on the target."""

    @property
    def name(self) -> str:
        """As MIB writes it: `a0.h1->m0`, `m0->a1.h0<q>`."""
        return f"{self.source}->{self.target}" + (f"<{self.port}>" if self.port else "")


@dataclass(frozen=True, repr=False)
class Circuit:
    """Components and edges of a model at one grain; see `circuit`."""

    model: str
    construction: str
    grain: Grain
    nodes: dict[str, Node]
    edges: dict[str, Edge]
    """Name → edge: those in the graph; at the grains of steps and heads, all others as well."""
    possible: int
    """How many edges there could be, if everything that is written were read by everything."""

    @cached_property
    def inside(self) -> dict[str, Edge]:
        """The edges that answers can depend on."""
        return {name: edge for name, edge in self.edges.items() if edge.in_graph}

    def data_flow(self) -> dict[str, Edge]:
        """Of these, the edges along which values travel; the others cancel what was erased."""
        return {name: edge for name, edge in self.inside.items() if edge.carries}

    def as_dict(self) -> JSON:
        """As circuits are exchanged in MIB: `nodes` and `edges`, each with `in_graph`.

        Names and keys are MIB's; but its class `Graph` makes a feed-forward graph of a number of
        layers and heads, in which a loop's edges back, its halting and its starts have no place.
        """
        return {
            "cfg": {"model": self.model, "construction": self.construction, "grain": self.grain},
            "nodes": {
                name: {"in_graph": node.in_graph, "does": node.does, "ops": list(node.ops)}
                for name, node in self.nodes.items()
            },
            "edges": {
                name: {
                    "in_graph": edge.in_graph,
                    "score": float(edge.in_graph),
                    "carries": edge.carries,
                    "variables": list(edge.variables),
                }
                for name, edge in self.edges.items()
            },
        }

    def to_json(self) -> str:
        """The text of a file in MIB's form."""
        return json.dumps(self.as_dict(), ensure_ascii=False, indent=1)

    def to_networkx(self) -> Any:
        """The circuit as an `nx.MultiDiGraph`; edges have their ports as keys. Attributes are text
        and truth values, so that every format that NetworkX writes can hold it."""
        graph: nx.MultiDiGraph[str] = nx.MultiDiGraph(model=self.model, grain=self.grain)
        for node in self.nodes.values():
            if node.in_graph:
                graph.add_node(node.name, does=node.does, ops="; ".join(node.ops))
        for edge in self.inside.values():
            graph.add_edge(
                edge.source,
                edge.target,
                key=edge.port,
                variables="; ".join(edge.variables),
                carries=edge.carries,
            )
        return graph

    def __repr__(self) -> str:
        return (
            f"<Circuit of '{self.model}' ({self.construction}) by {self.grain}: "
            f"{sum(node.in_graph for node in self.nodes.values())} of {len(self.nodes)} nodes, "
            f"{len(self.inside)} of {self.possible} edges, "
            f"{len(self.data_flow())} of which carry a value>"
        )


def circuit(model: Weights, *, grain: Grain = "head") -> Circuit:
    """The components of a model, and which of them read what which others write.

    It is derived from the weights (who reads columns that whom writes) and from the program's data
    flow (what is still there when it is read). Grains: "step", a layer is one node; "head", its
    heads and its MLP; "unit", every hidden unit.

    >>> import loopwright as lw
    >>> found = circuit(lw.compile(lw.algorithms.dijkstra()))
    >>> found.possible, len(found.inside), len(found.data_flow())
    (501, 104, 76)
    >>> found.nodes["a0.h1"].does
    'dists → nearest, over I'
    >>> found.edges["m2->a0.h1<k>"].variables
    ('dists',)

    Raises:
        LoopwrightError: if it is no model, or one that does not say what its parts are there for.
    """
    require_type("model", model, Weights, "what lw.compile(program) or lw.load(path) gives")
    require_known("grain", grain, get_args(Grain))
    if model.basis is not None:
        raise LoopwrightError(
            f"'{model.name}' is in disguise: its circuit is with what lw.disguise gave."
        )
    if grain == "step":
        return by_step(model, circuit(model, grain="head"))
    sources, readers = list(sources_of(model, grain)), list(readers_of(model, grain))
    live = lives(model, sources)
    relevant, useful = relevance(model, grain)
    names = Names(model)
    edges: dict[str, Edge] = {}
    for source in sources:
        for reader in readers:
            through = source.columns & reader.columns
            reads = bool((through & relevant[reader.name, reader.port]).any())
            if reads or grain == "head":
                held = through & live[source.name][reader.moment]
                edge = Edge(
                    source.name,
                    reader.name,
                    reader.port,
                    tuple(map(int, np.flatnonzero(through))),
                    names.of(through, reader),
                    bool(held.any()),
                    reads,
                )
                edges[edge.name] = edge
    for edge in graph_edges(model, grain):
        edges[edge.name] = replace(edge, in_graph=edge.in_graph and edge.target in useful)
    if grain == "unit":
        edges |= {edge.name: edge for edge in unit_edges(model) if edge.target in useful}
    inside = {edge.source for edge in edges.values() if edge.in_graph}
    nodes = {
        name: Node(name, does, ops, name in inside or name in (HALT, LOGITS))
        for name, does, ops in components(model, grain)
    }
    heads = sum(len(layer.heads) for layer in model.layers)
    possible = len(sources) * len(readers) + heads
    if grain == "unit":
        possible += sum(pairs_of_units(layer) for layer in model.layers)
    return Circuit(model.name, model.construction, grain, nodes, edges, possible)


def lives(model: Weights, sources: list[Source]) -> dict[str, list[Columns]]:
    """Source → for every moment, 2L included, the columns in which it still is before that moment.

    What it wrote is followed from moment to moment, until another takes it away; twice around the
    loop, as what one iteration leaves the next may read.
    """
    erased = erased_at(model)
    end = len(erased)
    found: dict[str, list[Columns]] = {}
    for source in sources:
        seen = [np.zeros(model.width, dtype=np.bool_) for _ in range(end + 1)]
        held = source.columns.copy()
        for at in range(source.moment + 1, source.moment + 1 + 2 * (end + 1)):
            moment = at % (end + 1)
            seen[moment] |= held
            if moment < end:
                held = held & ~erased[moment]
        found[source.name] = seen
    return found


def graph_edges(model: Weights, grain: Grain) -> Iterator[Edge]:
    """Ã, for the heads that read through it."""
    for at, layer in enumerate(model.layers):
        for h, head in enumerate(layer.heads):
            through = head.over != "I"
            if through or grain == "head":
                yield Edge(GRAPH, head_name(at, h), "g", (), ("Ã",), through, through)


def unit_edges(model: Weights) -> Iterator[Edge]:
    """Inside of an MLP: a unit and one of the level below."""
    for below, above, *_ in wires_of(model):
        yield Edge(below, above, "", (), (), True, True)


def pairs_of_units(layer: Layer) -> int:
    """How many wires there could be in an MLP, between its levels."""
    first, second, third = (int(np.count_nonzero(w.any(axis=0))) for w in layer.mlp[:3])
    return first * second + second * third


class Names:
    """The variables that columns hold at the moments at which they are read."""

    def __init__(self, model: Weights) -> None:
        self.model, self.last = model, len(model.layers) - 1

    def of(self, columns: Columns, reader: Reader) -> tuple[str, ...]:
        """In the order of the layout; what an MLP reads may have been brought by its layer."""
        layer, mlp = divmod(reader.moment, 2)
        before = layer - 1 if layer else self.last
        layout = self.model.layout
        fields = [*(layout.after(layer) if mlp else ()), *layout.after(before)]
        found = (one.name for one in fields if columns[one.columns].any())
        return tuple(dict.fromkeys(found))


def components(model: Weights, grain: Grain) -> Iterator[tuple[str, str, tuple[str, ...]]]:
    """Every component, what it does, and the ops that it serves."""
    for field in model.layout.after(-1):
        yield f"input.{field.name}", f"the start of {field.name}", ()
    yield GRAPH, "the adjacency matrix Ã", ()
    for at, layer in enumerate(model.layers):
        parts = parts_of(model, layer)
        for h, (head, moves) in enumerate(zip(layer.heads, parts.heads, strict=True)):
            brings = [f"{m.source} → {m.target}" for m in moves if not m.clears]
            clears = dict.fromkeys(m.target for m in moves if m.clears)
            done = [*brings, *([f"clears {', '.join(clears)}"] if clears else [])]
            does = f"{'; '.join(done)}, over {HEAD_KINDS[head.over] if head.over != 'I' else 'I'}"
            yield head_name(at, h), does, tuple(dict.fromkeys(m.op for m in moves))
        if grain == "unit":
            for level, units in enumerate(parts.units, start=1):
                for u, unit in enumerate(units):
                    into = f"for {', '.join(unit.writes)}" if unit.writes else ""
                    gone = f"erases {', '.join(unit.erases)}" if unit.erases else ""
                    does = f"{unit.formula}: {'; '.join(filter(None, (into, gone)))}"
                    yield unit_name(at, level, u), does, (unit.op,)
        else:
            ops = dict.fromkeys(unit.op for units in parts.units for unit in units)
            yield mlp_name(at), f"{layer.name}: writes {', '.join(layer.writes)}", tuple(ops)
    yield HALT, "the loop reads the halting flag", ()
    yield LOGITS, "decoding reads the outputs", ()


def by_step(model: Weights, finer: Circuit) -> Circuit:
    """The same with every layer as one node, `sℓ`, and one edge for all between two of them."""

    def step(name: str) -> str:
        if name[0] in "am" and name[1].isdigit():
            return f"s{name[1:].partition('.')[0]}"
        return name

    nodes: dict[str, Node] = {}
    for node in finer.nodes.values():
        name = step(node.name)
        same = nodes.get(name)
        layer = model.layers[int(name[1:])] if name != node.name else None
        nodes[name] = Node(
            name,
            layer.name if layer else node.does,
            tuple(dict.fromkeys([*(same.ops if same else ()), *node.ops])),
            node.in_graph or bool(same and same.in_graph),
        )
    edges: dict[str, Edge] = {}
    for edge in finer.edges.values():
        source, target = step(edge.source), step(edge.target)
        same = edges.get(f"{source}->{target}")
        both = [edge, *([same] if same else [])]
        inside = [e for e in both if e.in_graph]
        edges[f"{source}->{target}"] = Edge(
            source,
            target,
            "",
            tuple(sorted({c for e in inside for c in e.columns})),
            tuple(dict.fromkeys(v for e in inside for v in e.variables)),
            any(e.carries for e in inside),
            bool(inside),
        )
    return Circuit(finer.model, finer.construction, "step", nodes, edges, len(edges))
