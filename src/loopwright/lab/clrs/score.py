"""Run a task's graphs and count what is right: whole graphs, and nodes."""

from __future__ import annotations

import time
from collections.abc import Callable, Sequence
from dataclasses import dataclass
from itertools import accumulate, count, islice

from loopwright.errors import LoopwrightError
from loopwright.lab.clrs.tasks import Examples, Split, Task, load
from loopwright.model.weights import Weights
from loopwright.runtime.decode import Answer
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
    runs: int
    """How many runs that took: one a graph, unless the note says otherwise."""
    refused: int
    """For how many graphs a run failed, as the certificate does not hold there or otherwise."""
    note: str
    """How the task was asked or compared, if not as usual."""


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
    begin = time.perf_counter()
    asked = [task.asking.problems(examples.adjacency[i], examples.sources[i]) for i in chosen]
    problems = [problem for several in asked for problem in several]
    answers = run_many(
        model,
        (Graph.from_matrix(adjacency) for adjacency, _ in problems),
        sources=[source for _, source in problems],
        cluster=cluster,
        machine=machine,
        progress=_once_in([len(several) for several in asked], progress),
        **task.inputs,
    )
    right = [
        _right(task, examples, i, list(islice(answers, len(several))))
        for i, several in zip(chosen, asked, strict=True)
    ]
    seconds = time.perf_counter() - begin
    n = examples.adjacency.shape[1]
    return Score(
        task.algorithm,
        model.construction,
        task.name,
        split,
        graphs=len(chosen),
        correct=sum(len(nodes) == n and all(nodes) for nodes in right),
        node_accuracy=sum(map(sum, right)) / (max(len(chosen), 1) * n),
        seconds=seconds,
        runs=len(problems),
        refused=sum(not nodes for nodes in right),
        note=task.note,
    )


def _once_in(runs: Sequence[int], progress: Callable[[], None] | None) -> Callable[[], None] | None:
    """Progress counts graphs, of which each takes so many runs."""
    if progress is None:
        return None
    last_runs, done = set(accumulate(runs)), count(1)

    def advance() -> None:
        if next(done) in last_runs:
            progress()

    return advance


def _right(
    task: Task, examples: Examples, graph: int, answers: Sequence[Answer | LoopwrightError]
) -> list[bool]:
    """For each node, whether all that the benchmark knows about it is right; none, after a failed
    run."""
    results = [answer.result for answer in answers if not isinstance(answer, LoopwrightError)]
    if len(results) < len(answers):
        return []
    result = task.asking.together(results)
    compared = [
        compare(result, examples.truth[name][graph]) for name, compare in task.truth.items()
    ]
    return [all(node) for node in zip(*compared, strict=True)]
