"""Traces: equal to the run, whole or not there, in bounded memory, ready for PyTorch."""

from __future__ import annotations

import json
import signal
import subprocess
import sys
import time
import tracemalloc

import numpy as np
import pytest

import loopwright as lw
from loopwright.algorithms import ALGORITHMS
from loopwright.lab.experiments.graphs import SHAPES, random_graph, random_source
from loopwright.lab.experiments.shards import write_part
from loopwright.lab.experiments.traces import Example, column_names, write_traces
from loopwright.runtime.encode import encode
from loopwright.runtime.machines import prepare

torch = pytest.importorskip("torch")

from loopwright.lab.experiments import trace_data  # noqa: E402
from loopwright.lab.experiments.trace_data import (  # noqa: E402
    TraceDataset,
    Traces,
    collate_records,
)
from loopwright.runtime.machines.torch import LoopedTransformer  # noqa: E402


def examples(model, sizes=(4, 1, 3), seed=0):
    rng = np.random.default_rng(seed)
    for i, n in enumerate(sizes):
        graph = random_graph(n, rng)
        yield Example(f"graph {i}", graph, random_source(model, graph, rng))


def own_arrays(model, example, machine):
    """(iteration, layer, X before, X after) as the machine shows them."""
    problem = encode(model, example.graph, source=example.source)
    seen = []
    last = problem.x

    def observe(iteration, layer, x):
        nonlocal last
        seen.append((iteration, layer, last, x.copy()))
        last = x.copy()

    prepare(model, machine)(problem, model.max_iterations(example.graph.n), observe)
    return problem, seen


@pytest.mark.parametrize("suffix", ["npz", "parquet"])
@pytest.mark.parametrize(
    ("name", "construction", "attention", "machine"),
    [
        ("dijkstra", "paper", "hardmax", "reference"),
        ("bfs", "compact", "hardmax", "torch"),
        ("scc", "compact", "hardmax", "native"),
        ("bfs", "compact", "softmax", "reference"),
    ],
)
def test_round_trip(tmp_path, name, construction, attention, machine, suffix):
    """Every array is the run's own, to the last bit, whatever the shards."""
    if suffix == "parquet":
        pytest.importorskip("pyarrow")
    model = lw.compile(ALGORITHMS[name](construction), attention=attention)
    given = list(examples(model))
    written = write_traces(model, given, tmp_path, machine=machine, shard_rows=40, suffix=suffix)
    traces = Traces(tmp_path)
    records = iter(traces.records())
    count = 0
    for number, example in enumerate(given):
        problem, seen = own_arrays(model, example, machine)
        adjacency = np.zeros((problem.rows, problem.rows))
        adjacency[problem.tails, problem.heads] = problem.weights
        for iteration, layer, before, after in seen:
            record = next(records)
            count += 1
            assert (record.graph, record.iteration, record.layer) == (number, iteration, layer)
            np.testing.assert_array_equal(record.x, before)
            np.testing.assert_array_equal(record.y, after)
            np.testing.assert_array_equal(record.a, adjacency)
    assert next(records, None) is None
    assert (written.graphs, written.records) == (len(given), count)
    assert written.shards == len(traces.shards()) > 1
    index = traces.index
    assert index["complete"]
    assert (index["graphs"], index["records"]) == (written.graphs, written.records)
    assert traces.layers == [layer.name for layer in model.layers]
    assert not list(tmp_path.glob(".*"))


def test_names(tmp_path):
    """A column is found by its name, a graph by its own and its source."""
    model = lw.compile(lw.algorithms.dijkstra("paper"))
    given = list(examples(model))
    write_traces(model, given, tmp_path)
    traces = Traces(tmp_path)
    (shard,) = traces.shards()
    arrays = traces.read(shard)
    assert traces.columns == column_names(model.layout)
    assert len(set(traces.columns)) == model.width == arrays["inputs"].shape[1]
    assert traces.columns[model.layout["dists"].first] == "dists"
    assert arrays["names"].tolist() == ["graph 0", "graph 1", "graph 2"]
    for example, row in zip(given, arrays["sources"], strict=True):
        assert example.graph.labels[row - 1] == example.source
    *_, last = traces.records()
    answer = model.run(given[-1].graph, source=given[-1].source)
    unreached = float(model.constants.unreached)
    found = last.y[1:, traces.columns.index("dists")].tolist()
    assert found == [unreached if d is None else d for d in answer.dists.values()]


def test_shards_hold_what_they_may(tmp_path):
    model = lw.compile(lw.algorithms.bfs("paper"))
    write_traces(model, examples(model, (5, 5)), tmp_path, shard_rows=50)
    sizes = [len(Traces(tmp_path).read(s)["inputs"]) for s in Traces(tmp_path).shards()]
    assert set(sizes[:-1]) == {48}, "8 records of 6 rows"


def test_a_record_larger_than_a_shard(tmp_path):
    model = lw.compile(lw.algorithms.bfs("compact"))
    written = write_traces(model, examples(model, (3,)), tmp_path, shard_rows=1)
    assert written.shards == written.records


def test_memory_is_bounded(tmp_path):
    """Ten times the graphs take no more memory."""
    model = lw.compile(lw.algorithms.bfs("compact"))

    def peak(count: int) -> int:
        tracemalloc.start()
        folder = tmp_path / str(count)
        write_traces(model, examples(model, [8] * count), folder, shard_rows=500)
        found = tracemalloc.get_traced_memory()[1]
        tracemalloc.stop()
        return found

    peak(2)  # what is loaded once
    assert peak(60) < 1.3 * peak(6)


# ── whole shards only ───────────────────────────────────────────────────────────────────────────


def test_killing_the_writer_leaves_whole_shards(tmp_path):
    folder = tmp_path / "traces"
    command = [
        sys.executable,
        "-c",
        "import sys; from loopwright.cli import main; main(sys.argv[1:])",
        *("traces", "bfs", "--construction", "compact", "--random", "1000000", "--nodes", "6"),
        *("--shard-rows", "200", "--out", folder),
    ]
    writer = subprocess.Popen(command, stdout=subprocess.PIPE, stderr=subprocess.PIPE)
    try:
        deadline = time.monotonic() + 60
        while len(list(folder.glob("shard-*"))) < 8:
            assert writer.poll() is None, writer.stderr.read()
            assert time.monotonic() < deadline, "the writer is stuck"
            time.sleep(0.01)
    finally:
        writer.kill()
        writer.communicate()
    assert writer.returncode == -signal.SIGKILL
    traces = Traces(folder)
    assert not traces.index["complete"]
    model = lw.compile(lw.algorithms.bfs("compact"))
    net = LoopedTransformer.from_model(model)
    shards = traces.shards()
    assert len(shards) >= 8
    assert [int(path.stem.removeprefix("shard-")) for path in shards] == list(range(len(shards)))
    for shard in shards:
        arrays = traces.read(shard)
        assert arrays["first"][-1] == len(arrays["inputs"]) == len(arrays["outputs"]) <= 200
    for record in list(traces.records())[:: len(shards)]:
        x, a = torch.from_numpy(record.x)[None], torch.from_numpy(record.a)[None]
        y = net.layers[record.layer](x, a)[0]
        np.testing.assert_array_equal(y.detach().numpy(), record.y)


def stopped(model, folder, after, **options):
    """Begin traces, and stop when so many graphs have been begun."""

    def until():
        for number, example in enumerate(examples(model, SIZES)):
            if number == after:
                raise KeyboardInterrupt
            yield example

    with pytest.raises(KeyboardInterrupt):
        write_traces(model, until(), folder, shard_rows=40, **options)


SIZES = (3, 5, 4, 6)


def content(folder):
    return {path.name: path.read_bytes() for path in folder.iterdir()}


@pytest.mark.parametrize("after", range(5))
@pytest.mark.parametrize("suffix", ["npz", "parquet"])
def test_a_writer_that_was_stopped_goes_on(tmp_path, suffix, after):
    """Whenever it was stopped, the folder ends up byte for byte as if it had not been."""
    if suffix == "parquet":
        pytest.importorskip("pyarrow")
    model = lw.compile(lw.algorithms.bfs("compact"))
    whole, parts = tmp_path / "whole", tmp_path / "parts"
    all_at_once = write_traces(model, examples(model, SIZES), whole, shard_rows=40, suffix=suffix)
    if after < len(SIZES):
        stopped(model, parts, after, suffix=suffix)
    found = write_traces(model, examples(model, SIZES), parts, shard_rows=40, suffix=suffix)
    assert found == all_at_once
    assert content(parts) == content(whole)


def test_a_shard_that_no_index_counts(tmp_path):
    """The writer was killed between the two."""
    model = lw.compile(lw.algorithms.bfs("compact"))
    whole, parts = tmp_path / "whole", tmp_path / "parts"
    write_traces(model, examples(model, SIZES), whole, shard_rows=40)
    stopped(model, parts, 2)
    counted = Traces(parts).index["shards"]
    (parts / f"shard-{counted:05}.npz").write_bytes(b"of an earlier life")
    write_traces(model, examples(model, SIZES), parts, shard_rows=40)
    assert content(parts) == content(whole)


def test_other_traces_do_not_go_on(tmp_path):
    model = lw.compile(lw.algorithms.bfs("compact"))
    stopped(model, tmp_path, 3)
    before = content(tmp_path)
    others = {
        "another size of shards": (examples(model, SIZES), {"shard_rows": 41}),
        "another machine": (examples(model, SIZES), {"machine": "native"}),
        "other examples": (examples(model, SIZES), {"asked": {"seed": 1}}),
        "another graph of the same name": (examples(model, (3, 5, 7, 6)), {}),
        "too few graphs": (examples(model, (3,)), {}),
        "a graph of another name": (
            [Example("x", e.graph, e.source) for e in examples(model, SIZES)],
            {},
        ),
    }
    for given, options in others.values():
        with pytest.raises(lw.LoopwrightError, match="holds a part of other traces"):
            write_traces(model, given, tmp_path, **({"shard_rows": 40} | options))
    assert content(tmp_path) == before


DIE = """
import os, sys
from pathlib import Path
from loopwright.model.files import write_whole
def half(file):
    file.write(b"half"); file.flush(); os.kill(os.getpid(), 9)
write_whole(Path(sys.argv[1]), half)
"""


def test_half_a_file_is_never_seen(tmp_path):
    path = tmp_path / "shard-00000.npz"
    done = subprocess.run([sys.executable, "-c", DIE, path], check=False)
    assert done.returncode == -signal.SIGKILL
    assert not path.exists()
    assert [left.name for left in tmp_path.iterdir()] == [".shard-00000.npz.partial"]


def test_a_full_disk_is_one_error(tmp_path):
    def full(_):
        raise OSError(28, "No space left on device")

    with pytest.raises(lw.LoopwrightError, match="No space left"):
        write_part(tmp_path / "shard", full)
    assert not list(tmp_path.iterdir())


# ── PyTorch ─────────────────────────────────────────────────────────────────────────────────────


@pytest.fixture(scope="module")
def folder(tmp_path_factory):
    path = tmp_path_factory.mktemp("traces") / "dijkstra"
    model = lw.compile(lw.algorithms.dijkstra("compact"))
    write_traces(model, examples(model), path, shard_rows=30)
    return model, path


def test_loader(folder):
    """A batch of records of unequal graphs is what the net takes, and gives."""
    model, path = folder
    net = LoopedTransformer.from_model(model)
    for index, layer in enumerate(model.layers):
        data = TraceDataset(path, layer=layer.name)
        loader = torch.utils.data.DataLoader(data, batch_size=5, collate_fn=collate_records)
        seen = 0
        for sample in loader:
            assert set(sample.layer.tolist()) == {index}
            torch.testing.assert_close(net.layers[index](*sample.batch), sample.y, rtol=0, atol=0)
            seen += len(sample.y)
        assert seen == sum(record.layer == index for record in Traces(path).records())


def test_workers_share_the_shards(folder, monkeypatch):
    _, path = folder

    def keys():
        return [(r.graph, r.iteration, r.layer) for r in TraceDataset(path)]

    every = keys()
    parts = []
    for number in range(3):
        worker = type("Worker", (), {"id": number, "num_workers": 3})
        monkeypatch.setattr(trace_data, "get_worker_info", lambda worker=worker: worker)
        parts += keys()
    assert sorted(parts) == sorted(every)


def test_unknown_step(folder):
    with pytest.raises(lw.LoopwrightError, match="no step 'dance'"):
        TraceDataset(folder[1], layer="dance")


@pytest.mark.parametrize("text", [None, "{}", "{", '{"format": "loopwright-traces"}'])
def test_no_traces(tmp_path, text):
    if text is not None:
        (tmp_path / "index.json").write_text(text)
    with pytest.raises(lw.LoopwrightError, match=r"index\.json"):
        _ = Traces(tmp_path).index


# ── graphs and the command ──────────────────────────────────────────────────────────────────────


@pytest.mark.parametrize("shape", SHAPES)
def test_random_graphs_follow_from_the_seed(shape):
    first, again, other = (
        random_graph(9, np.random.default_rng(seed), shape=shape) for seed in (1, 1, 2)
    )
    np.testing.assert_array_equal(first.tails, again.tails)
    np.testing.assert_array_equal(first.floats, again.floats)
    assert not np.array_equal(first.tails, other.tails)
    arcs = set(zip(first.tails.tolist(), first.heads.tolist(), strict=True))
    if shape == "undirected":
        assert {(head, tail) for tail, head in arcs} == arcs
    if shape == "acyclic":
        answer = lw.compile(lw.algorithms.topological_sort()).run(first)
        assert answer.iterations > 0
    if shape == "functional":
        assert len(set(first.tails.tolist())) == len(first.tails) > 0
        assert all(tail != head for tail, head in arcs)


def test_command(loopwright, tmp_path):
    graph = tmp_path / "roads.txt"
    graph.write_text("a b 2\nb c 1\n")
    out = tmp_path / "out"
    arguments = (graph, "--source", "a", "--random", 2, "--nodes", 4, "--seed", 3, "--out", out)
    report = loopwright("traces", "dijkstra", *arguments, "--json").json
    assert (report["graphs"], report["shards"]) == (3, 1)
    arrays = Traces(out).read(Traces(out).shards()[0])
    assert arrays["names"].tolist() == [str(graph), "random 3/0", "random 3/1"]
    assert report["records"] == len(arrays["layer"])


def test_command_with_inputs(loopwright, tmp_path):
    arguments = ("--random", 1, "--nodes", 4, "--input", "dfs=1", "--out", tmp_path / "out")
    assert loopwright("traces", "multitask", *arguments, "--json").json["graphs"] == 1


@pytest.mark.parametrize(
    ("arguments", "problem"),
    [
        ([], "traces of what?"),
        (["--random", "1", "--format", "csv"], "'--format': 'csv' is not one of 'npz', 'parquet'"),
        (["--random", "1", "--shape", "round"], "'--shape': 'round' is not one of 'directed'"),
        (
            ["--random", "1", "--limits", "fit"],
            "'--limits': 'fit' is not one of 'default', 'paper'",
        ),
        (["--random", "1", "--machine", "exact"], "the exact machine's numbers are not"),
        (["--random", "1", "--input", "x=1"], "no input 'x'"),
        (["no-such-file"], "no-such-file"),
        (["--random", "-1"], "--random"),
    ],
    ids=lambda value: " ".join(value) if isinstance(value, list) else None,
)
def test_bad_options(refused, tmp_path, arguments, problem):
    out = tmp_path / "out"
    assert problem in refused("traces", "bfs", "--out", out, *arguments)
    assert not out.exists() or not list(out.iterdir())


def test_folder_in_use(loopwright, refused, tmp_path):
    arguments = ("traces", "bfs", "--random", 1, "--nodes", 3, "--out", tmp_path)
    (tmp_path / "index.json").write_text(json.dumps({}))
    assert "not loopwright-traces version 1" in refused(*arguments)
    (tmp_path / "index.json").unlink()
    assert loopwright(*arguments).code == 0
    assert "holds traces already" in refused(*arguments)


def test_out_is_needed(refused):
    assert "--out" in refused("traces", "bfs", "--random", 1)
