"""Large graphs, from compressed rows: constructions whose time grows as the edges do.

They are called `parallel`. Of algorithms that have no such construction nothing is measured here.
"""

# networkx and scipy have no complete types.
# pyright: reportUnknownArgumentType=false, reportUnknownLambdaType=false
# pyright: reportUnknownMemberType=false
# pyright: reportUnknownVariableType=false

from __future__ import annotations

from functools import partial
from typing import Any

import networkx as nx
import numpy as np
import scipy.sparse.csgraph as csgraph
from scipy.sparse import coo_array

from loopwright.algorithms import ALGORITHMS
from loopwright.compiler.compile import compile
from loopwright.lab.bench.timing import Report, Row, best_of
from loopwright.model.limits import Limits
from loopwright.runtime.graph import Graph
from loopwright.runtime.run import run

CONSTRUCTION = "parallel"
SIZES = (100, 1_000, 10_000, 100_000, 1_000_000)
MOST_FOR_NETWORKX = 100_000
"""On more nodes NetworkX takes minutes, and gigabytes for the graph itself."""
DEGREE = 10


def random_matrix(n: int, degree: int = DEGREE, seed: int = 0) -> Any:
    """Compressed rows of about `degree` whole weights from each node; 0 reaches every other."""
    rng = np.random.default_rng(seed)
    tails = np.concatenate([rng.integers(0, n, degree * n), (rng.random(n - 1) * np.arange(1, n))])
    heads = np.concatenate([rng.integers(0, n, degree * n), np.arange(1, n)])
    place = np.unique(tails.astype(np.int64) * n + heads)
    weights = rng.integers(1, 256, len(place)).astype(np.float64)
    return coo_array((weights, np.divmod(place, n)), (n, n)).tocsr()


def very_large(report: Report, sizes: tuple[int, ...] = SIZES) -> list[Row]:
    """One row for each algorithm that has the construction, and each size."""
    found: list[Row] = []
    for name, algorithm in ALGORITHMS.items():
        if CONSTRUCTION not in algorithm.constructions:
            continue
        program = algorithm(CONSTRUCTION)
        for n in sizes:
            report(f"{name} {CONSTRUCTION} on {n:,} nodes")
            matrix = random_matrix(n)
            if "undirected" in program.needs:
                matrix = matrix.maximum(matrix.T).tocsr()
            graph = Graph.from_matrix(matrix)
            model = compile(program, limits=Limits.fit(graph, program))
            source = 0 if model.source == "required" else None
            whole = partial(run, model, matrix, source=source)
            answer = whole()
            row: Row = {"algorithm": name, "construction": CONSTRUCTION, "n": n}
            row |= {"edges": graph.edge_count, "total_seconds": best_of(whole, most=3)}
            row |= {"seconds": answer.seconds, "iterations": answer.iterations}
            if model.edges == "weights" and source is not None:
                row |= _beside(matrix, answer)
            found.append(row)
    return found


def _beside(matrix: Any, answer: Any) -> Row:
    """What SciPy, and NetworkX where it can, take for shortest paths; and whether we are right."""
    wanted = csgraph.dijkstra(matrix, indices=0)
    row: Row = {
        "right": bool(np.array_equal(answer.array("dists"), wanted)),
        "scipy_seconds": best_of(lambda: csgraph.dijkstra(matrix, indices=0), most=3),
    }
    if matrix.shape[0] <= MOST_FOR_NETWORKX:
        graph = nx.from_scipy_sparse_array(matrix, create_using=nx.DiGraph)
        job = best_of(lambda: nx.single_source_dijkstra_path_length(graph, 0), most=2)
        row["networkx_seconds"] = job
    return row
