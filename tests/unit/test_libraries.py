"""Graphs of igraph, rustworkx, graph-tool, and PyTorch's edge_index go in as they are."""

from __future__ import annotations

import numpy as np
import pytest

import loopwright as lw


def test_rustworkx():
    rx = pytest.importorskip("rustworkx")
    graph = rx.PyDiGraph()
    graph.add_nodes_from(["a", "b", "c"])
    graph.add_edges_from([(0, 1, 2.5), (1, 2, {"weight": 3, "toll": 7})])
    made = lw.Graph.of(graph)
    assert (made.labels, made.weights.tolist(), made.directed) == (("a", "b", "c"), [2.5, 3], True)
    assert lw.Graph.of(rx.generators.cycle_graph(4)).edge_count == 4
    graph.add_edge(0, 1, 4)
    with pytest.raises(lw.LoopwrightError, match="multigraph"):
        lw.Graph.of(graph)


def test_igraph():
    igraph = pytest.importorskip("igraph")
    graph = igraph.Graph([(0, 1), (1, 2)])
    assert lw.Graph.of(graph).labels == (0, 1, 2)
    graph.vs["name"] = ["a", "b", "c"]
    graph.es["weight"] = [2, 3]
    made = lw.Graph.of(graph)
    assert (made.labels, made.directed) == (("a", "b", "c"), False)
    assert lw.compile(lw.algorithms.dijkstra()).run(graph, source="a").dists["c"] == 5
    graph.es["toll"] = [1, 1]
    assert lw.Graph.of(graph, weight="toll").weights.tolist() == [1] * 4


class GraphTool:
    """What graph-tool's graphs can do, as its documentation has it; it is no package of PyPI."""

    def __init__(self, edges, weights=None):
        self.edges = edges
        self.edge_properties = {} if weights is None else {"weight": weights}

    def num_vertices(self):
        return 3

    def num_edges(self):
        return len(self.edges)

    def is_directed(self):
        return True

    def get_edges(self, properties):
        return np.column_stack([np.array(self.edges), *properties])


def test_graph_tool():
    made = lw.Graph.of(GraphTool([(0, 1), (1, 2)], weights=[0.5, 2]))
    assert (made.labels, made.weights.tolist()) == ((0, 1, 2), [0.5, 2])
    assert lw.Graph.of(GraphTool([(0, 1), (1, 2)])).weights.tolist() == [1, 1]


def test_an_edge_index_alone():
    torch = pytest.importorskip("torch")
    made = lw.Graph.of(torch.tensor([[0, 1, 2], [1, 2, 0]]))
    assert (made.n, made.tails.tolist(), made.heads.tolist()) == (3, [0, 1, 2], [1, 2, 0])
    square = lw.Graph.of(torch.tensor([[0, 1], [1, 0]]))
    assert (square.n, square.edge_count) == (2, 2)
