"""`loopwright circuits`: a model with its circuit as a folder; and the benchmark of methods."""

from __future__ import annotations

from pathlib import Path
from typing import Annotated, Literal

import typer

from loopwright.algorithms import ALGORITHMS
from loopwright.cli import options
from loopwright.cli.algorithm import find_algorithm
from loopwright.cli.experiment import make_folder
from loopwright.cli.output import output, table
from loopwright.cli.progress import tracked
from loopwright.errors import needing
from loopwright.language.program import Program

BENCH = "bench"
Styles = Literal["plain", "distractors", "mixed", "full"]


def circuits(
    algorithm: Annotated[
        str,
        typer.Argument(
            metavar="ALGORITHM", help=f"{options.NAMES} Or 'bench', for the benchmark of methods."
        ),
    ],
    out: Annotated[Path, typer.Option("--out", metavar="DIR", help="Where to write folders.")],
    construction: options.Construction = None,
    disguise: Annotated[
        Styles,
        typer.Option(help="What hides the circuit; 'full' is distractors, units, basis, noise."),
    ] = "plain",
    seed: options.Seed = 0,
    smoke: options.Smoke = False,
    as_json: options.AsJson = False,
) -> None:
    """Write a model with its circuit, or test methods on such.

    A folder has config.json, model.safetensors, a model card, the circuit in the form of MIB, and
    pairs of graphs, clean and corrupted. With 'bench' in the place of ALGORITHM: ten such tasks,
    five methods that look for circuits, and how well each did (docs/circuits.md). What is there
    already is not done again.

    For example: loopwright circuits dijkstra --out dijkstra-circuit
    """
    with needing("circuits"):
        from loopwright.circuits.bench.folder import write_task
        from loopwright.circuits.bench.tasks import make_task
    make_folder(out)
    if algorithm == BENCH:
        _bench(out, seed=seed, smoke=smoke, as_json=as_json)
        return
    chosen = find_algorithm(algorithm)
    program = chosen.program(construction)

    def written(name: str, construction: str) -> Program:
        return program

    with chosen.blamed():
        which = (program.name, program.construction, disguise)
        task = make_task(written, which, seed=seed, smoke=smoke)
        write_task(out, task)
    report = {
        "folder": str(out),
        "task": task.name,
        "edges": task.circuit.possible,
        "inside": len(task.circuit.inside),
        "redundant": len(task.redundant),
        "graphs": 2 * len(task.examples),
    }
    said = (
        f"{task.name}: {report['inside']} of {report['edges']} edges are in the circuit, "
        f"{report['redundant']} of which change no answer alone on {report['graphs']} graphs. "
        f"Written to {out}."
    )
    output(report, [said], as_json=as_json)


def _bench(out: Path, *, seed: int, smoke: bool, as_json: bool) -> None:
    from loopwright.circuits.bench.draw import draw
    from loopwright.circuits.bench.folder import write_json
    from loopwright.circuits.bench.run import cell, markdown, run_bench
    from loopwright.circuits.bench.tasks import TASKS

    def program(name: str, construction: str) -> Program:
        return ALGORITHMS[name](construction)

    count = 1 if smoke else len(TASKS)
    rows = list(tracked(run_bench(program, out, seed=seed, smoke=smoke), "circuits", count))
    write_json(out / "circuits.json", rows)
    (out / "circuits.md").write_text(markdown(rows) + "\n", encoding="utf-8")
    draw(rows, out / "circuits.png")
    methods = list(rows[0]["methods"])
    found = table(
        ("task", "matter", *methods),
        (
            (row["task"], row["matter"], *(cell(row["methods"][name]) for name in methods))
            for row in rows
        ),
        title="AUROC over edges, share of those that matter found, faithfulness",
    )
    output(
        rows,
        [found, f"Written to {out}: circuits.json, circuits.md, circuits.png."],
        as_json=as_json,
    )
