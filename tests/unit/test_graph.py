"""Graph: from whatever people have, validated at once."""

from __future__ import annotations

from fractions import Fraction
from math import inf, nan

import networkx as nx
import numpy as np
import pytest
import scipy.sparse

from loopwright import Graph
from loopwright.errors import GraphError, brief


def arcs(graph):
    """{(tail label, head label): weight}"""
    return {
        (graph.labels[tail], graph.labels[head]): weight
        for tail, head, weight in zip(graph.tails, graph.heads, graph.weights, strict=True)
    }


def refused(make, *parts):
    with pytest.raises(GraphError) as caught:
        make()
    message = str(caught.value)
    assert "\n" not in message
    assert message.endswith(".")
    for part in parts:
        assert str(part) in message, message


MATRIX = np.array([[0, 1.5, 0], [0, 0, 2], [0.25, 0, 4]])
ARCS = {(0, 1): 1.5, (1, 2): 2, (2, 0): 0.25, (2, 2): 4}


@pytest.mark.parametrize(
    "form",
    [
        MATRIX,
        MATRIX.astype(np.float32),
        MATRIX.astype(object),
        *(getattr(scipy.sparse, f"{kind}_array")(MATRIX) for kind in ("coo", "csr", "csc", "lil")),
        scipy.sparse.csr_matrix(MATRIX),
        [(0, 1, 1.5), (1, 2, 2), (2, 0, 0.25), (2, 2, 4)],
        ((0, 1, "3/2"), (1, 2, "2"), (2, 0, Fraction(1, 4)), (2, 2, np.int64(4))),
        nx.from_numpy_array(MATRIX, create_using=nx.DiGraph),
    ],
    ids=lambda form: type(form).__name__,
)
def test_every_form(form):
    graph = Graph.of(form)
    assert graph.labels == (0, 1, 2)
    assert arcs(graph) == ARCS
    assert (graph.n, graph.edge_count, graph.directed) == (3, 4, True)
    assert Graph.of(graph) is graph


def test_generator_of_edges():
    assert arcs(Graph.of((i, i + 1) for i in range(3))) == {(0, 1): 1, (1, 2): 1, (2, 3): 1}


def test_integer_matrix():
    assert arcs(Graph.of(np.array([[0, 7], [0, 0]]))) == {(0, 1): 7}


def test_order_of_appearance():
    assert Graph.of([("z", "m"), ("a", "z"), ("b", "a")]).labels == ("z", "m", "a", "b")


def test_order_of_networkx():
    graph = nx.DiGraph([("b", "a")])
    graph.add_node("c")
    graph.add_edge("d", "b")
    assert Graph.of(graph).labels == ("b", "a", "c", "d")


def test_labels_of_a_matrix():
    assert arcs(Graph.from_matrix(MATRIX, labels="xyz"))["z", "x"] == 0.25


def test_networkx_without_weights():
    assert arcs(Graph.of(nx.path_graph(3))) == {(0, 1): 1, (1, 0): 1, (1, 2): 1, (2, 1): 1}


def test_undirected_is_symmetric():
    graph = nx.Graph()
    graph.add_weighted_edges_from([("a", "b", 2), ("b", "b", 3), ("c", "a", 0.5)])
    made = Graph.of(graph)
    assert arcs(made) == {
        ("a", "b"): 2,
        ("b", "a"): 2,
        ("b", "b"): 3,
        ("a", "c"): 0.5,
        ("c", "a"): 0.5,
    }
    assert (made.edge_count, made.directed) == (3, False)


def test_undirected_of_a_directed_graph():
    graph = Graph.of([("a", "b", 2), ("c", "c")]).undirected()
    assert arcs(graph) == {("a", "b"): 2, ("b", "a"): 2, ("c", "c"): 1}
    assert graph.edge_count == 2


def test_undirected_with_two_weights():
    refused(Graph.of([(0, 1, 2), (1, 0, 3)]).undirected, "given twice", 2, 3)


def test_edges_are_sorted():
    graph = Graph.of([(0, 1), (1, 2), (2, 0), (0, 2)])
    pairs = list(zip(graph.tails, graph.heads, strict=True))
    assert pairs == sorted(pairs)


def test_isolated_nodes():
    assert Graph.from_edges([], nodes=["only"]).n == 1
    assert Graph.of(np.zeros((3, 3))).n == 3
    assert Graph.of(nx.empty_graph(2)).labels == (0, 1)


@pytest.mark.parametrize(
    "nodes", [range(3), np.arange(3), [0, 1, 2], {0: "a", 1: "b", 2: "c"}], ids=repr
)
def test_nodes_come_first_whatever_lists_them(nodes):
    assert Graph.from_edges([(2, 0, 5)], nodes=nodes).labels == (0, 1, 2)


def test_weights_stay_exact():
    graph = Graph.of([(0, 1, Fraction(1, 3)), (1, 2, "2/7"), (2, 0, 0.5)])
    assert arcs(graph) == {(0, 1): Fraction(1, 3), (1, 2): Fraction(2, 7), (2, 0): Fraction(1, 2)}
    assert all(type(weight) is Fraction for weight in graph.weights)
    assert isinstance(Graph.of([(0, 1, 0.1), (1, 2, Fraction(1, 2))]).weights, np.ndarray)
    assert arcs(Graph.of([(0, 1, 2**60 + 1)])) == {(0, 1): 2**60 + 1}


def test_objects_in_a_matrix_stay_exact():
    third, large = Fraction(1, 3), 2**60 + 1
    graph = Graph.of(np.array([[0, third], [large, 0]], dtype=object))
    assert arcs(graph) == {(0, 1): third, (1, 0): large}


def test_longest_path_bound():
    """Every node is entered once at most, by its heaviest edge."""
    graph = nx.gnp_random_graph(6, 0.5, seed=2, directed=True)
    for u, v, data in graph.edges(data=True):
        data["weight"] = u + 2 * v + 1
    heaviest = max(
        sum(graph[u][v]["weight"] for u, v in nx.utils.pairwise(path))
        for source in graph
        for path in nx.all_simple_paths(graph, source, [n for n in graph if n != source])
    )
    assert heaviest <= Graph.of(graph).longest_path_bound()
    assert Graph.of([(0, 1, 3), (1, 2, 4)]).longest_path_bound() == 7


def test_index():
    graph = Graph.of([("a", "b"), ("c", "d"), ("e", "f")])
    assert graph.index("c") == 2
    refused(lambda: graph.index("x"), "node 'x' is not in the graph", "a, b, c, d, e, …")


def test_repeated_edge_of_the_same_weight():
    assert Graph.of([("a", "b", 2), ("a", "b", 2.0)]).edge_count == 1


def test_repeated_edge_of_another_weight():
    refused(lambda: Graph.of([("a", "b", 2), ("a", "b", 3)]), "a → b is given twice", 2, 3)


@pytest.mark.parametrize(
    ("weight", "problem"),
    [
        (-1, "negative"),
        (Fraction(-1, 3), "negative"),
        (nan, "not finite"),
        (inf, "not finite"),
        (-inf, "not finite"),
        (0, "weight 0 means no edge"),
        ("heavy", "'heavy' is not a number"),
        ("1/0", "'1/0' is not a number"),
        (None, "not a number"),
        (1 + 2j, "not a number"),
    ],
    ids=str,
)
def test_bad_weight(weight, problem):
    edges = [("a", "b", 1), ("b", "c", weight), ("c", "d", Fraction(1, 3))]
    refused(lambda: Graph.of(edges), problem)
    graph = nx.DiGraph()
    graph.add_edge("b", "c", weight=weight)
    refused(lambda: Graph.of(graph), problem)


@pytest.mark.parametrize("weight", [-2, "heavy", None, 10**400, "1e999999999"], ids=brief)
def test_bad_weight_names_its_edge(weight):
    refused(lambda: Graph.of([("a", "b", 1), ("b", "c", weight)]), "edge b → c: weight")


@pytest.mark.parametrize("weight", [-1, nan, inf])
def test_bad_weight_in_a_matrix(weight):
    refused(lambda: Graph.of(np.array([[0, weight], [0, 0]])), "edge 0 → 1")
    refused(lambda: Graph.of(scipy.sparse.csr_array([[0, weight], [0, 0]])), "edge 0 → 1")


def test_stored_zero_in_a_sparse_matrix():
    stored = scipy.sparse.coo_array(([0.0], ([0], [1])), shape=(2, 2))
    refused(lambda: Graph.of(stored), "weight 0")


def whole(*numbers):
    return np.array(numbers, np.int32)


UNSOUND = [
    ("csr", {"indptr": whole(0, 10**6, 10**6, 2)}, "index pointers decrease"),
    ("csr", {"indptr": whole(0, 1, 99, 2)}, "index pointers decrease"),
    ("csr", {"indptr": whole(0, 1, 1, 1)}, "index pointers from 0 to 1"),
    ("csr", {"indptr": whole(0, 2)}, "2 index pointers, where 4 are needed"),
    ("csr", {"indptr": np.array([0, 1.0, 2, 2])}, "not a list of whole numbers"),
    ("csr", {"indices": whole(1, 9)}, "its indices are 1 to 9, beyond 0 to 2"),
    ("csr", {"indices": [1, 2]}, "its indices are of type list"),
    ("csr", {"data": np.ones(1)}, "2 indices, for 1 entries"),
    ("csc", {"indptr": whole(0, 10**6, 10**6, 2)}, "index pointers decrease"),
    ("csc", {"indices": whole(-1, 2)}, "its indices are -1 to 2"),
    ("bsr", {"indptr": whole(0, 10**6, 10**6, 2)}, "index pointers decrease"),
    ("bsr", {"data": np.ones((2, 2, 2))}, "blocks of 2 × 2 do not fill 3 × 3"),
    ("bsr", {"data": np.ones(2)}, "its entries are of shape (2,)"),
    ("coo", {"row": whole(0, 9)}, "tails[1] is 9, which is no node"),
    ("coo", {"row": whole(0)}, "1 rows and 2 columns"),
    ("coo", {"coords": ([0, 1], [1, 2])}, "its rows are of type list"),
    ("coo", {"data": np.ones((2, 2))}, "2 rows and 2 columns for an array"),
    ("lil", {"rows": np.array([[1], [2], [1, 2]], object)}, "lists of different lengths"),
    ("lil", {"rows": np.array([[1], [9], []], object)}, "a sparse matrix that is none: axis 1"),
    ("lil", {"rows": None}, "a sparse matrix that is none"),
    ("dok", {"_dict": {(9, 9): 1.0}}, "a sparse matrix that is none: axis 0"),
    ("dia", {"data": np.ones((10**5, 3))}, "1 offsets for an array"),
    ("dia", {"offsets": whole(0, 1, 2)}, "3 offsets for an array"),
]


@pytest.mark.parametrize(("form", "fields", "problem"), UNSOUND)
def test_sparse_matrix_that_somebody_wrote_to(form, fields, problem):
    """Compiled code would read, and write, beyond what is there."""
    matrix = scipy.sparse.coo_matrix(([2.0, 3], ([0, 1], [1, 2])), shape=(3, 3)).asformat(form)
    for name, given in fields.items():
        setattr(matrix, name, given)
    with pytest.raises(GraphError) as caught:
        Graph.of(matrix)
    assert problem in str(caught.value)


@pytest.mark.parametrize("form", ["csr", "csc", "bsr", "coo", "lil", "dok", "dia"])
def test_a_sparse_matrix_stays_as_it_is(form):
    dense = np.array([[0, 2.0, 0, 1], [0, 0, 0, 0], [3, 0, 0, 0], [0, 0, 4, 0]])
    matrix = scipy.sparse.coo_matrix(dense).asformat(form)
    before = matrix.copy()
    assert Graph.of(matrix).weights.tolist() == [2, 1, 3, 4]
    for name in ("indptr", "indices", "data"):
        if isinstance(was := getattr(before, name, None), np.ndarray) and form != "lil":
            now = getattr(matrix, name)
            assert now.dtype == was.dtype
            assert now.tolist() == was.tolist()


def test_sparse_matrix_with_a_duplicate_entry():
    twice = scipy.sparse.coo_array(([1.0, 2.0], ([0, 0], [1, 1])), shape=(2, 2))
    refused(lambda: Graph.of(twice), "same entry twice", "sum_duplicates")


@pytest.mark.parametrize(
    "empty",
    [[], nx.Graph(), np.zeros((0, 0)), scipy.sparse.csr_array((0, 0))],
    ids=lambda form: type(form).__name__,
)
def test_empty(empty):
    refused(lambda: Graph.of(empty), "the graph is empty")


@pytest.mark.parametrize("shape", [(2, 3), (3, 2), (4,), (2, 2, 2)])
def test_not_square(shape):
    refused(lambda: Graph.of(np.ones(shape)), "must be square")


def test_sparse_not_square():
    refused(lambda: Graph.of(scipy.sparse.csr_array(np.ones((2, 3)))), "must be square", (2, 3))


@pytest.mark.parametrize("kind", [nx.MultiGraph, nx.MultiDiGraph])
def test_multigraph(kind):
    refused(lambda: Graph.of(kind([(0, 1)])), "multigraph")


@pytest.mark.parametrize("edge", [(1,), (1, 2, 3, 4), ()])
def test_bad_edge_tuple(edge):
    refused(lambda: Graph.of([(0, 1), edge]), "expected (tail, head) or (tail, head, weight)", edge)


def test_two_nodes_of_one_label():
    refused(lambda: Graph.from_matrix(MATRIX, labels="xyx"), "same label")


def test_not_a_graph():
    refused(lambda: Graph.of(17), "cannot make a graph from int")


@pytest.mark.parametrize(
    "source",
    [
        pytest.param(lambda: Graph.of([5]), id="edge that is a number"),
        pytest.param(lambda: Graph.of([([1], [2])]), id="unhashable label"),
        pytest.param(
            lambda: Graph.of(np.array([["a", "b"], ["c", "d"]])),
            id="matrix of text",
        ),
        pytest.param(
            lambda: Graph.of(np.eye(2) * 1j),
            id="matrix of complex numbers",
        ),
        pytest.param(
            lambda: Graph.of([(0, 1, Fraction(10) ** 400)]),
            id="weight beyond float64",
        ),
        pytest.param(
            lambda: Graph.from_matrix(MATRIX, labels="xy"),
            id="too few labels",
        ),
        pytest.param(
            lambda: Graph.from_edges([("a", "b")], nodes="aab"),
            id="a node given twice",
        ),
    ],
)
def test_nonsense(source):
    with pytest.raises(GraphError):
        source()


# ── files ───────────────────────────────────────────────────────────────────────────────────────


@pytest.fixture
def file(tmp_path):
    def write(text, name="graph.txt"):
        path = tmp_path / name
        path.write_text(text, encoding="utf-8")
        return path

    return write


def test_edge_list_file(file):
    path = file("# roads\nUlm Bonn 2.5 # long\n\nBonn  Köln\t1/3\nAlone\nKöln Ulm\n")
    graph = Graph.of(path)
    assert graph.labels == ("Ulm", "Bonn", "Köln", "Alone")
    assert arcs(graph) == {
        ("Ulm", "Bonn"): 2.5,
        ("Bonn", "Köln"): Fraction(1, 3),
        ("Köln", "Ulm"): 1,
    }
    assert graph.directed


def test_path_as_text(file):
    assert Graph.of(str(file("a b\n"))).edge_count == 1


def test_numbers_are_labels(file):
    assert Graph.of(file("1 2 0.5\n")).labels == ("1", "2")


@pytest.mark.parametrize(
    ("text", "line", "problem"),
    [
        ("a b 1\na b c d\n", 2, "expected 'tail head [weight]', got 4 fields"),
        ("a b 1\n\nb c heavy\n", 3, "weight 'heavy' is not a number"),
        ("a b 1/0\n", 1, "weight '1/0' is not a number"),
        ("# x\na b -2\n", 2, "weight -2.0 is negative"),
        ("a b -1/3\n", 1, "weight -1/3 is negative"),
        ("a b nan\n", 1, "not finite"),
        ("a b NaN\n", 1, "not finite"),
        ("a b inf\n", 1, "not finite"),
        ("a b -Infinity\n", 1, "not finite"),
        ("a b 0\n", 1, "weight 0 means no edge"),
        ("a b 0.0\n", 1, "weight 0 means no edge"),
    ],
)
def test_malformed_line(file, text, line, problem):
    path = file(text)
    refused(lambda: Graph.of(path), f"{path}:{line}: ", problem)


def test_weight_in_a_file_beyond_float64(file):
    path = file("a b 1\nb c 1e400\n")
    refused(lambda: Graph.of(path), f"{path}:2: ")


def test_repeated_line_of_another_weight(file):
    path = file("a b 1\na b 2\n")
    refused(lambda: Graph.of(path), f"{path}: edge a → b is given twice")


@pytest.mark.parametrize("text", ["", "\n\n", "# nothing\n"])
def test_empty_file(file, text):
    path = file(text)
    refused(lambda: Graph.of(path), path, "the graph is empty")


def test_missing_file(tmp_path):
    path = tmp_path / "nowhere.txt"
    refused(lambda: Graph.of(path), path, "No such file")


def test_directory(tmp_path):
    refused(lambda: Graph.of(tmp_path), tmp_path, "directory")


def test_binary_file(tmp_path):
    path = tmp_path / "graph.txt"
    path.write_bytes(b"\xff\xfe\x00\x01")
    refused(lambda: Graph.of(path), path, "not a text file")


@pytest.mark.parametrize("kind", [nx.Graph, nx.DiGraph])
def test_graphml(tmp_path, kind):
    graph = kind()
    graph.add_weighted_edges_from([("b", "a", 0.5), ("a", "c", 2.0)])
    graph.add_node("d")
    path = tmp_path / "graph.graphml"
    nx.write_graphml(graph, path)
    read = Graph.of(path)
    assert read.labels == ("b", "a", "c", "d")
    assert read.directed is graph.is_directed()
    assert read.edge_count == 2
    expected = {("b", "a"): 0.5, ("a", "c"): 2.0}
    if not graph.is_directed():
        expected |= {(head, tail): weight for (tail, head), weight in expected.items()}
    assert arcs(read) == expected


@pytest.mark.parametrize("text", ["", "not xml", "<graphml>", "<html></html>"])
def test_malformed_graphml(file, text):
    path = file(text, "graph.graphml")
    refused(lambda: Graph.of(path), path, "not a GraphML file")


def test_graphml_with_a_bad_weight(tmp_path):
    graph = nx.DiGraph()
    graph.add_edge("a", "b", weight=-1.0)
    path = tmp_path / "graph.graphml"
    nx.write_graphml(graph, path)
    refused(lambda: Graph.of(path), path, "edge a → b", "negative")


def test_missing_graphml(tmp_path):
    path = tmp_path / "nowhere.graphml"
    refused(lambda: Graph.of(path), path, "No such file")
