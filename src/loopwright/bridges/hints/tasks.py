"""A recorded run → the benchmark's own hints, for those of its tasks whose steps ours are.

The benchmark's algorithms note their variables in a certain rhythm: breadth-first search once for a
level, Bellman and Ford's once for a round, Dijkstra's and Prim's once for a node. Each function
below finds that rhythm in a run, and gives the variables the benchmark's names. Depth-first
searches, and Kruskal's, note every event: `events.py` has them. A distance that is not known yet is
0, beside a mask that says so.

What the benchmark has and a run does not: see `LACKING`.
"""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

import numpy as np
from numpy.typing import NDArray

from loopwright.bridges.hints.events import EVENTS
from loopwright.bridges.hints.probes import (
    NODE_MASK,
    ONE,
    POINTER,
    SCALAR,
    Hints,
    Task,
    one_hot,
)
from loopwright.bridges.hints.programs import CONSTRUCTION
from loopwright.bridges.hints.record import Recorder
from loopwright.model.weights import Weights


def known(values: NDArray[Any]) -> NDArray[Any]:
    """0 in the place of what is unreached."""
    return np.where(np.isfinite(values), values, 0.0)


def bfs(run: Recorder) -> Hints:
    """A hint for each level: the state before its first node is visited."""
    visited, orders = visits(run)
    levels = [orders[t, node] for t, node in enumerate(visited)]
    first = [t for t, level in enumerate(levels) if t == 0 or level != levels[t - 1]]
    return {"reach_h": run["disc"][first], "pi_h": run["prev"][first]}


def visits(run: Recorder) -> tuple[list[int], NDArray[Any]]:
    """Who was visited in each iteration; and the columns of orders."""
    return run["node"][1:, 0].tolist(), run["orders"]


def dijkstra(run: Recorder) -> Hints:
    """One before the first node, and one for each node that is reached."""
    return by_node(run, run["dists"], run["visit"], "d")


def prim(run: Recorder) -> Hints:
    """As for Dijkstra. A key is 0 in X once its node has joined; the benchmark keeps it."""
    key, joined = run["key"].copy(), np.zeros_like(run["key"])
    node = run["node"][:, 0]
    for t in range(1, len(key)):
        if node[t] >= 0:
            joined[t:, node[t]] = 1
    for t in range(1, len(key)):
        key[t] = np.where(joined[t] == 1, key[t - 1], key[t])
    return by_node(run, key, joined, "key")


def by_node(run: Recorder, values: NDArray[Any], mark: NDArray[Any], name: str) -> Hints:
    node, reached = run["node"][:, 0], np.isfinite(values)
    assert run.source is not None
    node[0] = run.source - 1
    steps = [0, *(t for t in range(1, len(node)) if node[t] >= 0 and reached[t, node[t]])]
    done = mark[steps] * reached[steps]
    return {
        "pi_h": run["prev"][steps],
        name: known(values[steps]),
        "mark": done,
        "in_queue": (reached[steps] & (done == 0)).astype(np.int64),
        "u": one_hot(node[steps], values.shape[1]),
    }


def bellman_ford(run: Recorder) -> Hints:
    """One for each round: the state when it begins. An iteration that finds no node left to relax
    ends a round; the last such ends the run."""
    ends = [t for t in range(1, len(run.states)) if (run["node"][t] < 0).all()]
    steps = [0, *ends[:-1]]
    dists = run["dists"][steps]
    return {
        "pi_h": run["prev"][steps],
        "d": known(dists),
        "msk": np.isfinite(dists).astype(np.int64),
    }


QUEUE = {"mark": NODE_MASK, "in_queue": NODE_MASK, "u": ONE}

BENCHMARK: Mapping[tuple[str, str], Task] = {
    ("bfs", "compact"): Task("bfs", {"reach_h": NODE_MASK, "pi_h": POINTER}, bfs),
    ("dijkstra", "compact"): Task("dijkstra", {"pi_h": POINTER, "d": SCALAR, **QUEUE}, dijkstra),
    ("prim", "compact"): Task("mst_prim", {"pi_h": POINTER, "key": SCALAR, **QUEUE}, prim),
    ("bellman-ford", "compact"): Task(
        "bellman_ford", {"pi_h": POINTER, "d": SCALAR, "msk": NODE_MASK}, bellman_ford
    ),
    **{(name, CONSTRUCTION): task for name, task in EVENTS.items()},
}
"""Algorithm and construction → the benchmark's task, its hints, and how they are found in a run."""

LACKING = {
    "floyd_warshall": "every step changes a matrix of n² distances, and X has a constant number of "
    "columns for each node; shortest paths from one source at a time never hold that matrix",
}
"""The benchmark's task → why its hints are not those of a run of ours. Such runs have the variables
of their program for hints, by their own names."""


def task_of(model: Weights) -> Task | None:
    """The task whose hints a run of this model has, if there is one."""
    return BENCHMARK.get((model.name, model.construction))
