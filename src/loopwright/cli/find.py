"""What the arguments of commands stand for: names → programs, graphs, limits, inputs."""

from __future__ import annotations

import sys

from loopwright.algorithms import ALGORITHMS
from loopwright.cli import options
from loopwright.compiler.compile import compile
from loopwright.errors import LoopwrightError, require_known
from loopwright.language.program import Program
from loopwright.model.limits import Limits
from loopwright.model.weights import Weights
from loopwright.runtime.attributes import WEIGHT
from loopwright.runtime.check import check
from loopwright.runtime.graph import Graph
from loopwright.runtime.machines import Machine, is_exact, prepare


def find_program(name: str, construction: str | None) -> Program:
    """The program of an algorithm; without a construction, in its default one.

    Raises:
        LoopwrightError: if there is no such algorithm or construction.
    """
    require_known("algorithm", name, ALGORITHMS)
    return ALGORITHMS[name](construction)


def find_graph(path: str, *, undirected: bool, weight: str = WEIGHT) -> Graph:
    """The graph in a file, with every edge in both directions if that is wanted.

    The file `-` is standard input, and the weight `none` takes every edge as 1.
    """
    graph = Graph.of(
        sys.stdin.buffer if path == "-" else path, weight=None if weight == "none" else weight
    )
    return graph.undirected() if undirected else graph


def build(
    program: Program,
    limits: Limits,
    attention: options.Attention,
    machine: Machine,
) -> Weights:
    """Compile a program, and have its machine ready, so that what cannot run is refused now."""
    model = compile(program, limits=limits, attention=attention)
    prepare(model, machine)
    return model


def build_for(
    graph: Graph,
    program: Program,
    limits: options.Limits,
    attention: options.Attention,
    machine: Machine,
) -> tuple[Weights, options.Limits]:
    """Compile a program to run on a graph; also say which limits it was built for.

    With 'auto' those are the default ones, so that the weights are the same for every graph, if
    they are exact on this one; else those that fit. In rationals they always fit: a fraction for
    each of 65,536 positions takes long.
    """
    exact = is_exact(machine)
    if limits == "auto":
        if not exact:
            model = build(program, Limits(), attention, machine)
            if check(model, graph).exact:
                return model, "default"
        limits = "fit"
    named = {"default": Limits, "paper": Limits.paper, "fit": lambda: Limits.fit(graph, program)}
    return build(program, named[limits](), attention, machine), limits


def find_inputs(model: Weights, given: list[str] | None) -> dict[str, int]:
    """`NAME=VALUE` texts as the inputs that the program declares.

    Raises:
        LoopwrightError: if it declares no such input, or not with such a value.
    """
    known = sorted({field.input for field in model.layout.fields if field.input})
    inputs: dict[str, int] = {}
    for text in given or []:
        name, _, value = text.partition("=")
        require_known("input", name, known, of=model.name)
        if value not in ("0", "1"):
            raise LoopwrightError(f"--input {text}: expected {name}=0 or {name}=1.")
        inputs[name] = int(value)
    return inputs
