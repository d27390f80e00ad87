"""What a program needs so that softmax attention does not spoil it. [P App. B.1, B.2]

Softmax splits a tie as ½ ± a little, and a position written through a residual is off in its last
digit. Both errors would grow, so layers of the same architecture round them away. One more layer
keeps the outputs once the halting flag was set, however long the loop runs on.
"""

from __future__ import annotations

from dataclasses import replace

from loopwright.language.op import Op
from loopwright.language.ops import OneHot, Repeat, RoundFlag, RoundPosition, Set, Where
from loopwright.language.program import Program, Step, step
from loopwright.language.variables import B_GLOBAL, Variable, nodes, single
from loopwright.model.layout import Kind


def add_rounding(program: Program) -> Program:
    """Round flags after the steps that blur them, and positions before the steps that point.

    A flag that only its own step reads is beyond help; the certificate asks for a colder softmax.

    The loop is walked twice: what one iteration leaves unrounded, the next may point with.
    """
    dirty: set[Variable] = set()
    steps: list[Step] = []
    passing = program.passing()
    for _ in range(2):
        steps = []
        for at in program.steps:
            for position in dirty & {v for op in at.ops for v in op.points_with()}:
                steps += _round_position(position, program)
                dirty.discard(position)
            steps.append(at)
            dirty |= {v for v in at.writes() if v.kind is Kind.POSITION}
            steps += _round_flags(at, passing)
    return program.with_steps(tuple(steps))


def _round_position(position: Variable, program: Program) -> list[Step]:
    """Mark the node that the position is nearest to; take that node's entry of P. [P App. B.1]"""
    found = nodes.flag(fresh(f"{position.name}_found", program))
    return [
        step(f"locate {position}", OneHot(found, position, B_GLOBAL)),
        step(f"round {position}", RoundPosition(position, found)),
    ]


def fresh(name: str, program: Program) -> str:
    """The name, with as many primes as it takes to be no variable's of the program."""
    taken = {variable.name for variable in program.variables}
    while name in taken:
        name += "′"
    return name


def _round_flags(at: Step, passing: set[Variable]) -> list[Step]:
    """A step that rounds the flags that this one leaves blurred, or none."""
    flags = [flag for flag in at.blurred() if flag not in passing]
    rounded: list[Op] = [RoundFlag(flag) for flag in flags]
    return [step(f"round {', '.join(map(str, flags))}", *rounded)] if rounded else []


def hold_after_termination(program: Program) -> Program:
    """Copies of the outputs that follow them until the halting flag is set, and then stay.

    The flag itself is held as well. One layer; what the steps do after termination is not decoded.
    Departs: P forbids each write by a flag of its own; this holds for any program unchanged.
    """
    held = single.flag(fresh("held", program), start=0)
    held_n = nodes.flag(fresh("held_n", program))
    kept = {
        variable: replace(
            variable,
            name=fresh(f"{variable.name}_kept", program),
            start=0,
            at_source=None,
            constant=False,
        )
        for variable in program.outputs.values()
    }
    hold = step(
        "hold after termination",
        Repeat(held_n, held),
        *(Where(copy, held_n, copy, variable) for variable, copy in kept.items()),
        Set(held, held | program.halt),
    )
    return replace(
        program,
        steps=(*program.steps, hold),
        outputs={name: kept[variable] for name, variable in program.outputs.items()},
        halt=held,
        written=program.as_written(),
    )
