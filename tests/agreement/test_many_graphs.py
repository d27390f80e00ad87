"""`many_graphs` on a few graphs: every algorithm's whole answer is that of its oracle."""

from __future__ import annotations

from dataclasses import replace
from fractions import Fraction

import numpy as np
import pytest

import loopwright as lw
import many_graphs
from loopwright.algorithms import ALGORITHMS
from many_graphs import JOBS, LIMITS, RUNS, STEPS, attempt, chunk, compiled, draw
from oracles import ORACLES, OTHERWISE


def test_every_algorithm_has_an_oracle():
    assert ORACLES.keys() | {"multitask", "graph-subleq"} == ALGORITHMS.keys()
    assert OTHERWISE.keys() <= set(JOBS)
    assert {name for name, _ in OTHERWISE} == {
        name for name, algorithm in ALGORITHMS.items() if algorithm.differences
    }


@pytest.mark.parametrize("column", ["native", "softmax"])
@pytest.mark.parametrize(("name", "construction"), JOBS)
def test_few_graphs(name, construction, column):
    rng = np.random.default_rng(0)
    model = compiled(name, construction, RUNS[column].attention)
    for _ in range(25):
        problem = draw(model, rng)
        assert attempt(model, RUNS[column], problem) is None, problem


@pytest.mark.parametrize(("name", "construction"), JOBS)
def test_the_warmest_softmax(name, construction):
    """As warm as the certificate allows. Errors that grow where paths tie were once allowed."""
    cold, rng = compiled(name, construction, "softmax"), np.random.default_rng(7)
    most = None if cold.bound else STEPS
    conditions = cold.check(np.zeros((9, 9)), max_iterations=most).conditions
    margin = next(c.margin for c in conditions if c.name == "temperature")
    limits = replace(LIMITS, temperature=cold.constants.temperature * Fraction(0.9999 * margin))
    warm = lw.compile(ALGORITHMS[name](construction), limits=limits, attention="softmax")
    for _ in range(60):
        problem = draw(cold, rng)
        assert attempt(warm, RUNS["softmax"], problem) is None, problem


@pytest.mark.parametrize("name", ["bfs", "dijkstra", "graph-subleq"])
def test_mismatches_are_found(name, monkeypatch):
    """One output is wrong at one node, in every answer."""

    def wrong(model, rng):
        problem = draw(model, rng)
        column = next(iter(problem.wanted.values()))
        column[0] = 1 if column[0] is None else column[0] + 1
        return problem

    monkeypatch.setattr(many_graphs, "JOBS", [(name, "paper")])
    monkeypatch.setattr(many_graphs, "draw", wrong)
    done, found = chunk(3, 21)
    assert (done[name, "paper", "native"], done[name, "paper", "softmax"]) == (21, 2)
    assert len(found) == done.total()
    assert found[0].startswith(f"{name} paper native, seed 3, graph 0: [[")


def test_a_crash_is_a_mismatch():
    model = compiled("bfs", "paper", "hardmax")
    problem = draw(model, np.random.default_rng(0))
    problem.options["source"] = "nowhere"
    assert attempt(model, RUNS["native"], problem).startswith("GraphError(")
