"""Options that several commands share, and what they stand for."""

from __future__ import annotations

import json
import sys
from fractions import Fraction
from pathlib import Path
from typing import Annotated, Any, Literal

import typer

from loopwright.algorithms import ALGORITHMS
from loopwright.errors import LoopwrightError
from loopwright.language.program import Program
from loopwright.model.limits import Limits
from loopwright.model.weights import Weights
from loopwright.runtime.graph import Graph
from loopwright.runtime.machines import MACHINES

AlgorithmName = Annotated[
    str, typer.Argument(metavar="ALGORITHM", help=f"One of: {', '.join(ALGORITHMS)}.")
]
GraphFile = Annotated[
    str,
    typer.Argument(
        metavar="GRAPH",
        help="A file: 'tail head [weight]' lines, CSV, GraphML, GML, Matrix Market, NPZ or JSON.",
    ),
]
Construction = Annotated[
    str | None,
    typer.Option(metavar="NAME", help="Whose layers: 'paper' (the theorems'), or another."),
]
Attention = Annotated[
    str, typer.Option(metavar="KIND", help="'hardmax' (exact) or 'softmax' (as in practice).")
]
MachineName = Annotated[
    str, typer.Option("--machine", metavar="NAME", help=f"What runs: {', '.join(MACHINES)}.")
]
LimitsName = Annotated[
    str,
    typer.Option(
        "--limits",
        metavar="NAME",
        help="What the weights are built for: 'fit' (this graph), 'default', or 'paper'.",
    ),
]
Inputs = Annotated[
    list[str] | None,
    typer.Option("--input", metavar="NAME=VALUE", help="What a program asks for, as dfs=1."),
]
TraceFile = Annotated[
    Path | None,
    typer.Option(
        metavar="FILE",
        help="Record every step, to be read with Trace.load; '.gz' at the end compresses.",
    ),
]
AsJson = Annotated[bool, typer.Option("--json", help="Print one JSON object instead of a table.")]


def find_program(name: str, construction: str | None, *, prefer: str | None = None) -> Program:
    """The program of an algorithm, or an error that lists what there is.

    Without a construction it is the one that the command prefers, or the algorithm's first.

    Raises:
        LoopwrightError: if there is no such algorithm or construction.
    """
    if name not in ALGORITHMS:
        raise LoopwrightError(f"no algorithm '{name}'; there are: {', '.join(ALGORITHMS)}.")
    found = ALGORITHMS[name]
    return found(construction or (prefer if prefer in found.constructions else None))


def find_limits(name: str, graph: Graph) -> Limits:
    """The limits that a name stands for.

    Raises:
        LoopwrightError: if there are none of this name.
    """
    known = {"fit": lambda: Limits.fit(graph), "default": Limits, "paper": Limits.paper}
    if name not in known:
        raise LoopwrightError(f"no limits '{name}'; there are: {', '.join(known)}.")
    return known[name]()


def find_inputs(model: Weights, given: list[str]) -> dict[str, int]:
    """`NAME=VALUE` texts as the inputs that the program declares.

    Raises:
        LoopwrightError: if it declares no such input, or not with such a value.
    """
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


def check_attention(name: str) -> Literal["hardmax", "softmax"]:
    if name == "hardmax" or name == "softmax":
        return name
    raise LoopwrightError(f"no attention '{name}'; there are: hardmax, softmax.")


def print_json(value: Any) -> None:
    """To stdout, fractions as numbers where a float is exact, else as "p/q"."""

    def plain(other: Any) -> Any:
        if isinstance(other, Fraction):
            nearest = float(other)
            return nearest if Fraction(nearest) == other else str(other)
        raise TypeError(f"cannot print {type(other).__name__} as JSON")

    json.dump(value, sys.stdout, default=plain, ensure_ascii=False)
    sys.stdout.write("\n")
