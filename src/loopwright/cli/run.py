"""`loopwright run`: compile an algorithm, run it on a graph, show the answer."""

from __future__ import annotations

import time
from pathlib import Path
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
    LimitsName,
    MachineName,
    check_attention,
    find_limits,
    find_program,
    print_json,
)
from loopwright.compiler.compile import compile
from loopwright.errors import GraphError, LoopwrightError
from loopwright.model import Model
from loopwright.runtime.decode import Answer
from loopwright.runtime.encode import encode
from loopwright.runtime.graph import Graph
from loopwright.runtime.machines import Observe, prepare
from loopwright.runtime.read import read_graph
from loopwright.runtime.run import run as run_model
from loopwright.runtime.trace import Trace
from loopwright.verify import verify as verify_model


def run(
    algorithm: AlgorithmName,
    graph: GraphFile,
    source: Annotated[str | None, typer.Option(metavar="LABEL", help="Node to start from.")] = None,
    undirected: Annotated[
        bool, typer.Option("--undirected", help="Take each edge in both directions.")
    ] = False,
    construction: Construction = None,
    attention: Attention = "hardmax",
    machine: MachineName = "reference",
    limits: LimitsName = "fit",
    unchecked: Annotated[
        bool, typer.Option("--unchecked", help="Run even where the answer is not guaranteed.")
    ] = False,
    given: Annotated[
        list[str] | None,
        typer.Option("--input", metavar="NAME=VALUE", help="What a program asks for, as dfs=1."),
    ] = None,
    verify: Annotated[
        bool, typer.Option("--verify", help="Check every variable after every layer.")
    ] = False,
    trace: Annotated[
        Path | None, typer.Option(metavar="FILE", help="Write every step as JSON lines.")
    ] = None,
    as_json: AsJson = False,
) -> None:
    """Run an algorithm on a graph, by weights alone.

    For example: loopwright run dijkstra roads.txt --source Ulm --undirected
    """
    program = find_program(algorithm, construction)
    read = read_graph(graph)
    read = read.undirected() if undirected else read
    begin = time.perf_counter()
    built_for = find_limits(limits, read)
    model = compile(program, limits=built_for, attention=check_attention(attention))
    prepare(model, machine)
    compile_seconds = time.perf_counter() - begin
    options: dict[str, Any] = {"source": source, "machine": machine, "checked": not unchecked}
    options |= _inputs(model, given or [])
    if trace:
        if verify:
            raise LoopwrightError("--trace and --verify each follow every layer: ask for one.")
        answer = _traced(model, read, trace, options)
    else:
        answer = (verify_model if verify else run_model)(model, read, **options)
    if as_json:
        report = _report(model, read, machine, answer, compile_seconds)
        print_json(report | ({"guaranteed": model.check(read).guaranteed} if unchecked else {}))
    else:
        _show(model, read, machine, answer, verified=verify)
        if unchecked and not model.check(read).guaranteed:
            print("NOT GUARANTEED: this graph is outside the model's limits (loopwright check).")


def _inputs(model: Model, given: list[str]) -> dict[str, int]:
    """`NAME=VALUE` texts as the inputs that the program declares."""
    known = {field.input for field in model.layout.fields if field.input}
    inputs: dict[str, int] = {}
    for text in given:
        name, _, value = text.partition("=")
        if name not in known:
            there = ", ".join(sorted(known)) or "none"
            raise LoopwrightError(f"'{model.name}' has no input '{name}'; it has: {there}.")
        if value not in ("0", "1"):
            raise LoopwrightError(f"--input {text}: expected {name}=0 or {name}=1.")
        inputs[name] = int(value)
    return inputs


def _traced(model: Model, graph: Graph, path: Path, options: dict[str, Any]) -> Answer:
    """Run and write the trace; nothing is left behind if the run cannot start."""
    own = ("source", "machine", "checked")
    start = encode(
        model,
        graph,
        source=options["source"],
        exact=options["machine"] == "exact",
        checked=options["checked"],
        inputs={name: value for name, value in options.items() if name not in own},
    ).x
    try:
        with path.open("w", encoding="utf-8") as file:
            observe: Observe = Trace(file, model, graph, start).observe
            return run_model(model, graph, observe=observe, **options)
    except OSError as problem:
        raise GraphError(f"{path}: {problem.strerror or problem}.") from None


def _report(
    model: Model, graph: Graph, machine: str, answer: Answer, compile_seconds: float
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
        "compile_seconds": compile_seconds,
        "result": {
            name: {str(label): value for label, value in column.items()}
            for name, column in answer.result.items()
        },
    }


def _show(model: Model, graph: Graph, machine: str, answer: Answer, *, verified: bool) -> None:
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
