"""`model.safetensors` on the command line: as it was saved, unless something else is asked for."""

from __future__ import annotations

import pytest

import loopwright as lw
from loopwright.compiler.pack import pack
from own_files import HOPS_AWAY, words


def test_a_saved_model_is_run_as_it_is(loopwright, roads, saved):
    """Its limits are its own: here for 8 nodes, where the package's default is for 65,536."""
    command = ("run", saved(nodes=8), roads, "--source", "Ulm", "--json")
    kept = loopwright(*command).json
    assert (kept["limits"], kept["result"]["hops"]) == ("saved", HOPS_AWAY)
    assert loopwright(*command, "--limits", "default").json["limits"] == "default"
    assert "up to 8 nodes" in loopwright("show", saved(nodes=8)).out


def test_a_saved_model_keeps_its_attention(loopwright, roads, saved):
    path = saved("softmax", nodes=8, largest=64)
    command = ("run", path, roads, "--source", "Ulm", "--json")
    assert loopwright(*command).json["attention"] == "softmax"
    hard = loopwright(*command, "--attention", "hardmax").json
    assert (hard["attention"], hard["layers"], hard["result"]["hops"]) == ("hardmax", 2, HOPS_AWAY)
    again = loopwright(*command, "--limits", "fit").json
    assert (again["attention"], again["limits"]) == ("softmax", "fit")


def test_what_is_compiled_again_keeps_the_limits(loopwright, roads, saved):
    """For softmax, but for 8 nodes as before."""
    report = loopwright("check", saved(nodes=8), roads, "--attention", "softmax", "--json").json
    (nodes,) = (each for each in report["conditions"] if each["name"] == "nodes")
    assert nodes["allowed"] == 8
    assert "up to 8 nodes" in loopwright("show", saved(nodes=8), "--attention", "softmax").out


def test_a_saved_model_is_not_compiled(loopwright, roads, saved, monkeypatch):
    path = saved()
    monkeypatch.setattr("loopwright.cli.find.compile", None)
    assert loopwright(*words("run", path, roads)).code == 0
    assert loopwright(*words("run", path, roads), "--construction", "own").code == 0


def test_a_saved_model_has_one_construction(refused, roads, saved):
    said = refused(*words("run", saved(), roads), "--construction", "paper")
    assert "no construction 'paper' for 'hops'; there are: own." in said


def test_a_packed_model_shows_its_layers(loopwright, tmp_path):
    path = tmp_path / "packed.safetensors"
    lw.compile(pack(lw.algorithms.dijkstra("paper"))).save(path)
    assert loopwright("show", path, "--json").json["layers"] == 6
    assert loopwright("show", path, "--attention", "softmax", "--json").json["layers"] == 27


@pytest.mark.parametrize(
    ("content", "problem"), [(None, "No such file"), (b"junk", "not a whole safetensors file")]
)
@pytest.mark.parametrize("command", ["run", "show", "limits"])
def test_a_file_that_is_no_model(refused, roads, tmp_path, command, content, problem):
    path = tmp_path / "odd.safetensors"
    if content:
        path.write_bytes(content)
    said = refused(*words(command, path, roads))
    assert str(path) in said
    assert problem in said
