"""A computer made of attention: assemble a program, run it on one fixed set of weights.

grammar.lark, syntax, parse           text → statements; idioms.sq: macros for every program
declare, operands, resolve, expand    statements → names → addresses → instructions
assemble                              text → Code, by way of all these
code, listing                         Code, and back to text
machines                              what a program means, in plain Python
translate                             SUBLEQ⁻ memory images → Code
words, run                            Code → rows of X → the transformer → Outcome
rules, turing                         text → Turing machine → the text of a counter machine
counters, counters.sq                 text → counter machine → Code, by macros
follow                                such a machine on the transformer, beside its plain simulator
"""

from loopwright.subleq.assemble import assemble, assemble_file
from loopwright.subleq.code import Code
from loopwright.subleq.counters import CounterMachine, counter_machine
from loopwright.subleq.follow import Followed, follow
from loopwright.subleq.listing import listing
from loopwright.subleq.machines import HALT, Entry, GraphSubleq, Instruction, Subleq
from loopwright.subleq.rules import turing_machine
from loopwright.subleq.run import Outcome, run
from loopwright.subleq.translate import translate
from loopwright.subleq.turing import TuringMachine

__all__ = [
    "HALT",
    "Code",
    "CounterMachine",
    "Entry",
    "Followed",
    "GraphSubleq",
    "Instruction",
    "Outcome",
    "Subleq",
    "TuringMachine",
    "assemble",
    "assemble_file",
    "counter_machine",
    "follow",
    "listing",
    "run",
    "translate",
    "turing_machine",
]
