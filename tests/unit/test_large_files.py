"""Files that are read as a whole are what they are line by line."""

from __future__ import annotations

import gzip
import io

import numpy as np
import pytest
import scipy.sparse
from hypothesis import given
from hypothesis import strategies as st

from loopwright.errors import GraphError
from loopwright.runtime.graph import Graph
from loopwright.runtime.readers import edge_list, matrix_market, plain_numbers, source, table

LABELS = st.sampled_from(["0", "1", "2", "7", "12", "07", "x", "1.0"])
NUMBERS = st.sampled_from(
    "1 3 0.5 2.25 0.1 1.10 3.0 007 .5 5. 1e3 1/3 -1 0 x inf 1.5.5 0.000000000000001 "
    "9007199254740993 123456789012345 1e-3 +2.5 1.50E+2 1e-300 1e300 0e1 0.0 "
    "-0.5 1e1e1 1+ 123456789012345678901 "
    "0.10000000000000000001 18014398509481984 9007199254740993e-3 0.0123456789012345678".split()
)
PLAIN = st.tuples(*[st.integers(0, 9).map(str)] * 2, st.sampled_from(["1", "2.5", "0.1", "10"]))


@st.composite
def decimals(draw):
    """Decimals as files have them: of any length, some with sign or exponent, and whole numbers."""
    if draw(st.booleans()):
        return repr(draw(st.floats(1e-12, 1e20)))
    digits = st.text("0123456789", min_size=1, max_size=draw(st.sampled_from([2, 9, 21])))
    sign, whole = draw(st.sampled_from(["", "", "", "+", "-"])), draw(digits)
    part = draw(st.just("") | digits.map(".".__add__))
    exponent = draw(st.just("") | st.integers(-30, 30).map("e{}".format))
    return sign + whole + part + exponent


DECIMAL = st.tuples(*[st.integers(0, 9).map(str)] * 2, decimals())


def of(path):
    """The graph in a file, by its name and open, or what is wrong with it."""
    found = _of(path)
    for mode in ("rb", "r"):
        with path.open(mode) as stream:
            assert _of(stream) == found
    return found


def _of(source):
    try:
        graph = Graph.of(source)
    except GraphError as problem:
        return str(problem)
    columns = (graph.tails.tolist(), graph.heads.tolist(), list(graph.weights))
    floats = isinstance(graph.weights, np.ndarray)
    return graph.labels, graph.directed, *columns, floats, graph.floats.tolist(), graph.unit


def both_ways(path, patch):
    """What a file is as a large one, and as a small one."""
    patch.setattr(source, "LARGE", 0)
    large = of(path)
    patch.setattr(source, "LARGE", 2**40)
    return large, of(path)


@pytest.fixture(scope="module")
def folder(tmp_path_factory):
    return tmp_path_factory.mktemp("files")


FORMS = {
    "txt": ("", " "),
    "csv": ("source,target,weight\n", ","),
    "mtx": ("%%MatrixMarket matrix coordinate real general\n% said\n12 12 {count}\n", " "),
}


@pytest.mark.parametrize("form", FORMS)
@pytest.mark.parametrize("lines", ["plain", "decimal", "any"])
@given(data=st.data())
def test_both_ways(folder, form, lines, data):
    known = {"plain": PLAIN, "decimal": DECIMAL}
    kinds = known.get(lines, st.tuples(LABELS, LABELS, NUMBERS))
    rows = data.draw(st.lists(kinds, min_size=1, max_size=6))
    fields = data.draw(st.sampled_from([2, 3]))
    head, between = FORMS[form]
    if form == "csv" and fields == 2:
        head = "source,target\n"
    if form == "mtx" and fields == 2:
        head = head.replace("real", "pattern")
    if form == "mtx" and data.draw(st.booleans()):
        head = head.replace("real", "integer")
    if form == "mtx" and data.draw(st.booleans()):
        head = head.replace("general", "symmetric")
    ending = data.draw(st.sampled_from(["\n", "", "\n\n", " \n", "\r\n", "# c\n"]))
    body = "\n".join(between.join(row[:fields]) for row in rows) + ending
    path = folder / f"graph.{form}"
    path.write_text(head.format(count=len(rows)) + body, encoding="utf-8", newline="")
    with pytest.MonkeyPatch.context() as patch:
        large, small = both_ways(path, patch)
    assert large == small


@pytest.mark.parametrize("form", FORMS)
@pytest.mark.parametrize("weight", ["0.5", "0.1", "12.75", "1e-3", "0.08444218515250481"])
def test_a_plain_file_is_read_as_a_whole(tmp_path, monkeypatch, form, weight):
    head, between = FORMS[form]
    rng = np.random.default_rng(0)
    edges = [(*map(str, rng.integers(1, 12, 2)), weight) for _ in range(9)]
    text = head.format(count=9) + "".join(between.join(edge) + "\n" for edge in edges)
    path = tmp_path / f"graph.{form}.gz"
    path.write_bytes(gzip.compress(text.encode()))
    streams = [io.BytesIO(path.read_bytes()), io.BytesIO(text.encode())]
    streams[0].name, streams[1].name = f"<stdin>.{form}.gz", f"<stdin>.{form}"
    monkeypatch.setattr(source, "LARGE", 0)
    whole, columns = [], plain_numbers.read_columns

    def noted(*given, **options):
        whole.append(columns(*given, **options))
        return whole[-1]

    for reader in (edge_list, table, matrix_market):
        monkeypatch.setattr(reader, "read_columns", noted)
    for number, file in enumerate([path, *streams]):
        assert Graph.of(file).edge_count == len({edge[:2] for edge in edges})
        assert len(whole[number].tails) == 9


@pytest.mark.parametrize("there", [True, False])
def test_with_and_without_pyarrow(monkeypatch, there):
    monkeypatch.setattr(plain_numbers, "find_spec", lambda name: there or None)
    for text, between in ((b"1\t2 3.5\n4 5 6.25\n", b" \t"), (b"1,2,3.5\n4,5,6.25", b",")):
        found = plain_numbers.read_columns(text, delimiters=between)
        assert [column.tolist() for column in found] == [[1, 4], [2, 5], [3.5, 6.25]]


def test_columns_of_a_table_in_another_order(tmp_path, monkeypatch):
    path = tmp_path / "graph.csv"
    path.write_text('"weight","to",from\n2,7,8\n3,8,9\n', encoding="utf-8")
    large, small = both_ways(path, monkeypatch)
    assert large == small
    assert large[0] == ("8", "7", "9")


@pytest.mark.parametrize("form", ["csr", "csc", "coo"])
def test_sparse_matrices_in_any_order(form):
    rng = np.random.default_rng(1)
    dense = np.where(rng.random((9, 9)) < 0.4, rng.integers(1, 9, (9, 9)), 0)
    found = Graph.from_matrix(scipy.sparse.coo_array(dense).asformat(form))
    wanted = Graph.from_matrix(dense)
    for column in ("tails", "heads", "weights"):
        np.testing.assert_array_equal(getattr(found, column), getattr(wanted, column))


@pytest.mark.parametrize("header", ["source,\rtarget", 'source,"tar', "source,tar\x00get", ""])
def test_a_header_that_is_none(tmp_path, monkeypatch, header):
    """It is refused with its line, as in a small file."""
    path = tmp_path / "graph.csv"
    path.write_bytes((header + "\na,b\n").encode())
    large, small = both_ways(path, monkeypatch)
    assert isinstance(large, str)
    assert large == small


@pytest.mark.parametrize(
    ("last", "problem"),
    [("x 2 3.5", None), ("x 2 z", "'z' is not a number"), ("x 2 0", "weight 0"), ("x 2 3 4", "4")],
)
def test_more_than_is_looked_at_first(tmp_path, last, problem):
    """What cannot be read as a whole is read from its first line on, and named with its line."""
    rows = [f"{i % 300} {i // 300} {i % 90 + 1}.1" for i in range(source.BEGINNING // 5)]
    path = tmp_path / "graph.txt"
    path.write_text("\n".join([*rows, last]) + "\n")
    found = of(path)
    if problem is None:
        assert len(found[2]) == len(rows) + 1
    else:
        assert found.startswith(f"{path}:{len(rows) + 1}: ")
        assert problem in found
