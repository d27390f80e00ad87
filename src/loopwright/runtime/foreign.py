"""Whether something is of a library that is not imported here: whoever has one has the library.

To import networkx and SciPy takes longer than most runs, and few runs need either.
"""

from __future__ import annotations

import sys
from typing import TYPE_CHECKING, Any, TypeGuard

if TYPE_CHECKING:
    import networkx as nx


def is_networkx(source: object) -> TypeGuard[nx.Graph[Any]]:
    """Whether it is a graph of networkx, of any of its classes."""
    library = sys.modules.get("networkx")
    return library is not None and isinstance(source, library.Graph)


def is_sparse(source: object) -> bool:
    """Whether it is a sparse matrix or array of SciPy."""
    library = sys.modules.get("scipy.sparse")
    return library is not None and library.issparse(source)
