"""How long a command takes from its start to its end, beside imports that people know."""

from __future__ import annotations

import os
import subprocess
import sys
import tempfile
import time
from collections.abc import Mapping
from pathlib import Path

EDGES = "a b 3\nb c 1.5\na c 10\n"
"""A small edge list to run on."""

ASKED: Mapping[str, tuple[str, float]] = {
    "--version": ("import typer, rich.console", 1.5),
    "--help": ("import typer, rich.console", 1.5),
    "import loopwright": ("import numpy", 2.0),
    "import loopwright; loopwright.Graph": ("import numpy", 2.0),
    "run dijkstra": ("import numpy", 5.0),
}
"""What is started → what it is compared with, and how many times as long it may take."""


def measure_startup(repeats: int = 7) -> dict[str, float]:
    """What is started → seconds until it has ended: the shortest of several, taken in turns, so
    that all of them meet the same disturbances. The first turn fills caches, of bytecode and of
    machine code, and does not count."""
    with tempfile.TemporaryDirectory() as folder:
        file = Path(folder) / "edges.txt"
        file.write_text(EDGES, encoding="utf-8")
        command = [sys.executable, "-m", "loopwright"]
        started = {
            "import numpy": [sys.executable, "-c", "import numpy"],
            "import typer, rich.console": [sys.executable, "-c", "import typer, rich.console"],
            "--version": [*command, "--version"],
            "--help": [*command, "--help"],
            "import loopwright": [sys.executable, "-c", "import loopwright"],
            "import loopwright; loopwright.Graph": [
                sys.executable,
                "-c",
                "import loopwright; loopwright.Graph",
            ],
            "run dijkstra": [*command, "run", "dijkstra", str(file), "--source", "a"],
        }
        environment = os.environ | {
            "LOOPWRIGHT_CACHE": str(Path(folder) / "cache"),
            "PYTHONPYCACHEPREFIX": str(Path(folder) / "bytecode"),
        }
        environment.pop("PYTHONDONTWRITEBYTECODE", None)
        best = dict.fromkeys(started, float("inf"))
        for turn in range(repeats + 1):
            for name, words in started.items():
                begin = time.perf_counter()
                subprocess.run(words, check=True, capture_output=True, env=environment)
                took = time.perf_counter() - begin
                best[name] = min(best[name], took) if turn else best[name]
    return best


def ratios(seconds: Mapping[str, float]) -> dict[str, float]:
    """How many times as long as what it is compared with each of them takes."""
    return {name: seconds[name] / seconds[other] for name, (other, _) in ASKED.items()}
