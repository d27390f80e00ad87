"""Nothing unchecked reaches a machine: a graph made by hand, a copy, a problem made by hand."""

from __future__ import annotations

import copy
import pickle
from dataclasses import replace
from fractions import Fraction
from math import inf, nan

import numpy as np
import pytest

import loopwright as lw
from loopwright.errors import GraphError, LoopwrightError
from loopwright.runtime.encode import encode
from loopwright.runtime.machines import prepare

COPIES = {
    "copy": copy.copy,
    "deepcopy": copy.deepcopy,
    "pickle": lambda thing: pickle.loads(pickle.dumps(thing)),
}


def graph(labels="abc", tails=(0, 1), heads=(1, 2), weights=(2.0, 3.0), directed=True):
    return lw.Graph(labels, tails, heads, weights, directed)


def test_a_graph_by_hand():
    made = graph(heads=[1, 2], weights=[2, "1/3"])
    assert (made.labels, made.edge_count) == (("a", "b", "c"), 2)
    assert made.weights == (2, Fraction(1, 3))
    model = lw.compile(lw.algorithms.dijkstra("compact"))
    assert model.run(graph(), source="a").dists == {"a": 0, "b": 2, "c": 5}


@pytest.mark.parametrize(
    ("fields", "problem"),
    [
        ({"weights": [1.0]}, "2 tails, 2 heads and 1 weights"),
        ({"heads": [1]}, "2 tails, 1 heads and 2 weights"),
        ({"heads": [1, -1]}, "heads[1] is -1, which is no node: with 3 labels, rows are 0 to 2"),
        ({"tails": [0, 3]}, "tails[1] is 3, which is no node"),
        ({"tails": np.array([0, 2**64 - 1], dtype=np.uint64)}, "tails[1] is 18446744073709551615"),
        ({"tails": [0.0, 1.0]}, "tails are an array of float64"),
        ({"tails": [[0, 1]]}, "tails are an array of int64 and shape (1, 2)"),
        ({"tails": [[0], [0, 1]]}, "tails are lists of different lengths"),
        ({"tails": "ab"}, "tails are an array of <U2"),
        ({"tails": None}, "tails are an array of object"),
        ({"tails": [0, 0], "heads": [1, 1]}, "edge a → b is given twice"),
        ({"tails": [1, 0, 1], "heads": [2, 1, 2], "weights": [1, 1, 1]}, "b → c is given twice"),
        ({"directed": False}, "a → b of an undirected graph is not there in both directions"),
        ({"heads": [1, 0], "directed": False}, "a → b of an undirected graph"),
        ({"directed": "no"}, "directed is 'no': expected True or False"),
        ({"weights": [1.0, nan]}, "edge b → c: weight nan is not finite"),
        ({"weights": [inf, 1.0]}, "edge a → b: weight inf is not finite"),
        ({"weights": (Fraction(1), Fraction(10) ** 400)}, "too large for a float"),
        ({"weights": [1, "heavy"]}, "'heavy' is not a number"),
        ({"weights": "12"}, "weights are of type str"),
        ({"weights": None}, "weights are of type NoneType"),
        ({"weights": np.ones((2, 1))}, "weights are an array of float64 and shape (2, 1)"),
        ({"weights": np.ones(2) * 1j}, "weights are an array of complex128"),
        ({"labels": "aba"}, "two nodes have the same label, a"),
        ({"labels": [["a"], "b", "c"]}, "a label must be hashable"),
        ({"labels": ["a", nan, "c"]}, "a node's label is missing"),
        ({"labels": 3}, "labels are of type int"),
        ({"labels": ()}, "the graph is empty"),
    ],
    ids=str,
)
def test_fields_that_do_not_fit(fields, problem):
    with pytest.raises(GraphError) as caught:
        graph(**fields)
    assert problem in str(caught.value)
    assert "\n" not in str(caught.value)


def test_an_undirected_graph_by_hand():
    made = graph(tails=[1, 0], heads=[0, 1], weights=[3.0, 3.0], directed=False)
    assert made.edge_count == 1
    thirds = (Fraction(1, 3), Fraction(1, 3))
    assert graph(tails=[1, 0], heads=[0, 1], weights=thirds, directed=False).weights == thirds


@pytest.mark.parametrize("duplicate", COPIES.values(), ids=COPIES)
def test_graphs_cannot_be_changed(duplicate):
    tails, weights = np.array([0, 1]), np.array([2.0, 3.0])
    made = graph(tails=tails, weights=weights)
    tails[0], weights[0] = 2, -1  # the caller's own arrays stay the caller's
    for each in (made, duplicate(made)):
        assert (each.tails.tolist(), each.weights.tolist()) == ([0, 1], [2, 3])
        for array in (each.tails, each.heads, each.weights):
            with pytest.raises(ValueError, match="read-only"):
                array[0] = 1


@pytest.mark.parametrize("duplicate", COPIES.values(), ids=COPIES)
def test_weights_cannot_be_changed(duplicate):
    model = lw.compile(lw.algorithms.bfs("compact"))
    for each in (model, duplicate(model)):
        for matrix in each.matrices():
            with pytest.raises(ValueError, match="read-only"):
                matrix[0, 0] = 1
    edges = [("a", "b"), ("b", "c")]
    assert duplicate(model).run(edges, source="a").result == model.run(edges, source="a").result


@pytest.mark.parametrize(
    ("field", "value", "problem"),
    [
        ("tails", np.array([1]), "lists of the same length"),
        ("weights", np.array([1.0]), "lists of the same length"),
        ("weights", np.ones((2, 1)), "lists of the same length"),
        ("heads", np.array([2, 4]), "an edge leads out of the 4 rows"),
        ("heads", np.array([2, -1]), "an edge leads out of the 4 rows"),
        ("heads", np.array([2.0, 3.0]), "expected int64"),
        ("x", np.zeros((4, 3)), "X₀ is (4, 3)"),
        ("x", np.zeros(4), "X₀ is (4,)"),
    ],
)
def test_the_door_of_native_code(field, value, problem):
    model = lw.compile(lw.algorithms.dijkstra("compact"))
    encoded = encode(model, lw.Graph.of([("a", "b"), ("b", "c")]), source="a")
    with pytest.raises(LoopwrightError) as caught:
        prepare(model, "native")(replace(encoded, **{field: value}), 9)
    assert problem in str(caught.value)


def test_a_source_that_cannot_be_a_label():
    with pytest.raises(GraphError, match="is not in the graph"):
        graph().index(np.array([1, 2]))
