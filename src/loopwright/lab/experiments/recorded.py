"""One run as arrays: made by any worker, anywhere; then written by one, in the order of the graphs.

A run that is kept in a file is called by its seed and number, `run-7-00000012.npz`, and is there
whole or not at all. So jobs that know nothing of each other can share the graphs between them,
begin again where they were stopped, and leave the rest to whoever puts the runs together.
"""

from __future__ import annotations

import io
import zlib
from collections.abc import Iterable, Iterator, Mapping
from dataclasses import dataclass
from pathlib import Path
from typing import Any, NamedTuple
from zipfile import BadZipFile

import numpy as np
from numpy.typing import NDArray

from loopwright.errors import LoopwrightError, brief
from loopwright.lab.experiments.shards import write_part
from loopwright.model.weights import Weights
from loopwright.runtime.encode import Array, Problem
from loopwright.runtime.graph import Graph, Label
from loopwright.runtime.machines import Machine
from loopwright.runtime.observe import Observer
from loopwright.runtime.run import run
from loopwright.runtime.workers import received, sent, working

RUNS = "runs"
"""The folder of runs that wait to be put together, inside that of the traces."""


@dataclass(frozen=True, eq=False)
class Example:
    """A graph to run, and what to call it."""

    name: str
    graph: Graph
    source: Label | None = None


@dataclass(frozen=True, eq=False)
class Recorded:
    """What a run did: X₀, the edges, and X after every layer."""

    start: Array  # (K, d)
    tails: NDArray[np.int64]
    heads: NDArray[np.int64]
    weights: Array
    layers: NDArray[np.int64]
    """Iteration (from 1) and layer (from 0) of each record."""
    outputs: Array  # (records, K, d)

    @property
    def problem(self) -> Problem:
        return Problem(self.start, self.tails, self.heads, self.weights)

    def tell(self, model: Weights, graph: Graph, observer: Observer) -> None:
        """Have an observer see it, as if it ran now."""
        observer.begin(model, graph, self.problem)
        for (iteration, layer), x in zip(self.layers.tolist(), self.outputs, strict=True):
            observer.after_layer(iteration, layer, x)


class Recorder(Observer):
    """Keeps X after every layer."""

    def begin(self, model: Weights, graph: Graph, problem: Problem) -> None:
        self.problem = problem
        self.layers: list[tuple[int, int]] = []
        self.outputs: list[Array] = []

    def after_layer(self, iteration: int, layer: int, x: Array) -> None:
        self.layers.append((iteration, layer))
        self.outputs.append(x.copy())

    def recorded(self) -> Recorded:
        problem = self.problem
        edges = (problem.tails, problem.heads, problem.weights)
        return Recorded(problem.x, *edges, np.array(self.layers), np.array(self.outputs))


def record(
    model: Weights, example: Example, machine: Machine, inputs: Mapping[str, Any]
) -> Recorded:
    """Run an example."""
    recorder = Recorder()
    given = {"source": example.source, "machine": machine, "observers": [recorder]}
    run(model, example.graph, **given, **inputs)
    return recorder.recorded()


class _There(NamedTuple):
    """What a worker of a cluster is asked to do."""

    model: bytes
    machine: Machine
    inputs: Mapping[str, Any]

    def __call__(self, example: Example) -> Recorded:
        return record(received(self.model), example, self.machine, self.inputs)


def record_on_cluster(
    model: Weights,
    examples: Iterable[Example],
    machine: Machine,
    inputs: Mapping[str, Any],
    cluster: str,
) -> Iterator[tuple[Example, Recorded]]:
    """Every example with its run, in their order, whichever workers ran them.

    Raises:
        LoopwrightError: if no scheduler answers, or if a graph cannot be run.
    """
    taken: list[Example] = []

    def noted() -> Iterator[Example]:
        for example in examples:
            taken.append(example)
            yield example

    with working(cluster, None) as pool:
        for found in pool.in_order(_There(sent(model), machine, inputs), noted()):
            yield taken.pop(0), found


# ── shares ──────────────────────────────────────────────────────────────────────────────────────


class Share(NamedTuple):
    """The `part`-th of `parts` equal shares, from 0."""

    part: int
    parts: int

    @classmethod
    def read(cls, text: str) -> Share:
        """From "i/n", with i from 0 to n − 1, as array jobs count.

        >>> Share.read("2/8")
        Share(part=2, parts=8)

        Raises:
            LoopwrightError: if it is none.
        """
        part, slash, parts = text.partition("/")
        if not (slash and part.isdecimal() and parts.isdecimal() and int(part) < int(parts)):
            raise LoopwrightError(
                f"--shard {brief(text)}: expected i/n, with i from 0 to n − 1, as 0/4 and 3/4."
            )
        return cls(int(part), int(parts))


def run_file(folder: Path, seed: int, number: int) -> Path:
    """Where the run of an example is kept."""
    return folder / RUNS / f"run-{seed}-{number:08}.npz"


def keep_run(path: Path, recorded: Recorded) -> None:
    stored: dict[str, Any] = vars(recorded)
    write_part(path, lambda file: np.savez_compressed(file, allow_pickle=False, **stored))


def kept_run(path: Path) -> Recorded | None:
    """The run that is kept here; None if there is none.

    Raises:
        LoopwrightError: if there is a file that is none.
    """
    try:
        with np.load(io.BytesIO(path.read_bytes()), allow_pickle=False) as stored:
            return Recorded(**{name: stored[name] for name in stored.files})
    except FileNotFoundError:
        return None
    except (OSError, ValueError, TypeError, EOFError, BadZipFile, zlib.error) as problem:
        raise LoopwrightError(f"{path}: no run that can be read ({brief(problem)}).") from None
