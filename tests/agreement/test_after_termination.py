"""With softmax, running on after the halting flag is set changes nothing that is decoded."""

import networkx as nx
import numpy as np
import pytest

import loopwright as lw
from loopwright.runtime.decode import decode
from loopwright.runtime.encode import encode
from loopwright.runtime.graph import Graph
from loopwright.runtime.machines.reference import layer_output, loop


@pytest.mark.parametrize("name", ["dijkstra", "bfs", "dfs", "scc", "multitask"])
def test_a_hundred_more_iterations(name):
    program = lw.algorithms.ALGORITHMS[name]("paper")
    model = lw.compile(program, attention="softmax", limits=lw.Limits.paper())
    graph = Graph.of(nx.gnp_random_graph(7, 0.25, seed=5, directed=True))
    problem = encode(model, graph, source=0 if model.source == "required" else None)
    x, _ = loop(model, problem, 3 * 7 * 7)
    before = decode(model, graph, x)
    a = np.zeros((8, 8))
    a[problem.tails, problem.heads] = problem.weights
    for _ in range(100):
        for layer in model.layers:
            x = layer_output(model, layer, x, a)
        assert x[0, model.layout[model.layout.halt].first] == 1
    assert decode(model, graph, x) == before
