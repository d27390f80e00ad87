"""`loopwright show`: a program, and what its weights cost."""

from __future__ import annotations

from typing import Any

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
from loopwright.model import HEAD_KINDS, Layer, Model


def show(
    algorithm: AlgorithmName,
    construction: Construction = None,
    attention: Attention = "hardmax",
    as_json: AsJson = False,
) -> None:
    """Show an algorithm's program, and the size of the transformer that it becomes.

    For example: loopwright show dijkstra
    """
    program = find_program(algorithm, construction)
    model = compile(program, attention=check_attention(attention))
    if as_json:
        print_json(report(model))
        return
    print(program)
    heads = ", ".join(f"{count} over {kind}" for kind, count in model.heads.items() if count)
    print(
        f"\n{len(model.layers)} layers, {sum(model.heads.values())} heads ({heads}), "
        f"width {model.width}, {model.parameters} parameters, {model.nonzeros} of them not 0: "
        "for graphs of any size."
    )


def report(model: Model) -> dict[str, Any]:
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
