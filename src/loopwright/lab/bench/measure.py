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
from loopwright.lab.bench.large import very_large
from loopwright.lab.bench.libraries import jobs
from loopwright.lab.bench.startup import measure_startup
from loopwright.lab.bench.timing import Report, Row, best_of
from loopwright.model.limits import Limits
from loopwright.model.weights import Weights
from loopwright.runtime.decode import Answer
from loopwright.runtime.encode import encode
from loopwright.runtime.graph import Graph
from loopwright.runtime.machines import Loop, Machine, prepare
from loopwright.runtime.many import run_many
from loopwright.runtime.run import run

SIZES = (16, 64, 256, 1024, 4096)
MEASURED = ("dijkstra", "bfs", "dfs", "scc")
MACHINES: tuple[Machine, ...] = ("reference", "torch", "native")
LARGE = 10_000
FLAT = 64
"""Below so many nodes, time hardly grows: what an iteration costs anyway is most of it."""


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
        "very_large": very_large(report),
        "many": many_graphs(),
        "startup": measure_startup(),
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
                yield {
                    "algorithm": algorithm,
                    "n": n,
                    "library": library,
                    "total_seconds": best_of(job.whole),
                    "seconds": best_of(job.own),
                }


def _machine_runs(
    model: Weights, machine: Machine, sizes: tuple[int, ...], patience: float
) -> Iterator[Row]:
    begin = time.perf_counter()
    loop = prepare(model, machine)
    compiled = time.perf_counter() - begin
    for n, following in zip(sizes, (*sizes[1:], 0), strict=True):
        plain = random_digraph(n)
        seconds, iterations = time_loop(model, loop, plain)
        yield {
            "algorithm": model.name,
            "construction": model.construction,
            "n": n,
            "machine": machine,
            "total_seconds": best_of(whole_call(model, plain, machine)),
            "graph_seconds": best_of(whole_call(model, Graph.of(plain), machine)),
            "seconds": seconds,
            "iterations": iterations,
            "compile_seconds": compiled,
        }
        if seconds * (following / n) ** growth(model, machine, n) > patience:
            return


def whole_call(model: Weights, graph: object, machine: Machine) -> Callable[[], Any]:
    """A run as people call it, up to every label of every output."""
    source = 0 if model.source == "required" else None

    def call() -> list[dict[Any, Any]]:
        return [*run(model, graph, source=source, machine=machine).result.values()]  # type: ignore

    return call


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
    x, iterations = loop(problem, n, None)
    _, memory = tracemalloc.get_traced_memory()
    tracemalloc.stop()
    wanted = nx.single_source_dijkstra_path_length(plain, 0)
    dists = x[1:, model.layout["dists"].first]
    return {
        "n": n,
        "edges": graph.edge_count,
        "seconds": time_loop(model, loop, graph)[0],
        "total_seconds": best_of(whole_call(model, plain, "native"), most=3),
        "iterations": iterations,
        "networkx_seconds": best_of(jobs("dijkstra", plain)["networkx"].whole, most=3),
        "right": all(dists[node] == length for node, length in wanted.items()),
        "memory_mib": memory / 2**20,
        "dense_mib": n**2 * 8 / 2**20,
    }


def many_graphs(n: int = 16, count: int = 1000) -> Row:
    """`run_many` on small graphs: what each takes, and how much of that is its loop."""
    model = compile(ALGORITHMS["dijkstra"]("compact"), limits=Limits())
    graphs = [random_digraph(n, seed=seed) for seed in range(count)]
    taken: list[float] = []
    loops: list[float] = []
    for _ in range(3):
        begin = time.perf_counter()
        answers = list(run_many(model, graphs, sources=[0] * count, workers=1))
        taken.append(time.perf_counter() - begin)
        loops.append(sum(answer.seconds for answer in answers if isinstance(answer, Answer)))
    return {
        "n": n,
        "graphs": count,
        "seconds_each": min(taken) / count,
        "loop_seconds_each": min(loops) / count,
    }
