"""Where a message asks for other limits, it says how a command gets them; here that is done."""

from __future__ import annotations

import runpy

import pytest

import loopwright as lw
from loopwright.runtime.encode import Problem

ROADS = "a b 123456789012\nb c 1\n"
OWN = """
import loopwright as lw

@lw.algorithm(name="tall", iterations=lambda n: n)
def tall(p):
    height = p.nodes.value(start=0)
    height[:] = height + 2**40
    p.halt_when(p.all(height > 2**39))
    return {"height": height}
"""
SAVE = (
    "as ALGORITHM, a model that Python has saved, "
    "with lw.compile(program, limits=lw.Limits(…)).save"
)


@pytest.fixture
def files(tmp_path, monkeypatch):
    """A graph, an algorithm with a large number in it, and a model for two nodes."""
    monkeypatch.chdir(tmp_path)
    (tmp_path / "roads.txt").write_text(ROADS)
    (tmp_path / "far.txt").write_text("a b 1e300\nb c 1e-300\n")
    (tmp_path / "own.py").write_text(OWN)
    lw.compile(lw.algorithms.dijkstra(), limits=lw.Limits(nodes=2)).save("small.safetensors")
    return tmp_path


FIT = [
    f"{command} {algorithm}"
    for command in (
        *("run dijkstra roads.txt --source a", "verify dijkstra roads.txt --source a"),
        "view dijkstra roads.txt --source a --out run.html",
    )
    for algorithm in ("--limits paper", "--limits auto")
]


@pytest.mark.parametrize("call", FIT)
def test_limits_that_fit(refused, loopwright, files, call):
    if "auto" in call:
        call = call.replace("dijkstra", "small.safetensors")
    said = refused(*call.split())
    assert "Recompile with Limits" in said
    assert f"On the command line: --limits fit; or {SAVE}" in said
    assert loopwright(*call.split(), "--limits", "fit").code == 0


def test_check_says_so_too(loopwright, files):
    call = ("check", "small.safetensors", "roads.txt")
    outcome = loopwright(*call)
    assert outcome.code == 1
    assert "Recompile with Limits(nodes=3). On the command line: --limits fit; or" in outcome.out
    assert loopwright(*call, "--limits", "fit").code == 0


@pytest.mark.parametrize("limits", ["auto", "fit"])
def test_what_fits_best_has_been_tried(refused, files, limits):
    said = refused("run", "dijkstra", "far.txt", "--source", "a", "--limits", limits)
    assert said.endswith(f"On the command line, --limits {limits} has tried them.\n")


def test_a_command_that_cannot_fit(refused, loopwright, files):
    call = ("traces", "bfs", "--random", "1", "--nodes", "630", "--density", "0.001")
    call += ("--machine", "native", "--out", "traces")
    assert f"On the command line: no --limits paper; or {SAVE}" in refused(
        *call, "--limits", "paper"
    )
    assert loopwright(*call).code == 0


@pytest.mark.parametrize(
    "call",
    [
        "traces small.safetensors --random 1 --nodes 12 --out traces",
        "export small.safetensors --onnx small.onnx --check 9",
    ],
)
def test_a_model_that_python_has_saved(refused, loopwright, files, call):
    assert f"On the command line: {SAVE}" in refused(*call.split())
    lw.compile(lw.algorithms.dijkstra(), limits=lw.Limits(nodes=12)).save("model.safetensors")
    assert loopwright(*call.replace("small.s", "model.s").split()).code == 0


CALLS = ["run own roads.txt", "verify own roads.txt", "show own", "export own --hub hub"]


@pytest.mark.parametrize(
    ("call", "limits"),
    [*((call, []) for call in CALLS), ("run own roads.txt", ["--limits", "default"])],
)
def test_an_algorithm_with_a_large_number(refused, loopwright, files, call, limits):
    """No graph is too large here, so that limits which fit one are no remedy."""
    said = refused(*call.replace("own", "own.py:tall").split(), *limits)
    assert f"declare other Limits. On the command line: {SAVE}" in said
    wide = lw.Limits(nodes=9, largest=2**40, resolution=1)
    tall = runpy.run_path("own.py")["tall"]
    lw.compile(tall(), limits=wide).save("model.safetensors")
    assert loopwright(*call.replace("own", "model.safetensors").split()).code == 0


@pytest.mark.parametrize("call", ["limits own.py:tall", "circuits own.py:tall --out folder"])
def test_commands_with_limits_of_their_own(refused, files, call):
    command = call.split()[0]
    said = refused(*call.split())
    assert said.endswith(f"On the command line, '{command}' has limits of its own.\n")


def test_a_saved_model_keeps_its_limits_for_traces_of_many_nodes(refused, files):
    few = lw.Limits(nodes=2)
    lw.compile(lw.algorithms.topological_levels(), limits=few).save("few.safetensors")
    call = "traces few.safetensors --random 1 --nodes 70000 --density 0 --out traces"
    assert "70000 exceeds 2 " in refused(*call.split(), "--machine", "native")


def test_not_enough_memory(refused, files, monkeypatch):
    def nothing_left(problem):
        raise MemoryError("Unable to allocate 74.5 GiB")

    monkeypatch.setattr(Problem, "adjacency", nothing_left)
    call = "run dijkstra roads.txt --source a --machine reference"
    said = refused(*call.split())
    assert "not enough memory: Unable to allocate 74.5 GiB: take fewer nodes, or --machine" in said
