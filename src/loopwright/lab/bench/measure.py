"""Measure machines and libraries; everything that is compared is measured in the same run."""

# networkx, scipy and rustworkx have no complete types.
# pyright: reportUnknownArgumentType=false, reportUnknownVariableType=false

from __future__ import annotations

import platform
import tracemalloc
from collections.abc import Callable, Iterator, Sequence
from functools import partial
from importlib.metadata import version
from itertools import pairwise, product
from typing import Any

from loopwright.algorithms import ALGORITHMS
from loopwright.compiler.compile import compile
from loopwright.lab.bench.graphs import random_digraph
from loopwright.lab.bench.growth import power
from loopwright.lab.bench.large import very_large
from loopwright.lab.bench.libraries import jobs
from loopwright.lab.bench.startup import measure_startup
from loopwright.lab.bench.subject import FLAT, Subject, loop_alone, runs_alone, whole_call
from loopwright.lab.bench.timing import Report, Row, in_turns
from loopwright.model.limits import Limits
from loopwright.model.weights import Weights
from loopwright.runtime.decode import Answer
from loopwright.runtime.encode import encode
from loopwright.runtime.graph import Graph
from loopwright.runtime.machines import Machine, prepare
from loopwright.runtime.many import run_many

SIZES = (16, 64, 256, 1024, 4096)
MEASURED = ("dijkstra", "bfs", "dfs", "scc")
MACHINES: tuple[Machine, ...] = ("reference", "torch", "native")
LARGE = 10_000


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
        "many": [many_graphs(16, 6000), many_graphs(256, 1000)],
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
        made = ALGORITHMS[algorithm].constructions
        models = [compile(ALGORITHMS[algorithm](each), limits=Limits()) for each in made]
        for model, machine in product(models, MACHINES):
            if machine != "native":
                report(f"{algorithm} {model.construction} on {machine}")
                yield from runs_alone(model, machine, sizes, patience)
        report(f"{algorithm} beside libraries")
        yield from _runs_beside_libraries(algorithm, models, sizes, patience, report)


def _runs_beside_libraries(
    algorithm: str,
    models: Sequence[Weights],
    sizes: tuple[int, ...],
    patience: float,
    report: Report,
) -> Iterator[Row]:
    """The native machine, and what people use otherwise, taking turns on the same graphs."""
    subjects = [Subject.prepared(model, "native") for model in models]
    for n, following in pairwise((*sizes, 0)):
        report(f"{algorithm} on {n:,} nodes, beside libraries")
        plain = random_digraph(n)
        timed: dict[tuple[object, str], Callable[[], Any]] = {}
        for subject in subjects:
            timed |= {(subject, kind): job for kind, job in subject.jobs(plain).items()}
        libraries = jobs(algorithm, plain)
        for name, job in libraries.items():
            timed |= {(name, "total_seconds"): job.whole, (name, "seconds"): job.own}
        taken = in_turns(timed)

        def of(whom: object, taken: dict[tuple[object, str], float] = taken) -> dict[str, float]:
            return {kind: seconds for (who, kind), seconds in taken.items() if who is whom}

        for name in libraries:
            yield {"algorithm": algorithm, "n": n, "library": name} | of(name)
        rows = [(subject, subject.row(plain, of(subject))) for subject in subjects]
        yield from (row for _, row in rows)
        subjects = [
            subject for subject, row in rows if subject.seconds_for(following, row) <= patience
        ]


def exponents(runs: list[Row]) -> list[Row]:
    """How native time grows: the p of nᵖ that fits best, for a whole run and for an iteration."""
    kinds: dict[tuple[str, str], list[Row]] = {}
    for row in runs:
        if row.get("machine") == "native" and row["n"] >= FLAT:
            kinds.setdefault((row["algorithm"], row["construction"]), []).append(row)
    return [
        {
            "algorithm": algorithm,
            "construction": construction,
            "run": power(rows, "seconds"),
            "iteration": power(rows, "seconds") - power(rows, "iterations"),
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
    networkx = jobs("dijkstra", plain)["networkx"].whole
    _, wanted = networkx()
    dists = x[1:, model.layout["dists"].first]
    taken = in_turns(
        {
            "total_seconds": whole_call(model, plain, "native"),
            "seconds": loop_alone(model, loop, graph),
            "networkx_seconds": networkx,
        },
        most=3,
    )
    return {
        "n": n,
        "edges": graph.edge_count,
        **taken,
        "iterations": iterations,
        "right": all(dists[node] == length for node, length in wanted.items()),
        "memory_mib": memory / 2**20,
        "dense_mib": n**2 * 8 / 2**20,
    }


def many_graphs(n: int, count: int) -> Row:
    """`run_many` on so many graphs, enough that there is something to share: what each takes, how
    much of that is its loop, and what each takes if two workers share them."""
    model = compile(ALGORITHMS["dijkstra"]("compact"), limits=Limits())
    graphs = [random_digraph(n, seed=seed) for seed in range(count)]
    loops: list[float] = []

    def job(workers: int) -> None:
        answers = list(run_many(model, graphs, sources=[0] * count, workers=workers))
        if workers == 1:
            loops.append(sum(each.seconds for each in answers if isinstance(each, Answer)))

    taken = in_turns({workers: partial(job, workers) for workers in (1, 2)}, seconds=5, most=5)
    return {
        "n": n,
        "graphs": count,
        "seconds_each": taken[1] / count,
        "loop_seconds_each": min(loops) / count,
        "seconds_each_by_two": taken[2] / count,
    }
