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


@pytest.mark.parametrize(("construction", "parent"), [("paper", 3), ("compact", 3), ("printed", 4)])
def test_who_is_first_of_a_level(construction, parent):
    """By index, as the benchmark has it, or by discovery, as Algorithm 4 is printed.

    Node 4 is discovered before node 3, as 1 is visited before 2; both have an edge to 5.
    """
    graph = nx.DiGraph()
    graph.add_nodes_from(range(6))
    graph.add_edges_from([(0, 1), (0, 2), (1, 4), (2, 3), (3, 5), (4, 5)])
    found = lw.compile(lw.algorithms.bfs(construction)).run(graph, source=0)
    assert found.prev == {0: 0, 1: 0, 2: 0, 3: 2, 4: 1, 5: parent}


def levels(prev):
    def level(v):
        return 0 if prev[v] == v else 1 + level(prev[v])

    return {v: level(v) for v in prev}


def test_printed_differs_in_parents_but_not_in_levels():
    models = [MODELS["bfs"], lw.compile(lw.algorithms.bfs("printed"))]
    parents_differ = 0
    for seed in range(40):
        graph = nx.gnp_random_graph(20, 0.12, seed=seed, directed=True)
        listed, printed = (model.run(graph, source=0, machine="native").prev for model in models)
        parents_differ += listed != printed
        assert levels(listed) == levels(printed)
        assert printed == expected("bfs", graph, 0, construction="printed")["prev"]
        lengths = nx.single_source_shortest_path_length(graph, 0)
        assert levels(printed) == {v: lengths.get(v, 0) for v in graph}
    assert 0 < parents_differ < 40


def test_breadth_first_leaves_the_unreachable_alone():
    graph = [("a", "b"), ("c", "d"), ("d", "c")]
    answer = MODELS["bfs"].run(graph, source="a")
    assert answer.prev == {"a": "a", "b": "a", "c": "c", "d": "d"}
    assert answer.iterations == 2 * 4
