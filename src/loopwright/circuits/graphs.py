"""Small random graphs that suit a program, to try circuits on."""

from __future__ import annotations

from collections.abc import Iterator

import numpy as np

from loopwright.model.layout import Kind
from loopwright.model.weights import Weights
from loopwright.runtime.encode import Problem, encode
from loopwright.runtime.graph import Graph, Label

DENSITY = 0.45
LARGEST_WEIGHT = 9


def random_graph(
    rng: np.random.Generator, nodes: int, needs: tuple[str, ...] = (), *, density: float = DENSITY
) -> Graph:
    """A graph of whole weights, undirected, acyclic or functional where it needs to be."""
    edges: dict[tuple[int, int], int] = {}
    for i in range(nodes):
        for j in range(nodes):
            if i == j or rng.random() > density:
                continue
            if "acyclic" in needs and i > j:
                continue
            if "functional" in needs and any(tail == i for tail, _ in edges):
                continue
            weight = int(rng.integers(1, LARGEST_WEIGHT + 1))
            edges[i, j] = weight
            if "undirected" in needs:
                edges[j, i] = weight
    tails, heads = (np.array([e[k] for e in edges], dtype=np.int64) for k in (0, 1))
    return Graph(
        tuple(range(nodes)), tails, heads, np.array(list(edges.values()), float), directed=True
    )


def random_graphs(
    model: Weights, count: int, *, nodes: int, seed: int
) -> Iterator[tuple[Graph, Label | None]]:
    """Graphs with a source where the program starts at one."""
    rng = np.random.default_rng([seed, nodes])
    for _ in range(count):
        graph = random_graph(rng, nodes, model.needs)
        yield graph, int(rng.integers(nodes)) if model.source == "required" else None


def random_problems(model: Weights, count: int, *, nodes: int, seed: int) -> list[Problem]:
    """The same, encoded."""
    return [
        encode(model, graph, source=source, inputs=flags_of(model, number))
        for number, (graph, source) in enumerate(
            random_graphs(model, count, nodes=nodes, seed=seed)
        )
    ]


def flags_of(model: Weights, number: int) -> dict[str, int]:
    """A start for each flag that the caller gives: each of the ways in turn."""
    given = dict.fromkeys(
        field.input for field in model.layout.fields if field.input and field.kind is Kind.FLAG
    )
    return {name: number >> place & 1 for place, name in enumerate(given)}
