"""What people have in Python → the parts of a graph: edges, networkx, matrices, data frames."""

# networkx and scipy have no complete types.
# pyright: reportUnknownArgumentType=false, reportUnknownMemberType=false
# pyright: reportUnknownVariableType=false

from __future__ import annotations

import sys
from collections.abc import Iterable, Iterator, Mapping, Sequence
from typing import TYPE_CHECKING, Any, NamedTuple

import numpy as np
from numpy.typing import NDArray

from loopwright.errors import GraphError, brief
from loopwright.runtime.arcs import MULTIGRAPH, Arcs, GraphParts, Label, SoundParts
from loopwright.runtime.attributes import WEIGHT, check_attribute, is_number, without_names
from loopwright.runtime.edge_columns import (
    parts_of_adjacency,
    parts_of_columns,
    parts_of_numbers,
    plain_floats,
)
from loopwright.runtime.edge_weights import KINDS_OF_NUMBERS, weights_of
from loopwright.runtime.foreign import is_networkx, is_sparse
from loopwright.runtime.frames import find_ends, find_weight, is_frame
from loopwright.runtime.libraries import parts_of_library
from loopwright.runtime.sound import (
    check_compressed,
    check_coordinates,
    check_diagonals,
    sound_labels,
)
from loopwright.runtime.tensors import (
    EdgeIndex,
    has_edge_index,
    is_edge_index,
    is_tensor,
    matrix_of,
    parts_of_edge_index,
    refuse_kinds_of_nodes,
)

if TYPE_CHECKING:
    import networkx as nx

UNSOUND = (ArithmeticError, AttributeError, LookupError, TypeError, ValueError)
"""What SciPy and NumPy raise for a sparse matrix that somebody wrote other arrays into."""


def parts_of(source: Any, *, weight: str | None = WEIGHT) -> GraphParts:
    """From networkx, scipy.sparse, NumPy, PyTorch, PyG, pandas, igraph, rustworkx, graph-tool, a
    dict of edges, or an edge list.

    `weight` is the attribute that is an edge's weight, where edges have attributes.

    Raises:
        GraphError: if it is none of these, or not a graph.
    """
    if is_networkx(source):
        return parts_of_networkx(source, weight=weight)
    if (views := _views_of_networkx()) is not None and isinstance(source, views.ALL):
        return parts_of_view(source, weight)
    if is_frame(source):
        return parts_of_frame(source, weight=weight)
    if is_edge_index(source):
        return parts_of_edge_index(EdgeIndex(source), weight)
    if is_tensor(source):
        return without_names(parts_of_matrix(matrix_of(source)), weight)
    refuse_kinds_of_nodes(source)
    if (parts := parts_of_library(source, weight)) is not None:
        return parts
    if has_edge_index(source):
        return parts_of_edge_index(source, weight)
    if is_sparse(source) or isinstance(source, np.ndarray):
        return without_names(parts_of_matrix(source), weight)
    if isinstance(source, Mapping):
        return without_names(parts_of_mapping(source), weight)
    if isinstance(source, Iterable):
        return without_names(parts_of_edges(source), weight)
    raise GraphError(f"cannot make a graph from {type(source).__name__}.")


def parts_of_mapping(edges: Mapping[Any, Any]) -> GraphParts:
    """From {(tail, head): weight}, or {tail: {head: weight}}, in which every tail is a node.

    Raises:
        GraphError: if it is neither. {tail: [head, …]} is not read: it could mean either.
    """
    if all(isinstance(heads, Mapping) for heads in edges.values()):
        _refuse_attributes(edges)
        listed = ((tail, head, edges[tail][head]) for tail in edges for head in edges[tail])
        return parts_of_edges(listed, nodes=edges)
    for key, weight in edges.items():
        pair = isinstance(key, tuple) and len(key) == 2
        if not pair or (isinstance(weight, Iterable) and not isinstance(weight, str)):
            entry = brief({key: weight}, code=True)
            raise GraphError(
                f"{entry}: expected {{(tail, head): weight}} or {{tail: {{head: weight}}}}."
            )
    return parts_of_edges((*key, weight) for key, weight in edges.items())


def _refuse_attributes(edges: Mapping[Any, Mapping[Any, Any]]) -> None:
    """{(tail, head): {"weight": 7}}, as dict(graph.edges) of networkx is, looks like nodes that are
    pairs, with edges to a node "weight".

    Raises:
        GraphError: if all keys are pairs, or have a key of a multigraph too, and lead to text only.
    """
    if edges and all(
        isinstance(key, tuple)
        and len(key) in (2, 3)
        and all(isinstance(name, str) for name in names)
        for key, names in edges.items()
    ):
        key, names = next(iter(edges.items()))
        raise GraphError(
            f"{brief({key: names}, code=True)}: edges with all that they have, or nodes that are "
            "pairs? Give the graph itself, or {(tail, head): weight}; for nodes that are pairs, "
            "use Graph.from_edges."
        )


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
    alone = arcs is None and isinstance(nodes, tuple) and not nodes
    if alone and directed and (plain := _plain_edges(edges)) is not None:
        return plain
    arcs = Arcs() if arcs is None else arcs
    for count, label in enumerate(each_of("nodes", nodes)):
        if arcs.node(label) != count:
            raise GraphError(f"two nodes have the same label, {brief(label)}.")
    for edge in each_of("edges", edges):
        if not isinstance(edge, Sequence) or isinstance(edge, str) or len(edge) not in (2, 3):
            wanted = "(tail, head) or (tail, head, weight)"
            raise GraphError(f"edge {brief(edge, code=True)}: expected {wanted}.")
        arcs.edge(*edge)
    return arcs.pack(directed=directed)


def _plain_edges(edges: Iterable[Any]) -> GraphParts | None:
    """A list of tuples of one length, or rows of whole numbers, at once; None for anything else."""
    if isinstance(edges, np.ndarray):
        if edges.ndim != 2 or edges.shape[1] not in (2, 3) or not len(edges):
            return None
        return parts_of_numbers(
            edges[:, 0], edges[:, 1], edges[:, 2] if edges.shape[1] == 3 else None
        )
    if not isinstance(edges, list | tuple) or not edges:
        return None
    if not {*map(type, edges)} <= {tuple, list} or {*map(len, edges)} not in ({2}, {3}):
        return None
    tails, heads, *weights = zip(*edges, strict=True)
    return parts_of_columns(tails, heads, weights[0] if weights else None)


def each_of(what: str, given: Iterable[Any]) -> Iterator[Any]:
    """One after the other, if it is a list of them or something of that kind."""
    try:
        return iter(given)
    except TypeError:
        kind = type(given).__name__
        raise GraphError(f"{what} are of type {kind}: expected a list of them.") from None


def parts_of_networkx(
    graph: nx.Graph[Any],
    *,
    weight: str | None = WEIGHT,
    names: Mapping[Any, Label] | None = None,
    arcs: Arcs | None = None,
) -> GraphParts:
    """Labels are the nodes, or their `names`; weights are an attribute, and 1 where it is missing.

    Raises:
        GraphError: if no edge has this attribute, and some have numbers that are called otherwise.
    """
    if graph.is_multigraph():
        raise GraphError(MULTIGRAPH)

    def check() -> None:
        check_attribute(weight, (attributes for _, _, attributes in graph.edges(data=True)))

    directed = graph.is_directed()
    if names is None and arcs is None:
        neighbours = graph.adjacency()
        plain = parts_of_adjacency(neighbours, weight, directed=directed, check_missing=check)
        if plain is not None:
            return plain
    check()
    names = {node: node for node in graph} if names is None else names
    weighted = graph.edges(data="" if weight is None else weight, default=1)
    edges = ((names[u], names[v], 1 if weight is None else given) for u, v, given in weighted)
    return parts_of_edges(edges, nodes=names.values(), directed=directed, arcs=arcs)


class Views(NamedTuple):
    """Kinds of what networkx shows of a graph, which acts as a dictionary, a set, or a list."""

    SIMPLE: tuple[type, ...]
    UNDIRECTED: tuple[type, ...]
    SEVERAL: tuple[type, ...]
    ALL: tuple[type, ...]


def _views_of_networkx() -> Views | None:
    """None where nobody has imported it, and so nobody has any."""
    library = sys.modules.get("networkx")
    if library is None:
        return None
    edges, others = library.classes.reportviews, library.classes.coreviews
    simple = (edges.OutEdgeView, edges.OutEdgeDataView)
    nodes = (edges.NodeView, edges.NodeDataView, edges.DiDegreeView, others.AtlasView)
    return Views(
        SIMPLE=simple,
        UNDIRECTED=(edges.EdgeView, edges.EdgeDataView),
        SEVERAL=(edges.OutMultiEdgeView, edges.OutMultiEdgeDataView),
        ALL=(*simple, *nodes),
    )


def parts_of_view(view: Any, weight: str | None) -> GraphParts:
    """From graph.edges of networkx, or some of them, with what they have or with one number each:
    nodes are those that edges name, and an undirected graph's edges lead both ways.

    Raises:
        GraphError: if it shows nodes or neighbours, or edges of a multigraph.
    """
    views = _views_of_networkx()
    assert views is not None
    if isinstance(view, views.SEVERAL):
        raise GraphError(MULTIGRAPH)
    if not isinstance(view, views.SIMPLE):
        raise GraphError(
            f"a {type(view).__name__} of networkx shows a part of a graph: give the graph itself."
        )
    directed = not isinstance(view, views.UNDIRECTED)
    shown: Any = view.data() if hasattr(view, "data") else view
    edges = list(shown)
    if not all(len(edge) == 3 and isinstance(edge[2], Mapping) for edge in edges):
        return without_names(parts_of_edges(edges, directed=directed), weight)
    check_attribute(weight, (attributes for _, _, attributes in edges))
    weights = (1 if weight is None else attributes.get(weight, 1) for *_, attributes in edges)
    named = [(u, v, given) for (u, v, _), given in zip(edges, weights, strict=True)]
    return parts_of_edges(named, directed=directed)


def parts_of_matrix(matrix: Any, *, labels: Iterable[Label] | None = None) -> GraphParts:
    """A square NumPy array (0: no edge) or scipy.sparse matrix (not stored: no edge).

    Entries of a masked array that are masked are no edges either.
    """
    entries = _coordinates_of(matrix) if is_sparse(matrix) else _array_of(matrix)
    if entries.dtype.kind not in KINDS_OF_NUMBERS:
        raise GraphError(f"the matrix' entries are {entries.dtype}: expected numbers.")
    if isinstance(entries, np.ndarray):
        tails, heads = np.nonzero(entries != 0)
        weights = entries[tails, heads]
    else:
        tails, heads, weights = entries.row, entries.col, entries.data
    tails, heads = tails.astype(np.int64), heads.astype(np.int64)
    n = entries.shape[0]
    place = tails * n + heads
    order = slice(None) if (place[1:] > place[:-1]).all() else np.argsort(place, kind="stable")
    tails, heads, place = tails[order], heads[order], place[order]
    if (place[1:] == place[:-1]).any():
        raise GraphError(
            "a sparse matrix stores the same entry twice: call sum_duplicates() first."
        )
    names = tuple(range(n)) if labels is None else sound_labels(labels)
    if len(names) != n:
        raise GraphError(f"{len(names)} labels for a matrix of {n} rows: expected one for each.")
    floats = plain_floats(weights[order])
    inside = all(not len(end) or 0 <= end.min() <= end.max() < n for end in (tails, heads))
    if floats is not None and inside and n:
        return SoundParts(names, tails, heads, floats)
    return GraphParts(names, tails, heads, weights_of(weights[order]))


def _array_of(matrix: Any) -> NDArray[Any]:
    """A dense matrix, in which what is masked is 0."""
    try:
        entries = np.asarray(np.ma.filled(matrix, 0))
    except ValueError:
        raise GraphError("the rows of an adjacency matrix have different lengths.") from None
    _check_square(entries.shape)
    return entries


def _coordinates_of(matrix: Any) -> Any:
    """A sparse matrix as row, column and entry of all that it stores.

    SciPy's compiled code trusts the index arrays, which anyone can write to.

    Raises:
        GraphError: if they do not fit to each other.
    """
    _check_square(matrix.shape)
    try:
        _check_stored(matrix)
        entries = matrix.tocoo()
        check_coordinates(entries.row, entries.col, entries.data)
    except UNSOUND as problem:
        raise GraphError(
            f"a sparse matrix that is none: {brief(problem).rstrip('.')}; make it anew."
        ) from None
    return entries


def _check_stored(matrix: Any) -> None:
    """What compiled code would read as SciPy's format has it, before it does.

    Raises:
        GraphError: if it would read, or write, beyond what is there.
    """
    match matrix.format:
        case "csr" | "csc" | "bsr":
            check_compressed(
                matrix.indptr,
                matrix.indices,
                shape=matrix.shape,
                stored=matrix.data.shape,
                blocks=matrix.format == "bsr",
                by_columns=matrix.format == "csc",
            )
        case "dia":
            check_diagonals(matrix.offsets, matrix.data)
        case "lil":
            columns, entries = ([*map(len, lists)] for lists in (matrix.rows, matrix.data))
            if columns != entries or len(columns) != matrix.shape[0]:
                raise GraphError(
                    "a sparse matrix that is none: its rows and data are lists of different "
                    "lengths; make it anew."
                )
        case _:
            return


def _check_square(shape: tuple[int, ...]) -> None:
    if len(shape) != 2 or shape[0] != shape[1]:
        raise GraphError(f"an adjacency matrix must be square, but this one is {shape}.")


def parts_of_frame(frame: Any, *, weight: str | None = WEIGHT) -> GraphParts:
    """A pandas DataFrame with a row for each edge; columns as `runtime.frames` finds them."""

    def holds_numbers(column: int) -> bool:
        return any(is_number(value) for value in frame.iloc[:, column].tolist()[:1])

    names = [str(name) for name in frame.columns]
    ends = find_ends(names)
    found = (*ends, find_weight(names, ends, weight, holds_numbers))
    columns = [frame.iloc[:, i].tolist() for i in found if i is not None]
    plain = parts_of_columns(columns[0], columns[1], columns[2] if columns[2:] else None)
    if plain is not None:
        return plain
    for number, (one, other, *_) in enumerate(zip(*columns, strict=True)):
        if any(label is None or label != label for label in (one, other)):
            raise GraphError(f"row {number} of the table: a node's label is missing.")
    return parts_of_edges(zip(*columns, strict=True))
