"""Take away every edge of every circuit, one at a time, and record what that does to the answers.

    python scripts/check_circuits.py [ALGORITHM…] [--out benchmarks/circuits.json] [--smoke]

By head for all algorithms of `paper` and `compact`, by unit for Dijkstra and breadth-first search.
What the file says of other algorithms stays.
"""

from __future__ import annotations

import argparse
import json
import time
from pathlib import Path

import loopwright as lw
from loopwright.algorithms import ALGORITHMS
from loopwright.circuits.check import check_circuit
from loopwright.circuits.circuit import circuit
from loopwright.circuits.graphs import random_problems
from loopwright.runtime.encode import encode
from loopwright.subleq.assemble import assemble
from loopwright.subleq.run import columns, readable_graph

BY_UNIT = ("dijkstra", "bfs")
SIZES = {"paper": (4, 5), "compact": (4, 5, 6, 7)}
PROGRAMS = (
    ".data x 4\n.data y 38\n    add x, y\n",
    ".data x 5\n.data y 3\n    sub x, y\n    add x, y\n",
    ".data x 0\n    sub A[0, 1], x\n    sub A[1, 2], x\n",
)
"""For the computer: sums, differences, and entries of a graph."""


def programs(model):
    """Problems of the computer, whose iterations are as many as a program takes."""
    edges = [(0, 1, 3), (1, 2, 2), (2, 0, 1)]
    for text in PROGRAMS:
        code = assemble(text)
        graph = readable_graph(code, edges)
        rows = max(len(code.memory), graph.n, len(code.instructions))
        yield encode(model, graph, inputs=columns(code), rows=rows, iterations=32)


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("names", nargs="*", default=list(ALGORITHMS))
    parser.add_argument("--out", type=Path, default=Path("benchmarks/circuits.json"))
    parser.add_argument("--smoke", action="store_true")
    given = parser.parse_args()
    there = json.loads(given.out.read_text(encoding="utf-8")) if given.out.exists() else []
    found = [each for each in there if each["algorithm"] not in given.names]
    for name in given.names:
        algorithm = ALGORITHMS[name]
        for construction in algorithm.constructions:
            if construction not in SIZES or (given.smoke and name != "dijkstra"):
                continue
            grains = ("head", "unit") if name in BY_UNIT else ("head",)
            model = lw.compile(algorithm(construction))
            for grain in grains:
                begin = time.perf_counter()
                count = 2 if given.smoke else 6
                problems = (
                    [
                        problem
                        for nodes in SIZES[construction]
                        for problem in random_problems(model, count, nodes=nodes, seed=19)
                    ]
                    if model.bound
                    else list(programs(model))
                )
                whole = circuit(model, grain=grain)
                report = check_circuit(model, whole, problems, outside_on=2)
                found.append(
                    {
                        "algorithm": name,
                        "construction": construction,
                        "grain": grain,
                        "graphs": report.graphs,
                        "edges": len(whole.inside),
                        "carry": len(whole.data_flow()),
                        "change an answer": report.inside,
                        "redundant": report.redundant,
                        "outside": report.outside,
                        "outside that matter": report.wrong,
                    }
                )
                print(
                    f"{name:20} {construction:8} {grain:5} {len(whole.inside):5} edges, "
                    f"{report.inside:5} change an answer, {len(report.redundant):4} redundant; "
                    f"{report.outside:6} outside, {len(report.wrong)} of which matter "
                    f"({time.perf_counter() - begin:.0f} s)",
                    flush=True,
                )
    given.out.write_text(json.dumps(found, indent=1, ensure_ascii=False) + "\n", encoding="utf-8")


if __name__ == "__main__":
    main()
