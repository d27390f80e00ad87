"""`loopwright traces`: every layer's inputs and outputs, as data to train on."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import asdict
from pathlib import Path
from typing import Annotated

import numpy as np
import typer

from loopwright.cli.experiment import (
    Seed,
)
from loopwright.cli.options import (
    AlgorithmName,
    AsJson,
    Attention,
    Construction,
    Inputs,
    MachineName,
    check_attention,
    find_inputs,
    find_program,
    print_json,
)
from loopwright.cli.progress import progress_bar
from loopwright.compiler.compile import compile
from loopwright.errors import LoopwrightError
from loopwright.lab.experiments.graphs import SHAPES, Shape, random_graph, random_source
from loopwright.lab.experiments.traces import SHARD_ROWS, SUFFIXES, Example, Suffix, write_traces
from loopwright.model.limits import Limits
from loopwright.model.weights import Weights
from loopwright.runtime.graph import Graph

LIMITS = {"default": Limits, "paper": Limits.paper}
"""One model for all graphs, so none that fits a single one."""


def traces(
    algorithm: AlgorithmName,
    graphs: Annotated[
        list[str] | None, typer.Argument(metavar="[GRAPH]...", help="Files, as for `run`.")
    ] = None,
    out: Annotated[Path, typer.Option("--out", metavar="DIR", help="A new folder.")] = ...,  # type: ignore[assignment]  # required
    source: Annotated[
        str | None, typer.Option(metavar="LABEL", help="Node to start from, in every file.")
    ] = None,
    undirected: Annotated[
        bool, typer.Option("--undirected", help="Take each edge of a file in both directions.")
    ] = False,
    random: Annotated[int, typer.Option(metavar="N", min=0, help="Random graphs to add.")] = 0,
    nodes: Annotated[int, typer.Option(metavar="N", min=1, help="Nodes of each of them.")] = 16,
    shape: Annotated[
        str, typer.Option(metavar="NAME", help="Their edges: directed, undirected or acyclic.")
    ] = "directed",
    density: Annotated[
        float, typer.Option(metavar="P", min=0, max=1, help="The probability of an edge.")
    ] = 0.5,
    seed: Seed = 0,
    construction: Construction = None,
    attention: Attention = "hardmax",
    machine: MachineName = "reference",
    limits: Annotated[
        str, typer.Option(metavar="NAME", help="What the weights are built for: default, paper.")
    ] = "default",
    given: Inputs = None,
    file_format: Annotated[
        str, typer.Option("--format", metavar="NAME", help="'npz', or 'parquet' (pyarrow).")
    ] = "npz",
    shard_rows: Annotated[
        int, typer.Option(metavar="N", min=1, help="The most rows of X in a shard.")
    ] = SHARD_ROWS,
    as_json: AsJson = False,
) -> None:
    """Write the inputs and outputs of every layer and iteration, column by name, in shards.

    For example: loopwright traces bfs --random 100 --nodes 16 --seed 1 --out bfs-traces
    """
    program = find_program(algorithm, construction)
    if limits not in LIMITS:
        raise LoopwrightError(f"no limits '{limits}'; there are: {', '.join(LIMITS)}.")
    if not graphs and not random:
        raise LoopwrightError("traces of what? Name graph files, or ask for --random N.")
    model = compile(program, limits=LIMITS[limits](), attention=check_attention(attention))
    inputs = find_inputs(model, given or [])
    shape_of, suffix = _shape(shape), _suffix(file_format)

    def examples() -> Iterator[Example]:
        for path in graphs or []:
            read = Graph.of(path)
            yield Example(path, read.undirected() if undirected else read, source)
        yield from _random(model, random, nodes, shape_of, density, seed)

    with progress_bar("traces", len(graphs or []) + random) as (bar, line):
        written = write_traces(
            model,
            examples(),
            out,
            machine=machine,
            inputs=inputs,
            shard_rows=shard_rows,
            suffix=suffix,
            progress=lambda: bar.advance(line),
        )
    if as_json:
        print_json({"folder": str(out), "algorithm": model.name, **asdict(written)})
    else:
        print(
            f"{out}: {written.records} records of {written.graphs} graphs, {written.rows} rows "
            f"of {model.width} columns, in {written.shards} shards."
        )


def _random(
    model: Weights, count: int, nodes: int, shape: Shape, density: float, seed: int
) -> Iterator[Example]:
    """One after the other; the i-th does not depend on how many there are."""
    for i in range(count):
        rng = np.random.default_rng([seed, i])
        graph = random_graph(nodes, rng, shape=shape, density=density)
        yield Example(f"random {seed}/{i}", graph, random_source(model, graph, rng))


def _shape(name: str) -> Shape:
    for known in SHAPES:
        if name == known:
            return known
    raise LoopwrightError(f"no shape '{name}'; there are: {', '.join(SHAPES)}.")


def _suffix(name: str) -> Suffix:
    for known in SUFFIXES:
        if name == known:
            return known
    raise LoopwrightError(f"no format '{name}'; there are: {', '.join(SUFFIXES)}.")
