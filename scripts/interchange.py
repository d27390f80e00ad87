"""A thousand random interchange interventions for every algorithm: weights against the program.

python scripts/interchange.py [ALGORITHM…] [--count 1000] [--out benchmarks/interchange.json]

What the file says of other algorithms stays.
"""

from __future__ import annotations

import argparse
import json
import time
from pathlib import Path

import loopwright as lw
from loopwright.algorithms import ALGORITHMS
from loopwright.circuits.interchange import random_interchanges


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("names", nargs="*", default=list(ALGORITHMS))
    parser.add_argument("--count", type=int, default=1000)
    parser.add_argument("--out", type=Path, default=Path("benchmarks/interchange.json"))
    given = parser.parse_args()
    there = json.loads(given.out.read_text(encoding="utf-8")) if given.out.exists() else []
    found = [each for each in there if each["algorithm"] not in given.names]
    for name in given.names:
        algorithm = ALGORITHMS[name]
        for construction in algorithm.constructions:
            model = lw.compile(algorithm(construction))
            if not model.bound:  # the computer's iterations are its program's
                continue
            begin = time.perf_counter()
            done = list(random_interchanges(model, given.count, seed=19, nodes=4))
            defined = [each for each in done if each.found is not None]
            equal = sum(each.found.agrees for each in defined)
            found.append(
                {
                    "algorithm": name,
                    "construction": construction,
                    "interventions": len(done),
                    "another value than before": sum(each.changed for each in done),
                    "equal to the program's": equal,
                    "different": len(defined) - equal,
                    "the program has no answer": len(done) - len(defined),
                    "neither halts": sum(each.found.expected is None for each in defined),
                    "variables": len({each.variable for each in done}),
                }
            )
            print(f"{found[-1]} ({time.perf_counter() - begin:.0f} s)", flush=True)
    given.out.write_text(json.dumps(found, indent=1) + "\n", encoding="utf-8")
    if any(each["different"] for each in found):
        raise SystemExit("weights and program differ")


if __name__ == "__main__":
    main()
