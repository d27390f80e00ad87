"""Weights, graphs → a folder of shards: the inputs and outputs of every layer of every iteration.

    index.json          what the columns, layers and constants are; "complete": true at the end
    shard-00000.npz     records; a record is one layer of one iteration on one graph
    shard-00001.npz     …

What a shard holds, `shards` says. Memory holds one shard and one graph, and whoever kills the
writer leaves whole shards only. `trace_data` reads the folder again.
"""

from __future__ import annotations

import json
from collections.abc import Iterable, Iterator, Mapping
from dataclasses import asdict, dataclass
from importlib.util import find_spec
from pathlib import Path
from typing import Any

import numpy as np

from loopwright.errors import LoopwrightError
from loopwright.lab.experiments.graphs import Shape, random_graph, random_source
from loopwright.lab.experiments.shards import Arrays, Suffix, write_part, write_shard
from loopwright.model.layout import Kind, Layout
from loopwright.model.weights import Weights
from loopwright.runtime.encode import Array, Problem
from loopwright.runtime.graph import Graph, Label
from loopwright.runtime.machines import Machine, is_exact
from loopwright.runtime.observe import Observer
from loopwright.runtime.run import run

FORMAT, VERSION = "loopwright-traces", 1
INDEX = "index.json"
SHARD_ROWS = 2**16
"""How many rows a shard may have: with 32 columns, 32 MiB before compression."""


@dataclass(frozen=True, eq=False)
class Example:
    """A graph to run, and what to call it."""

    name: str
    graph: Graph
    source: Label | None = None


@dataclass
class Written:
    """How much a folder holds."""

    graphs: int = 0
    records: int = 0
    rows: int = 0
    shards: int = 0


def random_examples(
    model: Weights, count: int, *, nodes: int, shape: Shape, density: float, seed: int
) -> Iterator[Example]:
    """Make random graphs one by one; the i-th does not depend on how many there are."""
    for i in range(count):
        rng = np.random.default_rng([seed, i])
        graph = random_graph(nodes, rng, shape=shape, density=density)
        yield Example(f"random {seed}/{i}", graph, random_source(model, graph, rng))


def write_traces(
    model: Weights,
    examples: Iterable[Example],
    folder: Path,
    *,
    machine: Machine = "reference",
    inputs: Mapping[str, Any] | None = None,
    shard_rows: int = SHARD_ROWS,
    suffix: Suffix = "npz",
) -> Written:
    """Run one example after the other, and write what its layers did.

    Raises:
        LoopwrightError: if the folder holds traces already or cannot be written, if a graph cannot
            be run, or if the machine's numbers are no floats.
    """
    if is_exact(machine):
        raise LoopwrightError(
            "traces are floats, the exact machine's numbers are not: use another."
        )
    if suffix == "parquet" and find_spec("pyarrow") is None:
        raise LoopwrightError("Parquet needs pyarrow: pip install 'loopwright[parquet]'.")
    if not model.bound:
        raise LoopwrightError(f"'{model.name}' has no bound of its own: it cannot be traced.")
    writer = ShardWriter(folder, describe(model, machine, suffix), shard_rows)
    for example in examples:
        writer.example = example
        options = {"source": example.source, "machine": machine, "observers": [writer]}
        run(model, example.graph, **options, **(inputs or {}))
    return writer.finish()


class ShardWriter(Observer):
    """Collects records, and writes a shard whenever the next record would not fit."""

    example: Example
    """The example that runs; whoever starts a run sets it before."""

    def __init__(self, folder: Path, index: dict[str, Any], shard_rows: int) -> None:
        self.folder, self.index, self.shard_rows = folder, index, shard_rows
        self.written = Written()
        self.clear()
        try:
            folder.mkdir(parents=True, exist_ok=True)
            there = (folder / INDEX).exists() or any(folder.glob("shard-*"))
        except OSError as problem:
            raise LoopwrightError(f"{folder}: {problem.strerror or problem}.") from None
        if there:
            raise LoopwrightError(f"{folder} holds traces already: choose another folder.")

    def clear(self) -> None:
        """Begin the next shard."""
        self.rows = 0
        self.records: list[tuple[int, int, int, Array, Array]] = []
        """Graph, iteration, layer, X before and X after it."""
        self.running: dict[int, tuple[Example, Problem]] = {}
        """The graphs of these records, by their numbers."""

    def begin(self, model: Weights, graph: Graph, problem: Problem) -> None:
        self.problem, self.last = problem, problem.x
        self.written.graphs += 1

    def after_layer(self, iteration: int, layer: int, x: Array) -> None:
        if self.records and self.rows + len(x) > self.shard_rows:
            self.flush()
        before, self.last = self.last, x.copy()
        number = self.written.graphs - 1
        self.records.append((number, iteration, layer, before, self.last))
        self.running[number] = self.example, self.problem
        self.rows += len(x)

    def flush(self) -> None:
        """Write the next shard. The index is there before the first one: a run that cannot start
        leaves nothing behind."""
        if not self.written.shards:
            self.write_index(complete=False)
        path = self.folder / f"shard-{self.written.shards:05}.{self.index['suffix']}"
        write_shard(path, self.arrays(), self.index["columns"])
        self.written.shards += 1
        self.written.records += len(self.records)
        self.written.rows += self.rows
        self.clear()

    def finish(self) -> Written:
        if self.records:
            self.flush()
        self.write_index(complete=True)
        return self.written

    def write_index(self, *, complete: bool) -> None:
        index = self.index | {"complete": complete, **asdict(self.written)}
        text = json.dumps(index, ensure_ascii=False, indent=1) + "\n"
        write_part(self.folder / INDEX, lambda file: file.write(text.encode()))

    def arrays(self) -> Arrays:
        """What the next shard holds."""
        graph, iteration, layer, before, after = zip(*self.records, strict=True)
        examples, problems = zip(*self.running.values(), strict=True)
        numbers = np.array(list(self.running))
        sources = [0 if e.source is None else e.graph.index(e.source) + 1 for e in examples]
        return {
            "inputs": np.concatenate(before),
            "outputs": np.concatenate(after),
            "first": np.cumsum([0, *map(len, before)]),
            "graph": np.array(graph),
            "iteration": np.array(iteration),
            "layer": np.array(layer),
            "graphs": numbers,
            "names": np.array([example.name for example in examples], dtype=np.str_),
            "sources": np.array(sources),
            "edge_graph": np.repeat(numbers, [len(problem.tails) for problem in problems]),
            "edge_tail": np.concatenate([problem.tails for problem in problems]),
            "edge_head": np.concatenate([problem.heads for problem in problems]),
            "edge_weight": np.concatenate([problem.weights for problem in problems]),
        }


def describe(model: Weights, machine: Machine, suffix: Suffix) -> dict[str, Any]:
    """What a reader must know about the arrays."""
    constants = model.constants
    return {
        "format": FORMAT,
        "version": VERSION,
        "suffix": suffix,
        "algorithm": model.name,
        "construction": model.construction,
        "attention": model.attention,
        "machine": machine,
        "edges": model.edges,
        "constants": {
            "nodes": constants.nodes,
            "omega": str(constants.omega),
            "unreached": str(constants.unreached),
            "resolution": str(constants.resolution),
        },
        "columns": column_names(model.layout),
        "halt": model.layout.halt,
        "outputs": dict(model.layout.outputs),
        "layers": [
            {"name": layer.name, "paper_step": layer.paper_step, "writes": list(layer.writes)}
            for layer in model.layers
        ],
    }


def column_names(layout: Layout) -> list[str]:
    """One name for each column of X.

    >>> import loopwright as lw
    >>> column_names(lw.compile(lw.algorithms.dijkstra()).layout)[:4]
    ['B_global', 'B_local', 'P.sin', 'P.cos']
    """
    names = [f"scratch.{i}" for i in range(layout.width)]
    for one in layout.fields:
        parts = [".sin", ".cos"] if one.kind is Kind.POSITION else [""]
        names[one.columns] = [one.name + part for part in parts]
    return names
