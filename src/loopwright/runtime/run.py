"""encode, loop, decode."""

from __future__ import annotations

import time
from fractions import Fraction
from typing import Any

from loopwright.errors import LoopwrightError
from loopwright.model import Model
from loopwright.runtime.decode import Answer, decode
from loopwright.runtime.encode import Problem, encode
from loopwright.runtime.graph import Graph, Label
from loopwright.runtime.machines import Observe, Progress, prepare


def run(
    model: Model,
    graph: object,
    *,
    source: Label | None = None,
    machine: str = "native",
    max_iterations: int | None = None,
    observe: Observe | None = None,
    progress: Progress | None = None,
    rows: int | None = None,
    checked: bool = True,
    scale: Fraction | int | None = None,
    **inputs: Any,
) -> Answer:
    """Run a model on a graph of any form that `Graph.of` takes.

    Args:
        source: the label of the node to start from, where the algorithm has one.
        machine: what executes the weights; see `loopwright.runtime.machines`.
        max_iterations: stop later or sooner than the program's own bound.
        observe: called after every layer with (iteration, layer index, X).
        progress: called now and then with the iterations done.
        rows: rows for node variables, where a program needs more than there are nodes.
        checked: refuse a graph on which the answer is not guaranteed (see `Model.check`).
        scale: what to multiply weights by, and divide lengths by; unless given, `reweighting` finds
            what suits the model.
        inputs: starts of variables that the program declares as given.

    Raises:
        GraphError, CapacityError: if the graph cannot be used, or not by this model.
        DidNotHalt: if the halting flag is not set in time.
    """
    graph = Graph.of(graph)
    problem = encode(
        model,
        graph,
        source=source,
        inputs=inputs,
        rows=rows,
        exact=machine == "exact",
        checked=checked,
        scale=scale,
    )
    return solve(
        model,
        graph,
        problem,
        machine=machine,
        max_iterations=max_iterations,
        observe=observe,
        progress=progress,
    )


def solve(
    model: Model,
    graph: Graph,
    problem: Problem,
    *,
    machine: str,
    max_iterations: int | None = None,
    observe: Observe | None = None,
    progress: Progress | None = None,
) -> Answer:
    """The rest of `run`, for those who look at the encoded problem first.

    Raises:
        DidNotHalt: if the halting flag is not set in time.
    """
    most = max_iterations or model.max_iterations(graph.n)
    if most is None:
        raise LoopwrightError(
            f"'{model.name}' runs as long as its input says: give max_iterations, or use a command "
            "made for it (loopwright --help)."
        )
    loop = prepare(model, machine)
    begin = time.perf_counter()
    x, iterations = loop(problem, most, observe, progress)
    seconds = time.perf_counter() - begin
    return Answer(decode(model, graph, x, problem.scale), iterations, seconds)
