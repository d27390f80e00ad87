"""Graphs of igraph, rustworkx, graph-tool, and PyTorch's edge_index go in as they are."""

from __future__ import annotations

import numpy as np
import pytest

import loopwright as lw
from loopwright.errors import GraphError


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


def test_two_edges_or_a_matrix():
    """Whole numbers of shape (2, 2) are refused: an edge_index is not read otherwise because it has
    as many edges as ends. What is no index, or says what it is, is read."""
    torch = pytest.importorskip("torch")
    edges = torch.tensor([[0, 1], [1, 2]])
    with pytest.raises(
        GraphError, match=r"an edge_index of two edges, or a matrix: give .*\.T\.to"
    ):
        lw.Graph.of(edges)
    assert lw.Graph.of(edges.T.tolist()).edge_count == 2
    matrix = lw.Graph.of(edges.numpy())
    assert (matrix.n, matrix.edge_count, matrix.heaviest) == (2, 3, 2)
    assert lw.Graph.of(edges > 0).edge_count == 3
    assert lw.Graph.of(edges.to_sparse()).edge_count == 3


def test_tensors_without_entries():
    torch = pytest.importorskip("torch")
    for tensor in (torch.empty(3, 3, device="meta"), torch.zeros(2, 3, device="meta").long()):
        with pytest.raises(GraphError, match="a tensor that cannot be read: "):
            lw.Graph.of(tensor)
    with pytest.raises(GraphError, match="a tensor that cannot be read: "):
        lw.Graph.of((torch.ones(3, 3) * 1j).conj())
