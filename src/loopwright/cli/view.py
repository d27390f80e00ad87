"""`loopwright view`: a run, or a trace of one → one HTML file to look at."""

from __future__ import annotations

import webbrowser
from pathlib import Path
from typing import Annotated, Any

import typer

from loopwright.cli import options
from loopwright.cli.algorithm import find_algorithm
from loopwright.cli.find import build_for, find_graph, find_inputs
from loopwright.cli.output import say
from loopwright.cli.writes import require_output
from loopwright.compiler.compile import compile
from loopwright.errors import LoopwrightError
from loopwright.runtime.attributes import WEIGHT
from loopwright.viewer import View
from loopwright.viewer import view as view_run
from loopwright.watch.trace import Trace


def view(
    algorithm: Annotated[
        str,
        typer.Argument(
            metavar="ALGORITHM",
            help=f"{options.NAMES} Or a trace, without a graph.",
        ),
    ],
    graph: options.OptionalGraphFile = None,
    source: options.Source = None,
    undirected: options.Undirected = False,
    weight: options.WeightAttribute = WEIGHT,
    construction: options.Construction = None,
    attention: options.Attention = None,
    limits: options.Limits = "auto",
    given: options.Inputs = None,
    broken: Annotated[
        str | None,
        typer.Option(
            "--break",
            metavar="PLACE=VALUE",
            help="Change one weight, and show where it makes the run go wrong: "
            "LAYER,MATRIX,ROW,COLUMN=VALUE, as 3,W4,0,dists=7.",
        ),
    ] = None,
    start: Annotated[
        int, typer.Option(metavar="N", min=1, help="Begin a long run with this iteration.")
    ] = 1,
    out: Annotated[Path, typer.Option(metavar="FILE", help="Where to write the page.")] = Path(
        "run.html"
    ),
    and_open: Annotated[
        bool, typer.Option("--open", help="Open the page in a browser when it is written.")
    ] = False,
) -> None:
    """Show every layer of a run, in one HTML file.

    The file needs no network, no server, and nothing that is not in it.

    A trace, as 'run --trace' and 'subleq --trace' write it, can stand in the place of algorithm and
    graph.

    For example: loopwright view dijkstra roads.txt --source Ulm --undirected
    """
    require_output(out, algorithm, graph)
    if graph is None and Path(algorithm).is_file():
        made = view_of_trace(algorithm, start)
    elif graph is None:
        find_algorithm(algorithm)
        raise LoopwrightError(f"'{algorithm}' needs a graph: loopwright view {algorithm} GRAPH.")
    else:
        chosen = find_algorithm(algorithm)
        read = find_graph(graph, undirected=undirected, weight=weight)
        model, _ = build_for(read, chosen, construction, limits, attention, "native")
        inputs: dict[str, Any] = find_inputs(model, given)
        made = view_run(model, read, source=source, broken=broken, start=start, **inputs)
    made.save(out)
    say(f"{out}: {made.title}, {len(made.html.encode()):,} bytes.")
    if made.stopped is not None:
        say(f"Stopped: {made.stopped}")
    if and_open:
        webbrowser.open(out.resolve().as_uri())


def view_of_trace(path: str, start: int) -> View:
    """A page of a recorded run, with the weights that its program compiles to: a trace has none.

    If they are not those that ran, because these were broken or made elsewhere, it has none, too.
    """
    trace = Trace.load(path)
    for program in (trace.program, trace.program.as_written()):
        try:
            model = compile(program, limits=trace.constants, attention=trace.header["attention"])
            return view_run(trace, model=model, start=start)
        except LoopwrightError:
            continue
    return view_run(trace, start=start)
