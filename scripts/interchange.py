"""A thousand random interchange interventions for every algorithm: weights against the program.

    python scripts/interchange.py [ALGORITHM…] [--only CONSTRUCTION] [--count 1000] [--out FILE]

What the file says of other models stays.
"""

from __future__ import annotations

import time

from recorded import arguments, chosen, replace

import loopwright as lw
from loopwright.algorithms import ALGORITHMS
from loopwright.circuits.interchange import random_interchanges


def main() -> None:
    parser = arguments(__doc__, "benchmarks/interchange.json")
    parser.add_argument("--count", type=int, default=1000)
    given = parser.parse_args()
    different = 0
    for name, construction in chosen(given):
        model = lw.compile(ALGORITHMS[name](construction))
        if not model.bound:  # the computer's iterations are its program's
            continue
        begin = time.perf_counter()
        done = list(random_interchanges(model, given.count, seed=19, nodes=4))
        defined = [each for each in done if each.found is not None]
        equal = sum(each.found.agrees for each in defined)
        found = {
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
        replace(given.out, (name, construction), [found])
        different += len(defined) - equal
        print(f"{found} ({time.perf_counter() - begin:.0f} s)", flush=True)
    if different:
        raise SystemExit("weights and program differ")


if __name__ == "__main__":
    main()
