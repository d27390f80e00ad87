"""Interventions by meaning: weights against the program's own counterfactual."""

from __future__ import annotations

from itertools import islice

import networkx as nx
import numpy as np
import pytest

import loopwright as lw
from compiled import compiled
from loopwright.algorithms import ALGORITHMS
from loopwright.circuits.interchange import pairs, random_interchanges
from loopwright.errors import LoopwrightError
from loopwright.runtime.machines import MACHINES

ROADS = [("a", "b", 3), ("b", "c", 0.5), ("a", "c", 10), ("c", "d", 1), ("b", "d", 5)]
RUNNABLE = [
    (name, construction)
    for name, algorithm in ALGORITHMS.items()
    for construction in algorithm.constructions
    if algorithm(construction).bound
]


@pytest.mark.parametrize("machine", MACHINES)
@pytest.mark.parametrize("construction", ["paper", "compact"])
def test_a_shorter_way_to_c(construction, machine):
    """By hand: with 1 in the place of its distance, c is 1 away and d is 2."""
    found = lw.patch(
        compiled("dijkstra", construction),
        ROADS,
        variable="dists",
        node="c",
        iteration=1,
        value=1,
        source="a",
        machine=machine,
    )
    assert found.dists == {"a": 0, "b": 3, "c": 1, "d": 2}
    assert found.agrees


def test_a_patch_before_the_first_layer_is_another_source():
    """Dijkstra that starts from two nodes, against NetworkX."""
    graph = nx.gnp_random_graph(8, 0.4, seed=3, directed=True)
    rng = np.random.default_rng(0)
    for _, _, data in graph.edges(data=True):
        data["weight"] = int(rng.integers(1, 9))
    found = lw.patch(
        compiled("dijkstra", "compact"),
        graph,
        variable="dists",
        node=5,
        iteration=1,
        layer=-1,
        value=0,
        source=0,
    )
    expected = nx.multi_source_dijkstra_path_length(graph, {0, 5})
    assert {k: v for k, v in found.dists.items() if v is not None} == expected


@pytest.mark.parametrize(("name", "construction"), RUNNABLE)
def test_interchange_interventions(name, construction):
    """A few; `scripts/interchange.py` makes a thousand for each."""
    count = 4 if construction == "paper" else 12
    done = list(random_interchanges(compiled(name, construction), count, seed=7, nodes=4))
    assert len(done) == count
    for each in done:
        assert each.found is None or each.found.agrees, each


def test_interchanges_change_answers():
    done = random_interchanges(compiled("dijkstra", "compact"), 30, seed=1)
    assert sum(each.changed for each in done) > 10


def test_a_model_that_is_not_its_program_is_found_out():
    """One weight that is off, and interventions show it."""
    from dataclasses import replace

    model = compiled("dijkstra", "compact")
    layer = model.layers[2]
    value = layer.heads[2].value * 2  # every edge weighs twice as much
    heads = (*layer.heads[:2], replace(layer.heads[2], value=value))
    broken = replace(model, layers=(*model.layers[:2], replace(layer, heads=heads)))
    done = random_interchanges(broken, 10, seed=1)
    assert any(each.found and not each.found.agrees for each in done)


def test_pairs_differ_in_one_variable():
    model = compiled("dijkstra", "compact")
    for pair in islice(pairs(model, variable="dists", iteration=2, seed=4), 5):
        assert np.count_nonzero(pair.clean.weights != pair.corrupted.weights) == 1
        ends = [
            lw.patch(model, graph, variable="prev", value=None, iteration=2, source=pair.source)
            for graph in (pair.clean, pair.corrupted)
        ]
        assert all(end.agrees for end in ends)


@pytest.mark.parametrize(
    ("options", "complaint"),
    [
        ({"variable": "distance"}, "did you mean"),
        ({"node": "z"}, "z"),
        ({"iteration": 99}, "halts before iteration 99"),
        ({"value": "near"}, "is a value"),
        ({"value": -1}, "cannot hold it"),
        ({"value": [1, 2], "node": None}, "2 values for 4 nodes"),
        ({"layer": 7}, "layer=7"),
        ({"variable": "path", "layer": 0}, "variable"),
        ({"variable": "B_global", "node": None}, "'B_global' is what every model has"),
        ({"variable": "own_square"}, "'own_square' is what every model has"),
    ],
)
def test_what_cannot_be_set_is_said(options, complaint):
    given = {"variable": "dists", "node": "c", "iteration": 1, "value": 1, "source": "a"}
    with pytest.raises(LoopwrightError, match=complaint):
        lw.patch(compiled("dijkstra", "compact"), ROADS, **(given | options))
