"""Every program of examples/subleq on the transformer, against Python that knows nothing of it."""

from __future__ import annotations

import math
import re
from fractions import Fraction
from functools import cache

import networkx as nx
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from subleq_programs import EXAMPLES, plain

import loopwright as lw
from loopwright.subleq import assemble, run
from strategies import graphs

FEW = settings(max_examples=max(5, settings.default.max_examples // 5))
PROGRAMS = sorted(path.stem for path in EXAMPLES.glob("*.sq"))
EXPECT = re.compile(r"^; Expect(?: with (?P<graph>\S+))?: (?P<values>.*)$", re.MULTILINE)


@cache
def source(name):
    return (EXAMPLES / f"{name}.sq").read_text(encoding="utf-8")


def outcome(name, graph=None, **given):
    """The program's end, verified in lockstep, for these starts."""
    nodes = None if graph is None else len(graph)
    listed = {key: value if isinstance(value, list) else [value] for key, value in given.items()}
    code = assemble(source(name), file=name, nodes=nodes, settings=listed)
    found = run(code, graph, verify=True)
    machine = plain(code, graph)
    assert machine.run(10_000)
    assert (found.memory, found.steps) == (tuple(machine.memory), machine.steps)
    assert found.halted
    return found


@pytest.mark.parametrize("name", PROGRAMS)
def test_what_the_file_says(name):
    """Each file states its result in a comment; this reads and checks it."""
    expected = EXPECT.search(source(name))
    assert expected, f"{name}.sq: no line '; Expect: name = value, …'"
    graph = None
    if expected["graph"]:
        graph = lw.Graph.of(EXAMPLES / expected["graph"])
    code = assemble(source(name), nodes=graph and graph.n)
    found = run(code, graph, verify=True)
    for part in expected["values"].split(","):
        key, _, value = part.partition("=")
        numbers = tuple(map(Fraction, value.split()))
        assert found[key.strip()] == (numbers if len(numbers) > 1 else numbers[0])


@pytest.mark.parametrize("name", ["addition", "comparison", "triangle"])
def test_in_exact_arithmetic(name):
    expected = EXPECT.search(source(name))
    graph = lw.Graph.of(EXAMPLES / expected["graph"]) if expected["graph"] else None
    code = assemble(source(name), nodes=graph and graph.n)
    exact, float64 = run(code, graph, machine="exact"), run(code, graph)
    assert (exact.memory, exact.steps) == (float64.memory, float64.steps)


NUMBER = st.integers(-10_000, 10_000).map(lambda k: Fraction(k, 8))
POSITIVE = st.integers(1, 40)


@FEW
@given(a=NUMBER, b=NUMBER)
def test_addition(a, b):
    assert outcome("addition", a=a, b=b)["sum"] == a + b


@FEW
@given(a=NUMBER, b=st.integers(0, 12))
def test_multiplication(a, b):
    assert outcome("multiplication", a=a, b=b)["product"] == a * b


@given(a=st.integers(-3, 3), b=NUMBER)
def test_comparison(a, b):
    b = b if b % 2 else Fraction(a)
    assert outcome("comparison", a=a, b=b)["sign"] == (a > b) - (a < b)


@FEW
@given(n=st.integers(0, 25))
def test_fibonacci(n):
    golden = (1 + math.sqrt(5)) / 2
    assert outcome("fibonacci", n=n)["f"] == round(golden**n / math.sqrt(5))


@pytest.mark.parametrize("n", range(7))
def test_factorial(n):
    assert outcome("factorial", n=n)["result"] == math.factorial(n)


@FEW
@given(a=POSITIVE, b=POSITIVE)
def test_gcd(a, b):
    found = outcome("gcd", a=a, b=b)
    assert (found["a"], found["b"]) == (math.gcd(a, b),) * 2


@FEW
@given(numbers=st.lists(NUMBER | st.integers(-2, 2), min_size=5, max_size=5))
def test_bubble_sort(numbers):
    assert outcome("bubble_sort", list=numbers)["list"] == tuple(sorted(numbers))


def test_bubble_sort_of_the_worst_order():
    assert outcome("bubble_sort", list=[5, 4, 3, 2, 1])["list"] == (1, 2, 3, 4, 5)


@FEW
@given(graph=graphs(max_nodes=6), data=st.data())
def test_row_sum(graph, data):
    node = data.draw(st.sampled_from(sorted(graph)))
    matrix = nx.to_numpy_array(graph)
    assert outcome("row_sum", graph, node=node)["total"] == matrix[node].sum()


@FEW
@given(graph=graphs(max_nodes=6), data=st.data())
def test_degree(graph, data):
    node = data.draw(st.sampled_from(sorted(graph)))
    assert outcome("degree", graph, node=node)["degree"] == len(graph.adj[node])


@given(graph=graphs(max_nodes=3), data=st.data())
def test_triangle(graph, data):
    u, v, w = (data.draw(st.sampled_from(sorted(graph))) for _ in range(3))
    closed = all(graph.has_edge(*edge) for edge in [(u, v), (v, w), (w, u)])
    assert outcome("triangle", graph, u=u, v=v, w=w)["triangle"] == closed


def test_triangles_of_a_complete_graph():
    assert outcome("triangle", nx.complete_graph(3))["triangle"] == 1
    assert outcome("triangle", nx.path_graph(3))["triangle"] == 0
