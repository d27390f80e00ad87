"""A program's own answer on a graph: what its ops mean, step by step, without any weights."""

from __future__ import annotations

from dataclasses import replace
from fractions import Fraction
from time import perf_counter
from typing import Any

from loopwright.errors import GraphError, LoopwrightError, require_whole
from loopwright.language.interpret import interpret as run_program
from loopwright.language.meaning import World
from loopwright.language.program import Program
from loopwright.model.demands import polynomial
from loopwright.model.layout import Field
from loopwright.model.limits import Constants, Limits, power_of_two_at_least
from loopwright.runtime.decode import Answer, value_of
from loopwright.runtime.graph import Graph, Label
from loopwright.runtime.inputs import read_inputs
from loopwright.runtime.preconditions import require


def interpret(
    program: Program,
    graph: object,
    *,
    source: Label | None = None,
    max_iterations: int | None = None,
    checked: bool = True,
    **inputs: Any,
) -> Answer:
    """Run a program by its meaning alone, in exact numbers of any size.

    Unless `checked` is False, a graph that is not what the program needs is refused.

    >>> import loopwright as lw
    >>> lw.interpret(lw.algorithms.dijkstra(), [("a", "b", 3)], source="a").dists
    {'a': 0, 'b': 3}

    Raises:
        GraphError: if the source is missing or unknown, or the graph is not what is needed.
        DidNotHalt: if the program does not halt within its own bound, or `max_iterations`.
    """
    begin = perf_counter()
    graph = Graph.of(graph)
    if checked:
        require(program.needs, graph, program.name, weighted=program.edges == "weights")
    if (source is None) != (program.source == "none") and program.source != "optional":
        needs = "takes no source" if source is not None else "starts at a node: give a source"
        raise GraphError(f"'{program.name}' {needs}.")
    if max_iterations is not None:
        max_iterations = require_whole("max_iterations", max_iterations)
    starts = [v for v in program.variables if isinstance(v.start, str)]
    fields = [Field(v.name, v.kind, v.scope, 0, str(v.start), signed=v.signed) for v in starts]
    read_inputs(program.name, fields, inputs, graph.n)  # or they are refused
    most = max_iterations or polynomial(program.bound, graph.n)
    if not most:
        raise LoopwrightError(f"'{program.name}' has no bound of its own: give max_iterations.")
    constants = beyond(graph)
    world = World(graph.n, neighbours_of(graph, ones=program.edges == "ones"), constants)
    row = None if source is None else graph.index(source) + 1
    state, iterations = run_program(program, world, source=row, inputs=inputs, max_iterations=most)
    result = {
        name: {
            label: value_of(variable, constants, graph, cell)
            for label, cell in zip(graph.labels, state[variable.name], strict=True)
        }
        for name, variable in program.outputs.items()
    }
    seconds = perf_counter() - begin
    return Answer(result, iterations, seconds, seconds)


def beyond(graph: Graph) -> Constants:
    """Constants such as Ω̂ beyond every path of this graph, whatever floats could hold."""
    longest = max(Fraction(graph.longest_path_bound()), Fraction(4 * graph.n))
    largest = power_of_two_at_least(longest)
    return replace(
        Limits().constants(),
        nodes=graph.n,
        largest=largest,
        unreached=2 * largest,
        mask=4 * largest,
        omega=8 * largest,
    )


def neighbours_of(graph: Graph, *, ones: bool) -> list[dict[int, int | Fraction]]:
    """Each node's out-neighbours, counted from 1, with exact weights, or 1 for every edge."""
    rows: list[dict[int, int | Fraction]] = [{} for _ in graph.labels]
    for tail, head, weight in zip(graph.tails, graph.heads, graph.weights, strict=True):
        exact = Fraction(1) if ones else Fraction(weight)
        rows[tail][int(head) + 1] = int(exact) if exact.denominator == 1 else exact
    return rows
