"""Ten thousand random programs on random graphs: every machine against a second meaning.

    python tests/random_programs.py --programs 10000 --processes 2

`draw_programs.py` makes a program of each seed, with three graphs of 1 to 9 nodes; what the program
means is said by `second_meaning.py`, which knows nothing of Loopwright. `trials.py` says what is
compared, and what a mismatch is.

Prints a table of what was done and every mismatch with its seed: `--seed 17 --programs 1` repeats
that of seed 17. The first ones are shrunk, and shown with program and graph.
"""

from __future__ import annotations

import loopwright as lw
from draw_programs import draw_case
from trials import Family, Run, main

RUNS = {
    "interpret": Run("none"),
    "reference": Run("reference"),
    "native": Run("native"),
    "torch": Run("torch"),
    "exact": Run("exact", every=4),
    "packed reference": Run("reference", packed=True),
    "packed native": Run("native", packed=True, every=10),
    "packed torch": Run("torch", packed=True, every=5),
    "packed lockstep": Run("reference", packed=True, every=4, lockstep=True),
    "packed exact": Run("exact", packed=True, every=20),
    "soft reference": Run("reference", "softmax"),
    "soft native": Run("native", "softmax", every=10),
    "soft torch": Run("torch", "softmax", every=5),
    "soft packed": Run("reference", "softmax", packed=True),
}
"""Column of the record → how a program is run for it."""
FAMILY = Family(draw_case, RUNS, [op.__name__ for op in lw.ops.ALL])

if __name__ == "__main__":
    main(FAMILY, __doc__.splitlines()[0])
