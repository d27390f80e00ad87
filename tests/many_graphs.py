"""A million random small graphs: every algorithm, construction and machine against oracles.

    python tests/many_graphs.py --graphs 1000000 --processes 2

Graphs have 1 to 9 nodes, directed or not, with self-loops, ties, near ties and separate parts, and
weights in units from tiny to huge. Most are what the algorithm needs, such as without cycles; the
others are run unchecked. Each runs on the native machine, some on the others too (see RUNS), and
the whole answer is compared with that of `oracles.py`, which knows nothing of Loopwright. Prints a
table of what was done, and every mismatch with its graph and with the seed that makes it again:
`--seed 17 --graphs 1` repeats the 2,000 graphs of seed 17. `--construction parallel` and
`--algorithms bfs scc` run nothing else.
"""

from __future__ import annotations

import argparse
import time
from collections import Counter
from collections.abc import Mapping, Sequence
from concurrent.futures import ProcessPoolExecutor
from dataclasses import dataclass
from fractions import Fraction
from functools import cache, partial
from typing import Any, Literal, NamedTuple

import numpy as np

import loopwright as lw
from loopwright.algorithms import ALGORITHMS
from oracles import (
    Answer,
    Matrix,
    comparable,
    graph_subleq,
    independent_set,
    multitask,
    oracle_of,
)

LIMITS = lw.Limits(nodes=12, largest=256, resolution=Fraction(1, 2**16))
CHUNK = 2_000
"""Graphs of one seed."""
UNITS = [3 * 2.0**-60, 2.0**-20, 5 * 2.0**30, 2.0**200]
"""Where the unit of the weights is arbitrary, some are in one of these; products are exact."""
STEPS = 40
"""The most that a program of Graph-SUBLEQ may take."""


class Run(NamedTuple):
    attention: Literal["hardmax", "softmax"]
    machine: str
    every: int
    """One graph in so many."""
    tolerance: float = 0.0
    """What numbers may be off, as the model sees them; labels and flags never are."""
    lockstep: bool = False
    """Whether `lw.verify` runs it, which compares every variable after every layer as well."""


RUNS = {
    "native": Run("hardmax", "native", 1),
    "reference": Run("hardmax", "reference", 50),
    "lockstep": Run("hardmax", "native", 100, lockstep=True),
    "torch": Run("hardmax", "torch", 50),
    "exact": Run("hardmax", "exact", 500),
    "softmax": Run("softmax", "native", 20, tolerance=float(LIMITS.resolution) / 4),
    "soft reference": Run("softmax", "reference", 200, tolerance=float(LIMITS.resolution) / 4),
}
"""Column of the record → how a graph is run for it."""
JOBS = [(name, made) for name, algorithm in ALGORITHMS.items() for made in algorithm.constructions]
UNDIRECTED_ALONE = {("kruskal", "parallel"), ("prim", "parallel")}
"""Constructions whose answers for arrows are nobody's: they have no oracle there."""


# ── random problems ─────────────────────────────────────────────────────────────────────────────


@dataclass(frozen=True)
class Problem:
    """A graph, what else `model.run` needs, and the right answer."""

    matrix: Matrix
    options: dict[str, Any]
    wanted: Answer


def random_matrix(rng: np.random.Generator) -> Matrix:
    """Weights are quarters, at times one or two steps of the resolution more."""
    n = int(rng.integers(1, 10))
    edges = rng.random((n, n)) < rng.choice([0.1, 0.25, 0.5, 0.9])
    weights = rng.integers(1, rng.choice([2, 4, 40]), (n, n)) / 4
    if rng.random() < 0.25:
        weights += rng.integers(0, 3, (n, n)) * float(LIMITS.resolution)
    matrix = np.where(edges, weights, 0.0)
    return np.maximum(matrix, matrix.T) if rng.random() < 0.3 else matrix


def turned_forwards(matrix: Matrix, rng: np.random.Generator) -> Matrix:
    """The same edges along a random order of the nodes: no cycles, no self-loops."""
    place = rng.permutation(len(matrix))
    return np.where(place[:, None] < place, np.maximum(matrix, matrix.T), 0.0)


def random_program(matrix: Matrix, rng: np.random.Generator) -> tuple[dict[str, Any], Answer]:
    """Inputs of Graph-SUBLEQ that halt in time, with numbers within the limits."""
    n, answer = len(matrix), None
    while answer is None:
        places = {key: rng.integers(1, n + 1, n).tolist() for key in ("a1", "a2", "b")}
        c = rng.integers(0, n + 1, n)
        inputs = places | {
            "memory": [Fraction(k, 4) for k in rng.integers(-12, 13, n).tolist()],
            "c": c.tolist(),
            "gamma": rng.integers(0, 2, n).tolist(),
            "halts": (c == 0).astype(int).tolist(),
            "last": [0] * (n - 1) + [1],
        }
        answer = graph_subleq(matrix, inputs, steps=STEPS, largest=LIMITS.largest)
    return inputs | {"max_iterations": STEPS}, answer


def draw(model: lw.Model, rng: np.random.Generator) -> Problem:
    """A source if it is required, half of the time if it is optional."""
    name, matrix = model.name, random_matrix(rng)
    always = not model.needs or (name, model.construction) in UNDIRECTED_ALONE
    suited = always or rng.random() < 0.8
    if "acyclic" in model.needs and suited:
        matrix = turned_forwards(matrix, rng)
    if "undirected" in model.needs and suited:
        matrix = np.maximum(matrix, matrix.T)
    if model.demands.homogeneous and rng.random() < 0.2:
        matrix = matrix * rng.choice(UNITS)
    if name == "graph-subleq":
        return Problem(matrix, *random_program(matrix, rng))
    chance = {"required": 1.0, "optional": 0.5, "none": 0.0}[model.source]
    source = int(rng.integers(len(matrix))) if rng.random() < chance else None
    if name == "multitask":  # a depth-first search may have no source
        dfs = int(rng.integers(2))
        source = None if dfs and rng.random() < 0.5 else source
        wanted = multitask(matrix, source, dfs=dfs)
        return Problem(matrix, {"source": source, "dfs": dfs}, wanted)
    if name == "independent-set" and rng.random() < 0.9:
        priority = (rng.integers(0, rng.choice([2, 5, 400]), len(matrix)) / 4).tolist()
        wanted = independent_set(matrix, None, priority=priority)
        return Problem(matrix, {"priority": priority}, wanted)
    oracle = oracle_of(name, model.construction)
    return Problem(matrix, {"source": source, "checked": suited}, oracle(matrix, source))


# ── runs ────────────────────────────────────────────────────────────────────────────────────────


@cache
def compiled(name: str, construction: str, attention: Literal["hardmax", "softmax"]) -> lw.Model:
    """Once in each process: native code is kept with its model."""
    return lw.compile(ALGORITHMS[name](construction), limits=LIMITS, attention=attention)


def same(found: Mapping[str, Mapping[Any, Any]], problem: Problem, tolerance: float) -> bool:
    """Output by output; of depth-first search in the multitask model, `dists` are priorities."""
    wanted = problem.wanted
    compared = found.keys() - ({"dists"} if problem.options.get("dfs") else set())
    return compared == wanted.keys() and all(
        found[output].keys() == column.keys()
        and all(close(found[output][v], x, tolerance) for v, x in column.items())
        for output, column in wanted.items()
    )


def close(found: Any, wanted: Any, tolerance: float) -> bool:
    if isinstance(found, float) and wanted is not None:
        return abs(found - wanted) <= tolerance
    return found == wanted


def attempt(model: lw.Model, run: Run, problem: Problem) -> str | None:
    """What is found in place of the right answer; None if that is found."""
    try:
        whole = lw.verify if run.lockstep else lw.Model.run
        found = whole(model, problem.matrix, machine=run.machine, **problem.options).result
    except Exception as error:  # whatever it is, the record must say on which graph
        return repr(error)
    tolerance = run.tolerance and run.tolerance / float(model.check(problem.matrix).scale)
    return None if same(comparable(found), problem, tolerance) else str(found)


def chosen_jobs(construction: str | None, algorithms: Sequence[str]) -> list[tuple[str, str]]:
    """These algorithms, or all, in one construction, or in all of theirs."""
    return [
        (name, made)
        for name, made in JOBS
        if construction in (None, made) and name in (algorithms or ALGORITHMS)
    ]


def chunk(
    seed: int,
    graphs: int = CHUNK,
    *,
    construction: str | None = None,
    algorithms: Sequence[str] = (),
) -> tuple[Counter[tuple[str, str, str]], list[str]]:
    """Run the graphs of a seed; how many runs of what, and the mismatches."""
    rng, jobs = np.random.default_rng(seed), chosen_jobs(construction, algorithms)
    done: Counter[tuple[str, str, str]] = Counter()
    wrong: list[str] = []
    for i in range(graphs):
        name, made = jobs[int(rng.integers(len(jobs)))]
        problem = draw(compiled(name, made, "hardmax"), rng)
        for column, run in RUNS.items():
            if i % run.every:
                continue
            done[name, made, column] += 1
            found = attempt(compiled(name, made, run.attention), run, problem)
            if found is not None:
                wrong.append(
                    f"{name} {made} {column}, seed {seed}, graph {i}: "
                    f"{problem.matrix.tolist()} {problem.options}\n"
                    f"  found  {found}\n  wanted {problem.wanted}"
                )
    return done, wrong


# ── the record ──────────────────────────────────────────────────────────────────────────────────


def table(done: Counter[tuple[str, str, str]]) -> str:
    """A line for each algorithm and construction, with the runs of each column."""
    lines = [["", "", *RUNS]]
    ran = [job for job in JOBS if any(done[*job, column] for column in RUNS)]
    lines += [[*job, *(f"{done[*job, column]:,}" for column in RUNS)] for job in ran]
    totals = [sum(done[*job, column] for job in JOBS) for column in RUNS]
    lines.append(["all", "", *(f"{total:,}" for total in totals)])
    return "\n".join(
        f"{name:20}{construction:9}" + "".join(f"{cell:>16}" for cell in cells)
        for name, construction, *cells in lines
    )


def one_thread() -> None:
    """For PyTorch: the processes fill the cores already."""
    import torch

    torch.set_num_threads(1)


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    parser.add_argument("--graphs", type=int, default=1_000_000)
    parser.add_argument("--processes", type=int, default=2)
    parser.add_argument("--seed", type=int, default=0)
    parser.add_argument("--construction", choices=sorted({made for _, made in JOBS}))
    parser.add_argument("--algorithms", nargs="*", choices=ALGORITHMS, default=[])
    given = parser.parse_args()
    begin, done, wrong = time.time(), Counter[tuple[str, str, str]](), list[str]()
    seeds = range(given.seed, given.seed + -(-given.graphs // CHUNK))
    with ProcessPoolExecutor(given.processes, initializer=one_thread) as pool:
        job = partial(chunk, construction=given.construction, algorithms=given.algorithms)
        runs = pool.map(job, seeds)
        for number, (counts, mismatches) in enumerate(runs, start=1):
            done.update(counts)
            wrong += mismatches
            for line in mismatches[:20]:
                print(line, flush=True)
            if number % 50 == 0:
                print(f"{number * CHUNK:,} graphs, {len(wrong)} mismatches", flush=True)
    print(table(done))
    print(f"{len(seeds) * CHUNK:,} graphs, {done.total():,} runs in {time.time() - begin:.0f} s")
    print(f"{len(wrong)} mismatches")
    raise SystemExit(bool(wrong))


if __name__ == "__main__":
    main()
