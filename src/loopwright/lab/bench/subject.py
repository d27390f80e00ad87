"""A model on a machine, timed: whole calls, and the loop alone."""

# networkx has no complete types.
# pyright: reportUnknownArgumentType=false, reportUnknownVariableType=false

from __future__ import annotations

import time
from collections.abc import Callable, Iterator, Mapping
from dataclasses import dataclass
from functools import partial
from itertools import pairwise
from typing import Any

import networkx as nx

from loopwright.lab.bench.graphs import random_digraph, shaped
from loopwright.lab.bench.timing import Row, in_turns
from loopwright.model.weights import Weights
from loopwright.runtime.encode import encode
from loopwright.runtime.graph import Graph
from loopwright.runtime.machines import Loop, Machine, prepare
from loopwright.runtime.run import run

FLAT = 64
"""Below so many nodes, time hardly grows: what an iteration costs anyway is most of it."""


@dataclass(frozen=True, eq=False)
class Subject:
    """A model on a machine, ready to be timed."""

    model: Weights
    machine: Machine
    loop: Loop
    compiled: float
    """How many seconds it took to make it ready."""

    @classmethod
    def prepared(cls, model: Weights, machine: Machine) -> Subject:
        begin = time.perf_counter()
        loop = prepare(model, machine)
        return cls(model, machine, loop, time.perf_counter() - begin)

    def jobs(self, plain: nx.DiGraph[Any]) -> dict[str, Callable[[], Any]]:
        """A whole call, the loop alone, and where it is fast enough to see a difference a whole
        call from a `Graph`."""
        graph = Graph.of(plain)
        found: dict[str, Callable[[], Any]] = {
            "total_seconds": whole_call(self.model, plain, self.machine),
            "seconds": loop_alone(self.model, self.loop, graph),
        }
        if self.machine == "native":
            found["graph_seconds"] = whole_call(self.model, graph, self.machine)
        return found

    def row(self, plain: nx.DiGraph[Any], taken: Mapping[str, float]) -> Row:
        _, iterations = loop_alone(self.model, self.loop, Graph.of(plain))()
        return {
            "algorithm": self.model.name,
            "construction": self.model.construction,
            "attention": self.model.attention,
            "n": len(plain),
            "machine": self.machine,
            **taken,
            "iterations": iterations,
            "compile_seconds": self.compiled,
        }

    def seconds_for(self, n: int, row: Row) -> float:
        """How long a run on so many nodes will take, after one that took what the row says."""
        dense = self.machine != "native"
        power = len(self.model.bound) - 1 + 1 + dense - (row["n"] < FLAT)  # iterations, rows, rows
        return row["total_seconds"] * (n / row["n"]) ** power


def whole_call(model: Weights, graph: object, machine: Machine) -> Callable[[], Any]:
    """A run as people call it, up to every label of every output."""
    source = 0 if model.source == "required" else None

    def call() -> list[dict[Any, Any]]:
        return [*run(model, graph, source=source, machine=machine).result.values()]  # type: ignore

    return call


def loop_alone(model: Weights, loop: Loop, graph: Graph) -> Callable[[], tuple[Any, int]]:
    """The iterations on a graph, without what comes before and after them."""
    problem = encode(model, graph, source=0 if model.source == "required" else None)
    return partial(loop, problem, model.max_iterations(graph.n) or 0, None)


def runs_alone(
    model: Weights, machine: Machine, sizes: tuple[int, ...], patience: float
) -> Iterator[Row]:
    """One row for each size, as long as the next would not take longer than patience lasts."""
    subject = Subject.prepared(model, machine)
    for n, following in pairwise((*sizes, 0)):
        graph = shaped(random_digraph(n), model.needs)
        row = subject.row(graph, in_turns(subject.jobs(graph)))
        yield row
        if subject.seconds_for(following, row) > patience:
            return
