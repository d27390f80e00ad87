"""Cores, two colours, and how far nodes are from each other."""

# NetworkX has no complete types.
# pyright: reportUnknownMemberType=false, reportUnknownVariableType=false
# pyright: reportUnknownArgumentType=false

from __future__ import annotations

from collections.abc import Callable, Iterable, Mapping
from itertools import chain
from typing import Any

import networkx as nx
import numpy as np

from loopwright.algorithms.components import components
from loopwright.algorithms.scc import scc
from loopwright.bridges.networkx import hops, shortest
from loopwright.bridges.networkx.asking import ask, certify
from loopwright.bridges.networkx.columns import Columns
from loopwright.bridges.networkx.costs import Weight
from loopwright.bridges.networkx.declare import answers, unsupported
from loopwright.bridges.networkx.edges import Edges, ones, places
from loopwright.bridges.networkx.levels import breadth_first, by_levels
from loopwright.bridges.networkx.parts import by_components, by_scc, is_one
from loopwright.bridges.networkx.programs.marks import core_numbers
from loopwright.bridges.networkx.programs.order import two_colours_in_order
from loopwright.bridges.networkx.refusal import Refusal
from loopwright.bridges.networkx.routes import dijkstra
from loopwright.bridges.networkx.snapshot import Node, Snapshot

# ── cores ───────────────────────────────────────────────────────────────────────────────────────


def by_cores(G: Snapshot, **rest: Any) -> None:
    if len(G):
        certify(core_numbers, ones(G), {"once": int(not G.directed)})


def by_given_cores(G: Snapshot, core_number: Any = None, **rest: Any) -> None:
    unsupported("core_number", core_number, why="there is nothing left to compute")
    by_cores(G)


@answers(by_cores)
def core_number(G: Snapshot) -> dict[Node, int]:
    if any(u in of for u, of in G.succ.items()):
        raise nx.NetworkXNotImplemented(
            "Input graph has self loops which is not permitted; "
            "Consider using G.remove_edges_from(nx.selfloop_edges(G))."
        )
    if not len(G):
        return {}
    answer = ask(core_numbers, ones(G), {"once": int(not G.directed)})
    return dict(zip(G.labels, Columns(G, answer)["core"], strict=True))


def _core(graph: Snapshot, k: int | None, keep: Callable[[int, int], bool]) -> Any:
    """The part of a graph whose nodes have core numbers that are kept."""
    core = core_number(graph)
    wanted = max(core.values()) if k is None else k
    nodes = (node for node in core if keep(core[node], wanted))
    return graph.to_networkx().subgraph(nodes).copy()


@answers(by_given_cores)
def k_core(G: Snapshot, k: int | None = None, core_number: Any = None) -> Any:
    return _core(G, k, lambda core, k: core >= k)


@answers(by_given_cores)
def k_shell(G: Snapshot, k: int | None = None, core_number: Any = None) -> Any:
    return _core(G, k, lambda core, k: core == k)


# ── two colours ─────────────────────────────────────────────────────────────────────────────────


def by_colours(G: Snapshot, **rest: Any) -> None:
    if len(G):
        edges = places(G, "both")
        certify(two_colours_in_order, edges, colour_inputs(G, edges))


def by_sides(G: Snapshot, top_nodes: Any = None) -> None:
    unsupported("top_nodes", top_nodes, why="there is nothing left to compute")
    by_colours(G)
    by_components(G)


def colour_inputs(graph: Snapshot, edges: Edges) -> dict[str, Any]:
    """A node begins a search in its turn, if it has edges; of a directed graph, edges out of it."""
    begins = np.array([int(bool(of)) for of in graph.succ.values()])
    order = np.arange(len(graph))
    return {"queued": order, "closed": 1 - begins, "base": 1, "stride": edges.stride}


def _colours(graph: Snapshot) -> Columns:
    edges = places(graph, "both")
    return Columns(graph, ask(two_colours_in_order, edges, colour_inputs(graph, edges)))


@answers(by_colours)
def color(G: Snapshot) -> dict[Node, int]:
    """By when they were coloured; a node without edges comes last, and is 0."""
    if not len(G):
        return {}
    columns = _colours(G)
    if columns["conflict"][0]:
        raise nx.NetworkXError("Graph is not bipartite.")
    colours, rows = columns["colour"], columns.in_order(columns.where("coloured"), by="seen")
    found = {G.labels[row]: colours[row] for row in rows}
    alone = (node for node in G if not G.succ[node] and not G.pred[node])
    return found | dict.fromkeys(alone, 0)


@answers(by_colours)
def is_bipartite(G: Snapshot) -> bool:
    return not len(G) or not _colours(G)["conflict"][0]


@answers(by_sides)
def sets(G: Snapshot, top_nodes: Any = None) -> tuple[set[Node], set[Node]]:
    if not is_one(G, components):
        raise nx.AmbiguousSolution("Disconnected graph: Ambiguous solution for bipartite sets.")
    found = color(G)
    return {node for node in G if found[node]}, {node for node in G if not found[node]}


# ── how far ─────────────────────────────────────────────────────────────────────────────────────


def by_distance(
    G: Snapshot, weight: Weight = None, usebounds: bool = False, e: Any = None, **rest: Any
) -> None:
    unsupported("e", e, why="there is nothing left to compute")
    unsupported("sp", rest.get("sp"), why="there is nothing left to compute")
    if usebounds is True and not G.directed:
        raise Refusal("usebounds is given: it leaves distances out, which are all computed here.")
    if weight is None:
        by_levels(G)
    else:
        shortest.by_dijkstra(G, weight)


def by_average(G: Snapshot, weight: Weight = None, method: str | None = None) -> None:
    if method in ("floyd-warshall", "floyd-warshall-numpy"):
        raise Refusal(f"method {method}: no algorithm of Loopwright is Floyd and Warshall's.")
    hops.by_method(G, weight=weight, method=method or "dijkstra")
    (by_scc if G.directed else by_components)(G)


def by_center(G: Snapshot, e: Any = None, usebounds: bool = False, weight: Weight = None) -> None:
    edges = sum(1 for _ in G.edges())
    if weight is None and not G.directed and edges == len(G) - 1:
        raise Refusal("NetworkX finds the center of a tree in another order.")
    by_distance(G, weight, usebounds, e)


@answers(by_distance)
def eccentricity(
    G: Snapshot, v: Any = None, sp: Mapping[Any, Any] | None = None, weight: Weight = None
) -> Any:
    nodes: Iterable[Node] = G if v is None else [v] if v in G else nodes_of(G, v)
    found = {node: farthest(G, node, weight) for node in nodes}
    return found[v] if v in G else found


def nodes_of(graph: Snapshot, wanted: Any) -> Iterable[Node]:
    """As NetworkX reads a bunch of nodes, whose errors it raises itself."""
    return graph.to_networkx().nbunch_iter(wanted)


def farthest(graph: Snapshot, node: Node, weight: Weight) -> Any:
    """What the node that was reached last is away: the run says so."""
    if weight is None:
        levels = breadth_first(graph, [node])
        count, most = len(levels.rows), levels.farthest
    else:
        routes = dijkstra(graph, shortest.dijkstra_edges(graph, weight), [node])
        lengths = routes.lengths()
        count, most = len(lengths), max(lengths.values())
    if count != len(graph):
        kind = "digraph is not strongly" if graph.directed else "graph is not"
        raise nx.NetworkXError(f"Found infinite path length because the {kind} connected")
    return most


@answers(by_distance)
def diameter(G: Snapshot, e: Any = None, usebounds: bool = False, weight: Weight = None) -> Any:
    return max(eccentricity(G, weight=weight).values())


@answers(by_distance)
def radius(G: Snapshot, e: Any = None, usebounds: bool = False, weight: Weight = None) -> Any:
    return min(eccentricity(G, weight=weight).values())


@answers(by_distance)
def periphery(
    G: Snapshot, e: Any = None, usebounds: bool = False, weight: Weight = None
) -> list[Node]:
    found = eccentricity(G, weight=weight)
    most = max(found.values())
    return [node for node in found if found[node] == most]


@answers(by_center)
def center(
    G: Snapshot, e: Any = None, usebounds: bool = False, weight: Weight = None
) -> list[Node]:
    found = eccentricity(G, weight=weight)
    least = min(found.values())
    return [node for node in found if found[node] == least]


@answers(by_average)
def average_shortest_path_length(
    G: Snapshot, weight: Weight = None, method: str | None = None
) -> Any:
    chosen = method or ("unweighted" if weight is None else "dijkstra")
    if chosen not in ("unweighted", "dijkstra", "bellman-ford"):
        raise ValueError(f"method not supported: {chosen}")
    n = len(G)
    if n == 0:
        raise nx.NetworkXPointlessConcept(
            "the null graph has no paths, thus there is no average shortest path length"
        )
    if n == 1:
        return 0
    if not is_one(G, scc if G.directed else components):
        kind = "strongly connected" if G.directed else "connected"
        raise nx.NetworkXError(f"Graph is not {kind}.")
    every = {
        "unweighted": lambda: hops.all_pairs_shortest_path_length(G),
        "dijkstra": lambda: shortest.all_pairs_dijkstra_path_length(G, weight=weight),
        "bellman-ford": lambda: shortest.all_pairs_bellman_ford_path_length(G, weight=weight),
    }[chosen]()
    total = sum(chain.from_iterable(lengths.values() for _, lengths in every))
    return total / (n * (n - 1))
