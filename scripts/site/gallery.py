"""The registry → a viewer page for every algorithm in every construction, and the page of them.

Nothing here is a list of algorithms: what is registered is shown. The graph follows from what a
program needs, and from whether it then has something to show; Graph-SUBLEQ, whose input is a
program, has one from the examples.
"""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass
from html import escape
from pathlib import Path
from typing import Any

import networkx as nx
from thumbnail import thumbnail

import loopwright as lw
from loopwright.algorithms import ALGORITHMS, Algorithm
from loopwright.model.cost import bound_as_text
from loopwright.subleq import assemble_file
from loopwright.subleq import words as subleq_words
from loopwright.subleq.run import STEPS
from loopwright.subleq.run import columns as subleq_columns

EXAMPLES = Path(__file__).parents[2] / "examples"
MACHINE = "reference"
"""All give the same X; this one has nothing to prepare, and graphs are small."""

MOMENT = "#i=1&l=1"
"""Where a page opens: something has happened, and all panels have something to show."""


@dataclass(frozen=True)
class Run:
    """A model on a graph that suits it, as `lw.view` and `Model.run` take it."""

    algorithm: Algorithm
    construction: str
    model: lw.Model
    graph: lw.Graph
    options: dict[str, Any]
    on: str
    """What it runs on, in words."""

    @property
    def file(self) -> str:
        return f"gallery/{self.algorithm.name}-{self.construction}.html"


def runs() -> Iterator[Run]:
    """One for every algorithm in every construction, in the order of the registry."""
    for algorithm in ALGORITHMS.values():
        for construction in algorithm.constructions:
            program = algorithm(construction)
            make = program_run if algorithm is lw.algorithms.graph_subleq else graph_run
            yield make(algorithm, construction, program)


def graph_run(algorithm: Algorithm, construction: str, program: lw.Program) -> Run:
    """An algorithm on the example that has all that its program needs of a graph, or on a grid if
    it says of the example only that there is no answer: two colours need more than the others."""
    graph, on = suitable(program.needs)
    if not says_something(program, graph):
        graph, on = lw.Graph.of(nx.grid_2d_graph(3, 4)), "a grid of twelve nodes"
    model = lw.compile(program, limits=lw.Limits.fit(graph, program))
    options = options_on(program, graph)
    start = f", from {graph.labels[0]}" if options else ""
    return Run(algorithm, construction, model, graph, options, f"{on}{start}")


def options_on(program: lw.Program, graph: lw.Graph) -> dict[str, Any]:
    return {} if program.source == "none" else {"source": graph.labels[0]}


def says_something(program: lw.Program, graph: lw.Graph) -> bool:
    """Whether each output has a value at some node."""
    answer = lw.interpret(program, graph, **options_on(program, graph))
    return all(any(value is not None for value in each.values()) for each in answer.result.values())


def suitable(needs: tuple[str, ...]) -> tuple[lw.Graph, str]:
    """A graph that has what a program needs, and what it is called."""
    if "functional" in needs:
        return lw.Graph.of([("a", "b"), ("b", "c"), ("c", "d"), ("d", "e")]), "a list of five nodes"
    if "undirected" in needs:
        return lw.Graph.of(EXAMPLES / "roads.txt").undirected(), "examples/roads.txt"
    name = "tasks.txt" if "acyclic" in needs else "one-way.txt"
    return lw.Graph.of(EXAMPLES / name), f"examples/{name}"


def program_run(algorithm: Algorithm, construction: str, program: lw.Program) -> Run:
    """Graph-SUBLEQ with a program that reads a graph: it counts the edges out of a node."""
    graph = lw.Graph.of(EXAMPLES / "subleq" / "graph.txt")
    code = assemble_file(EXAMPLES / "subleq" / "degree.sq", nodes=graph.n)
    rows = max(len(code.memory), graph.n, len(code.instructions))
    limits = subleq_words.fit(code, graph, rows=rows, exact=False)
    options = {"rows": rows, "max_iterations": STEPS, **subleq_columns(code)}
    model = lw.compile(program, limits=limits)
    return Run(algorithm, construction, model, graph, options, "examples/subleq/degree.sq")


def made() -> tuple[dict[str, str], str]:
    """The viewer's pages by their names, and the cards that lead to them."""
    pages: dict[str, str] = {}
    by_algorithm: dict[str, list[Run]] = {}
    for run in runs():
        pages[run.file] = lw.view(run.model, run.graph, machine=MACHINE, **run.options).html
        by_algorithm.setdefault(run.algorithm.name, []).append(run)
    return pages, f'<div class="cards">\n{"".join(map(card, by_algorithm.values()))}</div>\n'


def card(constructions: list[Run]) -> str:
    """An algorithm: what its default construction answers, and a link for each construction."""
    algorithm = constructions[0].algorithm
    best = next(run for run in constructions if run.construction == algorithm.default)
    answer = best.model.run(best.graph, machine=MACHINE, **best.options)
    links = "".join(f"<li>{link(run)}</li>" for run in constructions)
    return (
        f'<section class="card" id="{algorithm.name}">{thumbnail(best.graph, answer)}'
        f"<h2>{escape(algorithm.name)}</h2><p>{escape(algorithm.summary)}</p>"
        f'<ul>{links}</ul><p class="on">on {escape(best.on)}</p></section>\n'
    )


def link(run: Run) -> str:
    model = run.model
    bound = f", ≤ {bound_as_text(model.bound)} iterations" if model.bound else ""
    facts = f"{len(model.layers)} layers, {sum(model.heads.values())} heads{bound}"
    return f'<a href="{run.file}{MOMENT}">{escape(run.construction)}</a> {escape(facts)}'
