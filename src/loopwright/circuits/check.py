"""A circuit, checked by intervention: which edges matter, and which are not needed alone."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import dataclass, field

import numpy as np

from loopwright.circuits.ablate import Outcome, run_ablated
from loopwright.circuits.circuit import Circuit, Edge, graph_edges
from loopwright.circuits.components import Port, readers_of, sources_of, unit_name
from loopwright.model.weights import Weights
from loopwright.runtime.encode import Problem

AT_ONCE = 256
"""Edges that are taken away side by side, each in a run of its own."""

EMPTY = "what it carries is 0 whenever it is read"
ABSORBED = "the reader does the same without it: a ReLU, or the choice of a head, absorbs it"
UNUSED = "the reader does something else, but not where anything that follows looks"


@dataclass
class Report:
    """What taking away every edge of a circuit, one at a time, did to the answers."""

    graphs: int
    inside: int = 0
    """Edges in the circuit without which some answer is another."""
    outside: int = 0
    """Edges outside of it that were tried, on every graph."""
    redundant: dict[str, str] = field(default_factory=dict[str, str])
    """Edge in the circuit without which every answer was the same → why."""
    wrong: list[str] = field(default_factory=list[str])
    """Edges outside of it without which some answer is another: there should be none."""


def check_circuit(
    model: Weights, circuit: Circuit, problems: Sequence[Problem], *, outside_on: int | None = None
) -> Report:
    """Take away every edge, and see whether an answer changes.

    An edge inside is tried on one graph after the other until one does. An edge outside is tried on
    all of them, or on the first `outside_on`.
    """
    report = Report(len(problems))
    left = list(circuit.inside.values())
    last: dict[str, Outcome] = {}
    others = list(outside_of(model, circuit))
    report.outside = len(others)
    for number, problem in enumerate(problems):
        most = most_iterations(model, problem)
        (plain,) = run_ablated(model, problem, [None], most)
        unchanged: list[Edge] = []
        for edge, outcome in ablated(model, problem, left, most):
            if outcome.answers_as(plain):
                unchanged.append(edge)
                last[edge.name] = merged(outcome, last.get(edge.name))
        left = unchanged
        if outside_on is None or number < outside_on:
            for edge, outcome in ablated(model, problem, others, most):
                if not outcome.answers_as(plain) or outcome.iterations != plain.iterations:
                    report.wrong.append(edge.name)
    report.redundant = {edge.name: reason(last[edge.name]) for edge in left}
    report.inside = len(circuit.inside) - len(left)
    report.wrong = sorted(set(report.wrong))
    return report


def outside_of(model: Weights, circuit: Circuit) -> Iterator[Edge]:
    """Every edge that is not in the circuit: all that is written, and all that is read."""
    if circuit.grain != "unit":
        yield from (edge for edge in circuit.edges.values() if not edge.in_graph)
        return
    pairs: list[tuple[str, str, Port]] = []
    readers = list(readers_of(model, "unit"))
    for source in sources_of(model, "unit"):
        for reader in readers:
            pairs.append((source.name, reader.name, reader.port))
    for edge in graph_edges(model, "head"):
        pairs.append((edge.source, edge.target, edge.port))
    for at, layer in enumerate(model.layers):
        counts = [np.count_nonzero(w.any(axis=0)) for w in layer.mlp[:3]]
        for level in (1, 2):
            for u in range(counts[level - 1]):
                for v in range(counts[level]):
                    pairs.append((unit_name(at, level, u), unit_name(at, level + 1, v), ""))
    for source, target, port in pairs:
        edge = Edge(source, target, port, (), (), False, False)
        if edge.name not in circuit.inside:
            yield edge


def ablated(
    model: Weights, problem: Problem, edges: Sequence[Edge], most: int
) -> Iterator[tuple[Edge, Outcome]]:
    for first in range(0, len(edges), AT_ONCE):
        some = edges[first : first + AT_ONCE]
        yield from zip(some, run_ablated(model, problem, some, most), strict=True)


def most_iterations(model: Weights, problem: Problem) -> int:
    """One more than the program's own bound: a run that takes longer does not halt."""
    return (model.max_iterations(problem.rows - 1) or 64) + 1


def merged(outcome: Outcome, before: Outcome | None) -> Outcome:
    """What was seen on this graph or on one before it."""
    if before is None:
        return outcome
    return Outcome(
        outcome.outputs,
        outcome.iterations,
        outcome.carried or before.carried,
        outcome.mattered or before.mattered,
    )


def reason(outcome: Outcome) -> str:
    if not outcome.carried:
        return EMPTY
    return UNUSED if outcome.mattered else ABSORBED
