"""`loopwright run`: compile an algorithm, run it on a graph, show the answer."""

from __future__ import annotations

import time
from collections.abc import Iterator
from dataclasses import asdict
from math import isfinite
from pathlib import Path
from typing import TYPE_CHECKING, Annotated, Any

import typer
from rich.table import Table

from loopwright.cli import options
from loopwright.cli.algorithm import find_algorithm
from loopwright.cli.find import build_for, find_graph, find_inputs
from loopwright.cli.output import digits, listing, model_facts, output, table
from loopwright.cli.progress import BarIfLong
from loopwright.runtime.attributes import WEIGHT
from loopwright.runtime.observe import Observer
from loopwright.runtime.run import run as run_model

if TYPE_CHECKING:
    from loopwright.watch.monitor import Monitor


def run(
    algorithm: options.Algorithm,
    graph: options.GraphFile,
    source: options.Source = None,
    undirected: options.Undirected = False,
    weight: options.WeightAttribute = WEIGHT,
    construction: options.Construction = None,
    attention: options.Attention = None,
    machine: options.Machine = "native",
    limits: options.Limits = "auto",
    unchecked: Annotated[
        bool, typer.Option("--unchecked", help="Run even where the answer is not guaranteed.")
    ] = False,
    given: options.Inputs = None,
    verify: Annotated[
        bool, typer.Option("--verify", help="Check every variable after every layer.")
    ] = False,
    monitor: Annotated[
        bool, typer.Option("--monitor", help="Watch how close each step comes to going wrong.")
    ] = False,
    trace: options.TraceFile = None,
    as_json: options.AsJson = False,
) -> None:
    """Run an algorithm on a graph, by weights alone.

    For example: loopwright run dijkstra roads.txt --source Ulm --undirected

    Your own: loopwright run hops.py:hops roads.txt --source Ulm
    """
    chosen = find_algorithm(algorithm)
    read = find_graph(graph, undirected=undirected, weight=weight)
    begin = time.perf_counter()
    model, built_for = build_for(read, chosen, construction, limits, attention, machine)
    compile_seconds = time.perf_counter() - begin
    inputs = find_inputs(model, given)
    watching, observers = _observers(trace, monitor=monitor, verify=verify)
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
    report = model_facts(model) | {
        "machine": machine,
        "limits": built_for,
        "nodes": read.n,
        "edges": read.edge_count,
        "iterations": answer.iterations,
        "halted": True,
        "seconds": answer.seconds,
        "total_seconds": answer.total_seconds,
        "compile_seconds": compile_seconds,
        "guaranteed": answer.guaranteed,
        "exact": answer.exact,
        "checked": answer.checked,
        "result": {
            name: {str(label): value for label, value in column.items()}
            for name, column in answer.result.items()
        },
    }
    if len(set(map(str, read.labels))) < read.n:  # such as 1 and "1", which are one name in JSON
        pairs = {name: list(column.items()) for name, column in answer.result.items()}
        report |= {"result_pairs": pairs}
    report |= {"margins": _margins(watching)} if watching else {}

    def shown() -> Iterator[Table | str]:
        columns = answer.result.values()
        yield listing(
            ("node", *answer.result),
            ((label, *(_cell(column[label]) for column in columns)) for label in read.labels),
        )
        yield (
            f"{model.name} ({model.construction}, {model.attention}) on {read.n} nodes, "
            f"{read.edge_count} edges: {answer.iterations} iterations of {len(model.layers)} "
            f"layers, {answer.seconds:.3g} s on the {machine} machine, weights for "
            + (
                "this graph."
                if built_for == "fit"
                else f"all graphs within the {built_for} limits."
            )
        )
        if verify:
            yield "Every variable was right after every layer."
        if watching:
            yield _margin_table(_margins(watching))
        if not answer.guaranteed:
            yield "NOT GUARANTEED on this graph: loopwright check says which condition fails."

    output(report, shown(), as_json=as_json)


def _observers(
    trace: Path | None, *, monitor: bool, verify: bool
) -> tuple[Monitor | None, list[Observer]]:
    """Those that are asked for, and which of them is the monitor; others are not imported."""
    watching, observers = None, list[Observer]()
    if trace:
        from loopwright.watch.trace import TraceWriter

        observers.append(TraceWriter(trace))
    if monitor:
        from loopwright.watch.monitor import Monitor

        watching = Monitor()
        observers.append(watching)
    if verify:
        from loopwright.watch.verify import Lockstep

        observers.append(Lockstep())
    return watching, observers


def _cell(value: Any) -> str:
    if value is None:
        return "–"
    return digits(value) if isinstance(value, float) else str(value)


def _margins(monitor: Monitor) -> list[dict[str, Any]]:
    """The worst margins of every step; where a step had nothing to tell apart, its gap is null."""
    return [
        {"step": layer.name}
        | {name: number if isfinite(number) else None for name, number in asdict(worst).items()}
        for layer, worst in zip(monitor.model.layers, monitor.margins, strict=True)
    ]


def _margin_table(margins: list[dict[str, Any]]) -> Table:
    return table(
        ("step", "gap", "spread", "flag", "comparison", "value"),
        (
            (step, *("–" if number is None else f"{number:.3g}" for number in numbers))
            for step, *numbers in (row.values() for row in margins)
        ),
        caption="gap, spread: of scores, in tie tolerances; flag: off 0 or 1; "
        "comparison: from its threshold, 1 for equal or ε apart; value: of Ω",
    )
