"""The monitor sees how close a run comes, and stops one that comes too close."""

from dataclasses import replace
from fractions import Fraction

import networkx as nx
import pytest

import loopwright as lw
from loopwright.errors import MarginError
from loopwright.watch.monitor import Monitor

GRAPH = lw.Graph.of(nx.gnp_random_graph(8, 0.3, seed=2, directed=True))


def watch(model, graph=GRAPH, machine="reference"):
    source = 0 if model.source == "required" else None
    as_it_is = {"source": source, "checked": False, "scale": 1}
    monitor = Monitor()
    model.run(graph, machine=machine, observers=[monitor], **as_it_is)
    return monitor.margins


@pytest.mark.parametrize("name", ["dijkstra", "bfs", "dfs", "scc"])
@pytest.mark.parametrize("construction", ["paper", "compact"])
@pytest.mark.parametrize("attention", ["hardmax", "softmax"])
def test_a_guaranteed_run_keeps_its_distance(name, construction, attention):
    program = lw.algorithms.ALGORITHMS[name](construction)
    for margins in watch(lw.compile(program, attention=attention)):
        assert margins.gap > 1.9
        assert margins.spread < 0.01
        assert margins.comparison > 0.99
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
    layers = list(model.layers)
    heads = (replace(head, tie_tolerance=head.tie_tolerance * 1.5) for head in layers[3].heads)
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


@pytest.mark.parametrize("construction", ["paper", "compact"])
def test_paths_that_differ_by_half_the_resolution(construction):
    """In compact, the flag that is ½ has no column; it shows where it is made all the same."""
    limits = lw.Limits(nodes=3, largest=16, resolution=Fraction(1, 8))
    model = lw.compile(lw.algorithms.dijkstra(construction), limits=limits)
    edges = [(0, 1, 1), (1, 2, 1), (0, 2, 2 + Fraction(1, 16))]
    found = "edge, halt, path, closer, prev, dists"
    step = "identify updates" if construction == "paper" else found
    with pytest.raises(MarginError, match=f"step '{step}': a comparison is undecided"):
        watch(model, lw.Graph.of(edges), machine="exact")
    edges[2] = (0, 2, 2 + Fraction(1, 8))
    assert min(margins.comparison for margins in watch(model, lw.Graph.of(edges))) == 1.0


@pytest.mark.parametrize("name", sorted(lw.algorithms.ALGORITHMS.keys() - {"graph-subleq"}))
def test_every_algorithm_can_be_watched(name):
    for construction in lw.algorithms.ALGORITHMS[name].constructions:
        margins = watch(lw.compile(lw.algorithms.ALGORITHMS[name](construction)))
        assert all(step.comparison >= 1 and step.value <= 0.75 for step in margins)
