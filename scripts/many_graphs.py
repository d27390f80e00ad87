"""A million random small graphs: every algorithm, construction and machine against oracles.

    python scripts/many_graphs.py --graphs 1000000 --processes 2

Graphs have 1 to 9 nodes, directed or not, with self-loops, ties and separate parts. Each runs on
the native machine (one in 50 also on the reference, one in 500 on the exact one) and is compared
with an oracle from the textbook or NetworkX, or, where there is none here, with what the program
means. Prints what was done, and every mismatch with the seed that makes it again.
"""

from __future__ import annotations

import argparse
import time
from collections import Counter
from collections.abc import Callable
from concurrent.futures import ProcessPoolExecutor
from fractions import Fraction
from functools import cache
from typing import Any

import networkx as nx
import numpy as np

import loopwright as lw
from loopwright.algorithms import ALGORITHMS
from loopwright.language.interpret import World, interpret
from loopwright.language.program import Program
from loopwright.runtime.encode import encode
from loopwright.runtime.graph import Graph
from loopwright.verify import neighbours

LIMITS = lw.Limits(nodes=12, largest=256, resolution=Fraction(1, 2**16))
CHUNK = 2_000


def random_matrix(rng: np.random.Generator) -> np.ndarray:
    n = int(rng.integers(1, 10))
    edges = rng.random((n, n)) < rng.choice([0.1, 0.25, 0.5, 0.9])
    weights = rng.integers(1, rng.choice([2, 4, 40]), (n, n)) / 4 if n else np.zeros((0, 0))
    matrix = np.where(edges, weights, 0.0)
    return np.maximum(matrix, matrix.T) if rng.random() < 0.3 else matrix


def dijkstra(a: np.ndarray, source: int) -> dict[str, list[Any]]:
    n = len(a)
    dists, prev, done = [float("inf")] * n, list(range(n)), [False] * n
    dists[source] = 0.0
    for _ in range(n):
        u = min((i for i in range(n) if not done[i]), key=lambda i: (dists[i], i))
        done[u] = True
        for v in range(n):
            if a[u, v] and dists[u] + a[u, v] < dists[v]:
                dists[v], prev[v] = dists[u] + a[u, v], u
    return {"dists": [None if d == float("inf") else d for d in dists], "prev": prev}


def bfs(a: np.ndarray, source: int) -> dict[str, list[Any]]:
    prev, seen, level = list(range(len(a))), {source}, [source]
    while level:
        found: list[int] = []
        for u in sorted(level):
            for v in np.flatnonzero(a[u]):
                if v not in seen:
                    seen.add(int(v))
                    found.append(int(v))
                    prev[v] = u
        level = found
    return {"prev": prev}


def dfs(a: np.ndarray, source: int | None) -> dict[str, list[Any]]:
    prev, seen = list(range(len(a))), set[int]()

    def visit(u: int) -> None:
        seen.add(u)
        for v in map(int, np.flatnonzero(a[u])):
            if v not in seen:
                prev[v] = u
                visit(v)

    for root in ([] if source is None else [source]) + list(range(len(a))):
        if root not in seen:
            visit(root)
    return {"prev": prev}


def same_parts(a: np.ndarray, component: list[int]) -> bool:
    parts = nx.strongly_connected_components(nx.from_numpy_array(a, create_using=nx.DiGraph))
    wanted = {frozenset(part) for part in parts}
    found = {frozenset(i for i, c in enumerate(component) if c == root) for root in component}
    return wanted == found and all(component[root] == root for root in component)


ORACLES: dict[str, Callable[[np.ndarray, Any], dict[str, list[Any]]]] = {
    "dijkstra": dijkstra,
    "bfs": bfs,
    "dfs": dfs,
}


def meaning(model: lw.Model, program: Any, graph: Graph, source: int | None) -> dict[str, list]:
    """What the program means, in exact numbers, decoded as the model's answer is."""
    problem = encode(model, graph, source=source)
    world = World(graph.n, neighbours(problem, graph.n), model.constants)
    start = None if source is None else source + 1
    most = model.max_iterations(graph.n) or 0
    state, _ = interpret(program, world, source=start, max_iterations=most)
    kinds = {name: variable for name, variable in program.outputs.items()}

    def cell(kind: str, value: Any) -> Any:
        if kind == "index":
            return int(value) - 1 if value else None
        if kind == "value":
            return None if value >= model.constants.unreached else float(value)
        return bool(value) if kind == "flag" else int(value)

    return {
        name: [cell(variable.kind, value) for value in state[variable.name]]
        for name, variable in kinds.items()
    }


@cache
def programs() -> list[tuple[str, str, Program]]:
    """All that any graph suits: not those that need an acyclic one, or a program to run."""
    return [
        (name, construction, algorithm(construction))
        for name, algorithm in ALGORITHMS.items()
        if name not in ("graph-subleq", "dag-shortest-paths", "topological-sort")
        for construction in algorithm.constructions
    ]


@cache
def compiled(name: str, construction: str) -> lw.Model:
    """Once in each process: native code is kept with its model."""
    return lw.compile(ALGORITHMS[name](construction), limits=LIMITS)


def chunk(seed: int) -> tuple[Counter[str], list[str]]:
    """Run CHUNK graphs; how many runs of what, and the mismatches."""
    rng = np.random.default_rng(seed)
    done: Counter[str] = Counter()
    wrong: list[str] = []
    jobs = programs()
    undirected = ("components", "articulation-points", "bridges", "prim")
    for i in range(CHUNK):
        name, construction, program = jobs[int(rng.integers(len(jobs)))]
        model, a = compiled(name, construction), random_matrix(rng)
        if name in undirected:
            a = np.maximum(a, a.T)
        graph = Graph.from_matrix(a)
        source = int(rng.integers(graph.n)) if program.source == "required" else None
        if name == "multitask":
            source = int(rng.integers(graph.n))
        oracle = ORACLES.get("dijkstra" if name == "multitask" else name)
        wanted = None
        if oracle is not None:
            wanted = oracle(a, source)
        elif name != "scc":
            wanted = meaning(model, program, graph, source)
        machines = ["native"] + ["reference"] * (i % 50 == 0) + ["exact"] * (i % 500 == 0)
        for machine in machines:
            answer = model.run(graph, source=source, machine=machine)
            found = {key: list(column.values()) for key, column in answer.result.items()}
            good = same_parts(a, found["component"]) if name == "scc" else found == wanted
            done[f"{name} {construction} {machine}"] += 1
            if not good:
                wrong.append(f"{name} {construction} {machine}: seed {seed}, graph {i}")
    return done, wrong


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    parser.add_argument("--graphs", type=int, default=1_000_000)
    parser.add_argument("--processes", type=int, default=2)
    parser.add_argument("--seed", type=int, default=0)
    given = parser.parse_args()
    begin, done, wrong = time.time(), Counter[str](), list[str]()
    seeds = range(given.seed, given.seed + -(-given.graphs // CHUNK))
    with ProcessPoolExecutor(given.processes) as pool:
        for number, (runs, mismatches) in enumerate(pool.map(chunk, seeds), start=1):
            done.update(runs)
            wrong += mismatches
            if number % 50 == 0:
                print(f"{number * CHUNK:,} graphs, {len(wrong)} mismatches", flush=True)
    for key, count in sorted(done.items()):
        print(f"{key}: {count:,}")
    print(f"{len(seeds) * CHUNK:,} graphs, {done.total():,} runs in {time.time() - begin:.0f} s: ")
    print(f"{len(wrong)} mismatches")
    for line in wrong[:20]:
        print(line)
    raise SystemExit(bool(wrong))


if __name__ == "__main__":
    main()
