"""What people ask for in a notebook: tables, pictures, paths and arrays."""

from __future__ import annotations

from dataclasses import replace

import networkx as nx
import numpy as np
import pytest

import loopwright as lw
from loopwright.algorithms import ALGORITHMS

EDGES = [("a", "b", 3), ("b", "c", 0.5), ("a", "c", 4), ("c", "d", 1)]
MODEL = lw.compile(lw.algorithms.dijkstra())


def traced(model, path):
    model.run(EDGES, source="a", observers=[lw.TraceWriter(path)])
    return lw.Trace.load(path)


@pytest.fixture
def trace(tmp_path):
    return traced(MODEL, tmp_path / "run.jsonl")


ROUGH = "<b>&\"'</b>"


def test_tables_show_text_as_text():
    graph = lw.Graph.of([(ROUGH, "b", 1)])
    answer = MODEL.run(graph, source=ROUGH)
    for made in (graph, answer):
        html = made._repr_html_()
        assert "&lt;b&gt;" in html
        assert "<b>&" not in html


def test_long_tables_are_cut(trace):
    graph = lw.Graph.of(nx.path_graph(100))
    html = graph._repr_html_()
    assert html.count("<tr>") == 31
    assert "and 69 more" in html


def test_an_answer_as_arrays_and_paths():
    graph = lw.Graph.of([*EDGES, ("e", "a", 1)])
    answer = MODEL.run(graph, source="a")
    assert answer.array("dists").tolist() == [0, 3, 3.5, 4.5, np.inf]
    assert answer.array("prev").tolist() == [0, 0, 1, 2, 4]
    assert answer.path("d") == ["a", "b", "c", "d"]
    assert answer.path("a") == ["a"]
    for wrong, complaint in (("e", "is not reached"), ("z", "is not in the graph"), ([], "node")):
        with pytest.raises(lw.LoopwrightError, match=complaint):
            answer.path(wrong)
    with pytest.raises(lw.LoopwrightError, match="no output 'far'"):
        answer.array("far")
    assert lw.interpret(lw.algorithms.dijkstra(), graph, source="a").path("d")[-1] == "d"


def test_numbers_as_labels_are_nodes_in_arrays():
    """Where labels are numbers, an output of nodes and one of numbers look the same."""
    answer = MODEL.run([(7, 3, 1), (3, 5, 1)], source=7)
    assert answer.prev == {7: 7, 3: 7, 5: 3}
    assert answer.array("prev").tolist() == [0, 0, 1]
    cuts = lw.compile(ALGORITHMS["articulation-points"]())
    answer = cuts.run(lw.Graph.of([(7, 3), (3, 5)]).undirected())
    (name,) = answer.result
    assert answer.array(name).tolist() == [False, True, False]


def test_a_circle_in_prev_is_no_path():
    with pytest.raises(lw.LoopwrightError, match="in a circle"):
        lw.Answer({"prev": {"a": "b", "b": "a"}}, 1, 0.0).path("a")


def test_pictures(trace, tmp_path):
    """Also of positions, which are two columns, and of edge heads, which read edges as well."""
    answer = MODEL.run(EDGES, source="a")
    with_positions = traced(lw.compile(lw.algorithms.dijkstra("paper")), tmp_path / "paper.jsonl")
    for picture in (
        answer.plot(),
        answer.plot("prev"),
        MODEL.plot(),
        lw.compile(lw.algorithms.dijkstra("parallel")).plot(),
        trace.plot("dists"),
        trace.plot("halt"),
        with_positions.plot("P"),
    ):
        assert picture._repr_png_().startswith(b"\x89PNG")
    with pytest.raises(lw.LoopwrightError, match="does not know its graph"):
        replace(answer, graph=None).plot()
    with pytest.raises(lw.LoopwrightError, match="no variable"):
        trace.plot("far")


def test_answers_are_equal_whatever_they_know_of_the_graph():
    answer = MODEL.run(EDGES, source="a")
    assert replace(answer, graph=None) == answer
