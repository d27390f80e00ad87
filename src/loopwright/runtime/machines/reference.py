"""The definition of running: NumPy, the paper's equations one by one, dense."""

from __future__ import annotations

from functools import partial

import numpy as np

from loopwright.errors import DidNotHalt
from loopwright.model.layout import GLOBAL_ROW
from loopwright.model.weights import Head, Layer, Matrix, Weights
from loopwright.runtime.encode import Problem
from loopwright.runtime.machines import Loop
from loopwright.runtime.observe import AfterLayer, Progress


def best(scores: Matrix, tie_tolerance: float) -> Matrix:
    """1 for the largest entries of each row, 0 for others; this close counts as equal.

    >>> best(np.array([[1.0, 3.0, 3.0]]), 0.0)
    array([[0., 1., 1.]])
    """
    return (scores >= scores.max(axis=1, keepdims=True) - tie_tolerance).astype(scores.dtype)


def softmax(scores: Matrix, temperature: float) -> Matrix:
    """exp(score/T), normalised; the largest score is taken off first, which changes nothing."""
    weights = np.exp((scores - scores.max(axis=1, keepdims=True)) / temperature)
    return weights / weights.sum(axis=1, keepdims=True)


def scores(head: Head, x: Matrix) -> Matrix:
    """X W_Q W_Kᵀ Xᵀ: how well the query of each row meets the key of each other."""
    return (x @ head.query) @ (x @ head.key).T  # (K, K)


def attention(model: Weights, head: Head, x: Matrix) -> Matrix:
    """σ(X W_Q W_Kᵀ Xᵀ): how much each row attends to which others. `attend` multiplies by it."""
    if model.attention == "softmax":
        return softmax(scores(head, x), head.temperature)
    ties = best(scores(head, x), head.tie_tolerance)
    return ties / ties.sum(axis=1, keepdims=True)


def attend(model: Weights, head: Head, scores: Matrix, values: Matrix) -> Matrix:
    """σ(scores) values. Hardmax sums the rows that tie before it divides by their number: sums of
    values on a grid are exact, thirds of them are not."""
    if model.attention == "softmax":
        return softmax(scores, head.temperature) @ values
    ties = best(scores, head.tie_tolerance)
    return (ties @ values) / ties.sum(axis=1, keepdims=True)


def head_output(model: Weights, head: Head, x: Matrix, a: Matrix) -> Matrix:
    """ψ(X, Ã) = Ã σ(X W_Q W_Kᵀ Xᵀ) X W_V, with I or Ãᵀ for Ã where the head says so. [P Eq. 1]"""
    found = attend(model, head, scores(head, x), x @ head.value)  # (K, d)
    match head.over:
        case "I":
            return found
        case "A":
            return a @ found
        case "AT":
            return a.T @ found


def layer_output(model: Weights, layer: Layer, x: Matrix, a: Matrix) -> Matrix:
    """f(X, Ã): attention with a residual, then the MLP with a residual. [P Eq. 2]"""
    attended = x
    for head in layer.heads:
        attended = attended + head_output(model, head, x, a)
    z = attended
    for w in layer.mlp[:3]:
        z = np.maximum(z @ w, 0)
    return attended + z @ layer.mlp[3]


def prepare(model: Weights) -> Loop:
    return partial(loop, model)


def loop(
    model: Weights,
    problem: Problem,
    max_iterations: int,
    after_layer: AfterLayer | None = None,
    progress: Progress | None = None,
) -> tuple[Matrix, int]:
    """X ← layers(X, Ã) until the halting flag is set. [P Alg. 1]"""
    x = problem.x
    a = np.zeros((problem.rows, problem.rows), x.dtype)
    a[problem.tails, problem.heads] = problem.weights
    halt = model.layout[model.layout.halt].first
    for iteration in range(1, max_iterations + 1):
        for index, layer in enumerate(model.layers):
            x = layer_output(model, layer, x, a)
            if after_layer:
                after_layer(iteration, index, x)
        if x[GLOBAL_ROW, halt] > 0.5:
            return x, iteration
        if progress:
            progress(iteration)
    raise DidNotHalt(f"'{model.name}' did not halt within {max_iterations} iterations.")
