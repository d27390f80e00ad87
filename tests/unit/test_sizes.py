"""Sizes that nobody means: refused before the work; and large graphs without large matrices."""

from __future__ import annotations

import tracemalloc

import numpy as np
import pytest

import loopwright as lw
from loopwright.lab.experiments.graphs import SHAPES, chosen, random_graph


@pytest.mark.parametrize("shape", SHAPES)
def test_a_large_random_graph_makes_no_matrix(shape):
    tracemalloc.start()
    graph = random_graph(100_000, np.random.default_rng(0), shape=shape, density=1e-5)
    _, most = tracemalloc.get_traced_memory()
    tracemalloc.stop()
    expected = 100_000 * 99_999 * 1e-5 / (1 if shape == "directed" else 2)
    if shape == "functional":  # one for each node that has an edge to one of those behind it
        expected = sum(1 - (1 - 1e-5) ** behind for behind in range(100_000))
    assert abs(graph.edge_count - expected) < 6 * expected**0.5
    assert most < 100 * 2**20  # a bit for each pair would be 1.2 GB


@pytest.mark.parametrize("density", [0.0, 1e-300, 0.1, 0.5, 0.999, 1.0])
def test_each_number_is_drawn_alike(density):
    """Counts of 2,000 draws of 30 numbers: within six deviations of what is expected."""
    rng, draws, count = np.random.default_rng(5), 2000, 30
    times = np.zeros(count)
    for _ in range(draws):
        drawn = chosen(count, density, rng)
        assert (np.diff(drawn) > 0).all()
        times[drawn] += 1
    deviation = (draws * density * (1 - density)) ** 0.5
    assert (abs(times - draws * density) <= 6 * deviation + 1e-9).all()


def test_pairs_are_drawn_alone():
    """Whether one number is drawn says nothing about its neighbour."""
    rng = np.random.default_rng(6)
    table = np.zeros((2, 2))
    for _ in range(4000):
        drawn = set(chosen(20, 0.3, rng).tolist())
        table[int(10 in drawn), int(11 in drawn)] += 1
    expected = 4000 * np.outer([0.7, 0.3], [0.7, 0.3])
    assert (abs(table - expected) < 6 * expected**0.5).all()


@pytest.mark.parametrize("shape", SHAPES)
@pytest.mark.parametrize("n", [1, 2, 7])
def test_all_edges(shape, n):
    graph = random_graph(n, np.random.default_rng(1), shape=shape, density=1)
    arcs = set(zip(graph.tails.tolist(), graph.heads.tolist(), strict=True))
    every = {(i, j) for i in range(n) for j in range(n) if i != j}
    if shape == "acyclic":
        assert len(arcs) == n * (n - 1) // 2
        assert arcs | {(head, tail) for tail, head in arcs} == every
    elif shape == "functional":
        assert len({tail for tail, _ in arcs}) == len(arcs) == n - 1
    else:
        assert arcs == every


def test_traces_of_too_many_edges(refused, tmp_path):
    arguments = ("--random", 1, "--nodes", 60_000, "--out", tmp_path / "out")
    message = refused("traces", "bfs", *arguments)
    assert "60,000 nodes at density 0.5 have some 1.8e+09 edges, and at most 16,777,216" in message


def test_recover_on_too_many_nodes(refused):
    pytest.importorskip("torch")
    message = refused("recover", "--smoke", "--nodes", 100_000)
    assert "do not fit into one batch; at most 1,023 nodes do" in message


@pytest.mark.parametrize("sizes", ["1000000000", "9" * 5000, "0"])
def test_bench_on_too_many_nodes(refused, sizes):
    message = refused("bench", "--sizes", sizes)
    assert "expected numbers from 1 to 1,048,576 with commas" in message
    assert len(message) < 250


@pytest.mark.parametrize(
    ("weight", "problem"),
    [
        ("1e999999999", "weight 1e999999999 is beyond a float: exponents are below 1,000"),
        ("1" * 5000, f"weight {'1' * 80}… has 5,000 characters; a number has at most 1,100"),
    ],
)
def test_a_weight_without_end(tmp_path, weight, problem):
    path = tmp_path / "graph"
    path.write_text(f"a b {weight}\n")
    with pytest.raises(lw.LoopwrightError) as caught:
        lw.Graph.of(path)
    assert str(caught.value) == f"{path}:1: edge a → b: {problem}."


def test_lines_without_end(tmp_path, monkeypatch):
    monkeypatch.setattr("loopwright.runtime.readers.source.MOST_LINES", 3)
    path = tmp_path / "graph"
    path.write_text("a b\n\n\n")
    assert lw.Graph.of(path).n == 2
    path.write_text("a b\n\n\n\n")
    with pytest.raises(lw.LoopwrightError, match=r"graph:4: more than 3 lines, the most that are"):
        lw.Graph.of(path)
