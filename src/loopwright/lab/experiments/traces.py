"""Weights, graphs → a folder of shards: the inputs and outputs of every layer of every iteration.

    index.json          what the columns, layers and constants are; "complete": true at the end
    shard-00000.npz     records; a record is one layer of one iteration on one graph
    shard-00001.npz     …

A shard is written under another name and renamed when it is whole and on disk: whoever kills the
writer leaves whole shards only. Memory holds one shard and one graph. A shard of R rows, r records
and g graphs has

    inputs, outputs   (R, d)   X before and after the layer, records one below the other
    first             (r + 1,) record i is rows first[i] to first[i + 1]
    graph, iteration, layer   (r,)   which graph (its number), iteration (from 1), layer (from 0)
    graphs, names, sources    (g,)   the graphs of the shard: number, name, row of the source or 0
    edge_graph, edge_tail, edge_head, edge_weight   (edges,)   their Ã, by rows of X

Parquet shards have one line for each row, `in.NAME` and `out.NAME` for each column, and the edges
in a file of their own, which is there before the shard is.
"""

from __future__ import annotations

import json
import os
from collections.abc import Callable, Iterable, Mapping
from dataclasses import dataclass, field
from functools import partial
from importlib.util import find_spec
from pathlib import Path
from typing import Any, BinaryIO, Literal

import numpy as np
from numpy.typing import NDArray

from loopwright.errors import LoopwrightError
from loopwright.model.layout import Kind, Layout
from loopwright.model.weights import Weights
from loopwright.runtime.encode import Array, Problem
from loopwright.runtime.graph import Graph, Label
from loopwright.runtime.machines import is_exact
from loopwright.runtime.observe import Observer
from loopwright.runtime.run import run

FORMAT, VERSION = "loopwright-traces", 1
INDEX = "index.json"
SHARD_ROWS = 2**16
"""Rows of a shard: with 32 columns, 32 MiB before compression."""

Suffix = Literal["npz", "parquet"]
SUFFIXES: tuple[Suffix, ...] = ("npz", "parquet")
Arrays = dict[str, NDArray[Any]]


@dataclass(frozen=True, eq=False)
class Example:
    """A graph to run, and what to call it."""

    name: str
    graph: Graph
    source: Label | None = None


@dataclass(frozen=True)
class Written:
    """What a folder holds."""

    graphs: int
    records: int
    rows: int
    shards: int


def write_traces(
    model: Weights,
    examples: Iterable[Example],
    folder: Path,
    *,
    machine: str = "reference",
    inputs: Mapping[str, Any] | None = None,
    shard_rows: int = SHARD_ROWS,
    suffix: Suffix = "npz",
    progress: Callable[[], None] | None = None,
) -> Written:
    """Run every example and write what its layers did; `progress` is called after each.

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
    writer = ShardWriter(folder, model, machine, shard_rows, suffix)
    for example in examples:
        writer.example = example
        run(
            model,
            example.graph,
            source=example.source,
            machine=machine,
            observers=[writer],
            **(inputs or {}),
        )
        if progress:
            progress()
    return writer.finish()


@dataclass
class Buffer:
    """The records of the next shard."""

    before: list[Array] = field(default_factory=list[Array])
    after: list[Array] = field(default_factory=list[Array])
    where: list[tuple[int, int, int]] = field(default_factory=list[tuple[int, int, int]])
    """(graph, iteration, layer) of each record."""
    graphs: dict[int, tuple[Example, Problem]] = field(
        default_factory=dict[int, tuple[Example, Problem]]
    )
    rows: int = 0

    def arrays(self) -> Arrays:
        """As the shard has them."""
        sizes = [len(x) for x in self.before]
        graph, iteration, layer = np.array(self.where, dtype=np.int64).T
        problems = [problem for _, problem in self.graphs.values()]
        edges = [len(problem.tails) for problem in problems]
        sources = [
            0 if one.source is None else one.graph.index(one.source) + 1
            for one, _ in self.graphs.values()
        ]
        return {
            "inputs": np.concatenate(self.before),
            "outputs": np.concatenate(self.after),
            "first": np.concatenate([[0], np.cumsum(sizes)]).astype(np.int64),
            "graph": graph,
            "iteration": iteration,
            "layer": layer,
            "graphs": np.array(list(self.graphs), dtype=np.int64),
            "names": np.array([one.name for one, _ in self.graphs.values()], dtype=np.str_),
            "sources": np.array(sources, dtype=np.int64),
            "edge_graph": np.repeat(np.array(list(self.graphs), dtype=np.int64), edges),
            "edge_tail": np.concatenate([problem.tails for problem in problems]),
            "edge_head": np.concatenate([problem.heads for problem in problems]),
            "edge_weight": np.concatenate([problem.weights for problem in problems]),
        }


class ShardWriter(Observer):
    """Collects records, and writes a shard whenever the next record would not fit."""

    example: Example
    """What runs; whoever starts a run says so before."""

    def __init__(
        self, folder: Path, model: Weights, machine: str, shard_rows: int, suffix: Suffix
    ) -> None:
        self.folder, self.shard_rows, self.suffix = folder, shard_rows, suffix
        self.save: Save = {"npz": save_npz, "parquet": save_parquet}[suffix]
        self.index = describe(model, machine, suffix)
        self.columns: list[str] = self.index["columns"]
        self.buffer = Buffer()
        self.graphs = self.records = self.rows = self.shards = 0
        try:
            folder.mkdir(parents=True, exist_ok=True)
            there = (folder / INDEX).exists() or any(folder.glob("shard-*"))
        except OSError as problem:
            raise LoopwrightError(f"{folder}: {problem.strerror or problem}.") from None
        if there:
            raise LoopwrightError(f"{folder} holds traces already: choose another folder.")

    def begin(self, model: Weights, graph: Graph, problem: Problem) -> None:
        self.problem, self.last = problem, problem.x
        self.graphs += 1

    def after_layer(self, iteration: int, layer: int, x: Array) -> None:
        if self.buffer.where and self.buffer.rows + len(x) > self.shard_rows:
            self.flush()
        now = x.copy()
        number = self.graphs - 1
        self.buffer.before.append(self.last)
        self.buffer.after.append(now)
        self.buffer.where.append((number, iteration, layer))
        self.buffer.graphs[number] = self.example, self.problem
        self.buffer.rows += len(x)
        self.last = now

    def flush(self) -> None:
        """The buffer as the next shard. The index is there before the first one: a run that cannot
        start leaves nothing behind."""
        if not self.shards:
            self.write_index(complete=False)
        path = self.folder / f"shard-{self.shards:05}.{self.suffix}"
        self.save(path, self.buffer.arrays(), self.columns)
        self.shards += 1
        self.records += len(self.buffer.where)
        self.rows += self.buffer.rows
        self.buffer = Buffer()

    def finish(self) -> Written:
        if self.buffer.where:
            self.flush()
        self.write_index(complete=True)
        return Written(self.graphs, self.records, self.rows, self.shards)

    def write_index(self, *, complete: bool) -> None:
        counts = {"graphs": self.graphs, "records": self.records, "rows": self.rows}
        index = self.index | {"complete": complete, **counts, "shards": self.shards}
        text = json.dumps(index, ensure_ascii=False, indent=1) + "\n"
        write_whole(self.folder / INDEX, lambda file: file.write(text.encode()))


def describe(model: Weights, machine: str, suffix: Suffix) -> dict[str, Any]:
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


# ── whole files only ────────────────────────────────────────────────────────────────────────────

Save = Callable[[Path, Arrays, list[str]], None]


def write_whole(path: Path, write: Callable[[BinaryIO], object]) -> None:
    """Write under another name, wait for the disk, rename: at no time is a part of it at `path`.

    Raises:
        LoopwrightError: if it cannot be written; the part is removed.
    """
    partial_path = path.with_name(f".{path.name}.partial")
    try:
        with partial_path.open("wb") as file:
            write(file)
            file.flush()
            os.fsync(file.fileno())
        os.replace(partial_path, path)
    except OSError as problem:
        partial_path.unlink(missing_ok=True)
        raise LoopwrightError(f"{path}: {problem.strerror or problem}.") from None


def save_npz(path: Path, arrays: Arrays, columns: list[str]) -> None:
    """Compressed: most of X stays what it was."""
    del columns  # they are in the index
    stored: dict[str, Any] = arrays
    write_whole(path, lambda file: np.savez_compressed(file, allow_pickle=False, **stored))


def save_parquet(path: Path, arrays: Arrays, columns: list[str]) -> None:
    """Edges and graphs in files of their own, then the shard itself."""
    import pyarrow as pa  # type: ignore[import-untyped]
    import pyarrow.parquet as pq  # type: ignore[import-untyped]

    sizes = np.diff(arrays["first"])
    offsets = np.repeat(arrays["first"][:-1], sizes)
    rows: dict[str, Any] = {
        name: np.repeat(arrays[name], sizes) for name in ("graph", "iteration", "layer")
    }
    rows["row"] = np.arange(len(offsets)) - offsets
    for side, name in (("in", "inputs"), ("out", "outputs")):
        rows |= {f"{side}.{column}": arrays[name][:, i] for i, column in enumerate(columns)}
    edges = {name: arrays[f"edge_{name}"] for name in ("graph", "tail", "head", "weight")}
    graphs = {name: arrays[name] for name in ("graphs", "names", "sources")}
    number = path.stem.removeprefix("shard-")
    tables = {f"edges-{number}": edges, f"graphs-{number}": graphs, path.stem: rows}
    for stem, table in tables.items():
        write = partial(pq.write_table, pa.table(table))
        write_whole(path.with_name(f"{stem}.parquet"), write)
