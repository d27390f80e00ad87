"""Weights → nodes of ONNX: the two equations of a layer, as `machines/reference.py` has them.

Only operators that ONNX Runtime has in float64 are used: no OneHot, and no Attention, whose softmax
would round where hardmax must not.
"""

# onnx has no complete types.
# pyright: reportUnknownMemberType=false, reportUnknownVariableType=false
# pyright: reportUnknownArgumentType=false, reportMissingTypeStubs=false

from __future__ import annotations

from collections.abc import Callable
from typing import Any

import numpy as np

from loopwright.errors import LoopwrightError, needing
from loopwright.model.layout import GLOBAL_ROW
from loopwright.model.weights import Head, Layer, Matrix, Weights

with needing("an ONNX graph"):
    import onnx
    from onnx import helper, numpy_helper


class Nodes:
    """Collects nodes and constants; every call of an operator gives the name of its result."""

    def __init__(self) -> None:
        self.nodes: list[Any] = []
        self.constants: list[Any] = []
        self._count = 0

    def name(self, what: str) -> str:
        self._count += 1
        return f"{what}_{self._count}"

    def constant(self, value: Any, what: str = "constant") -> str:
        name = self.name(what)
        self.constants.append(numpy_helper.from_array(np.asarray(value), name))
        return name

    def __call__(self, operator: str, *inputs: str, **attributes: Any) -> str:
        name = self.name(operator.lower())
        self.nodes.append(helper.make_node(operator, list(inputs), [name], **attributes))
        return name


def coordinate(to: Nodes, x: str, column: Matrix) -> str:
    """One coordinate of all queries, or keys, as a column: (K, 1)."""
    return to("MatMul", x, to.constant(column[:, None], "coordinate"))


def scores_of(to: Nodes, head: Head, x: str, edges: str | None = None) -> str:
    """X W_Q W_Kᵀ Xᵀ, (K, K); in an edge head with the weights of edges beside the rows.

    More than two coordinates, and those of edge heads, are added in their order: what is to cancel
    comes first. In hinges queries and keys are not multiplied but added, and rectified.
    """
    if edges is None and head.query.shape[1] <= 2:
        queries = to("MatMul", x, to.constant(head.query, "query"))
        keys = to("MatMul", x, to.constant(head.key, "key"))
        return to("MatMul", queries, to("Transpose", keys, perm=[1, 0]))
    total = ""
    for c in range(head.query.shape[1]):
        asked = coordinate(to, x, head.query[:, c])
        key = to("Transpose", coordinate(to, x, head.key[: len(head.query), c]), perm=[1, 0])
        if edges is not None:
            key = to("Add", key, to("Mul", edges, to.constant(head.key[-1, c], "along")))
        if c < len(head.hinges):
            met = to("Mul", to.constant(head.hinges[c], "hinge"), to("Relu", to("Add", asked, key)))
        else:
            met = to("Mul", asked, key)
        total = to("Add", total, met) if total else met
    return total


def shares_of(to: Nodes, model: Weights, head: Head, scores: str) -> str:
    """σ before rows are divided by their sums."""
    rows = to.constant(np.array([1], dtype=np.int64), "axis")
    best = to("ReduceMax", scores, rows, keepdims=1)
    if model.attention == "hardmax":
        least = to("Sub", best, to.constant(np.float64(head.tie_tolerance), "tolerance"))
        return to("Cast", to("GreaterOrEqual", scores, least), to=onnx.TensorProto.DOUBLE)
    cold = to.constant(np.float64(head.temperature), "temperature")
    return to("Exp", to("Div", to("Sub", scores, best), cold))


def attended(to: Nodes, model: Weights, head: Head, x: str) -> str:
    """σ(X W_Q W_Kᵀ Xᵀ) X W_V: hardmax adds up what ties before it divides."""
    share = shares_of(to, model, head, scores_of(to, head, x))
    found = to("MatMul", share, to("MatMul", x, to.constant(head.value, "value")))  # (K, d)
    return to("Div", found, sum_of_rows(to, share))


def sum_of_rows(to: Nodes, matrix: str) -> str:
    """(K, K) → (K, 1)"""
    return to("ReduceSum", matrix, to.constant(np.array([1], dtype=np.int64), "axis"), keepdims=1)


def chosen(to: Nodes, model: Weights, head: Head, x: str, edges: str) -> str:
    """What an edge head finds: [i, j] of `edges` is the weight by which row i sees row j."""
    rows = to("Shape", x, start=0, end=1)
    columns = to("Range", *(to("Squeeze", n) for n in (zero(to), rows, one(to))))
    is_row_zero = to("Equal", columns, to.constant(np.int64(GLOBAL_ROW), "row"))  # (K,)
    nothing = to("Equal", edges, to.constant(np.float64(0), "nothing"))
    hidden = to("And", nothing, to("Not", is_row_zero))  # (K, K)
    scores = scores_of(to, head, x, edges)
    scores = to("Where", hidden, to.constant(np.float64(-np.inf), "unseen"), scores)
    share = shares_of(to, model, head, scores)
    found = to("MatMul", share, to("MatMul", x, to.constant(head.value[:-1], "value")))
    along = to("Mul", sum_of_rows(to, to("Mul", share, edges)), to.constant(head.value[-1], "edge"))
    return to("Div", to("Add", found, along), sum_of_rows(to, share))


def zero(to: Nodes) -> str:
    return to.constant(np.array([0], dtype=np.int64), "zero")


def one(to: Nodes) -> str:
    return to.constant(np.array([1], dtype=np.int64), "one")


def standard(to: Nodes, model: Weights, head: Head, x: str, a: str) -> str:
    return attended(to, model, head, x)


def over_a(to: Nodes, model: Weights, head: Head, x: str, a: str) -> str:
    return to("MatMul", a, attended(to, model, head, x))


def over_at(to: Nodes, model: Weights, head: Head, x: str, a: str) -> str:
    return to("MatMul", to("Transpose", a, perm=[1, 0]), attended(to, model, head, x))


def into_rows(to: Nodes, model: Weights, head: Head, x: str, a: str) -> str:
    return chosen(to, model, head, x, to("Transpose", a, perm=[1, 0]))


def out_of_rows(to: Nodes, model: Weights, head: Head, x: str, a: str) -> str:
    return chosen(to, model, head, x, a)


HEADS: dict[str, Callable[[Nodes, Weights, Head, str, str], str]] = {
    "I": standard,
    "A": over_a,
    "AT": over_at,
    "E": into_rows,
    "ET": out_of_rows,
}
"""What a head reads through → its nodes. A new kind of head is one more line."""


def layer_output(to: Nodes, model: Weights, layer: Layer, x: str, a: str) -> str:
    """Heads, each added to X; then the MLP, added to that. [P Eq. 2]

    Raises:
        LoopwrightError: if a head is of a kind that has no nodes yet.
    """
    attended = x
    for head in layer.heads:
        if head.over not in HEADS:
            raise LoopwrightError(f"no nodes of ONNX are known for heads over '{head.over}'.")
        attended = to("Add", attended, HEADS[head.over](to, model, head, x, a))
    z = attended
    for matrix in layer.mlp[:3]:
        z = to("Relu", to("MatMul", z, to.constant(matrix, "mlp")))
    return to("Add", attended, to("MatMul", z, to.constant(layer.mlp[3], "mlp")))


def halted(to: Nodes, model: Weights, x: str) -> str:
    """Whether the halting flag, in row 0, is set."""
    column = model.layout[model.layout.halt].first
    row = to("Gather", x, to.constant(np.int64(GLOBAL_ROW), "row"), axis=0)
    flag = to("Gather", row, to.constant(np.int64(column), "halt"), axis=0)
    return to("Greater", flag, to.constant(np.float64(0.5), "half"))
