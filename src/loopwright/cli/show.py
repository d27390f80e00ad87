"""`loopwright show`: a program, and what its weights cost."""

from __future__ import annotations

from collections.abc import Iterator
from typing import Annotated

import typer
from rich.table import Table

from loopwright.algorithms import ALGORITHMS
from loopwright.cli import options
from loopwright.cli.find import find_program
from loopwright.cli.output import model_facts, output, table
from loopwright.compiler.compile import compile
from loopwright.compiler.pack import pack
from loopwright.language.program import Program
from loopwright.model.weights import HEAD_KINDS, Weights


def show(
    algorithm: options.Algorithm,
    construction: options.Construction = None,
    attention: options.Attention = "hardmax",
    packed: Annotated[
        bool, typer.Option("--packed", help="Merge steps into as few layers as they fit in.")
    ] = False,
    as_json: options.AsJson = False,
) -> None:
    """Show an algorithm's program, and what its weights cost.

    For example: loopwright show dijkstra --construction paper
    """
    program = find_program(algorithm, construction)
    program = pack(program) if packed else program
    model = compile(program, attention=attention)
    steps = [
        {
            "name": layer.name,
            "paper_step": layer.paper_step,
            "heads": {
                name: sum(head.over == over for head in layer.heads)
                for over, name in HEAD_KINDS.items()
            },
            "writes": layer.writes,
        }
        for layer in model.layers
    ]
    report = model_facts(model) | {"steps": steps}
    output(report, _shown(algorithm, program, model), as_json=as_json)


def _shown(algorithm: str, program: Program, model: Weights) -> Iterator[Table | str]:
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
    yield side_by_side(algorithm, model.attention)
    if ALGORITHMS[algorithm].differences:
        yield f"Answers differ: {ALGORITHMS[algorithm].differences}"


def side_by_side(algorithm: str, attention: options.Attention) -> Table:
    """Every construction of an algorithm, as written and packed."""

    def row(label: str, program: Program) -> tuple[object, ...]:
        model = compile(program, attention=attention)
        bound = polynomial(model.bound)
        return (
            label,
            len(model.layers),
            bound or "as the input has it",
            model.width,
            model.nonzeros,
            f"{model.nonzeros} × {bound}" if bound else f"{model.nonzeros} each",
        )

    programs = {name: ALGORITHMS[algorithm](name) for name in ALGORITHMS[algorithm].constructions}
    return table(
        ("construction", "layers", "iterations", "width", "not 0", "work"),
        (
            row(*version)
            for name, program in programs.items()
            for version in ((name, program), (f"{name}, packed", pack(program)))
        ),
        caption="work: multiplications a row = iterations × weights that are not 0",
    )


def polynomial(bound: tuple[int, ...]) -> str:
    """Coefficients, constant first, as people write them: (0, 0, 3) is 3n²."""
    powers = ("", "n", "n²", "n³")
    terms = [
        f"{k if k != 1 or power == 0 else ''}{powers[power]}" for power, k in enumerate(bound) if k
    ]
    return " + ".join(reversed(terms))
