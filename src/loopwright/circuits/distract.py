"""Program → program with distractors: small circuits that compute what no answer depends on.

Each takes a variable of nodes that the program has, compares it with a constant in one step, and in
a later one counts the edges, or adds up their weights, that come from the nodes where it is less.
"""

from __future__ import annotations

from dataclasses import replace

import numpy as np

from loopwright.language import ops
from loopwright.language.formulas import Less
from loopwright.language.op import Op, Phase
from loopwright.language.program import Program, Step
from loopwright.language.variables import Variable, nodes
from loopwright.model.layout import Kind, Scope

THRESHOLDS = (1, 2, 3, 4)


def with_distractors(program: Program, count: int, rng: np.random.Generator) -> Program:
    """Add some; their variables are called `distractor 1`, `distractor 1 edges`, and so on."""
    steps = list(program.steps)
    lasting = [
        v
        for v in program.variables
        if v.scope is Scope.NODES
        and v.kind in (Kind.VALUE, Kind.COUNT, Kind.INDEX)
        and v.start is not None
        and any(v in at.writes() for at in program.steps)
    ]
    for number in range(1, count + 1 if lasting else 1):
        of = lasting[int(rng.integers(len(lasting)))]
        flag = nodes.flag(f"distractor {number}", start=0)
        declare = nodes.value if program.edges == "weights" else nodes.count
        edges = declare(f"distractor {number} edges", start=0)
        threshold = int(rng.choice(THRESHOLDS))
        first = int(rng.integers(len(steps)))
        second = int(rng.integers(len(steps)))
        add(steps, first, ops.Set(flag, Less(of, threshold)))
        add(steps, second, ops.SumFrom(edges, flag))
    return replace(program, steps=tuple(steps), written=program.as_written())


def add(steps: list[Step], at: int, op: Op) -> None:
    """One more op, where attention of the step ends: it finds variables as they are before."""
    attending = [each for each in steps[at].ops if each.phase is Phase.ATTENTION]
    others = [each for each in steps[at].ops if each.phase is Phase.MLP]
    steps[at] = replace(steps[at], ops=(*attending, op, *others))


def is_distractor(variable: Variable | str) -> bool:
    name = variable if isinstance(variable, str) else variable.name
    return name.startswith("distractor ")
