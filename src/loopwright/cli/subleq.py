"""`loopwright subleq`: make a program of what a file says, run it on the transformer, show the end.

A file is a program of Graph-SUBLEQ, or a machine that becomes one: a counter machine (.cm), or a
Turing machine (.tm).
"""

from __future__ import annotations

import time
from collections.abc import Iterator, Mapping
from pathlib import Path
from typing import Annotated

import typer
from rich.table import Table

from loopwright.cli import options
from loopwright.cli.find import find_graph
from loopwright.cli.output import output, say, table
from loopwright.errors import DidNotHalt, LoopwrightError, brief
from loopwright.runtime.readers.number import read_number
from loopwright.subleq.assemble import assemble_file, read_text
from loopwright.subleq.code import Code
from loopwright.subleq.counters import counter_machine
from loopwright.subleq.follow import STEPS as SOURCE_STEPS
from loopwright.subleq.follow import Source, follow
from loopwright.subleq.listing import listing as list_code
from loopwright.subleq.machines import Number
from loopwright.subleq.rules import turing_machine
from loopwright.subleq.run import STEPS
from loopwright.subleq.run import run as run_code

Settings = dict[str, list[Number]]


def subleq(
    program: Annotated[
        str,
        typer.Argument(
            metavar="PROGRAM",
            help="A file of instructions; a counter machine (.cm) or a Turing machine (.tm).",
        ),
    ],
    graph: Annotated[
        str | None,
        typer.Option(metavar="GRAPH", help="What the program reads as A; nodes count from 0."),
    ] = None,
    undirected: options.Undirected = False,
    settings: Annotated[
        list[str] | None,
        typer.Option("--set", metavar="NAME=VALUE", help="Start named data so; a,b,… for arrays."),
    ] = None,
    tape: Annotated[
        str | None,
        typer.Option(metavar="SYMBOLS", help="What a Turing machine finds from its head on."),
    ] = None,
    steps: Annotated[
        int | None,
        typer.Option(
            metavar="N",
            min=1,
            help=f"Stop after so many instructions: {STEPS}, or {SOURCE_STEPS} for .cm and .tm.",
        ),
    ] = None,
    machine: options.ChosenMachine = None,
    verify: Annotated[
        bool, typer.Option("--verify", help="Compare with the plain machine at every step.")
    ] = False,
    trace: options.TraceFile = None,
    listing: Annotated[
        bool, typer.Option("--listing", help="Print the bare instructions, and do not run them.")
    ] = False,
    as_json: options.AsJson = False,
) -> None:
    """Run a program, or a Turing machine, on a transformer.

    Its weights are the same for all programs.

    For example: loopwright subleq examples/subleq/gcd.sq --set a=84 --set b=36
    """
    read = None if graph is None else find_graph(graph, undirected=undirected)
    nodes = None if read is None else read.n
    source = _source(program, graph, _settings(settings or []), tape)
    if source is None:
        code = assemble_file(program, nodes=nodes, settings=_settings(settings or []))
    else:
        code = source.code
    if listing:
        say(list_code(code))
        return
    begin = time.perf_counter()
    source_steps: int | None = None
    if source is None:
        machine = machine or "reference"
        outcome = run_code(
            code, read, machine=machine, steps=steps or STEPS, verify=verify, trace=trace
        )
        before, after = _named(code, code.memory), _named(code, outcome.memory)
    else:
        machine = machine or "native"
        followed = follow(
            source, machine=machine, steps=steps or SOURCE_STEPS, verify=verify, trace=trace
        )
        outcome, source_steps = followed.outcome, followed.steps
        before, after = followed.before.named(), followed.after.named()
    overhead = time.perf_counter() - begin - outcome.seconds
    model = outcome.model
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
        "source_steps": source_steps,
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
        yield table(("memory" if source is None else "machine", "before", "after"), rows)
        state = "halted" if outcome.halted else "stopped"
        own = "" if source_steps is None else f"{source_steps} steps and "
        yield (
            f"{program} {state} after {own}{outcome.steps} instructions: {outcome.steps} "
            f"iterations of {len(model.layers)} layers on {outcome.rows + 1} rows, "
            f"{outcome.seconds:.3g} s on the {machine} machine."
        )
        if source is not None:
            yield "Every configuration was that of a plain simulator."
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


def _source(program: str, graph: str | None, settings: Settings, tape: str | None) -> Source | None:
    """The counter machine or Turing machine that a file describes; None for other programs."""
    kind = Path(program).suffix
    if kind != ".tm" and tape is not None:
        raise LoopwrightError("--tape is for Turing machines (.tm); others take --set NAME=VALUE.")
    if kind not in (".cm", ".tm"):
        return None
    if graph is not None:
        raise LoopwrightError(f"--graph: {program} is a machine that reads no graph.")
    text = read_text(program)
    if kind == ".tm":
        if settings:
            raise LoopwrightError(f"--set: {program} is a Turing machine, which takes --tape.")
        return turing_machine(text, file=program, tape=tape)
    for name, values in settings.items():
        if len(values) > 1:
            raise LoopwrightError(f"--set {name}: a counter is one number, not {len(values)}.")
    return counter_machine(
        text, file=program, settings={name: value for name, (value,) in settings.items()}
    )


def _settings(given: list[str]) -> Settings:
    """The numbers that texts such as `NAME=VALUE,VALUE` give to names."""
    settings: Settings = {}
    for text in given:
        name, equals, values = text.partition("=")
        option = f"--set {brief(text)}"
        try:
            numbers = [read_number(value.strip()) for value in values.split(",")]
        except OverflowError as problem:
            raise LoopwrightError(f"{option}: a number {problem}.") from None
        except ValueError:
            numbers = []
        if not (name and equals and numbers):
            raise LoopwrightError(f"{option}: expected NAME=NUMBER, or NAME=NUMBER,NUMBER,….")
        if name in settings:
            raise LoopwrightError(f"{option}: '{brief(name)}' is set twice.")
        settings[name] = [int(n) if n.denominator == 1 else n for n in numbers]
    return settings


def _named(code: Code, memory: tuple[Number, ...]) -> Mapping[str, Number | list[Number]]:
    """The data that the program names, each as a number or as a list of numbers."""
    return {
        symbol.name: memory[symbol.first]
        if symbol.length == 1
        else [memory[i] for i in symbol.cells]
        for symbol in code.symbols
        if symbol.is_data
    }


def _cell(value: Number | str | list[Number]) -> str:
    return " ".join(map(str, value)) if isinstance(value, list) else str(value)
