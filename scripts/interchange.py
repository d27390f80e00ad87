"""A thousand random interchange interventions for every algorithm: weights against the program.

    python scripts/interchange.py [ALGORITHM…] [--only CONSTRUCTION] [--count 1000] [--out FILE]

What the file says of other models stays.
"""

from __future__ import annotations

import time
from collections.abc import Iterable

from recorded import arguments, chosen, replace

import loopwright as lw
from loopwright.algorithms import ALGORITHMS
from loopwright.circuits.interchange import Interchange, random_interchanges


def until_defined(drawn: Iterable[Interchange], count: int) -> list[Interchange]:
    """As many as it takes until the program has an answer to so many of them: an op may be promised
    what an intervention breaks, that a path is no longer than the way to it, say."""
    done: list[Interchange] = []
    for each in drawn:
        done.append(each)
        count -= each.found is not None
        if not count:
            break
    return done


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
        done = until_defined(
            random_interchanges(model, 2 * given.count, seed=19, nodes=4), given.count
        )
        defined = [each for each in done if each.found is not None]
        equal = sum(each.found.agrees for each in defined)
        found = {
            "algorithm": name,
            "construction": construction,
            "interventions": len(defined),
            "another value than before": sum(each.changed for each in defined),
            "equal to the program's": equal,
            "different": len(defined) - equal,
            "the program has no answer": len(done) - len(defined),
            "neither halts": sum(each.found.expected is None for each in defined),
            "variables": len({each.variable for each in defined}),
        }
        replace(given.out, (name, construction), [found])
        different += len(defined) - equal
        print(f"{found} ({time.perf_counter() - begin:.0f} s)", flush=True)
    if different:
        raise SystemExit("weights and program differ")


if __name__ == "__main__":
    main()
