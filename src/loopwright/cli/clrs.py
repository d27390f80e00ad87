"""`loopwright clrs`: the paper's Table 1."""

from __future__ import annotations

from dataclasses import asdict
from typing import Annotated

import typer
from rich.console import Console
from rich.markup import escape
from rich.progress import BarColumn, MofNCompleteColumn, Progress, TextColumn, TimeElapsedColumn
from rich.table import Table

from loopwright.algorithms import ALGORITHMS
from loopwright.cli.options import (
    AsJson,
    Attention,
    Construction,
    MachineName,
    check_attention,
    print_json,
)
from loopwright.compiler.compile import compile
from loopwright.errors import LoopwrightError
from loopwright.lab.clrs.score import Score, score
from loopwright.lab.clrs.tasks import SPLITS, TASKS, Task, manifest
from loopwright.model.limits import Limits


def clrs(
    algorithms: Annotated[
        list[str] | None,
        typer.Argument(
            metavar="[ALGORITHM]...", help="Which to run; all of them if none is named."
        ),
    ] = None,
    split: Annotated[str, typer.Option(metavar="NAME", help="train, val, test or all.")] = "all",
    construction: Construction = None,
    attention: Attention = "hardmax",
    machine: MachineName = "native",
    most: Annotated[
        int | None, typer.Option(metavar="N", min=1, help="Only the first N graphs of a split.")
    ] = None,
    as_json: AsJson = False,
) -> None:
    """Score the algorithms on the CLRS-30 benchmark's graphs: the paper's Table 1.

    Softmax runs with the paper's own parameters (T = 1e-7, δ = 1e-2, Ω = 1e5). An algorithm without
    the construction asked for is left out, unless it is named.
    For example: loopwright clrs bfs dfs --split test
    """
    tasks, splits = _tasks(algorithms, construction), _splits(split)
    soft = check_attention(attention)
    limits = Limits.paper() if soft == "softmax" else Limits()
    models = {
        name: compile(ALGORITHMS[name](construction), limits=limits, attention=soft)
        for name in dict.fromkeys(task.algorithm for task in tasks)
    }
    sizes = {name: min(manifest()["splits"][name]["num_samples"], most or 10**9) for name in splits}
    scores: list[tuple[Task, Score]] = []
    with Progress(
        TextColumn("{task.description}"),
        BarColumn(),
        MofNCompleteColumn(),
        TimeElapsedColumn(),
        console=Console(stderr=True),
        transient=True,
    ) as bar:
        for task in tasks:
            for name in splits:
                line = bar.add_task(f"{task.algorithm} {task.name} {name}", total=sizes[name])
                found = score(
                    models[task.algorithm],
                    task,
                    name,
                    machine=machine,
                    most=most,
                    progress=lambda line=line: bar.advance(line),
                )
                bar.remove_task(line)
                scores.append((task, found))
    if as_json:
        print_json([asdict(found) for _, found in scores])
    else:
        Console().print(_table(scores, f"{soft} attention, {machine} machine"))


def _tasks(algorithms: list[str] | None, construction: str | None) -> list[Task]:
    """Those of the named algorithms; else all, but for algorithms without this construction."""
    known = list(dict.fromkeys(task.algorithm for task in TASKS))
    for name in algorithms or []:
        if name not in known:
            raise LoopwrightError(f"no benchmark for '{name}'; there is for: {', '.join(known)}.")
    every = [name for name in known if construction in (None, *ALGORITHMS[name].constructions)]
    return [task for task in TASKS if task.algorithm in (algorithms or every or known)]


def _splits(split: str) -> tuple[str, ...]:
    if split == "all":
        return SPLITS
    if split not in SPLITS:
        raise LoopwrightError(f"no split '{split}'; there are: {', '.join(SPLITS)}, all.")
    return (split,)


def _table(scores: list[tuple[Task, Score]], title: str) -> Table:
    """Table 1, and beside our test rows the best published accuracy of learned models."""
    heads = ("algorithm", "split", "graphs", "right", "nodes", "seconds", "learned")
    published = [task.published for task, _ in scores if task.published]
    sources = list(dict.fromkeys(figure.source for figure in published))
    notes = "; ".join(f"[{i}] {source}" for i, source in enumerate(sources, start=1))
    caption = escape(f"learned: best published, nodes: {notes}") if notes else None
    table = Table(*heads, title=title, caption=caption)
    for task, found in scores:
        several = sum(other.algorithm == task.algorithm for other in TASKS) > 1
        table.add_row(
            f"{found.algorithm} ({found.task})" if several else found.algorithm,
            found.split,
            str(found.graphs),
            f"{found.correct / found.graphs:.2%}",
            f"{found.node_accuracy:.2%}",
            f"{found.seconds:.2f}",
            escape(f"{task.published.per_cent} % [{sources.index(task.published.source) + 1}]")
            if task.published and found.split == "test"
            else "",
        )
    return table
