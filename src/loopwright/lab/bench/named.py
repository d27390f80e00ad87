"""Measure models that somebody names, their own among them: the loop alone, and the whole call.

No library does what an unknown program does, so machines are all that can be compared.
"""

from __future__ import annotations

from collections.abc import Iterable
from importlib.util import find_spec

from loopwright.errors import LoopwrightError
from loopwright.lab.bench.measure import MACHINES, environment, exponents
from loopwright.lab.bench.report import duration
from loopwright.lab.bench.subject import runs_alone
from loopwright.lab.bench.timing import Report, Row
from loopwright.model.weights import Weights

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
                runs += runs_alone(model, machine, sizes, patience)
    return {"environment": environment(), "runs": runs, "exponents": exponents(runs)}


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
