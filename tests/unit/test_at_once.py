"""What is done for all edges or nodes at once is what it was one by one."""

from __future__ import annotations

from fractions import Fraction
from math import inf, ldexp

import networkx as nx
import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

import loopwright as lw
from loopwright.algorithms import ALGORITHMS
from loopwright.errors import GraphError, LoopwrightError
from loopwright.model.layout import Kind
from loopwright.runtime.arcs import Arcs
from loopwright.runtime.certain import certificate_of_kind
from loopwright.runtime.check import check
from loopwright.runtime.decode import value_of
from loopwright.runtime.graph import Graph
from loopwright.runtime.outputs import divided, output_of

MODELS = [
    lw.compile(of(construction)) for of in ALGORITHMS.values() for construction in of.constructions
]
LABELS = st.one_of(st.integers(-3, 9), st.text("ab", max_size=2), st.just(1.5), st.just(True))
WEIGHTS = st.one_of(
    st.integers(1, 2**60),
    st.floats(min_value=0, exclude_min=True, allow_infinity=False, allow_subnormal=True),
    st.fractions(min_value=Fraction(1, 9), max_value=9),
    st.sampled_from([True, np.int8(3), np.float32(0.1), "0.1", 2**70]),
)


def one_by_one(graph) -> Graph:
    """The graph by way of `Arcs`, which takes each edge for itself."""
    arcs = Arcs()
    for node in graph:
        arcs.node(node)
    for tail, head, weight in graph.edges(data="weight", default=1):
        arcs.edge(tail, head, weight)
    return Graph(*arcs.pack(directed=graph.is_directed()))


@given(
    edges=st.lists(st.tuples(LABELS, LABELS, WEIGHTS), min_size=1, max_size=12),
    kind=st.sampled_from([nx.DiGraph, nx.Graph]),
)
def test_networkx_at_once_and_one_by_one(edges, kind):
    graph = kind()
    for tail, head, weight in edges:
        graph.add_edge(tail, head, weight=weight)
    found, wanted = Graph.of(graph), one_by_one(graph)
    assert found.labels == wanted.labels
    assert list(map(type, found.labels)) == list(map(type, wanted.labels))
    assert found.directed == wanted.directed
    assert type(found.weights) is type(wanted.weights)
    for column in ("tails", "heads"):
        np.testing.assert_array_equal(getattr(found, column), getattr(wanted, column))
    assert list(found.weights) == list(wanted.weights)
    with pytest.raises(ValueError, match="read-only"):
        found.tails[0] = 7


@given(
    edges=st.lists(st.tuples(LABELS, LABELS, WEIGHTS), min_size=1, max_size=12),
    weighted=st.booleans(),
)
def test_edges_at_once_and_one_by_one(edges, weighted):
    given_edges = edges if weighted else [edge[:2] for edge in edges]

    def made(edges):
        try:
            graph = Graph.from_edges(edges)
        except GraphError as problem:
            return str(problem)
        return graph.labels, graph.tails.tolist(), graph.heads.tolist(), list(graph.weights)

    assert made(given_edges) == made(iter(given_edges))


@given(edges=st.lists(st.tuples(*[st.integers(1, 9)] * 3), min_size=1, max_size=12))
def test_rows_of_whole_numbers(edges):
    listed = {(tail, head): weight for tail, head, weight in edges}
    rows = [(*ends, weight) for ends, weight in listed.items()]
    found, wanted = Graph.from_edges(np.array(rows)), Graph.from_edges(iter(rows))
    assert (found.labels, list(found.weights)) == (wanted.labels, list(wanted.weights))
    np.testing.assert_array_equal(found.heads, wanted.heads)
    assert Graph.from_edges(np.array(rows)[:, :2]).edge_count == len(rows)


@pytest.mark.parametrize("weight", [0, -1, inf, float("nan"), "x", None, 10**400])
def test_a_weight_that_is_none_is_still_named(weight):
    graph = nx.DiGraph([("a", "b", {"weight": 1}), ("b", "c", {"weight": weight})])
    with pytest.raises(GraphError, match="edge b → c: weight"):
        Graph.of(graph)


@given(
    n=st.integers(1, 12),
    seed=st.integers(0, 99),
    shift=st.integers(-40, 40),
    most=st.sampled_from([2, 9, 2**20, 2**40]),
    model=st.sampled_from(MODELS),
)
def test_what_is_certain_of_the_worst_graph_is_certain_of_this_one(n, seed, shift, most, model):
    rng = np.random.default_rng(seed)
    matrix = np.triu(rng.integers(0, most, (n, n)) * (rng.random((n, n)) < 0.5), 1) * ldexp(
        1, shift
    )
    graph = Graph.of(matrix + matrix.T if "undirected" in model.needs else matrix)
    certain, own = certificate_of_kind(model, graph), check(model, graph)
    if certain is not None:
        assert own.guaranteed
        assert own.exact
        assert own.scale == 1
        assert own.watched is None
        assert not own.watches_positions
        named = {condition.name: condition.margin for condition in certain.conditions}
        for condition in own.conditions:
            if condition.name in named:
                assert condition.margin >= named[condition.name]


def test_most_graphs_of_small_numbers_are_certain():
    rng = np.random.default_rng(0)
    graph = Graph.of(np.triu(rng.integers(1, 100, (9, 9)), 1))
    kinds = [model for model in MODELS if not model.needs]
    assert sum(certificate_of_kind(model, graph) is not None for model in kinds) > len(kinds) / 2


def test_a_graph_that_is_not_what_a_program_needs_is_not_certain():
    model = next(model for model in MODELS if "undirected" in model.needs)
    assert certificate_of_kind(model, Graph.of([(0, 1), (1, 0)])) is not None
    assert certificate_of_kind(model, Graph.of([(0, 1)])) is None


CELLS = st.one_of(
    st.integers(-3, 6).map(float),
    st.floats(),
    st.sampled_from([0.25, 1.3, 2.0**52, 2.0**60, 1e300, -0.0]),
)


class Variable:
    name = "v"

    def __init__(self, kind: Kind) -> None:
        self.kind = kind


@given(
    cells=st.lists(CELLS, min_size=3, max_size=3),
    kind=st.sampled_from([Kind.VALUE, Kind.COUNT, Kind.INDEX, Kind.FLAG]),
    most=st.sampled_from([4.0, inf]),
    scale=st.sampled_from([1, Fraction(1, 4), 8, Fraction(10), Fraction(30, 7)]),
)
def test_outputs_at_once_and_one_by_one(cells, kind, most, scale):
    graph = Graph.of([("a", "b"), ("b", "c")])
    column = np.array(cells)
    try:
        wanted = [value_of(Variable(kind), graph, cell, scale, most) for cell in column]
    except (LoopwrightError, OverflowError, ValueError):
        if kind is not Kind.VALUE:
            assert output_of(kind, column, 3, scale, most) is None
        return
    found = output_of(kind, column, 3, scale, most)
    if found is not None:
        listed = found.listed(graph.labels)
        assert list(map(repr, listed)) == list(map(repr, wanted))


@given(
    whole=st.lists(st.integers(-(2**40), 2**40), min_size=1, max_size=5),
    shift=st.integers(-60, 20),
    scale=st.fractions(min_value=Fraction(1, 10**6), max_value=10**6, max_denominator=10**6),
)
def test_a_division_rounds_once(whole, shift, scale):
    cells = np.ldexp(np.array(whole, float), shift)
    wanted = [float(Fraction(cell) / scale) for cell in cells.tolist()]
    assert divided(cells, scale).tolist() == wanted


def test_an_answer_joins_labels_when_somebody_looks():
    model = lw.compile(lw.algorithms.dijkstra())
    answer = model.run([("a", "b", "0.1"), ("b", "c", "0.2"), ("d", "a", 1)], source="a")
    np.testing.assert_array_equal(answer.array("dists"), [0, 0.1, 0.3, inf])
    np.testing.assert_array_equal(answer.array("prev"), [0, 0, 1, 3])
    assert answer.dists == {"a": 0.0, "b": 0.1, "c": 0.3, "d": None}
    assert answer.dists is answer.dists
    assert type(answer.dists) is dict
    assert [type(value) for value in answer.dists.values()] == [float, float, float, type(None)]
