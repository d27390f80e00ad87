"""Every format that people have → the same graph; anything malformed → file, line, expectation."""

from __future__ import annotations

import gzip
import io
import json
from fractions import Fraction
from math import nan

import networkx as nx
import numpy as np
import pytest
import scipy.io
import scipy.sparse

from loopwright import Graph
from loopwright.errors import GraphError
from loopwright.runtime.frames import find_ends, find_weight
from loopwright.runtime.read import ATTRIBUTED, PLAIN


def arcs(graph):
    """{(tail label, head label): weight}"""
    return {
        (graph.labels[tail], graph.labels[head]): weight
        for tail, head, weight in zip(graph.tails, graph.heads, graph.weights, strict=True)
    }


@pytest.fixture
def file(tmp_path):
    def write(name, content):
        path = tmp_path / name
        data = content if isinstance(content, bytes) else content.encode()
        path.write_bytes(gzip.compress(data) if name.endswith(".gz") else data)
        return path

    return write


def refused(path, *parts, line=None):
    with pytest.raises(GraphError) as caught:
        Graph.of(path)
    message = str(caught.value)
    assert message.startswith(f"{path}: " if line is None else f"{path}:{line}: "), message
    assert message.endswith(".")
    assert message.isprintable()
    for part in parts:
        assert part in message, message


DIRECTED = nx.DiGraph()
DIRECTED.add_weighted_edges_from([("b", "a", 0.5), ("a", "c d", 2), ("a", "b", 3), ("é", "é", 7)])
DIRECTED.add_node("alone")
ARCS = {("b", "a"): 0.5, ("a", "c d"): 2, ("a", "b"): 3, ("é", "é"): 7}
UNDIRECTED = nx.Graph()
UNDIRECTED.add_weighted_edges_from([("b", "a", 0.5), ("a", "c d", 2), ("é", "é", 7)])
UNDIRECTED.add_node("alone")

WRITERS = {
    "graph.graphml": lambda graph: "\n".join(nx.generate_graphml(graph)),
    "graph.gml": lambda graph: "\n".join(nx.generate_gml(graph)),
    "edges.json": lambda graph: json.dumps(nx.node_link_data(graph, edges="edges")),
    "links.json": lambda graph: json.dumps(nx.node_link_data(graph, edges="links")),
    "adjacency.json": lambda graph: json.dumps(nx.adjacency_data(graph)),
}


@pytest.mark.parametrize("zipped", ["", ".gz"])
@pytest.mark.parametrize("name", WRITERS)
@pytest.mark.parametrize("graph", [DIRECTED, UNDIRECTED], ids=lambda graph: type(graph).__name__)
def test_formats_that_name_nodes(file, name, graph, zipped):
    read = Graph.of(file(name + zipped, WRITERS[name](graph)))
    expected = Graph.of(graph)
    assert read.labels == expected.labels
    assert arcs(read) == arcs(expected)
    assert read.directed is graph.is_directed()
    assert read.edge_count == graph.number_of_edges()


def test_every_suffix_is_tested():
    written = {name[name.index(".") :] for name in WRITERS}
    assert written | {".csv", ".tsv", ".mtx", ".npz"} == {*ATTRIBUTED, *PLAIN}


# ── tables ──────────────────────────────────────────────────────────────────────────────────────


@pytest.mark.parametrize(
    "text",
    [
        'source,target,weight\nb,a,0.5\n"a","c d",2\na,b,3\né,é,7\nalone,,\n',
        "source;target;weight\nb;a;0.5\na;c d;2\na;b;3\né;é;7\nalone;;\n",
        "To, weight ,comment,FROM\na,1/2,x,b\n\nc d,2,,a\nb,3,y,a\né,7,z,é\n,,,alone\n",
        "\ufefftail\thead\tkm\r\nb\ta\t.5\r\na\tc d\t2.0\r\na\tb\t3\r\né\té\t7\r\nalone\t\t\r\n",
        "x,y,z\nb,a,0.5\na,c d,2\na,b,3\né,é,7\nalone,,",
        "w,u,v\n0.5,b,a\n2,a,c d\n3,a,b\n7,é,é\n,alone,\n",
    ],
)
def test_table(file, text):
    graph = Graph.of(file("graph.csv", text))
    assert graph.labels == ("b", "a", "c d", "é", "alone")
    assert arcs(graph) == ARCS
    assert graph.directed


def test_table_without_weights(file):
    assert arcs(Graph.of(file("graph.tsv", "u\tv\n1\t2,3\n"))) == {("1", "2,3"): 1}
    named = file("graph.csv", "source,target,x,y\n1,2,sea,4b\n")
    assert arcs(Graph.of(named)) == {("1", "2"): 1}


def test_table_keeps_decimals(file):
    graph = Graph.of(file("graph.csv", "u,v,weight\n1,2,0.1\n2,3,4\n"))
    assert arcs(graph) == {("1", "2"): Fraction(1, 10), ("2", "3"): 4}


@pytest.mark.parametrize(
    ("text", "line", "part"),
    [
        ("", 1, "expected a header"),
        ("nodes\na\n", 1, "found one column"),
        ("1,2,0.5\n2,3,1\n", 1, "'1' is a number, not the name of a column"),
        ("a,b\nb,c\n", 1, "'b' is also a node; expected a header"),
        ("u,v,v\n1,2,3\n", 1, "two columns have the same meaning"),
        ("u,v,w\na,b,1\n\nb,c\n", 4, "expected 3 fields, as in the header, got 2"),
        ("u,v,w\n,b,1\n", 2, "the field 'u' is empty"),
        ("u,v,w\na,b,\n", 2, "weight '' is not a number"),
        ("\n\nu,v,w\na,b,1\na,c,x\n", 5, "weight 'x' is not a number"),
        ("u,v,w\na,b,-1\n", 2, "negative"),
        ("u,v,w\na,b,nan\n", 2, "not finite"),
        ('u,v,w\n"a"x,b,1\n', 2, "not a row of a CSV file"),
        ('u,v,w\n"a,b,1\n', 2, "not a row of a CSV file"),
    ],
)
def test_malformed_table(file, text, line, part):
    refused(file("graph.csv", text), part, line=line)


def test_conflicting_rows(file):
    refused(file("graph.csv", "u,v,w\na,b,1\na,b,2\n"), "edge a → b is given twice", "1.0 and 2.0")
    assert Graph.of(file("graph.csv", "u,v,w\na,b,1\na,b,1.0\n")).edge_count == 1


class Frame:
    """What a pandas DataFrame does that is used; pandas itself is optional."""

    def __init__(self, columns):
        self.columns = list(columns)
        self.iloc = self
        self._values = list(columns.values())

    def __getitem__(self, place):
        rows, column = place
        assert rows == slice(None)
        return np.array(self._values[column], dtype=object)


def frames():
    yield Frame
    try:
        import pandas as pd
    except ImportError:
        return
    yield pd.DataFrame


@pytest.mark.parametrize("frame", list(frames()))
def test_frame(frame):
    table = frame({"weight": [0.5, 2], "target": ["a", (1, 2)], "source": ["b", "a"]})
    assert arcs(Graph.of(table)) == {("b", "a"): 0.5, ("a", (1, 2)): 2}
    assert arcs(Graph.of(frame({"x": [1, 2], "y": [2, 3]}))) == {(1, 2): 1, (2, 3): 1}
    assert arcs(Graph.of(frame({"x": [1, 2], "y": [2, 3], "km": [4, 5]})))[2, 3] == 5
    for missing in (None, nan):
        with pytest.raises(GraphError, match="row 1 of the table: a node's label is missing"):
            Graph.of(frame({"source": ["a", missing], "target": ["b", "c"]}))
    with pytest.raises(GraphError, match="not finite"):
        Graph.of(frame({"source": ["a"], "target": ["b"], "weight": [nan]}))
    with pytest.raises(GraphError, match="expected a column for tails"):
        Graph.of(frame({"source": ["a"]}))


def test_find_columns_prefers_names():
    assert find_ends(["a", "source", "target"]) == (1, 2)
    names = ["from", "source", "to", "target", "W"]
    assert find_ends(names) == (1, 3)
    assert find_weight(names, (1, 3), "weight", lambda column: True) == 4


# ── matrices ────────────────────────────────────────────────────────────────────────────────────

MATRIX = np.array([[0, 1.5, 0], [0, 0, 2], [0.25, 0, 4]])
WHOLE = np.array([[0, 3, 0], [3, 7, 0], [0, 0, 0]])


def matrix_market(matrix, **options):
    buffer = io.BytesIO()
    scipy.io.mmwrite(buffer, matrix, **options)
    return buffer.getvalue()


@pytest.mark.parametrize("name", ["graph.mtx", "graph.mtx.gz"])
@pytest.mark.parametrize("form", [np.asarray, scipy.sparse.coo_array])
def test_matrix_market(file, name, form):
    graph = Graph.of(file(name, matrix_market(form(MATRIX), symmetry="general")))
    assert graph.labels == (1, 2, 3)
    assert arcs(graph) == {(1, 2): 1.5, (2, 3): 2, (3, 1): 0.25, (3, 3): 4}
    assert graph.directed
    graph = Graph.of(file(name, matrix_market(form(WHOLE), symmetry="symmetric")))
    assert arcs(graph) == {(1, 2): 3, (2, 1): 3, (2, 2): 7}
    assert not graph.directed


def test_matrix_market_pattern(file):
    content = matrix_market(scipy.sparse.coo_array(MATRIX), field="pattern", symmetry="general")
    assert set(arcs(Graph.of(file("graph.mtx", content))).values()) == {1}


def test_matrix_market_as_scipy_reads_it(file):
    """Comments, blank lines and free format, from the format's own description."""
    banner = "%%MatrixMarket  MATRIX Coordinate Real General\n"
    text = banner + "%\n\n  3 3  2\n\n 1   2 1.5e-2 \n%\n3 1 2.\n"
    path = file("graph.mtx", text)
    expected = scipy.io.mmread(io.BytesIO(text.replace("%\n3", "3").encode())).todok()
    assert arcs(Graph.of(path)) == {(i + 1, j + 1): w for (i, j), w in expected.items()}


COORDINATE = "%%MatrixMarket matrix coordinate real general\n"


@pytest.mark.parametrize(
    ("text", "line", "part"),
    [
        ("", 1, "expected '%%MatrixMarket matrix"),
        ("%%MatrixMarket matrix coordinate complex general\n1 1 0\n", 1, "real|integer|pattern"),
        ("%%MatrixMarket matrix array pattern general\n1 1\n", 1, "an array has values"),
        (COORDINATE, 1, "expected 'rows columns entries', got ''"),
        (COORDINATE + "2 2\n", 2, "expected 'rows columns entries', got '2 2'"),
        (COORDINATE + "2 3 1\n1 1 1\n", 2, "must be square, but this one is 2 × 3"),
        (COORDINATE + "2 -2 1\n", 2, "expected a whole number, got '-2'"),
        (COORDINATE + "2 2 2\n1 2 1\n", 3, "2 entries are declared, but 1 are there"),
        (COORDINATE + "2 2 1\n1 2 1\n2 1 1\n", 4, "more than the 1 entries"),
        (COORDINATE + "2 2 1\n1 2\n", 3, "expected 'row column value', got 2 fields"),
        (COORDINATE + "2 2 1\n0 2 1\n", 3, "entry (0, 2) is outside"),
        (COORDINATE + "2 2 1\n1 2 3x\n", 3, "value '3x' is not a number"),
        (COORDINATE + "2 2 1\n1 2 0\n", 3, "weight 0 means no edge"),
        ("%%MatrixMarket matrix array real general\n1 1\n1 2\n", 3, "expected one value"),
    ],
)
def test_malformed_matrix_market(file, text, line, part):
    refused(file("graph.mtx", text), part, line=line)


@pytest.mark.parametrize("form", ["csr", "csc", "coo", "dia", "bsr"])
@pytest.mark.parametrize("kind", ["array", "matrix"])
def test_sparse_npz(tmp_path, form, kind):
    path = tmp_path / "graph.npz"
    matrix = scipy.sparse.coo_array(MATRIX)
    scipy.sparse.save_npz(path, getattr(scipy.sparse, f"{form}_{kind}")(matrix))
    assert arcs(Graph.of(path)) == {(0, 1): 1.5, (1, 2): 2, (2, 0): 0.25, (2, 2): 4}


@pytest.mark.parametrize("dtype", ["f4", "f8", "i4", "u2", "?"])
@pytest.mark.parametrize("save", [np.savez, np.savez_compressed])
def test_dense_npz(tmp_path, save, dtype):
    path = tmp_path / "graph.npz"
    save(path, adjacency=WHOLE.astype(dtype))
    weights = {(0, 1): 3, (1, 0): 3, (1, 1): 7}
    expected = dict.fromkeys(weights, 1) if dtype == "?" else weights
    assert arcs(Graph.of(path)) == expected


def test_npz_of_something_else(tmp_path):
    path = tmp_path / "graph.npz"
    np.savez(path, a=MATRIX, b=MATRIX)
    refused(path, "expected one square array", "found: a, b")
    np.savez(path, a=MATRIX[:2])
    refused(path, "must be square")
    np.savez(path, a=np.array([["x"]]))
    refused(path, "'a' holds <U1; expected numbers")
    scipy.sparse.save_npz(path, scipy.sparse.csr_array(MATRIX[:2]))
    refused(path, "must be square")


def test_large_whole_numbers_stay_exact():
    big = 2**60 + 1
    assert arcs(Graph.of(np.array([[0, big], [0, 0]]))) == {(0, 1): big}
    assert arcs(Graph.of(scipy.sparse.csr_array([[0, big], [0, 0]]))) == {(0, 1): big}


# ── documents ───────────────────────────────────────────────────────────────────────────────────


def graphml(body, *, before="", directed="directed"):
    return f'<graphml>{before}\n<graph edgedefault="{directed}">\n{body}\n</graph></graphml>'


NODES = '<node id="a"/><node id="b"/>'
WEIGHT = '<key id="k" for="edge" attr.name="weight" attr.type="double">{}</key>'


def edge(inside="", **attributes):
    listed = "".join(f' {name}="{value}"' for name, value in attributes.items())
    return f'<edge source="a" target="b"{listed}>{inside}</edge>'


def test_graphml_default_weight(file):
    key = WEIGHT.format("<default>2.5</default>")
    body = NODES + edge() + '<edge source="b" target="a"><data key="k"> 3 </data></edge>'
    assert arcs(Graph.of(file("g.graphml", graphml(body, before=key)))) == {
        ("a", "b"): 2.5,
        ("b", "a"): 3,
    }


def test_graphml_repeats(file):
    assert Graph.of(file("g.graphml", graphml(NODES + edge() + edge()))).edge_count == 1
    body = NODES + edge(id="e") + edge('<data key="k">2</data>', id="e")
    refused(file("g.graphml", graphml(body, before=WEIGHT)), "is given twice", "1.0 and 2.0")


@pytest.mark.parametrize(
    ("text", "line", "part"),
    [
        (graphml(NODES + "\n<edge source='a'/>"), 4, "edge to have the attribute 'target'"),
        (graphml("<node/>"), 3, "node to have the attribute 'id'"),
        (graphml(NODES + "<node id='a'/>"), 3, "node 'a' is given twice"),
        (graphml(edge()), 4, "end 'a' is not among the nodes"),
        (graphml(NODES + edge(directed="false")), 3, "mixed"),
        (graphml(NODES, directed="maybe"), 2, "edgedefault must be"),
        (graphml("<node id='a'><graph/></node>"), 3, "a second graph, or one within a node"),
        (graphml("<hyperedge/>"), 3, "hyperedge"),
        (graphml(NODES + edge('<data key="x">1</data>')), 3, "key 'x', which is not declared"),
        (graphml(NODES + edge('<data key="k">heavy</data>'), before=WEIGHT), 3, "not a number"),
        (graphml(NODES + edge('<data key="k">inf</data>'), before=WEIGHT), 3, "not finite"),
        (graphml(NODES + edge('<data key="k">1</data>' * 2), before=WEIGHT), 3, "two weights"),
        (graphml(NODES + edge('<data key="k">1<a/>2</data>'), before=WEIGHT), 3, "'a' in a weight"),
        (graphml(NODES, before=WEIGHT * 2), 1, "key 'k' is declared twice"),
        ("<graphml>\n</x>", 2, "mismatched tag"),
        ("<html/>", 1, "its root is 'html'"),
    ],
)
def test_malformed_graphml(file, text, line, part):
    refused(file("g.graphml", text), part, line=line)


def test_graphml_without_a_graph(file):
    refused(file("g.graphml", "<graphml/>"), "no element 'graph'")
    unknown = '<?xml version="1.0" encoding="ebcdic-x"?><graphml/>'
    refused(file("g.graphml", unknown), "unknown encoding: ebcdic-x")


def test_gml_without_labels(file):
    text = "graph [ directed 1 node [ id 7 ] node [ id 5 ] edge [ source 5 target 7 weight 2 ] ]"
    graph = Graph.of(file("g.gml", text))
    assert graph.labels == (7, 5)
    assert arcs(graph) == {(5, 7): 2}


@pytest.mark.parametrize(
    ("text", "part"),
    [
        ("", "contains no graph"),
        ("graph [", "expected ']'"),
        ("graph [\n node [ id 1 ]\n $ ]", "cannot tokenize $ ] at (3, 2)"),
        ("graph [ multigraph 1 node [ id 1 ] ]", "multigraph"),
        ("graph [ node [ id 1 ] edge [ source 1 target 2 ] ]", "undefined target 2"),
        ("graph [ node [ id 1 ] edge [ source 1 target 1 weight -1 ] ]", "negative"),
        ('graph [ node [ id 1 label "a" ] node [ id 2 label "a" ] ]', "same label"),
    ],
)
def test_malformed_gml(file, text, part):
    refused(file("g.gml", text), part)


def test_json_labels(file):
    data = {"nodes": [{"id": 1}, {"id": "1"}, {"id": [1, 2]}, {"id": 2.5}]}
    edges = [{"source": 1, "target": "1"}, {"source": [1, 2], "target": 2.5, "weight": 0.1}]
    graph = Graph.of(file("g.json", json.dumps(data | {"edges": edges})))
    assert graph.labels == (1, "1", (1, 2), 2.5)
    assert arcs(graph) == {(1, "1"): 1, ((1, 2), 2.5): 0.1}
    assert graph.directed


AB = {"nodes": [{"id": "a"}, {"id": "b"}]}


@pytest.mark.parametrize(
    ("data", "part"),
    [
        ([], "expected an object with 'nodes' and either"),
        ({"nodes": []}, "either 'edges', 'links' or 'adjacency'"),
        ({"nodes": [], "edges": []}, "the graph is empty"),
        (AB | {"edges": [], "links": []}, "either"),
        (AB | {"edges": [], "multigraph": True}, "multigraph"),
        (AB | {"edges": [], "directed": 1}, "'directed' must be true or false, got 1"),
        (AB | {"edges": [5]}, "edges[0]: expected an object"),
        (AB | {"edges": [{"source": "a"}]}, "edges[0]: expected 'target' to be a label"),
        (AB | {"edges": [{"source": "a", "target": 0}]}, "edges[0]: its target 0 is not among"),
        (AB | {"edges": [{"source": "a", "target": "b", "weight": None}]}, "not a number"),
        ({"nodes": [{"id": True}], "edges": []}, "nodes[0]: expected 'id' to be a label"),
        ({"nodes": [{"id": 1}, {"id": 1.0}], "edges": []}, "nodes[1]: another node is called 1.0"),
        ({"nodes": [{"id": nan}], "edges": []}, "nodes[0]: expected 'id'"),
        (AB | {"adjacency": [[]]}, "adjacency has 1 lists for 2 nodes"),
        (AB | {"adjacency": [[], {}]}, "adjacency[1]: expected a list"),
        (AB | {"adjacency": [[{"id": "c"}], []]}, "adjacency[0][0]: its id c is not among"),
    ],
)
def test_malformed_json(file, data, part):
    refused(file("g.json", json.dumps(data)), part)


def test_not_json(file):
    refused(file("g.json", '{"nodes":\n[}'), "not JSON", line=2)


def test_json_keeps_no_last_weight(file):
    """networkx would: the second of two weights wins there, without a word."""
    edges = [{"source": "a", "target": "b", "weight": w} for w in (1, 2)]
    refused(file("g.json", json.dumps(AB | {"edges": edges})), "a → b is given twice")


# ── labels on a command line ────────────────────────────────────────────────────────────────────


def test_text_finds_a_number(file, loopwright):
    path = file("graph.mtx", matrix_market(scipy.sparse.coo_array(MATRIX), symmetry="general"))
    graph = Graph.of(path)
    assert graph.index("3") == graph.index(3) == 2
    with pytest.raises(GraphError, match="node '0' is not in the graph"):
        graph.index("0")
    outcome = loopwright(
        "run", "dijkstra", path, "--source", "2", "--machine", "reference", "--json"
    )
    assert outcome.json["result"]["dists"] == {"1": 2.25, "2": 0, "3": 2}


def test_text_prefers_itself():
    graph = Graph.from_edges([(1, "1")])
    assert (graph.index(1), graph.index("1")) == (0, 1)


@pytest.mark.parametrize(
    "name", ["g.csv", "g.tsv", "g.mtx", "g.npz", "g.gml", "g.json", "g.txt.gz"]
)
def test_exit_code(file, refused, name):
    path = file(name, "\x00\x01nonsense")
    assert str(path) in refused("run", "dijkstra", path, "--source", "a")
