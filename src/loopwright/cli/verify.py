"""`loopwright verify`: weights and program in lockstep, compared after every layer."""

from __future__ import annotations

from collections.abc import Iterator

from loopwright.cli import options
from loopwright.cli.algorithm import find_algorithm
from loopwright.cli.find import build_for, find_graph, find_inputs
from loopwright.cli.output import model_facts, output
from loopwright.cli.progress import BarIfLong
from loopwright.runtime.attributes import WEIGHT
from loopwright.runtime.run import run as run_model
from loopwright.watch.verify import Lockstep


def verify(
    algorithm: options.Algorithm,
    graph: options.GraphFile,
    source: options.Source = None,
    undirected: options.Undirected = False,
    weight: options.WeightAttribute = WEIGHT,
    construction: options.Construction = None,
    attention: options.Attention = None,
    machine: options.Machine = "reference",
    limits: options.Limits = "auto",
    given: options.Inputs = None,
    as_json: options.AsJson = False,
) -> None:
    """Check that weights do what their program says.

    Both run side by side, and are compared after every layer; exits with 1 at the first cell that
    differs, and names it.

    For example: loopwright verify hops.py:hops roads.txt --source Ulm
    """
    chosen = find_algorithm(algorithm)
    read = find_graph(graph, undirected=undirected, weight=weight)
    model, built_for = build_for(read, chosen, construction, limits, attention, machine)
    bar = BarIfLong(f"{model.name}, iterations", model.max_iterations(read.n) or 0)
    inputs = find_inputs(model, given)
    answer = run_model(
        model,
        read,
        source=source,
        machine=machine,
        observers=[Lockstep(), bar],
        **inputs,
    )
    variables, columns = len(model.layout.fields), model.width
    report = model_facts(model) | {
        "machine": machine,
        "limits": built_for,
        "nodes": read.n,
        "edges": read.edge_count,
        "iterations": answer.iterations,
        "variables": variables,
        "outputs": list(answer.result),
        "agrees": True,
    }

    def shown() -> Iterator[str]:
        yield (
            f"{model.name} ({model.construction}, {model.attention}) on {read.n} nodes, "
            f"{read.edge_count} edges, {machine} machine: weights and program agree."
        )
        yield (
            f"After each of {len(model.layers)} layers, in {answer.iterations} iterations: "
            f"{variables} variables in {read.n + 1} rows, and 0 in the rest of {columns} columns."
        )
        yield f"At the end: when to halt, and the answer ({', '.join(answer.result)})."

    output(report, shown(), as_json=as_json)
