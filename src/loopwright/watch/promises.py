"""What the author of a program promises of its numbers, looked at while it runs."""

from __future__ import annotations

from collections.abc import Iterable
from fractions import Fraction

import numpy as np
from numpy.typing import NDArray

from loopwright.errors import ProgramError
from loopwright.language.beyond import Beyond
from loopwright.language.meaning import State
from loopwright.language.program import Program, Step
from loopwright.model.demands import polynomial
from loopwright.model.layout import Kind, Scope
from loopwright.model.weights import Weights
from loopwright.runtime.encode import Problem


class Promises:
    """`counts` and `values` of a program, as numbers on one graph.

    They are those of the weights that the run has, which were rounded to the grid of ε: a path of
    them may be a little longer than that of the caller's weights.
    """

    def __init__(self, model: Weights, problem: Problem) -> None:
        demands = model.demands
        self.most: dict[Kind, Fraction] = {}
        if demands.counts:
            self.most[Kind.COUNT] = Fraction(polynomial(demands.counts, problem.rows - 1))
        if demands.paths:
            counted = self.most.get(Kind.COUNT, Fraction(1))
            self.most[Kind.VALUE] = max(heaviest_path(problem), heaviest_node(problem), counted)

    def check(self, program: Program, at: Step, state: State) -> None:
        """Raise if a variable that the step wrote breaks its author's word.

        It is about variables that last. What an iteration makes of them meanwhile, such as the
        length of a path and one edge more, is bounded by the certificate.

        Raises:
            ProgramError: naming it. What is beyond every number is not meant.
        """
        for variable in at.writes():
            if variable.kind not in self.most or variable.start is None:
                continue
            most, held = self.most[variable.kind], state[variable.name]
            for number in held if variable.scope is Scope.NODES else [held]:
                if not isinstance(number, Beyond) and abs(number) > most:
                    raise ProgramError(
                        f"'{program.name}' step '{at.name}': '{variable}' is {number}, more than "
                        f"the {most} that its author promised ({variable.kind}s)."
                    )


def heaviest_path(problem: Problem) -> Fraction:
    """No simple path weighs more: it enters each node at most once."""
    heaviest: dict[int, Fraction] = {}
    for head, weight in weighed(problem.heads, problem):
        heaviest[head] = max(weight, heaviest.get(head, weight))
    return sum(heaviest.values(), Fraction(0))


def heaviest_node(problem: Problem) -> Fraction:
    """The most that the edges at a node, one way or the other, add up to."""
    most = Fraction(0)
    for ends in (problem.tails, problem.heads):
        sums: dict[int, Fraction] = {}
        for end, weight in weighed(ends, problem):
            sums[end] = sums.get(end, Fraction(0)) + weight
        most = max(most, *sums.values(), Fraction(0))
    return most


def weighed(ends: NDArray[np.int64], problem: Problem) -> Iterable[tuple[int, Fraction]]:
    """Each edge's node at one end, and exactly what the edge weighs."""
    exact = map(Fraction, problem.weights.tolist())
    return zip(ends.tolist(), exact, strict=True)
