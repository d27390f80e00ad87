"""Softmax as warm as the certificate allows, or warmer."""

from __future__ import annotations

from dataclasses import replace
from fractions import Fraction
from typing import Any

import loopwright as lw
from loopwright.language.program import Program
from loopwright.model.layout import Kind
from loopwright.model.weights import Head, Layer
from loopwright.runtime.model import Model


def has_positions(model: lw.Model) -> bool:
    """Whether rows are told apart by positions, whose heads have the T of the limits."""
    return any(field.kind is Kind.POSITION for field in model.layout.fields)


def warmed(
    program: Program, limits: lw.Limits, graph: Any, share: float, most: int | None = None
) -> lw.Model:
    """A model with this share of the warmth that its certificate allows on a graph, in at most so
    many iterations if the program itself has no bound.

    Where there are positions, that is a matter of the T that is declared. Elsewhere none is: every
    head has its own, as cold as its gap needs, and is warmed after it was compiled. A certificate
    takes such a model for what it was.
    """
    cold = lw.compile(program, limits=limits, attention="softmax")
    conditions = cold.check(graph, max_iterations=most).conditions
    margin = next(c.margin for c in conditions if c.name == "temperature")
    times = Fraction(margin) * Fraction(share)
    if has_positions(cold):
        warm = replace(limits, temperature=cold.constants.temperature * times)
        return lw.compile(program, limits=warm, attention="softmax")

    def head(of: Head) -> Head:
        return replace(of, temperature=of.temperature * float(times))

    def layer(of: Layer) -> Layer:
        return replace(of, heads=tuple(map(head, of.heads)))

    return Model.of(replace(cold, layers=tuple(map(layer, cold.layers))))
