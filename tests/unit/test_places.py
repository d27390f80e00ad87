"""Where nodes are drawn."""

from __future__ import annotations

import networkx as nx
import numpy as np
import pytest

import loopwright as lw
from loopwright.runtime.places import places, places_of

GRAPHS = {
    "one node": nx.empty_graph(1),
    "no edges": nx.empty_graph(7),
    "path": nx.path_graph(5),
    "complete": nx.complete_graph(8),
    "parts": nx.disjoint_union_all([nx.cycle_graph(5), nx.star_graph(6), nx.empty_graph(2)]),
    "springs": nx.gnp_random_graph(150, 0.03, seed=1),
    "grid": nx.path_graph(1600),
}


@pytest.mark.parametrize("name", GRAPHS)
def test_nodes_are_inside_apart_and_always_there(name):
    graph = lw.Graph.of(GRAPHS[name])
    found = places(graph)
    assert found.shape == (graph.n, 2)
    assert found.min() >= 0
    assert found.max() <= 1
    assert len(np.unique(found.round(9), axis=0)) == graph.n
    places_of.cache_clear()
    np.testing.assert_array_equal(found, places(graph))


def test_parts_fill_the_square():
    found = places(lw.Graph.of(nx.disjoint_union(nx.cycle_graph(7), nx.path_graph(2))))
    assert found.max(axis=0).min() > 0.9
    assert found.min(axis=0).max() < 0.1


def test_what_is_kept_cannot_be_changed():
    graph = lw.Graph.of(GRAPHS["path"])
    places(graph)[:] = 7
    assert places(graph).max() <= 1
