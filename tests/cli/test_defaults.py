"""One default construction: every command and Python mean the same, and every output names it."""

from __future__ import annotations

import pytest

import loopwright as lw
from loopwright.algorithms import ALGORITHMS

COMMANDS = {
    "run": ("run", "dijkstra", "GRAPH", "--source", "Ulm"),
    "check": ("check", "dijkstra", "GRAPH"),
    "show": ("show", "dijkstra"),
    "clrs": ("clrs", "dijkstra", "--split", "val", "--most", "1"),
    "limits": ("limits", "dijkstra", "--axis", "resolution"),
    "traces": ("traces", "dijkstra", "GRAPH", "--source", "Ulm", "--out", "FOLDER"),
}


@pytest.fixture(params=COMMANDS)
def call(request, loopwright, tmp_path):
    """One of the commands, with a graph to read and a new folder to write."""
    (tmp_path / "roads.txt").write_text("Ulm Bonn 2\nBonn Mainz 1\n", encoding="utf-8")
    places = {"GRAPH": tmp_path / "roads.txt", "FOLDER": tmp_path / "out"}
    words = [places.get(word, word) for word in COMMANDS[request.param]]
    return lambda *options: loopwright(*words, *options)


def construction_of(report):
    """Of a report, or of the first of several."""
    return (report[0] if isinstance(report, list) else report)["construction"]


def test_json_names_the_default(call):
    assert construction_of(call("--json").json) == "compact"


@pytest.mark.parametrize("call", [name for name in COMMANDS if name != "limits"], indirect=True)
def test_json_names_another(call):
    """`limits` takes long: tests/unit/test_sweep.py does it."""
    assert construction_of(call("--construction", "paper", "--json").json) == "paper"


def test_what_people_read_names_it(call, monkeypatch):
    monkeypatch.setenv("COLUMNS", "80")
    outcome = call()
    assert outcome.code == 0
    assert "compact" in outcome.out


@pytest.mark.parametrize("name", ALGORITHMS)
def test_python(name):
    """The compact one, or the first where there is none."""
    found = ALGORITHMS[name]
    first, *_ = names = [*found.constructions]
    expected = "compact" if "compact" in names else first
    assert found().construction == found.default == expected
    assert found() == found(expected)


@pytest.mark.parametrize("construction", ["", "tall", 3, []], ids=repr)
def test_a_construction_that_is_not_there(construction):
    with pytest.raises(
        lw.LoopwrightError, match=r"no construction '.*' for 'dijkstra'; there are: "
    ):
        lw.algorithms.dijkstra(construction)
