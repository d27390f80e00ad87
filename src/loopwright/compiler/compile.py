"""Program → Weights: a page of named passes."""

from __future__ import annotations

from dataclasses import replace
from fractions import Fraction
from types import NoneType
from typing import get_args

import numpy as np

from loopwright.compiler.assemble import MLP, Entries
from loopwright.compiler.attend import EDGE, Attention
from loopwright.compiler.build import narrowest
from loopwright.compiler.columns import Placement
from loopwright.compiler.layer import number_of
from loopwright.compiler.pack import schedule
from loopwright.compiler.provenance import parts_of
from loopwright.compiler.soften import add_rounding, hold_after_termination
from loopwright.errors import CapacityError, brief, require_known
from loopwright.language.analysis import demands_of
from loopwright.language.op import is_a
from loopwright.language.program import Program, Step, require_program
from loopwright.language.reliance import unproven
from loopwright.language.serial import to_json
from loopwright.language.variables import POSITIONS, Variable
from loopwright.model.layout import Field, Layout
from loopwright.model.limits import Constants, Limits
from loopwright.model.weights import (
    EDGE_HEADS,
    AttentionKind,
    Head,
    Layer,
    Matrix,
    Over,
    Weights,
)


def compile(
    program: Program,
    *,
    limits: Limits | Constants | None = None,
    attention: AttentionKind = "hardmax",
) -> Weights:
    """The weights that are this program, for graphs within the limits.

    Constants in the place of limits are taken as they are, whether floats can hold them or not.

    >>> from loopwright import algorithms
    >>> model = compile(algorithms.dijkstra())
    >>> len(model.layers), sum(model.heads.values())
    (3, 3)

    Raises:
        ProgramError: if a step needs a formula that no MLP can hold.
        CapacityError: if float64 cannot hold the limits together.
    """
    require_program(program)
    constants = constants_of(limits)
    require_known("attention", attention, get_args(AttentionKind))
    if program.layers == "find":
        program = schedule(program)
    if POSITIONS in program.variables and not isinstance(limits, Constants):
        (limits or Limits()).require_positions()
    reliances = unproven(program)
    if attention == "softmax":
        program = hold_after_termination(add_rounding(program))
    built = narrowest(program, constants, across=attention == "hardmax")
    layout = lay_out(program, built.columns, constants, built.width)
    rounding = Rounding()
    return Weights(
        name=program.name,
        construction=program.construction,
        attention=attention,
        edges=program.edges,
        source=program.source,
        source_unless=program.source_unless,
        needs=program.needs,
        bound=program.bound,
        demands=demands_of(program, reliances),
        constants=constants,
        layout=layout,
        layers=tuple(
            replace(
                freeze(at, layer.attention, mlp, layout.width, rounding),
                parts=parts_of(at, layer, mlp),
            )
            for at, layer, mlp in zip(program.steps, built.layers, built.mlps, strict=True)
        ),
        program=to_json(program),
        rationals=rounding.inexact,
    )


def constants_of(limits: Limits | Constants | None) -> Constants:
    """Those that follow from limits, or the constants themselves; unless given, the default's."""
    if is_a(limits, Limits, Constants, NoneType):
        return limits if isinstance(limits, Constants) else (limits or Limits()).constants()
    raise CapacityError(
        f"limits are {brief(limits)}, but must be Limits, as lw.Limits.paper() or "
        "lw.Limits(nodes=100)."
    )


def lay_out(program: Program, columns: Placement, constants: Constants, width: int) -> Layout:
    """Names, columns and start values for encoding."""

    def field(variable: Variable) -> Field:
        start = 0 if variable.start is None else variable.start
        return Field(
            variable.name,
            variable.kind,
            variable.scope,
            columns.first[variable.name],
            start if isinstance(start, str) else number_of(start, constants),
            None if variable.at_source is None else number_of(variable.at_source, constants),
            variable.signed,
            columns.held.get(variable.name),
        )

    return Layout(
        fields=tuple(field(v) for v in program.variables if v.name in columns.first),
        width=width,
        halt=program.halt.name,
        outputs={name: variable.name for name, variable in program.outputs.items()},
    )


class Rounding:
    """Rationals → float64, remembering the exact number behind each one that had to be rounded."""

    def __init__(self) -> None:
        self.inexact: dict[float, Fraction] = {}

    def dense(self, entries: Entries, rows: int, columns: int) -> Matrix:
        matrix = np.zeros((rows, columns))
        for (i, j), exact in entries.items():
            matrix[i, j] = nearest = float(exact)
            if nearest.as_integer_ratio() != exact.as_integer_ratio():
                assert self.inexact.setdefault(nearest, exact) == exact, "two weights, one float"
        return matrix


def seen_by(over: Over, d: int) -> int:
    """How many columns a head sees of a row: an edge head sees the weight of an edge as well."""
    return d + (over in EDGE_HEADS)


def beside_edge(entries: Entries, d: int) -> Entries:
    """The entries of a matrix of d rows, and one more for what is multiplied by the edge."""
    return {(d if row == EDGE else row, column): k for (row, column), k in entries.items()}


def freeze(at: Step, attention: Attention, mlp: MLP, d: int, rounding: Rounding) -> Layer:
    """A layer as dense float64 matrices of the model's width."""
    heads = tuple(
        Head(
            over=over,
            query=rounding.dense(dict(pattern.query), d, pattern.size),
            key=rounding.dense(beside_edge(dict(pattern.key), d), seen_by(over, d), pattern.size),
            value=rounding.dense(beside_edge(value, d), seen_by(over, d), d),
            hinges=np.array([[float(weight)] for weight in pattern.hinges]).reshape(-1, 1),
            tie_tolerance=float(pattern.tie_tolerance),
            temperature=float(pattern.temperature),
        )
        for pattern, over, value in attention.ordered()
    )
    w1, w2, w3, w4 = (rounding.dense(entries, d, d) for entries in mlp.matrices())
    writes = tuple(variable.name for variable in at.writes())
    return Layer(at.name, at.paper_step, writes, heads, (w1, w2, w3, w4))
