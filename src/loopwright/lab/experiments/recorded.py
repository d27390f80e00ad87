"""One run as arrays: made by any worker, anywhere; then written by one, in the order of the graphs.

A run that is kept in a file is called by its seed and number, `run-7-00000012.npz`, is there whole
or not at all, and says what it is the run of. So jobs that know nothing of each other can share the
graphs between them, begin again where they were stopped, and leave the rest to whoever puts the
runs together; who asks for something else is told so.
"""

from __future__ import annotations

import io
import json
import zlib
from collections import deque
from collections.abc import Iterable, Iterator, Mapping
from contextlib import suppress
from dataclasses import dataclass
from hashlib import sha256
from pathlib import Path
from typing import Any, NamedTuple
from zipfile import BadZipFile

import numpy as np
from numpy.typing import NDArray

from loopwright.errors import LoopwrightError, brief
from loopwright.lab.experiments.shards import write_part
from loopwright.model.description import describe, name_tensors
from loopwright.model.storage import digest
from loopwright.model.weights import Weights
from loopwright.runtime.encode import Array, Problem
from loopwright.runtime.graph import Graph, Label
from loopwright.runtime.machines import Machine
from loopwright.runtime.observe import Observer
from loopwright.runtime.run import run
from loopwright.runtime.workers import received, sent, working

RUNS = "runs"
"""The folder of runs that wait to be put together, inside that of the traces."""
ASKED = "asked"
"""The name, in the file of a run, of the digest of what was asked for."""


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
    """What a worker of a cluster is asked to do: nothing, where a run is kept."""

    model: bytes
    machine: Machine
    inputs: Mapping[str, Any]

    def __call__(self, example: Example | None) -> Recorded | None:
        if example is None:
            return None
        return record(received(self.model), example, self.machine, self.inputs)


def record_on_cluster(
    request: Request, examples: Iterable[tuple[int, Example]], kept: KeptRuns, cluster: str
) -> Iterator[tuple[Example, Recorded]]:
    """Every example with its run, in the order of their numbers, whichever workers ran them; those
    that are kept already are not run again.

    Raises:
        LoopwrightError: if no scheduler answers, or if a graph cannot be run.
    """
    model, machine, inputs = request
    taken = deque[tuple[int, Example]]()

    def missing() -> Iterator[Example | None]:
        for number, example in examples:
            taken.append((number, example))
            yield None if kept.path(number).exists() else example

    with working(cluster, None) as pool:
        for found in pool.in_order(_There(sent(model), machine, inputs), missing()):
            number, example = taken.popleft()
            found = found or kept.find(number, example)
            yield example, found or record(model, example, machine, inputs)


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


class Request(NamedTuple):
    """What examples are run with."""

    model: Weights
    machine: Machine
    inputs: Mapping[str, Any]

    def digest(self) -> str:
        """The same for the same weights, program, machine and inputs, in whichever process."""
        model = digest(json.dumps(describe(self.model)), name_tensors(self.model))
        given = {name: _listed(value) for name, value in sorted(self.inputs.items())}
        return sha256(repr((model, self.machine, given)).encode()).hexdigest()


class KeptRuns:
    """The runs of one request that are kept in files, in a folder of traces.

    Seed and number are a file's name, but do not say what was run: a folder may hold the runs of
    another model, or of graphs of another size. So each file has a digest of all that its run
    follows from.
    """

    def __init__(self, folder: Path, seed: int, request: Request) -> None:
        self.folder, self.seed, self._request = folder, seed, request.digest()

    def path(self, number: int) -> Path:
        return run_file(self.folder, self.seed, number)

    def keep(self, number: int, example: Example, recorded: Recorded) -> None:
        """Write a run; beside its arrays, what it is the run of.

        Raises:
            LoopwrightError: if the file cannot be written.
        """
        path, asked = self.path(number), np.array(self._digest(example))
        stored: dict[str, Any] = vars(recorded) | {ASKED: asked}
        try:
            path.parent.mkdir(parents=True, exist_ok=True)
        except OSError as problem:
            raise LoopwrightError(f"{path.parent}: {problem.strerror or problem}.") from None
        write_part(path, lambda file: np.savez_compressed(file, allow_pickle=False, **stored))

    def find(self, number: int, example: Example) -> Recorded | None:
        """The run of this example that is kept; None if there is none.

        Raises:
            LoopwrightError: if there is a file that is no run, or the run of something else.
        """
        path = self.path(number)
        try:
            with np.load(io.BytesIO(path.read_bytes()), allow_pickle=False) as stored:
                arrays = {name: stored[name] for name in stored.files}
            asked = str(arrays.pop(ASKED, ""))
            recorded = Recorded(**arrays)
        except FileNotFoundError:
            return None
        except OSError as problem:
            raise LoopwrightError(f"{path}: {problem.strerror or problem}.") from None
        except (ValueError, TypeError, EOFError, BadZipFile, zlib.error) as problem:
            raise LoopwrightError(
                f"{path}: no run that can be read ({brief(problem)}): remove it, and it is run "
                "again."
            ) from None
        if asked != self._digest(example):
            raise LoopwrightError(
                f"{path}: a run of another model, graph or machine than is asked for: choose "
                "another folder, or ask for the same graphs and options again."
            )
        return recorded

    def remove(self, count: int) -> None:
        """Remove the first so many, what was left of them by jobs that were killed, and the folder
        unless it holds others. The traces are whole without: what cannot be removed stays."""
        with suppress(OSError):
            for number in range(count):
                path = self.path(number)
                path.unlink(missing_ok=True)
                path.with_name(f".{path.name}.partial").unlink(missing_ok=True)
            (self.folder / RUNS).rmdir()

    def _digest(self, example: Example) -> str:
        graph = example.graph
        edges = [_listed(each) for each in (graph.tails, graph.heads, graph.weights)]
        parts = (self._request, example.source, graph.labels, graph.directed, *edges)
        return sha256(repr(parts).encode()).hexdigest()


def _listed(value: Any) -> Any:
    """An array as a list, every number of which can be seen in its `repr`."""
    return value.tolist() if isinstance(value, np.ndarray) else value


def run_file(folder: Path, seed: int, number: int) -> Path:
    """Where the run of an example is kept."""
    return folder / RUNS / f"run-{seed}-{number:08}.npz"
