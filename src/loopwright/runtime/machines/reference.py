"""The definition of running: NumPy, the paper's equations one by one, dense."""

from __future__ import annotations

from functools import partial

import numpy as np

from loopwright.errors import DidNotHalt
from loopwright.model.layout import GLOBAL_ROW
from loopwright.model.weights import EDGE_HEADS, Head, Layer, Matrix, Weights
from loopwright.runtime.encode import Problem
from loopwright.runtime.machines import Loop
from loopwright.runtime.observe import AfterLayer, Progress


def best(scores: Matrix, tie_tolerance: float) -> Matrix:
    """1 for the largest entries of each row, 0 for others; this close counts as equal.

    >>> best(np.array([[1.0, 3.0, 3.0]]), 0.0)
    array([[0., 1., 1.]])
    """
    return (scores >= scores.max(axis=1, keepdims=True) - tie_tolerance).astype(scores.dtype)


def terms(scores: Matrix, temperature: float) -> Matrix:
    """exp(score/T), what softmax normalises, up to the factor that makes the largest 1."""
    return np.exp((scores - scores.max(axis=1, keepdims=True)) / temperature)


def scores(head: Head, x: Matrix, a: Matrix) -> Matrix:
    """X W_Q W_Kᵀ Xᵀ: how well the query of each row meets the key of each other.

    Where there are more than two coordinates they are added in their order, as on every machine:
    what is to cancel comes first.
    """
    if head.over in EDGE_HEADS:
        return edge_scores(head, x, edges_of(head, a))
    query, key = x @ head.query, x @ head.key  # (K, d_a)
    if query.shape[1] <= 2:
        return query @ key.T  # (K, K)
    return sum(np.outer(q, k) for q, k in zip(query.T, key.T, strict=True))  # type: ignore


def edges_of(head: Head, a: Matrix) -> Matrix:
    """[i, j]: the weight of the edge by which row i sees row j, 0 if there is none."""
    return a.T if head.over == "E" else a


def edge_scores(head: Head, x: Matrix, edges: Matrix) -> Matrix:
    """(xᵢ W_Q) · ([xⱼ, edge] W_K) where there is an edge, and for row 0; −∞ elsewhere. In hinges
    the two are not multiplied but added, and rectified."""
    query, key = x @ head.query, x @ head.key[:-1]  # (K, d_a)
    total, hinges = np.zeros_like(edges), len(head.hinges)
    for c, (q, k, weight) in enumerate(zip(query.T, key.T, head.key[-1], strict=True)):
        shown = k + weight * edges  # (K, K)
        if c < hinges:
            total = total + head.hinges[c] * np.maximum(q[:, None] + shown, 0)
        else:
            total = total + q[:, None] * shown
    seen = edges != 0
    seen[:, GLOBAL_ROW] = True
    return np.where(seen, total, -np.inf)


def weighed(model: Weights, head: Head, scores: Matrix) -> Matrix:
    """How much each row attends to which others, not yet divided by what that is together."""
    if model.attention == "softmax":
        return terms(scores, head.temperature)
    return best(scores, head.tie_tolerance)


def attention(model: Weights, head: Head, x: Matrix, a: Matrix) -> Matrix:
    """σ(scores): how much each row attends to which others. `attend` multiplies by it."""
    found = weighed(model, head, scores(head, x, a))
    return found / found.sum(axis=1, keepdims=True)


def attend(model: Weights, head: Head, scores: Matrix, x: Matrix, a: Matrix) -> Matrix:
    """σ(scores) X W_V, with the edges beside X in an edge head. Rows are summed before the sum is
    divided: of rows that tie, sums of values on a grid are exact, sums of sevenths are not."""
    found = weighed(model, head, scores)
    if head.over in EDGE_HEADS:
        along = (found * edges_of(head, a)).sum(axis=1)
        total = found @ (x @ head.value[:-1]) + np.outer(along, head.value[-1])  # (K, d)
    else:
        total = found @ (x @ head.value)  # (K, d)
    return total / found.sum(axis=1, keepdims=True)


def head_output(model: Weights, head: Head, x: Matrix, a: Matrix) -> Matrix:
    """ψ(X, Ã) = Ã σ(X W_Q W_Kᵀ Xᵀ) X W_V, with I or Ãᵀ for Ã where the head says so. [P Eq. 1]

    What an edge head chooses has come along its edge already.
    """
    found = attend(model, head, scores(head, x, a), x, a)  # (K, d)
    match head.over:
        case "I" | "E" | "ET":
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
    x, a = problem.x, problem.adjacency()
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
