"""How many iterations the parallel constructions take, against what NetworkX says of a graph."""

from __future__ import annotations

from math import ceil, log, log2

import networkx as nx
import numpy as np
import pytest

import loopwright as lw
from loopwright.algorithms import ALGORITHMS
from oracles import comparable, expected

LIMITS = lw.Limits(nodes=2**12, largest=2**16, resolution=1)
NAMES = [name for name, made in ALGORITHMS.items() if "parallel" in made.constructions]
MODELS = {name: lw.compile(ALGORITHMS[name]("parallel"), limits=LIMITS) for name in NAMES}


def random_graph(n, seed, *, directed=False):
    """A mean degree of 4, weights from 1 to 15."""
    graph = nx.gnm_random_graph(n, 2 * n, seed=seed, directed=directed)
    rng = np.random.default_rng(seed)
    for _, _, edge in graph.edges(data=True):
        edge["weight"] = int(rng.integers(1, 16))
    return graph


def shuffled_path(n):
    return nx.path_graph(np.random.default_rng(n).permutation(n).tolist())


@pytest.mark.parametrize("seed", range(3))
def test_a_search_takes_an_iteration_a_level(seed):
    graph = random_graph(100, seed, directed=True)
    answer = MODELS["bfs"].run(graph, source=0, machine="native")
    levels = nx.single_source_shortest_path_length(graph, 0)
    assert answer.iterations == max(levels.values()) + 1
    assert answer.result == expected("bfs", graph, 0)


@pytest.mark.parametrize("name", ["dijkstra", "bellman-ford"])
@pytest.mark.parametrize("seed", range(3))
def test_paths_take_an_iteration_an_edge(name, seed):
    """Of the shortest paths to a node the one with the fewest edges counts."""
    graph = random_graph(60, seed)
    answer = MODELS[name].run(graph, source=0, machine="native")
    hops = {
        v: min(len(path) - 1 for path in nx.all_shortest_paths(graph, 0, v, weight="weight"))
        for v in nx.node_connected_component(graph, 0)
    }
    assert answer.iterations == max(hops.values()) + 1
    assert answer.result == expected(name, graph, 0)


@pytest.mark.parametrize("seed", range(3))
def test_levels_take_an_iteration_an_edge_of_the_longest_path(seed):
    graph = nx.DiGraph(random_graph(100, seed).edges)  # from lower numbers to higher
    answer = MODELS["topological-levels"].run(graph, machine="native")
    assert answer.iterations == nx.dag_longest_path_length(graph) + 1
    levels = enumerate(nx.topological_generations(graph))
    assert answer.level == {node: level for level, nodes in levels for node in nodes}


def test_levels_end_on_cycles_and_tell_what_they_lead_to():
    """Also where the only node is one, and where a cycle is as long as the graph is large."""
    for edges, endless in [
        ([(0, 0)], {0}),
        ([(i, (i + 1) % 30) for i in range(30)], {*range(30)}),
        ([(0, 1), (1, 2), (2, 1), (2, 3)], {1, 2, 3}),
    ]:
        graph = nx.DiGraph(edges)
        answer = MODELS["topological-levels"].run(graph, machine="native", checked=False)
        assert {node for node, level in answer.level.items() if level is None} == endless
        assert answer.iterations <= len(graph) + 1


@pytest.mark.parametrize("n", [16, 256, 4096])
def test_components_of_a_shuffled_path(n):
    graph = shuffled_path(n)
    answer = MODELS["components"].run(graph, machine="native")
    assert set(answer.component.values()) == {next(iter(graph))}
    assert answer.iterations <= 2 * ceil(log2(n))


def rows_of_nodes(n, weights):
    """A path whose edges have these weights: components join one after the other, or in pairs."""
    graph = nx.Graph()
    graph.add_nodes_from(range(n))
    graph.add_weighted_edges_from((i, i + 1, weight) for i, weight in enumerate(weights))
    return graph


@pytest.mark.parametrize("n", [1, 2, 3, 4, 7, 64, 65, 1000, 4096])
def test_a_forest_takes_no_more_iterations_than_is_proved(n):
    """As docs/parallel.md has it; the graph says how many trees there are to join."""
    joining, turning = log(n, 1.5), ceil(log(n, 4))
    rng = np.random.default_rng(n)
    shapes = {
        "rising": rows_of_nodes(n, range(1, n)),
        "falling": rows_of_nodes(n, range(n, 1, -1)),
        "in pairs": rows_of_nodes(n, [1 + (i & -i) for i in range(1, n)]),
        "alike": rows_of_nodes(n, [1] * (n - 1)),
        "any": rows_of_nodes(n, rng.permutation(n - 1) + 1),
        "shuffled": shuffled_path(n),
        "random": random_graph(n, n) if n > 4 else nx.star_graph(n - 1),
    }
    for shape, graph in shapes.items():
        answer = MODELS["kruskal"].run(graph, machine="native")
        trees = nx.number_connected_components(graph)
        assert sum(end is not None for end in answer.tail.values()) == n - trees, shape
        assert answer.iterations <= joining + 1, shape
        answer = MODELS["prim"].run(graph, source=0, machine="native")
        assert answer.iterations <= (turning + 2) * (joining + 2) + 2, shape
        reached = nx.node_connected_component(graph, 0)
        assert sum(v != u for v, u in answer.prev.items()) == len(reached) - 1, shape


@pytest.mark.parametrize("name", NAMES)
def test_larger_graphs(name):
    """Whole answers; graphs of a hundred nodes have phases that those of nine do not have."""
    model = MODELS[name]
    for seed in range(2):
        graph = random_graph(100, seed, directed=not model.needs)
        if "acyclic" in model.needs:
            graph = nx.DiGraph((u, v, data) for u, v, data in graph.edges(data=True))
        source = 0 if model.source == "required" else None
        answer = model.run(graph, source=source, machine="native")
        wanted = expected(name, graph, source, construction="parallel")
        found = comparable(answer.result)
        if name == "kruskal":
            found = {"edge": {tuple(sorted(edge)): held for edge, held in found["edge"].items()}}
        assert found == wanted


@pytest.mark.parametrize("name", ["kruskal", "prim"])
@pytest.mark.parametrize(("n", "fits"), [(64, True), (64, False), (150, False)])
def test_forests_under_softmax(name, n, fits):
    """Labels are looked up, and tell edges apart by hinges that are flat near whole numbers: so
    errors do not grow, and softmax is as exact on many nodes as on few."""
    graph = random_graph(n, seed=n)
    program = ALGORITHMS[name]("parallel")
    limits = lw.Limits.fit(lw.Graph.of(graph), program) if fits else lw.Limits()
    model = lw.compile(program, limits=limits, attention="softmax")
    assert model.check(graph).exact
    source = {"source": 0} if name == "prim" else {}
    found = model.run(graph, **source)
    assert comparable(found.result) == expected(name, graph, 0, construction="parallel")


@pytest.mark.parametrize("name", ["kruskal", "prim"])
def test_softmax_is_guaranteed_for_forests_of_all_nodes_that_are_declared(name):
    """What it needs grows with the logarithm of the nodes, and not with the iterations."""
    model = lw.compile(ALGORITHMS[name]("parallel"), attention="softmax")
    assert model.check(nx.star_graph(model.constants.nodes - 1)).exact
