"""The whole benchmark: tasks, methods, scores; what is done already is not done again."""

from __future__ import annotations

import json
from collections.abc import Callable, Iterator
from dataclasses import asdict
from pathlib import Path
from typing import Any

import numpy as np
import torch

from loopwright.circuits.bench.folder import write_json, write_task
from loopwright.circuits.bench.methods import METHODS
from loopwright.circuits.bench.score import judge
from loopwright.circuits.bench.stream import stream_scores
from loopwright.circuits.bench.tasks import TASKS, make_task
from loopwright.language.program import Program

Row = dict[str, Any]


def run_bench(
    program: Callable[[str, str], Program], out: Path, *, seed: int = 0, smoke: bool = False
) -> Iterator[Row]:
    """One row for each task, as soon as it is known; folders and scores are in `out`.

    `program` is who knows algorithms by their names and constructions. A task whose scores are
    there for the same seed is read, not run.
    """
    for which in TASKS[:1] if smoke else TASKS:
        folder = out / "-".join(which)
        settings = {"seed": seed, "smoke": smoke}
        done = read_scores(folder / "scores.json", settings)
        if done is None:
            done = settings | run_task(program, which, folder, seed=seed, smoke=smoke)
            write_json(folder / "scores.json", done)
        yield done


def read_scores(path: Path, settings: Row) -> Row | None:
    """Scores that were written before, if they are of the same settings."""
    try:
        found = json.loads(path.read_text(encoding="utf-8"))
    except (OSError, ValueError):
        return None
    same = isinstance(found, dict) and all(found.get(k) == v for k, v in settings.items())  # type: ignore[union-attr]
    return found if same else None  # type: ignore[return-value]


def run_task(
    program: Callable[[str, str], Program],
    which: tuple[str, str, str],
    folder: Path,
    *,
    seed: int,
    smoke: bool,
) -> Row:
    threads = torch.get_num_threads()
    torch.set_num_threads(1)  # sums in one order, so that a seed gives one table
    try:
        task = make_task(program, which, seed=seed, smoke=smoke)
        write_task(folder, task)
        verdicts = {
            name: asdict(judge(task, method(task, np.random.default_rng([seed, number]))))
            for number, (name, method) in enumerate(METHODS.items())
        }
        return {
            "task": task.name,
            "edges": len(task.circuit.edges),
            "inside": len(task.circuit.inside),
            "matter": sum(task.truth.values()),
            "redundant": len(task.redundant),
            "methods": verdicts,
            "stream": stream_scores(task, seed),
        }
    finally:
        torch.set_num_threads(threads)


def markdown(rows: list[Row]) -> str:
    """Two tables, as docs/circuits.md has them."""
    methods = list(rows[0]["methods"])
    lines = [
        "| task | edges | matter | " + " | ".join(methods) + " |",
        "| --- | --- | --- |" + " --- |" * len(methods),
    ]
    for row in rows:
        cells = [cell(row["methods"][name]) for name in methods]
        lines.append(f"| {row['task']} | {row['edges']} | {row['matter']} | {' | '.join(cells)} |")
    lines += ["", "| task | variables | axes | probe | dictionary | chance |"]
    lines.append("| --- | --- | --- | --- | --- | --- |")
    for row in rows:
        s = row["stream"]
        numbers = " | ".join(f"{s[k]:.2f}" for k in ("axes", "probe", "dictionary", "chance"))
        lines.append(f"| {row['task']} | {s['variables']:.0f} | {numbers} |")
    return "\n".join(lines)


def cell(verdict: Row) -> str:
    """AUROC, share of the edges that were found, faithfulness; ✓ where all were found."""
    tick = " ✓" if verdict["exact"] else ""
    return f"{verdict['auroc']:.2f}, {verdict['found']:.0%}, {verdict['faithful']:.0%}{tick}"
