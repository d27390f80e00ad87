"""Connected components: of undirected graphs, weak and strong ones, and how many there are."""

# NetworkX has no complete types.
# pyright: reportUnknownMemberType=false

from __future__ import annotations

from collections.abc import Iterator
from typing import Any

import networkx as nx

from loopwright.algorithms.components import components
from loopwright.algorithms.registry import Algorithm
from loopwright.algorithms.scc import scc
from loopwright.bridges.networkx.asking import ask, certify
from loopwright.bridges.networkx.declare import answers
from loopwright.bridges.networkx.edges import ones
from loopwright.bridges.networkx.levels import by_walk, depth_first
from loopwright.bridges.networkx.snapshot import Node, Snapshot


def by_components(G: Snapshot, **rest: Any) -> None:
    if len(G):
        certify(components, ones(G), {})


def by_scc(G: Snapshot, **rest: Any) -> None:
    if len(G):
        certify(scc, ones(G), {})


def by_scc_and_walk(G: Snapshot, **rest: Any) -> None:
    by_scc(G)
    by_walk(G)


def parts(graph: Snapshot, algorithm: Algorithm) -> list[list[int]]:
    """Rows that have the same component, in the order of the first row of each."""
    if not len(graph):
        return []
    found = ask(algorithm, ones(graph), {}).result["component"]
    named = dict[Any, list[int]]()
    for row in range(len(graph)):
        named.setdefault(found[row], []).append(row)
    return list(named.values())


def names(graph: Snapshot, rows: list[int]) -> set[Node]:
    return {graph.labels[row] for row in rows}


def is_one(graph: Snapshot, algorithm: Algorithm) -> bool:
    if not len(graph):
        raise nx.NetworkXPointlessConcept("Connectivity is undefined for the null graph.")
    return len(parts(graph, algorithm)) == 1


@answers(by_components)
def connected_components(G: Snapshot) -> Iterator[set[Node]]:
    for rows in parts(G, components):
        yield names(G, rows)


@answers(by_components)
def number_connected_components(G: Snapshot) -> int:
    return len(parts(G, components))


@answers(by_components)
def is_connected(G: Snapshot) -> bool:
    return is_one(G, components)


@answers(by_components)
def node_connected_component(G: Snapshot, n: Node) -> set[Node]:
    row = G.row(n)
    return next(names(G, rows) for rows in parts(G, components) if row in rows)


@answers(by_components)
def weakly_connected_components(G: Snapshot) -> Iterator[set[Node]]:
    yield from connected_components(G)


@answers(by_components)
def number_weakly_connected_components(G: Snapshot) -> int:
    return len(parts(G, components))


@answers(by_components)
def is_weakly_connected(G: Snapshot) -> bool:
    return is_one(G, components)


@answers(by_scc_and_walk)
def strongly_connected_components(G: Snapshot) -> Iterator[set[Node]]:
    """In the order in which a depth-first search leaves them: their first node is left last."""
    if len(G):
        left = depth_first(G).left
        for rows in sorted(parts(G, scc), key=lambda rows: max(left[row] for row in rows)):
            yield names(G, rows)


@answers(by_scc)
def number_strongly_connected_components(G: Snapshot) -> int:
    return len(parts(G, scc))


@answers(by_scc)
def is_strongly_connected(G: Snapshot) -> bool:
    return is_one(G, scc)
