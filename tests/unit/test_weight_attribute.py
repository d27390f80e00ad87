"""Which number of an edge is its weight: never a guess. And forms that used to be misread."""

from __future__ import annotations

import io
import json
from types import SimpleNamespace

import networkx as nx
import numpy as np
import pytest

import loopwright as lw
from loopwright import Graph
from loopwright.errors import GraphError


def arcs(graph):
    """{(tail label, head label): weight}"""
    return {
        (graph.labels[tail], graph.labels[head]): weight
        for tail, head, weight in zip(graph.tails, graph.heads, graph.weights, strict=True)
    }


def refused(source, *parts, **options):
    with pytest.raises(GraphError) as caught:
        Graph.of(source, **options)
    message = str(caught.value)
    assert message.endswith(".")
    assert "\n" not in message
    for part in parts:
        assert part in message, message


# ── attributes ──────────────────────────────────────────────────────────────────────────────────


def roads(**attributes):
    graph = nx.DiGraph()
    graph.add_edge("a", "b", **attributes)
    return graph


WRITERS = {
    "networkx": lambda graph, path: graph,
    "roads.graphml": lambda graph, path: nx.write_graphml(graph, path),
    "roads.gml": lambda graph, path: nx.write_gml(graph, path),
    "edges.json": lambda graph, path: path.write_text(
        json.dumps(nx.node_link_data(graph, edges="edges"))
    ),
    "adjacency.json": lambda graph, path: path.write_text(json.dumps(nx.adjacency_data(graph))),
    "roads.csv": lambda graph, path: path.write_text(
        "\n".join(",".join(map(str, row)) for row in rows_of(graph))
    ),
    "frame": lambda graph, path: Frame(rows_of(graph)),
}


def rows_of(graph):
    """A table with a row for its only edge, and the names of the columns before it."""
    (edge,) = graph.edges(data=True)
    return [("source", "target", *edge[2]), (*edge[:2], *edge[2].values())]


class Frame:
    """What a pandas DataFrame does that is used; pandas itself is optional."""

    def __init__(self, rows):
        self.columns, self._row = rows
        self.iloc = self

    def __getitem__(self, place):
        return np.array([self._row[place[1]]], dtype=object)


@pytest.fixture(params=WRITERS)
def form(request, tmp_path):
    """A way to hand over a networkx graph: as it is, as a file, or as a table."""

    def hand_over(graph):
        path = tmp_path / request.param
        given = WRITERS[request.param](graph, path)
        return path if path.exists() else given

    hand_over.name = request.param
    return hand_over


def test_another_name(form):
    given = form(roads(length=2.5, time=7))
    assert arcs(Graph.of(given, weight="length")) == {("a", "b"): 2.5}
    assert arcs(Graph.of(given, weight="time")) == {("a", "b"): 7}
    assert arcs(Graph.of(given, weight=None)) == {("a", "b"): 1}
    refused(given, "length, time", 'weight="length" (--weight length)', "weight=None")
    refused(given, "no edge has 'lenght'", "length, time", weight="lenght")


def test_one_number_of_another_name(form):
    given = form(roads(length=2.5))
    if form.name in ("roads.csv", "frame"):  # the only column left is the weight
        assert arcs(Graph.of(given)) == {("a", "b"): 2.5}
    else:
        refused(given, "numbers: length. Say which", 'weight="length"')


def test_weight_among_others(form):
    assert arcs(Graph.of(form(roads(length=2.5, weight=3)))) == {("a", "b"): 3}


def test_no_numbers(form):
    assert arcs(Graph.of(form(roads(name="A 8", surface="mud")))) == {("a", "b"): 1}


def test_numbers_of_edges_that_are_names():
    assert arcs(Graph.of(roads(id=7, key=0, toll=True))) == {("a", "b"): 1}


def test_as_networkx_an_edge_without_weight_is_1():
    graph = roads(weight=2)
    graph.add_edge("b", "c", length=5)
    assert arcs(Graph.of(graph)) == {("a", "b"): 2, ("b", "c"): 1}


def test_no_edges():
    assert Graph.of(nx.empty_graph(2), weight="length").n == 2


def test_run_and_check():
    graph = roads(length=2.5)
    graph.add_edge("b", "c", length=1)
    model = lw.compile(lw.algorithms.dijkstra("compact"))
    expected = nx.single_source_dijkstra_path_length(graph, "a", weight="length")
    assert model.run(graph, source="a", weight="length").dists == expected
    many = model.run_many([graph], sources=["a"], weight="length")
    assert next(many).dists == expected
    assert model.check(graph, weight="length").exact
    with pytest.raises(GraphError, match="Say which is the weight"):
        model.run(graph, source="a")


@pytest.mark.parametrize(
    "source",
    [[("a", "b", 3)], {("a", "b"): 3}, np.array([[0, 3], [0, 0]]), Graph.of([("a", "b", 3)])],
    ids=lambda source: type(source).__name__,
)
def test_forms_without_names(source):
    assert list(arcs(Graph.of(source)).values()) == [3]
    assert list(arcs(Graph.of(source, weight=None)).values()) == [1]
    refused(source, "without a name", weight="length")


def test_a_name_is_text():
    refused([("a", "b")], "weight is 7: expected a name", weight=7)


# ── dictionaries, tables ────────────────────────────────────────────────────────────────────────


def test_dict_of_edges():
    assert arcs(Graph.of({("a", "b"): 3, ("b", "c"): "1/4"})) == {("a", "b"): 3, ("b", "c"): 0.25}


def test_dict_of_dicts():
    graph = Graph.of({"a": {"b": 3}, "alone": {}, "b": {"c": 0.5}})
    assert arcs(graph) == {("a", "b"): 3, ("b", "c"): 0.5}
    assert graph.labels == ("a", "alone", "b", "c")


@pytest.mark.parametrize("edges", [{"a": ["b"]}, {"a": 3}, {("a", "b"): [3]}, {"ab": 3}], ids=str)
def test_dict_of_something_else(edges):
    refused(edges, "expected {(tail, head): weight} or {tail: {head: weight}}")


@pytest.mark.parametrize("line", ["a,b,3", "a, b, 3", "a;b", "a ,b", "a,b 3,"])
def test_edge_list_with_commas(tmp_path, line):
    path = tmp_path / "roads.txt"
    path.write_text(f"# roads\n{line}\n")
    refused(path, f"{path}:2: expected 'tail head [weight]' with spaces", ".csv")


def test_commas_within_labels(tmp_path):
    path = tmp_path / "grid.txt"
    path.write_text("0,0 0,1 2\n")
    assert arcs(Graph.of(path)) == {("0,0", "0,1"): 2}


def test_matrices_that_are_not_what_they_seem():
    masked = np.ma.masked_array([[9, 2.0], [9, 9]], mask=[[1, 0], [1, 1]])
    assert arcs(Graph.of(masked)) == {(0, 1): 2}
    for labels in ("a", "abc"):
        with pytest.raises(GraphError, match=r"labels for a matrix of 2 rows"):
            Graph.from_matrix(np.zeros((2, 2)), labels=labels)
    with pytest.raises(GraphError, match="different lengths"):
        Graph.from_matrix([[0, 1], [0]])
    with pytest.raises(GraphError, match="edges are of type int"):
        Graph.from_edges(7)


# ── streams ─────────────────────────────────────────────────────────────────────────────────────


def test_open_files(tmp_path):
    assert arcs(Graph.of(io.BytesIO(b"a b 2\n"))) == {("a", "b"): 2}
    path = tmp_path / "roads.csv"
    path.write_text("u,v,w\na,b,2\n")
    for mode in ("r", "rb"):
        with path.open(mode) as file:
            assert arcs(Graph.of(file)) == {("a", "b"): 2}
            assert not file.closed
    refused(io.StringIO("a b 2\n"), "open the file in mode 'rb'")
    refused(io.BytesIO(b"a b c d\n"), "<stream>:1: expected 'tail head [weight]'")


# ── PyTorch and PyG ─────────────────────────────────────────────────────────────────────────────

MATRIX = np.array([[0, 1.5, 0], [0, 0, 2], [0.25, 0, 4]])
ARCS = {(0, 1): 1.5, (1, 2): 2, (2, 0): 0.25, (2, 2): 4}


@pytest.fixture(scope="module")
def torch():
    return pytest.importorskip("torch")


@pytest.mark.filterwarnings("ignore:Sparse CSR tensor support is in beta")
def test_tensors(torch):
    dense = torch.tensor(MATRIX, requires_grad=True)
    forms = [dense, dense.float(), dense.bfloat16(), dense.to_sparse()]
    forms += [dense.detach().to_sparse_csr(), dense.detach().to_sparse_csc()]
    for form in forms:
        assert arcs(Graph.of(form)) == ARCS
    whole = torch.tensor([[0, 2**60 + 1, 0], [0, 0, 0], [0, 0, 0]])
    assert arcs(Graph.of(whole)) == {(0, 1): 2**60 + 1}


def test_tensors_that_are_no_graphs(torch):
    refused(torch.ones(2, 3), "must be square")
    refused(torch.ones(2, 3).to_sparse(), "must be square")
    refused(torch.ones(2, 2, 2).to_sparse(), "must be square")
    refused(torch.ones(2, 2) * 1j, "expected numbers")
    two, entries = torch.tensor([[0, 0], [1, 1]]), torch.tensor([1.0, 2.0])
    twice = torch.sparse_coo_tensor(two, entries, (2, 2), check_invariants=True)
    refused(twice, "same entry twice")
    outside = torch.sparse_coo_tensor(9 * two, entries, (2, 2), check_invariants=False)
    refused(outside, "a sparse tensor that is none")
    refused(torch.tensor([[0, float("nan")], [0, 0]]), "not finite")


@pytest.fixture
def data(torch):
    """What PyG's `Data` has that is read; PyG itself is optional."""

    def make(**fields):
        ends = torch.tensor([[0, 1, 0], [1, 2, 2]])
        given = {"edge_index": ends, "edge_attr": None, "num_nodes": 4} | fields
        return SimpleNamespace(**given)

    return make


ENDS = [(0, 1), (1, 2), (0, 2)]


def test_pyg(data, torch):
    graph = Graph.of(data())
    assert arcs(graph) == dict.fromkeys(ENDS, 1)
    assert (graph.n, graph.directed) == (4, True)
    assert Graph.of(data(num_nodes=None)).n == 3
    weights, expected = torch.tensor([2.5, 1, 7]), dict(zip(ENDS, [2.5, 1, 7], strict=True))
    assert arcs(Graph.of(data(edge_weight=weights))) == expected
    attributed = data(edge_attr=weights.reshape(3, 1))
    assert arcs(Graph.of(attributed, weight="edge_attr")) == expected
    assert arcs(Graph.of(attributed, weight=None)) == dict.fromkeys(ENDS, 1)
    assert arcs(Graph.of(data(length=weights), weight="length")) == expected
    refused(attributed, "numbers: edge_attr", 'weight="edge_attr"')
    refused(attributed, "no edge has 'length'", weight="length")


def test_pyg_that_is_no_graph(data, torch):
    refused(data(edge_attr=torch.ones(3, 2)), "(3, 2)", "data.edge_attr[:, 0]", weight="edge_attr")
    refused(data(edge_weight=torch.ones(2)), "one number for each of 3 edges")
    refused(data(edge_weight=[1, 2, 3]), "'edge_weight' is of type list")
    refused(data(edge_index=None), "edge_index is of type NoneType")
    refused(data(edge_index=torch.ones(2, 3)), "expected whole numbers, (2, edges)")
    refused(data(edge_index=torch.ones(3, 2).long()), "expected whole numbers, (2, edges)")
    refused(data(num_nodes=2), "edge_index has 0 to 2; 2 nodes are 0 to 1")
    twice = torch.tensor([[0, 0], [1, 1]])
    refused(data(edge_index=twice, edge_weight=torch.tensor([1.0, 2])), "is given twice")
