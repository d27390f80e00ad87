"""Large graphs, from compressed rows: constructions whose time grows as the edges do.

They are called `parallel`. Beside them: what SciPy takes for the same from the same rows, and what
NetworkX takes on a graph of its own.
"""

# networkx and scipy have no complete types.
# pyright: reportMissingTypeArgument=false, reportUnknownArgumentType=false
# pyright: reportUnknownLambdaType=false, reportUnknownMemberType=false
# pyright: reportUnknownParameterType=false, reportUnknownVariableType=false

from __future__ import annotations

import sys
from collections.abc import Callable, Mapping
from concurrent.futures import ProcessPoolExecutor
from functools import partial
from itertools import product
from multiprocessing import get_context
from pathlib import Path
from typing import Any, NamedTuple

import networkx as nx
import numpy as np
import scipy.sparse.csgraph as csgraph
from scipy.sparse import coo_array

from loopwright.algorithms import ALGORITHMS
from loopwright.compiler.compile import compile
from loopwright.lab.bench.timing import Report, Row, in_turns
from loopwright.model.limits import Limits
from loopwright.model.weights import Weights
from loopwright.runtime.decode import Answer
from loopwright.runtime.graph import Graph
from loopwright.runtime.machines import prepare
from loopwright.runtime.run import run

CONSTRUCTION = "parallel"
SIZES = (100, 1_000, 10_000, 100_000, 1_000_000)
DEGREE = 10
UNDIRECTED = ("components", "kruskal")
FROM = 100_000
"""Nodes from which on memory is measured: there it is more than that of the libraries."""


class Beside(NamedTuple):
    """What others do for the same answer, and how ours is compared with theirs."""

    scipy: Callable[[Any], Any]
    networkx: Callable[[nx.Graph], Any]
    is_right: Callable[[Answer, Any, Any], bool]
    """(our answer, what SciPy found, the matrix)."""
    most_for_networkx: int = 100_000
    """More nodes take a graph of its own minutes to be made, and gigabytes; so one algorithm alone
    is compared on a million."""


def same_lengths(answer: Answer, found: Any, matrix: Any) -> bool:
    return bool(np.array_equal(answer.array("dists"), found))


def is_search_tree(answer: Answer, found: Any, matrix: Any) -> bool:
    """Every node's parent is one step nearer to the source, over an edge that there is."""
    steps = csgraph.dijkstra(matrix, indices=0, unweighted=True)
    parents, nodes = answer.array("prev")[1:], np.arange(1, matrix.shape[0])
    nearer = steps[parents] + 1 == steps[nodes]
    return bool(nearer.all() and (matrix[parents, nodes] != 0).all())


def same_parts(answer: Answer, found: Any, matrix: Any) -> bool:
    """Each node is named by the first of its component."""
    _, part = found
    _, first = np.unique(part, return_index=True)
    return bool(np.array_equal(answer.array("component"), first[part]))


def same_forest(answer: Answer, found: Any, matrix: Any) -> bool:
    """As many edges as SciPy's, as heavy together, that leave out no node."""
    ends = np.stack([answer.array("tail"), answer.array("head")])
    ends = ends[:, (ends >= 0).all(axis=0)]
    taken = coo_array((np.asarray(matrix[*ends]), ends), matrix.shape)
    parts, _ = csgraph.connected_components(taken, directed=False)
    same = taken.sum() == found.sum() and taken.nnz == found.nnz
    return bool(same and parts == matrix.shape[0] - found.nnz)


LARGE: Mapping[str, Beside] = {
    "dijkstra": Beside(
        lambda matrix: csgraph.dijkstra(matrix, indices=0),
        lambda graph: nx.single_source_dijkstra_path_length(graph, 0),
        same_lengths,
        most_for_networkx=1_000_000,
    ),
    "bfs": Beside(
        lambda matrix: csgraph.breadth_first_order(matrix, 0),
        lambda graph: dict(nx.bfs_predecessors(graph, 0)),
        is_search_tree,
    ),
    "components": Beside(
        lambda matrix: csgraph.connected_components(matrix, directed=False),
        lambda graph: list(nx.connected_components(graph)),
        same_parts,
    ),
    "kruskal": Beside(
        csgraph.minimum_spanning_tree,
        lambda graph: list(nx.minimum_spanning_edges(graph)),
        same_forest,
    ),
}


def random_matrix(n: int, degree: int = DEGREE, seed: int = 0) -> Any:
    """Compressed rows of about `degree` whole weights from each node; 0 reaches every other."""
    rng = np.random.default_rng(seed)
    tails = np.concatenate([rng.integers(0, n, degree * n), (rng.random(n - 1) * np.arange(1, n))])
    heads = np.concatenate([rng.integers(0, n, degree * n), np.arange(1, n)])
    place = np.unique(tails.astype(np.int64) * n + heads)
    weights = rng.integers(1, 256, len(place)).astype(np.float64)
    return coo_array((weights, np.divmod(place, n)), (n, n)).tocsr()


def very_large(report: Report, sizes: tuple[int, ...] = SIZES) -> list[Row]:
    """One row for each algorithm and size."""
    found: list[Row] = []
    for name, n in product(LARGE, sizes):
        report(f"{name} {CONSTRUCTION} on {n:,} nodes")
        found.append(one_row(name, n))
    return found


def prepared(name: str, n: int) -> tuple[Weights, Any, int | None]:
    """A model, a matrix that it can run on, and where from."""
    program, matrix = ALGORITHMS[name](CONSTRUCTION), random_matrix(n)
    if name in UNDIRECTED:
        matrix = matrix.maximum(matrix.T).tocsr()
    model = compile(program, limits=Limits.fit(Graph.of(matrix), program))
    prepare(model, "native")
    return model, matrix, 0 if model.source == "required" else None


def one_row(name: str, n: int) -> Row:
    """Whole calls from compressed rows, the loop alone, and others on the same matrix, in turns."""
    model, matrix, source = prepared(name, n)
    beside, loops = LARGE[name], list[float]()

    def ours() -> None:  # its answer is dropped, as those of the others are
        loops.append(run(model, matrix, source=source).seconds)

    timed = {"total_seconds": ours, "scipy_seconds": partial(beside.scipy, matrix)}
    row: Row = {"algorithm": name, "construction": CONSTRUCTION, "n": n, "edges": matrix.nnz}
    row |= in_turns(timed, seconds=4, most=20)
    if n <= beside.most_for_networkx:  # last: its graph leaves the others' memory in small pieces
        kind = nx.Graph if name in UNDIRECTED else nx.DiGraph
        graph = nx.from_scipy_sparse_array(matrix, create_using=kind)
        row |= in_turns({"networkx_seconds": partial(beside.networkx, graph)}, most=20)
    answer = run(model, matrix, source=source)
    row["seconds"], row["iterations"] = min(loops), answer.iterations
    row["right"] = beside.is_right(answer, beside.scipy(matrix), matrix)
    if n >= FROM:
        with ProcessPoolExecutor(1, get_context("spawn")) as fresh:
            row["memory_mib"] = fresh.submit(peak_memory, name, n).result()
    return row


def peak_memory(name: str, n: int) -> float:
    """MiB that this process has ever had at once, when it has made a graph and run on it."""
    model, matrix, source = prepared(name, n)
    run(model, matrix, source=source)
    return most_resident()


def most_resident() -> float:
    """MiB that this process has ever had in memory at once.

    Linux says so of the process, and of `getrusage` what its parent had when it began, if more.
    """
    status = Path("/proc/self/status")
    if status.exists():
        lines = dict(line.split(":") for line in status.read_text("utf-8").splitlines())
        return int(lines["VmHWM"].split()[0]) / 2**10
    from resource import RUSAGE_SELF, getrusage  # not on Windows

    return getrusage(RUSAGE_SELF).ru_maxrss / (2**20 if sys.platform == "darwin" else 2**10)
