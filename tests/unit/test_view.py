"""`lw.view` without a browser: what goes into a page, and what is refused."""

from __future__ import annotations

import gzip
import json
import re
from base64 import b64decode

import numpy as np
import pytest

import loopwright as lw
from loopwright.algorithms import ALGORITHMS
from loopwright.errors import Divergence
from loopwright.viewer import frames
from loopwright.viewer.breaking import break_weight, named_matrices
from loopwright.viewer.columns import column_table, held_by
from loopwright.watch.monitor import TURNS, Monitor

EDGES = [("a", "b", 3), ("b", "c", 0.5), ("a", "c", 4), ("c", "d", 1)]
MODEL = lw.compile(lw.algorithms.dijkstra())


def facts(view) -> dict:
    """The data of a page."""
    data = re.search(r'id="data">([^<]*)</script>', view.html)[1]
    return json.loads(gzip.decompress(b64decode(data)))


@pytest.fixture(scope="module")
def shown():
    return lw.view(MODEL, EDGES, source="a")


# ── the page ────────────────────────────────────────────────────────────────────────────────────


def test_a_page_is_saved_whole_and_shows_itself(tmp_path, shown):
    shown.save(tmp_path / "run.html")
    assert (tmp_path / "run.html").read_text(encoding="utf-8") == shown.html
    assert repr(shown).startswith("<View of dijkstra (compact, hardmax) on 4 nodes: ")
    assert shown._repr_html_().startswith('<iframe title="dijkstra (compact, hardmax) on 4 nodes"')
    with pytest.raises(lw.LoopwrightError, match="No such file"):
        shown.save(tmp_path / "nowhere" / "run.html")


def test_a_page_names_no_other_address(shown):
    """The one address is the name of a format: that of drawings."""
    addresses = set(re.findall(r"https?://[^\s\"'`]+", shown.html))
    assert addresses == {"http://www.w3.org/2000/svg"}
    assert "default-src 'none'" in shown.html


def test_the_same_run_makes_the_same_page(shown, monkeypatch):
    monkeypatch.setattr("time.time", lambda: 1e9)
    assert lw.view(MODEL, EDGES, source="a").html == shown.html


@pytest.mark.parametrize("name", [name for name in ALGORITHMS if name != "graph-subleq"])
def test_every_algorithm_can_be_viewed(name):
    model = lw.compile(ALGORITHMS[name]())
    graph = lw.Graph.of(EDGES)
    graph = graph.undirected() if "undirected" in model.needs else graph
    source = None if model.source == "none" else "a"
    data = facts(lw.view(model, graph, source=source))
    assert data["halted"]
    assert len(data["layers"]) == len(data["weights"]) == len(model.layers)


def test_margins_are_those_of_the_monitor():
    """In the paper's construction, layers have different ones."""
    monitor, paper = Monitor(), lw.compile(lw.algorithms.dijkstra("paper"))
    paper.run(EDGES, source="a", observers=[monitor])
    data = facts(lw.view(paper, EDGES, source="a"))
    order = [turn["name"] for turn in data["turns"]]
    for layer, worst in enumerate(monitor.margins):
        seen = [line[1:] for line in data["margins"] if (line[0] - 1) % 17 == layer]
        for k, name in enumerate(order):
            numbers = [line[k] for line in seen if line[k] is not None]
            found = (min if TURNS[name].below else max)(numbers, default=None)
            expected = getattr(worst, name)
            assert found == (float(f"{expected:.3g}") if np.isfinite(expected) else None)


def test_margins_of_a_long_run_end_with_a_notice(monkeypatch):
    monkeypatch.setattr(frames, "MOST_MEASURED", 5 * 5 * 110)
    data = facts(lw.view(MODEL, EDGES, source="a"))
    assert data["notices"] == ["Margins (Safety) were measured up to iteration 2 alone."]
    assert 0 < max(line[0] for line in data["margins"]) <= 6


def test_columns_ask_the_layout():
    table = column_table(MODEL.layout, len(MODEL.layers))
    names = [field.name for field in MODEL.layout.fields]
    assert len(table) == 1 + len(MODEL.layers)
    for layer, row in enumerate(table, start=-1):
        for column, number in enumerate(row):
            held = held_by(MODEL.layout, column, layer)
            assert (names[number] if number >= 0 else None) == (held and held.name)
    column = MODEL.layout["nearest"].first
    turns = [held_by(MODEL.layout, column, layer) for layer in range(-1, len(MODEL.layers))]
    assert [held and held.name for held in turns] == [None, "nearest", "node", "node"]


# ── a broken weight ─────────────────────────────────────────────────────────────────────────────


def test_one_weight_is_changed_and_no_other():
    broken = break_weight(MODEL, "2,W_V1,dists,chosen=5")
    row, column = MODEL.layout["dists"].first, MODEL.layout["chosen"].first
    assert (broken.layer, broken.row, broken.column, broken.value) == (1, row, column, 5)
    for k, (before, after) in enumerate(zip(MODEL.layers, broken.model.layers, strict=True)):
        old, new = named_matrices(before), named_matrices(after)
        differ = [(name, *map(int, np.argwhere(old[name] != new[name]).ravel())) for name in old]
        expected = [("W_V1", row, column)] if k == 1 else []
        assert [each for each in differ if len(each) > 1] == expected


@pytest.mark.parametrize(
    ("text", "complaint"),
    [
        ("", "names no weight"),
        ("1,W1,0,0", "names no weight"),
        ("0,W1,0,0=1", "there are 1 to 3"),
        ("4,W1,0,0=1", "there are 1 to 3"),
        ("1,W5,0,0=1", "no matrix 'W5'"),
        ("1,W1,99,0=1", f"there are 0 to {MODEL.width - 1}"),
        ("1,W1,dist5,0=1", "did you mean 'dist'?"),
        ("1,W2,dists,0=1", "row 'dists'"),
        ("1,W1,0,0=many", "'many' is no weight"),
        ("1,W1,0,0=nan", "'nan' is no weight"),
    ],
)
def test_what_names_no_weight_is_refused(text, complaint):
    with pytest.raises(lw.LoopwrightError, match=re.escape(complaint)):
        lw.view(MODEL, EDGES, source="a", broken=text)


def test_a_broken_run_ends_at_the_first_cell_that_differs():
    place = "3,W4,0,dists=7"
    with pytest.raises(Divergence) as divergence:
        lw.verify(break_weight(MODEL, place).model, EDGES, source="a")
    data = facts(lw.view(MODEL, EDGES, source="a", broken=place))
    assert data["stop"]["message"] == str(divergence.value)
    iteration, layer = map(
        int, re.search(r"iteration (\d+), layer (\d+)", str(divergence.value)).groups()
    )
    assert data["last"] == (iteration - 1) * 3 + layer
    row, column, expected = data["stop"]["apart"][0]
    assert f"expected {expected}, found " in str(divergence.value)
    last = data["changes"][-1]
    cells = zip(last[1::3], last[2::3], last[3::3], strict=True)
    changed = {(r, c): value for c, r, value in cells}
    assert f"found {changed[row, column]}" in str(divergence.value)


def test_a_run_may_leave_all_numbers():
    data = facts(lw.view(MODEL, EDGES, source="a", broken="3,W_V1,edge,dists=1e308"))
    message = data["stop"]["message"]
    assert "diverges" in message
    data = facts(lw.view(MODEL, EDGES, source="a", broken="1,W_V1,dists,dists=-1e308"))
    assert "inf" in json.dumps(data["changes"]) or "nan" in json.dumps(data["changes"])


def test_a_weight_may_be_broken_without_harm():
    """The last unit is one that the first layer has no use for: it is 0, whatever it is times."""
    last = MODEL.width - 1
    assert not MODEL.layers[0].mlp[2][:, last].any()
    data = facts(lw.view(MODEL, EDGES, source="a", broken=f"1,W4,{last},{last}=5"))
    assert data["broken"] == [0, "W4", last, last, 0]
    assert data["stop"] is None
    assert "On this run it changes nothing" in data["notices"][1]


# ── traces ──────────────────────────────────────────────────────────────────────────────────────


@pytest.fixture
def trace(tmp_path):
    MODEL.run(EDGES, source="a", observers=[lw.TraceWriter(tmp_path / "run.jsonl")])
    return lw.Trace.load(tmp_path / "run.jsonl")


def test_a_trace_with_its_model_makes_the_same_page(trace, shown):
    assert lw.view(trace, model=MODEL).html == shown.html


def test_a_stopped_run_is_said_to_be_one(tmp_path):
    writer = lw.TraceWriter(tmp_path / "run.jsonl")
    with pytest.raises(lw.LoopwrightError, match="did not halt"):
        MODEL.run(EDGES, source="a", observers=[writer], max_iterations=2)
    data = facts(lw.view(lw.Trace.load(tmp_path / "run.jsonl"), model=MODEL))
    assert data["notices"] == ["The recorded run did not come to its end."]
    data = facts(lw.view(MODEL, EDGES, source="a", max_iterations=2))
    assert data["stop"]["message"] == "'dijkstra' did not halt within 2 iterations."


@pytest.mark.parametrize("part", ["inputs", "constants", "layers", "program"])
def test_a_damaged_header_is_one_line(tmp_path, trace, part):
    header, *rest = (tmp_path / "run.jsonl").read_text().splitlines()
    data = json.loads(header)
    data[part] = [{"name": "x"}] * 3 if part == "layers" else None
    (tmp_path / "run.jsonl").write_text(
        "\n".join([json.dumps(data, separators=(",", ":")), *rest, ""])
    )
    with pytest.raises(lw.LoopwrightError, match="damaged"):
        lw.view(lw.Trace.load(tmp_path / "run.jsonl"), model=None if part != "inputs" else MODEL)


def test_another_model_is_refused(trace):
    other = break_weight(MODEL, "1,W4,0,nearest=7").model
    for model in (
        other,
        lw.compile(lw.algorithms.bfs()),
        lw.compile(lw.algorithms.dijkstra("paper")),
    ):
        with pytest.raises(lw.LoopwrightError, match="give the model that ran"):
            lw.view(trace, model=model)


def test_frames_since_an_iteration(trace):
    frames = list(trace.since(3))
    assert [(f.iteration, f.layer) for f in frames] == [
        (i, l) for i in range(3, trace.iterations + 1) for l in range(3)
    ]
    np.testing.assert_array_equal(frames[4].x, trace[4, 1].x)
    with pytest.raises(lw.LoopwrightError, match="no frame"):
        trace.since(99)


@pytest.mark.parametrize(
    ("arguments", "complaint"),
    [
        (lambda trace: {"run": MODEL}, "give it a graph"),
        (lambda trace: {"run": "dijkstra"}, "lw.compile"),
        (lambda trace: {"run": trace, "graph": EDGES}, "a trace has its graph"),
        (lambda trace: {"run": trace, "model": "dijkstra"}, "the model that ran"),
        (lambda trace: {"run": trace, "start": 99}, "the run ended after 4 iterations"),
        (lambda trace: {"run": trace, "start": 0}, "at least 1|from 1"),
        (lambda trace: {"run": MODEL, "graph": EDGES}, "say which, with source"),
    ],
)
def test_what_cannot_be_shown_is_refused(trace, arguments, complaint):
    with pytest.raises(lw.LoopwrightError, match=complaint):
        lw.view(**arguments(trace))
