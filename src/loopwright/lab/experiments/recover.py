"""Construction + noise → training → loss, distance, and does it still simulate? [P App. B.4]

The layer is one of a whole algorithm. Its inputs and right outputs are the rows that its MLP sees
while the construction runs on training graphs, which is the strongest supervision there can be.
What is trained is the MLP of that layer alone; then it is put back, and held-out graphs are run.
"""

# torch, matplotlib and pyarrow have no complete types.
# pyright: reportUnknownArgumentType=false, reportUnknownMemberType=false
# pyright: reportUnknownVariableType=false

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass
from typing import Any

import numpy as np
import torch
from torch import Tensor

from loopwright.algorithms import ALGORITHMS
from loopwright.compiler.compile import compile
from loopwright.lab.experiments.optimisers import OPTIMISERS, STEPS, Objective
from loopwright.lab.experiments.printed import as_printed
from loopwright.lab.experiments.selection import Selection
from loopwright.lab.experiments.setting import Setting
from loopwright.lab.experiments.simulate import HeldOut
from loopwright.model.limits import Limits
from loopwright.model.weights import Weights
from loopwright.runtime.encode import Problem
from loopwright.runtime.machines.torch import LoopedTransformer

NOISES = (1e-12, 1e-10, 1e-8, 1e-7, 1e-6, 1e-4, 1e-2, 1e-1)
VISIBLE = 1e-10
"""Singular values of J below this share of the largest count as 0."""


@dataclass(frozen=True)
class Task:
    """One layer of the paper's Dijkstra, which is to be recovered."""

    name: str
    step: str
    paper: bool = False
    """Whether its MLP is the one that the paper prints, in place of ours."""

    def model(self, limits: Limits) -> Weights:
        model = compile(ALGORITHMS["dijkstra"]("paper"), limits=limits)
        return as_printed(model, self.step) if self.paper else model


TASKS = (
    Task("if-else (Ω in W¹)", "update variables"),
    Task("if-else (paper)", "update variables", paper=True),
    Task("less-than (exact flags)", "identify updates"),
    Task("less-than (paper)", "identify updates", paper=True),
)


@dataclass(frozen=True)
class Outcome:
    """One training run: what θ was like before and after."""

    task: str
    optimiser: str
    noise: float
    repeat: int
    loss_before: float
    loss_after: float
    distance_before: float
    """The Euclidean distance of θ from the construction."""
    distance_after: float
    seen_before: float
    """The same distance, in those directions alone in which the loss has curvature."""
    seen_after: float
    graphs_before: float
    """The share of held-out graphs that are right; below, of their nodes."""
    graphs_after: float
    nodes_before: float
    nodes_after: float


class Bench:
    """One task: its layer, supervision and held-out graphs, ready for any number of runs."""

    def __init__(self, task: Task, setting: Setting) -> None:
        self.task, self.seed = task, setting.seed
        model = task.model(setting.limits)
        self.net = LoopedTransformer.from_model(model)
        self.chosen = Selection.of(self.net.layer(task.step).mlp, setting.parameters)
        rng = np.random.default_rng(setting.seed)
        training = setting.problems(model, setting.training_graphs, rng)
        self.held_out = HeldOut.of(model, setting.problems(model, setting.held_out_graphs, rng))
        self.x = rows_seen(self.net, task.step, training, self.chosen.rows)
        if len(self.x) > setting.rows:
            kept = np.sort(rng.choice(len(self.x), setting.rows, replace=False))
            self.x = self.x[torch.from_numpy(kept)]
        self.target = self.chosen.outputs(self.chosen.start, self.x).detach()
        j = self.chosen.jacobian(self.chosen.start, self.x)
        _, values, directions = torch.linalg.svd(j, full_matrices=False)
        self.curvature = float(values[0]) ** 2 / len(self.x)
        self.seen = directions[values > VISIBLE * values[0]]  # (rank, parameters)

    def objective(self, noise: float) -> Objective:
        """What optimisers minimise, from a start with this noise."""
        return Objective(
            residuals=lambda theta: (self.chosen.outputs(theta, self.x) - self.target).reshape(-1),
            slopes=lambda theta: self.chosen.jacobian(theta, self.x),
            rows=len(self.x),
            curvature=self.curvature,
            noise=noise,
        )

    def measure(self, theta: Tensor, objective: Objective) -> dict[str, float]:
        """How far θ is from the construction, and how much the algorithm gets right with it."""
        off = theta - self.chosen.start
        with self.chosen.moved(theta):
            right = self.held_out.score(self.net)
        return {
            "loss": float(objective.loss(theta)),
            "distance": float(off.norm()),
            "seen": float((self.seen @ off).norm()),
            **right._asdict(),
        }

    def noisy(self, noise: float, repeat: int) -> Tensor:
        """The construction plus Gaussian noise: the same for every optimiser."""
        draw = np.random.default_rng([self.seed, repeat, *f"{noise:.3e}".encode()])
        size = len(self.chosen.start)
        return self.chosen.start + noise * torch.from_numpy(draw.standard_normal(size))

    def run(self, noise: float, repeat: int, steps: Mapping[str, int]) -> Iterator[Outcome]:
        """Train from one start with every optimiser."""
        objective, start = self.objective(noise), self.noisy(noise, repeat)
        before = self.measure(start, objective)
        for optimiser, most in steps.items():
            after = self.measure(OPTIMISERS[optimiser](objective, start, most), objective)
            found = {f"{name}_before": value for name, value in before.items()}
            found |= {f"{name}_after": value for name, value in after.items()}
            yield Outcome(self.task.name, optimiser, noise, repeat, **found)


def rows_seen(
    net: LoopedTransformer, step: str, problems: Sequence[Problem], columns: Tensor
) -> Tensor:
    """Every row that the step's MLP meets, once for each different content of `columns`."""
    seen: list[Tensor] = []

    def note(_: Any, inputs: tuple[Tensor, ...]) -> None:
        seen.append(inputs[0].reshape(-1, inputs[0].shape[-1]))

    hook = net.layer(step).mlp.register_forward_pre_hook(note)
    with torch.inference_mode():
        net.run(problems, max_iterations=10**9)
    hook.remove()
    rows = torch.cat(seen).clone().numpy()
    _, first = np.unique(rows[:, columns.numpy()], axis=0, return_index=True)
    return torch.from_numpy(rows[np.sort(first)])


def sweep(
    setting: Setting,
    tasks: Sequence[Task] = TASKS,
    noises: Sequence[float] = NOISES,
    repeats: int = 3,
    steps: Mapping[str, int] = STEPS,
) -> Iterator[Outcome]:
    """Every task × noise × repeat × optimiser of `steps`."""
    for task in tasks:
        bench = Bench(task, setting)
        for noise in noises:
            for repeat in range(repeats):
                yield from bench.run(noise, repeat, steps)
