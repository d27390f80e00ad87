"""NPZ → the parts of a graph: what scipy.sparse.save_npz writes, or np.savez with one square array.

No pickle is loaded, and `archive` has looked at every array's header before its data are.
"""

# networkx and scipy have no complete types.
# pyright: reportUnknownMemberType=false

from __future__ import annotations

import io
from typing import Any

import numpy as np

from loopwright.errors import GraphError, brief
from loopwright.runtime.arcs import GraphParts
from loopwright.runtime.convert import parts_of_matrix
from loopwright.runtime.readers.archive import check_archive
from loopwright.runtime.readers.caps import MOST_NODES
from loopwright.runtime.readers.source import Source


def read_npz(source: Source) -> GraphParts:
    """Nodes are called 0 … n−1, as for matrices in memory."""
    content = source.content()
    with source.parsing("an NPZ archive"):
        names = check_archive(content)
        if "format" in names:
            matrix = _load_sparse(content)
        elif len(names) == 1:
            with np.load(io.BytesIO(content), allow_pickle=False) as arrays:
                matrix = arrays[names[0]]
        else:
            raise GraphError(
                "expected one square array, or what scipy.sparse.save_npz writes; "
                f"found: {brief(', '.join(names)) or 'nothing'}"
            )
    return parts_of_matrix(matrix)


def _load_sparse(content: bytes) -> Any:
    """A sparse matrix whose indices are known to be inside it: compiled code trusts them."""
    with np.load(io.BytesIO(content), allow_pickle=False) as arrays:
        shape = arrays["shape"].tolist()
    if len(shape) != 2 or shape[0] != shape[1]:
        raise GraphError(f"an adjacency matrix must be square, but this one is {brief(shape)}")
    if not 0 <= shape[0] <= MOST_NODES:
        raise GraphError(f"{shape[0]:,} nodes; at most {MOST_NODES:,} are read")
    import scipy.sparse  # not above: other formats are read without it

    matrix = scipy.sparse.load_npz(io.BytesIO(content))
    if matrix.format in ("csr", "csc", "bsr"):
        matrix.check_format(full_check=True)
    return matrix.tocoo()
