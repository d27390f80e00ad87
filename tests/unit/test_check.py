"""Certificates: what they say of a graph. Where their bounds are: agreement/test_bounds.py."""

from fractions import Fraction

import networkx as nx
import numpy as np
import pytest

import loopwright as lw

CONSTRUCTIONS = ["paper", "compact"]


def path_graph(n, weight=1.0):
    graph = nx.path_graph(n, create_using=nx.DiGraph)
    nx.set_edge_attributes(graph, weight, "weight")
    return graph


def test_weakest_first():
    model = lw.compile(lw.algorithms.dijkstra("paper"))
    certificate = model.check(path_graph(5))
    margins = [condition.margin for condition in certificate.conditions]
    assert margins == sorted(margins)
    assert certificate.guaranteed
    assert certificate.exact


def test_priorities_of_the_papers_preset():
    model = lw.compile(lw.algorithms.scc("paper"), limits=lw.Limits.paper())
    assert model.check(nx.empty_graph(627)).guaranteed
    assert not model.check(nx.empty_graph(628)).guaranteed


def test_rounded_weights_are_guaranteed_but_not_exact():
    model = lw.compile(lw.algorithms.dijkstra("paper"))
    graph = path_graph(5, 0.1)
    graph[0][1]["weight"] = 0.3
    certificate = model.check(graph)
    assert certificate.guaranteed
    assert not certificate.exact
    found = model.run(graph, source=0).dists
    exact = {node: Fraction(0.3) + (node - 1) * Fraction(0.1) for node in range(1, 5)}
    off = max(abs(Fraction(found[node]) - length) for node, length in exact.items())
    assert 0 < off <= certificate.rounding


def test_rational_weights_are_reweighted():
    """As text, 0.1 is 1/10: the model counts in tenths, and 0.1 + 0.7 ties with 0.8."""
    model = lw.compile(lw.algorithms.dijkstra("compact"))
    graph = [("a", "b", "0.1"), ("b", "c", "0.7"), ("a", "c", "0.8"), ("c", "d", "0.2")]
    answer = lw.verify(model, graph, source="a")
    assert model.check(graph).exact
    assert answer.dists == {"a": 0.0, "b": 0.1, "c": 0.8, "d": 1.0}
    assert answer.prev["c"] == "a"


@pytest.mark.parametrize("construction", CONSTRUCTIONS)
def test_a_fit_model_is_guaranteed(construction):
    rng = np.random.default_rng(1)
    for n in (1, 3, 40):
        graph = nx.gnp_random_graph(n, 0.4, seed=n, directed=True)
        for tail, head in graph.edges:
            graph[tail][head]["weight"] = float(rng.random() * 10.0 ** rng.integers(-3, 4))
        read = lw.Graph.of(graph)
        model = lw.compile(lw.algorithms.dijkstra(construction), limits=lw.Limits.fit(read))
        assert model.check(read).guaranteed
        found = model.run(read, source=0).dists
        for node, length in nx.single_source_dijkstra_path_length(graph, 0).items():
            assert found[node] == pytest.approx(length, rel=1e-9, abs=model.check(read).rounding)


@pytest.mark.parametrize("name", ["bfs", "dfs", "scc"])
def test_weights_do_not_matter_where_they_are_not_read(name):
    model = lw.compile(lw.algorithms.ALGORITHMS[name]("compact"))
    names = {condition.name for condition in model.check(path_graph(3, 1e300)).conditions}
    assert not names & {"longest path", "values", "smallest weight", "sums of edges"}
    assert names >= {"nodes", "priorities"}


def test_command(loopwright, tmp_path):
    path = tmp_path / "graph.txt"
    path.write_text("a b 1e-9\nb c 4000\n", encoding="utf-8")
    good = loopwright("check", "dijkstra", path, "--json").json
    assert good["guaranteed"]
    assert good["exact"]
    assert {"name", "needed", "allowed", "why", "remedy", "holds"} <= set(good["conditions"][0])
    bad = loopwright("check", "dijkstra", path, "--limits", "paper")
    assert bad.code == 1
    assert "Not guaranteed." in bad.out
    run = ("run", "dijkstra", path, "--source", "a", "--limits", "paper")
    assert loopwright(*run).code == 2
    unchecked = loopwright(*run, "--unchecked", "--json").json
    assert unchecked["guaranteed"] is False
