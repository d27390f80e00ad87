"""Write a graph algorithm as a program; get a looped transformer whose weights are that program.

The folders, in the order of the flow:

    algorithms/   programs that read like the paper's pseudocode          ┐
    language/     variables, ops, steps, and what they mean               │ build time: no graph yet
    compiler/     ops → ReLU formulas and attention patterns → matrices   ┘
    layout, model, storage, limits                                        the contract
    runtime/      Graph → encode → loop → decode, and the machines        run time
    verify        program and weights, side by side; monitor: how close a run comes to going wrong
    subleq/       a computer made of attention: assembler, plain machines, running
    clrs/         the paper's Table 1;  sweep/  where it breaks;  bench/  how fast
    experiments/  why training does not find these weights
    cli/          the command line
"""

from loopwright import algorithms
from loopwright.compiler.compile import compile
from loopwright.errors import LoopwrightError
from loopwright.model.limits import Limits
from loopwright.model.weights import Model
from loopwright.runtime.decode import Answer
from loopwright.runtime.graph import Graph
from loopwright.watch.verify import verify

load = Model.load

__all__ = [
    "Answer",
    "Graph",
    "Limits",
    "LoopwrightError",
    "Model",
    "algorithms",
    "compile",
    "load",
    "verify",
]
__version__ = "0.1.0"
