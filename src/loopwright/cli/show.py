"""`loopwright show`: a program, and what its weights cost."""

from __future__ import annotations

from collections.abc import Iterator
from typing import Annotated

import typer
from rich.table import Table

from loopwright.cli import options
from loopwright.cli.algorithm import Chosen, find_algorithm
from loopwright.cli.output import model_facts, output, say, table
from loopwright.compiler.compile import compile
from loopwright.compiler.flow import flow_of
from loopwright.compiler.pack import pack
from loopwright.compiler.why import why
from loopwright.errors import LoopwrightError
from loopwright.language.program import Program
from loopwright.language.serial import from_json
from loopwright.model.cost import UNBOUNDED, cost_of
from loopwright.model.weights import AttentionKind, Weights, count_kinds


def show(
    algorithm: options.Algorithm,
    construction: options.Construction = None,
    attention: options.Attention = None,
    packed: Annotated[
        bool, typer.Option("--packed", help="Merge steps into as few layers as they fit in.")
    ] = False,
    optimal: Annotated[
        bool,
        typer.Option(
            "--optimal",
            help="Find layers by integer programming, and prove that fewer, or fewer heads, are "
            "impossible; with --packed for programs that have layers. May take minutes.",
        ),
    ] = False,
    reasons: Annotated[
        bool,
        typer.Option("--why", help="Show the chain of ops that stands in the way of fewer layers."),
    ] = False,
    latex: Annotated[
        bool,
        typer.Option(
            "--latex",
            help="Print rows of a table instead: name & layers & iterations & width & heads & "
            "nonzeros, for each construction unless one is named.",
        ),
    ] = False,
    as_json: options.AsJson = False,
) -> None:
    """Show an algorithm's program, and what its weights cost.

    For example: loopwright show dijkstra --construction paper

    Your own, for a paper: loopwright show hops.py:hops --latex
    """
    if latex and as_json:
        raise LoopwrightError("--latex and --json are two ways to print the same: choose one.")
    chosen = find_algorithm(algorithm)
    if latex:
        wanted = [construction] if construction else list(chosen.algorithm.constructions)
        for each in wanted:
            _, model = _built(chosen, each, attention, packed=packed, optimal=optimal)
            say(cost_of(model).latex())
        return
    program, model = _built(chosen, construction, attention, packed=packed, optimal=optimal)
    if optimal and program.layers != "found":
        raise LoopwrightError(
            f"--optimal: the layers of '{model.construction}' are its author's; give --packed too."
        )
    steps = [
        {
            "name": layer.name,
            "paper_step": layer.paper_step,
            "heads": count_kinds(layer.heads),
            "writes": layer.writes,
        }
        for layer in model.layers
    ]
    report = model_facts(model) | {"steps": steps}
    shown = list(_shown(chosen, program, model))
    if optimal:
        report["proved"] = True
        shown.append(_proved(program, model))
    if reasons:
        chain = why(flow_of(program.as_written()))
        report["why"] = [str(link) for link in chain]
        shown += ["\nNo fewer layers, because each of these needs the one before it:"]
        shown += [f"  {link}" for link in chain]
    output(report, iter(shown), as_json=as_json)


def _proved(program: Program, model: Weights) -> str:
    heads = sum(model.heads.values())
    if program.as_written().layers == "find":
        return (
            "\nProved: no schedule of these statements has fewer than "
            f"{len(program.steps)} layers, and none with as few has fewer than {heads} heads."
        )
    return (
        f"\nProved: with the heads that it has, no schedule of this program has fewer than "
        f"{len(program.steps)} layers."
    )


def _built(
    chosen: Chosen,
    construction: str | None,
    attention: AttentionKind | None,
    *,
    packed: bool,
    optimal: bool,
) -> tuple[Program, Weights]:
    """A program and its weights: as saved if that is what is asked for, else compiled now."""
    saved = chosen.saved_as_asked(construction, attention)
    if saved and not packed and not optimal:
        return from_json(dict(saved.program)), saved
    program = chosen.program(construction)
    with chosen.blamed():
        if packed or program.layers == "find":
            program = pack(program, optimal=optimal)
        return program, _compiled(chosen, program, attention)


def _compiled(chosen: Chosen, program: Program, attention: AttentionKind | None) -> Weights:
    """What is not asked for is as by default or, of a saved model, as saved."""
    if chosen.saved is None:
        return compile(program, attention=attention or "hardmax")
    attention = attention or chosen.saved.attention
    return compile(program, limits=chosen.saved.constants, attention=attention)


def _shown(chosen: Chosen, program: Program, model: Weights) -> Iterator[Table | str]:
    if program.as_written().layers == "find":
        yield f"{program.as_written()}\n\nin layers:\n"
    yield str(program)
    heads = ", ".join(f"{count} {kind}" for kind, count in model.heads.items() if count)
    yield (
        f"\n{len(model.layers)} layers, {sum(model.heads.values())} heads ({heads}), "
        f"width {model.width}, {model.parameters} parameters, {model.nonzeros} of them not 0: "
        f"for all graphs of up to {model.constants.nodes:,} nodes."
    )
    written = {at.name for at in program.steps}
    added = [layer.name for layer in model.layers if layer.name not in written]
    if added:
        yield f"Of the layers, {len(added)} are added for softmax: {'; '.join(added)}."
    yield side_by_side(chosen, model.attention)
    if chosen.algorithm.differences:
        yield f"Answers differ: {chosen.algorithm.differences}"


def _versions(name: str, program: Program) -> list[tuple[str, Program]]:
    """A program, and with its layers packed if they are its author's."""
    packed = [(f"{name}, packed", pack(program))] if program.layers == "given" else []
    return [(name, program), *packed]


def times(factor: int, polynomial: str) -> str:
    """A product as people write it."""
    return f"{factor} × ({polynomial})" if " + " in polynomial else f"{factor} × {polynomial}"


def side_by_side(chosen: Chosen, attention: AttentionKind) -> Table:
    """Every construction of an algorithm, as written and packed."""

    def row(label: str, program: Program) -> tuple[object, ...]:
        cost = cost_of(_compiled(chosen, program, attention))
        bound = cost.iterations
        return (
            label,
            cost.layers,
            bound,
            cost.width,
            cost.nonzeros,
            f"{cost.nonzeros} each" if bound == UNBOUNDED else times(cost.nonzeros, bound),
        )

    programs = {name: chosen.program(name) for name in chosen.algorithm.constructions}
    return table(
        ("construction", "layers", "iterations", "width", "not 0", "work"),
        (
            row(*version)
            for name, program in programs.items()
            for version in _versions(name, program)
        ),
        caption="work: multiplications a row = iterations × weights that are not 0",
    )
