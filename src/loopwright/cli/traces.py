"""`loopwright traces`: every layer's inputs and outputs, as data to train on."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import asdict, replace
from pathlib import Path
from typing import Annotated, Literal

import numpy as np
import typer

from loopwright.bridges.hints.programs import BY_EVENTS, CONSTRUCTION
from loopwright.bridges.hints.salsa import Recipe, salsa_graph
from loopwright.bridges.hints.write import write_hints
from loopwright.cli import options
from loopwright.cli.algorithm import find_algorithm
from loopwright.cli.find import build, find_graph, find_inputs
from loopwright.cli.output import output
from loopwright.cli.progress import tracked
from loopwright.errors import LoopwrightError
from loopwright.lab.experiments.graphs import Shape, random_source
from loopwright.lab.experiments.recorded import Example, Share
from loopwright.lab.experiments.traces import (
    SHARD_ROWS,
    random_examples,
    write_share,
    write_traces,
)
from loopwright.model.limits import Limits
from loopwright.model.weights import Weights


def traces(
    algorithm: options.Algorithm,
    graphs: Annotated[
        list[str] | None, typer.Argument(metavar="GRAPH", help="Files, as for `run`.")
    ] = None,
    out: Annotated[
        Path, typer.Option("--out", metavar="DIR", help="A new folder, or a half-written one.")
    ] = ...,  # type: ignore[assignment]  # required
    source: Annotated[
        str | None, typer.Option(metavar="LABEL", help="Node to start from, in every file.")
    ] = None,
    undirected: options.Undirected = False,
    random: Annotated[int, typer.Option(metavar="N", min=0, help="Random graphs to add.")] = 0,
    nodes: Annotated[int, typer.Option(metavar="N", min=1, help="Nodes of each of them.")] = 16,
    shape: Annotated[
        Shape | None,
        typer.Option(help="What they are; if not given, what the algorithm needs, or directed."),
    ] = None,
    density: Annotated[
        float, typer.Option(metavar="P", min=0, max=1, help="The probability of an edge.")
    ] = 0.5,
    seed: options.Seed = 0,
    construction: options.Construction = None,
    attention: options.Attention = None,
    machine: options.Machine = "reference",
    limits: options.FixedLimits = None,
    given: options.Inputs = None,
    suffix: Annotated[
        Literal["npz", "parquet", "clrs", "pyg"],
        typer.Option(
            "--format",
            help="Shards of layers (npz; parquet needs pyarrow), or hints: in the layout of CLRS, "
            "or for PyG.",
        ),
    ] = "npz",
    recipe: Annotated[
        Recipe | None,
        typer.Option("--salsa", help="Random graphs as SALSA-CLRS draws them: sparse, undirected."),
    ] = None,
    shard_rows: Annotated[
        int, typer.Option(metavar="N", min=1, help="The most rows of X in a shard.")
    ] = SHARD_ROWS,
    cluster: options.Cluster = None,
    shard: options.ShareOf = None,
    as_json: options.AsJson = False,
) -> None:
    """Write what layers take and make, or hints, to train on.

    Layers are those of every iteration, column by name, in shards. Hints are what the benchmark
    CLRS would note, for its tasks; of other algorithms, and of constructions that are named, every
    variable after every iteration.

    For example: loopwright traces bfs --random 100 --nodes 16 --seed 1 --out bfs-traces
    """
    files = graphs or []
    if not files and not random:
        raise LoopwrightError("traces of what? Name graph files, or ask for --random N.")
    share = find_share(shard, suffix, cluster)
    found = find_algorithm(algorithm)
    many = random and nodes > Limits().nodes and not found.saved
    fitting = Limits(nodes=nodes) if many else None
    named = {None: fitting, "default": Limits(), "paper": Limits.paper()}
    if suffix in ("clrs", "pyg") and construction in (None, CONSTRUCTION) and found.is_ours:
        found = replace(found, algorithm=BY_EVENTS.get(found.algorithm.name, found.algorithm))
    model = build(found, construction, named[limits], attention, machine)
    inputs = find_inputs(model, given)
    shapes: tuple[Shape, ...] = (*model.needs, "directed")
    chosen = shape or shapes[0]

    def examples() -> Iterator[Example]:
        for path in files:
            yield Example(path, find_graph(path, undirected=undirected), source)
        if recipe is not None:
            yield from salsa_examples(model, recipe, random, nodes=nodes, seed=seed)
            return
        yield from random_examples(
            model, random, nodes=nodes, shape=chosen, density=density, seed=seed
        )

    if share:
        kept = write_share(
            model,
            tracked(examples(), "traces", len(files) + random),
            out,
            share,
            machine=machine,
            inputs=inputs,
            seed=seed,
        )
        said = f"{out}: {kept} runs of share {shard} are kept; without --shard, they become shards."
        output({"folder": str(out), "shard": shard, "runs": kept}, [said], as_json=as_json)
        return
    if suffix in ("clrs", "pyg"):
        runs = tracked(examples(), "hints", len(files) + random)
        told = write_hints(model, runs, out, form=suffix, machine=machine, inputs=inputs)
        output({"folder": str(out), **told}, [f"{out}: {told['text']}"], as_json=as_json)
        return
    written = write_traces(
        model,
        tracked(examples(), "traces", len(files) + random),
        out,
        machine=machine,
        inputs=inputs,
        shard_rows=shard_rows,
        suffix=suffix,
        cluster=cluster,
        asked={
            "graphs": files,
            "source": source,
            "undirected": undirected,
            "random": random,
            "nodes": nodes,
            "shape": shape,
            "density": density,
            "seed": seed,
            **({} if recipe is None else {"salsa": recipe}),
        },
    )
    sentence = (
        f"{out}: {model.name} ({model.construction}, {model.attention}): {written.records} "
        f"records of {written.graphs} graphs, {written.rows} rows of {model.width} columns, in "
        f"{written.shards} shards."
    )
    report = {
        "folder": str(out),
        "algorithm": model.name,
        "construction": model.construction,
        **asdict(written),
    }
    output(report, [sentence], as_json=as_json)


def find_share(shard: str | None, suffix: str, cluster: str | None) -> Share | None:
    """The share that is asked for, where nothing else is that would be ignored beside it.

    Raises:
        LoopwrightError: if it is no share, or if options are together of which one has no effect.
    """
    if cluster is not None and shard is not None:
        raise LoopwrightError(
            "--cluster and --shard: a share is run by this process alone: leave out one of them."
        )
    if suffix in ("clrs", "pyg") and not cluster is shard is None:
        option = "--shard" if cluster is None else "--cluster"
        raise LoopwrightError(
            f"{option} with --format {suffix}: hints are written by one process alone: leave it "
            "out, or choose --format npz or parquet."
        )
    return None if shard is None else Share.read(shard)


def salsa_examples(
    model: Weights, recipe: Recipe, count: int, *, nodes: int, seed: int
) -> Iterator[Example]:
    """One by one; the i-th does not depend on how many there are."""
    for i in range(count):
        rng = np.random.default_rng([seed, i])
        graph = salsa_graph(recipe, nodes, rng)
        yield Example(f"{recipe} {seed}/{i}", graph, random_source(model, graph, rng))
