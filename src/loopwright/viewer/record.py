"""Model, graph → a trace of the run as far as the page will show it, and why it ended there."""

from __future__ import annotations

from dataclasses import dataclass
from pathlib import Path
from tempfile import TemporaryDirectory
from typing import Any

import numpy as np

from loopwright.errors import FailedCheck
from loopwright.model.description import JSON
from loopwright.model.weights import Weights
from loopwright.runtime.encode import Array, Problem
from loopwright.runtime.graph import Graph
from loopwright.runtime.observe import Observer
from loopwright.runtime.run import run
from loopwright.watch.trace import Trace, TraceWriter
from loopwright.watch.trace.format import frame_number, number_to_json
from loopwright.watch.verify import Lockstep


class WindowFull(FailedCheck):
    """The run has gone as far as the page shows it."""


@dataclass(frozen=True)
class Recorded:
    """A trace, and what else was seen of the run."""

    trace: Trace
    problem: Problem
    reason: str | None
    """Why the run was stopped, if something went wrong."""
    apart: list[JSON]
    """Where program and weights parted: row, column and what the program has there."""


class Window(Observer):
    """Keeps the problem, and stops the run where the page ends."""

    def __init__(self, frames: int) -> None:
        self.frames = frames

    def begin(self, model: Weights, graph: Graph, problem: Problem) -> None:
        self.problem, self.layers = problem, len(model.layers)

    def after_layer(self, iteration: int, layer: int, x: Array) -> None:
        if frame_number(iteration, layer, self.layers) >= self.frames:
            raise WindowFull("the window is full")


class Parting(Lockstep):
    """Program and weights in lockstep; where they part, the cells that differ."""

    apart: list[JSON]

    def begin(self, model: Weights, graph: Graph, problem: Problem) -> None:
        self.apart = []
        super().begin(model, graph, problem)

    def compare(self, iteration: int, index: int | None, x: Array) -> None:
        wrong = self.differs(index, x)
        self.apart = [
            [int(row), int(column), as_number(self.expected[row, column])]
            for row, column in zip(*np.nonzero(wrong), strict=True)
        ]
        super().compare(iteration, index, x)


def record(
    model: Weights, graph: object, *, frames: int, compare: bool, **options: Any
) -> Recorded:
    """Run a model, for at most so many frames, and open the trace; with `compare`, only as far as
    it does what its program means.

    Raises:
        LoopwrightError: as `Model.run`, but for a run that goes wrong: that is there to be seen.
    """
    window, parting = Window(frames), Parting()
    reason: str | None = None
    with TemporaryDirectory() as folder:
        path = Path(folder) / "run.jsonl.gz"
        watching: list[Observer] = [TraceWriter(path), *([parting] if compare else []), window]
        try:
            with np.errstate(all="ignore"):  # a run that goes wrong is shown all the same
                run(model, graph, observers=watching, **options)
        except WindowFull:
            pass
        except FailedCheck as stop:
            reason = str(stop)
        trace = Trace.load(path)
    return Recorded(trace, window.problem, reason, parting.apart if compare and reason else [])


def as_number(number: Any) -> JSON:
    """As JSON for a page, which has no fractions."""
    return number_to_json(float(number))
