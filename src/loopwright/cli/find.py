"""What the arguments of commands stand for: algorithms → models, files → graphs, inputs."""

from __future__ import annotations

import sys
from typing import Any, BinaryIO, TextIO, cast

from loopwright.cli import options
from loopwright.cli.algorithm import Chosen
from loopwright.cli.progress import reading
from loopwright.compiler.compile import compile
from loopwright.errors import GraphError, LoopwrightError, brief, require_known
from loopwright.model.layout import Kind
from loopwright.model.limits import Limits
from loopwright.model.weights import AttentionKind, Weights
from loopwright.runtime.attributes import WEIGHT
from loopwright.runtime.check import check
from loopwright.runtime.graph import Graph
from loopwright.runtime.machines import Machine, is_exact, prepare
from loopwright.runtime.readers.number import read_number


def find_graph(path: str, *, undirected: bool, weight: str = WEIGHT) -> Graph:
    """The graph in a file, with every edge in both directions if that is wanted.

    The file `-` is standard input, and the weight `none` takes every edge as 1.
    """
    source = standard_input() if path == "-" else path
    with reading(path):
        graph = Graph.of(source, weight=None if weight == "none" else weight)
    return graph.undirected() if undirected else graph


def standard_input() -> BinaryIO:
    """What is piped into the command; Python has none where the shell closed it, as `<&-` does.

    Raises:
        GraphError: if it is closed.
    """
    stream = cast("TextIO | None", sys.stdin)
    if stream is None:
        raise GraphError(
            "standard input is closed: pipe a graph into it, or name a file in place of '-'."
        )
    return stream.buffer


def build(
    chosen: Chosen,
    construction: str | None,
    limits: Limits | None,
    attention: AttentionKind | None,
    machine: Machine,
) -> Weights:
    """Compile a program, and have its machine ready, so that what cannot run is refused now.

    What is not asked for is as by default; or, of a saved model, as saved. It is compiled again
    only if something else is asked for.
    """
    model = chosen.saved_as_asked(construction, attention) if limits is None else None
    if model is None:
        saved = chosen.saved
        program = chosen.program(construction)
        attention = attention or (saved.attention if saved else "hardmax")
        with chosen.blamed():
            constants = limits or (saved.constants if saved else None)
            model = compile(program, limits=constants, attention=attention)
    prepare(model, machine)
    return model


def build_for(
    graph: Graph,
    chosen: Chosen,
    construction: str | None,
    limits: options.Limits,
    attention: AttentionKind | None,
    machine: Machine,
) -> tuple[Weights, str]:
    """A model to run on a graph; also say which limits it was built for.

    With 'auto' those are the default ones, so that the weights are the same for every graph, if
    they are exact on this one; else those that fit. In rationals they always fit: a fraction for
    each of 65,536 positions takes long. A saved model keeps its own.
    """
    if limits == "auto" and chosen.saved:
        return build(chosen, construction, None, attention, machine), "saved"
    exact = is_exact(machine)
    if limits == "auto":
        if not exact:
            model = build(chosen, construction, Limits(), attention, machine)
            if check(model, graph).exact:
                return model, "default"
        limits = "fit"
    named = {
        "default": Limits,
        "paper": Limits.paper,
        "fit": lambda: Limits.fit(graph, chosen.program(construction)),
    }
    return build(chosen, construction, named[limits](), attention, machine), limits


def find_inputs(model: Weights, given: list[str] | None) -> dict[str, Any]:
    """`NAME=VALUE` texts as the inputs that the program declares; `NAME=VALUE,VALUE,…` for nodes.

    Raises:
        LoopwrightError: if it declares no such input, or not with such a value.
    """
    known = {str(field.input): field for field in model.layout.fields if field.input}
    inputs: dict[str, Any] = {}
    for text in given or []:
        name, _, values = text.partition("=")
        require_known("input", name, sorted(known), of=model.name)
        try:
            numbers = [read_number(value.strip()) for value in values.split(",")]
        except OverflowError as problem:
            raise LoopwrightError(f"--input {brief(text)}: a number {problem}.") from None
        except ValueError:
            numbers = []
        flag = known[name].kind is Kind.FLAG
        if not numbers or (flag and not {*numbers} <= {0, 1}):
            expected = f"{name}=0 or {name}=1" if flag else f"{name}=NUMBER"
            raise LoopwrightError(f"--input {brief(text)}: expected {expected}.")
        inputs[name] = numbers[0] if len(numbers) == 1 else numbers
    return inputs
