"""What algorithms are written in, and what it means.

formulas    what is true or false: flags and comparisons, joined
variables   what a program remembers: flags, numbers, positions
op, ops     what an op is; the vocabulary, in files by idea
program     steps in a loop, checked as soon as they are written
meaning     what every op does, in plain Python
interpret   a program run by its meaning alone
terms       numbers and truths that statements are written with
source      the line of the author's file, and the names used there
writing     ops in the order of the statements, and words for what is wrong
operands    terms → the operands that ops take
operators   what operators on terms and assignments become
declare     how statements declare variables
statements  a program written as one statement after the other
write       a function of statements → a program
analysis    what a program asks of numbers
serial      program ↔ JSON
"""

from loopwright.language import ops
from loopwright.language.formulas import Formula
from loopwright.language.op import Op, Operand
from loopwright.language.program import Program, Step, step
from loopwright.language.statements import Statements
from loopwright.language.terms import Term, Truth
from loopwright.language.variables import (
    B_GLOBAL,
    B_LOCAL,
    MASK,
    NOWHERE,
    OWN_INDEX,
    OWN_SQUARE,
    UNREACHED,
    Named,
    Variable,
    given,
    nodes,
    single,
)
from loopwright.language.write import Outputs, statements
from loopwright.model.layout import OWN, Kind, Scope

__all__ = [
    "B_GLOBAL",
    "B_LOCAL",
    "MASK",
    "NOWHERE",
    "OWN",
    "OWN_INDEX",
    "OWN_SQUARE",
    "UNREACHED",
    "Formula",
    "Kind",
    "Named",
    "Op",
    "Operand",
    "Outputs",
    "Program",
    "Scope",
    "Statements",
    "Step",
    "Term",
    "Truth",
    "Variable",
    "given",
    "nodes",
    "ops",
    "single",
    "statements",
    "step",
]
