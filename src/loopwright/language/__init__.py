"""What algorithms are written in, and what it means.

variables   what a program remembers: flags, numbers, positions; formulas of flags
op, ops     what an op is; the vocabulary
program     steps in a loop, checked as soon as they are written
meaning     what every op does, in plain Python
interpret   a program run by its meaning alone
analysis    what a program asks of numbers
serial      program ↔ JSON
"""

from loopwright.language import ops
from loopwright.language.op import Op, Operand
from loopwright.language.program import Program, Step, step
from loopwright.language.variables import (
    B_GLOBAL,
    B_LOCAL,
    MASK,
    NOWHERE,
    OWN_INDEX,
    UNREACHED,
    Formula,
    Named,
    Variable,
    given,
    nodes,
    single,
)
from loopwright.model.layout import OWN, Kind, Scope

__all__ = [
    "B_GLOBAL",
    "B_LOCAL",
    "MASK",
    "NOWHERE",
    "OWN",
    "OWN_INDEX",
    "UNREACHED",
    "Formula",
    "Kind",
    "Named",
    "Op",
    "Operand",
    "Program",
    "Scope",
    "Step",
    "Variable",
    "given",
    "nodes",
    "ops",
    "single",
    "step",
]
