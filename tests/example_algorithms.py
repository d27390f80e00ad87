"""Every algorithm of `examples/algorithms` on random graphs, against code without Loopwright.

    python tests/example_algorithms.py --graphs 1000

On each graph the weights are compared with the program after every layer, and the answer, of every
machine and with softmax, with that of an oracle: NetworkX, or plain Python from the textbook.
Prints what each algorithm costs, how many graphs there were, and every mismatch.
"""

from __future__ import annotations

import argparse
import time
from collections.abc import Callable, Mapping
from dataclasses import dataclass, field
from fractions import Fraction
from functools import cache
from math import ceil, inf, log2
from pathlib import Path
from typing import Any, Literal, NamedTuple

import networkx as nx
import numpy as np

import loopwright as lw
from loopwright.cli.own_file import algorithm_in_file

FOLDER = Path(__file__).parents[1] / "examples/algorithms"
NAMES = sorted(path.stem for path in FOLDER.glob("*.py"))
LIMITS = lw.Limits(nodes=32, largest=1024, resolution=Fraction(1, 2**12))
"""With the default ones, exact arithmetic and softmax take longer, and softmax is colder."""
Column = dict[int, Any]


@dataclass
class Problem:
    """A graph, what else a run is given, and the right answer."""

    graph: nx.Graph
    wanted: dict[str, Column]
    source: int | None = None
    inputs: dict[str, Any] = field(default_factory=dict)

    @property
    def options(self) -> dict[str, Any]:
        return {"source": self.source, **self.inputs}


class Run(NamedTuple):
    attention: Literal["hardmax", "softmax"]
    machine: str
    every: int
    """One graph in so many."""


RUNS = [
    Run("hardmax", "native", 1),
    Run("hardmax", "torch", 10),
    Run("hardmax", "exact", 10),
    Run("softmax", "native", 1),
    Run("softmax", "reference", 10),
    Run("softmax", "torch", 10),
]
"""Besides lockstep, which every graph runs in."""
OFF = float(LIMITS.resolution) / 4
"""How far off a number may be with softmax; labels and flags never are."""

# ── graphs ──────────────────────────────────────────────────────────────────────────────────────


def random_graph(
    rng: np.random.Generator, kind: type[nx.Graph] | None = None, *, loops: bool = True
) -> nx.Graph:
    """Seldom connected; a third has weights that often tie, all are multiples of ¼."""
    n = int(rng.integers(1, 15))
    graph = (kind or (nx.Graph, nx.DiGraph)[rng.integers(2)])()
    graph.add_nodes_from(range(n))
    density, most = rng.choice([0.5, 1, 2, 4]) / n, rng.choice([2, 40, 40])
    for tail, head in np.argwhere(rng.random((n, n)) < density).tolist():
        if loops or tail != head:
            graph.add_edge(tail, head, weight=int(rng.integers(1, most + 1)) / 4)
    return graph


def random_lists(rng: np.random.Generator) -> nx.DiGraph:
    """Lists; half of the time some of them share their ends."""
    n, shared = int(rng.integers(1, 30)), rng.random() < 0.5
    order, graph = rng.permutation(n).tolist(), nx.DiGraph()
    graph.add_nodes_from(range(n))
    for place, node in enumerate(order[1:], start=1):
        if rng.random() < 0.9:
            graph.add_edge(node, order[int(rng.integers(place)) if shared else place - 1])
    return graph


def any_node(rng: np.random.Generator, graph: nx.Graph) -> int:
    return int(rng.integers(len(graph)))


# ── oracles ─────────────────────────────────────────────────────────────────────────────────────

DRAW: dict[str, Callable[[np.random.Generator], Problem]] = {}
"""Example → a function that draws a problem, and knows the answer."""


def draws(
    function: Callable[[np.random.Generator], Problem],
) -> Callable[[np.random.Generator], Problem]:
    DRAW[function.__name__] = function
    return function


@draws
def hops(rng: np.random.Generator) -> Problem:
    graph = random_graph(rng)
    source = any_node(rng, graph)
    away = nx.single_source_shortest_path_length(graph, source)
    return Problem(graph, {"hops": {v: away.get(v) for v in graph}}, source)


@draws
def independent_set(rng: np.random.Generator) -> Problem:
    graph = random_graph(rng)
    priority = rng.integers(0, 8, len(graph)).tolist() if rng.random() < 0.7 else [0] * len(graph)
    member: set[int] = set()
    beside = nx.Graph(graph)
    for node in sorted(graph, key=lambda v: (priority[v], v)):
        if member.isdisjoint(beside[node]):
            member.add(node)
    inputs = {"priority": priority} if any(priority) else {}
    return Problem(graph, {"member": {v: v in member for v in graph}}, inputs=inputs)


@draws
def core_numbers(rng: np.random.Generator) -> Problem:
    graph = random_graph(rng, nx.Graph, loops=False)
    return Problem(graph, {"core": nx.core_number(graph)})


@draws
def widest_paths(rng: np.random.Generator) -> Problem:
    """A node is done if no open one is wider, the first of equals; ties keep what is there."""
    graph = random_graph(rng)
    source = any_node(rng, graph)
    width: Column = {v: inf if v == source else 0 for v in graph}
    prev, left = {v: v for v in graph}, set(graph)
    while left:
        node = max(left, key=lambda v: (width[v], -v))
        left.remove(node)
        for v, edge in graph[node].items():
            if min(width[node], edge["weight"]) > width[v]:
                width[v], prev[v] = min(width[node], edge["weight"]), node
    shown = {v: None if w == inf else w for v, w in width.items()}
    return Problem(graph, {"width": shown, "prev": prev}, source)


@draws
def two_colouring(rng: np.random.Generator) -> Problem:
    """What colours there are is NetworkX's; the first node of each part has colour 0."""
    graph = random_graph(rng, loops=bool(rng.random() < 0.3))
    both = nx.Graph(graph)
    if not nx.is_bipartite(both) or any(both.has_edge(v, v) for v in both):
        return Problem(graph, {"colour": dict.fromkeys(graph)})
    found = nx.bipartite.color(both)
    first = {v: min(part) for part in nx.connected_components(both) for v in part}
    return Problem(graph, {"colour": {v: int(found[v] != found[first[v]]) for v in graph}})


@draws
def eccentricity(rng: np.random.Generator) -> Problem:
    graph = random_graph(rng)
    source = any_node(rng, graph)
    away = nx.single_source_shortest_path_length(graph, source)
    most = max(away.values()) if len(away) == len(graph) else None
    return Problem(graph, {"eccentricity": dict.fromkeys(graph, most)}, source)


@draws
def count_shortest_paths(rng: np.random.Generator) -> Problem:
    graph = random_graph(rng)
    source = any_node(rng, graph)
    reached = nx.descendants(graph, source)
    paths = {v: len([*nx.all_shortest_paths(graph, source, v)]) for v in reached}
    paths[source] = 1
    return Problem(graph, {"paths": {v: paths.get(v, 0) for v in graph}}, source)


@draws
def list_ranking(rng: np.random.Generator) -> Problem:
    graph = random_lists(rng)
    return Problem(graph, {"rank": {v: len(nx.descendants(graph, v)) for v in graph}})


# ── runs ────────────────────────────────────────────────────────────────────────────────────────


@cache
def program(name: str) -> lw.Program:
    """The only algorithm of an example's file."""
    return algorithm_in_file(str(FOLDER / f"{name}.py"), "")()


@cache
def compiled(name: str, attention: Literal["hardmax", "softmax"]) -> lw.Model:
    return lw.compile(program(name), limits=LIMITS, attention=attention)


def same(found: Mapping[str, Mapping[Any, Any]], wanted: Mapping[str, Column], off: float) -> bool:
    """Output by output and node by node; only numbers may be off."""
    return found.keys() == wanted.keys() and all(
        found[output].keys() == column.keys()
        and all(close(found[output][v], x, off) for v, x in column.items())
        for output, column in wanted.items()
    )


def close(found: Any, wanted: Any, off: float) -> bool:
    if isinstance(found, float) and wanted is not None:
        return abs(found - wanted) <= off
    return found == wanted


def wrong(name: str, problem: Problem, number: int = 0) -> list[str]:
    """What is found on a graph in the place of the right answer."""
    model = compiled(name, "hardmax")
    first = lw.verify(model, problem.graph, **problem.options)
    found = {"lockstep": first}
    assert model.check(problem.graph, **problem.inputs).guaranteed
    for run in RUNS:
        if number % run.every == 0:
            chosen = compiled(name, run.attention)
            answer = chosen.run(problem.graph, machine=run.machine, **problem.options)
            found[f"{run.attention}, {run.machine}"] = answer
    if name == "list_ranking":
        assert first.iterations == 1 + ceil(log2(longest(problem.graph)))
    return [
        f"{name}, {how}: {[*problem.graph.edges(data='weight')]} {problem.options}\n"
        f"  found  {dict(answer.result)}\n  wanted {problem.wanted}"
        for how, answer in found.items()
        if not same(answer.result, problem.wanted, OFF if how.startswith("softmax") else 0)
        or answer.iterations != first.iterations
    ]


def longest(lists: nx.DiGraph) -> int:
    """How many nodes the longest list has."""
    return len(nx.dag_longest_path(lists))


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    parser.add_argument("--graphs", type=int, default=1_000, help="for each algorithm")
    parser.add_argument("--seed", type=int, default=0)
    given = parser.parse_args()
    mismatches: list[str] = []
    for name in NAMES:
        rng, begin = np.random.default_rng(given.seed), time.time()
        for number in range(given.graphs):
            mismatches += wrong(name, DRAW[name](rng), number)
        soft = len(compiled(name, "softmax").layers)
        print(
            f"{lw.cost(program(name))}; {soft} layers with softmax; {given.graphs:,} graphs in "
            f"{time.time() - begin:.0f} s, {len(mismatches)} mismatches so far",
            flush=True,
        )
    for line in mismatches[:20]:
        print(line)
    raise SystemExit(bool(mismatches))


if __name__ == "__main__":
    main()
