"""BFS, DFS and SCC against searches written from the textbook, and against SciPy."""

import networkx as nx
import numpy as np
import pytest
import scipy.sparse.csgraph
from hypothesis import given, settings
from hypothesis import strategies as st

import loopwright as lw
from strategies import graphs

FEWER = settings(max_examples=15)
MODELS = {
    name: lw.compile(lw.algorithms.ALGORITHMS[name]("paper"))
    for name in ("bfs", "dfs", "scc", "multitask")
}


def breadth_first(graph, source):
    """Level by level; a node's parent is the first of the level before that has an edge to it."""
    parent = {node: node for node in graph}
    level, seen = [source], {source}
    while level:
        found = []
        for node in sorted(level):
            for neighbour in graph[node]:
                if neighbour not in seen:
                    seen.add(neighbour)
                    found.append(neighbour)
                    parent[neighbour] = node
        level = found
    return parent


def depth_first(graph, source=None):
    """Recursive, neighbours in index order; roots: the source, then whatever is left, in order."""
    parent = {node: node for node in graph}
    seen = set()

    def visit(node):
        seen.add(node)
        for neighbour in sorted(graph[node]):
            if neighbour not in seen:
                parent[neighbour] = node
                visit(neighbour)

    for root in ([] if source is None else [source]) + sorted(graph):
        if root not in seen:
            visit(root)
    return parent


def kosaraju(graph):
    """Finish times by a recursive search; then roots of searches of the transpose."""
    finished, seen = [], set()

    def visit(node):
        seen.add(node)
        for neighbour in sorted(graph[node]):
            if neighbour not in seen:
                visit(neighbour)
        finished.append(node)

    for node in sorted(graph):
        if node not in seen:
            visit(node)
    transpose = graph.reverse() if graph.is_directed() else graph
    component = {}

    def collect(node, root):
        component[node] = root
        for neighbour in sorted(transpose[node]):
            if neighbour not in component:
                collect(neighbour, root)

    for node in reversed(finished):
        if node not in component:
            collect(node, node)
    return component


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
    expected = breadth_first(graph, source)
    answer = MODELS["bfs"].run(graph, source=source)
    assert answer.prev == expected
    assert answer.iterations <= len(graph) ** 2
    ones = nx.create_empty_copy(graph)
    ones.add_edges_from(graph.edges)
    assert MODELS["multitask"].run(ones, source=source).prev == expected


@FEWER
@given(graph=graphs(max_nodes=9), data=st.data())
def test_depth_first(graph, data):
    source = data.draw(st.sampled_from([None, *sorted(graph)]))
    expected = depth_first(graph, source)
    answer = MODELS["dfs"].run(graph, source=source)
    assert answer.prev == expected
    assert answer.iterations == len(graph) ** 2
    assert MODELS["multitask"].run(graph, source=source, dfs=1).prev == expected


@FEWER
@given(graph=graphs(max_nodes=9))
def test_strongly_connected_components(graph):
    answer = MODELS["scc"].run(graph)
    assert answer.component == kosaraju(graph)
    assert answer.iterations <= 3 * len(graph) ** 2


@pytest.mark.parametrize(("n", "seed"), [(17, 1), (33, 2), (64, 3), (64, 4)])
def test_large_digraphs(n, seed):
    graph = random_digraph(n, seed)
    answer = MODELS["scc"].run(graph, machine="native")
    assert answer.component == kosaraju(graph)
    assert answer.iterations <= 3 * n * n
    matrix = nx.to_scipy_sparse_array(graph, nodelist=range(n))
    _, labels = scipy.sparse.csgraph.connected_components(matrix, connection="strong")
    for a in range(n):
        for b in range(n):
            assert (labels[a] == labels[b]) == (answer.component[a] == answer.component[b])
    assert MODELS["dfs"].run(graph, machine="native").prev == depth_first(graph)
    assert MODELS["bfs"].run(graph, source=0, machine="native").prev == breadth_first(graph, 0)


def test_breadth_first_leaves_the_unreachable_alone():
    graph = [("a", "b"), ("c", "d"), ("d", "c")]
    answer = MODELS["bfs"].run(graph, source="a")
    assert answer.prev == {"a": "a", "b": "a", "c": "c", "d": "d"}
    assert answer.iterations == 2 * 4
