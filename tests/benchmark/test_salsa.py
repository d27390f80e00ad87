"""SALSA-CLRS's recipe and oracles, on its smallest graphs; the record is of all sizes."""

from __future__ import annotations

import importlib.util
import json
from pathlib import Path

import networkx as nx
import pytest

ROOT = Path(__file__).parents[2]
specification = importlib.util.spec_from_file_location("salsa", ROOT / "scripts/record_salsa.py")
salsa = importlib.util.module_from_spec(specification)
specification.loader.exec_module(salsa)


@pytest.mark.parametrize("kind", salsa.KINDS)
def test_graphs(kind):
    """Connected, undirected, without self-loops, and the same whenever they are drawn."""
    for seed in range(3):
        graph, source, priority = salsa.draw(kind, 80, seed)
        assert nx.is_connected(graph)
        assert not graph.is_directed()
        assert sorted(graph) == list(range(80))
        assert nx.number_of_selfloops(graph) == 0
        weights = [weight for _, _, weight in graph.edges(data="weight")]
        assert 0.001**0.5 <= min(weights) <= max(weights) <= 1.001**0.5
        assert source in graph
        assert len(set(priority)) == 80
        again = salsa.draw(kind, 80, seed)
        assert (again.source, again.priority) == (source, priority)
        assert nx.utils.graphs_equal(again.graph, graph)


def test_whole_graphs():
    found = list(salsa.measure(1, (16,)))
    assert {row["task"] for row in found} == set(salsa.TASKS)
    assert all(row["correct"] == row["graphs"] == 1 for row in found)


def test_a_wrong_answer_is_counted(monkeypatch):
    task = salsa.TASKS["bfs"]
    wrong = task._replace(right=lambda problem: {"prev": task.right(problem)["prev"] | {3: 16}})
    monkeypatch.setattr(salsa, "TASKS", {"bfs": wrong})
    assert [row["correct"] for row in salsa.measure(2, (16,))] == [0] * 6


def test_the_page_is_the_record():
    rows = json.loads(salsa.RECORD.read_text(encoding="utf-8"))
    assert salsa.PAGE.read_text(encoding="utf-8") == salsa.page(rows)
    assert {row["nodes"] for row in rows} == set(salsa.SIZES)
    assert all(row["correct"] == row["graphs"] for row in rows)
