"""The front door: all that `import loopwright as lw` offers."""

from __future__ import annotations

from loopwright import algorithms
from loopwright.algorithms.registry import algorithm
from loopwright.circuits.circuit import circuit
from loopwright.circuits.disguise import disguise
from loopwright.circuits.patch import patch
from loopwright.compiler.compile import compile as build
from loopwright.errors import LoopwrightError
from loopwright.language import ops
from loopwright.language.program import Program, step
from loopwright.language.variables import (
    B_GLOBAL,
    B_LOCAL,
    MASK,
    NOWHERE,
    OWN_INDEX,
    OWN_SQUARE,
    UNREACHED,
    given,
    nodes,
    single,
)
from loopwright.model.cost import Cost, cost_of
from loopwright.model.layout import OWN
from loopwright.model.limits import Constants, Limits
from loopwright.model.weights import AttentionKind, Weights
from loopwright.runtime.decode import Answer
from loopwright.runtime.graph import Graph
from loopwright.runtime.model import Model
from loopwright.runtime.observe import Observer
from loopwright.viewer import view
from loopwright.watch.interpret import interpret
from loopwright.watch.trace import Trace, TraceWriter
from loopwright.watch.verify import verify


def compile(
    program: Program,
    *,
    limits: Limits | Constants | None = None,
    attention: AttentionKind = "hardmax",
) -> Model:
    """The model whose weights are this program, right on all graphs within the limits.

    >>> model = compile(algorithms.dijkstra())
    >>> len(model.layers), sum(model.heads.values())
    (3, 3)

    Raises:
        ProgramError: if a step needs a formula that no MLP can hold.
        CapacityError: if float64 cannot hold the limits together.
    """
    return Model.of(build(program, limits=limits, attention=attention))


def cost(program: Program | Weights) -> Cost:
    """What a model costs, or the one that a program compiles to: layers, iterations, width, heads.

    >>> found = cost(algorithms.dijkstra())
    >>> found.layers, found.iterations, found.width, found.nonzeros
    (3, 'n', 11, 138)

    Raises:
        ProgramError: if it is neither, or a program that does not compile.
    """
    return cost_of(program if isinstance(program, Weights) else build(program))


load = Model.load
from_pretrained = Model.from_pretrained

__all__ = [
    "B_GLOBAL",
    "B_LOCAL",
    "MASK",
    "NOWHERE",
    "OWN",
    "OWN_INDEX",
    "OWN_SQUARE",
    "UNREACHED",
    "Answer",
    "Graph",
    "Limits",
    "LoopwrightError",
    "Model",
    "Observer",
    "Program",
    "Trace",
    "TraceWriter",
    "algorithm",
    "algorithms",
    "circuit",
    "compile",
    "cost",
    "disguise",
    "from_pretrained",
    "given",
    "interpret",
    "load",
    "nodes",
    "ops",
    "patch",
    "single",
    "step",
    "verify",
    "view",
]
