"""A run of a shortest-path program, written down as NetworkX does."""

# NetworkX has no complete types.
# pyright: reportUnknownMemberType=false

from __future__ import annotations

from collections.abc import Iterable
from functools import cached_property
from typing import Any

import networkx as nx
import numpy as np

from loopwright.bridges.networkx.asking import ask
from loopwright.bridges.networkx.columns import Columns, Predecessors
from loopwright.bridges.networkx.edges import Edges
from loopwright.bridges.networkx.programs.shortest import bellman_ford_in_order, dijkstra_in_order
from loopwright.bridges.networkx.snapshot import Node, Snapshot
from loopwright.errors import DidNotHalt, FailedCheck


class Routes:
    """Lengths, paths and predecessors, in the order of NetworkX's dicts."""

    def __init__(
        self, graph: Snapshot, edges: Edges, columns: Columns, tied: Predecessors, order: str
    ) -> None:
        assert edges.costs is not None
        self.graph, self.costs, self.columns, self.tied = graph, edges.costs, columns, tied
        self.rows = columns.in_order(columns.where("reached"), by=order)
        self.prev = columns["prev"]

    def __contains__(self, node: Node) -> bool:
        return node in self._lengths

    def length(self, node: Node) -> Any:
        return self._lengths[node]

    def lengths(self) -> dict[Node, Any]:
        return dict(self._lengths)

    @cached_property
    def _lengths(self) -> dict[Node, Any]:
        """What the run found, as a number of the type that NetworkX's sums have.

        It gets that type by being added up along the path that the run found, from the source on; a
        sum that is another number than the run's would be a mistake of ours.

        Raises:
            FailedCheck: in that case.
        """
        dists, labels, found = self.columns["dists"], self.graph.labels, dict[int, Any]()
        for row in self.rows:
            way = [row]
            while way[-1] not in found and self.prev[way[-1]] != way[-1]:
                way.append(self.prev[way[-1]])
            found.setdefault(way[-1], 0)
            for u, v in zip(way[:0:-1], way[-2::-1], strict=True):
                found[v] = found[u] + self.costs.given[labels[u], labels[v]]
            if found[row] != dists[row] * self.costs.unit:
                raise FailedCheck(
                    f"a path of length {found[row]} was found to be "
                    f"{dists[row] * self.costs.unit} long."
                )
        return {labels[row]: found[row] for row in self.rows}

    def path(self, node: Node) -> list[Node]:
        way = [self.graph.row(node)]
        while self.prev[way[-1]] != way[-1]:
            way.append(self.prev[way[-1]])
        return self.columns.names(way[::-1])

    def paths(self) -> dict[Node, list[Node]]:
        return {node: self.path(node) for node in self._lengths}

    def predecessors(self) -> dict[Node, list[Node]]:
        """Everyone who precedes a node on some shortest path, in the order of their discovery."""
        rows = self.columns.in_order(self.rows, by="seen")
        names, found = self.columns.names, self.tied.found
        return {self.graph.labels[row]: names(found.get(row, ())) for row in rows}


def question(
    edges: Edges, sources: Iterable[int], cutoff: Any = None, *, bound: bool = True
) -> dict[str, Any]:
    """What the programs are told besides Ã: who begins, and the numbers that belong to Ã."""
    assert edges.costs is not None
    starts = list(sources)
    source, queued = np.zeros(edges.graph.n, dtype=int), np.zeros(edges.graph.n, dtype=int)
    source[starts], queued[starts] = 1, np.arange(len(starts))
    inputs = {
        "starts": source,
        "closed": 1 - source,
        "queued": queued,
        "base": max(len(starts), 1),
        "stride": edges.stride,
        "offset": edges.costs.offset,
        "count": edges.nodes,
    }
    if bound:
        inputs["cutoff"] = edges.costs.within(cutoff, edges.longest)
    return inputs


def dijkstra(
    graph: Snapshot,
    edges: Edges,
    sources: Iterable[Node],
    cutoff: Any = None,
    *,
    ties: bool = False,
) -> Routes:
    """With `ties`, every iteration is looked at, for all that precede a node."""
    inputs = question(edges, map(graph.row, dict.fromkeys(sources)), cutoff)
    tied = Predecessors("closer", "equal")
    answer = ask(dijkstra_in_order, edges, inputs, observers=[tied] if ties else [])
    return Routes(graph, edges, Columns(graph, answer), tied, order="popped")


def bellman_ford(
    graph: Snapshot, edges: Edges, sources: Iterable[Node], *, ties: bool = False
) -> Routes:
    """A run that does not halt when it must has found a cycle below 0.

    Raises:
        NetworkXUnbounded: if there is one.
    """
    inputs = question(edges, map(graph.row, dict.fromkeys(sources)), bound=False)
    tied = Predecessors("closer", "equal")
    n = len(graph)
    try:
        answer = ask(
            bellman_ford_in_order,
            edges,
            inputs,
            observers=[tied] if ties else [],
            max_iterations=n * n + n,
        )
    except DidNotHalt:
        raise nx.NetworkXUnbounded("Negative cycle detected.") from None
    return Routes(graph, edges, Columns(graph, answer), tied, order="seen")
