"""The monitor sees how close a run comes, and stops one that comes too close."""

from dataclasses import replace

import networkx as nx
import pytest

import loopwright as lw
from loopwright.errors import MarginError
from loopwright.monitor import Monitor
from loopwright.runtime.encode import encode

GRAPH = lw.Graph.of(nx.gnp_random_graph(8, 0.3, seed=2, directed=True))


def watch(model, graph=GRAPH):
    source = 0 if model.source == "required" else None
    as_it_is = {"source": source, "checked": False, "scale": 1}
    monitor = Monitor(model, encode(model, graph, **as_it_is).x)
    model.run(graph, machine="reference", observe=monitor.observe, **as_it_is)
    return monitor.margins


@pytest.mark.parametrize("name", ["dijkstra", "bfs", "dfs", "scc"])
@pytest.mark.parametrize("construction", ["paper", "compact"])
@pytest.mark.parametrize("attention", ["hardmax", "softmax"])
def test_a_guaranteed_run_keeps_its_distance(name, construction, attention):
    program = lw.algorithms.ALGORITHMS[name](construction)
    for margins in watch(lw.compile(program, attention=attention)):
        assert margins.gap > 3
        assert margins.spread < 0.01
        assert margins.flag <= (0 if attention == "hardmax" else 1e-9)
        assert margins.value <= 0.75


def test_values_that_reach_omega():
    limits = lw.Limits(nodes=4, largest=16)
    model = lw.compile(lw.algorithms.dijkstra("paper"), limits=limits)
    heavy = lw.Graph.of([(0, 1, 100.0), (1, 2, 100.0)])
    with pytest.raises(MarginError, match="a value reaches"):
        watch(model, heavy)


def test_positions_too_close():
    model = lw.compile(lw.algorithms.dijkstra("paper"), limits=lw.Limits(nodes=8))
    heads = [replace(head, tie_tolerance=head.tie_tolerance * 3) for head in model.layers[3].heads]
    layers = list(model.layers)
    layers[3] = replace(layers[3], heads=tuple(heads))
    with pytest.raises(MarginError, match=r"layer 4, step 'read value': attention cannot tell"):
        watch(replace(model, layers=tuple(layers)))


def test_a_flag_that_is_neither():
    model = lw.compile(lw.algorithms.dijkstra("paper"))
    layers = list(model.layers)
    damaged = [matrix.copy() for matrix in layers[4].mlp]
    damaged[3] *= 0.5
    layers[4] = replace(layers[4], mlp=tuple(damaged))
    with pytest.raises(MarginError, match=r"step 'compare values': a flag is off by 0.5"):
        watch(replace(model, layers=tuple(layers)))
