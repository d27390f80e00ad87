"""Softmax as warm as the certificate allows is still right, on graphs with ties and cycles.

What a step leaves blurred, others magnify: without the rounding of flags that ops ask for by their
declarations, these runs go wrong.
"""

from __future__ import annotations

from dataclasses import replace
from fractions import Fraction
from functools import cache

import numpy as np
import pytest

import loopwright as lw
from loopwright.algorithms import ALGORITHMS
from oracles import multitask, oracle_of

N = 6
LIMITS = lw.Limits(nodes=N, largest=8 * N, resolution=Fraction(1, 2**10))
PAIRS = [
    (name, construction)
    for name, algorithm in ALGORITHMS.items()
    for construction in algorithm.constructions
    if name != "graph-subleq"  # it has no right answer without a program
]
SYMMETRIC = ("prim", "components", "articulation-points", "bridges")
ACYCLIC = ("dag-shortest-paths", "topological-sort")


@cache
def warmest(name: str, construction: str) -> lw.Model:
    program = ALGORITHMS[name](construction)
    cold = lw.compile(program, limits=LIMITS, attention="softmax")
    conditions = cold.check(np.ones((N, N))).conditions
    margin = next(c.margin for c in conditions if c.name == "temperature")
    warm = cold.constants.temperature * Fraction(margin) * Fraction(999, 1000)
    limits = replace(LIMITS, temperature=warm)
    return lw.compile(program, limits=limits, attention="softmax")


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
    found = model.run(weights, source=source).result
    oracle = multitask if name == "multitask" else oracle_of(name, construction)
    wanted = oracle(weights, source)
    for output in found:
        for node, value in wanted[output].items():
            got = found[output][node]
            both = value is not None and got is not None
            near = output == "dists" and both and abs(got - value) < 2**-12
            assert near or got == value, (output, node, got, value)
