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
from loopwright.lab.clrs.tasks import SPLITS, TASKS, Split, Task, size_of
from loopwright.lab.experiments.recorded import Share
from loopwright.model.limits import Limits

KNOWN = tuple(dict.fromkeys(task.algorithm for task in TASKS))
"""The algorithms that have a task."""


def clrs(
    algorithms: Annotated[
        list[str] | None,
        typer.Argument(
            metavar="ALGORITHM",
            help=f"Which to run: {', '.join(KNOWN)}; all of them if none is named.",
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
    limits = Limits.paper() if attention == "softmax" else Limits()
    models = {
        name: build(find_algorithm(name), construction, limits, attention, machine)
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
    """The tasks of the named algorithms, or else of all that have this construction."""
    for name in algorithms or []:
        require_known("benchmark for", name, KNOWN)
    every = [name for name in KNOWN if construction in (None, *ALGORITHMS[name].constructions)]
    return [task for task in TASKS if task.algorithm in (algorithms or every or KNOWN)]


def _shown(scores: list[tuple[Task, Score]], title: str) -> Iterator[Table]:
    """Table 1, and beside our test rows a published accuracy of learned models."""
    published = [task.published for task, _ in scores if task.published]
    sources = list(dict.fromkeys(figure.source for figure in published))
    notes = "; ".join(f"[{i}] {source}" for i, source in enumerate(sources, start=1))

    def row(task: Task, found: Score) -> Iterator[str]:
        several = sum(other.algorithm == task.algorithm for other in TASKS) > 1
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
        caption=f"learned: as published, nodes: {notes}" if notes else None,
    )
