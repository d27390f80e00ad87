"""What people have in Python → the parts of a graph: edges, networkx, matrices, data frames."""

# networkx and scipy have no complete types.
# pyright: reportUnknownArgumentType=false, reportUnknownMemberType=false
# pyright: reportUnknownVariableType=false

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence
from typing import Any

import networkx as nx
import numpy as np
import scipy.sparse

from loopwright.errors import GraphError, brief
from loopwright.runtime.arcs import MULTIGRAPH, Arcs, GraphParts, Label
from loopwright.runtime.edge_weights import KINDS_OF_NUMBERS, weights_of
from loopwright.runtime.frames import find_columns, is_frame


def parts_of(source: object) -> GraphParts:
    """From networkx, scipy.sparse, NumPy, pandas, or an edge list.

    Raises:
        GraphError: if it is none of these, or not a graph.
    """
    if isinstance(source, nx.Graph):
        return parts_of_networkx(source)
    if scipy.sparse.issparse(source) or isinstance(source, np.ndarray):
        return parts_of_matrix(source)
    if is_frame(source):
        return parts_of_frame(source)
    if isinstance(source, Iterable):
        return parts_of_edges(source)
    raise GraphError(f"cannot make a graph from {type(source).__name__}.")


def parts_of_edges(
    edges: Iterable[Any],
    *,
    nodes: Iterable[Label] = (),
    directed: bool = True,
    arcs: Arcs | None = None,
) -> GraphParts:
    """From (tail, head) or (tail, head, weight); `nodes` come first, then others as they appear.

    Args:
        arcs: an empty collector, given where nodes and edges may not be more than it allows.
    """
    arcs = Arcs() if arcs is None else arcs
    for count, label in enumerate(nodes):
        if arcs.node(label) != count:
            raise GraphError(f"two nodes have the same label, {brief(label)}.")
    for edge in edges:
        if not isinstance(edge, Sequence) or isinstance(edge, str) or len(edge) not in (2, 3):
            wanted = "(tail, head) or (tail, head, weight)"
            raise GraphError(f"edge {brief(repr(edge))}: expected {wanted}.")
        arcs.edge(*edge)
    return arcs.pack(directed=directed)


def parts_of_networkx(
    graph: nx.Graph[Any], *, names: Mapping[Any, Label] | None = None, arcs: Arcs | None = None
) -> GraphParts:
    """Labels are the nodes, or their `names`; weights the edges' attribute `weight`, or else 1."""
    if graph.is_multigraph():
        raise GraphError(MULTIGRAPH)
    names = {node: node for node in graph} if names is None else names
    weighted = graph.edges(data="weight", default=1)
    edges = ((names[u], names[v], weight) for u, v, weight in weighted)
    return parts_of_edges(edges, nodes=names.values(), directed=graph.is_directed(), arcs=arcs)


def parts_of_matrix(matrix: Any, *, labels: Iterable[Label] | None = None) -> GraphParts:
    """A square NumPy array (0: no edge) or scipy.sparse matrix (not stored: no edge)."""
    entries: Any = matrix.tocoo() if scipy.sparse.issparse(matrix) else np.asarray(matrix)
    if len(entries.shape) != 2 or entries.shape[0] != entries.shape[1]:
        raise GraphError(f"an adjacency matrix must be square, but this one is {entries.shape}.")
    if entries.dtype.kind not in KINDS_OF_NUMBERS:
        raise GraphError(f"the matrix' entries are {entries.dtype}: expected numbers.")
    if isinstance(entries, np.ndarray):
        tails, heads = np.nonzero(entries != 0)
        weights = entries[tails, heads]
    else:
        tails, heads, weights = entries.row, entries.col, entries.data
    order = np.lexsort((heads, tails))
    tails, heads = tails[order].astype(np.int64), heads[order].astype(np.int64)
    if np.any((np.diff(tails) == 0) & (np.diff(heads) == 0)):
        raise GraphError(
            "a sparse matrix stores the same entry twice: call sum_duplicates() first."
        )
    names = tuple(range(entries.shape[0])) if labels is None else tuple(labels)
    return GraphParts(names, tails, heads, weights_of(weights[order]))


def parts_of_frame(frame: Any) -> GraphParts:
    """A pandas DataFrame with a row for each edge; columns as `runtime.frames` finds them."""
    tail, head, weight = find_columns([str(name) for name in frame.columns])
    columns = [frame.iloc[:, i].tolist() for i in (tail, head, weight) if i is not None]
    for number, (one, other, *_) in enumerate(zip(*columns, strict=True)):
        if any(label is None or label != label for label in (one, other)):
            raise GraphError(f"row {number} of the table: a node's label is missing.")
    return parts_of_edges(zip(*columns, strict=True))
