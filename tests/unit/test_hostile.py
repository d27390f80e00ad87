"""Files made to harm: each is refused in one line, at once, and in little memory.

`scripts/fuzz_files.py` looks for more of them.
"""

from __future__ import annotations

import gzip
import io
import json
import pickle
import struct
import time
import tracemalloc
import zipfile
from contextlib import contextmanager
from dataclasses import replace
from fractions import Fraction

import numpy as np
import pytest
from safetensors import safe_open
from safetensors.numpy import save_file

import loopwright as lw
from loopwright import Graph
from loopwright.errors import GraphError, LoopwrightError, ModelFileError, brief
from loopwright.model.storage import MOST_BYTES, MOST_HEADER_BYTES, digest
from loopwright.runtime.decode import decode

SECONDS = 20
"""None takes two on an idle machine; a hang would take more than any bound."""

MEBIBYTES = 100


@contextmanager
def bounded(*, mebibytes=MEBIBYTES):
    """Fails if what is inside takes long or takes much memory."""
    tracemalloc.start()
    begin = time.perf_counter()
    try:
        yield
        spent, (_, most) = time.perf_counter() - begin, tracemalloc.get_traced_memory()
    finally:
        tracemalloc.stop()
    assert spent < SECONDS
    assert most < mebibytes * 2**20


def refused(read, path, kind, *parts, mebibytes=MEBIBYTES):
    with bounded(mebibytes=mebibytes), pytest.raises(LoopwrightError) as caught:
        read(path)
    assert isinstance(caught.value, kind)
    message = str(caught.value)
    assert message.startswith(str(path))
    assert message.isprintable()
    assert len(message) < len(str(path)) + 600
    for part in parts:
        assert part in message, message


@pytest.fixture
def graph_refused(tmp_path):
    def check(name, content, *parts, **options):
        path = tmp_path / name
        path.write_bytes(content if isinstance(content, bytes) else content.encode())
        refused(Graph.of, path, GraphError, *parts, **options)

    return check


@pytest.fixture
def refused_line(request):
    """`refused` of conftest, by another name: here it is a function for files."""
    return request.getfixturevalue("refused")


def test_bounds_are_measured():
    with pytest.raises(AssertionError), bounded(mebibytes=1):
        np.zeros(2**20)


# ── text ────────────────────────────────────────────────────────────────────────────────────────


@pytest.mark.parametrize(
    "weight",
    [
        *("1e999999999", "1E+99999", "1e-999999999", "1e-400", "1e0_999999999", "1e٩٩٩٩٩٩٩٩٩"),
        *("9" * 5000, "1/" + "9" * 5000, "1e" + "9" * 5000, "1e_", "1." + "0" * 5000),
        *("+-nan", "--inf", "ınf", "nan nan", "0x1p4"),
    ],
)
def test_absurd_weight(graph_refused, weight):
    """As a fraction, the first is a number of a billion digits."""
    graph_refused("graph.txt", f"a b {weight}\n", "" if " " in weight else "weight")
    graph_refused("graph.csv", f"u,v,w\na,b,{weight}\n", "weight")
    with bounded(), pytest.raises(GraphError):
        Graph.of([("a", "b", weight)])


def test_absurd_numbers():
    with bounded():
        for weight in (10**5000, -(10**5000)):
            with pytest.raises(GraphError):
                Graph.of([("a", "b", weight)])


@pytest.mark.parametrize("text", ["a b 1e308\nb c 1e308\n", "a b 1.7e308\n"])
def test_weights_near_the_end_of_floats(tmp_path, refused_line, text):
    path = tmp_path / "graph.txt"
    path.write_text(text)
    for command in (["run", "dijkstra", path, "--source", "a"], ["check", "dijkstra", path]):
        assert "scale the weights" in refused_line(*command)


def test_coprime_denominators():
    """Their common multiple has thousands of digits: no model in floats could use it."""
    with bounded():
        graph = Graph.of([(i, i + 1, f"1/{2 * i + 3}") for i in range(5_000)])
        assert graph.unit is None
    assert Graph.of([(0, 1, "1/3"), (1, 2, "1/7")]).unit == Fraction(1, 21)


@pytest.mark.parametrize("name", ["g.txt.gz", "g.csv.gz", "g.mtx.gz", "g.gml.gz"])
def test_a_line_of_a_hundred_million_characters(graph_refused, name):
    start = b'source,target\n"' if "csv" in name else b""
    content = gzip.compress(start + b"x" * 10**8, compresslevel=1)
    graph_refused(name, content, "" if "mtx" in name else "is longer than 65,536 characters")


def test_a_field_of_many_lines(graph_refused):
    text = 'source,target\n"' + "x\n" * 10**6
    graph_refused("g.csv", text, "field larger than field limit")


@pytest.mark.parametrize("name", ["g.json.gz", "g.graphml.gz", "g.gml.gz"])
def test_gzip_bomb(graph_refused, name):
    bomb = gzip.compress((b" " * 999 + b"\n") * 80_000, compresslevel=1)
    assert len(bomb) < 2**20
    graph_refused(name, bomb, "larger than", "the most that is read", mebibytes=200)


@pytest.mark.parametrize("name", ["g.txt.gz", "g.csv.gz", "g.gml.gz", "g.json.gz", "g.npz.gz"])
@pytest.mark.parametrize(
    "content", [b"", b"\x1f\x8b", b"plain text", gzip.compress(b"a b", mtime=0)[:-3]]
)
def test_broken_gzip(graph_refused, name, content):
    graph_refused(name, content, "" if content == b"" else "not a whole gzip file")


def test_too_little_memory(graph_refused, monkeypatch):
    def fail(text):
        raise MemoryError

    monkeypatch.setattr(json, "loads", fail)
    graph_refused("g.json", "{}", "not enough memory")


@pytest.mark.parametrize("name", ["g.txt", "g.pkl", "g", "g.npy", "g.csv", "g.json", "g.gml"])
def test_unknown_binary(graph_refused, name):
    graph_refused(name, pickle.dumps({"a": {"b": 2.5}}), "not a text file", ".npz .mtx .graphml")


def test_too_many(tmp_path, monkeypatch):
    monkeypatch.setattr("loopwright.runtime.readers.source.MOST_NODES", 3)
    monkeypatch.setattr("loopwright.runtime.readers.source.MOST_EDGES", 2)
    path = tmp_path / "graph.txt"
    path.write_text("a\nb\nc\nd\n")
    refused(Graph.of, path, GraphError, ":4: more than 3 nodes")
    path.write_text("a b\na c\na d\n")
    refused(Graph.of, path, GraphError, ":3: more than 2 edges")


def test_endless(tmp_path):
    path = tmp_path / "graph.txt"
    path.symlink_to("/dev/zero")
    refused(Graph.of, path, GraphError, "not a text file")


def test_escape_sequences_are_not_printed(graph_refused):
    graph_refused("g.csv", 'u,v,w\n"\x1b[2J\nx",b,1\n"\x1b[2J\nx",b,2\n', r"edge \x1b[2J\nx → b")
    assert brief("a\u202eb\x9b") == r"a\u202eb\x9b"


# ── documents ───────────────────────────────────────────────────────────────────────────────────

LAUGHS = "".join(f'<!ENTITY l{i} "{f"&l{i - 1};" * 10}">' for i in range(1, 10))


@pytest.mark.parametrize(
    "doctype",
    [
        f'<!DOCTYPE x [<!ENTITY l0 "lol">{LAUGHS}]>',
        '<!DOCTYPE x [<!ENTITY l9 SYSTEM "file:///etc/passwd">]>',
        '<!DOCTYPE x SYSTEM "http://127.0.0.1:9/x.dtd">',
        '<!DOCTYPE x [<!ENTITY % p SYSTEM "http://127.0.0.1:9/x">%p;]>',
        f'<!DOCTYPE x [<!ENTITY l9 "{"x" * 10**6}">]>',
    ],
    ids=["billion laughs", "external entity", "external type", "parameter", "quadratic blowup"],
)
@pytest.mark.parametrize("encoding", ["utf-8", "utf-16"])
def test_xml_entities(graph_refused, doctype, encoding):
    head = f'<?xml version="1.0" encoding="{encoding}"?>{doctype}'
    text = f'{head}<graphml><graph edgedefault="directed"><node id="&l9;"/></graph></graphml>'
    graph_refused("g.graphml", text.encode(encoding), "document type", "not read")


@pytest.mark.parametrize(
    ("text", "part"),
    [
        ("<graphml>" + "<a>" * 10**6, "deeper than"),
        (f'<graphml a="{"x" * 10**6}">', "attributes of more than"),
        ('<graphml><key id="' + "x" * 10**7, "unclosed token"),
        ("<graphml><!--" + "x" * 10**7, "unclosed token"),
    ],
    ids=["deep", "long attribute", "open attribute", "open comment"],
)
def test_absurd_xml(graph_refused, text, part):
    graph_refused("g.graphml", text, part)


def test_xml_with_a_name_of_ten_million_characters(graph_refused):
    """Whoever joins the names of the elements around each one copies it fifty thousand times."""
    graph_refused("g.graphml", f"<graphml><{'x' * 10**7}>" + "<a/>" * 50_000, "no element found")


def test_many_elements(graph_refused, monkeypatch):
    monkeypatch.setattr("loopwright.runtime.readers.graphml.MOST_ELEMENTS", 10**4)
    graph_refused("g.graphml", "<graphml>" + "<a/>" * 10**5, "more than 10,000 elements")


@pytest.mark.parametrize("nest", ["[", '{"nodes":', "[{"])
def test_deep_json(graph_refused, nest):
    graph_refused("g.json", nest * 10**5, "")
    graph_refused("g.json", '{"nodes":[{"id":' + "[" * 10**5 + "]" * 10**5 + "}]}", "too deep")


def test_long_json_integer(graph_refused):
    graph_refused("g.json", '{"nodes": [{"id": ' + "9" * 10**6 + "}]}", "not JSON that can be read")


def test_deep_gml(graph_refused):
    graph_refused("g.gml", "graph [\n" + "a [\n" * 10**5, "too deep")


def test_gml_with_an_open_string(graph_refused):
    graph_refused("g.gml", 'graph [ a "b\n\n' + "x\n" * 1000, "not a GML file")


# ── matrices ────────────────────────────────────────────────────────────────────────────────────


@pytest.mark.parametrize(
    ("header", "part"),
    [
        ("array real general\n1000000 1000000", "1,000,000,000,000 entries; at most"),
        ("coordinate real general\n999999999 999999999 1", "999,999,999 nodes; at most"),
        ("coordinate real general\n5 5 999999999999", "999,999,999,999 entries; at most"),
        ("coordinate real general\n5 5 16000000", "16,000,000 entries are declared, but 0"),
        ("array real general\n4000 4000", "16,000,000 entries are declared, but 0"),
        (f"coordinate real general\n{2**64} {2**64} 1", "expected a whole number"),
        (f"coordinate real general\n{'9' * 5000} 1 1", "expected a whole number"),
    ],
)
def test_absurd_matrix_market(graph_refused, header, part):
    graph_refused("g.mtx", f"%%MatrixMarket matrix {header}\n", part)


@pytest.mark.parametrize("value", ["3x", "3\0", "3\xf0", "1e", "nan", "inf", "1e400"])
def test_matrix_market_value(graph_refused, value):
    """Where SciPy's parser reads on past the end: `3x` and no line break."""
    text = f"%%MatrixMarket matrix coordinate real general\n2 2 1\n1 2 {value}"
    graph_refused("g.mtx", text.encode("latin-1"), "")


def npy(shape, dtype="<f8", data=b""):
    header = f"{{'descr': '{dtype}', 'fortran_order': False, 'shape': {shape}, }}".encode()
    return b"\x93NUMPY\x01\x00" + struct.pack("<H", len(header) + 1) + header + b"\n" + data


def archive(members, *, method=zipfile.ZIP_DEFLATED):
    """A zip without times, so that it is the same in every process."""
    packed = io.BytesIO()
    with zipfile.ZipFile(packed, "w") as file:
        for name, content in members:
            file.writestr(zipfile.ZipInfo(name), content, method)
    return packed.getvalue()


@pytest.mark.parametrize(
    ("content", "part"),
    [
        (archive([("a.npy", npy((2**20, 2**20)))]), "declares the shape"),
        (archive([("a.npy", npy((-1, -1), data=b"x" * 8))]), "declares the shape"),
        (archive([("a.npy", npy((2**40, 2**40, 0)))]), "cannot reshape"),
        (archive([("a.npy", npy((1, 1), "|O", pickle.dumps([1])))]), "expected numbers"),
        (archive([("a.npy", npy((1, 1), "<c16", b"x" * 16))]), "expected numbers"),
        (archive([("a.npy", npy("(" * 3000))]), "not an NPZ archive"),
        (archive([("a.npy", npy("__import__('os').abort()"))]), "not an NPZ archive"),
        (archive([("../../a.npy", npy((1, 1), data=b"x" * 8))]), "not the name of an array"),
        (archive([("/etc/a.npy", npy((1, 1), data=b"x" * 8))]), "not the name of an array"),
        (archive([("C:\\a.npy", npy((1, 1), data=b"x" * 8))]), "not the name of an array"),
        (archive([("a.py", b"")]), "not the name of an array"),
        (archive([(f"a{i}.npy", b"") for i in range(1000)]), "more than 32 arrays"),
        (archive([("a.npy", b"x")], method=zipfile.ZIP_LZMA), "packed in a way"),
        (archive([]), "found: nothing"),
        (b"PK\x03\x04", "not an NPZ archive"),
        (b"", "not an NPZ archive"),
    ],
)
def test_absurd_npz(graph_refused, content, part):
    graph_refused("g.npz", content, part)


def test_zip_bomb(graph_refused):
    zeros = bytes(2**26)
    header = npy((2**12, 2**11))
    bomb = archive([(f"a{i}.npy", header + zeros) for i in range(5)])
    assert len(bomb) < 2**20
    graph_refused("g.npz", bomb, "bytes when unpacked; at most 268,435,456")


def test_zip_that_lies_about_a_size(graph_refused):
    whole = archive([("a.npy", npy((2**10, 2**10)) + bytes(2**23))])
    at = whole.rindex(b"PK\x01\x02") + 24
    graph_refused("g.npz", whole[:at] + struct.pack("<I", 200) + whole[at + 4 :], "")


SPARSE = {
    "indices": np.array([1, 0], np.int32),
    "indptr": np.array([0, 1, 2], np.int32),
    "format": np.array(b"csr"),
    "shape": np.array([2, 2]),
    "data": np.array([1.0, 2.0]),
}


@pytest.mark.parametrize(
    "change",
    [
        {"indices": np.array([1, 10**9], np.int32)},
        {"indices": np.array([1, -5], np.int32)},
        {"indptr": np.array([0, 10**9, 2], np.int32)},
        {"indptr": np.array([0, -3, 2], np.int32)},
        {"indptr": np.array([0, 1, 10**9], np.int32)},
        {"shape": np.array([2**62, 2**62])},
        {"shape": np.array([-2, -2])},
        {"shape": np.array([2.5, np.nan])},
        {"shape": np.array(2)},
        {"format": np.array(b"exec")},
        {"format": np.array(b"dia")},
        {"data": np.array([np.nan, 1])},
        {"data": np.array([1, 2], np.float16)},
        {"data": np.array([[1.0, 2.0]])},
    ],
    ids=str,
)
def test_sparse_archive_with_bad_indices(graph_refused, change):
    """SciPy's compiled loops would follow such indices out of the arrays."""
    packed = io.BytesIO()
    np.savez(packed, **(SPARSE | change))
    graph_refused("g.npz", packed.getvalue(), "")


def test_the_sparse_archive_is_sound(tmp_path):
    np.savez(tmp_path / "g.npz", **SPARSE)
    assert Graph.of(tmp_path / "g.npz").edge_count == 2


# ── models ──────────────────────────────────────────────────────────────────────────────────────


@pytest.fixture(scope="module")
def saved(tmp_path_factory):
    path = tmp_path_factory.mktemp("models") / "model"
    lw.compile(lw.algorithms.dijkstra("compact")).save(path)
    with safe_open(path, framework="numpy") as file:
        tensors = {name: file.get_tensor(name) for name in file.keys()}
        return path.read_bytes(), tensors, dict(file.metadata())


@pytest.fixture
def model_refused(tmp_path):
    def check(content, *parts):
        path = tmp_path / "model"
        if isinstance(content, bytes):
            path.write_bytes(content)
        refused(lw.load, path, ModelFileError, *parts)

    return check


def framed(header, data=b""):
    text = header if isinstance(header, bytes) else json.dumps(header).encode()
    return struct.pack("<Q", len(text)) + text + data


def tensor(*offsets, dtype="F64", shape=(1,)):
    return {"dtype": dtype, "shape": list(shape), "data_offsets": list(offsets)}


@pytest.mark.parametrize(
    "content",
    [
        struct.pack("<Q", 2**60) + b"{}",
        struct.pack("<Q", 2**64 - 1) + b"{}",
        struct.pack("<Q", 2**60),
        framed({"a": tensor(0, 8), "b": tensor(4, 12)}, bytes(12)),
        framed({"a": tensor(0, 8), "b": tensor(0, 8)}, bytes(8)),
        framed({"a": tensor(0, 2**60)}, bytes(8)),
        framed({"a": tensor(8, 0)}, bytes(8)),
        framed({"a": tensor(0, 8, shape=(2**32, 2**32))}, bytes(8)),
        framed({"a": tensor(0, 8, dtype="X99")}, bytes(8)),
        framed(b"[" * 10**5),
        framed(b'{"a":' * 10**5),
        framed({"__metadata__": {"format": 5}}),
        framed({"__metadata__": {"format": "loopwright", "version": "9" * 5000}}),
        framed({"__metadata__": {"format": "loopwright", "version": "1"}}),
    ],
    ids=range(14),
)
def test_absurd_safetensors(model_refused, content):
    model_refused(content)


def test_metadata_of_absurd_size(model_refused):
    content = framed({"__metadata__": {"format": "loopwright", "model": "[" * MOST_HEADER_BYTES}})
    model_refused(content, "a header of", f"at most {MOST_HEADER_BYTES:,}")


def test_model_of_absurd_size(model_refused, tmp_path):
    with (tmp_path / "model").open("wb") as file:
        file.truncate(MOST_BYTES + 1)
    model_refused(None, "bytes; a model has at most")


def test_a_device_is_no_model(model_refused, tmp_path):
    (tmp_path / "model").symlink_to("/dev/zero")
    model_refused(None, "not a file")


def put(value, *place):
    def change(data, tensors):
        *way, last = place
        for key in way:
            data = data[key]
        data[last] = value

    return pytest.param(change, id=f"{'.'.join(map(str, place))}={brief(value, 20)}")


FIELD = ("layout", "fields", 0)
HEAD = ("layers", 1, "heads", 0)


@pytest.mark.parametrize(
    "change",
    [
        put("1e999999999", "constants", "largest"),
        put("1/0", "constants", "largest"),
        put("-1", "constants", "resolution"),
        put("nan", "constants", "omega"),
        put("9" * 10**5, "constants", "omega"),
        put("1e999999999", "constants", "nodes"),
        put(5, "constants", "nodes"),
        put("1", "constants", "surprise"),
        put(10**30, "layout", "width"),
        put(-1, "layout", "width"),
        put(True, "layout", "width"),
        put("nowhere", "layout", "halt"),
        put({"dists": "nowhere"}, "layout", "outputs"),
        put([], "layout", "fields"),
        put(10**6, *FIELD, "first"),
        put(-1, *FIELD, "first"),
        put("", *FIELD, "start"),
        put("1e999999999", *FIELD, "start"),
        put("1e999999999", *FIELD, "at_source"),
        put([], "layers"),
        put("__import__('os')", *HEAD, "over"),
        put(float("nan"), *HEAD, "tie_tolerance"),
        put("1", *HEAD, "temperature"),
        put(7, "layers", 0, "name"),
        put("x\n", "layers", 0, "name"),
        put("x" * 10**5, "name"),
        put("\x1b[2J", "construction"),
        put([["x", "1/3"]], "rationals"),
        put([[0.1, "1e999999999"]], "rationals"),
        put([10**30], "bound"),
        put(["n"], "bound"),
        put("learned", "attention"),
        put([], "edges"),
        put("os", "source"),
        put(1, "demands", "averages"),
        put(True, "demands", "surprise"),
        put(["n"], "demands", "counts"),
        put(None, "demands"),
        put(0, "demands", "denominator"),
        put("os.system('true')", "program"),
        put({}, "layers"),
        put(None, "layout"),
    ],
)
def test_sealed_nonsense(model_refused, saved, tmp_path, change):
    """Whoever can change a file can also give it a new digest."""
    _, tensors, metadata = saved
    data = json.loads(metadata["model"])
    change(data, tensors)
    text = json.dumps(data)
    sealed = metadata | {"model": text, "sha256": digest(text, tensors)}
    save_file(tensors, tmp_path / "model", metadata=sealed)
    model_refused(None, "the metadata cannot be read")


def test_a_name_is_not_code():
    """Native code is made from text, into which nothing of the model's own may come."""
    name = 'x" } @llvm.global_ctors = appending global [0 x ptr] [] nonsense'
    model = replace(lw.compile(lw.algorithms.dijkstra("compact")), name=name)
    assert model.run([("a", "b", 2)], source="a").dists["b"] == 2


@pytest.mark.parametrize("value", [7.0, -1.0, 1e300, 0.5])
def test_an_index_that_is_no_node(value):
    model = lw.compile(lw.algorithms.dijkstra("compact"))
    x = np.zeros((3, model.width))
    x[:, model.layout["prev"].first] = value
    with pytest.raises(lw.LoopwrightError, match=r"which is no (node|whole number)"):
        decode(model, Graph.of([("a", "b", 1)]), x)


def reseal(path, tensors, metadata, text=None):
    text = metadata["model"] if text is None else text
    sealed = metadata | {"model": text, "sha256": digest(text, tensors)}
    save_file(tensors, path, metadata=sealed)


@pytest.mark.parametrize("text", ["", "[]", "null", "[" * 10**5, '{"a":' * 10**5, "9" * 10**5])
def test_sealed_text(model_refused, saved, tmp_path, text):
    _, tensors, metadata = saved
    reseal(tmp_path / "model", tensors, metadata, text)
    model_refused(None, "the metadata cannot be read")


@pytest.mark.parametrize("value", [np.nan, np.inf, -np.inf])
def test_weights_that_are_no_numbers(model_refused, saved, tmp_path, value):
    _, tensors, metadata = saved
    broken = tensors["layers.0.mlp.1"].copy()
    broken[0, 0] = value
    reseal(tmp_path / "model", tensors | {"layers.0.mlp.1": broken}, metadata)
    model_refused(None, "'layers.0.mlp.1' has no weights")


@pytest.mark.parametrize("dtype", ["f4", "i8", "u1", "?"])
def test_weights_of_another_type(model_refused, saved, tmp_path, dtype):
    _, tensors, metadata = saved
    other = {name: matrix.astype(dtype) for name, matrix in tensors.items()}
    reseal(tmp_path / "model", other, metadata)
    model_refused(None, "is not in F64")


def test_a_tensor_too_many(model_refused, saved, tmp_path):
    _, tensors, metadata = saved
    reseal(tmp_path / "model", tensors | {"extra": np.zeros((2, 2))}, metadata)
    model_refused(None, "tensors without a place")


def test_every_bit_of_the_header_counts(saved, tmp_path):
    """Flipped bits, spread over the file: refused, or (never seen) read as the same model."""
    whole, _, _ = saved
    path = tmp_path / "model"
    rng = np.random.default_rng(0)
    for place in rng.integers(0, len(whole), 200):
        data = bytearray(whole)
        data[place] ^= 1 << rng.integers(8)
        path.write_bytes(data)
        with pytest.raises(ModelFileError):
            lw.load(path)
