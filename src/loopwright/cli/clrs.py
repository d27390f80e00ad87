"""`loopwright clrs`: the paper's Table 1."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import asdict
from typing import Annotated, Literal

import typer
from rich.table import Table

from loopwright.algorithms import ALGORITHMS
from loopwright.cli import options
from loopwright.cli.algorithm import find_algorithm
from loopwright.cli.find import build
from loopwright.cli.output import output, table
from loopwright.cli.progress import progress_bar
from loopwright.errors import require_known
from loopwright.lab.clrs.score import Score, score
from loopwright.lab.clrs.tasks import LIMITS, SPLITS, TASKS, Split, Task, size_of, some_graphs
from loopwright.lab.experiments.recorded import Share
from loopwright.model.limits import Limits
from loopwright.model.weights import AttentionKind, Weights
from loopwright.runtime.check import check
from loopwright.runtime.machines import Machine

KNOWN = tuple(dict.fromkeys(task.algorithm for task in TASKS))
"""The algorithms that have a task."""
NAMES = tuple(dict.fromkeys(task.name for task in TASKS if task.name not in KNOWN))
"""What the benchmark calls its tasks, where that is not the name of an algorithm."""


def clrs(
    algorithms: Annotated[
        list[str] | None,
        typer.Argument(
            metavar="ALGORITHM",
            help=f"Which to run: {', '.join(KNOWN)}, or a task by the benchmark's name for it, as "
            "mst_kruskal; all of them if none is named.",
        ),
    ] = None,
    split: Annotated[Literal[Split, "all"], typer.Option(help="Which graphs.")] = "all",
    construction: options.Construction = None,
    attention: options.Attention = None,
    machine: options.Machine = "native",
    most: Annotated[
        int | None, typer.Option(metavar="N", min=1, help="Only the first N graphs of a split.")
    ] = None,
    cluster: options.Cluster = None,
    shard: options.ShareOf = None,
    as_json: options.AsJson = False,
) -> None:
    """Score algorithms on CLRS-30 graphs: the paper's Table 1.

    The paper's own rows are those of --construction paper. Softmax runs with the paper's own
    parameters (T = 1e-7, δ = 1e-2, Ω = 1e5). An algorithm without the construction asked for is
    left out, unless it is named.

    For example: loopwright clrs bfs dfs --construction paper --split test
    """
    tasks = _tasks(algorithms, construction)
    share = Share.read(shard) if shard else Share(0, 1)
    models = {
        name: _model(
            [task for task in tasks if task.algorithm == name], construction, attention, machine
        )
        for name in dict.fromkeys(task.algorithm for task in tasks)
    }
    scores: list[tuple[Task, Score]] = []
    for task in tasks:
        for name in SPLITS if split == "all" else (split,):
            model, size = models[task.algorithm], min(size_of(name), most or size_of(name))
            with progress_bar(f"{task.algorithm} {task.name} {name}", size) as advance:
                found = score(
                    model,
                    task,
                    name,
                    machine=machine,
                    most=most,
                    cluster=cluster,
                    share=share,
                    progress=advance,
                )
            scores.append((task, found))
    constructions = ", ".join(dict.fromkeys(found.construction for _, found in scores))
    title = f"construction {constructions}, {attention or 'hardmax'} attention, {machine} machine"
    output([asdict(found) for _, found in scores], _shown(scores, title), as_json=as_json)


def _tasks(algorithms: list[str] | None, construction: str | None) -> list[Task]:
    """The tasks of the named algorithms, or else of all that have this construction.

    A construction that an algorithm lacks is refused when it is built.
    """
    for name in algorithms or []:
        require_known("benchmark for", name, (*KNOWN, *NAMES))
    every = [name for name in KNOWN if construction in (None, *ALGORITHMS[name].constructions)]
    wanted = algorithms or every or KNOWN
    return [
        task
        for task in TASKS
        if task.algorithm in wanted
        or (
            (task.name in wanted and task.name in NAMES)
            and task.is_for(construction or ALGORITHMS[task.algorithm].default)
        )
    ]


def _model(
    tasks: list[Task],
    construction: str | None,
    attention: AttentionKind | None,
    machine: Machine,
) -> Weights:
    """One model for all tasks of an algorithm: with the paper's limits for softmax, and else with
    the default ones; or, if there are graphs of the benchmark that these do not hold, with limits
    for such graphs."""
    chosen = find_algorithm(tasks[0].algorithm)
    limits = Limits.paper() if attention == "softmax" else Limits()
    model = build(chosen, construction, limits, attention, machine)
    graphs = (graph for task in tasks for graph in some_graphs(task))
    if attention == "softmax" or all(check(model, graph).guaranteed for graph in graphs):
        return model
    return build(chosen, construction, LIMITS, attention, machine)


def _shown(scores: list[tuple[Task, Score]], title: str) -> Iterator[Table]:
    """Table 1, and beside our test rows a published accuracy of learned models."""
    published = [task.published for task, _ in scores if task.published]
    sources = list(dict.fromkeys(figure.source for figure in published))
    learned = "; ".join(f"[{i}] {source}" for i, source in enumerate(sources, start=1))
    notes = [f"learned: as published, nodes: {learned}"] if sources else []
    notes += dict.fromkeys(found.note for _, found in scores if found.note)

    def row(task: Task, found: Score) -> Iterator[str]:
        several = len({other.name for other in TASKS if other.algorithm == task.algorithm}) > 1
        yield f"{found.algorithm} ({found.task})" if several else found.algorithm
        yield found.split
        yield str(found.graphs)
        yield f"{found.correct / max(found.graphs, 1):.2%}"
        yield f"{found.node_accuracy:.2%}"
        yield f"{found.seconds:.2f}"
        if task.published and found.split == "test":
            yield f"{task.published.per_cent} % [{sources.index(task.published.source) + 1}]"

    yield table(
        ("algorithm", "split", "graphs", "right", "nodes", "seconds", "learned"),
        (row(task, found) for task, found in scores),
        title=title,
        caption=". ".join(notes) or None,
    )
