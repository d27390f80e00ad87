"""`loopwright show`: a program, and what its weights cost."""

from __future__ import annotations

from typing import Annotated, Any, Literal

import typer
from rich.console import Console
from rich.table import Table

from loopwright.algorithms import ALGORITHMS
from loopwright.cli.options import (
    AlgorithmName,
    AsJson,
    Attention,
    Construction,
    check_attention,
    find_program,
    print_json,
)
from loopwright.compiler.compile import compile
from loopwright.compiler.pack import pack
from loopwright.model.weights import HEAD_KINDS, Layer, Weights


def show(
    algorithm: AlgorithmName,
    construction: Construction = None,
    attention: Attention = "hardmax",
    packed: Annotated[
        bool, typer.Option("--packed", help="Merge steps into as few layers as they fit in.")
    ] = False,
    as_json: AsJson = False,
) -> None:
    """Show an algorithm's program, and the size of the transformer that it becomes.

    For example: loopwright show dijkstra --construction compact
    """
    program = find_program(algorithm, construction)
    program = pack(program) if packed else program
    soft = check_attention(attention)
    model = compile(program, attention=soft)
    if as_json:
        print_json(report(model))
        return
    print(program)
    heads = ", ".join(f"{count} {kind}" for kind, count in model.heads.items() if count)
    print(
        f"\n{len(model.layers)} layers, {sum(model.heads.values())} heads ({heads}), "
        f"width {model.width}, {model.parameters} parameters, {model.nonzeros} of them not 0: "
        "for graphs of any size."
    )
    written = {at.name for at in program.steps}
    added = [layer.name for layer in model.layers if layer.name not in written]
    if added:
        print(f"Of the layers, {len(added)} are added for softmax: {'; '.join(added)}.")
    Console().print(side_by_side(algorithm, soft))


def side_by_side(algorithm: str, attention: Literal["hardmax", "softmax"]) -> Table:
    """Every construction of an algorithm, as written and packed."""
    heads = ("construction", "layers", "iterations", "width", "not 0", "work")
    table = Table(
        *heads, caption="work: multiplications a row = iterations × weights that are not 0"
    )
    for name in ALGORITHMS[algorithm].constructions:
        program = ALGORITHMS[algorithm](name)
        for label, version in ((name, program), (f"{name}, packed", pack(program))):
            model = compile(version, attention=attention)
            bound = polynomial(model.bound)
            table.add_row(
                label,
                str(len(model.layers)),
                bound or "as the input has it",
                str(model.width),
                str(model.nonzeros),
                f"{model.nonzeros} × {bound}" if bound else f"{model.nonzeros} each",
            )
    return table


def polynomial(bound: tuple[int, ...]) -> str:
    """Coefficients, constant first, as people write them: (0, 0, 3) is 3n²."""
    powers = ("", "n", "n²", "n³")
    terms = [
        f"{k if k != 1 or power == 0 else ''}{powers[power]}" for power, k in enumerate(bound) if k
    ]
    return " + ".join(reversed(terms))


def report(model: Weights) -> dict[str, Any]:
    """The object that `show --json` prints."""
    return {
        "algorithm": model.name,
        "construction": model.construction,
        "attention": model.attention,
        "layers": len(model.layers),
        "heads": model.heads,
        "width": model.width,
        "parameters": model.parameters,
        "nonzeros": model.nonzeros,
        "steps": [
            {
                "name": layer.name,
                "paper_step": layer.paper_step,
                "heads": head_counts(layer),
                "writes": list(layer.writes),
            }
            for layer in model.layers
        ],
    }


def head_counts(layer: Layer) -> dict[str, int]:
    return {
        name: sum(head.over == over for head in layer.heads) for over, name in HEAD_KINDS.items()
    }
