"""Which of the benchmark's tasks an algorithm answers, and the graphs, checked by their hashes."""

from __future__ import annotations

import hashlib
import json
from collections.abc import Mapping
from dataclasses import dataclass, field
from functools import cache
from importlib.resources import files
from typing import Any

import numpy as np
from numpy.typing import NDArray

from loopwright.errors import LoopwrightError

SPLITS = ("train", "val", "test")
DATA = files("loopwright.clrs") / "data"


@dataclass(frozen=True)
class Published:
    """Someone else's figure: per cent of nodes right on the test split."""

    per_cent: float
    source: str


@dataclass(frozen=True)
class Task:
    """One task of the benchmark, as one of our algorithms answers it."""

    algorithm: str
    name: str
    """The benchmark's name for it."""
    result: str
    """Our result's name, which holds a node for each node."""
    truth: str = "pi"
    """The benchmark's array of right answers."""
    inputs: Mapping[str, Any] = field(default_factory=dict[str, Any])
    published: Published | None = None
    """The best learned model's test accuracy."""


EVOPROMPTING = "EvoPrompting (Chen, Dohan, So; arXiv:2302.14838)"
TRIPLET_GMPNN = "Triplet-GMPNN (Ibarz et al.; arXiv:2209.11142)"

TASKS = (
    Task("bfs", "bfs", "prev", published=Published(99.99, EVOPROMPTING)),
    Task("dfs", "dfs", "prev", published=Published(68.1, EVOPROMPTING)),
    Task("dijkstra", "dijkstra", "prev", published=Published(97.3, EVOPROMPTING)),
    Task(
        "scc",
        "strongly_connected_components",
        "component",
        truth="scc_id",
        published=Published(43.4, TRIPLET_GMPNN),
    ),
    Task("multitask", "bfs", "prev"),
    Task("multitask", "dfs", "prev", inputs={"dfs": 1}),
    Task("multitask", "dijkstra", "prev"),
)


@dataclass(frozen=True, eq=False)
class Examples:
    """The graphs of one task and split, with their right answers."""

    adjacency: NDArray[np.float64]  # (graphs, n, n)
    sources: list[int | None]
    truth: NDArray[np.int64]  # (graphs, n)


@cache
def manifest() -> dict[str, Any]:
    return json.loads((DATA / "manifest.json").read_text(encoding="utf-8"))


def load(task: Task, split: str) -> Examples:
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
        truth=arrays[task.truth],
    )


def sha256(array: NDArray[Any]) -> str:
    """The digest of an array's bytes, as the manifest has it."""
    return hashlib.sha256(np.ascontiguousarray(array).tobytes()).hexdigest()
