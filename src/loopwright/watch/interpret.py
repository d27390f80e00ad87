"""A program's own answer on a graph: what its ops mean, step by step, without any weights."""

from __future__ import annotations

from collections.abc import Mapping
from fractions import Fraction
from time import perf_counter
from typing import Any

from loopwright.errors import LoopwrightError, require_type, require_whole
from loopwright.language.beyond import Beyond, Endless
from loopwright.language.interpret import interpret as run_program
from loopwright.language.meaning import World
from loopwright.language.program import Program, require_program
from loopwright.language.variables import Variable
from loopwright.model.demands import polynomial
from loopwright.model.layout import Field, Kind, Scope
from loopwright.runtime.decode import Answer, value_of
from loopwright.runtime.encode import row_of_source
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
        GraphError: if the source is missing or unknown, an input is, or the graph is not what is
            needed.
        LoopwrightError: if the program is none, or another argument is not of its kind.
        DidNotHalt: if the program does not halt within its own bound, or `max_iterations`.
    """
    begin = perf_counter()
    require_program(program)
    require_type("checked", checked, bool, "True or False")
    graph = Graph.of(graph)
    if checked:
        require(program.needs, graph, program.name, weighted=program.edges == "weights")
    if max_iterations is not None:
        most = require_whole("max_iterations", max_iterations)
    elif program.bound:
        most = polynomial(program.bound, graph.n)
    else:
        raise LoopwrightError(f"'{program.name}' has no bound of its own: give max_iterations.")
    world = World(graph.n, neighbours_of(graph, ones=program.edges == "ones"), Endless())
    starts = starts_of(program, inputs, graph.n, padded=False)
    row = row_of_source(program, graph, source, starts)
    state, iterations = run_program(program, world, source=row, inputs=starts, max_iterations=most)
    result = {
        name: {
            label: interpreted(variable, graph, cell)
            for label, cell in zip(graph.labels, state[variable.name], strict=True)
        }
        for name, variable in program.outputs.items()
    }
    seconds = perf_counter() - begin
    return Answer(
        result,
        iterations,
        seconds,
        seconds,
        guaranteed=True,
        exact=True,
        construction=program.construction,
        pointers=tuple(n for n, v in program.outputs.items() if v.kind is Kind.INDEX),
        graph=graph,
    )


def interpreted(variable: Variable, graph: Graph, cell: Any, scale: Fraction | int = 1) -> Any:
    """A number of the interpreter's as the user sees it: None for what is beyond every number."""
    return None if isinstance(cell, Beyond) else value_of(variable, graph, cell, scale)


def starts_of(
    program: Program, inputs: Mapping[str, Any], rows: int, *, padded: bool = True
) -> dict[str, Any]:
    """Input → what the caller gave, in exact numbers: one, or a list with one for each node.

    `padded`: zeros follow what is shorter, as in inputs that a run has accepted.

    Raises:
        GraphError: if there is no such input, or its variable cannot hold it.
    """
    fields = [
        Field(each.name, each.kind, each.scope, 0, each.start, signed=each.signed)
        for each in program.variables
        if isinstance(each.start, str)
    ]
    starts: dict[str, Any] = {}
    alike = program.source_unless
    given = read_inputs(program.name, fields, inputs, rows, alike=alike, padded=padded)
    for name, entries in given.items():
        field = next(each for each in fields if each.name == name)
        exact = [int(entry) if entry.denominator == 1 else entry for entry in entries]
        starts[str(field.input)] = exact if field.scope is Scope.NODES else exact[0]
    return starts


def neighbours_of(graph: Graph, *, ones: bool) -> list[dict[int, int | Fraction]]:
    """Each node's out-neighbours, counted from 1, with exact weights, or 1 for every edge."""
    rows: list[dict[int, int | Fraction]] = [{} for _ in graph.labels]
    for tail, head, weight in zip(graph.tails, graph.heads, graph.weights, strict=True):
        exact = Fraction(1) if ones else Fraction(weight)
        rows[tail][int(head) + 1] = int(exact) if exact.denominator == 1 else exact
    return rows
