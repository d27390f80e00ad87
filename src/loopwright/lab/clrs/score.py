"""Run a task's graphs and count what is right: whole graphs, and nodes."""

from __future__ import annotations

import time
from collections.abc import Callable
from dataclasses import dataclass

from loopwright.errors import LoopwrightError
from loopwright.lab.clrs.compare import Result
from loopwright.lab.clrs.tasks import Examples, Split, Task, load
from loopwright.model.weights import Weights
from loopwright.runtime.graph import Graph
from loopwright.runtime.machines import Machine, prepare
from loopwright.runtime.many import run_many


@dataclass(frozen=True)
class Score:
    """How a model did on one split of one task."""

    algorithm: str
    construction: str
    task: str
    split: str
    graphs: int
    correct: int
    """How many graphs have every node right."""
    node_accuracy: float
    seconds: float


def score(
    model: Weights,
    task: Task,
    split: Split,
    *,
    machine: Machine,
    most: int | None = None,
    cluster: str | None = None,
    share: tuple[int, int] = (0, 1),
    progress: Callable[[], None] | None = None,
) -> Score:
    """Answer every graph of a split (or the first `most`); `progress` is called after each.

    Where a cluster is named, its workers do it; see `run_many`. A `share` (i, n) is every n-th
    graph from the i-th on. A run that fails has no node right.

    Raises:
        LoopwrightError: if there is no such machine, or what it needs is not installed.
    """
    prepare(model, machine)
    examples = load(task, split)
    chosen = range(share[0], len(examples.adjacency[:most]), share[1])
    count = len(chosen)
    begin = time.perf_counter()
    answers = run_many(
        model,
        (Graph.from_matrix(examples.adjacency[i]) for i in chosen),
        sources=[examples.sources[i] for i in chosen],
        cluster=cluster,
        machine=machine,
        progress=progress,
        **task.inputs,
    )
    right = [
        [] if isinstance(answer, LoopwrightError) else _right(task, examples, i, answer.result)
        for i, answer in zip(chosen, answers, strict=True)
    ]
    seconds = time.perf_counter() - begin
    n = examples.adjacency.shape[1]
    return Score(
        task.algorithm,
        model.construction,
        task.name,
        split,
        graphs=count,
        correct=sum(len(nodes) == n and all(nodes) for nodes in right),
        node_accuracy=sum(map(sum, right)) / (max(count, 1) * n),
        seconds=seconds,
    )


def _right(task: Task, examples: Examples, graph: int, result: Result) -> list[bool]:
    """For each node, whether all that the benchmark knows about it is right."""
    compared = [
        compare(result, examples.truth[name][graph]) for name, compare in task.truth.items()
    ]
    return [all(node) for node in zip(*compared, strict=True)]
