"""BFS, DFS and SCC against searches from the textbook, and against SciPy."""

import networkx as nx
import numpy as np
import pytest
import scipy.sparse.csgraph
from hypothesis import given, settings
from hypothesis import strategies as st

import loopwright as lw
from oracles import expected
from strategies import graphs

FEWER = settings(max_examples=15)
MODELS = {
    name: lw.compile(lw.algorithms.ALGORITHMS[name]("paper"))
    for name in ("bfs", "dfs", "scc", "multitask")
}


def random_digraph(n, seed):
    """Sparse, with self-loops, isolated nodes and 2-cycles."""
    rng = np.random.default_rng(seed)
    graph = nx.DiGraph()
    graph.add_nodes_from(range(n))
    for _ in range(3 * n // 2):
        tail, head = (int(node) for node in rng.integers(0, max(1, n - n // 8), 2))
        graph.add_edge(tail, head)
        if rng.random() < 0.15:
            graph.add_edge(head, tail)
    return graph


@FEWER
@given(graph=graphs(max_nodes=9), data=st.data())
def test_breadth_first(graph, data):
    source = data.draw(st.sampled_from(sorted(graph)))
    wanted = expected("bfs", graph, source)
    answer = MODELS["bfs"].run(graph, source=source)
    assert answer.result == wanted
    assert answer.iterations <= len(graph) ** 2
    ones = nx.create_empty_copy(graph)
    ones.add_edges_from(graph.edges)
    assert MODELS["multitask"].run(ones, source=source).prev == wanted["prev"]


@FEWER
@given(graph=graphs(max_nodes=9), data=st.data())
def test_depth_first(graph, data):
    source = data.draw(st.sampled_from([None, *sorted(graph)]))
    wanted = expected("dfs", graph, source)
    answer = MODELS["dfs"].run(graph, source=source)
    assert answer.result == wanted
    assert answer.iterations == len(graph) ** 2
    assert MODELS["multitask"].run(graph, source=source, dfs=1).prev == wanted["prev"]


@FEWER
@given(graph=graphs(max_nodes=9))
def test_strongly_connected_components(graph):
    answer = MODELS["scc"].run(graph)
    assert answer.result == expected("scc", graph)
    assert answer.iterations <= 3 * len(graph) ** 2


@pytest.mark.parametrize(("n", "seed"), [(17, 1), (33, 2), (64, 3), (64, 4)])
def test_large_digraphs(n, seed):
    graph = random_digraph(n, seed)
    answer = MODELS["scc"].run(graph, machine="native")
    assert answer.result == expected("scc", graph)
    assert answer.iterations <= 3 * n * n
    matrix = nx.to_scipy_sparse_array(graph, nodelist=range(n))
    _, labels = scipy.sparse.csgraph.connected_components(matrix, connection="strong")
    for a in range(n):
        for b in range(n):
            assert (labels[a] == labels[b]) == (answer.component[a] == answer.component[b])
    assert MODELS["dfs"].run(graph, machine="native").result == expected("dfs", graph)
    found = MODELS["bfs"].run(graph, source=0, machine="native")
    assert found.result == expected("bfs", graph, 0)


def test_breadth_first_leaves_the_unreachable_alone():
    graph = [("a", "b"), ("c", "d"), ("d", "c")]
    answer = MODELS["bfs"].run(graph, source="a")
    assert answer.prev == {"a": "a", "b": "a", "c": "c", "d": "d"}
    assert answer.iterations == 2 * 4
