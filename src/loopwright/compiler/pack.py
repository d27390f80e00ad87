"""Fewer layers for the same program: every op moves to the earliest layer that can hold it.

A layer does all its attention first and then its MLP. So an op can join a layer, and pass the
layers after it, where no value that it reads or writes is touched in another order; where the heads
do not exceed the budget; and where formulas, which nest as they are chained, need no more ReLUs
than an MLP has.
"""

from __future__ import annotations

from collections import Counter
from dataclasses import dataclass, field, replace
from fractions import Fraction
from math import lcm

from loopwright.compiler.compile import lower, place
from loopwright.errors import ProgramError
from loopwright.language.op import Op, Phase
from loopwright.language.program import Program, Step, require_program
from loopwright.language.variables import Variable
from loopwright.model.limits import Constants, Limits


@dataclass
class Bin:
    """A layer being filled."""

    attention: list[Op] = field(default_factory=list[Op])
    rowwise: list[Op] = field(default_factory=list[Op])
    names: dict[str, int | None] = field(default_factory=dict[str, "int | None"])
    """The steps that the ops come from, and their numbers in the paper."""

    def touches(self) -> tuple[set[Variable], set[Variable]]:
        """What its ops read and what they write."""
        ops = [*self.attention, *self.rowwise]
        return {v for op in ops for v in op.reads()}, {op.out for op in ops}

    def step(self, *, joined: Op | None = None) -> Step:
        attention, rowwise = list(self.attention), list(self.rowwise)
        if joined:
            (rowwise if joined.phase is Phase.MLP else attention).append(joined)
        numbers = list(self.names.values())
        number = numbers[0] if len(numbers) == 1 else None
        return Step(" + ".join(self.names), (*attention, *rowwise), number)

    def add(self, op: Op, at: Step) -> None:
        (self.rowwise if op.phase is Phase.MLP else self.attention).append(op)
        self.names.setdefault(at.name, at.paper_step)


def pack(program: Program) -> Program:
    """The same program in fewer steps, with no more heads than it had.

    A step that no layer can hold, as its formulas nest too deep, becomes several.

    >>> from loopwright import algorithms
    >>> len(pack(algorithms.dijkstra("paper")).steps)
    6
    """
    require_program(program)
    packer = Packer(program)
    for at in program.steps:
        for op in at.ops:
            packer.put(op, at)
    return program.with_steps(tuple(layer.step() for layer in packer.bins))


class Packer:
    """Fills layers, op by op, in the program's order."""

    def __init__(self, program: Program) -> None:
        self.columns = place(program, passing=False)
        self.constants = roomy_constants(program)
        self.bins: list[Bin] = []
        self.budget: Counter[str] = Counter()
        for at in program.steps:
            self.budget |= self.heads(replace(at, ops=attending(at.ops)))

    def heads(self, at: Step) -> Counter[str]:
        """How many heads a step needs, by what they read through."""
        layer = lower(at, self.columns, self.constants)
        return Counter(over for _, over, _ in layer.attention.ordered())

    def put(self, op: Op, at: Step) -> None:
        """Into the earliest layer that it may join, or a new one."""
        chosen = None
        for layer in reversed(self.bins):
            if self.may_join(op, layer):
                chosen = layer
            if not may_pass(op, layer):
                break
        if chosen is None:
            chosen = Bin()
            self.bins.append(chosen)
        chosen.add(op, at)

    def may_join(self, op: Op, layer: Bin) -> bool:
        """Attention joins in front of the layer's MLP; a row-wise op joins at its end."""
        if op.phase is not Phase.MLP and not may_pass(op, layer):
            return False
        try:
            return self.heads(layer.step(joined=op)) <= self.budget
        except ProgramError:
            return False


def attending(ops: tuple[Op, ...]) -> tuple[Op, ...]:
    """Those that need heads. Of a step that is too deep for an MLP, they can still be counted."""
    return tuple(op for op in ops if op.phase is not Phase.MLP)


def roomy_constants(program: Program) -> Constants:
    """Constants that hold every number of the program, whatever limits it is compiled for later:
    how deep formulas nest and how many heads they need does not depend on them."""
    operands = [
        operand for at in program.steps for op in at.ops for operand in op.operands().values()
    ]
    numbers = [Fraction(operand) for operand in operands if isinstance(operand, int | Fraction)]
    default = Limits().constants()
    return replace(
        default,
        resolution=Fraction(1, lcm(*(number.denominator for number in numbers))),
        largest=max([default.largest, *map(abs, numbers)]),
    )


def may_pass(op: Op, layer: Bin) -> bool:
    """Whether doing `op` before the layer instead of after it changes nothing."""
    reads, writes = layer.touches()
    return not (set(op.reads()) & writes or op.out in reads or op.out in writes)
