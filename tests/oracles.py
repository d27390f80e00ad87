"""A matrix of weights and a source → the whole right answer, by code that knows no Loopwright.

Textbook code where ties matter, NetworkX where an answer is unique. In a matrix 0 is no edge, and
nodes are its indices. An answer has the form of `model.run(matrix).result`: output → node → value.
Sums are exact if those of the weights are: floats that are multiples of 1/4, or fractions.
"""

from __future__ import annotations

from collections import Counter, deque
from collections.abc import Callable, Iterable, Mapping, Sequence
from dataclasses import dataclass, field
from itertools import combinations
from math import inf
from typing import Any

import networkx as nx
import numpy as np
from numpy.typing import NDArray

Matrix = NDArray[Any]
Answer = dict[str, dict[Any, Any]]
Edges = Sequence[Mapping[int, Any]]
"""Node → the heads of its edges, in index order → their weights."""


def edges_of(a: Matrix) -> Edges:
    return [{v: weight for v, weight in enumerate(row) if weight} for row in a.tolist()]


def both_ways(a: Matrix) -> Matrix:
    return (a != 0) | (a.T != 0)


def undirected(a: Matrix) -> nx.Graph:
    return nx.from_numpy_array(both_ways(a))


# ── shortest paths, and a tree ──────────────────────────────────────────────────────────────────


class Paths:
    """Lengths and predecessors of the best paths so far; a strictly shorter one replaces."""

    def __init__(self, n: int, source: int | None) -> None:
        self.dists: list[Any] = [0 if v == source else inf for v in range(n)]
        self.prev = list(range(n))

    def relax(self, u: int, edges: Mapping[int, Any], dist: Any) -> None:
        """Go on from u, which is this far away."""
        for v, weight in edges.items():
            if dist + weight < self.dists[v]:
                self.dists[v], self.prev[v] = dist + weight, u

    def answer(self) -> Answer:
        reached = {v: None if dist == inf else dist for v, dist in enumerate(self.dists)}
        return {"dists": reached, "prev": dict(enumerate(self.prev))}


def dijkstra(a: Matrix, source: int | None) -> Answer:
    """The nearest node leaves the queue, the first of equals. No source: nothing is reached."""
    edges, paths = edges_of(a), Paths(len(a), source)
    queue = set(range(len(a)))
    while queue:
        u = min(queue, key=lambda v: (paths.dists[v], v))
        queue.remove(u)
        paths.relax(u, edges[u], paths.dists[u])
    return paths.answer()


def bellman_ford(a: Matrix, source: int | None) -> Answer:
    """All edges in every round, in order, from the distances of the round before."""
    edges, paths = edges_of(a), Paths(len(a), source)
    before = None
    while paths.dists != before:
        before = list(paths.dists)
        for u, dist in enumerate(before):
            paths.relax(u, edges[u], dist)
    return paths.answer()


def dag_shortest_paths(a: Matrix, source: int | None) -> Answer:
    """Always the first node whose predecessors are all done; None where that never comes."""
    edges, paths = edges_of(a), Paths(len(a), source)
    before = [set(np.flatnonzero(column).tolist()) for column in a.T]
    done: set[int] = set()
    while ready := [v for v in range(len(a)) if v not in done and before[v] <= done]:
        u = ready[0]
        done.add(u)
        paths.relax(u, edges[u], paths.dists[u])
    return {
        output: {v: value if v in done else None for v, value in column.items()}
        for output, column in paths.answer().items()
    }


def prim(a: Matrix, source: int | None) -> Answer:
    """The lightest queued node joins, the first of equals; strictly lighter edges replace."""
    edges = edges_of(a)
    key, prev, joined = {source: 0}, list(range(len(a))), set[int]()
    while queued := key.keys() - joined:
        u = min(queued, key=lambda v: (key[v], v))
        joined.add(u)
        for v, weight in edges[u].items():
            if v not in joined and weight < key.get(v, inf):
                key[v], prev[v] = weight, u
    return {"prev": dict(enumerate(prev))}


def lightest_edges(a: Matrix) -> list[tuple[int, int]]:
    """Kruskal: an edge joins two parts, the lightest first, then the one with the lowest ends."""
    part, chosen = list(range(len(a))), []
    edges = ((a[u, v], u, v) for u, v in combinations(range(len(a)), 2) if a[u, v])
    for _, u, v in sorted(edges):
        if part[u] != part[v]:
            chosen.append((u, v))
            part = [part[u] if each == part[v] else each for each in part]
    return chosen


def kruskal(a: Matrix, source: int | None) -> Answer:
    """Which edges there are; `comparable` says so of an answer by nodes."""
    return {"edge": dict.fromkeys(lightest_edges(a), True)}


def rooted_forest(a: Matrix, source: int | None) -> Answer:
    """Kruskal's edges, as parents on the way from the source; all else is its own."""
    tree, prev = nx.Graph(lightest_edges(a)), list(range(len(a)))
    if source in tree:
        for u, v in nx.bfs_edges(tree, source):
            prev[v] = u
    return {"prev": dict(enumerate(prev))}


def widest_paths(a: Matrix, source: int | None) -> Answer:
    """The widest node leaves the queue; a path is as wide as its narrowest edge."""
    edges, width = edges_of(a), {v: inf if v == source else 0 for v in range(len(a))}
    queue = set(width)
    while queue:
        u = max(queue, key=lambda v: width[v])
        queue.remove(u)
        for v, weight in edges[u].items():
            width[v] = max(width[v], min(width[u], weight))
    return {"width": {v: None if v == source else x for v, x in width.items()}}


# ── searches ────────────────────────────────────────────────────────────────────────────────────


def bfs(a: Matrix, source: int | None) -> Answer:
    """Level by level; a node's parent is the first of the level before that has an edge to it."""
    edges, prev = edges_of(a), list(range(len(a)))
    level, seen = [source], {source}
    while level:
        found = []
        for u in sorted(level):
            for v in edges[u].keys() - seen:
                seen.add(v)
                found.append(v)
                prev[v] = u
        level = found
    return {"prev": dict(enumerate(prev))}


def bfs_by_discovery(a: Matrix, source: int | None) -> Answer:
    """A queue: who was discovered first is visited first; a node's children in index order."""
    edges, prev = edges_of(a), list(range(len(a)))
    queue, seen = deque([source]), {source}
    while queue:
        u = queue.popleft()
        for v in edges[u]:
            if v not in seen:
                seen.add(v)
                queue.append(v)
                prev[v] = u
    return {"prev": dict(enumerate(prev))}


@dataclass
class Search:
    """What a recursive depth-first search finds, with neighbours in index order."""

    edges: Edges
    prev: dict[int, int] = field(default_factory=dict)
    root: dict[int, int] = field(default_factory=dict)
    finished: list[int] = field(default_factory=list)
    closing: set[int] = field(default_factory=set)
    """Nodes that a node found from them, or they themselves, have an edge to."""

    def visit(self, u: int, above: tuple[int, ...] = ()) -> None:
        path = (*above, u)
        self.root[u] = path[0]
        self.prev[u] = above[-1] if above else u
        for v in self.edges[u]:
            if v not in self.prev:
                self.visit(v, path)
            elif v in path:
                self.closing.add(v)
        self.finished.append(u)


def search(a: Matrix, roots: Iterable[int]) -> Search:
    found = Search(edges_of(a))
    for root in roots:
        if root not in found.prev:
            found.visit(root)
    return found


def dfs(a: Matrix, source: int | None) -> Answer:
    """Roots: the source, if there is one, then whatever is left, in order."""
    return {"prev": search(a, [*([] if source is None else [source]), *range(len(a))]).prev}


def scc(a: Matrix, source: int | None) -> Answer:
    """Kosaraju: the last to be finished is the first root of a search of the transpose."""
    finished = search(a, range(len(a))).finished
    return {"component": search(a.T, reversed(finished)).root}


def topological_sort(a: Matrix, source: int | None) -> Answer:
    """Who is finished is put before all who were; None where a cycle closes."""
    found = search(a, range(len(a)))
    order = found.finished
    following = zip(order, [order[0], *order[:-1]], strict=True)
    return {
        "next": {u: None if u in found.closing else v for u, v in following},
        "head": {u: u == order[-1] for u in order},
    }


def topological_levels(a: Matrix, source: int | None) -> Answer:
    """None for all that a cycle leads to."""
    graph = nx.from_numpy_array(a != 0, create_using=nx.DiGraph)
    circling = {v for v in graph if any(v in nx.descendants(graph, w) | {w} for w in graph[v])}
    endless = circling.union(*(nx.descendants(graph, v) for v in circling))
    level: dict[int, int | None] = dict.fromkeys(graph)
    for depth, generation in enumerate(
        nx.topological_generations(graph.subgraph({*graph} - endless))
    ):
        level |= dict.fromkeys(generation, depth)
    return {"level": level}


def scc_by_first_node(a: Matrix, source: int | None) -> Answer:
    parts = nx.strongly_connected_components(nx.from_numpy_array(a != 0, create_using=nx.DiGraph))
    return {"component": {v: min(part) for part in parts for v in part}}


# ── of an undirected graph ──────────────────────────────────────────────────────────────────────


def components(a: Matrix, source: int | None) -> Answer:
    """Named by their first nodes."""
    parts = nx.connected_components(undirected(a))
    return {"component": {v: min(part) for part in parts for v in part}}


def articulation_points(a: Matrix, source: int | None) -> Answer:
    cuts = set(nx.articulation_points(undirected(a)))
    return {"cut": {v: v in cuts for v in range(len(a))}}


def bridges(a: Matrix, source: int | None) -> Answer:
    """A bridge is part of every search's tree: it is marked at its lower end."""
    found = {frozenset(edge) for edge in nx.bridges(undirected(a))}
    prev = search(both_ways(a), range(len(a))).prev
    return {"bridge": {v: frozenset((prev[v], v)) in found for v in prev}, "prev": prev}


def two_colouring(a: Matrix, source: int | None) -> Answer:
    """The first node of a part is white; None for all if anywhere there is an odd cycle."""
    graph = undirected(a)
    if not nx.is_bipartite(graph):
        return {"colour": dict.fromkeys(graph)}
    away = {
        v: hops
        for part in nx.connected_components(graph)
        for v, hops in nx.single_source_shortest_path_length(graph, min(part)).items()
    }
    return {"colour": {v: away[v] % 2 for v in graph}}


def independent_set(
    a: Matrix, source: int | None, *, priority: Sequence[Any] | None = None
) -> Answer:
    """Greedy: by priority, then by index, whoever has no neighbour in the set joins it."""
    beside, member = both_ways(a), np.zeros(len(a), dtype=bool)
    order = range(len(a)) if priority is None else np.argsort(priority, kind="stable")
    for v in order:
        others = np.arange(len(a)) != v
        member[v] = not (beside[v] & others & member).any()
    return {"member": dict(enumerate(member.tolist()))}


Oracle = Callable[[Matrix, int | None], Answer]
ORACLES: dict[str, Oracle] = {
    "dijkstra": dijkstra,
    "bfs": bfs,
    "dfs": dfs,
    "scc": scc,
    "prim": prim,
    "bellman-ford": bellman_ford,
    "dag-shortest-paths": dag_shortest_paths,
    "topological-sort": topological_sort,
    "topological-levels": topological_levels,
    "components": components,
    "articulation-points": articulation_points,
    "bridges": bridges,
    "kruskal": kruskal,
    "widest-paths": widest_paths,
    "two-colouring": two_colouring,
    "independent-set": independent_set,
}
"""All algorithms that need nothing but a graph and perhaps a source; the others follow."""
OTHERWISE: dict[tuple[str, str], Oracle] = {
    ("bfs", "printed"): bfs_by_discovery,
    ("scc", "parallel"): scc_by_first_node,
    ("prim", "parallel"): rooted_forest,
    ("dag-shortest-paths", "parallel"): dijkstra,
}
"""Constructions whose answers are not those of the algorithm's others."""


def oracle_of(name: str, construction: str) -> Oracle:
    return OTHERWISE.get((name, construction)) or ORACLES[name]


def comparable(result: Mapping[str, Mapping[Any, Any]]) -> Mapping[str, Mapping[Any, Any]]:
    """A result in the form of the oracle's: of edges that nodes hold, no matter which node, a set.

    An edge that is held twice counts twice, so that it is not what an oracle has.
    """
    if result.keys() != {"tail", "head"}:
        return result
    ends = zip(result["tail"].values(), result["head"].values(), strict=True)
    held = Counter((u, v) for u, v in ends if (u, v) != (None, None))
    return {"edge": {edge: times == 1 for edge, times in held.items()}}


def multitask(a: Matrix, source: int | None, *, dfs: int = 0) -> Answer:
    """Without `dists` where that holds the priorities of depth-first search."""
    return ORACLES["dfs" if dfs else "dijkstra"](a, source)


def graph_subleq(
    a: Matrix, inputs: Mapping[str, Any], *, steps: int, largest: Any
) -> Answer | None:
    """The memory in the end; None if there is no end in so many steps, or a number grows larger.

    `inputs` are those of the model: rows count from 1, and a jump to 0 halts.
    """
    memory, k, weights = list(inputs["memory"]), 1, a.tolist()
    code = list(zip(*(inputs[key] for key in ("a1", "a2", "b", "c", "gamma")), strict=True))
    for _ in range(steps):
        a1, a2, b, c, gamma = code[k - 1]
        memory[b - 1] -= weights[a1 - 1][a2 - 1] if gamma else memory[a1 - 1]
        if abs(memory[b - 1]) > largest:
            return None
        k = c if memory[b - 1] <= 0 else k + 1
        if not 1 <= k <= len(code):
            return {"M": dict(enumerate(memory))}
    return None


# ── on graphs of NetworkX ───────────────────────────────────────────────────────────────────────

NODES = ("prev", "component", "next")
"""Outputs whose values are nodes."""


def expected(
    name: str, graph: nx.Graph, source: Any = None, *, construction: str = "paper"
) -> Answer:
    """The right answer in the graph's labels, for its nodes in the graph's own order."""
    labels = list(graph)
    matrix = nx.to_numpy_array(graph, nodelist=labels, dtype=object, nonedge=0)
    oracle = oracle_of(name, construction)
    answer = oracle(matrix, None if source is None else labels.index(source))
    label = {None: None, **dict(enumerate(labels))}
    if answer.keys() == {"edge"}:
        return {"edge": {(labels[u], labels[v]): held for (u, v), held in answer["edge"].items()}}
    return {
        output: {labels[v]: label[x] if output in NODES else x for v, x in column.items()}
        for output, column in answer.items()
    }
