"""Runs, each with the page and the trace of it."""

from __future__ import annotations

from pathlib import Path

import networkx as nx

import loopwright as lw
from loopwright.model.layout import Field, Scope
from loopwright.subleq import assemble
from loopwright.subleq.run import run as run_subleq
from loopwright.watch.trace import Frame

ROOT = Path(__file__).parents[1]
ROADS = lw.Graph.of(ROOT / "examples" / "roads.txt").undirected()
SQUARE = lw.Graph.of([("a", "b", 1), ("b", "c", 2.5), ("c", "d", 1), ("d", "b", 0.25)])
"""Small enough for the paper's n² iterations."""


def sixteen() -> lw.Graph:
    """The graph of the sizes that are promised."""
    graph = nx.gnp_random_graph(16, 0.16, seed=5, directed=True)
    for tail, head, facts in graph.edges(data=True):
        facts["weight"] = (tail * 7 + head * 3) % 9 + 1
    return lw.Graph.of(graph)


def held(trace: lw.Trace, frame: Frame) -> list[Field]:
    """The variables that X holds at a moment, by columns."""
    fields = trace.layout.after(frame.layer if frame.iteration else -1)
    return sorted(fields, key=lambda field: field.first)


def rows_of(field: Field, rows: int) -> range:
    """The rows where a variable is, of so many."""
    return range(1) if field.scope is Scope.SINGLE else range(1, rows)


def changed_cells(trace: lw.Trace, frame: Frame) -> set[tuple[str, int]]:
    """Variable and row of what a layer changed; not the rows where another variable left its 0."""
    return {
        (name, row)
        for name, rows in frame.changed.items()
        for row in rows.tolist()
        if row in rows_of(trace.layout[name], len(frame.x))
    }


def recorded(folder: Path, name: str) -> tuple[Path, lw.Trace]:
    """A page, and the trace of the same run, with attention."""
    page, trace = folder / f"{name}.html", folder / f"{name}.jsonl.gz"
    if name == "subleq":
        text = (ROOT / "examples" / "subleq" / "addition.sq").read_text(encoding="utf-8")
        model = run_subleq(assemble(text), trace=trace).model
        lw.view(lw.Trace.load(trace), model=model).save(page)
        return page, lw.Trace.load(trace)
    program, graph, options = {
        "compact": (lw.algorithms.dijkstra(), ROADS, {"source": "Ulm"}),
        "paper": (lw.algorithms.dijkstra("paper"), SQUARE, {"source": "a"}),
        "sixteen": (lw.algorithms.dijkstra("paper"), sixteen(), {"source": 0}),
        "dfs": (lw.algorithms.dfs("paper"), SQUARE, {}),
        "scc": (lw.algorithms.scc(), SQUARE, {}),
        "parallel": (lw.algorithms.dijkstra("parallel"), ROADS, {"source": "Ulm"}),
        "components": (lw.algorithms.components("parallel"), SQUARE, {}),
        "hinges": (lw.algorithms.kruskal("parallel"), ROADS, {}),
        "softmax": (lw.algorithms.dijkstra(), ROADS, {"source": "Ulm"}),
    }[name]
    attention = "softmax" if name == "softmax" else "hardmax"
    model = lw.compile(program, limits=lw.Limits.fit(graph, program), attention=attention)
    model.run(graph, observers=[lw.TraceWriter(trace, attention=name != "sixteen")], **options)
    lw.view(model, graph, **options).save(page)
    return page, lw.Trace.load(trace)
