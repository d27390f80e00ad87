"""`loopwright bench`: machines and libraries on the same graphs, in one run."""

from __future__ import annotations

import json
from collections.abc import Iterator
from pathlib import Path
from typing import Annotated, Any

import typer
from rich.console import Console

from loopwright.cli import options
from loopwright.cli.algorithm import Chosen, find_algorithm
from loopwright.cli.find import build
from loopwright.cli.output import output, table
from loopwright.cli.writes import require_output
from loopwright.errors import LoopwrightError, brief, needing
from loopwright.lab.bench import named
from loopwright.lab.bench.measure import SIZES, measure
from loopwright.lab.bench.named import measure_named, rows_of_named
from loopwright.lab.bench.report import HEADS, headline, rows
from loopwright.model.files import write_whole
from loopwright.model.weights import Weights
from loopwright.runtime.readers.caps import MOST_NODES


def bench(
    algorithms: options.Algorithms = None,
    sizes: Annotated[
        str, typer.Option(metavar="N,N,…", help="How many nodes the graphs have.")
    ] = ",".join(map(str, SIZES)),
    patience: Annotated[
        float, typer.Option(metavar="SECONDS", min=0, help="Skip what would take longer.")
    ] = 40.0,
    save: Annotated[
        Path | None, typer.Option(metavar="FILE", help="Write the measurements as JSON, too.")
    ] = None,
    picture: Annotated[
        Path | None,
        typer.Option(metavar="FILE", help="Draw nodes against time, as PNG or SVG."),
    ] = None,
    as_json: options.AsJson = False,
) -> None:
    """Measure how long runs take, beside other libraries.

    Whole calls, from a networkx graph to an answer with labels; the loop alone is beside them. The
    machines native, reference and torch; NetworkX, SciPy and, if it is there, rustworkx. Of
    algorithms that are named, your own among them, only machines are measured.

    For example: loopwright bench --sizes 16,64

    Your own: loopwright bench hops.py:hops --sizes 16,64
    """
    wanted = _sizes(sizes)
    if save:
        require_output(save, *(algorithms or []))
    if picture:
        if algorithms:
            raise LoopwrightError(
                "--picture: drawn are machines beside libraries, and of algorithms that are named "
                "only machines are measured: leave out one of them."
            )
        with needing("--picture"):
            from loopwright.lab.sweep.draw import require_drawable
        require_drawable(picture)
    models = [model for name in algorithms or [] for model in _models(find_algorithm(name))]
    with Console(stderr=True).status("measuring") as status:
        asked: Any = {"sizes": wanted, "patience": patience, "report": status.update}
        results = measure_named(models, **asked) if models else measure(**asked)
    if save:
        text = json.dumps(results, indent=1) + "\n"
        write_whole(save, lambda file: file.write(text.encode()))
    if models:
        shown = [table(named.HEADS, rows_of_named(results), title="one run")]
    else:
        shown = [table(HEADS, rows(results), title="whole calls"), *headline(results)]
        if picture:
            with needing("--picture"):
                from loopwright.lab.bench.draw import draw
            draw(results, picture)
    output(results, shown, as_json=as_json)


def _models(chosen: Chosen) -> Iterator[Weights]:
    """The saved model, or one for each construction."""
    if chosen.saved:
        yield chosen.saved
        return
    for construction in chosen.algorithm.constructions:
        yield build(chosen, construction, None, None, "native")


def _sizes(text: str) -> tuple[int, ...]:
    """Numbers of nodes with commas between them."""
    try:
        sizes = tuple(map(int, text.split(",")))
    except ValueError:
        sizes = ()
    if not sizes or min(sizes) < 1 or max(sizes) > MOST_NODES:
        raise LoopwrightError(
            f"--sizes {brief(text)}: expected numbers from 1 to {MOST_NODES:,} with commas, as "
            "16,64."
        )
    return sizes
