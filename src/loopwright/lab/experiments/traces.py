"""Weights, graphs → a folder of shards: the inputs and outputs of every layer of every iteration.

    index.json          what the columns, layers and constants are; "complete": true at the end
    shard-00000.npz     records; a record is one layer of one iteration on one graph
    shard-00001.npz     …

What a shard holds, `shards` says. Memory holds one shard and one graph, and whoever kills the
writer leaves whole shards only; asked for the same once more, it goes on behind them. `trace_data`
reads the folder again.
"""

from __future__ import annotations

import json
from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import asdict, dataclass
from importlib.util import find_spec
from itertools import islice
from pathlib import Path
from typing import Any

import numpy as np

from loopwright.errors import LoopwrightError
from loopwright.lab.experiments.graphs import Shape, random_graph, random_source
from loopwright.lab.experiments.recorded import (
    Example,
    KeptRuns,
    Recorded,
    Request,
    Share,
    record,
    record_on_cluster,
)
from loopwright.lab.experiments.shards import (
    Arrays,
    Suffix,
    read_shard,
    write_part,
    write_shard,
)
from loopwright.model.layout import Kind, Layout
from loopwright.model.weights import Weights
from loopwright.runtime.encode import Array, Problem
from loopwright.runtime.graph import Graph
from loopwright.runtime.machines import Machine, is_exact
from loopwright.runtime.observe import Observer
from loopwright.runtime.run import run

FORMAT, VERSION = "loopwright-traces", 1
INDEX = "index.json"
SHARD_ROWS = 2**16
"""How many rows a shard may have: with 32 columns, 32 MiB before compression."""


@dataclass(frozen=True, eq=False)
class Reached:
    """The last record that a writer left behind when it was stopped."""

    name: str
    """What its graph is called."""
    iteration: int
    layer: int
    outputs: Array
    """X after the layer."""


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
    asked: Mapping[str, Any] | None = None,
    cluster: str | None = None,
) -> Written:
    """Run one example after the other, and write what its layers did.

    With a `cluster` (see `runtime.workers`) its workers run them, and the files are the same. So
    they are if `write_share` has run some of them before, which are then not run again but removed
    at the end, whoever runs the others.

    In a folder whose writer was stopped it goes on, if it is to write the same; the end is then the
    same as if nobody had stopped it. `asked` says where the examples come from, and is compared.

    Raises:
        LoopwrightError: if the folder holds other traces, or shares of others, or cannot be
            written, if a graph cannot be run, or if the machine's numbers are no floats.
    """
    require_traceable(model, machine, suffix)
    given = {name: str(value) for name, value in (inputs or {}).items()}
    wanted = {"shard_rows": shard_rows, "inputs": given, "asked": dict(asked or {})}
    writer = ShardWriter(folder, describe(model, machine, suffix) | wanted)
    request = Request(model, machine, inputs or {})
    kept = KeptRuns(folder, int((asked or {}).get("seed", 0)), request)
    left = islice(enumerate(examples), writer.written.graphs, None)
    if cluster is not None:
        for example, found in record_on_cluster(request, left, kept, cluster):
            writer.example = example
            found.tell(model, example.graph, writer)
    else:
        for number, example in left:
            writer.example = example
            tell_run(request, example, kept.find(number, example), writer)
    written = writer.finish()
    kept.remove(written.graphs)
    return written


def tell_run(
    request: Request, example: Example, found: Recorded | None, observer: Observer
) -> None:
    """Have an observer see the run of an example: one that was found, or else one now."""
    model, machine, inputs = request
    if found:
        found.tell(model, example.graph, observer)
        return
    options = {"source": example.source, "machine": machine, "observers": [observer]}
    run(model, example.graph, **options, **inputs)


def write_share(
    model: Weights,
    examples: Iterable[Example],
    folder: Path,
    share: Share,
    *,
    machine: Machine = "reference",
    inputs: Mapping[str, Any] | None = None,
    seed: int = 0,
) -> int:
    """Run a share of the examples, and keep each run in a file of its own; returns how many.

    Those that are kept already are not run again. Once all shares are there, `write_traces` puts
    them together.

    Raises:
        LoopwrightError: as `write_traces` does.
    """
    require_traceable(model, machine, "npz")
    kept, count = KeptRuns(folder, seed, Request(model, machine, inputs or {})), 0
    for number, example in enumerate(examples):
        if number % share.parts == share.part:
            if kept.find(number, example) is None:
                kept.keep(number, example, record(model, example, machine, inputs or {}))
            count += 1
    return count


def require_traceable(model: Weights, machine: Machine, suffix: Suffix) -> None:
    """Whether runs of a model can be written.

    Raises:
        LoopwrightError: if the machine's numbers are no floats, if nobody knows when a run ends, or
            if what writes such files is not installed.
    """
    if is_exact(machine):
        raise LoopwrightError(
            "traces are floats, the exact machine's numbers are not: use another."
        )
    if suffix == "parquet" and find_spec("pyarrow") is None:
        raise LoopwrightError("Parquet needs pyarrow: pip install 'loopwright[parquet]'.")
    if not model.bound:
        raise LoopwrightError(f"'{model.name}' has no bound of its own: it cannot be traced.")


class ShardWriter(Observer):
    """Collects records, and writes a shard whenever the next record would not fit."""

    example: Example
    """The example that runs; whoever starts a run sets it before."""

    def __init__(self, folder: Path, index: dict[str, Any]) -> None:
        self.folder, self.index, self.shard_rows = folder, index, index["shard_rows"]
        self.written = Written()
        self.reached: Reached | None = None
        """Where another writer stopped, until this one has come there."""
        self.clear()
        try:
            folder.mkdir(parents=True, exist_ok=True)
            there = (folder / INDEX).exists() or any(folder.glob("shard-*"))
        except OSError as problem:
            raise LoopwrightError(f"{folder}: {problem.strerror or problem}.") from None
        if there:
            self.go_on(read_index(folder))

    def go_on(self, there: dict[str, Any]) -> None:
        """Begin where the writer of this index stopped.

        Raises:
            LoopwrightError: if it did not stop, or wrote something else.
        """
        if there.get("complete") is not False:
            raise LoopwrightError(f"{self.folder} holds traces already: choose another folder.")
        if any(there.get(key) != value for key, value in self.index.items()):
            raise self.other_traces()
        if there["shards"]:
            graph, iteration, layer = there["reached"]
            self.written = Written(graph, there["records"], there["rows"], there["shards"])
            last = read_shard(self.shard(there["shards"] - 1), self.index["columns"])
            rows = slice(last["first"][-2], last["first"][-1])
            name = str(last["names"][-1])
            self.reached = Reached(name, iteration, layer, last["outputs"][rows])

    def other_traces(self) -> LoopwrightError:
        return LoopwrightError(
            f"{self.folder} holds a part of other traces: choose another folder, or ask for the "
            "same graphs and options again."
        )

    def shard(self, number: int) -> Path:
        return self.folder / f"shard-{number:05}.{self.index['suffix']}"

    def clear(self) -> None:
        """Begin the next shard."""
        self.rows = 0
        self.records: list[tuple[int, int, int, Array, Array]] = []
        """Graph, iteration, layer, X before and X after it."""
        self.running: dict[int, tuple[Example, Problem]] = {}
        """The graphs of these records, by their numbers."""

    def begin(self, model: Weights, graph: Graph, problem: Problem) -> None:
        if self.reached and self.reached.name != self.example.name:
            raise self.other_traces()
        self.problem, self.last = problem, problem.x
        self.written.graphs += 1

    def after_layer(self, iteration: int, layer: int, x: Array) -> None:
        if self.reached:
            self.catch_up(self.reached, iteration, layer, x)
            return
        if self.records and self.rows + len(x) > self.shard_rows:
            self.flush()
        before, self.last = self.last, x.copy()
        number = self.written.graphs - 1
        self.records.append((number, iteration, layer, before, self.last))
        self.running[number] = self.example, self.problem
        self.rows += len(x)

    def catch_up(self, reached: Reached, iteration: int, layer: int, x: Array) -> None:
        """Run again what is written already; at the last of it, X must be what it was then."""
        self.last = x.copy()
        if (iteration, layer) == (reached.iteration, reached.layer):
            if not np.array_equal(x, reached.outputs, equal_nan=True):
                raise self.other_traces()
            self.reached = None

    def flush(self) -> None:
        """Write the next shard, and then an index that counts it. There is an index before the
        first shard, too: a run that cannot start leaves nothing behind."""
        if not self.written.shards:
            self.write_index(complete=False)
        write_shard(self.shard(self.written.shards), self.arrays(), self.index["columns"])
        self.written.shards += 1
        self.written.records += len(self.records)
        self.written.rows += self.rows
        self.write_index(complete=False, reached=self.records[-1][:3])
        self.clear()

    def finish(self) -> Written:
        if self.reached:
            raise self.other_traces()
        if self.records:
            self.flush()
        self.write_index(complete=True)
        return self.written

    def write_index(self, *, complete: bool, reached: Sequence[int] = ()) -> None:
        """Say how much there is and, while it is not complete, graph, iteration and layer of the
        last record."""
        progress = {"complete": complete} | ({"reached": list(reached)} if reached else {})
        index = self.index | progress | asdict(self.written)
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


def read_index(folder: Path) -> dict[str, Any]:
    """What the writer of a folder has said of it.

    Raises:
        LoopwrightError: if the folder holds no traces that this version can read.
    """
    path = folder / INDEX
    try:
        index = json.loads(path.read_text(encoding="utf-8"))
    except (OSError, ValueError) as problem:
        raise LoopwrightError(f"{path}: no traces here ({problem}).") from None
    if index.get("format") != FORMAT or index.get("version") != VERSION:
        raise LoopwrightError(f"{path}: not {FORMAT} version {VERSION}.")
    return index


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
    """One name for each column of X; those of all variables that share it.

    >>> import loopwright as lw
    >>> column_names(lw.compile(lw.algorithms.dijkstra()).layout)[:4]
    ['B_global', 'B_local', 'own_index', 'own_square']
    """
    names: list[list[str]] = [[] for _ in range(layout.width)]
    for one in layout.fields:
        parts = [".sin", ".cos"] if one.kind is Kind.POSITION else [""]
        for column, part in zip(names[one.columns], parts, strict=True):
            column.append(one.name + part)
    return ["/".join(found) or f"scratch.{i}" for i, found in enumerate(names)]
