"""What the commands that run experiments share: extras, provenance, figures and reports."""

from __future__ import annotations

import json
import platform
from collections.abc import Callable, Iterable, Mapping
from importlib.metadata import version
from pathlib import Path
from typing import TYPE_CHECKING, Any

from rich.table import Table

from loopwright import __version__
from loopwright.cli.output import output
from loopwright.model.files import require_writable, write_whole

if TYPE_CHECKING:
    from matplotlib.figure import Figure

LIBRARIES = ("torch", "numpy", "python-flint", "matplotlib")


def provenance(**settings: Any) -> dict[str, Any]:
    """What is needed to get the same numbers again."""
    versions = {"loopwright": __version__, "python": platform.python_version()}
    return {
        "settings": settings,
        "versions": versions | {name: version(name) for name in LIBRARIES},
    }


def make_folder(out: Path | None) -> None:
    """Make the folder for figures, if one is wanted, and see now whether it can be written to.

    Raises:
        OSError: naming it, if it cannot.
    """
    if out:
        out.mkdir(parents=True, exist_ok=True)
        require_writable(out / "report.json")


def present(
    name: str,
    report: Mapping[str, Any],
    tables: Iterable[Table],
    figures: Mapping[str, Callable[[], Figure]],
    *,
    out: Path | None,
    as_json: bool,
) -> None:
    """Write the report as NAME.json and the figures to a folder, if there is one; and print it."""
    written: list[str] = []
    if out:
        from loopwright.lab.experiments.plots import save

        text = json.dumps(report, ensure_ascii=False, indent=1) + "\n"
        write_whole(out / f"{name}.json", lambda file: file.write(text.encode()))
        files = [path.name for stem, draw in figures.items() for path in save(draw(), out, stem)]
        written = [f"Written to {out}: {', '.join([f'{name}.json', *files])}."]
    output(report, [*tables, *written], as_json=as_json)
