"""The arguments and options that commands share, each declared once, with its choices."""

from __future__ import annotations

from pathlib import Path
from typing import Annotated, Literal

import typer

from loopwright.algorithms import ALGORITHMS
from loopwright.algorithms.registry import DEFAULT
from loopwright.runtime import machines

CONSTRUCTIONS = tuple(
    dict.fromkeys(name for of in ALGORITHMS.values() for name in of.constructions)
)
"""The names of all constructions; no algorithm has all of them."""

OWN_TOO = "your own, as file.py:name; or a saved model, as model.safetensors."
"""What an algorithm may be beside a name of the package's."""

NAMES = f"One of: {', '.join(ALGORITHMS)}; {OWN_TOO}"
Algorithm = Annotated[
    str,
    typer.Argument(metavar="ALGORITHM", help=NAMES),
]
Algorithms = Annotated[
    list[str] | None,
    typer.Argument(metavar="ALGORITHM", help=f"Names, as of `run`; {OWN_TOO}"),
]
GRAPH_FILE = typer.Argument(
    metavar="GRAPH",
    help="A file: 'tail head [weight]' lines, CSV, GraphML, GML, Matrix Market, NPZ or JSON; "
    "'-' reads such lines from standard input.",
)
GraphFile = Annotated[str, GRAPH_FILE]
OptionalGraphFile = Annotated[str | None, GRAPH_FILE]
Source = Annotated[str | None, typer.Option(metavar="LABEL", help="Node to start from.")]
Undirected = Annotated[
    bool, typer.Option("--undirected", help="Take each edge of a file in both directions.")
]
WeightAttribute = Annotated[
    str,
    typer.Option(
        "--weight",
        metavar="ATTRIBUTE",
        help="What edges of the file call their weight; 'none' to take every edge as 1.",
    ),
]
Construction = Annotated[
    str | None,
    typer.Option(
        metavar="NAME",
        help=f"Whose layers: {', '.join(CONSTRUCTIONS)}, where an algorithm has them ('paper' are "
        f"the theorems'); if not given, {DEFAULT}, or the first that there is.",
    ),
]
Attention = Annotated[
    Literal["hardmax", "softmax"] | None,
    typer.Option(
        help="'hardmax' is exact; 'softmax' is as in practice. If not given, hardmax, or what a "
        "saved model has."
    ),
]
Machine = Annotated[machines.Machine, typer.Option(help="What runs the weights.")]
ChosenMachine = Annotated[
    machines.Machine | None,
    typer.Option(
        "--machine",
        help="What runs the weights; if not given, reference, and native for .cm and .tm.",
    ),
]
Limits = Annotated[
    Literal["auto", "default", "fit", "paper"],
    typer.Option(
        help="What the weights are built for: 'default' is one set of weights for all graphs of up "
        "to 65,536 nodes, 'fit' another one for each graph, 'paper' has the parameters of the "
        "paper's validation; 'auto' fits only where it must, and keeps those of a saved model."
    ),
]
FixedLimits = Annotated[
    Literal["default", "paper"] | None,
    typer.Option(
        "--limits",
        help="What the weights are built for: 'default' is graphs of up to 65,536 nodes, 'paper' "
        "has the parameters of the paper's validation; if not given, default, or a saved model's.",
    ),
]
Inputs = Annotated[
    list[str] | None,
    typer.Option(
        "--input",
        metavar="NAME=VALUE",
        help="What a program asks for: dfs=1 makes multitask search depth-first, priority=3,1,2 "
        "orders independent-set. With commas, one number for each node.",
    ),
]
TraceFile = Annotated[
    Path | None,
    typer.Option(
        metavar="FILE",
        help="Record every step, to be read with Trace.load; '.gz' at the end compresses.",
    ),
]
Seed = Annotated[int, typer.Option(metavar="N", min=0, help="Everything random follows from it.")]
FigureFolder = Annotated[
    Path | None,
    typer.Option("--out", metavar="DIR", help="Where to write figures (PNG, SVG) and JSON."),
]
Smoke = Annotated[
    bool, typer.Option("--smoke", help="A few points only: seconds, to see that it works.")
]
Cluster = Annotated[
    str | None,
    typer.Option(
        metavar="ADDRESS",
        help="Have the workers of a Dask scheduler do it, or 'local' for worker processes here.",
    ),
]
ShareOf = Annotated[
    str | None,
    typer.Option(
        "--shard", metavar="I/N", help="Only the I-th of N equal shares, from 0: for array jobs."
    ),
]
AsJson = Annotated[bool, typer.Option("--json", help="Print one JSON object instead of a table.")]
