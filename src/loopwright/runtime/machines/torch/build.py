"""Weights → layers with parameters, if the dtype has the digits for them."""

# torch has no complete types.
# pyright: reportUnknownMemberType=false

from __future__ import annotations

from fractions import Fraction

import torch
from torch import Tensor, nn

from loopwright.errors import CapacityError
from loopwright.model.limits import GUARD_BITS
from loopwright.model.weights import Head as HeadWeights
from loopwright.model.weights import Matrix, Weights
from loopwright.runtime.machines.torch.layers import MLP, Hardmax, Head, Layer, Softmax


def layers_of(model: Weights, dtype: torch.dtype, device: torch.device | str) -> list[Layer]:
    """A layer for each of the model's, with copies of its matrices as parameters.

    Raises:
        CapacityError: if the model's constants need more digits than the dtype has.
    """
    check_precision(model, dtype)

    def parameter(matrix: Matrix) -> Tensor:
        return torch.tensor(matrix, dtype=dtype, device=device)

    def attend(head: HeadWeights) -> nn.Module:
        if model.attention == "hardmax":
            return Hardmax(head.tie_tolerance)
        return Softmax(head.temperature)

    def head(h: HeadWeights) -> Head:
        return Head(h.over, attend(h), **{n: parameter(w) for n, w in h.matrices.items()})

    return [
        Layer(
            layer.name,
            layer.paper_step,
            layer.writes,
            map(head, layer.heads),
            MLP(*map(parameter, layer.mlp)),
        )
        for layer in model.layers
    ]


def check_precision(model: Weights, dtype: torch.dtype) -> None:
    """The two conditions of `Limits.constants`, with this dtype's roundings in place of float64's.

    Ω/ε, the number of steps of the grid, must leave guard bits in the significand; and positions,
    after drifting by 4 roundings in each of `nodes` increments, must still tie within tolerance.
    """
    constants = model.constants
    rounding = Fraction(torch.finfo(dtype).eps) / 2  # 2⁻²⁴ for float32, of 24 bits
    on_the_grid = constants.omega / constants.resolution <= 1 / rounding / 2**GUARD_BITS
    told_apart = constants.tie_tolerance >= 16 * (constants.nodes + 1) * rounding
    if not on_the_grid:
        raise CapacityError(
            f"{dtype} cannot hold values up to {float(constants.omega):g} at a resolution of "
            f"{float(constants.resolution):g}, as this build of '{model.name}' does: recompile "
            "with Limits of a larger resolution or a smaller largest, or use torch.float64."
        )
    if not told_apart:
        raise CapacityError(
            f"{dtype} cannot tell {constants.nodes} positions apart, as this build of "
            f"'{model.name}' does: recompile with Limits(nodes=…), or use torch.float64."
        )
