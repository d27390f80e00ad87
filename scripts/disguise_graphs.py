"""Disguised models against plain ones, on many graphs: every answer must be the same.

    python scripts/disguise_graphs.py [--count 10000] [--out benchmarks/disguise.json]

All of `count` for Dijkstra's algorithm, a tenth for every other one; each tenth with another seed.
"""

from __future__ import annotations

import argparse
import json
import time
from pathlib import Path

import loopwright as lw
from loopwright.algorithms import ALGORITHMS
from loopwright.circuits.bench.tasks import LIMITS
from loopwright.circuits.graphs import flags_of, random_graphs

SEEDS = 10


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--count", type=int, default=10_000)
    parser.add_argument("--out", type=Path, default=Path("benchmarks/disguise.json"))
    given = parser.parse_args()
    found = []
    for name, algorithm in ALGORITHMS.items():
        for construction in algorithm.constructions:
            plain = lw.compile(algorithm(construction), limits=LIMITS)
            if not plain.bound:
                continue
            count = (
                given.count
                if (name, construction) == ("dijkstra", "compact")
                else given.count // 10
            )
            begin, same, tried = time.perf_counter(), 0, 0
            for seed in range(SEEDS if count == given.count else 2):
                hidden = lw.disguise(plain, seed=seed).model
                share = count // (SEEDS if count == given.count else 2)
                for number, (graph, source) in enumerate(
                    random_graphs(plain, share, nodes=3 + seed % 6, seed=seed)
                ):
                    options = {"source": source, "scale": 1, **flags_of(plain, number)}
                    expected = plain.run(graph, **options)
                    answer = hidden.run(graph, **options)
                    same += (answer.result, answer.iterations) == (
                        expected.result,
                        expected.iterations,
                    )
                    tried += 1
            found.append(
                {"algorithm": name, "construction": construction, "graphs": tried, "same": same}
            )
            print(f"{found[-1]} ({time.perf_counter() - begin:.0f} s)", flush=True)
    given.out.write_text(json.dumps(found, indent=1) + "\n", encoding="utf-8")
    if any(each["same"] != each["graphs"] for each in found):
        raise SystemExit("a disguise changed an answer")


if __name__ == "__main__":
    main()
