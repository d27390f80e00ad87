"""Disguised models against plain ones, on many graphs: every answer must be the same.

    python scripts/disguise_graphs.py [ALGORITHM…] [--only CONSTRUCTION] [--count 10000]
        [--machine reference] [--out FILE]

All of `count`, with ten seeds, for Dijkstra's algorithm (compact); a tenth for every other one.
They run on the reference, as `native` would first compile every disguise; that all machines give
the same answers is in `tests/circuits/test_disguise.py`. What the file says of other models stays.
"""

from __future__ import annotations

import time

from recorded import arguments, chosen, replace

import loopwright as lw
from loopwright.algorithms import ALGORITHMS
from loopwright.circuits.bench.tasks import LIMITS
from loopwright.circuits.graphs import flags_of, random_graphs

SEEDS = 10


def main() -> None:
    parser = arguments(__doc__, "benchmarks/disguise.json")
    parser.add_argument("--count", type=int, default=10_000)
    parser.add_argument("--machine", default="reference")
    given = parser.parse_args()
    wrong = 0
    for name, construction in chosen(given):
        plain = lw.compile(ALGORITHMS[name](construction), limits=LIMITS)
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
                expected, answer = (
                    model.run(graph, machine=given.machine, **options) for model in (plain, hidden)
                )
                same += (answer.result, answer.iterations) == (expected.result, expected.iterations)
                tried += 1
        found = {"algorithm": name, "construction": construction, "graphs": tried, "same": same}
        replace(given.out, (name, construction), [found])
        wrong += tried - same
        print(f"{found} ({time.perf_counter() - begin:.0f} s)", flush=True)
    if wrong:
        raise SystemExit("a disguise changed an answer")


if __name__ == "__main__":
    main()
