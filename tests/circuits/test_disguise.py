"""Disguises: the same answers on every machine, and nothing to be read off the axes."""

from __future__ import annotations

from functools import cache

import numpy as np
import pytest

import loopwright as lw
from loopwright.algorithms import ALGORITHMS
from loopwright.circuits.basis import hadamard
from loopwright.circuits.bench.tasks import LIMITS
from loopwright.circuits.check import check_circuit
from loopwright.circuits.graphs import flags_of, random_graphs, random_problems
from loopwright.errors import CapacityError, LoopwrightError
from loopwright.runtime.basis import Turned
from loopwright.runtime.encode import encode
from loopwright.runtime.machines import MACHINES
from loopwright.runtime.machines.reference import loop

OPTIONS = ("permute", "mix", "units", "distractors", "noise")


@cache
def plain(name: str, construction: str) -> lw.Model:
    return lw.compile(ALGORITHMS[name](construction), limits=LIMITS)


@cache
def hidden(name: str, construction: str):
    return lw.disguise(plain(name, construction), seed=3)


def test_hadamard_is_exactly_orthogonal():
    for order in (4, 16):
        h = hadamard(order)
        np.testing.assert_array_equal(h @ h.T, np.eye(order))
        assert set(np.abs(h).ravel()) == {order**-0.5}


@pytest.mark.parametrize("machine", MACHINES)
@pytest.mark.parametrize(
    ("name", "construction"),
    [
        ("dijkstra", "compact"),
        ("bfs", "compact"),
        ("topological-sort", "compact"),
        ("dijkstra", "parallel"),
    ],
)
def test_every_machine_gives_the_right_answer(name, construction, machine):
    model, other = plain(name, construction), hidden(name, construction).model
    for graph, source in random_graphs(model, 3, nodes=5, seed=8):
        expected = model.run(graph, source=source)
        found = other.run(graph, source=source, machine=machine)
        assert found.result == expected.result
        assert found.iterations == expected.iterations
        assert found.guaranteed


@pytest.mark.parametrize("construction", ["paper", "compact", "parallel"])
def test_a_disguised_model_is_verified_layer_by_layer(construction):
    """What observers see is the program's variables, after every layer, to the last bit."""
    other = hidden("dijkstra", construction).model
    (graph, source), *_ = random_graphs(other, 1, nodes=4, seed=2)
    lw.verify(other, graph, source=source)


@pytest.mark.parametrize("option", OPTIONS)
def test_each_disguise_alone(option):
    model = plain("dijkstra", "compact")
    options = dict.fromkeys(OPTIONS, False) | {"distractors": 0}
    options |= {option: 2 if option == "distractors" else True}
    other = lw.disguise(model, seed=1, **options).model
    for graph, source in random_graphs(model, 4, nodes=6, seed=8):
        assert other.run(graph, source=source).result == model.run(graph, source=source).result
    same = [
        np.array_equal(a, b) if a.shape == b.shape else False
        for a, b in zip(model.matrices(), other.matrices(), strict=False)
    ]
    assert not all(same)


def test_columns_cannot_be_read():
    """What an axis shows is not the variable; what the truth says is."""
    disguised = hidden("dijkstra", "compact")
    model = disguised.model
    (graph, source), *_ = random_graphs(model, 1, nodes=6, seed=5)
    problem = Turned(model.basis).problem(encode(model, graph, source=source))
    x, _ = loop(model, problem, 99)
    dists = model.run(graph, source=source).array("dists")
    right = np.where(np.isfinite(dists), dists, float(model.constants.unreached))
    right = right * float(problem.scale) if problem.scale != 1 else right
    assert not any(np.array_equal(x[1:, column], right) for column in range(model.width))
    np.testing.assert_array_equal(x[1:] @ disguised.directions["dists"][0], right)


@pytest.mark.parametrize("construction", ["compact", "parallel"])
def test_the_planted_circuit_is_the_one_that_matters(construction):
    disguised = hidden("dijkstra", construction)
    problems = random_problems(disguised.model, 6, nodes=5, seed=19)
    report = check_circuit(disguised.model, disguised.circuit(), problems, outside_on=1)
    assert report.wrong == []
    assert report.inside > 50


def test_noise_leaves_choices_alone_that_need_all_their_bits():
    """How Dijkstra's parallel weights find the edge by which a path came about: of edges by which
    W·path − W·value is 0, the heaviest; W·path is more than a float can tell apart from itself plus
    what makes the choice."""
    model = lw.compile(ALGORITHMS["dijkstra"]("parallel"))
    other = lw.disguise(model, seed=0).model
    step = float(other.constants.resolution)
    ways = [(f"v{i}", i * step) for i in range(4)]  # all of one length
    graph = [("s", v, 81 + i) for v, i in ways] + [(v, "t", 119 - i) for v, i in ways]
    lw.verify(other, lw.Graph.of(graph), source="s")
    assert other.run(graph, source="s", machine="reference").prev["t"] == "v0"


def test_distractors_are_outside():
    disguised = lw.disguise(plain("dijkstra", "compact"), seed=2, mix=False, noise=False)
    names = {field.name for field in disguised.aligned.layout.fields}
    assert {"distractor 1", "distractor 2"} <= names
    assert not {"distractor 1"} & set(disguised.aligned.layout.outputs.values())


def test_units_are_said_where_they_are():
    disguised = hidden("bfs", "compact")
    for layer, was in zip(disguised.aligned.layers, disguised.units, strict=True):
        for units, old in zip(layer.parts.units, was, strict=True):
            assert len(units) == len(old) >= len(set(old))
    assert any(len(old) > len(set(old)) for was in disguised.units for old in was)


def test_a_seed_is_a_seed(tmp_path):
    model = lw.disguise(plain("dfs", "compact"), seed=4).model
    model.save(tmp_path / "model")
    again = lw.disguise(plain("dfs", "compact"), seed=4).model
    for loaded in (again, lw.load(tmp_path / "model")):
        for found, expected in zip(loaded.matrices(), model.matrices(), strict=True):
            np.testing.assert_array_equal(found, expected)
        np.testing.assert_array_equal(loaded.basis, model.basis)
    other = lw.disguise(plain("dfs", "compact"), seed=5).model
    assert not np.array_equal(model.basis, other.basis)


def test_interventions_in_disguise():
    found = lw.patch(
        hidden("dijkstra", "compact").model,
        [("a", "b", 3), ("b", "c", 0.5), ("a", "c", 10)],
        variable="dists",
        node="c",
        iteration=1,
        value=1,
        source="a",
    )
    assert found.agrees
    assert found.dists["c"] == 1


def test_the_default_limits_are_narrowed_to_what_can_be_mixed():
    model = lw.compile(lw.algorithms.dijkstra())
    other = lw.disguise(model, seed=0).model
    assert other.constants.nodes < model.constants.nodes
    with pytest.raises(CapacityError, match="nodes"):
        other.run([(i, i + 1, 1) for i in range(200)], source=0)


def test_what_cannot_be_disguised_is_said():
    soft = lw.compile(lw.algorithms.dijkstra(), attention="softmax", limits=lw.Limits.paper())
    with pytest.raises(LoopwrightError, match="softmax"):
        lw.disguise(soft, seed=0)
    with pytest.raises(LoopwrightError, match="already"):
        lw.disguise(hidden("dijkstra", "compact").model, seed=0)
    with pytest.raises(LoopwrightError, match="in disguise"):
        lw.circuit(hidden("dijkstra", "compact").model)


def test_multitask_keeps_its_input():
    model, other = plain("multitask", "compact"), hidden("multitask", "compact").model
    for number, (graph, source) in enumerate(random_graphs(model, 4, nodes=5, seed=1)):
        options = {"source": source, **flags_of(model, number)}
        assert other.run(graph, **options).result == model.run(graph, **options).result
