"""`loopwright bench`: machines and libraries on the same graphs, in one run."""

from __future__ import annotations

import json
from pathlib import Path
from typing import Annotated

import typer
from rich.console import Console

from loopwright.cli import options
from loopwright.cli.output import output, table
from loopwright.errors import LoopwrightError, brief
from loopwright.lab.bench.measure import SIZES, measure
from loopwright.lab.bench.report import HEADS, headline, rows
from loopwright.model.files import require_writable, write_whole
from loopwright.runtime.readers.caps import MOST_NODES


def bench(
    sizes: Annotated[
        str, typer.Option(metavar="N,N,…", help="How many nodes the graphs have.")
    ] = ",".join(map(str, SIZES)),
    patience: Annotated[
        float, typer.Option(metavar="SECONDS", min=0, help="Skip what would take longer.")
    ] = 40.0,
    save: Annotated[
        Path | None, typer.Option(metavar="FILE", help="Write the measurements as JSON, too.")
    ] = None,
    as_json: options.AsJson = False,
) -> None:
    """Measure how long runs take, beside other libraries.

    The machines reference, torch and native; NetworkX, SciPy and, if it is there, rustworkx.

    For example: loopwright bench --sizes 16,64
    """
    wanted = _sizes(sizes)
    if save:
        require_writable(save)
    with Console(stderr=True).status("measuring") as status:
        results = measure(sizes=wanted, patience=patience, report=status.update)
    if save:
        text = json.dumps(results, indent=1) + "\n"
        write_whole(save, lambda file: file.write(text.encode()))
    shown = [table(HEADS, rows(results), title="one run of the loop"), *headline(results)]
    output(results, shown, as_json=as_json)


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
