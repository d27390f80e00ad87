"""A trace gives back what an observer saw, from any place; and no file can do harm."""

from __future__ import annotations

import gzip
import json
import os
import random
import tracemalloc
from dataclasses import replace
from datetime import date
from fractions import Fraction
from functools import cache

import networkx as nx
import numpy as np
import pytest
from numpy.testing import assert_array_equal

import loopwright as lw
from loopwright.algorithms import ALGORITHMS
from loopwright.errors import DidNotHalt, TraceError
from loopwright.lab.sweep.cast import in_dtype
from loopwright.runtime.encode import encode
from loopwright.runtime.run import run
from loopwright.subleq import assemble
from loopwright.subleq import run as run_subleq
from loopwright.watch.trace import lines
from observers import AfterLayer

ROADS = [("a", "b", 3), ("b", "c", 0.5), ("a", "c", 4), ("d", "a", 1), ("c", "e", 2)]
LIMITS = lw.Limits(nodes=6, largest=64, resolution=Fraction(1, 2**20))


class Seen(lw.Observer):
    """X₀, and X after every layer in order, as any observer gets them."""

    def begin(self, model, graph, problem):
        self.model, self.graph, self.start = model, graph, problem.x.copy()
        self.frames = []

    def after_layer(self, iteration, layer, x):
        self.frames.append((iteration, layer, x.copy()))


@cache
def model_of(name="dijkstra", construction="paper", attention="hardmax"):
    return lw.compile(ALGORITHMS[name](construction), limits=LIMITS, attention=attention)


def record(path, model, graph=ROADS, *, attention=False, **options):
    """(what an observer saw, the answer, the trace)."""
    seen = Seen()
    observers = [lw.TraceWriter(path, attention=attention), seen]
    answer = run(model, graph, observers=observers, **options)
    return seen, answer, lw.Trace.load(path)


@pytest.fixture(scope="module")
def roads(tmp_path_factory):
    """The file of a small run, and what was seen of it."""
    path = tmp_path_factory.mktemp("roads") / "run.jsonl"
    seen, _, _ = record(path, model_of(), source="a", machine="native")
    return path, seen


def assert_frame(frame, iteration, layer, x, before):
    assert (frame.iteration, frame.layer) == (iteration, layer)
    assert frame.x.dtype == x.dtype
    assert_array_equal(frame.x, x)
    assert x.dtype != object or {type(cell) for cell in frame.x.flat} == {Fraction}
    for field in frame.layout.after(layer):
        rows = np.flatnonzero((x != before)[:, field.columns].any(axis=1))
        assert_array_equal(frame.changed.get(field.name, []), rows)


# ── what is read is what was seen ───────────────────────────────────────────────────────────────

RUNS = [
    ("dijkstra", "paper", "hardmax", "native"),
    ("dijkstra", "paper", "softmax", "reference"),
    ("dijkstra", "compact", "hardmax", "exact"),
    ("bfs", "paper", "softmax", "native"),
    ("bfs", "compact", "hardmax", "exact"),
    ("dfs", "compact", "hardmax", "torch"),
    ("dfs", "paper", "hardmax", "reference"),
    ("scc", "compact", "hardmax", "native"),
    ("scc", "compact", "softmax", "reference"),
    ("multitask", "compact", "hardmax", "native"),
    ("bridges", "compact", "hardmax", "native"),
    ("topological-sort", "compact", "hardmax", "reference"),
]


@pytest.mark.parametrize("suffix", [".jsonl", ".jsonl.gz"])
@pytest.mark.parametrize(("name", "construction", "attention", "machine"), RUNS)
def test_every_frame(tmp_path, name, construction, attention, machine, suffix):
    model = model_of(name, construction, attention)
    options = {"source": "a"} if model.source == "required" else {}
    options |= {"dfs": 1} if name == "multitask" else {}
    path = tmp_path / f"run{suffix}"
    seen, answer, trace = record(path, model, machine=machine, **options)
    expected = [(0, 0, seen.start), *seen.frames]
    assert_array_equal(trace.start.x, seen.start)
    places = []
    for frame, (_, _, before), (i, k, x) in zip(trace, expected, expected[1:], strict=False):
        assert_frame(frame, i, k, x, before)
        places.append((i, k))
    assert len(trace) == len(places) == len(seen.frames) == answer.iterations * len(model.layers)
    random.Random(0).shuffle(places)
    for i, k in places[:60]:
        number = (i - 1) * len(model.layers) + k + 1
        assert_frame(trace[i, k], *expected[number], expected[number - 1][2])
    assert (trace.halted, trace.iterations) == (True, answer.iterations)
    assert trace.outputs == answer.result
    assert trace.header["inputs"] == ({"dfs": 1} if name == "multitask" else {})
    assert trace.source == options.get("source")


def test_variables_by_name(roads):
    path, seen = roads
    trace, layout = lw.Trace.load(path), seen.model.layout
    frame = trace[7, -1]
    assert trace.variables == tuple(field.name for field in layout.fields)
    assert_array_equal(frame["dists"], frame.x[1:, layout["dists"].first])
    assert frame["dists"].shape == (5,)
    assert_array_equal(frame["P"], frame.x[1:, layout["P"].columns])
    assert frame["P"].shape == (5, 2)
    assert frame["idx_cur"].shape == (2,)
    assert frame["B_global"] == 1.0
    with pytest.raises(TraceError, match="no variable 'weight'; there are: B_global, "):
        frame["weight"]


def test_header_needs_nothing_else(roads):
    path, seen = roads
    trace, model = lw.Trace.load(path), seen.model
    header = json.loads(path.read_text().split("\n")[0])
    assert header == trace.header
    assert (header["format"], header["version"]) == ("loopwright-trace", 2)
    described = (header["algorithm"], header["construction"], header["attention"])
    assert described == ("dijkstra", "paper", "hardmax")
    assert (header["rows"], header["numbers"], header["source"]) == (6, "float64", 0)
    assert header["constants"]["omega"] == str(model.constants.omega)
    layout = header["layout"]
    assert (layout["width"], layout["halt"]) == (model.width, model.layout.halt)
    assert layout["outputs"] == {"dists": "dists", "prev": "prev"}
    for stored, field in zip(layout["fields"], model.layout.fields, strict=True):
        columns = slice(stored["first"], stored["first"] + stored["width"])
        assert (stored["name"], stored["kind"], columns) == (field.name, field.kind, field.columns)
        assert stored["scope"] == field.scope
    for stored, layer in zip(trace.layers, model.layers, strict=True):
        assert (stored["name"], stored["paper_step"]) == (layer.name, layer.paper_step)
        assert stored["writes"] == list(layer.writes)
        assert [head["over"] for head in stored["heads"]] == [head.over for head in layer.heads]
    assert str(trace.program) == str(lw.algorithms.dijkstra("paper"))
    assert repr(trace) == (
        "<Trace of 'dijkstra' (paper, hardmax) on 5 nodes: 25 iterations of 17 layers, halted>"
    )


def test_a_layer_writes_what_it_says(roads):
    trace = lw.Trace.load(roads[0])
    for frame in trace:
        assert set(frame.changed) <= set(trace.layers[frame.layer]["writes"])


def test_the_file_alone_suffices(roads):
    """Another reader, who knows the documentation only."""
    path, seen = roads
    header, *parts = map(json.loads, path.read_text().splitlines())
    place = {f["name"]: (f["first"], f["width"]) for f in header["layout"]["fields"]}
    x = np.zeros((header["rows"], header["layout"]["width"]))
    frames = {}
    for line in parts[:-1]:
        kind = "whole" if "whole" in line else "x"
        before = x.copy()
        x = np.zeros_like(x) if kind == "whole" else x
        for name, (rows, values) in line[kind].items():
            first, width = place[name]
            for row, value in zip(rows, values, strict=True):
                x[row, first : first + width] = value
        if kind == "whole" and line["i"]:
            assert_array_equal(x, before)
        frames[line["i"], line["l"]] = x.copy()
    last = seen.start
    for i, k, expected in seen.frames:
        last = frames.get((i, k), last)
        assert_array_equal(last, expected)
    assert parts[-1]["outputs"]["prev"] == [0, 0, 1, 3, 2]
    assert parts[-1]["outputs"]["dists"] == [0.0, 3.0, 3.5, None, 5.5]


def test_narrow_floats(tmp_path):
    limits = lw.Limits(nodes=6, largest=64, resolution=Fraction(1, 16), dtype="float32")
    model = in_dtype(lw.compile(lw.algorithms.dijkstra("compact"), limits=limits), np.float32)
    seen, _, trace = record(tmp_path / "run", model, source="a", machine="reference")
    assert trace[2, 1].x.dtype == np.float32
    for frame, (_, _, x) in zip(trace, seen.frames, strict=True):
        assert_array_equal(frame.x, x)


@pytest.mark.parametrize("number", [np.nan, np.inf, -np.inf, 5e-324, 0.1 + 0.2, -1e308])
def test_any_cell_of_any_float(tmp_path, number):
    """Of no variable, in a row that its variable does not use; and numbers that JSON lacks."""
    model, graph = model_of(), lw.Graph.of(ROADS)
    problem, writer = encode(model, graph, source="a"), lw.TraceWriter(tmp_path / "run")
    spoilt = problem.x.copy()
    spoilt[0, model.layout["dists"].first] = spoilt[3, -1] = spoilt[2, 1] = number
    writer.begin(model, graph, problem)
    writer.after_layer(1, 0, spoilt)
    writer.after_layer(1, 1, spoilt)
    writer.close()
    trace = lw.Trace.load(tmp_path / "run")
    assert_array_equal(trace.start.x, problem.x)
    for layer in (0, 1):
        assert_array_equal(trace[1, layer].x, spoilt)
    assert_array_equal(trace[1, 0].changed["dists"], [0])
    assert not trace[1, 1].changed
    assert json.dumps(json.loads((tmp_path / "run").read_text().split("\n")[2]), allow_nan=False)


def test_a_machine_may_use_the_memory_of_x_again(tmp_path):
    model, graph = model_of(), lw.Graph.of(ROADS)
    problem, writer = encode(model, graph, source="a"), lw.TraceWriter(tmp_path / "run")
    writer.begin(model, graph, problem)
    for number in (1, 2, 3):
        problem.x[1:, model.layout["dists"].first] = number
        writer.after_layer(1, number - 1, problem.x)
    writer.close()
    frames = list(lw.Trace.load(tmp_path / "run"))
    assert [frame["dists"].tolist() for frame in frames] == [[1.0] * 5, [2.0] * 5, [3.0] * 5]


def test_more_rows_than_nodes(tmp_path):
    code = assemble(".data x 4\n.data y 38\nadd x, y\n")
    outcome = run_subleq(code, trace=tmp_path / "run.gz")
    trace = lw.Trace.load(tmp_path / "run.gz")
    assert trace.graph.n == 1
    assert trace.start["M"].tolist()[:2] == [4.0, 38.0]
    assert trace[outcome.steps, -1]["M"].tolist()[:2] == [4.0, 42.0]
    assert trace.header["inputs"]["memory"][:2] == [4, 38]


def test_fractions_as_inputs(tmp_path):
    code = assemble(".data x 0.3\nsub 0.1, x\n")
    run_subleq(code, machine="exact", trace=tmp_path / "run")
    trace = lw.Trace.load(tmp_path / "run")
    assert "3/10" in trace.header["inputs"]["memory"]
    assert trace[trace.iterations, -1]["M"][0] == Fraction(1, 5)


# ── graphs ──────────────────────────────────────────────────────────────────────────────────────


def assert_same_graph(found, expected):
    assert found.labels == expected.labels
    assert found.directed == expected.directed
    assert found.edge_count == expected.edge_count
    assert_array_equal(found.tails, expected.tails)
    assert_array_equal(found.heads, expected.heads)
    assert_array_equal(np.array(found.weights, object), np.array(expected.weights, object))


@pytest.mark.parametrize("directed", [True, False])
def test_graph(tmp_path, directed):
    edges = [("a", "b", 3), ("c", "b", "1/3"), ("c", "c", 2), ("a", "c", 0.5)]
    graph = lw.Graph.from_edges(edges, nodes=["lone"], directed=directed)
    _, _, trace = record(tmp_path / "run", model_of(), graph, source="a")
    assert_same_graph(trace.graph, graph)
    stored = trace.header["graph"]
    assert stored["nodes"] == 4
    assert len(stored["tails"]) == len(stored["heads"]) == len(stored["weights"]) == 4
    assert "1/3" in stored["weights"]


LABELS = [
    "a",
    1,
    (1, 2),
    ((1, "x"), None),
    "ünï",
    "new\nline\x1b[0m",
    "\ud800",
    None,
    2.5,
    "(1, 2)",
]


def test_labels_of_many_kinds(tmp_path):
    graph = lw.Graph.from_edges([(0, label, 1) for label in LABELS], nodes=[0])
    model = lw.compile(lw.algorithms.dijkstra("compact"))
    _, answer, trace = record(tmp_path / "run", model, graph, source=0)
    assert trace.labels == (0, *LABELS)
    assert trace.source == 0
    assert_same_graph(trace.graph, graph)
    assert trace.outputs == answer.result
    assert "\x1b" not in (tmp_path / "run").read_text()


def test_labels_that_json_cannot_hold(tmp_path):
    """They keep what they look like, and are told from text that looks the same."""
    others = [date(2024, 1, 2), frozenset({1}), float("inf"), np.int64(7), True]
    graph = lw.Graph.from_edges([("2024-01-02", label, 1) for label in others])
    model = lw.compile(lw.algorithms.dijkstra("compact"))
    _, answer, trace = record(tmp_path / "run", model, graph, source="2024-01-02")
    assert [str(label) for label in trace.labels] == [str(label) for label in graph.labels]
    assert trace.labels[0] == "2024-01-02"
    assert trace.labels[4:] == (7, True)
    assert list(trace.outputs["dists"].values()) == list(answer.dists.values())
    assert trace.outputs["prev"][trace.labels[1]] == "2024-01-02"
    assert trace.graph.index("frozenset({1})") == 2


def test_values_are_in_the_unit_of_the_header(tmp_path):
    edges = [("a", "b", "0.1"), ("b", "c", "0.7")]
    _, answer, trace = record(tmp_path / "run", model_of(), edges, source="a")
    assert trace.scale != 1
    assert trace.header["scale"] == str(trace.scale)
    final = trace[trace.iterations, -1]["dists"]
    assert [Fraction(d) / trace.scale for d in final] == [0, Fraction(1, 10), Fraction(4, 5)]
    assert trace.outputs["dists"] == answer.dists == {"a": 0.0, "b": 0.1, "c": 0.8}


# ── attention ───────────────────────────────────────────────────────────────────────────────────


def attention_by_hand(model, head, x):
    """Row by row, as the paper says it."""
    queries, keys = x @ head.query, x @ head.key
    scores = queries @ keys.T
    found = np.zeros((len(x), len(x)))
    for i, row in enumerate(scores):
        if model.attention == "softmax":
            weights = np.exp((row - row.max()) / head.temperature)
            found[i] = weights / weights.sum()
        else:
            ties = [j for j, score in enumerate(row) if score >= row.max() - head.tie_tolerance]
            found[i, ties] = 1 / len(ties)
    return found


@pytest.mark.parametrize(
    ("name", "construction", "attention", "machine"),
    [
        ("dijkstra", "paper", "hardmax", "native"),
        ("dijkstra", "compact", "hardmax", "exact"),
        ("dijkstra", "paper", "softmax", "reference"),
        ("dijkstra", "compact", "softmax", "native"),
        ("bellman-ford", "compact", "hardmax", "native"),  # a head reads what its layer writes
    ],
)
def test_attention(tmp_path, name, construction, attention, machine):
    model = model_of(name, construction, attention)
    path = tmp_path / "run.gz"
    seen, _, trace = record(path, model, source="a", machine=machine, attention=True)
    befores = [seen.start, *(x for _, _, x in seen.frames)]
    kinds = set()
    for frame, before in zip(trace, befores, strict=False):
        heads = model.layers[frame.layer].heads
        assert len(frame.attention) == len(heads)
        for head, found in zip(heads, frame.attention, strict=True):
            expected = attention_by_hand(model, head, before.astype(np.float64))
            assert_array_equal(found, expected)
            kinds |= {head.over, "one" if (expected.max(axis=1) == 1).all() else "several"}
    assert kinds >= {"I", "one", "several"}
    assert kinds & {"A", "AT"}
    last = trace[trace.iterations, -1]
    assert len(last.attention) == len(model.layers[-1].heads)
    for k in random.Random(1).sample(range(len(befores) - 1), 10):
        i, layer, _ = seen.frames[k]
        for head, found in zip(model.layers[layer].heads, trace[i, layer].attention, strict=True):
            by_hand = attention_by_hand(model, head, befores[k].astype(np.float64))
            assert_array_equal(found, by_hand)


def test_without_attention_there_is_none(roads):
    trace = lw.Trace.load(roads[0])
    assert trace.start.attention is None
    assert all(frame.attention is None for frame in trace)


# ── how long, how much ──────────────────────────────────────────────────────────────────────────


@pytest.fixture(scope="module")
def long_run(tmp_path_factory):
    """The paper's Dijkstra on 16 nodes: 256 iterations of 17 layers."""
    path = tmp_path_factory.mktemp("long") / "run.jsonl.gz"
    graph = nx.gnp_random_graph(16, 0.4, seed=1, directed=True)
    weights = random.Random(1)
    for _, _, data in graph.edges(data=True):
        data["weight"] = weights.randint(1, 10_000) / 7
    growth = []
    watch = AfterLayer(lambda i, k, x: growth.append(tracemalloc.get_traced_memory()[0]))
    model = lw.compile(lw.algorithms.dijkstra("paper"))
    tracemalloc.start()
    model.run(graph, source=0, observers=[lw.TraceWriter(path), watch])
    tracemalloc.stop()
    return path, growth


def test_size(long_run):
    path, _ = long_run
    trace = lw.Trace.load(path)
    assert len(trace) == 256 * 17
    assert path.stat().st_size < 1_500_000
    written = gzip.decompress(path.read_bytes()).splitlines()
    whole = sum(len(line) for line in written if b'"whole":' in line)
    assert whole < 0.6 * sum(map(len, written))


def test_the_writer_does_not_grow(long_run):
    _, growth = long_run
    assert growth[-1] - growth[1000] < 100_000 + 40 * len(growth)


def test_a_frame_is_read_from_near_by(long_run, monkeypatch):
    trace = lw.Trace.load(long_run[0])
    read, at = [], lines.TraceLines.at
    monkeypatch.setattr(
        lines.TraceLines, "at", lambda self, at_: read.append(at(self, at_)) or read[-1]
    )
    counts = []
    for i in range(1, 257, 5):
        read.clear()
        trace[i, i % 17]
        counts.append(sum(map(len, read)))
    written = gzip.decompress(long_run[0].read_bytes()).splitlines()
    assert max(counts) < sum(map(len, written)) / 15


def test_iterating_and_jumping_do_not_disturb_each_other(roads):
    path, seen = roads
    trace = lw.Trace.load(path)
    for frame, (i, k, x) in zip(trace, seen.frames, strict=True):
        assert_array_equal(trace[1 + (i * 7) % 25, k].x, seen.frames[(i * 7) % 25 * 17 + k][2])
        assert_array_equal(frame.x, x)


def test_a_frame_can_be_changed(roads):
    trace = lw.Trace.load(roads[0])
    frames = iter(trace)
    next(frames).x[:] = 7
    assert not (next(frames).x == 7).any()


def test_both_ways_to_write_are_the_same_text(tmp_path, roads):
    zipped = tmp_path / "run.GZ"
    record(zipped, model_of(), source="a", machine="native")
    assert gzip.decompress(zipped.read_bytes()) == roads[0].read_bytes()
    assert zipped.read_bytes()[4:8] == bytes(4)  # no date: the same run is the same file
    renamed = zipped.rename(tmp_path / "renamed")
    assert len(lw.Trace.load(renamed)) == len(roads[1].frames)


def test_a_long_file_goes_to_the_disk(tmp_path, roads, monkeypatch):
    monkeypatch.setattr(lines, "IN_MEMORY", 1000)
    zipped = tmp_path / "run"
    zipped.write_bytes(gzip.compress(roads[0].read_bytes()))
    trace = lw.Trace.load(zipped)
    assert_array_equal(trace[25, -1].x, roads[1].frames[-1][2])
    del trace


# ── runs that do not end well ───────────────────────────────────────────────────────────────────


def test_not_halting(tmp_path):
    path, model, seen = tmp_path / "run.gz", model_of(), Seen()
    with pytest.raises(DidNotHalt):
        model.run(ROADS, source="a", max_iterations=3, observers=[lw.TraceWriter(path), seen])
    trace = lw.Trace.load(path)
    assert (trace.halted, trace.outputs, trace.iterations) == (False, None, 3)
    for frame, (_, _, x) in zip(trace, seen.frames, strict=True):
        assert_array_equal(frame.x, x)


class Stop(Exception):
    pass


@pytest.mark.parametrize("layer", [4, 1])
def test_another_observer_fails(tmp_path, layer):
    """Layer 1 of iteration 2 changes nothing, so that no frame is written for it."""
    path, model = tmp_path / "run", model_of()

    def stop(i, k, x):
        if (i, k) == (2, layer):
            raise Stop

    with pytest.raises(Stop):
        model.run(ROADS, source="a", observers=[lw.TraceWriter(path), AfterLayer(stop)])
    trace = lw.Trace.load(path)
    assert (trace.halted, trace.outputs, trace.iterations) == (False, None, 2)
    assert len(trace) == len(list(trace)) == 17 + layer + 1
    with pytest.raises(TraceError, match=rf"the last frame is \[2, {layer}\]"):
        trace[2, layer + 1]


def test_an_answer_that_cannot_be_read(tmp_path):
    """The run halts, but a node's number is none."""
    model = model_of("dijkstra", "compact")
    field = model.layout["prev"]

    def spoil(i, k, x):
        x[1, field.first] = 0.5

    path = tmp_path / "run"
    with pytest.raises(lw.LoopwrightError, match="no whole number"):
        run(
            model,
            ROADS,
            source="a",
            machine="reference",
            observers=[AfterLayer(spoil), lw.TraceWriter(path)],
        )
    trace = lw.Trace.load(path)
    assert (trace.halted, trace.outputs, trace.iterations) == (True, None, 5)


@pytest.mark.parametrize("name", ["none/run", "none/run.gz", "."])
def test_a_file_that_cannot_be_opened(tmp_path, name):
    path = tmp_path / name
    with pytest.raises(TraceError) as caught:
        model_of().run(ROADS, source="a", observers=[lw.TraceWriter(path)])
    assert str(caught.value).startswith(f"{path}: ")
    assert str(caught.value).count("\n") == 0


@pytest.mark.skipif(not os.path.exists("/dev/full"), reason="there is no full device")
@pytest.mark.parametrize("name", ["run", "run.gz"])
def test_a_full_disk(tmp_path, name):
    path = tmp_path / name
    path.symlink_to("/dev/full")
    with pytest.raises(TraceError, match=rf"{name}: No space left on device\."):
        model_of().run(ROADS, source="a", observers=[lw.TraceWriter(path)])


def test_too_much_for_a_line(tmp_path, monkeypatch):
    monkeypatch.setattr("loopwright.watch.trace.format.LONGEST_LINE", 2000)
    with pytest.raises(
        TraceError, match=r"run: a trace has lines of at most 2,000 bytes, .* graph"
    ):
        model_of().run(ROADS, source="a", observers=[lw.TraceWriter(tmp_path / "run")])


def test_a_label_without_end(tmp_path):
    graph = lw.Graph.from_edges([("a", 10**5000, 1)])
    with pytest.raises(TraceError, match="run: a trace cannot hold this: Exceeds the limit"):
        model_of().run(graph, source="a", observers=[lw.TraceWriter(tmp_path / "run")])


def test_too_much_attention(tmp_path, monkeypatch):
    monkeypatch.setattr("loopwright.watch.trace.write.MOST_CELLS", 71)
    writer = lw.TraceWriter(tmp_path / "run", attention=True)
    with pytest.raises(TraceError, match="to 6 rows is too large for a trace: trace without att"):
        model_of().run(ROADS, source="a", observers=[writer])
    assert not (tmp_path / "run").exists()


def test_a_fraction_without_end(tmp_path):
    model, graph = model_of(), lw.Graph.of(ROADS)
    problem = encode(model, graph, source="a", exact=True)
    problem.x[1, 0] = Fraction(1, 10**5000)
    writer = lw.TraceWriter(tmp_path / "run")
    with pytest.raises(TraceError, match="too many digits for a trace: trace a machine with fl"):
        writer.begin(model, graph, problem)
    writer.close()


# ── frames that are not there, files that are none ──────────────────────────────────────────────


@pytest.mark.parametrize("place", [(0, 0), (0, -1), (26, 0), (1, 17), (1, -18), (-1, 0)])
def test_frames_that_are_not_there(roads, place):
    trace = lw.Trace.load(roads[0])
    message = r"from 1, layers from 0 to 16, and the last frame is \[25, 16\]; X₀ is trace.start"
    with pytest.raises(TraceError, match=message):
        trace[place]


@pytest.mark.parametrize("place", [0, "a", (1,), (1, 2, 3), (1.5, 2), slice(3)])
def test_what_is_no_place(roads, place):
    with pytest.raises(TraceError, match=r"trace\[iteration, layer\]"):
        lw.Trace.load(roads[0])[place]


def test_a_killed_writer(roads, tmp_path):
    """Wherever the file is cut off, it is read as far as it goes."""
    path, seen = roads
    text = path.read_bytes()
    header, start = (len(line) for line in text.splitlines(keepends=True)[:2])
    cut = tmp_path / "cut"
    for end in [*range(0, header + start, 997), header, header + start - 1]:
        cut.write_bytes(text[:end])
        with pytest.raises(TraceError, match=rf"^{cut}: .* cut off|^{cut}: cut off"):
            lw.Trace.load(cut)
    for end in [header + start, *range(header + start, len(text), 1009), len(text) - 1]:
        cut.write_bytes(text[:end])
        trace = lw.Trace.load(cut)
        assert not trace.halted
        assert len(trace) <= len(seen.frames)
        for frame, (_, _, x) in zip(trace, seen.frames, strict=False):
            assert_array_equal(frame.x, x)
    assert len(trace) > len(seen.frames) - 17


def test_a_killed_writer_of_gzip(long_run, tmp_path):
    path, _ = long_run
    whole, zipped = lw.Trace.load(path), path.read_bytes()
    cut = tmp_path / "cut.gz"
    found = []
    for part in (0.5, 0.9, 0.999):
        cut.write_bytes(zipped[: int(part * len(zipped))])
        trace = lw.Trace.load(cut)
        for frame, expected in zip(trace, whole, strict=False):
            assert_array_equal(frame.x, expected.x)
        found.append(len(trace))
    assert 0 < found[0] < found[1] < found[2] <= len(whole)
    assert not trace.halted


def edit_header(**changes):
    def edit(parts):
        header = json.loads(parts[0])
        for name, value in changes.items():
            inside = header
            *path, last = name.split("__")
            for key in path:
                inside = inside[key]
            inside[last] = value
        return [json.dumps(header, separators=(",", ":")).encode(), *parts[1:]]

    return edit


def replace_line(number, line):
    return lambda parts: [*parts[:number], line, *parts[number + 1 :]]


def frame(**parts):
    return json.dumps({"i": 1, "l": 0, "x": {}} | parts, separators=(",", ":")).encode()


DAMAGE = {
    "nothing": (lambda parts: [], "not a trace"),
    "an edge list": (lambda parts: [b"a b 3", b"b c 4"], "not a trace"),
    "other JSON": (lambda parts: [b'{"a":1}'], "not a trace"),
    "JSON that is no object": (lambda parts: [b"[1,2]"], "not a trace"),
    "bytes": (lambda parts: [bytes(range(256)) * 10], "not a trace"),
    "a deep object": (lambda parts: [b'{"a":' * 100_000], "not a trace"),
    "newer": (edit_header(version=3), "version '3', but this Loopwright reads 2: update it"),
    "older": (edit_header(version=1), "version '1'.* record the run again"),
    "no layers": (edit_header(layers=[]), "damaged"),
    "layers that are none": (edit_header(layers=[3] * 17), "damaged at byte 0"),
    "no columns": (edit_header(layout__width=3), "a variable is out of range"),
    "too few rows": (edit_header(rows=5), "17 layers on 5 rows"),
    "too many rows": (edit_header(rows=2**40), "at most 16,777,216 cells"),
    "negative rows": (edit_header(rows=-1), "no count"),
    "strange numbers": (edit_header(numbers="object"), "no numbers 'object'"),
    "labels twice": (edit_header(graph__labels=["a"] * 5), "same label"),
    "labels that are none": (edit_header(graph__labels=[{}] * 5), "KeyError: 'text'"),
    "an edge to nowhere": (edit_header(graph__heads=[99] * 5), "IndexError"),
    "an edge from the end": (edit_header(graph__heads=[-1] * 5), "-1 is no count"),
    "a weight of 0": (edit_header(graph__weights=[0] * 5), "weight 0"),
    "a weight without end": (edit_header(graph__weights=["1e999999999"] * 5), "is no number"),
    "too few weights": (edit_header(graph__weights=[1]), "damaged at byte 0"),
    "a source that is none": (edit_header(source=5), "IndexError"),
    "a scale of 1/0": (edit_header(scale="1/0"), "1/0 is no number"),
    "no X₀": (lambda parts: [parts[0], *parts[2:]], "X₀ is missing"),
    "no X₀, but an end": (lambda parts: [parts[0], parts[-1]], "X₀ is missing"),
    "an empty line": (replace_line(5, b""), "this is no line of a trace"),
    "a line of others": (replace_line(5, b"what?"), "this is no line of a trace"),
    "half a line": (replace_line(5, frame(x={"dists": [[1], [2.0]]})[:-9]), "damaged"),
    "two ends": (lambda parts: [*parts, parts[-1]], "this is no line of a trace"),
    "out of order": (lambda parts: [*parts[:2], parts[4], parts[3], *parts[5:]], "out of order"),
    "a frame twice": (lambda parts: [*parts[:3], parts[2], *parts[3:]], "out of order"),
    "a whole X too early": (replace_line(2, b'{"i":2,"l":0,"whole":{}}'), "out of order"),
    "a whole X in between": (
        lambda parts: [*parts[:3], b'{"i":1,"l":1,"whole":{}}', *parts[3:]],
        "out of order",
    ),
    "an unknown layer": (replace_line(2, frame(l=17)), "there is no layer 17"),
    "an unknown variable": (replace_line(2, frame(x={"d": [[1], [2]]})), "KeyError: 'd'"),
    "an unknown row": (replace_line(2, frame(x={"dists": [[6], [2]]})), "no rows"),
    "a negative row": (replace_line(2, frame(x={"dists": [[-1], [2]]})), "no rows"),
    "half a row": (replace_line(2, frame(x={"dists": [[0.5], [2]]})), "no rows"),
    "a flag for a row": (replace_line(2, frame(x={"dists": [[True], [2]]})), "no rows"),
    "no rows": (replace_line(2, frame(x={"dists": [[], []]})), "no rows"),
    "too few values": (replace_line(2, frame(x={"dists": [[1, 2], [2]]})), "reshape"),
    "values of another width": (replace_line(2, frame(x={"P": [[1, 2], [2, 3]]})), "reshape"),
    "a value that is text": (replace_line(2, frame(x={"dists": [[1], ["two"]]})), "no number"),
    "a value that is an object": (replace_line(2, frame(x={"dists": [[1], [{}]]})), "TypeError"),
    "cells that are none": (replace_line(2, frame(x=[1])), "AttributeError"),
    "an unknown column": (replace_line(2, frame(rest=[[1], [99], [2]])), "no rows or columns"),
    "attention of nobody": (replace_line(2, frame(attention=[[[[1], []]]])), "no rows"),
    "attention without end": (replace_line(2, frame(attention=[[]] * 10**6)), "at most 16,777,21"),
    "attention of strangers": (replace_line(2, frame(attention=[[[[9], [1]]]])), "no rows"),
    "outputs of others": (
        lambda parts: [*parts[:-1], b'{"halted":true,"frames":425,"outputs":{"d":[1,1,1,1,1]}}'],
        "KeyError: 'd'",
    ),
    "too few outputs": (
        lambda parts: [*parts[:-1], b'{"halted":true,"frames":425,"outputs":{"dists":[1]}}'],
        "damaged",
    ),
    "no count of frames": (lambda parts: [*parts[:-1], b'{"halted":true}'], "KeyError"),
}


@pytest.mark.parametrize(("damage", "message"), DAMAGE.values(), ids=DAMAGE)
@pytest.mark.parametrize("zipped", [False, True], ids=["plain", "gzip"])
def test_damaged(roads, tmp_path, damage, message, zipped):
    text = b"".join(line + b"\n" for line in damage(roads[0].read_bytes().splitlines()))
    path = tmp_path / "damaged"
    path.write_bytes(gzip.compress(text) if zipped else text)
    with pytest.raises(TraceError, match=message) as caught:
        list(lw.Trace.load(path))
    assert str(caught.value).startswith(f"{path}: ")
    assert str(caught.value).count("\n") == 0
    assert len(str(caught.value)) < len(str(path)) + 250


ENDLESS = {"name": "a", "kind": "value", "scope": "nodes", "start": {"number": "1e999999999"}}


@pytest.mark.parametrize("program", [None, {}, {"variables": 3}, {"variables": [ENDLESS]}])
def test_a_damaged_program(roads, tmp_path, program):
    """Frames do not need it."""
    parts = edit_header(program=program)(roads[0].read_bytes().splitlines())
    path = tmp_path / "damaged"
    path.write_bytes(b"".join(line + b"\n" for line in parts))
    trace = lw.Trace.load(path)
    assert len(list(trace)) == len(roads[1].frames)
    with pytest.raises(TraceError, match=rf"^{path}: damaged at byte 0 .*record the run again"):
        assert trace.program


def test_broken_gzip(roads, tmp_path):
    zipped = bytearray(gzip.compress(roads[0].read_bytes()))
    path = tmp_path / "run.gz"
    for byte in (20, len(zipped) // 2, len(zipped) - 6):
        broken = zipped.copy()
        broken[byte] ^= 0xFF
        path.write_bytes(broken)
        with pytest.raises(TraceError, match=rf"^{path}: not a whole gzip file"):
            lw.Trace.load(path)


@pytest.mark.parametrize("zipped", [False, True])
def test_sizes_are_bounded(roads, tmp_path, monkeypatch, zipped):
    text = roads[0].read_bytes()
    path = tmp_path / "run"
    path.write_bytes(gzip.compress(text) if zipped else text)
    monkeypatch.setattr(lines, "LONGEST_LINE", 1000)
    with pytest.raises(TraceError, match="a line is longer than 1,000 bytes"):
        lw.Trace.load(path)
    monkeypatch.setattr(lines, "MOST_BYTES", 1000)
    monkeypatch.setattr(lines, "IN_MEMORY", 10)
    message = "more than 1,000 bytes when decompressed" if zipped else "a line is longer"
    with pytest.raises(TraceError, match=message):
        lw.Trace.load(path)


@pytest.mark.parametrize("name", ["none", "."])
def test_files_that_are_none(tmp_path, name):
    with pytest.raises(TraceError, match=rf"^{tmp_path / name}: (No such file|Is a directory)"):
        lw.Trace.load(tmp_path / name)


def test_a_damaged_model_is_traced(tmp_path):
    """What weights leave in columns of no variable is there as well."""
    model = model_of("topological-sort", "compact")
    used = {c for f in model.layout.fields for c in range(f.first, f.columns.stop)}
    spare = next(c for c in range(model.width) if c not in used)
    mlp = [matrix.copy() for matrix in model.layers[0].mlp]
    mlp[3][:, spare] = 1
    layers = (replace(model.layers[0], mlp=tuple(mlp)), *model.layers[1:])
    damaged, path, seen = replace(model, layers=layers), tmp_path / "run", Seen()
    writer = lw.TraceWriter(path, attention=True)
    with pytest.raises(DidNotHalt):
        run(damaged, ROADS, machine="reference", observers=[writer, seen], max_iterations=2)
    trace = lw.Trace.load(path)
    assert any(x[:, spare].any() for _, _, x in seen.frames)
    for found, (_, _, x) in zip(trace, seen.frames, strict=True):
        assert_array_equal(found.x, x)
