"""Measure models that somebody names, their own among them: the loop alone, and the whole call.

No library does what an unknown program does, so machines are all that can be compared.
"""

# networkx has no complete types.
# pyright: reportUnknownArgumentType=false, reportUnknownVariableType=false

from __future__ import annotations

import time
from collections.abc import Iterable, Iterator
from importlib.util import find_spec

from loopwright.errors import LoopwrightError
from loopwright.lab.bench.graphs import random_digraph, shaped
from loopwright.lab.bench.measure import MACHINES, environment, exponents, growth, time_loop
from loopwright.lab.bench.report import duration
from loopwright.lab.bench.timing import Report, Row, best_of
from loopwright.model.weights import Weights
from loopwright.runtime.machines import Machine, prepare
from loopwright.runtime.run import run

HEADS = ("algorithm", "construction", "n", "machine", "iterations", "loop", "whole call")


def measure_named(
    models: Iterable[Weights], *, sizes: tuple[int, ...], patience: float, report: Report
) -> Row:
    """The times of models on every machine that is installed, as JSON.

    Raises:
        LoopwrightError: if a model has no bound of its own, or cannot run on such graphs.
    """
    runs: list[Row] = []
    for model in models:
        if not model.bound:
            raise LoopwrightError(f"'{model.name}' has no bound of its own: it cannot be measured.")
        for machine in MACHINES:
            if machine != "torch" or find_spec("torch"):
                report(f"{model.name} {model.construction} on {machine}")
                runs += _times(model, machine, sizes, patience)
    return {"environment": environment(), "runs": runs, "exponents": exponents(runs)}


def _times(
    model: Weights, machine: Machine, sizes: tuple[int, ...], patience: float
) -> Iterator[Row]:
    """One row for each size, as long as the next would not take longer than patience lasts."""
    begin = time.perf_counter()
    loop = prepare(model, machine)
    compiled = time.perf_counter() - begin
    source = 0 if model.source == "required" else None
    for n, following in zip(sizes, (*sizes[1:], 0), strict=True):
        graph = shaped(random_digraph(n), model.needs)
        total = best_of(lambda graph=graph: run(model, graph, source=source, machine=machine))
        seconds, iterations = time_loop(model, loop, graph)
        yield {
            "algorithm": model.name,
            "construction": model.construction,
            "attention": model.attention,
            "n": n,
            "machine": machine,
            "seconds": seconds,
            "total_seconds": total,
            "iterations": iterations,
            "compile_seconds": compiled,
        }
        if total * (following / n) ** growth(model, machine, n) > patience:
            return


def rows_of_named(results: Row) -> list[list[str]]:
    """One row of a table for each run."""
    return [
        [
            row["algorithm"],
            row["construction"],
            str(row["n"]),
            row["machine"],
            str(row["iterations"]),
            duration(row["seconds"]),
            duration(row["total_seconds"]),
        ]
        for row in results["runs"]
    ]
