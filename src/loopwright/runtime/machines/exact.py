"""The same equations in rational arithmetic (python-flint): no rounding, ties with tolerance 0.

X is kept column by column, and weights as lists of their non-zero entries. Hardmax only.
"""

from __future__ import annotations

from dataclasses import dataclass
from fractions import Fraction
from functools import partial
from typing import Any

import numpy as np
from flint import fmpq  # type: ignore[import-untyped]

from loopwright.errors import DidNotHalt, LoopwrightError
from loopwright.model.layout import GLOBAL_ROW
from loopwright.model.weights import EDGE_HEADS, Matrix, Over, Weights
from loopwright.runtime.encode import Array, Problem
from loopwright.runtime.machines import Loop
from loopwright.runtime.observe import AfterLayer, Progress

Rational = Any
"""flint.fmpq, which has no type stubs."""
Columns = dict[int, list[Rational]]
"""Column index → its entries; columns that are all 0 are left out."""
Sparse = list[tuple[int, int, Rational]]

ZERO = fmpq(0)


@dataclass(frozen=True)
class ExactHead:
    over: Over
    query: Sparse
    key: Sparse
    value: Sparse
    hinges: list[Rational]
    noise: Rational


def rational(number: Fraction) -> Rational:
    return fmpq(number.numerator, number.denominator)


def prepare(model: Weights) -> Loop:
    if model.attention != "hardmax":
        raise LoopwrightError(
            "the exact machine has no softmax: exp of a rational is not rational."
        )

    def exactly(matrix: Matrix) -> Sparse:
        return [
            (int(i), int(j), rational(model.rationals.get(weight) or Fraction(weight)))
            for i, j in zip(*np.nonzero(matrix), strict=True)
            for weight in [float(matrix[i, j])]
        ]

    layers = [
        (
            [
                ExactHead(
                    h.over,
                    exactly(h.query),
                    exactly(h.key),
                    exactly(h.value),
                    [rational(Fraction(float(weight))) for (weight,) in h.hinges],
                    rational(Fraction(h.noise)),
                )
                for h in l.heads
            ],
            [exactly(w) for w in l.mlp],
        )
        for l in model.layers
    ]
    return partial(loop, model, layers)


def times(x: Columns, w: Sparse, rows: int) -> Columns:
    """X W"""
    product: Columns = {}
    for i, j, k in w:
        if i in x:
            column = product.setdefault(j, [ZERO] * rows)
            product[j] = [total + k * entry for total, entry in zip(column, x[i], strict=True)]
    return product


def plus(x: Columns, y: Columns) -> Columns:
    """X + Y"""
    total = dict(x)
    for j, column in y.items():
        total[j] = [a + b for a, b in zip(total[j], column, strict=True)] if j in total else column
    return total


def relu(x: Columns) -> Columns:
    return {j: [max(entry, ZERO) for entry in column] for j, column in x.items()}


def attend(head: ExactHead, x: Columns, problem: Problem, weights: list[Rational]) -> Columns:
    """ψ(X, Ã) with hardmax: each row takes the mean of the rows that score best. [P Eq. 1]"""
    rows = problem.rows
    query, key = times(x, head.query, rows), times(x, head.key, rows)
    value = times(x, head.value, rows)
    if head.over in EDGE_HEADS:
        return choose(head, query, key, value, problem, weights)
    shared = [j for j in query if j in key]
    found: Columns = {j: [ZERO] * rows for j in value}
    for row in range(rows):
        scores = [sum((query[j][row] * key[j][i] for j in shared), ZERO) for i in range(rows)]
        best = max(scores)
        ties = [i for i, score in enumerate(scores) if score >= best - 2 * head.noise]
        for j, column in value.items():
            found[j][row] = sum((column[i] for i in ties), ZERO) / len(ties)
    if head.over == "I":
        return found
    through: Columns = {j: [ZERO] * rows for j in found}
    for tail, to, weight in zip(problem.tails, problem.heads, weights, strict=True):
        into, out_of = (tail, to) if head.over == "A" else (to, tail)
        for j, column in found.items():
            through[j][into] += weight * column[out_of]
    return through


def choose(
    head: ExactHead,
    query: Columns,
    key: Columns,
    value: Columns,
    problem: Problem,
    weights: list[Rational],
) -> Columns:
    """What each row finds among the edges that it sees, and row 0, at the end of an edge of 0."""
    rows = problem.rows
    seen: list[list[tuple[int, Rational]]] = [[(GLOBAL_ROW, ZERO)] for _ in range(rows)]
    for tail, to, weight in zip(problem.tails, problem.heads, weights, strict=True):
        at, other = (to, tail) if head.over == "E" else (tail, to)
        seen[int(at)].append((int(other), weight))
    of_keys, of_values = edge_weights(head.key, problem), edge_weights(head.value, problem)

    def entry(columns: Columns, along: dict[int, Rational], j: int, row: int, weight: Any) -> Any:
        own = columns[j][row] if j in columns else ZERO
        return own + along.get(j, ZERO) * weight

    written = sorted(value.keys() | of_values.keys())
    found: Columns = {j: [ZERO] * rows for j in written}

    def met(j: int, row: int, other: int, weight: Rational) -> Rational:
        """What one coordinate adds to a score: a product, or a hinge."""
        asked = query[j][row] if j in query else ZERO
        shown = entry(key, of_keys, j, other, weight)
        if j < len(head.hinges):
            return head.hinges[j] * max(asked + shown, ZERO)
        return asked * shown

    coordinates = sorted({*query, *range(len(head.hinges))})
    for row, candidates in enumerate(seen):
        scores = [sum((met(j, row, i, w) for j in coordinates), ZERO) for i, w in candidates]
        best = max(scores)
        ties = [at for at, score in zip(candidates, scores, strict=True) if score == best]
        for j in written:
            found[j][row] = sum((entry(value, of_values, j, *at) for at in ties), ZERO) / len(ties)
    return found


def edge_weights(matrix: Sparse, problem: Problem) -> dict[int, Rational]:
    """The last row of a matrix of an edge head, which the weights of edges are multiplied by."""
    return {j: weight for i, j, weight in matrix if i == problem.x.shape[1]}


def loop(
    model: Weights,
    layers: list[tuple[list[ExactHead], list[Sparse]]],
    problem: Problem,
    max_iterations: int,
    after_layer: AfterLayer | None = None,
    progress: Progress | None = None,
) -> tuple[Array, int]:
    rows = problem.rows
    x: Columns = {j: [rational(e) for e in problem.x[:, j]] for j in range(model.width)}
    weights = [rational(weight) for weight in problem.weights]
    halt = model.layout[model.layout.halt].first
    for iteration in range(1, max_iterations + 1):
        for index, (heads, mlp) in enumerate(layers):
            before = x
            for head in heads:
                x = plus(x, attend(head, before, problem, weights))
            z = x
            for w in mlp[:3]:
                z = relu(times(z, w, rows))
            x = plus(x, times(z, mlp[3], rows))
            if after_layer:
                after_layer(iteration, index, dense(x, problem))
        if x[halt][GLOBAL_ROW] == 1:
            return dense(x, problem), iteration
        if progress:
            progress(iteration)
    raise DidNotHalt(f"'{model.name}' did not halt within {max_iterations} iterations.")


def dense(x: Columns, problem: Problem) -> Array:
    """X as an array of fractions."""
    matrix = np.empty(problem.x.shape, dtype=object)
    for j, column in x.items():
        matrix[:, j] = [Fraction(int(entry.p), int(entry.q)) for entry in column]
    return matrix
