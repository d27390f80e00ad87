"""Measure machines and libraries; everything that is compared is measured in the same run."""

# networkx, scipy and rustworkx have no complete types.
# pyright: reportUnknownArgumentType=false, reportUnknownVariableType=false

from __future__ import annotations

import platform
import time
import tracemalloc
from collections.abc import Callable, Iterator
from importlib.metadata import version
from typing import Any

import networkx as nx
import numpy as np

from loopwright.algorithms import ALGORITHMS
from loopwright.compiler.compile import compile
from loopwright.lab.bench.graphs import random_digraph
from loopwright.lab.bench.libraries import jobs
from loopwright.model.limits import Limits
from loopwright.model.weights import Weights
from loopwright.runtime.encode import encode
from loopwright.runtime.graph import Graph
from loopwright.runtime.machines import Loop, Machine, prepare

SIZES = (16, 64, 256, 1024)
MEASURED = ("dijkstra", "bfs", "dfs", "scc")
MACHINES: tuple[Machine, ...] = ("reference", "torch", "native")
LARGE = 10_000
FLAT = 64
"""Below so many nodes, time hardly grows: what an iteration costs anyway is most of it."""
Row = dict[str, Any]
Report = Callable[[str], None]


def best_of(job: Callable[[], Any], *, seconds: float = 0.3, most: int = 20) -> float:
    """The shortest of several runs: noise only ever adds, and the first one warms up."""
    best, spent, runs = float("inf"), 0.0, 0
    while runs == 0 or (runs == 1 < most and spent < 2) or (spent < seconds and runs < most):
        begin = time.perf_counter()
        job()
        took = time.perf_counter() - begin
        best, spent, runs = min(best, took), spent + took, runs + 1
    return best


def measure(*, sizes: tuple[int, ...] = SIZES, patience: float = 40.0, report: Report) -> Row:
    """Everything that `loopwright bench` shows, as JSON.

    `patience`: a machine is not asked for a size that would take longer than this, in seconds.
    """
    runs = list(_runs(sizes, patience, report))
    report("a large graph")
    return {
        "environment": environment(),
        "runs": runs,
        "exponents": exponents(runs),
        "large": large_graph(),
    }


def environment() -> Row:
    """What times depend on, as far as a program can know it."""
    packages = ("numpy", "scipy", "networkx", "llvmlite")
    return {
        "python": platform.python_version(),
        "processor": platform.processor() or platform.machine(),
        "packages": {name: version(name) for name in packages},
    }


def _runs(sizes: tuple[int, ...], patience: float, report: Report) -> Iterator[Row]:
    for algorithm in MEASURED:
        for construction in ALGORITHMS[algorithm].constructions:
            model = compile(ALGORITHMS[algorithm](construction), limits=Limits())
            for machine in MACHINES:
                report(f"{algorithm} {construction} on {machine}")
                yield from _machine_runs(model, machine, sizes, patience)
        for n in sizes:
            report(f"{algorithm} on {n} nodes, libraries")
            for library, job in jobs(algorithm, random_digraph(n)).items():
                seconds = best_of(job)
                yield {"algorithm": algorithm, "n": n, "library": library, "seconds": seconds}


def _machine_runs(
    model: Weights, machine: Machine, sizes: tuple[int, ...], patience: float
) -> Iterator[Row]:
    begin = time.perf_counter()
    loop = prepare(model, machine)
    compiled = time.perf_counter() - begin
    for n, following in zip(sizes, (*sizes[1:], 0), strict=True):
        seconds, iterations = time_loop(model, loop, random_digraph(n))
        yield {
            "algorithm": model.name,
            "construction": model.construction,
            "n": n,
            "machine": machine,
            "seconds": seconds,
            "iterations": iterations,
            "compile_seconds": compiled,
        }
        if seconds * (following / n) ** growth(model, machine, n) > patience:
            return


def growth(model: Weights, machine: Machine, n: int) -> int:
    """The power of n by which a run will grow: iterations, rows, and once more if it is dense."""
    return len(model.bound) - 1 + 1 + (machine != "native") - (n < FLAT)


def time_loop(model: Weights, loop: Loop, of: object) -> tuple[float, int]:
    """The seconds that the loop alone takes on a graph, and its iterations."""
    graph = Graph.of(of)
    problem = encode(model, graph, source=0 if model.source == "required" else None)
    most = model.max_iterations(graph.n) or 0
    iterations = 0

    def job() -> None:
        nonlocal iterations
        _, iterations = loop(problem, most, None)

    return best_of(job), iterations


def exponents(runs: list[Row]) -> list[Row]:
    """How native time grows: the p of nᵖ that fits best, for a whole run and for an iteration."""
    kinds: dict[tuple[str, str], list[Row]] = {}
    for row in runs:
        if row.get("machine") == "native" and row["n"] >= FLAT:
            kinds.setdefault((row["algorithm"], row["construction"]), []).append(row)

    def power(rows: list[Row], seconds: Callable[[Row], float]) -> float:
        n, times = [row["n"] for row in rows], list(map(seconds, rows))
        return float(np.polyfit(np.log(n), np.log(times), 1)[0])

    return [
        {
            "algorithm": algorithm,
            "construction": construction,
            "run": power(rows, lambda row: row["seconds"]),
            "iteration": power(rows, lambda row: row["seconds"] / row["iterations"]),
        }
        for (algorithm, construction), rows in kinds.items()
        if len(rows) > 1
    ]


def large_graph(n: int = LARGE, degree: int = 10) -> Row:
    """Dijkstra on a sparse graph: its time, whether it is right, and the memory of its arrays."""
    plain = random_digraph(n, degree=degree)
    graph = Graph.of(plain)
    model = compile(ALGORITHMS["dijkstra"]("compact"), limits=Limits())
    loop = prepare(model, "native")
    tracemalloc.start()
    problem = encode(model, graph, source=0)
    begin = time.perf_counter()
    x, iterations = loop(problem, n, None)
    seconds = time.perf_counter() - begin
    _, memory = tracemalloc.get_traced_memory()
    tracemalloc.stop()
    begin = time.perf_counter()
    wanted = nx.single_source_dijkstra_path_length(plain, 0)
    networkx_seconds = time.perf_counter() - begin
    dists = x[1:, model.layout["dists"].first]
    return {
        "n": n,
        "edges": graph.edge_count,
        "seconds": seconds,
        "iterations": iterations,
        "networkx_seconds": networkx_seconds,
        "right": all(dists[node] == length for node, length in wanted.items()),
        "memory_mib": memory / 2**20,
        "dense_mib": n**2 * 8 / 2**20,
    }
