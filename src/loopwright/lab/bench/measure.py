"""Measure machines and libraries; everything that is compared is measured in the same run."""

from __future__ import annotations

import json
import platform
import subprocess
import sys
import time
from collections.abc import Callable, Iterator
from importlib.metadata import version
from typing import Any

import numpy as np

from loopwright.algorithms import ALGORITHMS
from loopwright.compiler.compile import compile
from loopwright.lab.bench.graphs import random_digraph
from loopwright.lab.bench.libraries import jobs
from loopwright.lab.bench.peak import multiply_add_peak
from loopwright.lab.bench.work import multiply_adds_a_node
from loopwright.model.limits import Limits
from loopwright.model.weights import Weights
from loopwright.runtime.encode import encode
from loopwright.runtime.graph import Graph
from loopwright.runtime.machines import Loop, prepare

SIZES = (16, 64, 256, 1024)
MEASURED = ("dijkstra", "bfs", "dfs", "scc")
MACHINES = ("reference", "torch", "native")
LARGE = 10_000
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
    peak = multiply_add_peak()
    runs = list(_runs(sizes, patience, peak, report))
    report("a large graph")
    return {
        "environment": environment(),
        "peak_multiply_adds": peak,
        "runs": runs,
        "exponents": exponents(runs),
        "large": large_graph(),
    }


def environment() -> Row:
    packages = ("numpy", "scipy", "networkx", "llvmlite")
    return {
        "python": platform.python_version(),
        "processor": platform.processor() or platform.machine(),
        "packages": {name: version(name) for name in packages},
    }


def _runs(sizes: tuple[int, ...], patience: float, peak: float, report: Report) -> Iterator[Row]:
    for algorithm in MEASURED:
        for construction in ALGORITHMS[algorithm].constructions:
            program = ALGORITHMS[algorithm](construction)
            model = compile(program, limits=Limits())
            for machine in MACHINES:
                report(f"{algorithm} {construction} on {machine}")
                yield from _machine_runs(model, machine, sizes, patience, peak)
        for n in sizes:
            report(f"{algorithm} on {n} nodes, libraries")
            for library, job in jobs(algorithm, random_digraph(n)).items():
                seconds = best_of(job)
                yield {"algorithm": algorithm, "n": n, "library": library, "seconds": seconds}


def _machine_runs(
    model: Weights, machine: str, sizes: tuple[int, ...], patience: float, peak: float
) -> Iterator[Row]:
    begin = time.perf_counter()
    loop = prepare(model, machine)
    compiled = time.perf_counter() - begin
    expected = 0.0
    for i, n in enumerate(sizes):
        if expected > patience:
            return
        seconds, iterations = _run(model, loop, n)
        row: Row = {
            "algorithm": model.name,
            "construction": model.construction,
            "n": n,
            "machine": machine,
            "seconds": seconds,
            "iterations": iterations,
            "compile_seconds": compiled,
        }
        if machine == "native":
            done = multiply_adds_a_node(model) * n * iterations
            row["mlp_share_of_peak"] = done / seconds / peak
        yield row
        if i + 1 < len(sizes):
            expected = seconds * (sizes[i + 1] / n) ** growth(model, machine, n)


def growth(model: Weights, machine: str, n: int) -> int:
    """The power of n by which a run will grow: iterations, rows, and once more if it is dense.

    Below 64 nodes what an iteration costs whatever its size still tells: one power less.
    """
    return len(model.bound) - 1 + 1 + (machine != "native") - (n < 64)


def _run(model: Weights, loop: Loop, n: int) -> tuple[float, int]:
    """Seconds of the loop alone, and its iterations."""
    graph = Graph.of(random_digraph(n))
    source = 0 if model.source == "required" else None
    problem = encode(model, graph, source=source)
    most = model.max_iterations(n) or 0
    iterations = 0

    def job() -> None:
        nonlocal iterations
        _, iterations = loop(problem, most, None)

    return best_of(job), iterations


def exponents(runs: list[Row]) -> list[Row]:
    """How native time grows: the p of nᵖ that fits best, for a whole run and for an iteration."""
    found: list[Row] = []
    kinds = dict.fromkeys((r["algorithm"], r.get("construction")) for r in runs)
    for algorithm, construction in kinds:
        mine = [
            r
            for r in runs
            if (r["algorithm"], r.get("construction"), r.get("machine"))
            == (algorithm, construction, "native")
            and r["n"] >= 64
        ]
        if len(mine) < 2:
            continue
        n = np.log([r["n"] for r in mine])
        whole = np.log([r["seconds"] for r in mine])
        each = np.log([r["seconds"] / r["iterations"] for r in mine])
        found.append(
            {
                "algorithm": algorithm,
                "construction": construction,
                "run": float(np.polyfit(n, whole, 1)[0]),
                "iteration": float(np.polyfit(n, each, 1)[0]),
            }
        )
    return found


LARGE_SCRIPT = """
import json, sys, time, tracemalloc
from loopwright import Graph, Limits, algorithms, compile
from loopwright.lab.bench.graphs import random_digraph
from loopwright.runtime.encode import encode
from loopwright.runtime.machines import prepare
import networkx as nx
plain = random_digraph(int(sys.argv[1]), degree=int(sys.argv[2]))
graph = Graph.of(plain)
model = compile(algorithms.dijkstra("compact"), limits=Limits())
tracemalloc.start()
loop = prepare(model, "native")
problem = encode(model, graph, source=0)
begin = time.perf_counter()
x, iterations = loop(problem, graph.n, None)
seconds = time.perf_counter() - begin
memory = tracemalloc.get_traced_memory()[1]
tracemalloc.stop()
begin = time.perf_counter()
wanted = nx.single_source_dijkstra_path_length(plain, 0)
networkx = time.perf_counter() - begin
column = model.layout["dists"].first
right = all(x[node + 1, column] == length for node, length in wanted.items())
print(json.dumps({"n": graph.n, "edges": graph.edge_count, "seconds": seconds,
    "iterations": iterations, "networkx_seconds": networkx, "right": right,
    "memory_mib": memory / 2**20, "dense_mib": graph.n ** 2 * 8 / 2**20}))
"""


def large_graph(n: int = LARGE, degree: int = 10) -> Row:
    """Dijkstra on a sparse graph, in a process of its own, with the memory of its arrays."""
    done = subprocess.run(
        [sys.executable, "-c", LARGE_SCRIPT, str(n), str(degree)],
        check=True,
        capture_output=True,
        text=True,
    )
    return json.loads(done.stdout)
