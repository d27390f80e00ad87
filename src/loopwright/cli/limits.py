"""`loopwright limits`: where an algorithm really breaks, beside where the certificate stops."""

from __future__ import annotations

from contextlib import ExitStack
from dataclasses import asdict
from functools import partial
from pathlib import Path
from typing import Annotated

import typer
from rich.console import Console
from rich.table import Table

from loopwright.cli import options
from loopwright.cli.algorithm import Chosen, find_algorithm
from loopwright.cli.output import output, table
from loopwright.errors import FailedCheck, LoopwrightError, needing, require_known
from loopwright.lab.sweep.axes import SWEPT, Axis, axes_of
from loopwright.lab.sweep.subject import NothingGuaranteed, Subject
from loopwright.runtime.workers import working


def limits(
    algorithm: Annotated[
        str,
        typer.Argument(metavar="ALGORITHM", help=f"One of: {', '.join(SWEPT)}; {options.OWN_TOO}"),
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
    cluster: options.Cluster = None,
    as_json: options.AsJson = False,
) -> None:
    """Drive an algorithm against its limits until it breaks.

    Exits with 1 if a run came out wrong that the certificate had allowed. What is right, NetworkX
    says of the package's algorithms, and of your own the program's meaning.

    For example: loopwright limits dijkstra --picture borders.png
    """
    subject = _subject(find_algorithm(algorithm), construction)
    named = subject.program.name
    makers = axes_of(subject)
    for name in axis or []:
        require_known("axis", name, makers, of=named)
    if picture:
        with needing("--picture"):
            from loopwright.lab.sweep.draw import require_drawable
        require_drawable(picture)
    found: list[Axis] = []
    left_out: dict[str, str] = {}
    with ExitStack() as stack:
        status = stack.enter_context(Console(stderr=True).status("running"))
        names = list(axis or makers)
        results = map(partial(_driven, subject), names)
        if cluster is not None:
            pool = stack.enter_context(working(cluster, None))
            results = pool.in_order(partial(_driven, subject), names)
        for name in names:
            status.update(f"{named} against its {name}")
            result = next(results)
            if isinstance(result, str):
                left_out[name] = result
            else:
                found.append(result)
    if not found:
        raise LoopwrightError(f"'{named}' cannot be driven: {next(iter(left_out.values()))}")
    construction = subject.program.construction
    title = f"{named} ({construction})"
    if picture:
        with needing("--picture"):
            from loopwright.lab.sweep.draw import draw
        draw(title, found, picture)
    report = {
        "algorithm": named,
        "construction": construction,
        "axes": [asdict(each) for each in found],
    }
    report |= {"left_out": left_out} if left_out else {}
    reasons = (f"Left out, {name}: {reason}" for name, reason in left_out.items())
    output(report, [_table(found, title), *reasons], as_json=as_json)
    wrong = sum(point.wrong for each in found for point in each.points)
    if wrong:
        raise FailedCheck(f"{wrong} runs came out wrong that the certificate had allowed.")


def _driven(subject: Subject, name: str) -> Axis | str:
    """An axis, or why there is none; a worker of a cluster does this, too."""
    try:
        return axes_of(subject)[name](subject)
    except NothingGuaranteed as problem:
        return str(problem)


def _subject(chosen: Chosen, construction: str | None) -> Subject:
    """A sweep compiles for many limits: of a saved model, the program that is stored in it."""
    if chosen.is_ours:
        require_known("sweep for", chosen.algorithm.name, SWEPT)
        return Subject.ours(chosen.algorithm.name, construction)
    program = chosen.program(construction)
    if not program.bound:
        raise LoopwrightError(f"'{program.name}' has no bound of its own: it cannot be driven.")
    return Subject(program)


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
