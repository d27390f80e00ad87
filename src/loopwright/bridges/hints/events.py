"""Runs of the construction `events` → the benchmark's hints: an iteration is a hint.

Nothing is found out here: variables get the benchmark's names, a node that all are told becomes a
mask with one 1, three flags a colour, and ticks of the clock times.
"""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

import numpy as np
from numpy.typing import NDArray

from loopwright.bridges.hints.probes import (
    COLOUR,
    NODE_MASK,
    ONE,
    POINTER,
    SCALAR,
    Hints,
    Spec,
    Task,
    adjacency,
    one_hot,
)
from loopwright.bridges.hints.record import Recorder

TICK = 0.01
"""How much a time grows with every event that has one, in the benchmark."""


def after(run: Recorder, name: str) -> NDArray[Any]:
    """A variable after each iteration."""
    return run[name][1:]


def pointed(run: Recorder, name: str) -> NDArray[np.int64]:
    """A node that all are told, as a mask."""
    return one_hot(after(run, name)[:, 0], run.graph.n)


def ticks(run: Recorder, name: str) -> NDArray[np.float64]:
    """Times as the benchmark has them: it adds one tick to the other, and floats round."""
    counts = after(run, name)
    return np.cumsum([0.0, *[TICK] * int(counts.max())])[counts]


def stack(run: Recorder) -> Hints:
    """What every search has; a task takes what its specification names."""
    colours = [after(run, name) for name in ("white", "grey", "black")]
    return {
        "color": np.stack(colours, axis=-1),
        "s_prev": after(run, "s_prev"),
        "s": pointed(run, "s"),
        "u": pointed(run, "u"),
        "v": pointed(run, "v"),
        "s_last": pointed(run, "s_last"),
    }


def times(run: Recorder) -> Hints:
    return {"d": ticks(run, "d"), "f": ticks(run, "f"), "time": ticks(run, "clock")[:, 0]}


def order(run: Recorder) -> Hints:
    return {"topo_h": after(run, "topo"), "topo_head_h": pointed(run, "head")}


def dfs(run: Recorder) -> Hints:
    return {"pi_h": after(run, "prev"), **stack(run), **times(run)}


def topological_sort(run: Recorder) -> Hints:
    return {**order(run), **stack(run)}


def scc(run: Recorder) -> Hints:
    """The transposed graph is no variable of a run: it is the input, and the same at all times."""
    found = {"scc_id_h": after(run, "component"), "phase": after(run, "second")[:, 0]}
    reverse = adjacency(run.graph).T
    always = np.broadcast_to(reverse, (len(found["phase"]), *reverse.shape))
    return {"A_t": always, **found, **stack(run), **times(run)}


def dag_shortest_paths(run: Recorder) -> Hints:
    """`d` is a sum of weights here, and no time."""
    found = {"pi_h": after(run, "prev"), "d": after(run, "d"), "mark": after(run, "mark")}
    return {**found, "phase": after(run, "second")[:, 0], **order(run), **stack(run)}


def articulation_points(run: Recorder) -> Hints:
    return {
        "is_cut_h": after(run, "cut"),
        "low": ticks(run, "low"),
        "child_cnt": ticks(run, "child_cnt"),
        **dfs(run),
    }


def bridges(run: Recorder) -> Hints:
    """A bridge is held by the node that it leads down to; −1 is where there is no edge."""
    bridge, prev = after(run, "bridge"), after(run, "prev")
    edges = adjacency(run.graph)
    found = np.repeat((edges | edges.T)[None] - 1, len(bridge), axis=0)
    time, node = np.nonzero(bridge)
    above = prev[time, node]
    found[time, above, node] = found[time, node, above] = 1
    return {"is_bridge_h": found, "low": ticks(run, "low"), **dfs(run)}


def kruskal(run: Recorder) -> Hints:
    """Iterations in which nodes only read their first edges are left out. An edge of the tree is
    held by a node."""
    steps = np.flatnonzero(after(run, "noted")[:, 0])
    tail, head = after(run, "tail")[steps], after(run, "head")[steps]
    found = np.zeros((len(steps), run.graph.n, run.graph.n), dtype=np.int64)
    time, node = np.nonzero(tail >= 0)
    above, below = tail[time, node], head[time, node]
    found[time, above, below] = found[time, below, above] = 1
    phases = [after(run, f"phase_{k}")[steps, 0] for k in range(3)]
    return {
        "in_mst_h": found,
        "phase": np.stack(phases, axis=-1),
        **{name: after(run, name)[steps] for name in ("pi", "mask_u", "mask_v")},
        **{name: pointed(run, name)[steps] for name in ("u", "v", "root_u", "root_v")},
    }


STACK = {"color": COLOUR, "s_prev": POINTER, "u": ONE, "v": ONE, "s_last": ONE}
TIMES = {"d": SCALAR, "f": SCALAR, "time": Spec("hint", "graph", "scalar")}
ORDER = {"topo_h": POINTER, "topo_head_h": ONE}
PHASE = {"phase": Spec("hint", "graph", "mask")}
EDGE_MASK = Spec("hint", "edge", "mask")
SEARCH = {"pi_h": POINTER, "s": ONE, **STACK, **TIMES}

EVENTS: Mapping[str, Task] = {
    "dfs": Task("dfs", SEARCH, dfs, answers=("prev",)),
    "topological-sort": Task(
        "topological_sort", {**ORDER, "s": ONE, **STACK}, topological_sort, answers=("next", "head")
    ),
    "scc": Task(
        "strongly_connected_components",
        {"scc_id_h": POINTER, "A_t": EDGE_MASK, "s": ONE, **STACK, **TIMES, **PHASE},
        scc,
        answers=("component",),
    ),
    "dag-shortest-paths": Task(
        "dag_shortest_paths",
        {"pi_h": POINTER, "d": SCALAR, "mark": NODE_MASK, **ORDER, **STACK, **PHASE},
        dag_shortest_paths,
        answers=("dists", "prev"),
    ),
    "articulation-points": Task(
        "articulation_points",
        {"is_cut_h": NODE_MASK, "low": SCALAR, "child_cnt": SCALAR, **SEARCH},
        articulation_points,
        answers=("cut",),
    ),
    "bridges": Task(
        "bridges",
        {"is_bridge_h": EDGE_MASK, "low": SCALAR, **SEARCH},
        bridges,
        answers=("bridge", "prev"),
    ),
    "kruskal": Task(
        "mst_kruskal",
        {
            "in_mst_h": EDGE_MASK,
            "pi": POINTER,
            "u": ONE,
            "v": ONE,
            "root_u": ONE,
            "root_v": ONE,
            "mask_u": NODE_MASK,
            "mask_v": NODE_MASK,
            "phase": Spec("hint", "graph", "categorical"),
        },
        kruskal,
        answers=("tail", "head"),
    ),
}
"""Algorithm → the benchmark's task; all of its hints are in a run."""
