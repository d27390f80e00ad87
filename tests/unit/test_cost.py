"""What a model costs: counted from its weights, and written as people and papers do."""

from __future__ import annotations

import json
from dataclasses import FrozenInstanceError, replace

import pytest

import loopwright as lw
from loopwright.algorithms import ALGORITHMS
from loopwright.model.cost import bound_as_text


@pytest.mark.parametrize("name", ALGORITHMS)
def test_it_is_counted_from_the_weights(name):
    for construction in ALGORITHMS[name].constructions:
        model = lw.compile(ALGORITHMS[name](construction))
        found = lw.cost(ALGORITHMS[name](construction))
        assert found == lw.cost(model)
        assert (found.name, found.construction) == (name, construction)
        assert found.layers == len(model.layers)
        assert found.width == model.layout.width
        assert found.parameters == sum(matrix.size for matrix in model.matrices())
        assert found.nonzeros == sum(int((matrix != 0).sum()) for matrix in model.matrices())
        assert found.heads == model.heads


def test_theorem_of_dijkstra():
    found = lw.cost(lw.algorithms.dijkstra("paper"))
    assert (found.layers, sum(found.heads.values()), found.iterations) == (17, 3, "n²")
    assert found.latex() == rf"dijkstra (paper) & 17 & $n^{{2}}$ & 32 & 3 & {found.nonzeros} \\"
    assert "17 layers, iterations n², width 32, 3 heads (2 standard, 1 AT)" in str(found)


def test_softmax_costs_more():
    soft = lw.cost(lw.compile(lw.algorithms.dijkstra(), attention="softmax"))
    assert soft.attention == "softmax"
    assert soft.layers > lw.cost(lw.algorithms.dijkstra()).layers


def test_as_dict_is_json():
    found = lw.cost(lw.algorithms.scc())
    assert json.loads(json.dumps(found.as_dict())) == found.as_dict()
    assert found.as_dict()["heads"] == found.heads


def test_it_is_frozen():
    with pytest.raises(FrozenInstanceError):
        lw.cost(lw.algorithms.scc()).layers = 1


def test_what_means_something_to_latex_is_escaped():
    named = replace(lw.algorithms.dijkstra(), name="50%_a&b#{c}~^\\$")
    (cell, *_) = lw.cost(named).latex().split(" & ")
    assert cell == (
        r"50\%\_a\&b\#\{c\}\textasciitilde{}\textasciicircum{}\textbackslash{}\$ (compact)"
    )


def test_a_program_without_a_bound():
    found = lw.cost(lw.algorithms.graph_subleq())
    assert found.iterations == "as the input has it"
    assert "& as the input has it &" in found.latex()


@pytest.mark.parametrize(
    ("bound", "text", "latex"),
    [
        ((0, 1), "n", "$n$"),
        ((1, 1), "n + 1", "$n + 1$"),
        ((7,), "7", "$7$"),
        ((0, 2, 3), "3n² + 2n", "$3n^{2} + 2n$"),
        ((0,) * 12 + (1,), "n¹²", "$n^{12}$"),
    ],
)
def test_bounds(bound, text, latex):
    assert bound_as_text(bound) == text
    assert f"& {latex} &" in lw.cost(replace(lw.algorithms.dijkstra(), bound=bound)).latex()


@pytest.mark.parametrize("given", [None, "dijkstra", 3, lw.algorithms.dijkstra])
def test_what_is_neither(given):
    with pytest.raises(lw.LoopwrightError, match="is no program"):
        lw.cost(given)
