"""NPZ → Graph: what scipy.sparse.save_npz writes, or np.savez with one square array. No pickle."""

from __future__ import annotations

import io
import warnings
from typing import Any

import numpy as np
import scipy.sparse

from loopwright.errors import brief
from loopwright.runtime.graph import Graph
from loopwright.runtime.readers.archive import check_archive
from loopwright.runtime.readers.caps import MOST_NODES
from loopwright.runtime.readers.source import FileError, Source


def read_npz(source: Source) -> Graph:
    """Nodes are called 0 … n−1, as for matrices in memory.

    Raises:
        GraphError: naming the file, and what it should have held.
    """
    content = source.content()
    try:
        names = check_archive(source, content)
        with warnings.catch_warnings(action="ignore"):
            matrix = _load(source, content, names)
    except FileError:
        raise
    except Exception as problem:  # NumPy, SciPy and zipfile raise many kinds; none is our bug
        raise source.error(f"not an NPZ archive that can be read: {problem}") from None
    return Graph.from_matrix(matrix)


def _load(source: Source, content: bytes, names: list[str]) -> Any:
    if "format" in names:
        return _load_sparse(source, content)
    if len(names) != 1:
        raise source.error(
            "expected one square array, or what scipy.sparse.save_npz writes; "
            f"found: {brief(', '.join(names)) or 'nothing'}"
        )
    with np.load(io.BytesIO(content), allow_pickle=False) as arrays:
        return arrays[names[0]]


def _load_sparse(source: Source, content: bytes) -> Any:
    """A sparse matrix whose indices are known to be inside it: compiled code trusts them."""
    with np.load(io.BytesIO(content), allow_pickle=False) as arrays:
        shape = arrays["shape"].tolist()
    if len(shape) != 2 or shape[0] != shape[1]:
        raise source.error(f"an adjacency matrix must be square, but this one is {brief(shape)}")
    if not 0 <= shape[0] <= MOST_NODES:
        raise source.error(f"{shape[0]:,} nodes; at most {MOST_NODES:,} are read")
    matrix = scipy.sparse.load_npz(io.BytesIO(content))
    if matrix.format in ("csr", "csc", "bsr"):
        matrix.check_format(full_check=True)
    return matrix.tocoo()
