"""`loopwright limits`: where an algorithm really breaks, beside where the certificate stops."""

from __future__ import annotations

from dataclasses import asdict
from pathlib import Path
from typing import Annotated

import typer
from rich.console import Console
from rich.table import Table

from loopwright.cli.options import AsJson, Construction, print_json
from loopwright.errors import FailedCheck, LoopwrightError
from loopwright.lab.sweep.axes import SWEPT, Axis, Subject
from loopwright.lab.sweep.draw import draw


def limits(
    algorithm: Annotated[
        str, typer.Argument(metavar="ALGORITHM", help=f"One of: {', '.join(SWEPT)}.")
    ],
    construction: Construction = None,
    picture: Annotated[
        Path | None, typer.Option(metavar="FILE", help="Draw both borders, as PNG or SVG.")
    ] = None,
    axis: Annotated[
        list[str] | None, typer.Option(metavar="NAME", help="Only this limit (may be repeated).")
    ] = None,
    as_json: AsJson = False,
) -> None:
    """Drive an algorithm against each of its limits until it breaks.

    Exits with 1 if a run came out wrong that the certificate had allowed. For example:
    loopwright limits dijkstra --picture borders.png
    """
    if algorithm not in SWEPT:
        raise LoopwrightError(f"no sweep for '{algorithm}'; there is for: {', '.join(SWEPT)}.")
    subject = Subject(algorithm, construction)
    makers = subject.axes()
    wanted = axis or list(makers)
    for name in wanted:
        if name not in makers:
            raise LoopwrightError(f"'{algorithm}' has no limit '{name}': {', '.join(makers)}.")
    found: list[Axis] = []
    with Console(stderr=True).status("running") as status:
        for name in wanted:
            status.update(f"{algorithm} against its {name}")
            found.append(makers[name](subject))
    if picture:
        draw(f"{algorithm} ({subject.program.construction})", found, picture)
    if as_json:
        print_json(
            {
                "algorithm": algorithm,
                "construction": subject.program.construction,
                "axes": [asdict(each) for each in found],
            }
        )
    else:
        Console().print(_table(found))
    wrong = sum(point.wrong for each in found for point in each.points)
    if wrong:
        raise FailedCheck(f"{wrong} runs came out wrong that the certificate had allowed.")


def _table(axes: list[Axis]) -> Table:
    heads = ("limit", "value", "what grows", "guaranteed to", "right to", "ratio", "wrong")
    table = Table(*heads)
    for axis in axes:
        for point in axis.points:
            table.add_row(
                axis.name,
                f"{axis.limit} = {point.limit:.4g}",
                axis.hardness,
                f"{point.allowed:.4g}",
                f"{point.measured:.4g}",
                f"{point.measured / point.allowed:.2f}",
                f"{point.wrong} of {point.tried}",
            )
    return table
