"""`loopwright bench`: machines and libraries on the same graphs, in one run."""

from __future__ import annotations

import json
from pathlib import Path
from typing import Annotated

import typer
from rich.console import Console

from loopwright.cli.options import AsJson, print_json
from loopwright.errors import LoopwrightError
from loopwright.lab.bench.measure import SIZES, measure
from loopwright.lab.bench.report import headline, table


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
    as_json: AsJson = False,
) -> None:
    """Measure how long a run takes: reference, torch and native, NetworkX, SciPy, rustworkx.

    For example: loopwright bench --sizes 16,64
    """
    try:
        wanted = tuple(int(size) for size in sizes.split(","))
    except ValueError:
        raise LoopwrightError(f"--sizes {sizes}: expected numbers with commas, as 16,64.") from None
    if min(wanted) < 1:
        raise LoopwrightError(f"--sizes {sizes}: a graph has at least 1 node.")
    console = Console(stderr=True)
    with console.status("measuring") as status:
        results = measure(sizes=wanted, patience=patience, report=status.update)
    if save:
        save.write_text(json.dumps(results, indent=1) + "\n", encoding="utf-8")
    if as_json:
        print_json(results)
        return
    Console().print(table(results))
    for sentence in headline(results):
        print(sentence)
