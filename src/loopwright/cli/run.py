"""`loopwright run`: compile an algorithm, run it on a graph, show the answer."""

from __future__ import annotations

import time
from dataclasses import asdict
from math import isfinite
from typing import Annotated, Any

import typer
from rich.console import Console
from rich.markup import escape
from rich.table import Table

from loopwright.cli.options import (
    AlgorithmName,
    AsJson,
    Attention,
    Construction,
    GraphFile,
    Inputs,
    LimitsName,
    MachineName,
    TraceFile,
    check_attention,
    find_inputs,
    find_limits,
    find_program,
    print_json,
)
from loopwright.cli.progress import BarIfLong
from loopwright.compiler.compile import compile
from loopwright.model.weights import Weights
from loopwright.runtime.check import check
from loopwright.runtime.decode import Answer
from loopwright.runtime.graph import Graph
from loopwright.runtime.machines import is_exact, prepare
from loopwright.runtime.observe import Observer
from loopwright.runtime.read import read_graph
from loopwright.runtime.run import run as run_model
from loopwright.watch.monitor import Monitor
from loopwright.watch.trace import TraceWriter
from loopwright.watch.verify import Lockstep


def run(
    algorithm: AlgorithmName,
    graph: GraphFile,
    source: Annotated[str | None, typer.Option(metavar="LABEL", help="Node to start from.")] = None,
    undirected: Annotated[
        bool, typer.Option("--undirected", help="Take each edge in both directions.")
    ] = False,
    construction: Construction = None,
    attention: Attention = "hardmax",
    machine: MachineName = "native",
    limits: LimitsName = "fit",
    unchecked: Annotated[
        bool, typer.Option("--unchecked", help="Run even where the answer is not guaranteed.")
    ] = False,
    given: Inputs = None,
    verify: Annotated[
        bool, typer.Option("--verify", help="Check every variable after every layer.")
    ] = False,
    monitor: Annotated[
        bool, typer.Option("--monitor", help="Watch how close each step comes to going wrong.")
    ] = False,
    trace: TraceFile = None,
    as_json: AsJson = False,
) -> None:
    """Run an algorithm on a graph, by weights alone.

    For example: loopwright run dijkstra roads.txt --source Ulm --undirected
    """
    program = find_program(algorithm, construction, prefer="compact")
    read = read_graph(graph)
    read = read.undirected() if undirected else read
    begin = time.perf_counter()
    built_for = find_limits(limits, read)
    model = compile(program, limits=built_for, attention=check_attention(attention))
    prepare(model, machine)
    compile_seconds = time.perf_counter() - begin
    inputs = find_inputs(model, given or [])
    watching = Monitor()
    observers: list[Observer] = [TraceWriter(trace)] if trace else []
    observers += [watching] if monitor else []
    observers += [Lockstep()] if verify else []
    bar = BarIfLong(f"{model.name}, iterations", model.max_iterations(read.n) or 0)
    answer = run_model(
        model,
        read,
        source=source,
        machine=machine,
        observers=[*observers, bar],
        checked=not unchecked,
        **inputs,
    )
    exact = is_exact(machine)
    guaranteed = not unchecked or check(model, read, exact=exact).guaranteed
    if as_json:
        extra: dict[str, Any] = {"guaranteed": guaranteed} if unchecked else {}
        if monitor:
            extra["margins"] = _margins(watching)
        print_json(_report(model, read, machine, answer, compile_seconds) | extra)
        return
    _show(model, read, machine, answer, verified=verify)
    if monitor:
        Console().print(_margin_table(watching))
    if not guaranteed:
        print("NOT GUARANTEED: this graph is outside the model's limits (loopwright check).")


def _margins(monitor: Monitor) -> list[dict[str, Any]]:
    """The worst of every step; a gap where nothing was to be told apart is null."""
    return [
        {"step": layer.name}
        | {name: number if isfinite(number) else None for name, number in asdict(worst).items()}
        for layer, worst in zip(monitor.model.layers, monitor.margins, strict=True)
    ]


def _margin_table(monitor: Monitor) -> Table:
    caption = (
        "gap, spread: of scores, in tie tolerances; flag: off 0 or 1; "
        "comparison: from its threshold, 1 for equal or ε apart; value: of Ω"
    )
    table = Table("step", "gap", "spread", "flag", "comparison", "value", caption=caption)
    for row in _margins(monitor):
        step, *numbers = row.values()
        table.add_row(escape(step), *("–" if n is None else f"{n:.3g}" for n in numbers))
    return table


def _report(
    model: Weights, graph: Graph, machine: str, answer: Answer, compile_seconds: float
) -> dict[str, Any]:
    """The object that `run --json` prints."""
    return {
        "algorithm": model.name,
        "construction": model.construction,
        "attention": model.attention,
        "machine": machine,
        "nodes": graph.n,
        "edges": graph.edge_count,
        "layers": len(model.layers),
        "heads": model.heads,
        "width": model.width,
        "parameters": model.parameters,
        "nonzeros": model.nonzeros,
        "iterations": answer.iterations,
        "halted": True,
        "seconds": answer.seconds,
        "total_seconds": answer.total_seconds,
        "compile_seconds": compile_seconds,
        "result": {
            name: {str(label): value for label, value in column.items()}
            for name, column in answer.result.items()
        },
    }


def _show(model: Weights, graph: Graph, machine: str, answer: Answer, *, verified: bool) -> None:
    table = Table("node", *answer.result)
    for label in graph.labels:
        table.add_row(
            escape(str(label)), *(escape(_cell(column[label])) for column in answer.result.values())
        )
    Console().print(table)
    print(
        f"{model.name} ({model.construction}, {model.attention}) on {graph.n} nodes, "
        f"{graph.edge_count} edges: {answer.iterations} iterations of {len(model.layers)} layers, "
        f"{answer.seconds:.3g} s on the {machine} machine."
    )
    if verified:
        print("Every variable was right after every layer.")


def _cell(value: Any) -> str:
    if value is None:
        return "–"
    return f"{value:g}" if isinstance(value, float) else str(value)
