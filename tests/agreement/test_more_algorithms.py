"""The algorithms beyond the paper's: against textbook code where ties matter, and NetworkX."""

from __future__ import annotations

import networkx as nx
import numpy as np
import pytest
import scipy.sparse.csgraph
from hypothesis import given, settings
from hypothesis import strategies as st

import loopwright as lw
from loopwright.algorithms import ALGORITHMS
from oracles import expected
from strategies import SMALL, graphs, problems

COSTS = {  # layers, heads
    "prim": (3, 3),
    "bellman-ford": (2, 3),
    "dag-shortest-paths": (2, 3),
    "topological-sort": (2, 4),
    "components": (2, 5),
    "articulation-points": (2, 5),
    "bridges": (2, 5),
}
MODELS = {name: lw.compile(ALGORITHMS[name]("compact")) for name in COSTS}
HALF = settings(max_examples=max(15, settings.default.max_examples // 2))


# ── graphs ──────────────────────────────────────────────────────────────────────────────────────


@st.composite
def acyclic(draw, max_nodes):
    """The edges of a random graph, turned forwards in a random order of the nodes."""
    graph = draw(graphs(max_nodes=max_nodes))
    place = dict(zip(sorted(graph), draw(st.permutations(range(len(graph)))), strict=True))
    dag = nx.DiGraph()
    dag.add_nodes_from(graph)
    for u, v, weight in graph.edges(data="weight"):
        if u != v:
            tail, head = sorted((u, v), key=place.get)
            dag.add_edge(tail, head, weight=weight)
    return dag


def random_graph(n, seed, *, edges, acyclic=False):
    """Self-loops, isolated nodes; few edges leave many bridges."""
    rng = np.random.default_rng(seed)
    graph = (nx.DiGraph if acyclic else nx.Graph)()
    graph.add_nodes_from(range(n))
    place = rng.permutation(n)
    for u, v in rng.integers(0, n - n // 8, (edges, 2)).tolist():
        if acyclic and u == v:
            continue
        if acyclic and place[u] > place[v]:
            u, v = v, u
        graph.add_edge(u, v, weight=int(rng.integers(1, 40)) / 4)
    return graph


undirected = graphs(max_nodes=9).map(lambda graph: graph.to_undirected())


# ── what they cost ──────────────────────────────────────────────────────────────────────────────


@pytest.mark.parametrize("name", COSTS)
def test_layers_and_heads(name):
    layers, heads = len(MODELS[name].layers), sum(MODELS[name].heads.values())
    assert (layers, heads) == COSTS[name]


# ── from a source ───────────────────────────────────────────────────────────────────────────────


@HALF
@given(problem=problems(max_nodes=9))
def test_prim(problem):
    """Also along arrows, if nobody checks: a tree, though no lightest one."""
    graph, source = problem
    answer = MODELS["prim"].run(graph, source=source, checked=False)
    assert answer.result == expected("prim", graph, source)
    assert answer.iterations == len(nx.descendants(graph, source) | {source}) + 1


@HALF
@given(graph=undirected, data=st.data())
def test_prim_spans_with_least_weight(graph, data):
    source = data.draw(st.sampled_from(sorted(graph)))
    prev = MODELS["prim"].run(graph, source=source).prev
    tree = nx.Graph([(prev[node], node) for node in graph if prev[node] != node])
    tree.add_node(source)
    part = graph.subgraph(nx.node_connected_component(graph, source))
    assert set(tree) == set(part)
    assert nx.is_tree(tree)
    weight = sum(graph.edges[edge]["weight"] for edge in tree.edges)
    assert weight == nx.minimum_spanning_tree(part).size("weight")


@HALF
@given(problem=problems(max_nodes=9))
def test_bellman_ford(problem):
    graph, source = problem
    answer = MODELS["bellman-ford"].run(graph, source=source)
    assert answer.result == expected("bellman-ford", graph, source)
    lengths = nx.single_source_dijkstra_path_length(graph, source)
    assert answer.dists == {node: lengths.get(node) for node in graph}
    n = len(graph)
    assert answer.iterations <= n * (n + 1) // 2 + 1


@pytest.mark.parametrize("n", [1, 2, 3, 7])
def test_bellman_ford_at_its_bound(n):
    """Weights (j − i)²: one more hop always pays, so round k changes all nodes from k on."""
    edges = [(i, j, (j - i) ** 2) for i in range(n) for j in range(i + 1, n)]
    graph = lw.Graph.from_edges(edges, nodes=range(n))
    answer = lw.verify(MODELS["bellman-ford"], graph, source=0)
    assert answer.dists == {i: i for i in range(n)}
    assert answer.iterations == n * (n + 1) // 2 + 1


@HALF
@given(graph=acyclic(max_nodes=9), data=st.data())
def test_dag_shortest_paths(graph, data):
    source = data.draw(st.sampled_from(sorted(graph)))
    answer = MODELS["dag-shortest-paths"].run(graph, source=source)
    assert answer.result == expected("dag-shortest-paths", graph, source)
    lengths = nx.single_source_dijkstra_path_length(graph, source)
    assert answer.dists == {node: lengths.get(node) for node in graph}
    assert answer.iterations == len(graph) + 1


@HALF
@given(problem=problems(max_nodes=9))
def test_dag_shortest_paths_says_nothing_behind_a_cycle(problem):
    graph, source = problem
    answer = MODELS["dag-shortest-paths"].run(graph, source=source, checked=False)
    assert answer.result == expected("dag-shortest-paths", graph, source)
    graph = nx.DiGraph(graph)
    cyclic = {u for u in graph if graph.has_edge(u, u)}
    cyclic |= {u for part in nx.strongly_connected_components(graph) if len(part) > 1 for u in part}
    behind = {v for u in cyclic for v in nx.descendants(graph, u)}
    assert {node for node, prev in answer.prev.items() if prev is None} == cyclic | behind


# ── of the whole graph ──────────────────────────────────────────────────────────────────────────


@HALF
@given(graph=acyclic(max_nodes=9))
def test_topological_sort(graph):
    answer = MODELS["topological-sort"].run(graph)
    assert answer.result == expected("topological-sort", graph)
    order = [node for node, is_head in answer.head.items() if is_head]
    while answer.next[order[-1]] != order[-1]:
        order.append(answer.next[order[-1]])
    assert sorted(order) == sorted(graph)
    assert all(order.index(u) < order.index(v) for u, v in graph.edges)
    assert answer.iterations <= 2 * len(graph)


@HALF
@given(graph=graphs(max_nodes=9))
def test_topological_sort_breaks_off_where_a_cycle_closes(graph):
    answer = MODELS["topological-sort"].run(graph, checked=False)
    assert answer.result == expected("topological-sort", graph)
    broken = {node for node, following in answer.next.items() if following is None}
    assert (not broken) == nx.is_directed_acyclic_graph(nx.DiGraph(graph))
    rest = nx.DiGraph(graph)
    rest.remove_nodes_from(broken)
    assert nx.is_directed_acyclic_graph(rest)


@HALF
@given(graph=graphs(max_nodes=9))
def test_components(graph):
    answer = MODELS["components"].run(graph)
    assert answer.result == expected("components", graph)
    reach = nx.to_scipy_sparse_array(graph, nodelist=sorted(graph))
    count, _ = scipy.sparse.csgraph.connected_components(reach, directed=False)
    assert len(set(answer.component.values())) == count
    parts = nx.connected_components(graph.to_undirected())
    floods = [nx.eccentricity(graph.to_undirected().subgraph(part), min(part)) for part in parts]
    assert answer.iterations == sum(flood + 1 for flood in floods) + 1


@HALF
@given(graph=graphs(max_nodes=9))
def test_articulation_points(graph):
    answer = MODELS["articulation-points"].run(graph)
    assert answer.result == expected("articulation-points", graph)
    assert answer.iterations <= 2 * len(graph)


@HALF
@given(graph=graphs(max_nodes=9))
def test_bridges(graph):
    answer = MODELS["bridges"].run(graph)
    assert answer.result == expected("bridges", graph)
    assert answer.iterations <= 2 * len(graph)


# ── larger graphs, exact arithmetic, softmax ────────────────────────────────────────────────────


@pytest.mark.parametrize(("n", "seed", "edges"), [(40, 1, 30), (64, 2, 80), (64, 3, 400)])
def test_large_graphs(n, seed, edges):
    graph = random_graph(n, seed, edges=edges)
    dag = random_graph(n, seed, edges=edges, acyclic=True)
    for name, model in MODELS.items():
        fit = dag if name in ("dag-shortest-paths", "topological-sort") else graph
        source = 0 if model.source == "required" else None
        answer = model.run(fit, source=source, machine="native")
        assert answer.result == expected(name, fit, source), name


SHAPES = {
    "one node": nx.empty_graph(1),
    "a self-loop": nx.Graph([(0, 0)]),
    "no edges": nx.empty_graph(4),
    "path": nx.path_graph(5),
    "path from its middle": nx.Graph([(0, 2), (0, 1), (1, 3), (2, 4)]),
    "cycle": nx.cycle_graph(5),
    "star": nx.star_graph(4),
    "complete": nx.complete_graph(5),
    "two triangles at a node": nx.Graph([(0, 1), (1, 2), (2, 0), (2, 3), (3, 4), (4, 2)]),
    "two parts": nx.Graph([(0, 4), (4, 2), (1, 3)]),
    "arrows": nx.DiGraph([(3, 1), (1, 0), (3, 0), (2, 4)]),
}


@pytest.mark.parametrize("machine", ["reference", "exact", "softmax"])
@pytest.mark.parametrize("shape", SHAPES)
@pytest.mark.parametrize("name", COSTS)
def test_lockstep(name, shape, machine):
    """After every layer X is what the program says, and the answer is the same, also on a graph
    that the program does not promise anything about."""
    graph = SHAPES[shape]
    options = {"source": 0} if MODELS[name].source == "required" else {}
    options["checked"] = not MODELS[name].needs
    wanted = MODELS[name].run(graph, **options).result
    program = ALGORITHMS[name]("compact")
    if machine == "softmax":
        model = lw.compile(program, attention="softmax", limits=lw.Limits.paper())
        assert lw.verify(model, graph, **options).result == wanted
    else:
        model = lw.compile(program, limits=SMALL)
        assert lw.verify(model, graph, machine=machine, **options).result == wanted
