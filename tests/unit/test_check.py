"""Certificates: inside every bound the answer is right; outside it is refused, and goes wrong."""

from fractions import Fraction

import networkx as nx
import numpy as np
import pytest

import loopwright as lw
from loopwright.errors import CapacityError, LoopwrightError
from loopwright.runtime.check import check

CONSTRUCTIONS = ["paper", "compact"]


def path_graph(n, weight=1.0):
    graph = nx.path_graph(n, create_using=nx.DiGraph)
    nx.set_edge_attributes(graph, weight, "weight")
    return graph


def right(answer, graph):
    return answer.dists == {
        node: nx.single_source_dijkstra_path_length(graph, 0).get(node) for node in graph
    }


def test_weakest_first():
    model = lw.compile(lw.algorithms.dijkstra())
    certificate = model.check(path_graph(5))
    margins = [condition.margin for condition in certificate.conditions]
    assert margins == sorted(margins)
    assert certificate.guaranteed
    assert certificate.exact


@pytest.mark.parametrize("construction", CONSTRUCTIONS)
def test_nodes(construction):
    limits = lw.Limits(nodes=8)
    model = lw.compile(lw.algorithms.dijkstra(construction), limits=limits)
    inside, outside = path_graph(8), path_graph(9)
    assert right(model.run(inside, source=0), inside)
    with pytest.raises(CapacityError, match=r"nodes: 9 exceeds 8 .*Limits\(nodes=9\)"):
        model.run(outside, source=0)


def test_too_many_nodes_go_wrong():
    """Past 2π/δ̂ positions wrap around, and one node is taken for another."""
    model = lw.compile(lw.algorithms.dijkstra("paper"), limits=lw.Limits(nodes=8))
    graph = path_graph(14)
    with pytest.raises(CapacityError):
        model.run(graph, source=0)
    try:
        answer = model.run(graph, source=0, checked=False)
    except LoopwrightError:
        return
    assert not right(answer, graph)


@pytest.mark.parametrize("construction", CONSTRUCTIONS)
def test_longest_path(construction):
    limits = lw.Limits(nodes=4, largest=64, resolution=Fraction(1, 8))
    model = lw.compile(lw.algorithms.dijkstra(construction), limits=limits)
    inside, outside = path_graph(4, 21.0), path_graph(4, 256.0)
    assert right(model.run(inside, source=0), inside)
    with pytest.raises(CapacityError, match="longest path: 768 exceeds 64"):
        model.run(outside, source=0)
    assert not right(model.run(outside, source=0, checked=False), outside)


@pytest.mark.parametrize("construction", CONSTRUCTIONS)
def test_smallest_weight(construction):
    limits = lw.Limits(nodes=4, largest=64, resolution=Fraction(1, 8))
    model = lw.compile(lw.algorithms.dijkstra(construction), limits=limits)
    inside, outside = path_graph(4, 1 / 8), path_graph(4, 1 / 16)
    assert right(model.run(inside, source=0), inside)
    with pytest.raises(CapacityError, match=r"smallest weight: 0\.0625 exceeds 0\.0625"):
        model.run(outside, source=0)
    assert not right(model.run(outside, source=0, checked=False), outside)


def test_sums_of_ties():
    """Values that tie are added: n × value/ε must stay below 2⁵³, where a model averages."""
    limits = lw.Limits(nodes=64, largest=2**20, resolution=Fraction(1, 2**28))
    graph = lw.Graph.of(path_graph(64, 16000 + 2.0**-28))
    needed = check(lw.compile(lw.algorithms.dijkstra("compact"), limits=limits), graph)
    assert "sums of ties" in {condition.name for condition in needed.conditions}
    assert not needed.guaranteed
    paper = check(lw.compile(lw.algorithms.dijkstra("paper"), limits=limits), graph)
    assert "sums of ties" not in {condition.name for condition in paper.conditions}
    assert paper.guaranteed
    coarse = lw.Graph.of(path_graph(64, 16000.0))
    assert check(lw.compile(lw.algorithms.dijkstra("compact"), limits=limits), coarse).guaranteed


def test_priorities_of_the_papers_preset():
    model = lw.compile(lw.algorithms.scc("paper"), limits=lw.Limits.paper())
    assert model.check(nx.empty_graph(627)).guaranteed
    assert not model.check(nx.empty_graph(628)).guaranteed


def test_rounded_weights_are_guaranteed_but_not_exact():
    model = lw.compile(lw.algorithms.dijkstra())
    graph = path_graph(5, 0.1)
    certificate = model.check(graph)
    assert certificate.guaranteed
    assert not certificate.exact
    found = model.run(graph, source=0).dists
    exact = nx.single_source_dijkstra_path_length(graph, 0)
    off = max(abs(found[node] - exact[node]) for node in graph)
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
    assert names == {"nodes", "priorities"}


def test_command(loopwright, tmp_path):
    path = tmp_path / "graph.txt"
    path.write_text("a b 1\nb c 4000\n", encoding="utf-8")
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
