"""A folder of traces → arrays, records, and a PyTorch dataset.

    for record in Traces(folder).records(): …                      NumPy, one layer at a time
    DataLoader(TraceDataset(folder), collate_fn=collate_records)    batches for a training loop

A folder whose writer was stopped is read as far as it goes.
"""

# torch, matplotlib and pyarrow have no complete types.
# pyright: reportUnknownMemberType=false

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from functools import cached_property
from os import PathLike
from pathlib import Path
from typing import Any, NamedTuple

import numpy as np
import torch
from torch import Tensor
from torch.nn.utils.rnn import pad_sequence
from torch.utils.data import IterableDataset, get_worker_info

from loopwright.errors import LoopwrightError
from loopwright.lab.experiments.shards import Arrays, read_shard
from loopwright.lab.experiments.traces import read_index
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
        return read_index(self.folder)

    @property
    def columns(self) -> list[str]:
        return self.index["columns"]

    @property
    def layers(self) -> list[str]:
        return [layer["name"] for layer in self.index["layers"]]

    def shards(self) -> list[Path]:
        """The shards that are whole, in order."""
        return sorted(self.folder.glob(f"shard-*.{self.index['suffix']}"))

    def read(self, shard: Path) -> Arrays:
        """The arrays of a shard, by the names that `shards` lists."""
        return read_shard(shard, self.columns)

    def records(self, shards: Sequence[Path] | None = None) -> Iterator[Record]:
        """Every record, in the order of the runs; one shard is in memory at a time."""
        for shard in self.shards() if shards is None else shards:
            yield from records_of(self.read(shard))


def records_of(arrays: Arrays) -> Iterator[Record]:
    """The records of a shard."""
    adjacency: dict[int, Array] = {}
    where = zip(arrays["graph"], arrays["iteration"], arrays["layer"], strict=True)
    for i, (graph, iteration, layer) in enumerate(where):
        rows = slice(arrays["first"][i], arrays["first"][i + 1])
        x, y = arrays["inputs"][rows], arrays["outputs"][rows]
        if graph not in adjacency:
            here = arrays["edge_graph"] == graph
            a = adjacency[graph] = np.zeros((len(x), len(x)), dtype=arrays["edge_weight"].dtype)
            a[arrays["edge_tail"][here], arrays["edge_head"][here]] = arrays["edge_weight"][here]
        yield Record(int(graph), int(iteration), int(layer), x, y, adjacency[graph])


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


class Sample(NamedTuple):
    """Records as tensors, padded to the rows of the largest."""

    batch: Batch
    """X before the layer, Ã, and which rows are no padding."""
    y: Tensor
    """X after the layer."""
    layer: Tensor
    iteration: Tensor
    graph: Tensor


def collate_records(records: Sequence[Record]) -> Sample:
    """Records of graphs of any size as one batch; a `collate_fn` for a DataLoader."""

    def padded(rows: Sequence[Array]) -> Tensor:
        return pad_sequence([torch.from_numpy(each) for each in rows], batch_first=True)

    x, y = padded([record.x for record in records]), padded([record.y for record in records])
    mask = padded([np.ones(len(record.x), dtype=np.bool_) for record in records])
    a = torch.zeros(*mask.shape, mask.shape[1], dtype=x.dtype)
    for b, record in enumerate(records):
        a[b, : len(record.a), : len(record.a)] = torch.from_numpy(record.a)
    layer, iteration, graph = torch.tensor([[r.layer, r.iteration, r.graph] for r in records]).T
    return Sample(Batch(x, a, mask), y, layer, iteration, graph)
