"""Ten thousand random programs of statements on random graphs: every machine against their meaning.

    python tests/random_statements.py --programs 10000 --processes 2

`draw_statements.py` makes a program of each seed, with three graphs of 1 to 9 nodes, and writes it
by calling what an author calls; what it means is said by `statement_trees.py`, which knows nothing
of Loopwright. `trials.py` says what is compared, and what a mismatch is.

Prints a table of what was done and every mismatch with its seed: `--seed 17 --programs 1` repeats
that of seed 17. The first ones are shrunk, and shown with program and graph.
"""

from __future__ import annotations

from draw_statements import draw_case
from statement_trees import STATEMENTS, TERMS
from trials import Family, Run, main

RUNS = {
    "interpret": Run("none"),
    "reference": Run("reference"),
    "lockstep": Run("reference", lockstep=True),
    "native": Run("native", every=4),
    "torch": Run("torch", every=4),
    "exact": Run("exact", every=10),
    "soft lockstep": Run("reference", "softmax", lockstep=True),
    "soft reference": Run("reference", "softmax", every=4),
    "soft native": Run("native", "softmax", every=10),
    "soft torch": Run("torch", "softmax", every=10),
}
"""Column of the record → how a program is run for it."""
FAMILY = Family(draw_case, RUNS, [*STATEMENTS, *TERMS])

if __name__ == "__main__":
    main(FAMILY, __doc__.splitlines()[0])
