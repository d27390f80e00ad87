"""A folder of traces → arrays, records, and a PyTorch dataset.

    for record in Traces(folder).records(): …                      NumPy, one layer at a time
    DataLoader(TraceDataset(folder), collate_fn=collate_records)    batches for a training loop

A folder whose writer was stopped is read as far as it goes.
"""

from __future__ import annotations

import json
from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from functools import cached_property
from os import PathLike
from pathlib import Path
from typing import Any, NamedTuple

import numpy as np
import torch
from torch import Tensor
from torch.utils.data import IterableDataset, get_worker_info

from loopwright.errors import LoopwrightError
from loopwright.lab.experiments.traces import FORMAT, INDEX, VERSION, Arrays
from loopwright.runtime.encode import Array
from loopwright.runtime.machines.torch import Batch


@dataclass(frozen=True, eq=False)
class Record:
    """One layer of one iteration on one graph."""

    graph: int
    iteration: int
    layer: int
    x: Array
    """X before the layer, (K, d)."""
    y: Array
    """X after it."""
    a: Array
    """Ã, (K, K)."""


@dataclass(frozen=True)
class Traces:
    """A folder that `write_traces` wrote."""

    folder: Path

    @cached_property
    def index(self) -> dict[str, Any]:
        """What the columns and layers are.

        Raises:
            LoopwrightError: if the folder holds no traces that this version can read.
        """
        path = self.folder / INDEX
        try:
            index = json.loads(path.read_text(encoding="utf-8"))
        except (OSError, ValueError) as problem:
            raise LoopwrightError(f"{path}: no traces here ({problem}).") from None
        if index.get("format") != FORMAT or index.get("version") != VERSION:
            raise LoopwrightError(f"{path}: not {FORMAT} version {VERSION}.")
        return index

    @property
    def columns(self) -> list[str]:
        return self.index["columns"]

    @property
    def layers(self) -> list[str]:
        return [layer["name"] for layer in self.index["layers"]]

    def shards(self) -> list[Path]:
        """The whole ones, in order."""
        return sorted(self.folder.glob(f"shard-*.{self.index['suffix']}"))

    def read(self, shard: Path) -> Arrays:
        """The arrays of a shard, by the names that `traces` lists."""
        if shard.suffix == ".parquet":
            return read_parquet(shard, self.columns)
        with np.load(shard, allow_pickle=False) as stored:
            return {name: stored[name] for name in stored.files}

    def records(self, shards: Sequence[Path] | None = None) -> Iterator[Record]:
        """Every record, in the order of the runs; one shard is in memory at a time."""
        for shard in self.shards() if shards is None else shards:
            yield from records_of(self.read(shard))


def records_of(arrays: Arrays) -> Iterator[Record]:
    """A shard's records."""
    adjacency: dict[int, Array] = {}
    where = zip(arrays["graph"], arrays["iteration"], arrays["layer"], strict=True)
    for i, (graph, iteration, layer) in enumerate(where):
        rows = slice(arrays["first"][i], arrays["first"][i + 1])
        x, y = arrays["inputs"][rows], arrays["outputs"][rows]
        if graph not in adjacency:
            adjacency[graph] = adjacency_of(arrays, graph, len(x))
        yield Record(int(graph), int(iteration), int(layer), x, y, adjacency[graph])


def adjacency_of(arrays: Arrays, graph: int, rows: int) -> Array:
    """Ã of one graph of a shard, dense."""
    here = arrays["edge_graph"] == graph
    a = np.zeros((rows, rows), dtype=arrays["edge_weight"].dtype)
    a[arrays["edge_tail"][here], arrays["edge_head"][here]] = arrays["edge_weight"][here]
    return a


def read_parquet(shard: Path, columns: Sequence[str]) -> Arrays:
    """A Parquet shard in the form of an NPZ one."""
    import pyarrow.parquet as pq  # type: ignore[import-untyped]

    number = shard.stem.removeprefix("shard-")
    parts: dict[str, Arrays] = {}
    for stem in (shard.stem, f"edges-{number}", f"graphs-{number}"):
        table: Any = pq.read_table(shard.with_name(f"{stem}.parquet"))
        parts[stem] = {name: table[name].to_numpy() for name in table.column_names}
    rows, edges, graphs = parts.values()
    starts = np.flatnonzero(rows["row"] == 0)
    return {
        "inputs": np.stack([rows[f"in.{name}"] for name in columns], axis=1),
        "outputs": np.stack([rows[f"out.{name}"] for name in columns], axis=1),
        "first": np.append(starts, len(rows["row"])),
        **{name: rows[name][starts] for name in ("graph", "iteration", "layer")},
        **{f"edge_{name}": column for name, column in edges.items()},
        **graphs,
    }


# ── PyTorch ─────────────────────────────────────────────────────────────────────────────────────


class Sample(NamedTuple):
    """A record as tensors, or several of them padded to the rows of the largest."""

    batch: Batch
    """X before the layer, Ã, and which rows there are."""
    y: Tensor
    """X after the layer."""
    layer: Tensor
    iteration: Tensor
    graph: Tensor


class TraceDataset(IterableDataset[Record]):
    """Records in the order of the runs; with several workers, each takes shards of its own.

    With `layer`, only those of the step of this name.
    """

    def __init__(self, folder: str | PathLike[str], *, layer: str | None = None) -> None:
        self.traces = Traces(Path(folder))
        if layer is not None and layer not in self.traces.layers:
            steps = ", ".join(f"'{name}'" for name in self.traces.layers)
            raise LoopwrightError(f"no step '{layer}' in {folder}; there are: {steps}.")
        self.layer = layer

    def __iter__(self) -> Iterator[Record]:
        worker = get_worker_info()
        mine = slice(None) if worker is None else slice(worker.id, None, worker.num_workers)
        for record in self.traces.records(self.traces.shards()[mine]):
            if self.layer in (None, self.traces.layers[record.layer]):
                yield record


def collate_records(records: Sequence[Record]) -> Sample:
    """Records of graphs of any size as one batch; a `collate_fn` for a DataLoader."""
    size, rows = len(records), max(len(record.x) for record in records)
    d = records[0].x.shape[1]
    x, y = np.zeros((size, rows, d)), np.zeros((size, rows, d))
    a = np.zeros((size, rows, rows))
    mask = np.zeros((size, rows), dtype=np.bool_)
    for b, record in enumerate(records):
        k = len(record.x)
        x[b, :k], y[b, :k], a[b, :k, :k], mask[b, :k] = record.x, record.y, record.a, True
    numbers = [[r.layer, r.iteration, r.graph] for r in records]
    layer, iteration, graph = torch.tensor(numbers).T
    batch = Batch(torch.from_numpy(x), torch.from_numpy(a), torch.from_numpy(mask))
    return Sample(batch, torch.from_numpy(y), layer, iteration, graph)
