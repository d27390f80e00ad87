"""The Hessian of a layer's loss at its construction, and its spectrum: float64, and exact.

    L(θ) = 1/(2N) Σ over N rows ‖f_θ(x) − f_θ*(x)‖²

At θ* the residual is 0, so the Hessian is JᵀJ/N, J the Jacobian of the outputs. It is singular:
relu(a·x)/a = relu(x) for every a > 0, so that weights can be scaled against each other, and weights
into a unit that no input wakes do nothing. Along such directions the loss stays 0: they are other
solutions, not steep or shallow ones. The condition number is that of the rest,

    κ = λ_max / λ_min⁺,   λ_min⁺ the smallest eigenvalue that is not 0,

and which ones are 0 cannot be told from floats. But the entries of J are products of inputs and
weights of few binary digits, which float64 holds exactly. Hence J, as PyTorch computes it, is a
matrix of rationals; flint gives the characteristic polynomial of JᵀJ in whole numbers, and isolates
its roots with proven error bounds.
"""

# torch, matplotlib and pyarrow have no complete types.
# pyright: reportUnknownArgumentType=false, reportUnknownMemberType=false
# pyright: reportUnknownVariableType=false

from __future__ import annotations

from dataclasses import dataclass
from typing import Any

import torch
from flint import arb, fmpq, fmpq_mat  # type: ignore[import-untyped]
from torch import Tensor
from torch.func import jacrev

from loopwright.lab.experiments.selection import Selection

ACCURATE_BITS = 40
"""So many bits of a condition number must be proven right; a double shows 53."""


@dataclass(frozen=True)
class Spectrum:
    """How many eigenvalues of a Hessian are not 0, the least and the largest, and their ratio."""

    rank: int
    smallest: float
    largest: float
    condition: float


def hessian(chosen: Selection, x: Tensor) -> Tensor:
    """∂²L/∂θ² at the construction, by differentiating twice: (parameters, parameters)."""
    target = chosen.outputs(chosen.start, x).detach()

    def loss(theta: Tensor) -> Tensor:
        return (chosen.outputs(theta, x) - target).square().sum() / (2 * len(x))

    h: Tensor = jacrev(jacrev(loss))(chosen.start)
    return h.detach()


def float_condition(h: Tensor, rank: int) -> float:
    """What float64 makes of the condition number, if told how many eigenvalues are not 0."""
    values = torch.linalg.eigvalsh(h)[-rank:]
    return float(values[-1]) / abs(float(values[0]))


def exact_spectrum(j: Tensor) -> Spectrum:
    """The non-zero eigenvalues of JᵀJ/N without any rounding, but for reading them off.

    >>> j = torch.tensor([[3.0, 0.0, 0.0], [0.0, 2.0**-40, 0.0]], dtype=torch.float64)
    >>> f"{exact_spectrum(j).condition:.12g}", f"{9 * 2.0**80:.12g}"
    ('1.08803323765e+25', '1.08803323765e+25')
    """
    rows, columns = j.shape
    entries = [fmpq(*number.as_integer_ratio()) for number in j.reshape(-1).tolist()]
    exact = fmpq_mat(rows, columns, entries)
    gram = exact.transpose() * exact if columns <= rows else exact * exact.transpose()
    found: Any = gram.charpoly().numer().complex_roots()  # with multiplicities, unlike its stub
    roots = [root.real for root, _ in found]
    positive = sorted((root for root in roots if root > 0), key=float)
    ratio: Any = positive[-1] / positive[0]
    if ratio.rel_accuracy_bits() < ACCURATE_BITS:
        raise ArithmeticError(f"the condition number is only known to be {ratio}")
    return Spectrum(
        int(gram.rank()),
        float(positive[0] / arb(rows)),
        float(positive[-1] / arb(rows)),
        float(ratio),
    )
