"""Four ways down a sum of squares: gradient descent, Adam, L-BFGS, damped Newton.

Each takes an objective, a start and a number of steps, and gives the last θ. All are told more than
training would know, to be as favourable as can be: gradient descent the largest curvature at the
construction, Adam how far away the construction is.
"""

# torch, matplotlib and pyarrow have no complete types.
# pyright: reportUnknownArgumentType=false, reportUnknownMemberType=false
# pyright: reportUnknownVariableType=false

from __future__ import annotations

from collections.abc import Callable, Mapping
from dataclasses import dataclass

import torch
from torch import Tensor

Optimiser = Callable[["Objective", Tensor, int], Tensor]

MEMORY = 20
"""Steps that L-BFGS remembers."""
PATIENCE = 10
"""Steps in which damped Newton must have halved the loss, or it ends."""
LEAST_DAMPING, MOST_DAMPING = 1e-20, 1e12
"""Bounds of μ in Levenberg–Marquardt, as shares of the largest curvature."""


@dataclass(frozen=True, eq=False)
class Objective:
    """What is minimised: ½ of the mean over rows of ‖residual‖²."""

    residuals: Callable[[Tensor], Tensor]
    """Outputs minus targets: θ (p,) → (rows × columns,)."""
    slopes: Callable[[Tensor], Tensor]
    """The derivative of the residuals: θ (p,) → (rows × columns, p)."""
    rows: int
    curvature: float
    """The largest eigenvalue of the Hessian at the construction."""
    noise: float
    """The standard deviation of what was added to the construction."""

    def loss(self, theta: Tensor) -> Tensor:
        return self.residuals(theta).square().sum() / (2 * self.rows)


def gradient_descent(objective: Objective, start: Tensor, steps: int) -> Tensor:
    """θ ← θ − ∇L/λ_max: the largest step that is stable in the steepest direction."""
    theta = start.clone().requires_grad_()
    for _ in range(steps):
        (gradient,) = torch.autograd.grad(objective.loss(theta), theta)
        with torch.no_grad():
            theta -= gradient / objective.curvature
    return theta.detach()


def adam(objective: Objective, start: Tensor, steps: int) -> Tensor:
    """Adam, from a tenth of the noise down to 0.

    Its first steps are as long as its rate, whatever the gradient: a customary 1e-3 would leave the
    neighbourhood of the construction at once.
    """
    theta = start.clone().requires_grad_()
    method = torch.optim.Adam([theta], lr=objective.noise / 10, eps=1e-30)
    slower = torch.optim.lr_scheduler.CosineAnnealingLR(method, steps)
    for _ in range(steps):
        method.zero_grad()
        torch.autograd.backward(objective.loss(theta))
        method.step()
        slower.step()
    return theta.detach()


def l_bfgs(objective: Objective, start: Tensor, steps: int) -> Tensor:
    """L-BFGS with a strong Wolfe line search.

    θ moves in units of the noise, and the loss is divided by its start: PyTorch's line search and
    its test of curvature have thresholds of about 1e-10, which would stop it at once otherwise.
    """
    moved = torch.zeros_like(start, requires_grad=True)
    scale = float(objective.loss(start)) or 1.0
    method = torch.optim.LBFGS(
        [moved],
        max_iter=steps,
        tolerance_grad=0,
        tolerance_change=0,
        history_size=MEMORY,
        line_search_fn="strong_wolfe",
    )

    def closure() -> float:
        method.zero_grad()
        loss = objective.loss(start + objective.noise * moved) / scale
        torch.autograd.backward(loss)
        return float(loss.detach())

    method.step(closure)
    return start + objective.noise * moved.detach()


def damped_newton(objective: Objective, start: Tensor, steps: int) -> Tensor:
    """Levenberg–Marquardt: (JᵀJ/N + μ) step = −∇L; μ falls when a step helps, rises when not.

    JᵀJ/N is the Hessian but for a term that vanishes with the residual. With J = U S Vᵀ the step is
    −V S/(S² + Nμ) Uᵀ residual for every μ, and JᵀJ, whose condition number is the square of J's, is
    never formed. It ends early if `PATIENCE` steps have not halved the loss.
    """
    theta, damping = start.clone(), 1e-6
    loss = float(objective.loss(theta))
    losses = [loss]
    for _ in range(steps):
        u, values, directions = torch.linalg.svd(objective.slopes(theta), full_matrices=False)
        along = u.T @ objective.residuals(theta)
        while damping < MOST_DAMPING:
            mu = damping * objective.curvature * objective.rows
            step = -directions.T @ (values / (values**2 + mu) * along)
            found = float(objective.loss(theta + step))
            if found < loss:
                theta, loss = theta + step, found
                damping = max(damping / 10, LEAST_DAMPING)
                break
            damping *= 10
        else:
            break  # no step of any length helps: this is as low as float64 sees
        losses.append(loss)
        if len(losses) > PATIENCE and loss > losses[-PATIENCE - 1] / 2:
            break
    return theta


OPTIMISERS: Mapping[str, Optimiser] = {
    "gradient descent": gradient_descent,
    "Adam": adam,
    "L-BFGS": l_bfgs,
    "damped Newton": damped_newton,
}
STEPS: Mapping[str, int] = {
    "gradient descent": 1000,
    "Adam": 1000,
    "L-BFGS": 300,
    "damped Newton": 100,
}
"""How many steps each may take by default: about a second."""
