"""`loopwright export`: a model in the forms that other tools take."""

from __future__ import annotations

from pathlib import Path
from typing import Annotated

import numpy as np
import typer

from loopwright.cli import options
from loopwright.cli.algorithm import find_algorithm
from loopwright.cli.find import build
from loopwright.cli.output import output
from loopwright.cli.writes import require_output
from loopwright.errors import FailedCheck, LoopwrightError
from loopwright.lab.experiments.graphs import Shape, random_graph, random_source
from loopwright.model.limits import Limits
from loopwright.model.weights import Weights
from loopwright.runtime.encode import encode
from loopwright.runtime.hub import save_pretrained


def export(
    algorithm: options.Algorithm,
    onnx: Annotated[
        Path | None,
        typer.Option("--onnx", metavar="FILE", help="An ONNX graph with the loop inside, float64."),
    ] = None,
    folder: Annotated[
        Path | None,
        typer.Option("--hub", metavar="DIR", help="A folder as Hugging Face's Hub takes it."),
    ] = None,
    trials: Annotated[
        int,
        typer.Option(
            "--check",
            metavar="N",
            min=0,
            help="Random graphs on which ONNX Runtime must agree with the reference machine.",
        ),
    ] = 0,
    construction: options.Construction = None,
    attention: options.Attention = None,
    limits: options.FixedLimits = None,
    seed: options.Seed = 0,
    as_json: options.AsJson = False,
) -> None:
    """Write a model in the forms that other tools take.

    For example: loopwright export dijkstra --onnx dijkstra.onnx --check 100
    """
    if onnx is None and folder is None:
        raise LoopwrightError("export as what? Say --onnx FILE, or --hub DIR.")
    if onnx is not None:
        require_output(onnx, algorithm)
    named = {None: None, "default": Limits(), "paper": Limits.paper()}
    model = build(find_algorithm(algorithm), construction, named[limits], attention, "reference")
    report: dict[str, object] = {"algorithm": model.name, "construction": model.construction}
    lines = list[str]()
    if folder is not None:
        save_pretrained(model, folder)
        report["hub"] = str(folder)
        lines.append(f"{folder}: {model.name} ({model.construction}, {model.attention}).")
    if onnx is not None:
        from loopwright.bridges.onnx.write import export_onnx

        export_onnx(model, onnx)
        report["onnx"] = str(onnx)
        lines.append(f"{onnx}: {model.name} ({model.construction}, {model.attention}) in float64.")
        if trials:
            worst = compared(model, onnx, trials, seed)
            report |= {"graphs": trials, "largest_difference": worst}
            lines.append(
                f"ONNX Runtime on {trials} random graphs: the largest difference is {worst:g}."
            )
            if worst:
                raise FailedCheck(f"{onnx} differs from the reference machine by {worst:g}.")
    output(report, lines, as_json=as_json)


def compared(model: Weights, path: Path, trials: int, seed: int) -> float:
    """The largest difference of any cell on random graphs."""
    from loopwright.bridges.onnx.compare import OnnxLoop, largest_difference

    loop, worst = OnnxLoop(path), 0.0
    shapes: tuple[Shape, ...] = (*model.needs, "directed")
    for trial in range(trials):
        rng = np.random.default_rng([seed, trial])
        graph = random_graph(int(rng.integers(1, 13)), rng, shape=shapes[0])
        problem = encode(model, graph, source=random_source(model, graph, rng))
        worst = max(worst, largest_difference(model, loop, problem))
    return worst
