"""`loopwright subleq`: assemble a program, run it on the transformer, show its memory."""

from __future__ import annotations

import time
from fractions import Fraction
from typing import Annotated, Any

import typer
from rich.console import Console
from rich.markup import escape
from rich.table import Table

from loopwright.cli.options import AsJson, MachineName, TraceFile, print_json
from loopwright.errors import DidNotHalt, LoopwrightError
from loopwright.runtime.graph import Graph
from loopwright.runtime.read import read_graph
from loopwright.subleq.assemble import assemble_file
from loopwright.subleq.code import Code
from loopwright.subleq.listing import listing as list_code
from loopwright.subleq.machines import Number
from loopwright.subleq.run import STEPS, Outcome
from loopwright.subleq.run import run as run_code


def subleq(
    program: Annotated[str, typer.Argument(metavar="PROGRAM", help="A file of instructions.")],
    graph: Annotated[
        str | None,
        typer.Option(metavar="GRAPH", help="What the program reads as A; nodes count from 0."),
    ] = None,
    undirected: Annotated[
        bool, typer.Option("--undirected", help="Take each edge in both directions.")
    ] = False,
    settings: Annotated[
        list[str] | None,
        typer.Option("--set", metavar="NAME=VALUE", help="Start named data so; a,b,… for arrays."),
    ] = None,
    steps: Annotated[
        int, typer.Option(metavar="N", min=1, help="Stop after so many instructions.")
    ] = STEPS,
    machine: MachineName = "reference",
    verify: Annotated[
        bool, typer.Option("--verify", help="Compare with the plain machine at every step.")
    ] = False,
    trace: TraceFile = None,
    listing: Annotated[
        bool, typer.Option("--listing", help="Print the bare instructions, and do not run them.")
    ] = False,
    as_json: AsJson = False,
) -> None:
    """Run a Graph-SUBLEQ program on a transformer whose weights are the same for all programs.

    For example: loopwright subleq examples/subleq/gcd.sq --set a=84 --set b=36
    """
    read = None if graph is None else read_graph(graph)
    read = read.undirected() if read and undirected else read
    nodes = None if read is None else read.n
    code = assemble_file(program, nodes=nodes, settings=_settings(settings or []))
    if listing:
        print(list_code(code))
        return
    begin = time.perf_counter()
    outcome = run_code(code, read, machine=machine, steps=steps, verify=verify, trace=trace)
    overhead = time.perf_counter() - begin - outcome.seconds
    if as_json:
        print_json(_report(program, read, machine, outcome, overhead, verified=verify))
    else:
        _show(program, machine, outcome, verified=verify)
    if not outcome.halted:
        raise DidNotHalt(
            f"{program} is still running after {outcome.steps} instructions, at "
            f"{code.where(outcome.pc)}: allow more with --steps."
        )


def _settings(given: list[str]) -> dict[str, list[Number]]:
    """`NAME=VALUE,…` texts as numbers."""
    settings: dict[str, list[Number]] = {}
    for text in given:
        name, equals, values = text.partition("=")
        try:
            numbers = [Fraction(value.strip()) for value in values.split(",")]
        except (ValueError, ZeroDivisionError):
            numbers = []
        if not (name and equals and numbers):
            raise LoopwrightError(f"--set {text}: expected NAME=NUMBER, or NAME=NUMBER,NUMBER,….")
        if name in settings:
            raise LoopwrightError(f"--set {text}: '{name}' is set twice.")
        settings[name] = [int(n) if n.denominator == 1 else n for n in numbers]
    return settings


def _named(code: Code, memory: tuple[Number, ...]) -> dict[str, Number | list[Number]]:
    """What the program's author named, as numbers or lists of them."""
    return {
        symbol.name: memory[symbol.first]
        if symbol.length == 1
        else [memory[i] for i in symbol.cells]
        for symbol in code.symbols
        if symbol.is_data
    }


def _report(
    program: str,
    graph: Graph | None,
    machine: str,
    outcome: Outcome,
    overhead: float,
    *,
    verified: bool,
) -> dict[str, Any]:
    """The object that `subleq --json` prints."""
    code, model = outcome.code, outcome.model
    return {
        "program": program,
        "machine": machine,
        "nodes": graph.n if graph else 0,
        "instructions": len(code.instructions),
        "cells": len(code.memory),
        "rows": outcome.rows + 1,
        "layers": len(model.layers),
        "heads": model.heads,
        "width": model.width,
        "steps": outcome.steps,
        "halted": outcome.halted,
        "pc": outcome.pc,
        "verified": verified,
        "seconds": outcome.seconds,
        "compile_seconds": overhead,
        "before": _named(code, code.memory),
        "after": _named(code, outcome.memory),
    }


def _show(program: str, machine: str, outcome: Outcome, *, verified: bool) -> None:
    code, model = outcome.code, outcome.model
    before, after = _named(code, code.memory), _named(code, outcome.memory)
    table = Table("memory", "before", "after")
    for name in before:
        table.add_row(escape(name), _cell(before[name]), _cell(after[name]))
    Console().print(table)
    state = "halted" if outcome.halted else "stopped"
    print(
        f"{program} {state} after {outcome.steps} instructions: {outcome.steps} iterations of "
        f"{len(model.layers)} layers on {outcome.rows + 1} rows, {outcome.seconds:.3g} s on the "
        f"{machine} machine."
    )
    if verified:
        print(
            "Every variable was right after every layer; after every instruction, memory and "
            "program counter were the plain machine's."
        )


def _cell(value: Number | list[Number]) -> str:
    return " ".join(map(str, value)) if isinstance(value, list) else str(value)
