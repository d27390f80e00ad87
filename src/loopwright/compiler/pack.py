"""Layers for programs of statements, and fewer layers for those that have some."""

from __future__ import annotations

from loopwright.compiler.build import build
from loopwright.compiler.emit import emit
from loopwright.compiler.flow import Flow, flow_of, roomy_constants
from loopwright.compiler.optimal import optimum
from loopwright.compiler.schedule import (
    Budget,
    Schedule,
    few_layers,
    heads_of,
    kinds,
    narrow_layers,
)
from loopwright.language.program import Program, require_program


def schedule(program: Program, *, optimal: bool = False) -> Program:
    """The layers of a program of statements: as few as there can be.

    `optimal`: then also as few heads as there can be with so few layers, which may take minutes.
    """
    return narrowest_of(flow_of(program), optimal=optimal)


def pack(program: Program, *, optimal: bool = False) -> Program:
    """The same program in fewer steps, with no more heads than it had.

    A step that no layer can hold, as its formulas nest too deep, becomes several. `optimal`: in as
    few as there can be with these heads, which may take minutes.

    >>> from loopwright import algorithms
    >>> len(pack(algorithms.dijkstra("paper")).steps)
    6
    """
    require_program(program)
    if program.layers != "given":
        return program if program.layers == "found" else schedule(program, optimal=optimal)
    flow = flow_of(program)
    budget: Budget = Budget()
    for at in program.steps:
        budget |= kinds({key for node in flow.nodes if node.at is at for key in node.heads})
    return narrowest_of(flow, budget, optimal=optimal)


def narrowest_of(flow: Flow, budget: Budget | None = None, *, optimal: bool = False) -> Program:
    """The best program that can be made of a flow: how wide it is, only building it tells."""
    constants = roomy_constants(flow.program)

    def cost(flow: Flow, layers: Schedule) -> tuple[int, int]:
        return max(layers), heads_of(flow, layers).total()

    ways = [few_layers(flow, budget)]
    if optimal:
        best = optimum(flow, budget)
        ways = [best, *(way for way in ways if cost(flow, way) <= cost(flow, best))]
    found = [emit(flow, each) for way in ways for each in narrow_layers(flow, way)]
    return min(found, key=lambda each: build(each, constants).width) if found[1:] else found[0]
