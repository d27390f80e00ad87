"""What people have in PyTorch → the parts of a graph: matrices as tensors, and PyG's `Data`.

Neither library is imported: whoever has a tensor has them. A tensor is known by what it can do.
"""

# What is passed here has no types that are known without these libraries.
# pyright: reportUnknownArgumentType=false, reportUnknownMemberType=false
# pyright: reportUnknownVariableType=false

from __future__ import annotations

from typing import Any

import numpy as np
from numpy.typing import NDArray

from loopwright.errors import GraphError, brief
from loopwright.runtime.arcs import GraphParts, pack
from loopwright.runtime.attributes import WEIGHT, refuse_to_guess
from loopwright.runtime.edge_weights import KINDS_OF_NUMBERS, kind_of_array, weights_of
from loopwright.runtime.sound import check_compressed

DENSE = "torch.strided"
"""What PyTorch calls the layout of a tensor that stores every entry."""
WHOLE = {f"{sign}int{bits}" for sign in ("", "u") for bits in (8, 16, 32, 64)}
"""What PyTorch calls the types of whole numbers."""
UNREADABLE = (NotImplementedError, RuntimeError, TypeError)
"""What PyTorch raises for tensors without entries (of device "meta"), or with some that NumPy has
not."""


NO_LENGTHS = ("edge_attr", "edge_type", "e_id", "x", "y", "pos", "batch", "ptr", "n_id")
"""Attributes that PyG has for something else, however many numbers they are; `edge_attr`, whatever
it is, is named before others."""


def is_tensor(source: Any) -> bool:
    """Whether it is a tensor of PyTorch, or acts as one."""
    return hasattr(source, "layout") and hasattr(source, "detach") and hasattr(source, "numpy")


def has_edge_index(source: Any) -> bool:
    """Whether it is PyG's `Data`, or acts as it."""
    return hasattr(source, "edge_index") and hasattr(source, "num_nodes")


def refuse_kinds_of_nodes(source: Any) -> None:
    """A graph with nodes of several kinds, PyG's `HeteroData`, has an edge_index for each pair.

    Raises:
        GraphError: if it is one.
    """
    if hasattr(type(source), "to_homogeneous"):
        raise GraphError(
            f"{type(source).__name__} has nodes and edges of several kinds: give one graph of all "
            "of them, such as data.to_homogeneous()."
        )


def is_edge_index(source: Any) -> bool:
    """Whether it is a tensor of shape (2, edges) of whole numbers, as PyG has them.

    Raises:
        GraphError: if it is of shape (2, 2): that might be two edges as well as a matrix.
    """
    if not is_tensor(source) or source.dim() != 2 or str(source.layout) != DENSE:
        return False
    if len(source) != 2 or str(source.dtype).removeprefix("torch.") not in WHOLE:
        return False
    if source.shape[1] == 2:
        raise GraphError(
            "a tensor of 2 × 2 whole numbers may be an edge_index of two edges, or a matrix: give "
            "edges as PyG's Data(edge_index=…) or as tensor.T.tolist(), a matrix as tensor.numpy()."
        )
    return True


class EdgeIndex:
    """An edge_index alone, with as many nodes as it names."""

    num_nodes = None

    def __init__(self, edge_index: Any) -> None:
        self.edge_index = edge_index


def matrix_of(tensor: Any) -> Any:
    """A tensor as a NumPy array, or if it is sparse as a scipy.sparse matrix.

    Entries that are stored twice stay so: to add them up is not for us to decide.
    """
    tensor = _at_hand(tensor)
    if str(tensor.layout) == DENSE:
        return _array(tensor)
    if tensor.dim() != 2:
        raise GraphError(f"an adjacency matrix must be square, this one is {tuple(tensor.shape)}.")
    if not tensor.is_sparse:
        _check_compressed(tensor)
    stored = tensor if tensor.is_sparse else tensor.to_sparse_coo()
    from scipy.sparse import coo_array  # not above: whoever has no sparse tensor needs no SciPy

    try:
        rows, columns = stored._indices().numpy()
        return coo_array((_array(stored._values()), (rows, columns)), shape=tuple(tensor.shape))
    except ValueError as problem:  # PyTorch does not check that indices are within the shape
        raise GraphError(f"a sparse tensor that is none: {brief(problem)}.") from None


def _check_compressed(tensor: Any) -> None:
    """PyTorch does not check what it is told not to, and then reads beyond its memory.

    Raises:
        GraphError: if the indices of a compressed tensor are not within it.
    """
    layout = str(tensor.layout)
    by_columns = layout in ("torch.sparse_csc", "torch.sparse_bsc")
    pointers = tensor.ccol_indices() if by_columns else tensor.crow_indices()
    indices = tensor.row_indices() if by_columns else tensor.col_indices()
    check_compressed(
        pointers.numpy(),
        indices.numpy(),
        shape=tuple(tensor.shape),
        stored=tuple(tensor.values().shape),
        blocks=layout in ("torch.sparse_bsr", "torch.sparse_bsc"),
        by_columns=by_columns,
    )


def parts_of_edge_index(data: Any, weight: str | None) -> GraphParts:
    """`edge_index` has tails and heads, as rows 0 … num_nodes − 1, and `edge_weight` weights, or
    else `weight`.

    Any other attribute with one number for each edge is read if `weight` names it.

    Raises:
        GraphError: if there is no such attribute, or several numbers for each edge.
    """
    if not is_tensor(data.edge_index):
        found = type(data.edge_index).__name__
        raise GraphError(f"edge_index is of type {found}: expected a tensor of shape (2, edges).")
    ends = _array(_at_hand(data.edge_index))
    if ends.ndim != 2 or len(ends) != 2 or ends.dtype.kind not in "iu":
        raise GraphError(
            f"edge_index is {kind_of_array(ends)}: expected whole numbers, (2, edges)."
        )
    tails, heads = ends.astype(np.int64)
    n = data.num_nodes
    n = int(ends.max(initial=-1)) + 1 if n is None else int(n)
    if ends.size and not 0 <= ends.min() <= ends.max() < n:
        raise GraphError(
            f"edge_index has {ends.min()} to {ends.max()}; {n} nodes are 0 to {n - 1}."
        )
    weights = np.ones(len(tails)) if weight is None else _edge_weights(data, weight, len(tails))
    return pack(tuple(range(n)), tails, heads, weights_of(weights), directed=True)


def _edge_weights(data: Any, weight: str, edges: int) -> NDArray[Any]:
    """One number for each edge: those of an attribute; 1 if there is none that could be it."""
    name = _name_of_weight(data, weight, edges)
    found = getattr(data, name, None)
    if found is None:
        if edges:
            refuse_to_guess(weight, _numbers_of_edges(data, edges))
        return np.ones(edges)
    if not is_tensor(found):
        raise GraphError(f"'{brief(name)}' is of type {type(found).__name__}: expected a tensor.")
    column = _array(_at_hand(found))
    if column.shape not in ((edges,), (edges, 1)) or column.dtype.kind not in KINDS_OF_NUMBERS:
        raise GraphError(
            f"'{brief(name)}' is {kind_of_array(column)}: expected one number for each of {edges} "
            "edges, such as data.edge_weight = data.edge_attr[:, 0]."
        )
    return column.reshape(edges)


def _name_of_weight(data: Any, weight: str, edges: int) -> str:
    """PyG calls it `edge_weight`; `weight` can as well be one of the nodes, or of the graph."""
    if weight != WEIGHT or getattr(data, "edge_weight", None) is not None:
        return "edge_weight" if weight == WEIGHT else weight
    return WEIGHT if _has_one_for_each(data, WEIGHT, edges) else "edge_weight"


def _numbers_of_edges(data: Any, edges: int) -> list[str]:
    """The attributes that could be lengths of edges. PyG tells those of edges from those of nodes,
    if there are more of one than of the other."""
    is_of_edges: Any = getattr(data, "is_edge_attr", _is_called_after_edges)
    keys: Any = getattr(data, "keys", None) or getattr(data, "__dict__", ())
    listed: Any = keys() if callable(keys) else keys
    names = sorted(map(str, listed))
    found = ["edge_attr"] if getattr(data, "edge_attr", None) is not None else []
    return found + [
        name
        for name in names
        if name not in NO_LENGTHS and _has_one_for_each(data, name, edges) and is_of_edges(name)
    ]


def _is_called_after_edges(name: str) -> bool:
    return name.startswith("edge_")


def _has_one_for_each(data: Any, name: str, edges: int) -> bool:
    """Whether an attribute is a tensor with one number, and no truth value, for each edge."""
    found: Any = getattr(data, name, None)
    if not is_tensor(found) or tuple(found.shape) not in ((edges,), (edges, 1)):
        return False
    kind = str(found.dtype).removeprefix("torch.")
    return kind != "bool" and not kind.startswith("complex")


def _at_hand(tensor: Any) -> Any:
    """A tensor in the memory of the processor.

    Raises:
        GraphError: if it has no entries.
    """
    try:
        return tensor.detach().cpu()
    except UNREADABLE as problem:
        raise GraphError(f"a tensor that cannot be read: {brief(problem)}.") from None


def _array(tensor: Any) -> NDArray[Any]:
    """A dense tensor as an array; NumPy has no floats of 8 bits, nor bfloat16, but doubles hold
    all that these do.

    Raises:
        GraphError: if NumPy has none of its type.
    """
    try:
        return (tensor.double() if tensor.is_floating_point() else tensor).numpy()
    except UNREADABLE as problem:
        raise GraphError(f"a tensor that cannot be read: {brief(problem)}.") from None
