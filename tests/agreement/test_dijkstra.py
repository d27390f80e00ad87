"""Dijkstra by weights against Dijkstra by the textbook."""

from __future__ import annotations

from fractions import Fraction

import networkx as nx
import numpy as np
import pytest
import scipy.sparse
from hypothesis import given, settings

import loopwright as lw
from loopwright.model.layout import Kind
from observers import AfterLayer
from oracles import expected
from strategies import SMALL, problems

CONSTRUCTIONS = list(lw.algorithms.dijkstra.constructions)
MODELS = {name: lw.compile(lw.algorithms.dijkstra(name)) for name in CONSTRUCTIONS}
every_construction = pytest.mark.parametrize("model", MODELS.values(), ids=MODELS.keys())
paper = MODELS["paper"]


@every_construction
@given(problem=problems(max_nodes=9))
def test_distances_and_predecessors(model, problem):
    graph, source = problem
    wanted = expected("dijkstra", graph, source)
    assert model.run(graph, source=source).result == wanted  # bit for bit: weights are k/4


@every_construction
@given(problem=problems(max_nodes=9))
def test_distances_are_those_of_networkx(model, problem):
    graph, source = problem
    found = model.run(graph, source=source).dists
    reached = {node: d for node, d in found.items() if d is not None}
    assert reached == nx.single_source_dijkstra_path_length(graph, source)


@given(problem=problems(max_nodes=8))
def test_takes_n_squared_iterations(problem):
    graph, source = problem
    assert paper.run(graph, source=source).iterations == len(graph) ** 2


@every_construction
@given(problem=problems(max_nodes=7))
def test_flags_are_exact_after_every_layer(model, problem):
    graph, source = problem
    seen = []

    def observe(iteration, index, x):
        held = model.layout.after(index)
        flags = [field.first for field in held if field.kind is Kind.FLAG]
        assert len(flags) > 3
        assert np.isin(x[:, flags], (0.0, 1.0)).all(), (iteration, index)
        seen.append((iteration, index))

    answer = model.run(graph, source=source, observers=[AfterLayer(observe)])
    assert len(seen) == answer.iterations * len(model.layers)


def test_64_nodes():
    rng = np.random.default_rng(64)
    graph = nx.gnp_random_graph(64, 0.05, seed=64, directed=True)
    for _, _, data in graph.edges(data=True):
        data["weight"] = int(rng.integers(1, 100)) / 8
    answer = paper.run(graph, source=0)
    assert answer.result == expected("dijkstra", graph, 0)
    assert None in answer.dists.values()
    assert answer.iterations == 64**2


def test_rationals():
    weights = [Fraction(1, 3), Fraction(2, 7), Fraction(13, 21), Fraction(5, 6), Fraction(1, 7)]
    arcs = [("s", "a"), ("a", "b"), ("s", "b"), ("b", "c"), ("a", "c")]
    graph = nx.DiGraph()
    graph.add_node("s")
    for arc, weight in zip(arcs, weights, strict=True):
        graph.add_edge(*arc, weight=weight)
    graph.add_node("lost")
    model = lw.compile(lw.algorithms.dijkstra("paper"), limits=SMALL)
    answer = lw.verify(model, graph, source="s", machine="exact")
    assert answer.result == expected("dijkstra", graph, "s")
    # 1/3 + 2/7 = 13/21: a tie that floats would break, so the earlier path stays.
    assert (answer.dists["b"], answer.prev["b"]) == (Fraction(13, 21), "s")
    assert answer.dists["c"] == Fraction(1, 3) + Fraction(1, 7)
    assert type(answer.dists["c"]) is Fraction


@every_construction
@pytest.mark.parametrize("order", ["satb", "tbas", "bsta"])
def test_first_node_among_equal_distances(model, order):
    """Both a and b are 1 away, and both lead to t: whichever comes first in the graph is kept."""
    graph = nx.DiGraph()
    graph.add_nodes_from(order)
    graph.add_edges_from(["sb", "bt", "sa", "at"])
    answer = model.run(graph, source="s")
    assert answer.dists["t"] == 2
    assert answer.prev["t"] == min("ab", key=order.index)
    assert answer.result == expected("dijkstra", graph, "s")


@every_construction
def test_unreached(model):
    answer = model.run([("a", "b", 2), ("c", "a", 1)], source="a")
    assert answer.dists == {"a": 0.0, "b": 2.0, "c": None}
    assert answer.prev == {"a": "a", "b": "a", "c": "c"}


@every_construction
@pytest.mark.parametrize(
    "labels",
    [
        ("u", "v", "w"),
        ((0, 1), (1, 1), (0, 2)),
        (10, 5, 7),
        ("1", 1, (1,)),
        (frozenset({1}), None, 2.5),
    ],
    ids=str,
)
def test_labels_are_kept(model, labels):
    first, second, third = labels
    graph = [(first, second, 1.5), (second, third, 2)]
    answer = model.run(graph, source=first)
    assert answer.dists == {first: 0, second: 1.5, third: 3.5}
    assert answer.prev == {first: first, second: first, third: second}


def test_every_form_of_input_gives_the_same_answer(tmp_path):
    arcs = [(0, 1, 1.5), (1, 2, 0.25), (0, 2, 2.0), (3, 0, 1.0)]
    matrix = np.zeros((4, 4))
    directed = nx.DiGraph()
    directed.add_nodes_from(range(4))
    for tail, head, weight in arcs:
        matrix[tail, head] = weight
        directed.add_edge(tail, head, weight=weight)
    file = tmp_path / "graph.txt"
    file.write_text("".join(f"{tail} {head} {weight}\n" for tail, head, weight in arcs))
    wanted = expected("dijkstra", directed, 0)
    forms = [arcs, matrix, directed, lw.Graph.of(arcs)]
    forms += [form(matrix) for form in (scipy.sparse.csr_array, scipy.sparse.coo_matrix)]
    for form in forms:
        assert paper.run(form, source=0).result == wanted, type(form)
    for path in (file, str(file)):
        answer = paper.run(path, source="0")
        assert answer.dists == {str(node): d for node, d in wanted["dists"].items()}
        assert answer.prev == {str(v): str(before) for v, before in wanted["prev"].items()}


@settings(max_examples=8)
@given(problem=problems(max_nodes=4))
def test_exact_machine_gives_the_same_answer(problem):
    graph, source = problem
    model = lw.compile(lw.algorithms.dijkstra("paper"), limits=SMALL)
    exact = model.run(graph, source=source, machine="exact")
    assert exact.result == expected("dijkstra", graph, source)
    assert exact.iterations == len(graph) ** 2
