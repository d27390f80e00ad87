"""Scores of edges against the truth: AUROC, faithfulness, exact recovery."""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np
from numpy.typing import NDArray
from scipy.stats import rankdata  # type: ignore

from loopwright.circuits.bench.kept import run_kept
from loopwright.circuits.bench.methods import Scores
from loopwright.circuits.bench.tasks import Task, answers_of, by_size
from loopwright.circuits.check import most_iterations


@dataclass(frozen=True)
class Verdict:
    """How well a method did on a task."""

    auroc: float
    """How likely an edge that matters scores higher than one that does not."""
    found: float
    """Of the best edges, as many as matter: which share of those that matter is among them."""
    exact: bool
    """Whether these are all of those that matter, and no others."""
    faithful: float
    """On which share of the graphs the best edges, at most as many as the circuit has, those that
    are redundant included, give the model's own answer without any other."""


def judge(task: Task, scores: Scores) -> Verdict:
    names = list(task.truth)
    matters = np.array([task.truth[name] for name in names])
    given = np.array([scores[name] for name in names])
    order = np.lexsort((np.arange(len(names)), -given))
    chosen = order[: int(matters.sum())]
    hits = int(matters[chosen].sum())
    return Verdict(
        auroc(matters, given),
        hits / int(matters.sum()),
        hits == int(matters.sum()),
        faithfulness(task, best(scores, len(task.circuit.inside))),
    )


def auroc(matters: NDArray[np.bool_], given: NDArray[np.float64]) -> float:
    """By ranks, ties counting half. [Mann and Whitney 1947]

    >>> auroc(np.array([False, True, True]), np.array([0.0, 1.0, 0.0]))
    0.75
    """
    good, bad = int(matters.sum()), int((~matters).sum())
    ranks: NDArray[np.float64] = rankdata(given)
    return float((ranks[matters].sum() - good * (good + 1) / 2) / (good * bad))


def best(scores: Scores, count: int) -> set[str]:
    """The edges that score highest, above 0; of equals, those that are listed first."""
    ordered = sorted(scores, key=lambda name: -scores[name])[:count]
    return {name for name in ordered if scores[name] > 0}


def faithfulness(task: Task, kept: set[str]) -> float:
    """The share of clean graphs that are answered as by the whole model, with these edges alone."""
    right, total = 0, 0
    for group in by_size(task):
        problems = [example.problems[0] for example in group]
        most = most_iterations(task.model, problems[0])
        whole, _ = run_kept(task.model, problems, task.circuit.edges, most)
        x, halted = run_kept(task.model, problems, kept, most)
        same = answers_of(task.model, x) == answers_of(task.model, whole)
        right += int((same.all(axis=(1, 2)) & halted).sum())
        total += len(group)
    return right / total
