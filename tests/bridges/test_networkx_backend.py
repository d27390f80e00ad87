"""The backend answers as NetworkX does, or says why not; and only where it is asked for."""

from __future__ import annotations

import random
import subprocess
import sys
from dataclasses import replace
from fractions import Fraction
from pathlib import Path

import networkx as nx
import numpy as np
import pytest

import loopwright as lw
import networkx_questions as questions
from loopwright.algorithms import ALGORITHMS
from loopwright.bridges.networkx import declare
from loopwright.bridges.networkx.edges import places, places_and_costs
from loopwright.bridges.networkx.levels import breadth_first_inputs, depth_first_inputs
from loopwright.bridges.networkx.programs import marks, order, search, shortest
from loopwright.bridges.networkx.routes import question
from loopwright.bridges.networkx.snapshot import Snapshot
from loopwright.model.limits import Limits

ROOT = Path(__file__).parents[2]


@pytest.fixture(autouse=True)
def _quiet_cache():
    nx.config.warnings_to_ignore.add("cache")
    yield
    nx.config.warnings_to_ignore.discard("cache")


def backend():
    return nx.utils.backends._load_backend("loopwright")


def weighted(*edges):
    graph = nx.DiGraph()
    graph.add_weighted_edges_from(edges)
    return graph


@pytest.mark.parametrize("part", range(8))
def test_random_questions(part):
    """The long run is `python tests/networkx_questions.py 10000`."""
    answered, _, _ = questions.ask_all(1000 + part, 25)
    assert answered.total() > 100


def test_every_function_that_is_named_is_there_and_dispatched():
    named = questions.names()
    assert len(named) >= 40
    for name in named:
        assert callable(getattr(backend(), name))
        assert name in nx.utils.backends._registered_algorithms
        assert "loopwright" in nx.utils.backends._registered_algorithms[name].backends


def test_parameters_are_those_of_networkx():
    """Same names, order and defaults: NetworkX passes them on as they are."""
    from inspect import signature

    for name in questions.names():
        theirs = signature(nx.utils.backends._registered_algorithms[name].orig_func).parameters
        ours = signature(getattr(backend(), name)).parameters
        assert [(p.name, p.default, p.kind) for p in ours.values()] == [
            (p.name, p.default, p.kind) for p in theirs.values()
        ], name


def test_what_is_wrong_shows(monkeypatch):
    """The comparison can fail: an order, a type, an edge or a tie that differs is noticed."""
    graph = nx.path_graph(4)
    assert questions.written({0: 1, 1: 2}) != questions.written({1: 2, 0: 1})
    assert questions.written([1.0]) != questions.written([1])
    assert questions.written(graph) != questions.written(graph.to_directed())
    answered = declare.ANSWERED["dfs_predecessors"]

    def backwards(*given, **named):
        return dict([*answered.function(*given, **named).items()][::-1])

    assert questions.compare("dfs_predecessors", graph, {}) is None
    monkeypatch.setitem(declare.ANSWERED, "dfs_predecessors", replace(answered, function=backwards))
    with pytest.raises(AssertionError, match="dfs_predecessors"):
        questions.compare("dfs_predecessors", graph, {})


@pytest.mark.parametrize("name", questions.names())
def test_neighbours_come_in_their_own_order(name):
    """A graph whose edges were added against the order of its nodes, so that places decide."""
    ends = [(0, 3), (0, 1), (0, 2), (2, 4), (1, 4), (3, 5), (1, 5), (4, 6), (5, 6)]
    for kind in (nx.DiGraph, nx.Graph):
        graph = kind()
        graph.add_nodes_from(range(7))
        graph.add_edges_from(ends)
        for seed in range(4):
            questions.compare(name, graph, questions.arguments(name, graph, random.Random(seed)))


# ── weights ─────────────────────────────────────────────────────────────────────────────────────


def test_zero_weights_are_edges():
    graph = weighted(("a", "b", 0), ("b", "c", 0), ("a", "c", 1))
    assert nx.dijkstra_path(graph, "a", "c", backend="loopwright") == ["a", "b", "c"]


def test_negative_weights_for_bellman_and_ford_alone():
    graph = weighted((0, 1, 2), (1, 2, -3), (0, 2, 0))
    found = nx.single_source_bellman_ford(graph, 0, backend="loopwright")
    assert found == nx.single_source_bellman_ford(graph, 0)
    reason = backend().can_run("dijkstra_path", (graph, 0, 2), {})
    assert reason == "Dijkstra's algorithm is wrong with negative weights: use Bellman and Ford's."


def test_a_cycle_below_zero_is_found():
    graph = weighted((0, 1, 1), (1, 2, -3), (2, 1, 1))
    assert nx.negative_edge_cycle(graph, backend="loopwright") is True
    with pytest.raises(nx.NetworkXUnbounded, match="Negative cycle detected"):
        nx.single_source_bellman_ford(graph, 0, backend="loopwright")


def test_multiples_of_a_number_with_many_digits_are_refused():
    """0.1 and 0.2 are 1 and 2 times one number, but floats have no room for 3 times that."""
    tenths = weighted((0, 1, 0.1), (1, 2, 0.2))
    assert "floats would round" in backend().can_run("dijkstra_path", (tenths, 0, 2), {})
    eighths = weighted((0, 1, 0.125), (1, 2, 0.25))
    assert nx.dijkstra_path_length(eighths, 0, 2, backend="loopwright") == 0.375


def test_sums_that_floats_would_round_are_refused():
    graph = weighted((0, 1, 0.1), (1, 2, 0.2), (0, 2, 0.3))
    assert "floats would round" in backend().can_run("dijkstra_path", (graph, 0, 2), {})
    graph = weighted((0, 1, Fraction(1, 10)), (1, 2, Fraction(2, 10)), (0, 2, Fraction(3, 10)))
    assert nx.dijkstra_path_length(graph, 0, 2, backend="loopwright") == Fraction(3, 10)


def test_numbers_that_no_model_holds_are_refused_by_the_certificate():
    graph = weighted((0, 1, 1), (1, 2, 2**60))
    reason = backend().can_run("dijkstra_path", (graph, 0, 2), {})
    assert isinstance(reason, str)
    assert "2^" in reason or "exceeds" in reason or "resolution" in reason


# ── when it runs ────────────────────────────────────────────────────────────────────────────────


def test_it_runs_only_where_it_is_asked_for_by_name():
    graph = nx.path_graph(3)
    assert backend().should_run("bfs_edges", (graph, 0), {}) is not True
    with nx.config(backend_priority=["loopwright"]):
        assert backend().should_run("bfs_edges", (graph, 0), {}) is True


def test_the_conversion_is_kept_until_the_graph_changes():
    graph = nx.path_graph(3)
    nx.has_path(graph, 0, 2, backend="loopwright")
    kept = graph.__networkx_cache__["backends"]["loopwright"]
    (snapshot,) = kept.values()
    assert isinstance(snapshot, Snapshot)
    nx.has_path(graph, 0, 1, backend="loopwright")
    assert list(graph.__networkx_cache__["backends"]["loopwright"].values()) == [snapshot]
    graph.remove_edge(1, 2)
    assert nx.has_path(graph, 0, 2, backend="loopwright") is False


def test_weights_changed_behind_the_cache_are_seen_by_a_new_conversion():
    graph = nx.cycle_graph(4)
    with nx.config(cache_converted_graphs=False):
        assert nx.dijkstra_path(graph, 0, 1, backend="loopwright") == [0, 1]
        graph[0][1]["weight"] = 10
        assert nx.dijkstra_path(graph, 0, 1, backend="loopwright") == [0, 3, 2, 1]


def test_a_snapshot_becomes_the_same_graph_again():
    graph, _ = questions.draw_graph(random.Random("again"))
    again = backend().convert_to_nx(backend().convert_from_nx(graph))
    assert questions.written(again) == questions.written(graph)


def test_the_construction_is_configured():
    graph = nx.cycle_graph(3, create_using=nx.DiGraph)
    with nx.config.backends.loopwright(construction="paper"):
        assert nx.is_strongly_connected(graph, backend="loopwright")
        reason = backend().can_run("bfs_edges", (graph, 0), {})
        assert reason == "'bfs-in-order' has no construction 'paper'; there are: compact."
    with nx.config.backends.loopwright(machine="reference"):
        assert list(nx.bfs_edges(graph, 0, backend="loopwright")) == [(0, 1), (1, 2)]


def test_importing_networkx_imports_no_more_of_loopwright_than_it_must():
    code = "import sys, networkx; print([m for m in sys.modules if m.startswith('loopwright')])"
    done = subprocess.run([sys.executable, "-c", code], capture_output=True, text=True, check=True)
    assert "loopwright.runtime" not in done.stdout
    assert "loopwright.bridges.networkx.info" in done.stdout


# ── the programs ────────────────────────────────────────────────────────────────────────────────

ASKED = [
    (shortest.dijkstra_in_order, lambda edges: question(edges, [0])),
    (shortest.bellman_ford_in_order, lambda edges: question(edges, [0], bound=False)),
    (search.bfs_in_order, lambda edges: breadth_first_inputs(edges, [0])),
    (search.dfs_in_order, lambda edges: depth_first_inputs(edges, range(edges.nodes))),
    (
        search.articulation_points_in_order,
        lambda edges: depth_first_inputs(edges, range(edges.nodes)),
    ),
    (
        order.kahn_in_order,
        lambda edges: {
            "queued": np.arange(edges.nodes),
            "base": edges.nodes,
            "stride": edges.stride,
            "fixed": 0,
        },
    ),
    (
        order.two_colours_in_order,
        lambda edges: {
            "queued": np.arange(edges.nodes),
            "closed": np.zeros(edges.nodes, dtype=int),
            "base": 1,
            "stride": edges.stride,
        },
    ),
    (marks.spanning_forest, lambda edges: {"far": edges.stride + 1}),
    (marks.core_numbers, lambda edges: {"once": 0}),
]
"""Each program, and what it is told."""


@pytest.mark.parametrize(
    ("algorithm", "inputs"), ASKED, ids=[algorithm.name for algorithm, _ in ASKED]
)
def test_weights_and_programs_agree_after_every_layer(algorithm, inputs):
    model = lw.compile(algorithm(), limits=Limits(nodes=64, largest=2**20, resolution=1))
    for seed in range(3):
        graph = Snapshot(nx.gnp_random_graph(6, 0.4, seed=seed, directed=True))
        twins = algorithm.name in ("dijkstra-in-order", "bellman-ford-in-order")
        edges = places_and_costs(graph, "out", "weight") if twins else places(graph, "out")
        for machine in ("reference", "native"):
            lw.verify(model, edges.graph, machine=machine, **inputs(edges))


def test_programs_of_the_backend_are_not_those_of_the_registry():
    assert not {algorithm.name for algorithm, _ in ASKED} & set(ALGORITHMS)


# ── NetworkX's own tests ────────────────────────────────────────────────────────────────────────


def test_networkx_passes_its_own_tests():
    """A part; `make test-networkx` runs all modules, with and without fallback."""
    sys.path.insert(0, str(ROOT / "scripts"))
    try:
        import test_networkx as suite
    finally:
        sys.path.remove(str(ROOT / "scripts"))
    modules = ("traversal.tests.test_bfs", "traversal.tests.test_dfs", "tests.test_bridges")
    results = suite.run((*modules, "components.tests.test_strongly_connected"), "1")
    assert [r for r in results if r["outcome"] == "failed"] == []
    assert sum(r["outcome"] == "passed" for r in results) > 50
    assert sum(r["answers"] for r in results) > 50
