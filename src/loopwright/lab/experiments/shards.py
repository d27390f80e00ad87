"""The arrays of a shard ⇄ files, as NPZ or as Parquet; a file is there whole or not at all.

A shard of R rows, r records and g graphs has

    inputs, outputs   (R, d)   X before and after the layer, records one below the other
    first             (r + 1,) record i is rows first[i] to first[i + 1]
    graph, iteration, layer   (r,)   which graph (its number), iteration (from 1), layer (from 0)
    graphs, names, sources    (g,)   the graphs of the shard: number, name, row of the source or 0
    edge_graph, edge_tail, edge_head, edge_weight   (edges,)   their Ã, by rows of X

An NPZ shard is just these. A Parquet shard has one line for each row, `in.NAME` and `out.NAME` for
each column, and edges and graphs in files of their own, which are there before the shard is.
"""

# torch, matplotlib and pyarrow have no complete types.
# pyright: reportUnknownMemberType=false

from __future__ import annotations

from collections.abc import Callable, Sequence
from functools import partial
from pathlib import Path
from typing import Any, BinaryIO, Literal

import numpy as np
from numpy.typing import NDArray

from loopwright.errors import LoopwrightError
from loopwright.model.files import write_whole

Suffix = Literal["npz", "parquet"]
Arrays = dict[str, NDArray[Any]]
RECORD = ("graph", "iteration", "layer")
GRAPHS = ("graphs", "names", "sources")


def write_shard(path: Path, arrays: Arrays, columns: Sequence[str]) -> None:
    """Write the form that the suffix names; `columns` are the names of X's columns.

    Raises:
        LoopwrightError: if a file cannot be written.
    """
    if path.suffix == ".npz":
        stored: dict[str, Any] = arrays  # compressed: most of X stays what it was
        write_part(path, lambda file: np.savez_compressed(file, allow_pickle=False, **stored))
        return
    import pyarrow as pa  # type: ignore[import-untyped]
    import pyarrow.parquet as pq  # type: ignore[import-untyped]

    first = arrays["first"]
    rows: dict[str, Any] = {name: np.repeat(arrays[name], np.diff(first)) for name in RECORD}
    rows["row"] = np.arange(first[-1]) - np.repeat(first[:-1], np.diff(first))
    for side, name in (("in", "inputs"), ("out", "outputs")):
        rows |= {f"{side}.{column}": arrays[name][:, i] for i, column in enumerate(columns)}
    edges = {name.removeprefix("edge_"): arrays[name] for name in arrays if name[:5] == "edge_"}
    tables = ({name: arrays[name] for name in GRAPHS}, edges, rows)
    for part, table in zip(parquet_files(path), tables, strict=True):
        write_part(part, partial(pq.write_table, pa.table(table)))


def read_shard(path: Path, columns: Sequence[str]) -> Arrays:
    """The arrays of a shard again, whichever form it has."""
    if path.suffix == ".npz":
        with np.load(path, allow_pickle=False) as stored:
            return {name: stored[name] for name in stored.files}
    import pyarrow.parquet as pq  # type: ignore[import-untyped]

    tables: list[Any] = [pq.read_table(part) for part in parquet_files(path)]
    graphs, edges, rows = (
        {name: table[name].to_numpy() for name in table.column_names} for table in tables
    )
    starts = np.flatnonzero(rows["row"] == 0)
    return {
        "inputs": np.stack([rows[f"in.{name}"] for name in columns], axis=1),
        "outputs": np.stack([rows[f"out.{name}"] for name in columns], axis=1),
        "first": np.append(starts, len(rows["row"])),
        **{name: rows[name][starts] for name in RECORD},
        **{f"edge_{name}": column for name, column in edges.items()},
        **graphs,
    }


def parquet_files(shard: Path) -> list[Path]:
    """Where a shard's graphs, edges and rows are: its rows, in the shard itself, come last."""
    names = [shard.name.replace("shard", part) for part in ("graphs", "edges", "shard")]
    return [shard.with_name(name) for name in names]


def write_part(path: Path, write: Callable[[BinaryIO], object]) -> None:
    """Write one file of the folder.

    Raises:
        LoopwrightError: if it cannot be written.
    """
    try:
        write_whole(path, write)
    except OSError as problem:
        raise LoopwrightError(f"{path}: {problem.strerror or problem}.") from None
