"""Decimals in columns are the fractions that they stand for, and are used as those."""

from __future__ import annotations

import copy
import pickle
from fractions import Fraction

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

import loopwright as lw
from loopwright.runtime.decimals import MOST_PLACES, Decimals
from loopwright.runtime.graph import Graph
from loopwright.runtime.reweigh import weights_on_grid

NUMBERS = st.lists(
    st.tuples(st.integers(1, 10**18 - 1) | st.integers(1, 999), st.integers(0, MOST_PLACES)),
    min_size=1,
    max_size=8,
)


def both(numbers):
    """Numbers as decimals, and as fractions."""
    mantissas, places = np.array(numbers, np.int64).T
    listed = tuple(Fraction(mantissa, 10**ten) for mantissa, ten in numbers)
    return Decimals.of(mantissas, places), listed


def path_of(weights):
    """A graph with these weights, one after another."""
    rows = np.arange(len(weights) + 1)
    return Graph(tuple(rows.tolist()), rows[:-1], rows[1:], weights)


@given(NUMBERS)
def test_a_sequence_of_fractions(numbers):
    found, listed = both(numbers)
    assert found == listed
    assert listed == found
    assert found != listed[1:]
    assert repr(found) == repr(listed)
    assert found[0] == listed[0]
    assert found[1:] == listed[1:]
    assert pickle.loads(pickle.dumps(found)) == copy.deepcopy(found) == found
    np.testing.assert_array_equal(found.floats, [float(one) for one in listed])
    assert path_of(found).unit == path_of(listed).unit


@given(NUMBERS)
def test_equal_ones_have_equal_entries(numbers):
    found, listed = both(numbers)
    for i, one in enumerate(listed):
        np.testing.assert_array_equal(found.column == found.column[i], [one == x for x in listed])


@pytest.mark.parametrize("kind", ["decimals", "fractions", "floats"])
@given(
    numbers=NUMBERS,
    scale=st.fractions(Fraction(1, 2**40), 2**40) | st.integers(-90, 90).map(Fraction(2).__pow__),
)
def test_weights_on_a_grid(kind, numbers, scale):
    """Rounded as fractions are, one by one; halves to even."""
    model = lw.compile(lw.algorithms.dijkstra("parallel"))
    graph = path_of(both(numbers)[kind == "fractions"])
    graph = path_of(graph.floats) if kind == "floats" else graph
    epsilon = model.constants.resolution
    wanted = [float(round(Fraction(one) * scale / epsilon) * epsilon) for one in graph.weights]
    np.testing.assert_array_equal(weights_on_grid(model, graph, scale, exact=False), wanted)


@pytest.mark.parametrize("directed", [True, False])
def test_a_graph_of_decimals_is_one_of_fractions(directed):
    """Also on the machine that works in fractions, and from another process."""
    found, listed = map(path_of, both([(1, 1), (1, 2), (75, 2), (3, 0)]))
    found, listed = (one if directed else one.undirected() for one in (found, listed))
    assert found.weights == listed.weights == pickle.loads(pickle.dumps(found)).weights
    model = lw.compile(lw.algorithms.dijkstra("compact"))
    for machine in ("native", "exact"):
        answers = [model.run(graph, source=0, machine=machine) for graph in (found, listed)]
        assert answers[0].dists == answers[1].dists
    lw.verify(model, found, source=0)
