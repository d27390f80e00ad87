"""SALSA-CLRS's six tasks on graphs made by its recipe: docs/salsa.md and docs/figures/salsa.json.

    python scripts/record_salsa.py --graphs 10

The recipe [SALSA-CLRS: arXiv:2309.12253, and its repository jkminder/SALSA-CLRS]: connected
undirected graphs without self-loops. Erdős–Rényi graphs have a probability drawn between ln n / n,
the threshold of connectivity, and three times that; Watts–Strogatz graphs have 4, 6 or 8 neighbours
and a probability of rewiring between 0.05 and 0.2; Delaunay graphs are triangulations of random
points in the unit square. Weights are √(u·v + 0.001), with u and v uniform in [0, 1].

What is right is said by NetworkX where an answer is unique, and by textbook code where there are
ties. In the benchmark's `fast_mis` all nodes draw new numbers in every round; `independent-set` is
given one number a node, so the set that it must find is the greedy one in the order of these.
"""

from __future__ import annotations

import argparse
import json
import math
import time
from collections.abc import Callable, Iterator
from fractions import Fraction
from pathlib import Path
from typing import Any, NamedTuple

import networkx as nx
import numpy as np
from scipy.spatial import Delaunay

import loopwright as lw
from loopwright.cli.own_file import algorithm_in_file

ROOT = Path(__file__).parents[1]
PAGE, RECORD = ROOT / "docs/salsa.md", ROOT / "docs/figures/salsa.json"
SIZES = (16, 80, 160, 800, 1600)
LIMITS = lw.Limits(nodes=1600, largest=2048, resolution=Fraction(1, 2**30))
"""One model of an algorithm answers all graphs."""

# ── the recipe ──────────────────────────────────────────────────────────────────────────────────


def erdos_renyi(n: int, rng: np.random.Generator) -> nx.Graph:
    p = rng.uniform(1, 3) * math.log(n) / n
    while True:
        graph = nx.fast_gnp_random_graph(n, p, seed=int(rng.integers(2**32)))
        if nx.is_connected(graph):
            return graph


def watts_strogatz(n: int, rng: np.random.Generator) -> nx.Graph:
    k, p = int(rng.choice([4, 6, 8])), rng.uniform(0.05, 0.2)
    return nx.connected_watts_strogatz_graph(n, k, p, seed=int(rng.integers(2**32)))


def delaunay(n: int, rng: np.random.Generator) -> nx.Graph:
    graph = nx.empty_graph(n)
    for corners in Delaunay(rng.random((n, 2))).simplices.tolist():
        nx.add_cycle(graph, corners)
    return graph


KINDS: dict[str, Callable[[int, np.random.Generator], nx.Graph]] = {
    "Erdős–Rényi": erdos_renyi,
    "Watts–Strogatz": watts_strogatz,
    "Delaunay": delaunay,
}


class Problem(NamedTuple):
    graph: nx.Graph
    source: int
    priority: list[float]


def draw(kind: str, n: int, seed: int) -> Problem:
    """A graph with weights, a source, and a number for each node."""
    rng = np.random.default_rng([list(KINDS).index(kind), n, seed])
    graph = KINDS[kind](n, rng)
    for u, v in graph.edges:
        graph.edges[u, v]["weight"] = math.sqrt(rng.random() * rng.random() + 1e-3)
    priority = (rng.permutation(n) / 2).tolist()
    return Problem(graph, int(rng.integers(n)), priority)


# ── what is right ───────────────────────────────────────────────────────────────────────────────


def bfs(problem: Problem) -> dict[str, Any]:
    """Level by level; the parent is the first node of the level before."""
    prev, level = {problem.source: problem.source}, [problem.source]
    while level:
        found: list[int] = []
        for u in sorted(level):
            new = [v for v in problem.graph[u] if v not in prev]
            prev |= dict.fromkeys(new, u)
            found += new
        level = found
    return {"prev": prev}


def dfs(problem: Problem) -> dict[str, Any]:
    """From the first node, neighbours in index order."""
    neighbours = {u: iter(sorted(problem.graph[u])) for u in problem.graph}
    prev, path = {0: 0}, [0]
    while path:
        following = next((v for v in neighbours[path[-1]] if v not in prev), None)
        if following is None:
            path.pop()
        else:
            prev[following] = path[-1]
            path.append(following)
    return {"prev": prev}


def dijkstra(problem: Problem) -> dict[str, Any]:
    """Weights are random, so that no two paths are as long."""
    paths = nx.single_source_dijkstra_path(problem.graph, problem.source)
    return {"prev": {v: path[-2] if len(path) > 1 else v for v, path in paths.items()}}


def mst_prim(problem: Problem) -> dict[str, Any]:
    tree = nx.minimum_spanning_tree(problem.graph)
    parents = {v: u for u, v in nx.bfs_edges(tree, problem.source)}
    return {"prev": parents | {problem.source: problem.source}}


def fast_mis(problem: Problem) -> dict[str, Any]:
    member: set[int] = set()
    for v in sorted(problem.graph, key=problem.priority.__getitem__):
        if member.isdisjoint(problem.graph[v]):
            member.add(v)
    return {"member": {v: v in member for v in problem.graph}}


def eccentricity(problem: Problem) -> dict[str, Any]:
    hops = nx.eccentricity(problem.graph, problem.source)
    return {"eccentricity": dict.fromkeys(problem.graph, hops)}


class Task(NamedTuple):
    right: Callable[[Problem], dict[str, Any]]
    algorithm: str
    constructions: tuple[str, ...]


TASKS = {
    "bfs": Task(bfs, "bfs", ("compact", "parallel")),
    "dfs": Task(dfs, "dfs", ("compact",)),
    "dijkstra": Task(dijkstra, "dijkstra", ("compact", "parallel")),
    "mst_prim": Task(mst_prim, "prim", ("compact", "parallel")),
    "fast_mis": Task(fast_mis, "independent-set", ("parallel",)),
    "eccentricity": Task(eccentricity, "eccentricity", ("own",)),
}


# ── measuring ───────────────────────────────────────────────────────────────────────────────────


def models() -> Iterator[tuple[str, lw.Model]]:
    """Every task with every model that answers it."""
    file = str(ROOT / "examples/algorithms/eccentricity.py")
    own = {"eccentricity": algorithm_in_file(file, "eccentricity")}
    every = {**lw.algorithms.ALGORITHMS, **own}
    for name, task in TASKS.items():
        for construction in task.constructions:
            yield name, lw.compile(every[task.algorithm](construction), limits=LIMITS)


def is_right(task: str, model: lw.Model, problem: Problem) -> tuple[bool, int]:
    """Whether the whole answer is, and how many iterations it took."""
    options: dict[str, Any] = {"priority": problem.priority} if task == "fast_mis" else {}
    if model.source == "required":
        options["source"] = problem.source
    answer = model.run(problem.graph, machine="native", **options)
    wanted = TASKS[task].right(problem)
    return {name: answer.result[name] for name in wanted} == wanted, answer.iterations


def measure(graphs: int, sizes: tuple[int, ...]) -> Iterator[dict[str, Any]]:
    for task, model in models():
        for kind in KINDS:
            for n in sizes:
                begin = time.perf_counter()
                found = [is_right(task, model, draw(kind, n, seed)) for seed in range(graphs)]
                yield {
                    "task": task,
                    "algorithm": model.name,
                    "construction": model.construction,
                    "kind": kind,
                    "nodes": n,
                    "graphs": graphs,
                    "correct": sum(right for right, _ in found),
                    "most_iterations": max(iterations for _, iterations in found),
                    "seconds": time.perf_counter() - begin,
                }


# ── the page ────────────────────────────────────────────────────────────────────────────────────

HEAD = """# SALSA-CLRS

Whole graphs right, on the six tasks of SALSA-CLRS (J. Minder et al., arXiv:2309.12253), which asks
whether what was learned on 16 nodes holds on 1,600. Its graphs are sparse and connected:
Erdős–Rényi graphs at one to three times the threshold of connectivity, Watts–Strogatz graphs, and
Delaunay triangulations. The graphs here are made by that recipe, with our own random numbers:
{graphs} of each kind and size, where the benchmark has 1,000. Answers are compared with those of
NetworkX and of textbook code, node by node; a graph counts if all of it is right. One model of each
algorithm answers all of them, up to 1,600 nodes, on the native machine.

`fast_mis`: the benchmark's nodes draw new numbers in every round. A program has no dice, so ours is
given one number a node, and the set that it must find is the greedy one in that order; see
[parallel.md](parallel.md). `eccentricity` is
[examples/algorithms/eccentricity.py](../examples/algorithms/eccentricity.py).

Made by `python scripts/record_salsa.py --graphs {graphs}`; the cells are graphs right, and in
brackets the most iterations that one of them took.

"""


def page(rows: list[dict[str, Any]]) -> str:
    sizes = sorted({row["nodes"] for row in rows})
    lines = ["| task | model | graphs | " + " | ".join(f"{n:,}" for n in sizes) + " |"]
    lines.append("| --- " * (3 + len(sizes)) + "|")
    cells: dict[tuple[str, str, str], list[str]] = {}
    for row in rows:
        model = f"{row['algorithm']} ({row['construction']})"
        cell = f"{row['correct']} / {row['graphs']} ({row['most_iterations']:,})"
        cells.setdefault((row["task"], model, row["kind"]), []).append(cell)
    lines += ["| " + " | ".join([*key, *found]) + " |" for key, found in cells.items()]
    return HEAD.format(graphs=rows[0]["graphs"]) + "\n".join(lines) + "\n"


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    parser.add_argument("--graphs", type=int, default=10)
    parser.add_argument("--most-nodes", type=int, default=max(SIZES))
    given = parser.parse_args()
    rows = []
    for row in measure(given.graphs, tuple(n for n in SIZES if n <= given.most_nodes)):
        print(*row.values(), flush=True)
        rows.append(row)
    RECORD.write_text(json.dumps(rows, indent=1, ensure_ascii=False) + "\n", encoding="utf-8")
    PAGE.write_text(page(rows), encoding="utf-8")


if __name__ == "__main__":
    main()
