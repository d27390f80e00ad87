"""Graph → X₀: biases, positions, start values in their rows; inputs that do not fit are refused."""

from __future__ import annotations

from fractions import Fraction

import networkx as nx
import numpy as np
import pytest

import loopwright as lw
from loopwright.errors import GraphError, LoopwrightError
from loopwright.language import ops
from loopwright.language.variables import given, nodes, single
from loopwright.runtime.encode import encode
from strategies import SMALL, one_step

GRAPH = lw.Graph.of([("a", "b", 2), ("b", "c", 0.5)])
DIJKSTRA = lw.compile(lw.algorithms.dijkstra("paper"), limits=SMALL)


def column(model, problem, name):
    return problem.x[:, model.layout[name].columns]


def test_biases_and_padding():
    problem = encode(DIJKSTRA, GRAPH, source="b")
    assert problem.x.shape == (4, DIJKSTRA.width)
    np.testing.assert_array_equal(column(DIJKSTRA, problem, "B_global"), [[1], [0], [0], [0]])
    np.testing.assert_array_equal(column(DIJKSTRA, problem, "B_local"), [[0], [1], [1], [1]])
    edges = zip(problem.tails, problem.heads, problem.weights, strict=True)
    assert list(edges) == [(1, 2, 2), (2, 3, 0.5)]


def test_starts():
    problem = encode(DIJKSTRA, GRAPH, source="b")
    far = float(DIJKSTRA.constants.unreached)
    np.testing.assert_array_equal(column(DIJKSTRA, problem, "dists"), [[0], [far], [0], [far]])
    np.testing.assert_array_equal(column(DIJKSTRA, problem, "prev"), [[0], [1], [2], [3]])


def test_positions_lie_on_the_circle():
    problem = encode(DIJKSTRA, GRAPH, source="a")
    angle = DIJKSTRA.constants.angle
    expected = [[0, 0]] + [[np.sin(k * angle), np.cos(k * angle)] for k in (1, 2, 3)]
    np.testing.assert_allclose(column(DIJKSTRA, problem, "P"), expected, atol=1e-15)


def test_exact_positions_are_the_same_in_rationals():
    rough = encode(DIJKSTRA, GRAPH, source="a").x
    exact = encode(DIJKSTRA, GRAPH, source="a", exact=True).x
    assert all(type(cell) is Fraction for cell in exact.ravel())
    np.testing.assert_allclose(rough, exact.astype(np.float64), atol=1e-15)
    sines, cosines = exact[1:, DIJKSTRA.layout["P"].columns].T
    assert list(sines**2 + cosines**2) == [1, 1, 1]


def test_unweighted_programs_see_ones():
    model = lw.compile(lw.algorithms.bfs("paper"), limits=SMALL)
    np.testing.assert_array_equal(encode(model, GRAPH, source="a").weights, [1, 1])


def test_source_is_missing():
    with pytest.raises(GraphError, match=r"'dijkstra' starts at a node: say which"):
        DIJKSTRA.run(GRAPH)


def test_source_is_unknown():
    with pytest.raises(GraphError, match="node 'x' is not in the graph"):
        DIJKSTRA.run(GRAPH, source="x")


def test_source_is_not_wanted():
    model = lw.compile(lw.algorithms.scc("paper"), limits=SMALL)
    with pytest.raises(GraphError, match="'scc' takes no source"):
        model.run(GRAPH, source="a")


def test_given_inputs_fill_their_rows():
    out, x = nodes.count("out"), nodes.count("x", given("x"))
    model = lw.compile(one_step(ops.Copy(out, x)), limits=SMALL)
    problem = encode(model, GRAPH, inputs={"x": [7, 5, 3]})
    np.testing.assert_array_equal(column(model, problem, "x"), [[0], [7], [5], [3]])
    problem = encode(model, GRAPH, inputs={"x": [7, 5]}, rows=3)  # as many as the caller says
    np.testing.assert_array_equal(column(model, problem, "x"), [[0], [7], [5], [0]])


def test_what_is_no_list_is_no_input():
    """An empty graph of networkx is an empty list to NumPy, and zeros would follow it."""
    out, x = nodes.count("out"), nodes.count("x", given("x"))
    model = lw.compile(one_step(ops.Copy(out, x)), limits=SMALL)
    with pytest.raises(GraphError, match="input 'x' is of type Graph: give a number, or a list"):
        encode(model, GRAPH, inputs={"x": nx.Graph()}, rows=3)


@pytest.mark.parametrize(
    "inputs",
    [
        pytest.param({"x": [1, 2, 3, 4]}, id="too long"),
        pytest.param({"x": [1, 2]}, id="too short"),
        pytest.param({"y": [1]}, id="unknown name"),
        pytest.param({"x": [0.5]}, id="count of 1/2"),
        pytest.param({"x": ["one"]}, id="text"),
    ],
)
def test_given_inputs_that_do_not_fit(inputs):
    out, x = nodes.count("out"), nodes.count("x", given("x"))
    model = lw.compile(one_step(ops.Copy(out, x)), limits=SMALL)
    with pytest.raises(LoopwrightError):
        model.run(GRAPH, **inputs)


def test_given_position_past_the_last_node():
    at = single.position("at", given("at"))
    model = lw.compile(one_step(ops.Increment(at, at)), limits=SMALL)
    with pytest.raises(LoopwrightError):
        model.run(GRAPH, at=9)


def test_given_flag_of_2():
    flag = single.flag("flag", given("flag"))
    model = lw.compile(one_step(ops.Set(single.flag("out"), flag)), limits=SMALL)
    with pytest.raises(LoopwrightError):
        model.run(GRAPH, flag=2)


def test_rows_beyond_the_nodes_count_as_nodes():
    """They are nodes without edges, so a search takes an iteration for each of them, too."""
    model = lw.compile(lw.algorithms.multitask("compact"), limits=lw.Limits(nodes=8))
    edges = [("a", "b", 1), ("b", "c", 1)]
    assert model.run(edges, source="a", rows=8).prev == model.run(edges, source="a").prev
