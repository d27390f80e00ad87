"""What a program needs of a graph → preconditions, which the certificate lists before its bounds.

They look at the graph alone, as whoever wrote the program would before using it. Of the answer they
tell nothing; each takes no longer than sorting the edges.
"""

# SciPy has no complete types.
# pyright: reportUnknownArgumentType=false, reportUnknownMemberType=false
# pyright: reportUnknownVariableType=false

from __future__ import annotations

from collections.abc import Callable, Iterable
from typing import Any

import numpy as np
from numpy.typing import NDArray

from loopwright.errors import brief
from loopwright.model.weights import Need
from loopwright.runtime.arcs import Rows
from loopwright.runtime.condition import Precondition
from loopwright.runtime.edge_weights import column_of
from loopwright.runtime.graph import Graph

MANY_EDGES = 2**16
"""So many are put in order by SciPy, which takes a while to set up; fewer are sorted."""
LONGEST_CYCLE = 6
"""Nodes of a cycle that a message names; of a longer one, the first and the last of them."""


def preconditions(
    needs: Iterable[Need], graph: Graph, *, weighted: bool = True
) -> list[Precondition]:
    """One for each need; unless `weighted`, the weights of edges do not matter."""
    return [CHECKS[need](graph, weighted) for need in needs]


def require(needs: Iterable[Need], graph: Graph, name: str, *, weighted: bool = True) -> None:
    """Raise for the first need that a graph does not meet, in the name of what needs it.

    Raises:
        GraphError: with an edge or a cycle that should not be there, and the remedy.
    """
    for precondition in preconditions(needs, graph, weighted=weighted):
        if not precondition.holds:
            raise precondition.refusal(name)


# ── every edge goes back ────────────────────────────────────────────────────────────────────────


def undirected(graph: Graph, weighted: bool) -> Precondition:
    """Every edge has one back, of the same weight, whether or not the graph is called directed."""
    alone = edges_without_return(graph, weighted=weighted)
    why, remedy = "edges that do not go back", "Take each in both directions: --undirected, or "
    if weighted:
        why += " with the same weight"
    if len(alone):
        tail, head = (graph.labels[end[alone[0]]] for end in (graph.tails, graph.heads))
        why += f", such as {brief(tail)} → {brief(head)}"
    return Precondition("undirected", why, len(alone), 0, remedy + "graph.undirected().")


def edges_without_return(graph: Graph, *, weighted: bool) -> Rows:
    """The numbers of the edges i → j without an edge j → i, or with one of another weight."""
    there, back = (
        begin * graph.n + end
        for begin, end in ((graph.tails, graph.heads), (graph.heads, graph.tails))
    )
    weights = column_of(graph.weights) if weighted else np.zeros(len(there))
    turned = in_order(graph.heads, graph.n)  # what is looked for in order is found faster
    back = back[turned]
    if np.array_equal(there, back) and np.array_equal(weights, weights[turned]):
        return turned[:0]  # edges are in order nearly always, and so are then those back
    order = np.argsort(there)
    candidate = order[np.minimum(np.searchsorted(there, back, sorter=order), len(order) - 1)]
    returns = (there[candidate] == back) & (weights[candidate] == weights[turned]).astype(bool)
    return np.sort(turned[~returns])


def in_order(ends: Rows, nodes: int) -> Rows:
    """The numbers of the edges, by the nodes at these ends.

    Many are not compared, but put in order as SciPy turns the rows of a matrix into columns: each
    edge is a row of it.
    """
    if len(ends) < MANY_EDGES:
        return np.argsort(ends, kind="stable")
    from scipy.sparse import csr_array  # not above: few programs need it

    rows = len(ends)
    nothing, begins = np.zeros(rows, np.int8), np.arange(rows + 1)
    by_end = csr_array((nothing, ends, begins), shape=(rows, nodes)).tocsc()
    return by_end.indices.astype(np.int64, copy=False)


# ── no cycles ───────────────────────────────────────────────────────────────────────────────────


def acyclic(graph: Graph, weighted: bool) -> Precondition:
    """No node can be reached from itself: each is a strongly connected component, with no loop."""
    part = parts(graph)
    cyclic = np.bincount(part)[part] > 1
    cyclic[graph.tails[graph.tails == graph.heads]] = True
    why, remedy = "nodes on cycles", "Remove an edge of each cycle, or use another algorithm."
    if cyclic.any():
        why += f", such as {written(graph, cycle_through(graph, int(cyclic.argmax()), part))}"
    if not graph.directed:
        remedy = "An undirected edge is a cycle: use a directed graph, or another algorithm."
    return Precondition("acyclic", why, int(cyclic.sum()), 0, remedy)


def parts(graph: Graph) -> NDArray[np.int32]:
    """For each node the number of its strongly connected component."""
    from scipy.sparse import csgraph  # not above: few programs need it

    _, part = csgraph.connected_components(adjacency(graph), connection="strong")
    return part


def cycle_through(graph: Graph, node: int, part: NDArray[np.int32]) -> list[int]:
    """A shortest cycle from a node on one back to it; it cannot leave the node's component."""
    from scipy.sparse import csgraph

    inside = part == part[node]
    kept = inside[graph.tails] & inside[graph.heads]
    order, before = csgraph.breadth_first_order(adjacency(graph, kept), node)
    last_nodes = set(graph.tails[kept & (graph.heads == node)].tolist())
    cycle = [node, next(int(found) for found in order if int(found) in last_nodes)]
    while cycle[-1] != node:
        cycle.append(int(before[cycle[-1]]))
    return cycle[::-1]


def written(graph: Graph, cycle: list[int]) -> str:
    """As arrows from label to label, with dots in the place of what would be too long."""
    names = [brief(graph.labels[node], 20) for node in cycle]
    if len(names) > LONGEST_CYCLE:
        names[LONGEST_CYCLE // 2 : -LONGEST_CYCLE // 2] = ["…"]
    return " → ".join(names)


def adjacency(graph: Graph, kept: Any = slice(None)) -> Any:
    """Which nodes have edges to which, for SciPy; all edges, or those that are `kept`."""
    from scipy.sparse import csr_array

    tails, heads = graph.tails[kept], graph.heads[kept]
    return csr_array((np.ones(len(tails)), (tails, heads)), (graph.n, graph.n))


# ── one edge out of each node ───────────────────────────────────────────────────────────────────


def functional(graph: Graph, weighted: bool) -> Precondition:
    """No node has two edges out of it: "the node after this one" is a function."""
    out = np.bincount(graph.tails, minlength=graph.n)
    why, remedy = "nodes with several edges out", "Keep one edge out of each node."
    if (out > 1).any():
        node = int((out > 1).argmax())
        why += f", such as {brief(graph.labels[node])} with {out[node]}"
    if not graph.directed:
        remedy = "An undirected edge leads out of both its ends: use a directed graph."
    return Precondition("functional", why, int((out > 1).sum()), 0, remedy)


CHECKS: dict[Need, Callable[[Graph, bool], Precondition]] = {
    "undirected": undirected,
    "acyclic": acyclic,
    "functional": functional,
}
