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


# ── views of networkx ───────────────────────────────────────────────────────────────────────────


@pytest.fixture
def three():
    graph = roads(weight=7, length=5)
    graph.add_edge("b", "c", length=2)
    return graph


WEIGHTED, LONG = {("a", "b"): 7, ("b", "c"): 1}, {("a", "b"): 5, ("b", "c"): 2}


def test_edges_of_networkx(three):
    for edges in (three.edges, three.out_edges, three.in_edges, three.edges(data=True)):
        assert arcs(Graph.of(edges)) == WEIGHTED
        assert arcs(Graph.of(edges, weight="length")) == LONG
        assert arcs(Graph.of(edges, weight=None)) == dict.fromkeys(LONG, 1)
        refused(edges, "no edge has 'km'", weight="km")
    assert Graph.of(three.edges).labels == ("a", "b", "c")
    assert arcs(Graph.of(three.edges(data="length"))) == LONG
    assert arcs(Graph.of(three.subgraph("ab").edges)) == {("a", "b"): 7}
    refused(roads(length=5).edges, 'weight="length"')
    refused(nx.empty_graph(3).edges, "at least one node")


def test_edges_of_an_undirected_graph(three):
    undirected = three.to_undirected()
    both = LONG | {(v, u): length for (u, v), length in LONG.items()}
    for edges in (undirected.edges, undirected.edges(data=True)):
        graph = Graph.of(edges, weight="length")
        assert not graph.directed
        assert arcs(graph) == both
    assert arcs(Graph.of(undirected.edges(data="length"))) == both


def test_views_that_are_no_edges(three):
    for view in (three.nodes, three.nodes(data=True), three.adj, three["a"], three.degree):
        refused(view, "a part of a graph: give the graph itself")
    refused(nx.MultiDiGraph(three).edges, "multigraph")
    refused(nx.MultiGraph(three).edges(data=True), "multigraph")


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


def test_dict_of_attributes():
    for edges in ({("a", "b"): {"weight": 7}}, {("a", "b"): {}}, {(0, 1, 0): {"weight": 7}}):
        refused(edges, "edges with all that they have", "Give the graph itself")
    refused(dict(roads(weight=2).edges), "Give the graph itself")
    assert arcs(Graph.of({(0, 0): {(0, 1): 3}, (0, 1): {}})) == {((0, 0), (0, 1)): 3}


@pytest.mark.parametrize("line", ["a,b,3", "a, b, 3", "a;b", "a ,b", "a,b 3,", "a|b|2", "a | b"])
def test_edge_list_with_commas(tmp_path, line):
    path = tmp_path / "roads.txt"
    path.write_text(f"# roads\n{line}\n")
    refused(path, f"{path}:2: expected 'tail head [weight]' with spaces", ".csv")


def test_a_table_with_bars(tmp_path):
    path = tmp_path / "roads.csv"
    path.write_text("source|target|weight\na|b|2\n")
    assert arcs(Graph.of(path)) == {("a", "b"): 2}


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


def test_closed_files(tmp_path):
    path = tmp_path / "roads.txt"
    path.write_text("a b\n")
    for mode in ("r", "rb"):
        file = path.open(mode)
        file.close()
        refused(file, "the file is closed: open it")
    with path.open("rb") as file:
        io.TextIOWrapper(file).detach()
        assert Graph.of(file).n == 2
    text = io.TextIOWrapper(io.BytesIO(b"a b\n"))
    text.detach()
    refused(text, "the file is closed: open it")


# ── PyTorch and PyG ─────────────────────────────────────────────────────────────────────────────

MATRIX = np.array([[0, 1.5, 0], [0, 0, 2], [0.25, 0, 4]])
BETA = "ignore:Sparse (CSR|CSC|BSR|BSC) tensor support is in beta"
ARCS = {(0, 1): 1.5, (1, 2): 2, (2, 0): 0.25, (2, 2): 4}


@pytest.fixture(scope="module")
def torch():
    return pytest.importorskip("torch")


@pytest.mark.filterwarnings(BETA)
def test_tensors(torch):
    dense = torch.tensor(MATRIX, requires_grad=True)
    forms = [dense, dense.float(), dense.bfloat16(), dense.to_sparse()]
    forms += [dense.detach().to_sparse_csr(), dense.detach().to_sparse_csc()]
    forms += [dense.detach().to_sparse_bsr((1, 1)), dense.detach().to_sparse_bsc((1, 1))]
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
    ends, pairs = torch.tensor([[0, 1]]), torch.ones(2, 2)
    rows = torch.sparse_coo_tensor(ends, pairs, (2, 2), check_invariants=True)
    refused(rows, "a sparse tensor that is none")
    refused(torch.tensor([[0, float("nan")], [0, 0]]), "not finite")


@pytest.mark.filterwarnings(BETA)
@pytest.mark.parametrize("form", ["csr", "csc", "bsr", "bsc"])
def test_compressed_tensors_that_are_none(torch, form):
    """PyTorch reads beyond its memory where it was told not to check."""
    entries = [[[2.0]], [[3.0]]] if form.startswith("bs") else [2.0, 3.0]
    make = getattr(torch, f"sparse_{form}_tensor")
    for pointers, indices, problem in [
        ([0, 10**8, 10**8, 2], [1, 2], "index pointers decrease"),
        ([0, 1, 99, 2], [1, 2], "index pointers decrease"),
        ([1, 1, 2, 2], [1, 2], "index pointers from 1 to 2"),
        ([0, 1, 1, 1], [1, 2], "index pointers from 0 to 1"),
        ([0, 2], [1, 2], "2 index pointers, where 4 are needed"),
        ([0, 1, 2, 2], [1, 10**7], "its indices are 1 to 10000000, beyond 0 to 2"),
        ([0, 1, 2, 2], [-1, 2], "its indices are -1 to 2, beyond 0 to 2"),
    ]:
        refused(make(pointers, indices, entries, size=(3, 3), check_invariants=False), problem)


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


def test_pyg_with_other_names(data, torch):
    weights, ones = torch.tensor([2.5, 1, 7]), dict.fromkeys(ENDS, 1)
    expected = dict(zip(ENDS, [2.5, 1, 7], strict=True))
    assert arcs(Graph.of(data(weight=weights))) == expected
    assert arcs(Graph.of(data(weight=weights), weight="weight")) == expected
    assert arcs(Graph.of(data(weight=torch.ones(3), edge_weight=weights))) == expected
    assert arcs(Graph.of(data(weight=torch.ones(4)))) == ones
    refused(data(edge_length=weights), "numbers: edge_length", 'weight="edge_length"')
    refused(data(edge_length=weights), "no edge has 'km'; what", "edge_length", weight="km")
    assert arcs(Graph.of(data(x=weights, pos=weights, edge_type=weights))) == ones
    assert arcs(Graph.of(data(edge_mask=weights > 1))) == ones


def test_attributes_that_pyg_tells_apart(torch):
    pyg = pytest.importorskip("torch_geometric.data")
    ends, weights = torch.tensor([[0, 1, 0], [1, 2, 2]]), torch.tensor([2.5, 1, 7])
    ones = dict.fromkeys(ENDS, 1)

    def given(n, **fields):
        return pyg.Data(edge_index=ends, num_nodes=n, **fields)

    for n in (3, 4):
        assert arcs(Graph.of(given(n, weight=weights)))[0, 1] == 2.5
        assert arcs(Graph.of(given(n, x=weights, y=weights, pos=weights))) == ones
        refused(given(n, edge_length=weights), 'weight="edge_length"')
    refused(given(4, length=weights), 'weight="length"')
    assert arcs(Graph.of(given(3, height=weights))) == ones  # as many nodes as edges
    for kinds in (pyg.HeteroData(), pyg.HeteroData({("a", "to", "b"): {"edge_index": ends}})):
        refused(kinds, "HeteroData has nodes and edges of several kinds", "to_homogeneous()")


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
