"""Take away every edge of every circuit, one at a time, and record what that does to the answers.

    python scripts/check_circuits.py [ALGORITHM…] [--only CONSTRUCTION] [--out FILE] [--smoke]

By head for all algorithms of `paper`, `compact` and `parallel`; by unit for Dijkstra and
breadth-first search. What the file says of other models stays.
"""

from __future__ import annotations

import time

from recorded import arguments, chosen, replace

import loopwright as lw
from loopwright.algorithms import ALGORITHMS
from loopwright.circuits.check import check_circuit
from loopwright.circuits.circuit import circuit
from loopwright.circuits.graphs import random_problems
from loopwright.runtime.encode import encode
from loopwright.subleq.assemble import assemble
from loopwright.subleq.run import columns, readable_graph

BY_UNIT = [(name, each) for name in ("dijkstra", "bfs") for each in ALGORITHMS[name].constructions]
SIZES = {"paper": (4, 5), "compact": (4, 5, 6, 7), "parallel": (4, 5, 6, 7)}
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


def problems_for(model, construction: str, *, smoke: bool):
    """Small graphs, first one of each size, then another of each; programs, for the computer."""
    if not model.bound:
        return list(programs(model))
    by_size = [
        random_problems(model, 2 if smoke else 6, nodes=nodes, seed=19)
        for nodes in SIZES[construction]
    ]
    return [problem for together in zip(*by_size, strict=True) for problem in together]


def main() -> None:
    parser = arguments(__doc__, "benchmarks/circuits.json")
    parser.add_argument("--smoke", action="store_true")
    given = parser.parse_args()
    for name, construction in chosen(given):
        if construction not in SIZES or (given.smoke and name != "dijkstra"):
            continue
        model = lw.compile(ALGORITHMS[name](construction))
        problems = problems_for(model, construction, smoke=given.smoke)
        found = []
        for grain in ("head", "unit") if (name, construction) in BY_UNIT else ("head",):
            begin = time.perf_counter()
            whole = circuit(model, grain=grain)
            report = check_circuit(model, whole, problems, outside_on=len(SIZES[construction]))
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
        replace(given.out, (name, construction), found)


if __name__ == "__main__":
    main()
