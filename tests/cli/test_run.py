"""`loopwright run`: answers by label, or one line that says what is wrong."""

from __future__ import annotations

import io
import json
import subprocess
import sys
from pathlib import Path

import networkx as nx
import pytest
from rich.table import Table

import loopwright as lw
from loopwright.cli import output
from loopwright.errors import Divergence
from loopwright.watch.verify import Lockstep

FIELDS = {
    "algorithm",
    "construction",
    "attention",
    "machine",
    "nodes",
    "edges",
    "layers",
    "heads",
    "width",
    "parameters",
    "nonzeros",
    "iterations",
    "halted",
    "limits",
    "guaranteed",
    "exact",
    "checked",
    "seconds",
    "total_seconds",
    "compile_seconds",
    "result",
}
ROADS = "# a comment\nUlm Bonn 2.5\nBonn Köln 1/4\nUlm Köln 3\nAlone\n"
DISTS = {"Ulm": 0.0, "Bonn": 2.5, "Köln": 2.75, "Alone": None}
PREV = {"Ulm": "Ulm", "Bonn": "Ulm", "Köln": "Bonn", "Alone": "Alone"}


@pytest.fixture
def roads(tmp_path):
    path = tmp_path / "roads.txt"
    path.write_text(ROADS, encoding="utf-8")
    return path


def test_json(loopwright, roads):
    report = loopwright("run", "dijkstra", roads, "--source", "Ulm", "--verify", "--json").json
    assert report.keys() == FIELDS
    assert report["result"] == {"dists": DISTS, "prev": PREV}
    model = lw.compile(lw.algorithms.dijkstra("compact"))
    for name, expected in {
        "algorithm": "dijkstra",
        "construction": model.construction,
        "attention": "hardmax",
        "nodes": 4,
        "edges": 3,
        "layers": len(model.layers),
        "heads": model.heads,
        "width": model.width,
        "parameters": model.parameters,
        "nonzeros": model.nonzeros,
        "halted": True,
    }.items():
        assert report[name] == expected, name
    assert report["heads"].keys() == {"standard", "A", "AT", "edge"}
    assert report["machine"] in lw.runtime.machines.MACHINES
    assert report["total_seconds"] >= report["seconds"] >= 0
    assert report["compile_seconds"] > 0


def test_paper_takes_n_squared_iterations(loopwright, roads):
    report = loopwright(
        "run", "dijkstra", roads, "--source", "Ulm", "--construction", "paper", "--json"
    ).json
    assert (report["construction"], report["iterations"], report["layers"]) == ("paper", 16, 17)


def test_undirected(loopwright, roads):
    report = loopwright("run", "dijkstra", roads, "--source", "Köln", "--undirected", "--json").json
    assert report["edges"] == 3
    assert report["result"]["dists"] == {"Ulm": 2.75, "Bonn": 0.25, "Köln": 0, "Alone": None}


def test_exact_machine_prints_fractions(loopwright, tmp_path):
    path = tmp_path / "thirds.txt"
    path.write_text("a b 1/3\nb c 1/6\n")
    command = ("run", "dijkstra", path, "--source", "a", "--machine", "exact", "--json")
    report = loopwright(*command).json
    assert report["machine"] == "exact"
    assert report["result"]["dists"] == {"a": 0, "b": "1/3", "c": 0.5}


def test_graphml(loopwright, tmp_path):
    graph = nx.Graph()
    graph.add_weighted_edges_from([("x", "y", 1.5), ("y", "z", 2.0)])
    path = tmp_path / "graph.graphml"
    nx.write_graphml(graph, path)
    report = loopwright("run", "dijkstra", path, "--source", "z", "--json").json
    assert report["result"]["dists"] == {"x": 3.5, "y": 2.0, "z": 0.0}
    assert report["edges"] == 2


def test_table(loopwright, roads):
    outcome = loopwright("run", "dijkstra", roads, "--source", "Ulm", "--verify")
    assert (outcome.code, outcome.err) == (0, "")
    for text in ("Köln", "2.75", "Alone", "–", "4 nodes, 3 edges", "right after every layer"):
        assert text in outcome.out


@pytest.mark.parametrize("option", ["-h", "--help"])
def test_help(loopwright, option):
    outcome = loopwright("run", option)
    assert outcome.code == 0
    assert "--source" in outcome.out


def test_version(loopwright):
    assert loopwright("--version").out == f"loopwright {lw.__version__}\n"


# ── errors ──────────────────────────────────────────────────────────────────────────────────────


@pytest.mark.parametrize(
    ("text", "problem"),
    [
        ("a b -1\n", ":1: edge a → b: weight -1.0 is negative"),
        ("a b 1\nb c nan\n", ":2: edge b → c: weight nan is not finite"),
        ("a b inf\n", ":1: edge a → b: weight inf is not finite"),
        ("a b 0\n", ":1: edge a → b: weight 0"),
        ("a b x\n", ":1: edge a → b: weight 'x' is not a number"),
        ("a b 1 2\n", ":1: expected 'tail head [weight]', got 4 fields"),
        ("", "the graph is empty"),
        ("a b 1\na b 2\n", "given twice"),
    ],
    ids=["negative", "NaN", "infinite", "zero", "text", "4 fields", "empty", "twice"],
)
def test_bad_graph(refused, tmp_path, text, problem):
    path, trace = tmp_path / "graph.txt", tmp_path / "trace"
    path.write_text(text)
    for more in ((), ("--json",), ("--verify",), ("--trace", trace)):
        message = refused("run", "dijkstra", path, "--source", "a", *more)
        assert str(path) in message
        assert problem in message
    assert not trace.exists()


@pytest.mark.parametrize(
    ("arguments", "problem"),
    [
        (["--source", "Rome"], "node 'Rome' is not in the graph"),
        ([], "'dijkstra' starts at a node"),
        (["--source", "Ulm", "--speed", "9"], "--speed"),
        (
            ["--source", "Ulm", "--machine", "abacus"],
            "'--machine': 'abacus' is not one of 'reference'",
        ),
        (
            ["--source", "Ulm", "--attention", "hard"],
            "'--attention': 'hard' is not one of 'hardmax'",
        ),
        (["--source", "Ulm", "--construction", "mud"], "no construction 'mud' for 'dijkstra'"),
        (["--source"], "--source"),
        (["--source", "Ulm", "extra"], "extra"),
    ],
    ids=lambda value: " ".join(value) if isinstance(value, list) else None,
)
def test_bad_options(refused, roads, tmp_path, arguments, problem):
    trace = tmp_path / "trace"
    assert problem in refused("run", "dijkstra", roads, "--trace", trace, *arguments)
    assert not trace.exists()


def test_trace_verify_and_monitor_together(loopwright, roads, tmp_path):
    trace = tmp_path / "trace"
    watch = ("--verify", "--monitor", "--trace", trace)
    report = loopwright("run", "dijkstra", roads, "--source", "Ulm", *watch, "--json").json
    assert [row["flag"] for row in report["margins"]] == [0.0] * report["layers"]
    assert trace.read_text(encoding="utf-8").count("\n") > report["iterations"]


def test_missing_file(refused, tmp_path):
    missing = tmp_path / "no.txt"
    assert f"{missing}: No such file" in refused("run", "dijkstra", missing, "--source", "a")


def test_directory(refused, tmp_path):
    assert str(tmp_path) in refused("run", "dijkstra", tmp_path, "--source", "a")


def test_unknown_algorithm(refused, roads):
    assert "no algorithm 'astar'; there are: dijkstra" in refused("run", "astar", roads)


def test_unknown_command(refused):
    assert "walk" in refused("walk")


@pytest.mark.parametrize("arguments", [["run"], ["run", "dijkstra"]])
def test_missing_arguments(refused, arguments):
    assert "Missing argument" in refused(*arguments)


def test_softmax_on_the_exact_machine(refused, roads):
    command = ("run", "dijkstra", roads, "--source", "Ulm", "--machine", "exact")
    assert "no softmax" in refused(*command, "--attention", "softmax")


def test_trace_that_cannot_be_written(refused, roads, tmp_path):
    trace = tmp_path / "nowhere" / "trace"
    assert str(trace) in refused("run", "dijkstra", roads, "--source", "Ulm", "--trace", trace)


def test_debug_shows_the_error(roads):
    from loopwright.cli import main

    with pytest.raises(lw.LoopwrightError, match="Rome"):
        main(["run", "dijkstra", str(roads), "--source", "Rome", "--debug"])


# ── trace ───────────────────────────────────────────────────────────────────────────────────────


@pytest.mark.parametrize("name", ["trace.jsonl", "trace.jsonl.gz"])
def test_trace(loopwright, roads, tmp_path, name):
    command = ("run", "dijkstra", roads, "--source", "Ulm", "--json", "--trace", tmp_path / name)
    report = loopwright(*command).json
    trace = lw.Trace.load(tmp_path / name)
    assert (tmp_path / name).read_bytes().startswith(b"\x1f\x8b") == name.endswith(".gz")
    assert trace.header["algorithm"] == "dijkstra"
    assert trace.labels == ("Ulm", "Bonn", "Köln", "Alone")
    assert (len(trace.layers), trace.iterations) == (report["layers"], report["iterations"])
    assert (trace.halted, trace.outputs) == (True, report["result"])
    assert [layer["name"] for layer in trace.layers] == [step.name for step in trace.program.steps]


def test_trace_of_a_run_that_fails(loopwright, roads, tmp_path, monkeypatch):
    """The frame in which it was found to be wrong is there."""

    def diverge(self, iteration, layer, x):
        if (iteration, layer) == (2, 1):
            raise Divergence("this is wrong")

    monkeypatch.setattr(Lockstep, "after_layer", diverge)
    command = ("run", "dijkstra", roads, "--source", "Ulm", "--verify")
    assert loopwright(*command, "--trace", tmp_path / "trace").code == 1
    trace = lw.Trace.load(tmp_path / "trace")
    assert (trace.halted, trace.iterations, len(trace)) == (False, 2, len(trace.layers) + 2)


def test_trace_does_not_change_the_answer(loopwright, roads, tmp_path):
    command = ("run", "dijkstra", roads, "--source", "Ulm", "--json")
    plain = loopwright(*command).json
    traced = loopwright(*command, "--trace", tmp_path / "trace").json
    assert plain["result"] == traced["result"]


# ── a process of its own, once for each way to start it ─────────────────────────────────────────


@pytest.mark.parametrize(
    "script",
    [[Path(sys.executable).with_name("loopwright")], [sys.executable, "-m", "loopwright"]],
    ids=["loopwright", "python -m loopwright"],
)
def test_console_script(roads, script):
    command = [*script, "run", "dijkstra", roads, "--source"]
    good = subprocess.run([*command, "Ulm", "--json"], capture_output=True, text=True, check=False)
    assert (good.returncode, good.stderr) == (0, "")
    assert json.loads(good.stdout)["result"]["dists"] == DISTS
    bad = subprocess.run([*command, "Rome"], capture_output=True, text=True, check=False)
    assert (bad.returncode, bad.stdout) == (2, "")
    assert bad.stderr.startswith("loopwright: node 'Rome' is not in the graph")
    assert bad.stderr.count("\n") == 1


def test_one_set_of_weights_where_it_suffices(loopwright, tmp_path):
    """Fitted only where the default weights would not be exact, and in rationals."""
    fine, coarse = tmp_path / "fine.txt", tmp_path / "coarse.txt"
    coarse.write_text("a b 0.1\nb c 3\n", encoding="utf-8")
    fine.write_text(f"a b {2**19 + 2.0**-30:.40g}\nb c 1\n", encoding="utf-8")

    def limits(path, *options):
        return loopwright("run", "dijkstra", path, "--source", "a", "--json", *options).json[
            "limits"
        ]

    assert limits(coarse) == "default"
    assert limits(fine) == "fit"
    assert limits(coarse, "--machine", "exact") == "fit"
    assert limits(fine, "--limits", "default") == "default"


HOSTILE = {
    "nodes": [{"id": 1}, {"id": "1"}, {"id": "\x1b[2J"}, {"id": "\u202egnoL"}, {"id": ":cat:[b]"}],
    "edges": [
        {"source": 1, "target": "1", "weight": 1000000.5},
        {"source": "1", "target": "\x1b[2J", "weight": 0.25},
        {"source": 1, "target": "\u202egnoL", "weight": 2},
    ],
}


@pytest.fixture
def hostile(tmp_path):
    path = tmp_path / "hostile.json"
    path.write_text(json.dumps(HOSTILE), encoding="utf-8")
    return path


def test_nodes_that_are_written_alike(loopwright, hostile, roads):
    report = loopwright("run", "dijkstra", hostile, "--source", "1", "--json").json
    pairs = report["result_pairs"]
    assert pairs["dists"][:2] == [[1, None], ["1", 0.0]]
    assert pairs["prev"][:2] == [[1, 1], ["1", "1"]]
    assert len(report["result"]["dists"]) == 4
    report = loopwright("run", "dijkstra", roads, "--source", "Ulm", "--json").json
    assert "result_pairs" not in report


def test_what_is_printed_can_be_seen(loopwright, hostile, tmp_path):
    """No label moves the cursor, turns the line around, or is taken for markup or an emoji."""
    calls = [(), ("--json",)]
    outcomes = [loopwright("run", "components", hostile, *call).out for call in calls]
    assert ":cat:[b]" in outcomes[0]
    assert r"\x1b[2J" in outcomes[0]
    assert r"\u202egnoL" in outcomes[0]
    outcomes.append(loopwright("run", "dijkstra", hostile, "--source", "\u202e").err)
    outcomes.append(loopwright("run", "dijkstra", tmp_path / "\x1b[2J", "--source", "a").err)
    for text in outcomes:
        assert text
        assert all(line.isprintable() for line in text.splitlines())


LABELS = (
    "Ulm",
    "東京",
    "e\u0301",
    "\x1b[2J",
    "\u202egnoL",
    ":cat:[b]",
    " two  words ",
    "👩\u200d🔬",
)


@pytest.mark.parametrize("width", ["80", "20", "300"])
def test_tables_of_many_rows_look_the_same(monkeypatch, width):
    """Rich needs 10 s for 50,000 nodes: it is asked for one row, and for no other table."""
    rows = [(f"{label}{i}", i) for i in range(200) for label in LABELS]
    wanted = output._drawn(output.table(("node", "[red]"), rows), width=80).splitlines()
    drawn = []
    monkeypatch.setenv("COLUMNS", width)
    monkeypatch.setattr(output, "table", lambda *a, of=output.table: drawn.append(a) or of(*a))
    assert output.listing(("node", "[red]"), rows).splitlines() == wanted
    ((_, asked),) = drawn
    assert len(asked) == 1


def test_a_result_of_many_nodes_is_listed(loopwright, tmp_path, monkeypatch):
    path = tmp_path / "path.txt"
    path.write_text("".join(f"node{i} node{i + 1}\n" for i in range(1200)), encoding="utf-8")
    rich, rows = Table.add_row, []
    monkeypatch.setattr(Table, "add_row", lambda *a: rows.append(a) or rich(*a))
    out = loopwright("run", "bellman-ford", path, "--source", "node0").out
    assert len(rows) == 1
    assert "│ node1200 │ 1200  │ node1199 │" in out


def test_half_a_character(loopwright, tmp_path):
    path = tmp_path / "half.json"
    path.write_text('{"nodes": [{"id": "\\ud800"}], "edges": []}', encoding="utf-8")
    report = loopwright("run", "components", path, "--json").json
    assert report["result"]["component"] == {"\ud800": "\ud800"}


def test_digits_that_round_trip(loopwright, tmp_path):
    path = tmp_path / "roads.txt"
    path.write_text("a b 1000000.5\nb c 0.1\nc d 3\n", encoding="utf-8")
    shown = loopwright("run", "dijkstra", path, "--source", "a").out
    report = loopwright("run", "dijkstra", path, "--source", "a", "--json").json
    for label, dist in report["result"]["dists"].items():
        row = next(line for line in shown.splitlines() if line.startswith(f"│ {label} "))
        assert float(row.split("│")[2]) == dist
    assert "1000000.5 " in shown


# ── which weight, and standard input ────────────────────────────────────────────────────────────


@pytest.fixture
def lengths(tmp_path):
    graph = nx.DiGraph()
    graph.add_edge("a", "b", length=2.5, time=7)
    nx.write_graphml(graph, tmp_path / "roads.graphml")
    return tmp_path / "roads.graphml"


def test_weight(loopwright, refused, lengths):
    for weight, dist in (("length", 2.5), ("time", 7), ("none", 1)):
        call = "dijkstra", lengths, "--source", "a", "--weight", weight, "--json"
        assert loopwright("run", *call).json["result"]["dists"] == {"a": 0, "b": dist}
    assert "--weight length" in refused("run", "dijkstra", lengths, "--source", "a")
    assert loopwright("check", "dijkstra", lengths, "--weight", "length", "--json").json["exact"]


def test_standard_input(loopwright, refused, monkeypatch):
    def given(content):
        monkeypatch.setattr("sys.stdin", io.TextIOWrapper(io.BytesIO(content.encode())))

    given(ROADS)
    report = loopwright("run", "dijkstra", "-", "--source", "Ulm", "--json").json
    assert report["result"]["dists"] == DISTS
    given("a b c d\n")
    assert ":1: expected 'tail head [weight]'" in refused("run", "dijkstra", "-", "--source", "a")
    monkeypatch.setattr("sys.stdin", None)  # as the shell's <&- leaves it
    assert "standard input is closed" in refused("run", "dijkstra", "-", "--source", "a")
