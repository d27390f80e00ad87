"""Every command takes `file.py:name`, and a saved model, in the place of a name."""

from __future__ import annotations

import pytest

import loopwright as lw
from loopwright.algorithms import ALGORITHMS
from own_files import COMMANDS, HOPS, HOPS_AWAY, PROGRAM, hops, words


@pytest.mark.parametrize("command", COMMANDS)
def test_every_command(loopwright, roads, it, command):
    outcome = loopwright(*words(command, it, roads))
    assert (outcome.code, outcome.err) == (0, "")
    assert "hops" in outcome.out


def test_run(loopwright, roads, it):
    report = loopwright(*words("run", it, roads), "--verify", "--json").json
    assert report["result"] == {"hops": HOPS_AWAY}
    assert (report["algorithm"], report["layers"], report["guaranteed"]) == ("hops", 2, True)


def test_show(loopwright, roads, it):
    report = loopwright("show", it, "--json").json
    assert [step["name"] for step in report["steps"]] == ["look for new nodes", "count them in"]
    assert report["nonzeros"] == lw.compile(hops()).nonzeros


def test_check(loopwright, roads, it):
    assert loopwright("check", it, roads, "--json").json["guaranteed"]


def test_traces(loopwright, roads, it):
    report = loopwright(*words("traces", it, roads), "--json").json
    assert (report["algorithm"], report["graphs"], report["records"]) == ("hops", 1, 6)


def test_bench(loopwright, roads, it):
    """Nothing can be compared with: there are the loop and the whole call."""
    results = loopwright(*words("bench", it, roads), "--json").json
    assert {row["machine"] for row in results["runs"]} >= {"reference", "native"}
    for row in results["runs"]:
        assert row["algorithm"] == "hops"
        assert 0 < row["seconds"]
        assert 0 < row["total_seconds"]
    assert not any("library" in row for row in results["runs"])
    assert "large" not in results


# ── limits ──────────────────────────────────────────────────────────────────────────────────────


def test_limits_ask_the_interpreter(loopwright, file):
    found = loopwright("limits", f"{file()}:hops", "--axis", "positions", "--json").json
    (axis,) = found["axes"]
    assert [point["allowed"] for point in axis["points"]] == [8, 16, 32]
    assert all(point["measured"] >= point["allowed"] for point in axis["points"])
    assert all(point["wrong"] == 0 for point in axis["points"])


def test_limits_know_our_names_from_others(loopwright, file):
    """NetworkX says what is right of our Dijkstra, and nothing of a program that is called so."""
    called = PROGRAM + "\nimport dataclasses\nhops = dataclasses.replace(hops, name='dijkstra')\n"
    found = loopwright("limits", f"{file(called)}:hops", "--axis", "omega", "--json").json
    assert found["algorithm"] == "dijkstra"
    assert [point["wrong"] for point in found["axes"][0]["points"]] == [0, 0]


def test_limits_of_a_saved_model_are_those_of_its_program(loopwright, tmp_path):
    """For ours, the interpreter finds the borders that NetworkX finds."""
    path = tmp_path / "model.safetensors"
    lw.compile(lw.algorithms.dijkstra()).save(path)
    command = ("--axis", "omega", "--axis", "resolution", "--json")
    assert (
        loopwright("limits", path, *command).json == loopwright("limits", "dijkstra", *command).json
    )


def test_limits_of_what_needs_an_undirected_graph(loopwright, tmp_path):
    path = tmp_path / "model.safetensors"
    lw.compile(lw.algorithms.prim()).save(path)
    (axis,) = loopwright("limits", path, "--axis", "resolution", "--json").json["axes"]
    assert [point["allowed"] for point in axis["points"]] == [
        point["limit"] for point in axis["points"]
    ]
    assert all(point["wrong"] == 0 for point in axis["points"])


def test_limits_end_where_the_program_has_no_answer(loopwright, file):
    """With a bound of 10 iterations, a path of more nodes than that is too long."""
    path = file(function=HOPS.replace("bound=(1, 1)", "bound=(10,)"))
    (axis,) = loopwright("limits", path, "--axis", "positions", "--json").json["axes"]
    assert [point["allowed"] for point in axis["points"]] == [8, 10, 10]
    assert max(point["measured"] for point in axis["points"]) < 11
    assert all(point["wrong"] == 0 for point in axis["points"])


def test_limits_leave_out_what_cannot_be_driven(loopwright, file):
    """Where Ω is small there is no room for 1000; still there is a border for the positions."""
    path = file(function=HOPS.replace("(round_, round_, 1)", "(round_, round_, 1000)"))
    found = loopwright("limits", path, "--axis", "omega", "--axis", "positions", "--json").json
    assert [axis["name"] for axis in found["axes"]] == ["positions"]
    assert "omega" in found["left_out"]
    shown = loopwright("limits", path, "--axis", "omega", "--axis", "positions").out
    assert "Left out, omega: " in shown
    alone = loopwright("limits", path, "--axis", "omega")
    assert (alone.code, alone.err.count("\n")) == (2, 1)
    assert "'hops' cannot be driven: " in alone.err


# ── costs ───────────────────────────────────────────────────────────────────────────────────────


def test_latex(loopwright, it):
    found = lw.cost(hops())
    row = (
        f"{found.layers} & $n + 1$ & {found.width} & {sum(found.heads.values())} & {found.nonzeros}"
    )
    assert f"& {row} \\\\\n" in loopwright("show", it, "--latex").out


def test_latex_of_ours(loopwright, refused):
    rows = loopwright("show", "dijkstra", "--latex").out.splitlines()
    assert rows == [
        lw.cost(lw.algorithms.dijkstra(name)).latex()
        for name in ALGORITHMS["dijkstra"].constructions
    ]
    assert (
        loopwright("show", "dijkstra", "--construction", "paper", "--latex").out == rows[0] + "\n"
    )
    assert "--latex and --json" in refused("show", "dijkstra", "--latex", "--json")
