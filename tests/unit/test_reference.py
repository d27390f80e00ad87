"""The reference machine against the paper's equations, written out by loops."""

from __future__ import annotations

from dataclasses import replace
from math import exp

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

import loopwright as lw
from loopwright.errors import DidNotHalt
from loopwright.model.weights import Head, Layer
from loopwright.runtime.machines.reference import attend, layer_output, terms
from observers import AfterLayer

MODEL = lw.compile(lw.algorithms.dijkstra("paper"))
small = st.integers(-3, 3)


def hardmax(scores, tolerance):
    """The weights with which a head averages: what it finds if every row's value is its own."""
    own = np.eye(scores.shape[1])
    head = replace(MODEL.layers[3].heads[0], tie_tolerance=tolerance, value=own)
    return attend(MODEL, head, scores, own, np.zeros_like(own))


def plain_hardmax(row, tolerance):
    winners = [i for i, score in enumerate(row) if score >= max(row) - tolerance]
    return [1 / len(winners) if i in winners else 0.0 for i in range(len(row))]


def softmax(scores, temperature):
    found = terms(scores, temperature)
    return found / found.sum(axis=1, keepdims=True)


def plain_softmax(row, temperature):
    total = sum(exp((score - max(row)) / temperature) for score in row)
    return [exp((score - max(row)) / temperature) / total for score in row]


@pytest.mark.parametrize(
    ("row", "tolerance", "expected"),
    [
        ([1, 3, 2], 0, [0, 1, 0]),
        ([3, 1, 3, 3], 0, [1 / 3, 0, 1 / 3, 1 / 3]),
        ([0, 0], 0, [0.5, 0.5]),
        ([-5], 0, [1]),
        ([1, 1 + 1e-9], 0, [0, 1]),
        ([1, 1 + 1e-9], 1e-6, [0.5, 0.5]),
        ([1.0, 0.75, 0.5], 0.25, [0.5, 0.5, 0]),
        ([-2, -1, -1.125], 0.25, [0, 0.5, 0.5]),
    ],
)
def test_hardmax(row, tolerance, expected):
    np.testing.assert_array_equal(hardmax(np.array([row], float), tolerance), [expected])


def test_hardmax_goes_row_by_row():
    scores = np.array([[0.0, 1.0], [1.0, 0.0], [2.0, 2.0]])
    np.testing.assert_array_equal(hardmax(scores, 0), [[0, 1], [1, 0], [0.5, 0.5]])


def test_hardmax_of_grid_values_is_exact():
    """Three equal values average to themselves, although 1/3 is no float."""
    head = replace(MODEL.layers[3].heads[0], value=np.eye(1))
    for value in (0.1, 1 / 3, 5.0, 2.0**40 + 2.0**-10):
        found = attend(MODEL, head, np.zeros((1, 3)), np.full((3, 1), value), np.zeros((3, 3)))
        assert found == sum([value] * 3) / 3


def test_softmax():
    np.testing.assert_allclose(softmax(np.array([[0.0, np.log(3)]]), 1), [[0.25, 0.75]], rtol=1e-15)
    np.testing.assert_allclose(softmax(np.array([[0.0, np.log(3)]]), 0.5), [[0.1, 0.9]], rtol=1e-14)
    np.testing.assert_array_equal(softmax(np.array([[1e300, 1e300]]), 1e-7), [[0.5, 0.5]])
    np.testing.assert_array_equal(softmax(np.array([[0.0, 1.0]]), 1e-7), [[0, 1]])


@given(row=st.lists(st.floats(-9, 9), min_size=1, max_size=5), t=st.floats(0.1, 10))
def test_softmax_is_its_formula(row, t):
    np.testing.assert_allclose(softmax(np.array([row]), t)[0], plain_softmax(row, t), atol=1e-12)


def matrix(rows, columns):
    return st.lists(
        st.lists(small, min_size=columns, max_size=columns), min_size=rows, max_size=rows
    ).map(lambda entries: np.array(entries, dtype=np.float64))


@st.composite
def random_layers(draw):
    """A layer of width d, rows of X, and Ã; whole numbers, so that sums are exact."""
    rows, d = draw(st.integers(1, 4)), draw(st.integers(1, 3))

    def head():
        over = draw(st.sampled_from(["I", "A", "AT", "E", "ET"]))
        chooses = over in ("E", "ET")
        seen, d_a = d + chooses, draw(st.integers(2, 4)) if chooses else 2
        return Head(
            over,
            draw(matrix(d, d_a)),
            draw(matrix(seen, d_a)),
            draw(matrix(seen, d)),
            draw(st.sampled_from([0.0, 1.5])),
            2.0,
            hinges=draw(matrix(draw(st.integers(1, d_a)), 1)) if chooses else np.zeros((0, 1)),
        )

    heads = tuple(head() for _ in range(draw(st.integers(0, 3))))
    mlp = tuple(draw(matrix(d, d)) for _ in range(4))
    layer = Layer("random", None, (), heads, mlp)
    return layer, draw(matrix(rows, d)), draw(matrix(rows, rows))


def times(a, b):
    """A B, by the definition."""
    inner, columns = range(len(b)), range(len(b[0]))
    return [[sum(row[k] * b[k][j] for k in inner) for j in columns] for row in a]


def plus(a, b):
    return [[x + y for x, y in zip(*rows, strict=True)] for rows in zip(a, b, strict=True)]


def transposed(a):
    return [list(column) for column in zip(*a, strict=True)]


def chosen(head, x, i, edges, attention):
    """What row i finds among the edges that it sees, and at row 0, along an edge of 0 if none."""
    seen = [j for j, edge in enumerate(edges) if edge or j == 0]
    (query,) = times([x[i]], head.query.tolist())
    keys, values = (
        [times([[*x[j], edges[j]]], w.tolist())[0] for j in seen] for w in (head.key, head.value)
    )
    hinges = head.hinges[:, 0].tolist()

    def score(key):
        met = list(zip(query, key, strict=True))
        bent = [u * max(0, q + k) for u, (q, k) in zip(hinges, met, strict=False)]
        return sum(bent) + sum(q * k for q, k in met[len(hinges) :])

    scores = [score(key) for key in keys]
    if attention == "hardmax":
        weights = plain_hardmax(scores, head.tie_tolerance)
    else:
        weights = plain_softmax(scores, head.temperature)
    return times([weights], values)[0]


def equations(layer, x, a, attention):
    """Equations (1) and (2) of the paper; and edge heads, which it does not have."""
    total = x
    for head in layer.heads:
        if head.over in ("E", "ET"):
            edges = transposed(a) if head.over == "E" else a
            total = plus(total, [chosen(head, x, i, row, attention) for i, row in enumerate(edges)])
            continue
        queries, keys = times(x, head.query.tolist()), times(x, head.key.tolist())
        scores = times(queries, transposed(keys))
        if attention == "hardmax":
            weights = [plain_hardmax(row, head.tie_tolerance) for row in scores]
        else:
            weights = [plain_softmax(row, head.temperature) for row in scores]
        found = times(weights, times(x, head.value.tolist()))
        through = {"I": None, "A": a, "AT": transposed(a)}[head.over]
        total = plus(total, found if through is None else times(through, found))
    z = total
    for w in layer.mlp[:3]:
        z = [[max(0.0, entry) for entry in row] for row in times(z, w.tolist())]
    return plus(total, times(z, layer.mlp[3].tolist()))


@pytest.mark.parametrize("attention", ["hardmax", "softmax"])
@given(case=random_layers())
def test_layer_is_equations_1_and_2(attention, case):
    layer, x, a = case
    found = layer_output(replace(MODEL, attention=attention), layer, x, a)
    expected = equations(layer, x.tolist(), a.tolist(), attention)
    scale = max(1.0, float(np.abs(expected).max()))
    np.testing.assert_allclose(found / scale, np.array(expected) / scale, atol=1e-12)


def test_loop_stops_when_told():
    with pytest.raises(DidNotHalt, match="'dijkstra' did not halt within 8 iterations"):
        MODEL.run([(0, 1), (1, 2)], source=0, max_iterations=8)
    assert MODEL.run([(0, 1), (1, 2)], source=0, max_iterations=9).iterations == 9


def test_input_is_not_changed():
    from loopwright.runtime.encode import encode
    from loopwright.runtime.machines import prepare

    problem = encode(MODEL, lw.Graph.of([(0, 1)]), source=0)
    before = problem.x.copy()
    prepare(MODEL, "reference")(problem, 4, None)
    np.testing.assert_array_equal(problem.x, before)


def test_observer_sees_every_layer():
    seen = []
    MODEL.run([(0, 1)], source=0, observers=[AfterLayer(lambda t, i, x: seen.append((t, i)))])
    assert seen == [(t, i) for t in range(1, 5) for i in range(17)]


@pytest.mark.parametrize("ties", [3, 5, 6, 7, 10, 11, 49])
def test_softmax_sums_ties_before_it_divides(ties):
    """Sevenths of 4 add up to a little less than 4: an edge is then not retraced by it."""
    soft = lw.compile(lw.algorithms.bfs(), attention="softmax")
    four = np.full((ties, 1), 4.0)
    head = replace(soft.layers[0].heads[0], over="I", value=np.ones((1, 1)))
    found = attend(soft, head, np.zeros((ties, ties)), four, np.zeros((ties, ties)))
    np.testing.assert_array_equal(found, four)
