"""Hook points: places in a forward pass that have a name, as TransformerLens has them.

Each is a module that gives back what it gets. So whatever works on modules works on them:
`register_forward_hook`, nnsight, or a debugger. A forward pass without hook points passes none.
"""

from __future__ import annotations

from collections.abc import Callable

import torch
from torch import Tensor, nn


class HookPoint(nn.Module):
    """Gives back what it gets, unless a hook says otherwise."""

    def forward(self, x: Tensor) -> Tensor:
        return x


class Points(nn.Module):
    """Some hook points, by their names."""

    names: tuple[str, ...] = ()

    def __init__(self) -> None:
        super().__init__()
        for name in self.names:
            self.add_module(name, HookPoint())


class HeadPoints(Points):
    """Those of a head: what each of its three inputs reads, and what it makes of that."""

    names = (
        *("hook_q_input", "hook_k_input", "hook_v_input"),  # (B, K, d)
        *("hook_q", "hook_k", "hook_v"),  # (B, K, d_a), (B, K, d_a), (B, K, d)
        *("hook_attn_scores", "hook_pattern"),  # (B, K, K)
        *("hook_z", "hook_result"),  # (B, K, d), before and after multiplying by Ã
    )


class MLPPoints(Points):
    """Those of an MLP: before and after the ReLU of each hidden level, (B, K, d)."""

    names = tuple(f"hook_{when}_{level}" for level in (1, 2, 3) for when in ("pre", "post"))


class LayerPoints(Points):
    """Those of a layer: X before it, between attention and MLP, and after it, (B, K, d)."""

    names = (
        *("hook_resid_pre", "hook_attn_out", "hook_resid_mid"),
        *("hook_mlp_in", "hook_mlp_out", "hook_resid_post"),
    )

    def __init__(self, heads: int) -> None:
        super().__init__()
        self.heads = nn.ModuleList(HeadPoints() for _ in range(heads))
        self.mlp = MLPPoints()


def at(points: nn.Module | None, name: str, x: Tensor) -> Tensor:
    """What comes out of a hook point; x itself where there are none."""
    return x if points is None else getattr(points, name)(x)


def attended(
    points: nn.Module | None,
    shares: Tensor,
    totals: Tensor,
    brought: Callable[[Tensor], Tensor],
) -> Tensor:
    """What attention brings, (B, K, d), as it is, or as a hook of `hook_pattern` wants it.

    Rows are divided by their totals last, where sums of values on a grid are exact and thirds of
    them are not. Only a pattern that a hook has changed is multiplied as it stands.
    """
    if points is not None:
        plain = shares / totals
        pattern = at(points, "hook_pattern", plain.clone())
        if not torch.equal(pattern, plain):
            return brought(pattern)
    return brought(shares) / totals


def with_attention(points: nn.Module | None, x: Tensor, middle: Tensor) -> Tensor:
    """X after attention, (B, K, d), as it is, or as a hook of `hook_attn_out` wants it.

    What attention adds is the difference of the two, which floats may round: it is only added again
    if a hook has changed it.
    """
    if points is not None:
        added = middle - x
        wanted = at(points, "hook_attn_out", added.clone())
        if not torch.equal(wanted, added):
            return x + wanted
    return middle
