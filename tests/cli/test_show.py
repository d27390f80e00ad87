"""`loopwright show`: the program, and what it costs."""

from __future__ import annotations

import re

import pytest

import loopwright as lw
from loopwright.algorithms import ALGORITHMS


def test_dijkstra_is_the_theorems(loopwright):
    report = loopwright("show", "dijkstra", "--construction", "paper", "--json").json
    assert report["layers"] == 17
    assert report["heads"].keys() == {"standard", "A", "AT", "edge"}
    assert sum(report["heads"].values()) == 3
    assert [at["paper_step"] for at in report["steps"]] == list(range(1, 18))
    assert report["steps"][0] == {
        "name": "mask visited nodes",
        "paper_step": 1,
        "heads": {"standard": 0, "A": 0, "AT": 0, "edge": 0},
        "writes": ["dists_masked"],
    }
    assert report["steps"][9]["name"] == "get row of A"
    assert report["steps"][9]["heads"] == {"standard": 1, "A": 0, "AT": 1, "edge": 0}


@pytest.mark.parametrize("name", ALGORITHMS)
def test_json(loopwright, name):
    for construction in ALGORITHMS[name].constructions:
        report = loopwright("show", name, "--construction", construction, "--json").json
        model = lw.compile(ALGORITHMS[name](construction))
        assert {"layers", "heads", "width", "parameters", "nonzeros", "steps"} <= report.keys()
        assert report["layers"] == len(model.layers) == len(report["steps"])
        assert report["width"] == model.width
        assert report["parameters"] == sum(matrix.size for matrix in model.matrices())
        assert 0 < report["nonzeros"] < report["parameters"]
        for at in report["steps"]:
            assert at.keys() == {"name", "paper_step", "heads", "writes"}
            assert at["writes"]
        for kind, count in report["heads"].items():
            assert count == max(at["heads"][kind] for at in report["steps"])


def test_text(loopwright):
    outcome = loopwright("show", "dijkstra", "--construction", "paper")
    assert (outcome.code, outcome.err) == (0, "")
    assert "(17)" in outcome.out
    assert "trigger termination" in outcome.out
    model = lw.compile(lw.algorithms.dijkstra("paper"))
    for number in (17, model.width, model.parameters, model.nonzeros):
        assert re.search(rf"\b{number}\b", outcome.out.replace(",", "")), number


def test_constructions_with_other_answers_are_told_apart(loopwright):
    for construction in ("paper", "printed"):
        shown = loopwright("show", "bfs", "--construction", construction).out
        assert "`printed` visits it in the order of discovery" in shown
    assert "Answers differ" not in loopwright("show", "dijkstra").out


def test_softmax_has_rounding_layers(loopwright):
    command = ("show", "dijkstra", "--construction", "paper", "--json")
    hard, soft = loopwright(*command).json, loopwright(*command, "--attention", "softmax").json
    assert soft["layers"] > hard["layers"]
    added = [at for at in soft["steps"] if at["paper_step"] is None]
    assert len(added) == soft["layers"] - hard["layers"]


@pytest.mark.parametrize(
    ("arguments", "problem"),
    [
        (["astar"], "no algorithm 'astar'"),
        (["dijkstra", "--construction", "mud"], "no construction 'mud'"),
        (["dijkstra", "--attention", "hard"], "'hard' is not one of 'hardmax', 'softmax'"),
        (["dijkstra", "--depth", "3"], "--depth"),
        ([], "Missing argument"),
    ],
)
def test_errors(refused, arguments, problem):
    assert problem in refused("show", *arguments)
