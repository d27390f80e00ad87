"""encode, loop, decode: the one place where they are put together."""

from __future__ import annotations

import time
from collections.abc import Sequence
from contextlib import ExitStack
from fractions import Fraction
from typing import Any

from loopwright.errors import LoopwrightError, require_type, require_whole
from loopwright.model.weights import Weights
from loopwright.runtime.attributes import WEIGHT
from loopwright.runtime.basis import Turned
from loopwright.runtime.decode import Answer, decode, found_answer, pointers
from loopwright.runtime.encode import encode
from loopwright.runtime.graph import Graph, Label
from loopwright.runtime.machines import is_exact, prepare
from loopwright.runtime.observe import Observer, after_layer_of, listed, progress_of
from loopwright.runtime.watched import watching


def run(
    model: Weights,
    graph: object,
    *,
    source: Label | None = None,
    weight: str | None = WEIGHT,
    machine: str = "native",
    observers: Sequence[Observer] = (),
    max_iterations: int | None = None,
    rows: int | None = None,
    checked: bool = True,
    scale: Fraction | int | None = None,
    **inputs: Any,
) -> Answer:
    """Run a model on a graph of any form that `Graph.of` takes.

    Args:
        source: the label of the node to start from, where the algorithm has one.
        weight: the attribute that is an edge's weight, where edges have several; None for 1.
        machine: what executes the weights; see `loopwright.runtime.machines`.
        observers: who sees the run; see `loopwright.runtime.observe`.
        max_iterations: stop later or sooner than the program's own bound.
        rows: rows for node variables, where a program needs more than there are nodes.
        checked: refuse a graph on which the answer is not guaranteed (see `Model.check`).
        scale: what to multiply weights by, and divide lengths by; unless given, `reweighting` finds
            what suits the model.
        inputs: starts of variables that the program declares as given.

    Raises:
        GraphError, CapacityError: if the graph cannot be used, or not by this model.
        LoopwrightError: if another argument is not of its kind.
        DidNotHalt: if the halting flag is not set in time.
    """
    begin = time.perf_counter()
    observers = listed(observers)
    require_type("checked", checked, bool, "True or False")
    if max_iterations is not None:
        max_iterations = require_whole("max_iterations", max_iterations)
    graph = Graph.of(graph, weight=weight)
    problem = encode(
        model,
        graph,
        source=source,
        inputs=inputs,
        rows=rows,
        exact=is_exact(machine),
        checked=checked,
        scale=scale,
        iterations=max_iterations,
    )
    certificate = problem.certificate
    # Before others: what a layer makes of numbers out of range is no one's mistake.
    observers = [*(watching(certificate) if checked else ()), *observers]
    most = max_iterations or model.max_iterations(problem.rows - 1)
    if most is None:
        raise LoopwrightError(
            f"'{model.name}' runs as long as its input says: give max_iterations, or use a command "
            "made for it (loopwright --help)."
        )
    loop, turned = prepare(model, machine), Turned(model.basis)
    with ExitStack() as closing:
        for observer in observers:
            closing.callback(observer.close)
            observer.begin(model, graph, problem)
        begin_loop = time.perf_counter()
        after_layer = turned.back_for(after_layer_of(observers))
        x, iterations = loop(turned.problem(problem), most, after_layer, progress_of(observers))
        seconds, x = time.perf_counter() - begin_loop, turned.back(x)
        for observer in observers:
            observer.end(x, iterations)
    result = decode(model, graph, x, problem.scale)
    watched = checked or not any(watching(certificate))
    return found_answer(
        result=result,
        iterations=iterations,
        seconds=seconds,
        total_seconds=time.perf_counter() - begin,
        guaranteed=watched and certificate is not None and certificate.guaranteed,
        exact=watched and certificate is not None and certificate.exact,
        checked=checked,
        construction=model.construction,
        pointers=pointers(model),
        graph=graph,
    )
