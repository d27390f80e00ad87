"""`loopwright subleq`: assemble a program, run it on the transformer, show its memory."""

from __future__ import annotations

import time
from collections.abc import Iterator
from fractions import Fraction
from typing import Annotated

import typer
from rich.table import Table

from loopwright.cli import options
from loopwright.cli.find import find_graph
from loopwright.cli.output import output, table
from loopwright.errors import DidNotHalt, LoopwrightError
from loopwright.subleq.assemble import assemble_file
from loopwright.subleq.code import Code
from loopwright.subleq.listing import listing as list_code
from loopwright.subleq.machines import Number
from loopwright.subleq.run import STEPS
from loopwright.subleq.run import run as run_code


def subleq(
    program: Annotated[str, typer.Argument(metavar="PROGRAM", help="A file of instructions.")],
    graph: Annotated[
        str | None,
        typer.Option(metavar="GRAPH", help="What the program reads as A; nodes count from 0."),
    ] = None,
    undirected: options.Undirected = False,
    settings: Annotated[
        list[str] | None,
        typer.Option("--set", metavar="NAME=VALUE", help="Start named data so; a,b,… for arrays."),
    ] = None,
    steps: Annotated[
        int, typer.Option(metavar="N", min=1, help="Stop after so many instructions.")
    ] = STEPS,
    machine: options.Machine = "reference",
    verify: Annotated[
        bool, typer.Option("--verify", help="Compare with the plain machine at every step.")
    ] = False,
    trace: options.TraceFile = None,
    listing: Annotated[
        bool, typer.Option("--listing", help="Print the bare instructions, and do not run them.")
    ] = False,
    as_json: options.AsJson = False,
) -> None:
    """Run a Graph-SUBLEQ program on a transformer.

    Its weights are the same for all programs.

    For example: loopwright subleq examples/subleq/gcd.sq --set a=84 --set b=36
    """
    read = None if graph is None else find_graph(graph, undirected=undirected)
    nodes = None if read is None else read.n
    code = assemble_file(program, nodes=nodes, settings=_settings(settings or []))
    if listing:
        print(list_code(code))
        return
    begin = time.perf_counter()
    outcome = run_code(code, read, machine=machine, steps=steps, verify=verify, trace=trace)
    overhead = time.perf_counter() - begin - outcome.seconds
    model = outcome.model
    before, after = _named(code, code.memory), _named(code, outcome.memory)
    report = {
        "program": program,
        "machine": machine,
        "nodes": nodes or 0,
        "instructions": len(code.instructions),
        "cells": len(code.memory),
        "rows": outcome.rows + 1,
        "layers": len(model.layers),
        "heads": model.heads,
        "width": model.width,
        "steps": outcome.steps,
        "halted": outcome.halted,
        "pc": outcome.pc,
        "verified": verify,
        "seconds": outcome.seconds,
        "compile_seconds": overhead,
        "before": before,
        "after": after,
    }

    def shown() -> Iterator[Table | str]:
        rows = ((name, _cell(before[name]), _cell(after[name])) for name in before)
        yield table(("memory", "before", "after"), rows)
        state = "halted" if outcome.halted else "stopped"
        yield (
            f"{program} {state} after {outcome.steps} instructions: {outcome.steps} iterations of "
            f"{len(model.layers)} layers on {outcome.rows + 1} rows, {outcome.seconds:.3g} s on "
            f"the {machine} machine."
        )
        if verify:
            yield (
                "Every variable was right after every layer; after every instruction, memory and "
                "program counter were the plain machine's."
            )

    output(report, shown(), as_json=as_json)
    if not outcome.halted:
        raise DidNotHalt(
            f"{program} is still running after {outcome.steps} instructions, at "
            f"{code.where(outcome.pc)}: allow more with --steps."
        )


def _settings(given: list[str]) -> dict[str, list[Number]]:
    """The numbers that texts such as `NAME=VALUE,VALUE` give to names."""
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
    """The data that the program names, each as a number or as a list of numbers."""
    return {
        symbol.name: memory[symbol.first]
        if symbol.length == 1
        else [memory[i] for i in symbol.cells]
        for symbol in code.symbols
        if symbol.is_data
    }


def _cell(value: Number | list[Number]) -> str:
    return " ".join(map(str, value)) if isinstance(value, list) else str(value)
