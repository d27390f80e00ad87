"""Softmax as warm as the certificate allows is still right, on graphs with ties and cycles.

What a step leaves blurred, others magnify: without the rounding of flags that ops ask for by their
declarations, these runs go wrong. Programs of statements have no T that could be declared: their
heads are warmed after they were compiled.
"""

from __future__ import annotations

from fractions import Fraction
from functools import cache

import numpy as np
import pytest

import loopwright as lw
from loopwright.algorithms import ALGORITHMS
from many_graphs import close
from oracles import comparable, multitask, oracle_of
from warmth import warmed

N = 6
LIMITS = lw.Limits(nodes=N, largest=8 * N, resolution=Fraction(1, 2**10))
PAIRS = [
    (name, construction)
    for name, algorithm in ALGORITHMS.items()
    for construction in algorithm.constructions
    if name != "graph-subleq"  # it has no right answer without a program
]
SYMMETRIC = ("prim", "kruskal", "components", "articulation-points", "bridges")
ACYCLIC = ("dag-shortest-paths", "topological-sort", "topological-levels")


@cache
def warmest(name: str, construction: str) -> lw.Model:
    return warmed(ALGORITHMS[name](construction), LIMITS, np.ones((N, N)), 0.999)


@pytest.mark.parametrize(("name", "construction"), PAIRS)
@pytest.mark.parametrize("seed", range(12))
def test_warmest(name, construction, seed):
    rng = np.random.default_rng(seed)
    weights = rng.integers(1, 6, (N, N)) * rng.choice([1, 0.25])
    weights = weights * (rng.random((N, N)) < rng.choice([0.1, 0.3, 0.6]))
    if name in SYMMETRIC + ACYCLIC:
        weights = np.triu(weights, 1)
    if name in SYMMETRIC:
        weights = weights + weights.T
    model = warmest(name, construction)
    source = int(rng.integers(N)) if model.source == "required" else None
    found = comparable(model.run(weights, source=source).result)
    oracle = multitask if name == "multitask" else oracle_of(name, construction)
    wanted = oracle(weights, source)
    assert found.keys() == wanted.keys()
    for output, column in wanted.items():
        assert found[output].keys() == column.keys()
        for node, value in column.items():
            got = found[output][node]
            assert close(got, value, 2**-12), (output, node, got, value)
