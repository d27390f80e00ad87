"""A computer made of attention: assemble a program, run it on one fixed set of weights.

grammar.lark, syntax, parse           text → statements; idioms.sq: macros for every program
declare, operands, resolve, expand    statements → names → addresses → instructions
assemble                              text → Code, by way of all these
code, listing                         Code, and back to text
machines                              what a program means, in plain Python
translate                             SUBLEQ⁻ memory images → Code
words, run                            Code → rows of X → the transformer → Outcome
"""

from loopwright.subleq.assemble import assemble, assemble_file
from loopwright.subleq.code import Code
from loopwright.subleq.listing import listing
from loopwright.subleq.machines import HALT, Entry, GraphSubleq, Instruction, Subleq
from loopwright.subleq.run import Outcome, run
from loopwright.subleq.translate import translate

__all__ = [
    "HALT",
    "Code",
    "Entry",
    "GraphSubleq",
    "Instruction",
    "Outcome",
    "Subleq",
    "assemble",
    "assemble_file",
    "listing",
    "run",
    "translate",
]
