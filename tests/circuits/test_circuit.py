"""What every part does, and which edges matter: from the weights, and by taking edges away."""

from __future__ import annotations

import json
from dataclasses import replace

import networkx as nx
import numpy as np
import pytest

import loopwright as lw
from compiled import compiled
from loopwright.algorithms import ALGORITHMS
from loopwright.circuits.ablate import head_outputs, run_ablated
from loopwright.circuits.check import check_circuit, outside_of
from loopwright.circuits.graphs import random_problems
from loopwright.errors import LoopwrightError
from loopwright.model.weights import EDGE_HEADS
from loopwright.runtime.encode import encode
from loopwright.runtime.machines.reference import head_output, loop

ALL = [(name, c) for name, algorithm in ALGORITHMS.items() for c in algorithm.constructions]


@pytest.mark.parametrize(("name", "construction"), ALL)
def test_every_head_and_unit_serves_an_op_of_its_step(name, construction):
    model = compiled(name, construction)
    variables = {field.name for field in model.layout.fields}
    for layer in model.layers:
        assert layer.parts is not None
        assert len(layer.parts.heads) == len(layer.heads)
        for head, moves in zip(layer.heads, layer.parts.heads, strict=True):
            sees = variables | ({"A"} if head.over in EDGE_HEADS else set())
            assert {move.source.partition("[")[0] for move in moves} <= sees
            assert {move.target.partition("[")[0] for move in moves} <= variables
        names = set(layer.writes)
        used = [int(np.count_nonzero(w.any(axis=0))) for w in layer.mlp[:3]]
        assert [len(units) for units in layer.parts.units] == used
        for units in layer.parts.units:
            for unit in units:
                assert unit.writes or unit.erases
                assert {*unit.writes, *unit.erases} <= names


def test_what_a_unit_holds_is_what_its_formula_says():
    """Formulas are read by Python itself, with columns of X under their variables' names."""
    model = compiled("dijkstra", "paper")
    (problem,) = random_problems(model, 1, nodes=4, seed=0)
    checked = 0

    def look(iteration, index, x):
        nonlocal checked
        if iteration != 3 or index + 1 == len(model.layers):
            return
        layer = model.layers[index + 1]
        if layer.heads:
            return
        names = {}
        for field in model.layout.after(index):
            for i in range(field.kind.width):
                tail = f"[{i}]" if field.kind.width > 1 else ""
                names[field.name + tail] = x[:, field.first + i]
        z = np.maximum(x @ layer.mlp[0], 0)
        for u, unit in enumerate(layer.parts.units[0]):
            text = unit.formula.replace("·", "*").replace("−", "-")
            for name in sorted(names, key=len, reverse=True):
                text = text.replace(name, f"names[{list(names).index(name)}]")
            scope = {"relu": lambda y: np.maximum(y, 0), "names": list(names.values())}
            np.testing.assert_allclose(eval(text, scope), z[:, u])
            checked += 1

    loop(model, problem, 99, look)
    assert checked > 20


def test_parts_are_saved_and_a_file_without_them_is_a_model(tmp_path):
    model = compiled("bfs", "compact")
    model.save(tmp_path / "with")
    assert lw.load(tmp_path / "with").layers[1].parts == model.layers[1].parts
    bare = replace(model, layers=tuple(replace(layer, parts=None) for layer in model.layers))
    bare.save(tmp_path / "without")
    old = lw.load(tmp_path / "without")
    edges = [("a", "b"), ("b", "c")]
    assert old.run(edges, source="a").prev == model.run(edges, source="a").prev
    with pytest.raises(LoopwrightError, match="compile it again"):
        lw.circuit(old)


def test_dijkstra_by_head():
    found = lw.circuit(compiled("dijkstra", "compact"))
    assert "dists" in found.edges["m2->a0.h1<k>"].variables
    assert found.edges["m2->a0.h1<k>"].carries
    assert found.edges["m2->logits"].in_graph
    assert not found.edges["m0->logits"].in_graph  # `nearest` is no output
    assert found.nodes["a2.h2"].ops == ("edge[:] ← A[chosen, :]",)
    assert not found.edges["input.visit->m0"].in_graph  # it starts at 0: there is nothing to read


def test_what_was_erased_is_not_carried():
    """Layer 2 overwrites the column of `chosen`, so the next iteration does not find it."""
    found = lw.circuit(compiled("dijkstra", "compact"))
    edges = found.inside.values()
    assert any(not edge.carries for edge in edges)
    assert found.edges["m1->a2.h2<v>"].carries


@pytest.mark.parametrize("grain", ["step", "head", "unit"])
def test_exports(grain):
    found = lw.circuit(compiled("dijkstra", "compact"), grain=grain)
    data = json.loads(found.to_json())
    assert {"nodes", "edges"} <= data.keys()
    assert all(type(edge["in_graph"]) is bool for edge in data["edges"].values())
    graph = found.to_networkx()
    inside = [name for name, edge in data["edges"].items() if edge["in_graph"]]
    assert graph.number_of_edges() == len(inside)
    again = nx.parse_graphml("\n".join(nx.generate_graphml(graph)), force_multigraph=True)
    assert again.number_of_edges() == len(inside)
    for node in ("logits", "halt"):
        assert nx.ancestors(graph, node)


@pytest.mark.parametrize(
    ("name", "construction"),
    [("scc", "compact"), *((name, c) for name, c in ALL if c == "parallel")],
)
def test_runs_without_ablation_are_the_references(name, construction):
    model = compiled(name, construction)
    for problem in random_problems(model, 8, nodes=6, seed=2):
        x, iterations = loop(model, problem, 99)
        (plain,) = run_ablated(model, problem, [None], 99)
        columns = [model.layout[name].first for name in model.layout.outputs.values()]
        np.testing.assert_array_equal(plain.outputs, x[1:, columns])
        assert plain.iterations == iterations


def test_an_edge_is_taken_away_by_hand():
    """Dijkstra's last MLP does not see the edge weights that the graph's head brings."""
    model = compiled("dijkstra", "compact")
    (problem,) = random_problems(model, 1, nodes=5, seed=3)
    edge = lw.circuit(model).edges["a2.h2->m2"]
    (found,) = run_ablated(model, problem, [edge], 99)
    dists = found.outputs[:, 0]
    assert np.count_nonzero(dists < float(model.constants.unreached)) == 1  # the source alone


def test_an_edge_head_without_its_graph_finds_row_0():
    """Nobody is reached, as from a source without edges: the program runs on such a graph, too."""
    model = compiled("dijkstra", "parallel")
    problem = encode(model, lw.Graph.of([("a", "b", 3), ("b", "c", 1)]), source="a")
    edges = [edge for edge in lw.circuit(model).inside.values() if edge.source == "input.graph"]
    assert {model.layers[layer_of(edge)].heads[head_of(edge)].over for edge in edges} == {"E"}
    alone = model.run(lw.Graph.from_edges([], nodes="abc"), source="a").dists
    nearest = next(edge for edge in edges if layer_of(edge) == 0)
    (found,) = run_ablated(model, problem, [nearest], 99)
    far = float(model.constants.unreached)
    dists = list(model.layout.outputs).index("dists")
    assert found.outputs[:, dists].tolist() == [
        far if each is None else each for each in alone.values()
    ]


def layer_of(edge):
    return int(edge.target[1:].partition(".")[0])


def head_of(edge):
    return int(edge.target.partition(".h")[2])


@pytest.mark.parametrize("port", ["q", "k", "v"])
def test_an_edge_head_reads_three_different_x(port):
    """A head that sees zeros in the place of X is one whose matrix for that is 0."""
    model = compiled("components", "parallel")
    (problem,) = random_problems(model, 1, nodes=5, seed=1)
    x, a, rng = problem.x[None], problem.adjacency(), np.random.default_rng(0)
    x = x + rng.integers(0, 4, x.shape)
    d, tried = model.width, 0
    for head in (head for layer in model.layers for head in layer.heads if head.over == "E"):
        seen = {each: 0 * x if each == port else x for each in "qkv"}
        found = head_outputs(model, head, *seen.values(), a)
        name = {"q": "query", "k": "key", "v": "value"}[port]
        weights = getattr(head, name).copy()
        weights[:d] = 0
        expected = head_output(model, replace(head, **{name: weights}), x[0], a)
        np.testing.assert_array_equal(found[0], expected)
        tried += 1
    assert tried


@pytest.mark.parametrize(
    ("name", "construction", "grain", "sizes"),
    [
        ("dijkstra", "compact", "head", (4, 6)),
        ("dijkstra", "compact", "unit", (4, 6)),
        ("bfs", "compact", "head", (4, 6)),
        ("dijkstra", "paper", "head", (4,)),
        ("dijkstra", "parallel", "unit", (4, 6)),
        ("components", "parallel", "head", (4, 6)),
    ],
)
def test_every_edge_by_intervention(name, construction, grain, sizes):
    model = compiled(name, construction)
    found = lw.circuit(model, grain=grain)
    problems = [p for n in sizes for p in random_problems(model, 4, nodes=n, seed=19)]
    report = check_circuit(model, found, problems, outside_on=1)
    assert report.wrong == []
    assert report.outside == found.possible - len(found.inside)
    assert report.inside + len(report.redundant) == len(found.inside)
    assert report.inside > 0.6 * len(found.inside)
    assert all(report.redundant.values())


@pytest.mark.parametrize(
    ("construction", "name"),
    [
        ("compact", "m2->a0.h1<k>"),
        ("parallel", "m1->a0.h1<k>"),
        ("parallel", "input.graph->a0.h1<g>"),
    ],
)
def test_a_wrong_circuit_is_found_out(construction, name):
    """An edge that is left out of a circuit is one outside of it that matters."""
    model = compiled("dijkstra", construction)
    whole = lw.circuit(model)
    edges = whole.edges | {name: replace(whole.edges[name], in_graph=False)}
    problems = random_problems(model, 12, nodes=7, seed=19)
    assert check_circuit(model, replace(whole, edges=edges), problems).wrong == [name]
    assert name in {edge.name for edge in outside_of(model, replace(whole, edges=edges))}


def test_grains_are_named():
    with pytest.raises(LoopwrightError, match="grain"):
        lw.circuit(compiled("bfs", "compact"), grain="neuron")
