"""Runs of the searches, written down as NetworkX does."""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from math import inf
from typing import Any

import numpy as np

from loopwright.bridges.networkx.asking import ask, certify
from loopwright.bridges.networkx.columns import Columns, Predecessors
from loopwright.bridges.networkx.edges import Edges, places
from loopwright.bridges.networkx.programs.search import bfs_in_order, dfs_in_order
from loopwright.bridges.networkx.refusal import Refusal
from loopwright.bridges.networkx.snapshot import Direction, Node, Snapshot
from loopwright.errors import brief


def starts(edges: Edges, rows: Sequence[int]) -> dict[str, Any]:
    """Who begins, and in which order."""
    source, queued = np.zeros(edges.graph.n, dtype=int), np.zeros(edges.graph.n, dtype=int)
    source[list(rows)], queued[list(rows)] = 1, np.arange(1, len(rows) + 1)
    return {"starts": source, "closed": 1 - source, "queued": queued}


# ── breadth first ───────────────────────────────────────────────────────────────────────────────


class Levels:
    """A breadth-first search: nodes in the order in which they were found."""

    def __init__(self, graph: Snapshot, columns: Columns, below: Predecessors) -> None:
        self.graph, self.columns, self.below = graph, columns, below
        self.level, self.prev = columns["level"], columns["prev"]
        self.farthest: int = columns["farthest"][0]
        self.rows = columns.in_order(columns.where("reached"), by="queued")

    def within(self, cutoff: Any) -> list[int]:
        """The rows up to a level; all if there is no cutoff."""
        most = inf if cutoff is None else max(cutoff, 0)
        return [row for row in self.rows if self.level[row] < most + 1]

    def lengths(self, cutoff: Any = None) -> dict[Node, int]:
        labels = self.graph.labels
        return {labels[row]: self.level[row] for row in self.within(cutoff)}

    def paths(self, cutoff: Any = None) -> dict[Node, list[Node]]:
        found = dict[int, list[Node]]()
        for row in self.within(cutoff):
            before = found[self.prev[row]] if self.prev[row] != row else []
            found[row] = [*before, self.graph.labels[row]]
        return {self.graph.labels[row]: path for row, path in found.items()}

    def edges(self, depth_limit: Any = None) -> list[tuple[Node, Node]]:
        """From each node to those that it found."""
        labels = self.graph.labels
        rows = (row for row in self.within(depth_limit) if self.level[row])
        return [(labels[self.prev[row]], labels[row]) for row in rows]

    def predecessors(self) -> dict[Node, list[Node]]:
        """Of each node all neighbours of the level above."""
        names = self.columns.names
        return {self.graph.labels[row]: names(self.below.found.get(row, [])) for row in self.rows}


def breadth_first_inputs(edges: Edges, rows: Sequence[int]) -> dict[str, Any]:
    return {**starts(edges, rows), "base": len(rows) + 1, "stride": edges.stride}


def breadth_first(
    graph: Snapshot,
    sources: Iterable[Node],
    direction: Direction = "out",
    *,
    ties: bool = False,
) -> Levels:
    edges = places(graph, direction)
    rows = [graph.row(node) for node in dict.fromkeys(sources)]
    below = Predecessors(None, "below")
    observers = [below] if ties else []
    answer = ask(bfs_in_order, edges, breadth_first_inputs(edges, rows), observers=observers)
    return Levels(graph, Columns(graph, answer), below)


def by_levels(G: Snapshot, direction: Direction = "out") -> None:
    """See whether a breadth-first search is guaranteed.

    Raises:
        Refusal: if it is not.
    """
    if len(G):
        edges = places(G, direction)
        certify(bfs_in_order, edges, breadth_first_inputs(edges, [0]))


def whole(name: str, given: Any) -> None:
    """Whether a limit is a number.

    Raises:
        Refusal: if it is not.
    """
    if given is not None and (not isinstance(given, int | float) or given != given):
        raise Refusal(f"{name} {brief(given, code=True)} is no number.")


# ── depth first ─────────────────────────────────────────────────────────────────────────────────


class Walked:
    """A depth-first search: when each node was entered, and left."""

    def __init__(self, graph: Snapshot, columns: Columns) -> None:
        self.graph, self.columns = graph, columns
        self.entered, self.left = columns["entered"], columns["left"]
        self.depth, self.prev = columns["depth"], columns["prev"]
        visited = columns.where("entered")
        self.preorder = columns.in_order(visited, by="entered")
        self.postorder = columns.in_order(visited, by="left")

    def edges(self) -> list[tuple[Node, Node]]:
        labels = self.graph.labels
        return [
            (labels[self.prev[row]], labels[row]) for row in self.preorder if self.depth[row] > 1
        ]


def depth_first_inputs(
    edges: Edges, rows: Sequence[int], depth_limit: int | None = None
) -> dict[str, Any]:
    """The keys of roots are their places in the order in which they are tried, from 1."""
    limit = edges.nodes if depth_limit is None else max(1, min(depth_limit, edges.nodes))
    far = 4 * edges.nodes + edges.stride + 4
    return {**starts(edges, rows), "far": far, "limit": limit}


def depth_first(
    graph: Snapshot, source: Node | None = None, depth_limit: int | None = None
) -> Walked:
    """From a source, or from every node that was not visited yet."""
    edges = places(graph, "out")
    rows = range(len(graph)) if source is None else [graph.row(source)]
    answer = ask(dfs_in_order, edges, depth_first_inputs(edges, rows, depth_limit))
    return Walked(graph, Columns(graph, answer))


def by_walk(G: Snapshot, depth_limit: Any = None) -> None:
    """See whether a depth-first search is guaranteed.

    Raises:
        Refusal: if it is not.
    """
    whole("depth_limit", depth_limit)
    if depth_limit is not None and depth_limit != int(depth_limit):
        raise Refusal(f"depth_limit {depth_limit} is no whole number.")
    if len(G):
        edges = places(G, "out")
        certify(dfs_in_order, edges, depth_first_inputs(edges, range(len(G))))
