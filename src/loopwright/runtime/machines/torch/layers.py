"""One layer, from the inside out: attention, a head, an MLP, and the layer that adds them to X.

The letters of shapes are those of the package: B graphs, K rows, d columns, d_a columns of queries.
"""

# torch has no complete types.
# pyright: reportUnknownMemberType=false

from __future__ import annotations

from collections.abc import Iterable
from math import inf

import torch
from torch import Tensor, nn

from loopwright.model.layout import GLOBAL_ROW
from loopwright.model.weights import EDGE_HEADS, Over
from loopwright.runtime.hook_points import (
    HeadPoints,
    LayerPoints,
    MLPPoints,
    at,
    attended,
    with_attention,
)


class Hardmax(nn.Module):
    """1 for the largest scores of each row, 0 for others; scores this close to it count as equal.

    The choice is piecewise constant: gradients pass through the values, none through the scores.

    >>> Hardmax(tie_tolerance=0.0)(torch.tensor([[[1.0, 3.0, 3.0]]]))
    tensor([[[0., 1., 1.]]])
    """

    def __init__(self, tie_tolerance: float) -> None:
        super().__init__()
        self.tie_tolerance = tie_tolerance

    def forward(self, scores: Tensor) -> Tensor:
        largest = scores.amax(dim=-1, keepdim=True)  # (B, K, K) → (B, K, 1)
        return (scores >= largest - self.tie_tolerance).to(scores.dtype)  # (B, K, K), 0 or 1

    def extra_repr(self) -> str:
        return f"tie_tolerance={self.tie_tolerance:.3g}"


class Softmax(nn.Module):
    """exp(score/T), up to the factor that makes the largest 1.

    The largest score is taken off before dividing, as the reference does: dividing by a small T
    first would round the difference. It cancels, so no gradient needs to pass through it.
    """

    def __init__(self, temperature: float) -> None:
        super().__init__()
        self.temperature = temperature

    def forward(self, scores: Tensor) -> Tensor:
        largest = scores.amax(dim=-1, keepdim=True).detach()  # (B, K, K) → (B, K, 1)
        return torch.exp((scores - largest) / self.temperature)  # (B, K, K)

    def extra_repr(self) -> str:
        return f"temperature={self.temperature:.3g}"


class Head(nn.Module):
    """ψ(X, Ã) = Ã σ(X W_Q W_Kᵀ Xᵀ) X W_V, with I or Ãᵀ for Ã where the head says so. [P Eq. 1]

    `attend` is σ before rows are divided by their sums. That comes last: sums of values on a grid
    are exact, thirds of them are not.

    An edge head sees the weight of each edge as one more column of the row at its end, and chooses
    among the edges alone: see `loopwright.model.weights`.

    Padding is dealt with here and nowhere else: nobody attends to a padded row, and
    a padded row attends to nobody. So heads add 0 to rows that were padded with 0, and an MLP
    without biases maps 0 to 0: they stay 0, and Ã, padded with 0, carries nothing from them.
    """

    def __init__(
        self,
        over: Over,
        attend: nn.Module,
        query: Tensor,
        key: Tensor,
        value: Tensor,
        hinges: Tensor | None = None,
    ) -> None:
        super().__init__()
        self.over: Over = over
        self.attend = attend
        self.query = nn.Parameter(query)  # (d, d_a)
        self.key = nn.Parameter(key)  # (d, d_a); of an edge head (d + 1, d_a)
        self.value = nn.Parameter(value)  # (d, d); of an edge head (d + 1, d)
        self.hinges = None if hinges is None else nn.Parameter(hinges)  # (h, 1), h ≤ d_a

    @property
    def chooses(self) -> bool:
        """Whether it is an edge head."""
        return self.over in EDGE_HEADS

    def of_rows(self, matrix: Tensor) -> Tensor:
        """A matrix without what is multiplied by the weights of edges."""
        return matrix[:-1] if self.chooses else matrix

    def edges(self, a: Tensor) -> Tensor:
        """[i, j]: the weight of the edge by which row i sees row j, 0 if there is none."""
        return a.mT if self.over == "E" else a  # (B, K, K)

    def scores(self, query: Tensor, key: Tensor, a: Tensor) -> Tensor:
        """X W_Q W_Kᵀ Xᵀ: how well the query of each row meets the key of each other.

        Where there are more than two coordinates they are added in their order, as on every
        machine: what is to cancel comes first.
        """
        if self.chooses:
            return self.edge_scores(query, key, self.edges(a))
        if query.shape[-1] <= 2:
            return query @ key.mT  # (B, K, d_a) → (B, K, K)
        scores = torch.zeros_like(a)  # (B, K, K)
        for q, k in zip(query.unbind(-1), key.unbind(-1), strict=True):
            scores = scores + q[:, :, None] * k[:, None, :]
        return scores

    def edge_scores(self, query: Tensor, key: Tensor, edges: Tensor) -> Tensor:
        """(xᵢ W_Q) · ([xⱼ, edge] W_K) where there is an edge, and for row 0; −∞ elsewhere. In
        hinges the two are not multiplied but added, and rectified."""
        total = torch.zeros_like(edges)  # (B, K, K)
        hinges = iter(() if self.hinges is None else self.hinges)
        for q, k, weight in zip(query.unbind(-1), key.unbind(-1), self.key[-1], strict=True):
            asked, shown = q[:, :, None], k[:, None, :] + weight * edges  # (B, K, 1), (B, K, K)
            hinge = next(hinges, None)
            met = asked * shown if hinge is None else hinge * torch.relu(asked + shown)
            total = total + met  # (B, K, K)
        seen = edges != 0  # (B, K, K)
        seen[:, :, GLOBAL_ROW] = True
        return total.masked_fill(~seen, -inf)

    def brought(self, pattern: Tensor, value: Tensor, a: Tensor) -> Tensor:
        """σ X W_V, with the weights of edges beside X in an edge head."""
        found = pattern @ value  # (B, K, K) @ (B, K, d) → (B, K, d)
        if not self.chooses:
            return found
        along = (pattern * self.edges(a)).sum(dim=-1, keepdim=True)  # (B, K, K) → (B, K, 1)
        return found + along * self.value[-1]  # (B, K, d)

    def forward(
        self,
        x: Tensor,  # (B, K, d)
        a: Tensor,  # (B, K, K)
        mask: Tensor | None = None,  # (B, K)
        attention: list[Tensor] | None = None,
        points: HeadPoints | None = None,
    ) -> Tensor:
        """What the head adds to X; its attention is appended to `attention`."""
        q = at(points, "hook_q", at(points, "hook_q_input", x) @ self.query)  # (B, K, d) → d_a
        k = at(points, "hook_k", at(points, "hook_k_input", x) @ self.of_rows(self.key))  # the same
        v = at(points, "hook_v", at(points, "hook_v_input", x) @ self.of_rows(self.value))
        scores = at(points, "hook_attn_scores", self.scores(q, k, a))  # (B, K, d_a) → (B, K, K)
        if mask is not None:
            scores = scores.masked_fill(~mask[:, None, :], -inf)  # columns: nobody finds padding
        found_by = self.attend(scores)  # (B, K, K), the largest of each row is 1
        if mask is not None:
            found_by = found_by.masked_fill(~mask[:, :, None], 0)  # rows: padding finds nobody
        total = found_by.sum(dim=-1, keepdim=True).clamp(min=1)  # only padding's is less
        if attention is not None:
            attention.append(found_by / total)
        found = attended(points, found_by, total, lambda pattern: self.brought(pattern, v, a))
        found = at(points, "hook_z", found)  # (B, K, d)
        match self.over:
            case "I" | "E" | "ET":
                return at(points, "hook_result", found)
            case "A":
                return at(points, "hook_result", a @ found)
            case "AT":
                return at(points, "hook_result", a.mT @ found)

    def extra_repr(self) -> str:
        return f"over={self.over}"


class MLP(nn.Module):
    """relu(relu(relu(X W¹) W²) W³) W⁴, row by row. No biases: X has constant columns. [P Eq. 2]"""

    def __init__(self, w1: Tensor, w2: Tensor, w3: Tensor, w4: Tensor) -> None:
        super().__init__()
        self.w1 = nn.Parameter(w1)  # (d, d), and so the others
        self.w2 = nn.Parameter(w2)
        self.w3 = nn.Parameter(w3)
        self.w4 = nn.Parameter(w4)

    def forward(self, x: Tensor, points: MLPPoints | None = None) -> Tensor:
        z = x  # (B, K, d), and so everything that follows
        for level, w in enumerate((self.w1, self.w2, self.w3), start=1):
            before = at(points, f"hook_pre_{level}", z @ w)
            z = at(points, f"hook_post_{level}", torch.relu(before))
        return z @ self.w4


class Layer(nn.Module):
    """One step of the program: heads, then an MLP, each added to X. [P Eq. 2]"""

    def __init__(
        self,
        name: str,
        paper_step: int | None,
        writes: tuple[str, ...],
        heads: Iterable[Head],
        mlp: MLP,
    ) -> None:
        super().__init__()
        self.name, self.paper_step, self.writes = name, paper_step, writes
        self.heads = nn.ModuleList(heads)
        self.mlp = mlp

    def forward(
        self,
        x: Tensor,  # (B, K, d)
        a: Tensor,  # (B, K, K)
        mask: Tensor | None = None,  # (B, K)
        attention: list[Tensor] | None = None,
        points: LayerPoints | None = None,
    ) -> Tensor:
        x = at(points, "hook_resid_pre", x)
        middle = x
        for h, head in enumerate(self.heads):
            # In the order of the heads: the first clears (x − x = 0), the next brings the new.
            middle = middle + head(x, a, mask, attention, points and points.heads[h])  # (B, K, d)
        middle = at(points, "hook_resid_mid", with_attention(points, x, middle))
        added = self.mlp(at(points, "hook_mlp_in", middle), points and points.mlp)  # (B, K, d)
        return at(points, "hook_resid_post", middle + at(points, "hook_mlp_out", added))

    def extra_repr(self) -> str:
        return f"'{self.name}', writes {', '.join(self.writes)}"
