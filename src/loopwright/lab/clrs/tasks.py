"""Which of the benchmark's tasks an algorithm answers, and the graphs, checked by their hashes."""

from __future__ import annotations

import hashlib
import json
from collections.abc import Iterator, Mapping
from dataclasses import dataclass, field
from functools import cache
from importlib.resources import files
from typing import Any, Literal, get_args

import numpy as np
from numpy.typing import NDArray

from loopwright.errors import LoopwrightError
from loopwright.lab.clrs.ask import EVERY_SOURCE, ONCE, Asking
from loopwright.lab.clrs.compare import (
    Compare,
    entries,
    held_edges,
    partition,
    rows,
    tree_edges,
)
from loopwright.model.limits import Limits
from loopwright.runtime.graph import Graph

Split = Literal["train", "val", "test"]
SPLITS: tuple[Split, ...] = get_args(Split)
LIMITS = Limits(nodes=65, largest=64)
"""Limits for the benchmark's graphs, of 64 nodes and perhaps the way back, with weights up to 1."""
DATA = files("loopwright.lab.clrs") / "data"


@dataclass(frozen=True)
class Published:
    """A figure that others published: how many per cent of the test split's nodes were right."""

    per_cent: float
    source: str


@dataclass(frozen=True, eq=False)
class Task:
    """One task of the benchmark, as one of our algorithms answers it."""

    algorithm: str
    name: str
    """The benchmark's name for it."""
    truth: Mapping[str, Compare]
    """The benchmark's arrays of right answers → how ours compare with each."""
    inputs: Mapping[str, Any] = field(default_factory=dict[str, Any])
    published: Published | None = None
    """A learned model's test accuracy; `docs/table-1.md` says what has been reported since."""
    asking: Asking = ONCE
    """What is run for one graph."""
    constructions: tuple[str, ...] = ()
    """The constructions whose answers are compared like this; all, if none is named."""
    note: str = ""
    """What a reader of the score must know about how the task is asked or compared."""

    def is_for(self, construction: str) -> bool:
        """Whether the answers of this construction are compared like this."""
        return not self.constructions or construction in self.constructions


EVOPROMPTING = "EvoPrompting (Chen, Dohan, So; arXiv:2302.14838)"
TRIPLET_GMPNN = "Triplet-GMPNN (Ibarz et al.; arXiv:2209.11142)"

PREV = {"pi": entries("prev")}
PAIRS = {"Pi": rows("prev")}
ALL_PAIRS = (
    "floyd_warshall: one run for each source with the same weights, as n² outputs do not fit in a "
    "constant width"
)

TASKS = (
    Task("bfs", "bfs", PREV, published=Published(99.99, EVOPROMPTING)),
    Task("dfs", "dfs", PREV, published=Published(68.1, EVOPROMPTING)),
    Task("dijkstra", "dijkstra", PREV, published=Published(97.3, EVOPROMPTING)),
    Task(
        "scc",
        "strongly_connected_components",
        {"scc_id": entries("component")},
        published=Published(43.4, TRIPLET_GMPNN),
        constructions=("paper", "compact"),
    ),
    Task(
        "scc",
        "strongly_connected_components",
        {"scc_id": partition("component")},
        constructions=("parallel",),
        note=(
            "scc parallel: which nodes are together, not what a component is called; that is its "
            "first node here, and the root of Kosaraju's search in the benchmark"
        ),
    ),
    Task("multitask", "bfs", PREV),
    Task("multitask", "dfs", PREV, inputs={"dfs": 1}),
    Task("multitask", "dijkstra", PREV),
    Task("prim", "mst_prim", PREV),
    Task("kruskal", "mst_kruskal", {"in_mst": held_edges("tail", "head")}),
    Task("bellman-ford", "bellman_ford", PREV),
    Task("dijkstra", "floyd_warshall", PAIRS, asking=EVERY_SOURCE, note=ALL_PAIRS),
    Task("bellman-ford", "floyd_warshall", PAIRS, asking=EVERY_SOURCE, note=ALL_PAIRS),
    Task("dag-shortest-paths", "dag_shortest_paths", PREV),
    Task(
        "topological-sort",
        "topological_sort",
        {"topo": entries("next"), "topo_head": entries("head")},
    ),
    Task("articulation-points", "articulation_points", {"is_cut": entries("cut")}),
    Task("bridges", "bridges", {"is_bridge": tree_edges("bridge", "prev")}),
)


@dataclass(frozen=True, eq=False)
class Examples:
    """The graphs of one task and split, with their right answers."""

    adjacency: NDArray[np.float64]  # (graphs, n, n)
    sources: list[int | None]
    truth: Mapping[str, NDArray[Any]]
    """The benchmark's name of an array → the array: (graphs, n), or (graphs, n, n) for pairs."""


@cache
def manifest() -> dict[str, Any]:
    """How many graphs a split has, and the digest of every array."""
    return json.loads((DATA / "manifest.json").read_text(encoding="utf-8"))


def size_of(split: Split) -> int:
    """How many graphs a split has."""
    return manifest()["splits"][split]["num_samples"]


def load(task: Task, split: Split) -> Examples:
    """Read a task's graphs from the package.

    Raises:
        LoopwrightError: if an array is not, to the last bit, the one that was published.
    """
    name = f"{task.name}_{split}.npz"
    with (DATA / name).open("rb") as file, np.load(file, allow_pickle=False) as stored:
        arrays = {key: stored[key] for key in stored.files}
    for key, wanted in manifest()["files"][name].items():
        if key not in arrays or sha256(arrays[key]) != wanted:
            raise LoopwrightError(f"{name}: array '{key}' is damaged: reinstall the package.")
    starts = arrays["s"].argmax(axis=1) if "s" in arrays else None
    count = len(arrays["A"])
    return Examples(
        adjacency=arrays["A"].astype(np.float64),
        sources=[None] * count if starts is None else [int(start) for start in starts],
        truth={name: arrays[name] for name in task.truth},
    )


def some_graphs(task: Task) -> Iterator[Graph]:
    """Those of validation and test, as a model is asked about them first."""
    for examples in (load(task, "val"), load(task, "test")):
        for adjacency, source in zip(examples.adjacency, examples.sources, strict=True):
            (first, _), *_ = task.asking.problems(adjacency, source)
            yield Graph.from_matrix(first)


def sha256(array: NDArray[Any]) -> str:
    """The digest of an array's bytes, as the manifest has it."""
    return hashlib.sha256(np.ascontiguousarray(array).tobytes()).hexdigest()
