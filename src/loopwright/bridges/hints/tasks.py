"""A recorded run → the benchmark's own hints, for those of its tasks whose steps ours are.

The benchmark's algorithms note their variables in a certain rhythm: breadth-first search once for a
level, Bellman and Ford's once for a round, Dijkstra's and Prim's once for a node, depth-first
searches at every event. Each function below finds that rhythm in a run, and gives the variables the
benchmark's names. A distance that is not known yet is 0 there, beside a mask that says so.

What the benchmark has and a run does not: see `LACKING`.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping
from typing import Any

import numpy as np
from numpy.typing import NDArray

from loopwright.bridges.hints.probes import Spec
from loopwright.bridges.hints.record import Recorder
from loopwright.bridges.hints.replay import replay

Hints = dict[str, NDArray[Any]]


def one_hot(nodes: NDArray[Any], n: int) -> NDArray[np.int64]:
    """(time,) → (time, n)."""
    return (nodes[:, None] == np.arange(n)).astype(np.int64)


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


def dfs(run: Recorder) -> Hints:
    """One for each event; `prev` of a node that is visited says who found it."""
    order = run["node"][1:, 0].tolist()
    hints = replay(order, run["prev"][-1].tolist(), enters=True)
    return {name: hints[name] for name in BENCHMARK["dfs"][1]}


def topological_sort(run: Recorder) -> Hints:
    """One for each event. The walk goes back to nodes: who comes for the first time was found by
    the node that was current before, if the walk went down to it."""
    node, visit, down = run["node"][:, 0], run["visit"], run["down"][:, 0]
    order, parent = list[int](), list(range(visit.shape[1]))
    for t in range(1, len(node)):
        if node[t] >= 0 and not visit[t - 1, node[t]]:
            order.append(int(node[t]))
            if down[t]:
                parent[node[t]] = int(node[t - 1])
    hints = replay(order, parent, enters=False)
    return {name: hints[name] for name in BENCHMARK["topological-sort"][1]}


NODE_MASK = Spec("hint", "node", "mask")
ONE = Spec("hint", "node", "mask_one")
POINTER = Spec("hint", "node", "pointer")
SCALAR = Spec("hint", "node", "scalar")
STACK = {
    "color": Spec("hint", "node", "categorical"),
    "s_prev": POINTER,
    "s": ONE,
    "u": ONE,
    "v": ONE,
    "s_last": ONE,
}
QUEUE = {"mark": NODE_MASK, "in_queue": NODE_MASK, "u": ONE}

BENCHMARK: Mapping[str, tuple[str, Mapping[str, Spec], Callable[[Recorder], Hints]]] = {
    "bfs": ("bfs", {"reach_h": NODE_MASK, "pi_h": POINTER}, bfs),
    "dfs": (
        "dfs",
        {
            "pi_h": POINTER,
            "d": SCALAR,
            "f": SCALAR,
            "time": Spec("hint", "graph", "scalar"),
            **STACK,
        },
        dfs,
    ),
    "dijkstra": ("dijkstra", {"pi_h": POINTER, "d": SCALAR, **QUEUE}, dijkstra),
    "prim": ("mst_prim", {"pi_h": POINTER, "key": SCALAR, **QUEUE}, prim),
    "bellman-ford": (
        "bellman_ford",
        {"pi_h": POINTER, "d": SCALAR, "msk": NODE_MASK},
        bellman_ford,
    ),
    "topological-sort": (
        "topological_sort",
        {"topo_h": POINTER, "topo_head_h": ONE, **STACK},
        topological_sort,
    ),
}
"""Algorithm (compact) → the benchmark's task, its hints, and how they are found in a run."""

LACKING = {
    "dag_shortest_paths": "our program visits nodes as they become ready, in one pass; the "
    "benchmark sorts by depth-first search first, and relaxes in that order",
    "strongly_connected_components": "our search finds a node's neighbours at once, and notes no "
    "parents in its first phase",
    "articulation_points": "the benchmark notes every edge that it looks at; ours looks at all "
    "edges of a node at once, and has no `low`",
    "bridges": "as for articulation points",
    "floyd_warshall": "there is no such program",
    "mst_kruskal": "there is no such program; Prim's finds the same tree",
}
"""The benchmark's task → why its hints are not those of a run of ours. Such runs have the variables
of their program for hints, by their own names."""
