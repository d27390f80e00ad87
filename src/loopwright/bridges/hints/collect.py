"""Graphs → samples: inputs, hints and outputs of a run, with what they are."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

import numpy as np
from numpy.typing import NDArray

from loopwright.bridges.hints.probes import Location, Sample, Spec, Type, adjacency
from loopwright.bridges.hints.record import Recorder
from loopwright.bridges.hints.tasks import task_of
from loopwright.errors import LoopwrightError
from loopwright.model.layout import Kind, Scope
from loopwright.model.weights import Weights
from loopwright.runtime.decode import Answer
from loopwright.runtime.graph import Graph, Label
from loopwright.runtime.machines import is_exact
from loopwright.runtime.run import run

TYPES: dict[Kind, Type] = {
    Kind.FLAG: "mask",
    Kind.INDEX: "pointer",
    Kind.COUNT: "scalar",
    Kind.VALUE: "scalar",
    Kind.SQUARE: "scalar",
}
OUTPUTS = {"prev": "pi", "component": "scc_id", "next": "topo", "head": "topo_head"}
"""Our name of an output → the benchmark's."""


def sample_of(
    model: Weights,
    graph: Graph,
    *,
    name: str = "",
    source: Label | None = None,
    inputs: Mapping[str, Any] | None = None,
    machine: str = "native",
) -> Sample:
    """Run a model, and keep what the benchmark would.

    Raises:
        LoopwrightError: if the graph cannot be run, or if the machine's numbers are no floats.
    """
    if is_exact(machine):
        raise LoopwrightError("hints are floats, the exact machine's numbers are not: use another.")
    recorder = Recorder()
    answer = run(
        model, graph, source=source, machine=machine, observers=[recorder], **(inputs or {})
    )
    probes, specs = inputs_of(graph, recorder)
    for found, what in (hints_of(model, recorder), outputs_of(model, answer)):
        if "s" in found and "s" in probes:  # the source; in the benchmark's dfs, a root
            probes["start"], specs["start"] = probes["s"], specs["s"]
        probes |= found
        specs |= what
    ends = np.stack([graph.tails, graph.heads])
    return Sample(name, graph.n, ends, graph.floats, probes, specs)


Found = tuple[dict[str, NDArray[Any]], dict[str, Spec]]


def inputs_of(graph: Graph, recorder: Recorder) -> Found:
    """The benchmark's: places of nodes, the weights, which edges there are (each node has one to
    itself), and the source."""
    n = graph.n
    weights, edges = np.zeros((n, n)), adjacency(graph)
    weights[graph.tails, graph.heads] = graph.floats
    probes: dict[str, NDArray[Any]] = {"pos": np.arange(n) / n, "A": weights, "adj": edges}
    specs = {
        "pos": Spec("input", "node", "scalar"),
        "A": Spec("input", "edge", "scalar"),
        "adj": Spec("input", "edge", "mask"),
    }
    if recorder.source is not None:
        probes["s"] = (np.arange(n) == recorder.source - 1).astype(int)
        specs["s"] = Spec("input", "node", "mask_one")
    return probes, specs


def hints_of(model: Weights, recorder: Recorder) -> Found:
    """The benchmark's, where a run has them; else every variable of the program."""
    if task := task_of(model):
        found = task.find(recorder)
        return {name: found[name] for name in task.specs}, dict(task.specs)
    probes, specs = dict[str, NDArray[Any]](), dict[str, Spec]()
    for name, one in recorder.variables.items():
        where: Location = "graph" if one.scope is Scope.SINGLE else "node"
        probes[f"{name}_h"] = recorder[name]
        specs[f"{name}_h"] = Spec("hint", where, TYPES[one.kind])
    return probes, specs


def outputs_of(model: Weights, answer: Answer) -> Found:
    """What the run answers, by the benchmark's names where it has some."""
    probes, specs = dict[str, NDArray[Any]](), dict[str, Spec]()
    task = task_of(model)
    answers = task.answers if task else ()
    for name, variable in model.layout.outputs.items():
        if answers and name not in answers:
            continue
        called = OUTPUTS.get(name, name)
        probes[called] = answer.array(name)
        specs[called] = Spec("output", "node", TYPES[model.layout[variable].kind])
    return probes, specs
