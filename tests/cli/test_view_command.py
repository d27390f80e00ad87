"""`loopwright view`: pages from runs and from traces, and what it refuses."""

from __future__ import annotations

from pathlib import Path

import pytest

import loopwright as lw

ROADS = Path(__file__).parents[2] / "examples" / "roads.txt"
DIJKSTRA = ["dijkstra", ROADS, "--source", "Ulm", "--undirected"]


@pytest.fixture(autouse=True)
def elsewhere(tmp_path, monkeypatch):
    monkeypatch.chdir(tmp_path)


def test_a_run_becomes_a_page(loopwright):
    said = loopwright("view", *DIJKSTRA)
    page = Path("run.html").read_bytes()
    words = "dijkstra (compact, hardmax) on 9 nodes"
    assert (said.code, said.err) == (0, "")
    assert said.out == f"run.html: {words}, {len(page):,} bytes.\n"
    graph = lw.Graph.of(ROADS).undirected()
    made = lw.view(lw.compile(lw.algorithms.dijkstra()), graph, source="Ulm")
    assert page.decode() == made.html


@pytest.mark.parametrize("attention", ["hardmax", "softmax"])
def test_a_trace_becomes_the_same_page(loopwright, attention):
    options = ["--attention", attention]
    loopwright("run", *DIJKSTRA, *options, "--trace", "run.trace")
    loopwright("view", *DIJKSTRA, *options, "--out", "of-run.html")
    said = loopwright("view", "run.trace", "--out", "of-trace.html")
    assert said.code == 0, said.err
    assert Path("of-trace.html").read_text() == Path("of-run.html").read_text()


def test_a_trace_of_other_weights_has_none(loopwright):
    """What its program compiles to would be shown as what ran."""
    model = lw.compile(lw.algorithms.dijkstra())
    broken = lw.viewer.breaking.break_weight(model, "1,W4,0,nearest=7").model
    graph = lw.Graph.of(ROADS).undirected()
    lw.Model.of(broken).run(graph, source="Ulm", observers=[lw.TraceWriter("run.trace")])
    assert loopwright("view", "run.trace").code == 0
    assert Path("run.html").read_text() == lw.view(lw.Trace.load("run.trace")).html


def test_a_broken_weight_is_said_where_it_shows(loopwright):
    said = loopwright("view", *DIJKSTRA, "--break", "2,W4,0,visit=1")
    assert said.code == 0, said.err
    _, stopped = said.out.splitlines()
    assert stopped.startswith("Stopped: 'dijkstra' diverges at iteration 1, layer 2, ")
    assert stopped.endswith("variable 'visit', node 'Ulm': expected 1.0, found 2.0.")


def test_open_opens_the_file(loopwright, monkeypatch):
    opened = []
    monkeypatch.setattr("webbrowser.open", opened.append)
    loopwright("view", *DIJKSTRA, "--open", "--break", "3,W4,0,dists=7")
    assert opened == [Path("run.html").resolve().as_uri()]


@pytest.mark.parametrize(
    ("arguments", "complaint"),
    [
        (["dijkstra"], "'dijkstra' needs a graph"),
        (["dijkstr"], "did you mean 'dijkstra'?"),
        ([ROADS], "not a trace"),
        ([*DIJKSTRA, "--break", "nonsense"], "names no weight"),
        ([*DIJKSTRA, "--start", "99"], "start=99: the run ended after 9 iterations."),
        ([*DIJKSTRA, "--out", "nowhere/run.html"], "nowhere/run.html"),
    ],
)
def test_what_is_refused(refused, arguments, complaint):
    assert complaint in refused("view", *arguments)
    assert not Path("run.html").exists()


def test_a_page_does_not_replace_what_it_is_made_of(loopwright):
    """Neither the graph, by whatever name, nor a trace, nor the file of an algorithm."""
    Path("roads.txt").write_bytes(ROADS.read_bytes())
    Path("link.html").symlink_to("roads.txt")
    loopwright("run", *DIJKSTRA, "--trace", "run.trace")
    Path("hops.py").write_bytes((ROADS.parent / "algorithms" / "hops.py").read_bytes())
    before = {path: path.read_bytes() for path in Path().iterdir()}
    ulm = ["roads.txt", "--source", "Ulm"]
    for given in (
        ["dijkstra", *ulm, "--out", "roads.txt"],
        ["dijkstra", *ulm, "--out", "link.html"],
        ["run.trace", "--out", "./run.trace"],
        ["hops.py:hops", *ulm, "--out", "hops.py"],
    ):
        said = loopwright("view", *given)
        assert (said.code, said.out) == (2, ""), given
        assert "this is the file to read from: write to another one." in said.err
    assert {path: path.read_bytes() for path in Path().iterdir()} == before
