"""The whole pipeline on three nodes, in seconds: program, weights, file, machines, answer."""

from __future__ import annotations

import pytest

import loopwright as lw

GRAPH = [("a", "b", 3), ("b", "c", 1.5), ("a", "c", 10)]
DISTS = {"a": 0.0, "b": 3.0, "c": 4.5}


@pytest.mark.parametrize("construction", ["paper", "compact"])
def test_from_program_to_answer(tmp_path, construction):
    program = lw.algorithms.dijkstra(construction)
    model = lw.compile(program, limits=lw.Limits(nodes=3, largest=16))
    model.save(tmp_path / "model.safetensors")
    loaded = lw.load(tmp_path / "model.safetensors")
    assert lw.interpret(program, GRAPH, source="a").dists == DISTS
    assert lw.verify(loaded, GRAPH, source="a").dists == DISTS
    for machine in ("reference", "native", "exact"):
        assert loaded.run(GRAPH, source="a", machine=machine).dists == DISTS
    assert loaded.check(GRAPH).exact


def test_from_the_command_line(loopwright, tmp_path):
    (tmp_path / "graph.txt").write_text("a b 3\nb c 1.5\na c 10\n", encoding="utf-8")
    report = loopwright("run", "dijkstra", tmp_path / "graph.txt", "--source", "a", "--json").json
    assert report["result"]["dists"] == DISTS
