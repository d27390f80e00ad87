"""Disguised models against plain ones, on many graphs: every answer must be the same.

    python scripts/disguise_graphs.py [ALGORITHM…] [--count 10000] [--out benchmarks/disguise.json]

What the file says of other algorithms stays.

All of `count`, with ten seeds, for Dijkstra's algorithm (compact); a tenth for every other one.
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
    parser.add_argument("names", nargs="*", default=list(ALGORITHMS))
    parser.add_argument("--count", type=int, default=10_000)
    parser.add_argument("--out", type=Path, default=Path("benchmarks/disguise.json"))
    given = parser.parse_args()
    there = json.loads(given.out.read_text(encoding="utf-8")) if given.out.exists() else []
    found = [each for each in there if each["algorithm"] not in given.names]
    for name in given.names:
        algorithm = ALGORITHMS[name]
        for construction in algorithm.constructions:
            plain = lw.compile(algorithm(construction), limits=LIMITS)
            if not plain.bound:
                continue
            whole = (name, construction) == ("dijkstra", "compact")
            count, seeds = (given.count, SEEDS) if whole else (given.count // 10, 2)
            begin, same, tried = time.perf_counter(), 0, 0
            for seed in range(seeds):
                hidden = lw.disguise(plain, seed=seed).model
                graphs = random_graphs(plain, count // seeds, nodes=3 + seed % 6, seed=seed)
                for number, (graph, source) in enumerate(graphs):
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
