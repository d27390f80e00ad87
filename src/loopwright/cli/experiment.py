"""What the commands that run experiments share: extras, files with provenance."""

from __future__ import annotations

import json
import platform
from collections.abc import Generator
from contextlib import contextmanager
from importlib.metadata import PackageNotFoundError, version
from pathlib import Path
from typing import Annotated, Any

import typer

from loopwright import __version__
from loopwright.errors import LoopwrightError

EXTRAS = {"torch": "torch", "flint": "exact", "matplotlib": "plot", "pyarrow": "parquet"}
"""Module → the extra that installs it."""
LIBRARIES = ("torch", "numpy", "python-flint", "matplotlib")

OutputFolder = Annotated[
    Path | None,
    typer.Option("--out", metavar="DIR", help="Where to write figures (PNG, SVG) and JSON."),
]
Smoke = Annotated[
    bool, typer.Option("--smoke", help="A few points only: seconds, to see that it works.")
]
Seed = Annotated[int, typer.Option(metavar="N", min=0, help="Everything random follows from it.")]


@contextmanager
def needing(command: str) -> Generator[None]:
    """Say which extra to install where an import fails.

    Raises:
        LoopwrightError: in place of the ImportError.
    """
    try:
        yield
    except ImportError as problem:
        module = (problem.name or "").partition(".")[0]
        if module not in EXTRAS:
            raise
        raise LoopwrightError(
            f"{command} needs {module}: pip install 'loopwright[{EXTRAS[module]}]'."
        ) from None


def make_folder(path: Path) -> None:
    """Create it before the work starts, not after.

    Raises:
        LoopwrightError: if that is not possible.
    """
    try:
        path.mkdir(parents=True, exist_ok=True)
    except OSError as problem:
        raise LoopwrightError(f"--out {path}: {problem.strerror or problem}.") from None


def provenance(**settings: Any) -> dict[str, Any]:
    """What is needed to get the same numbers again."""
    versions = {"loopwright": __version__, "python": platform.python_version()}
    for name in LIBRARIES:
        try:
            versions[name] = version(name)
        except PackageNotFoundError:
            continue
    return {"settings": settings, "versions": versions}


def write_json(path: Path, report: dict[str, Any]) -> None:
    path.write_text(json.dumps(report, ensure_ascii=False, indent=1) + "\n", encoding="utf-8")
