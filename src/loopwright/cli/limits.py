"""`loopwright limits`: where an algorithm really breaks, beside where the certificate stops."""

from __future__ import annotations

from dataclasses import asdict
from pathlib import Path
from typing import Annotated

import typer
from rich.console import Console
from rich.table import Table

from loopwright.cli import options
from loopwright.cli.experiment import needing
from loopwright.cli.output import output, table
from loopwright.errors import FailedCheck, require_known
from loopwright.lab.sweep.axes import SWEPT, Axis, Subject


def limits(
    algorithm: Annotated[
        str, typer.Argument(metavar="ALGORITHM", help=f"One of: {', '.join(SWEPT)}.")
    ],
    construction: options.Construction = None,
    picture: Annotated[
        Path | None, typer.Option(metavar="FILE", help="Draw both borders, as PNG or SVG.")
    ] = None,
    axis: Annotated[
        list[str] | None,
        typer.Option(
            metavar="NAME",
            help="Only this limit (may be repeated): positions, omega or temperature; resolution "
            "or precision where an algorithm reads weights.",
        ),
    ] = None,
    as_json: options.AsJson = False,
) -> None:
    """Drive an algorithm against its limits until it breaks.

    Exits with 1 if a run came out wrong that the certificate had allowed.

    For example: loopwright limits dijkstra --picture borders.png
    """
    require_known("sweep for", algorithm, SWEPT)
    subject = Subject(algorithm, construction)
    makers = subject.axes()
    for name in axis or []:
        require_known("axis", name, makers, of=algorithm)
    if picture:
        with needing("--picture"):
            from loopwright.lab.sweep.draw import require_drawable
        require_drawable(picture)
    found: list[Axis] = []
    with Console(stderr=True).status("running") as status:
        for name in axis or makers:
            status.update(f"{algorithm} against its {name}")
            found.append(makers[name](subject))
    construction = subject.program.construction
    title = f"{algorithm} ({construction})"
    if picture:
        with needing("--picture"):
            from loopwright.lab.sweep.draw import draw
        draw(title, found, picture)
    report = {
        "algorithm": algorithm,
        "construction": construction,
        "axes": [asdict(each) for each in found],
    }
    output(report, [_table(found, title)], as_json=as_json)
    wrong = sum(point.wrong for each in found for point in each.points)
    if wrong:
        raise FailedCheck(f"{wrong} runs came out wrong that the certificate had allowed.")


def _table(axes: list[Axis], title: str) -> Table:
    return table(
        ("limit", "value", "what grows", "guaranteed to", "right to", "ratio", "wrong"),
        (
            (
                axis.name,
                f"{axis.limit} = {point.limit:.4g}",
                axis.hardness,
                f"{point.allowed:.4g}",
                f"{point.measured:.4g}",
                f"{point.measured / point.allowed:.2f}",
                f"{point.wrong} of {point.tried}",
            )
            for axis in axes
            for point in axis.points
        ),
        title=title,
    )
