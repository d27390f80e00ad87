"""Construction + noise → training → loss, distance, and does it still simulate? [P App. B.4]

The layer is one of a whole algorithm. Its inputs and right outputs are the rows that its MLP sees
while the construction runs on training graphs, which is the strongest supervision there can be.
What is trained is the MLP of that layer alone; then it is put back, and held-out graphs are run.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator, Mapping, Sequence
from dataclasses import dataclass
from typing import Any

import numpy as np
import torch
from torch import Tensor

from loopwright.algorithms import ALGORITHMS
from loopwright.compiler.compile import compile
from loopwright.lab.experiments.graphs import random_graph, random_source
from loopwright.lab.experiments.hessian import jacobian
from loopwright.lab.experiments.optimisers import OPTIMISERS, STEPS, Objective
from loopwright.lab.experiments.primitives import with_paper_less_than
from loopwright.lab.experiments.selection import Parameters, Selection
from loopwright.lab.experiments.simulate import Accuracy, HeldOut
from loopwright.model.limits import Limits
from loopwright.model.weights import Weights
from loopwright.runtime.encode import Problem, encode
from loopwright.runtime.machines.torch import LoopedTransformer

NOISES = (1e-12, 1e-10, 1e-8, 1e-7, 1e-6, 1e-4, 1e-2, 1e-1)
VISIBLE = 1e-10
"""Singular values of J below this share of the largest count as 0."""


@dataclass(frozen=True)
class Task:
    """A layer to recover."""

    name: str
    step: str
    paper_less_than: bool = False
    algorithm: str = "dijkstra"
    construction: str = "paper"

    def model(self, limits: Limits) -> Weights:
        model = compile(ALGORITHMS[self.algorithm](self.construction), limits=limits)
        return with_paper_less_than(model, self.step) if self.paper_less_than else model


TASKS = (
    Task("if-else", "update variables"),
    Task("less-than (exact flags)", "identify updates"),
    Task("less-than (paper)", "identify updates", paper_less_than=True),
)


@dataclass(frozen=True, kw_only=True)
class Setting:
    """What a sweep holds fixed; everything random follows from `seed`."""

    limits: Limits
    nodes: int = 6
    training_graphs: int = 16
    held_out_graphs: int = 16
    rows: int = 256
    """The most rows to train on, drawn from all that differ."""
    parameters: Parameters = "dense"
    seed: int = 0


@dataclass(frozen=True)
class Outcome:
    """One training run. Distances are Euclidean, from the construction; `seen` counts only the
    directions in which the loss has curvature there."""

    task: str
    optimiser: str
    noise: float
    repeat: int
    loss_before: float
    loss_after: float
    distance_before: float
    distance_after: float
    seen_before: float
    seen_after: float
    graphs_before: float
    """Share of held-out graphs that are right with the noisy weights; then with the trained."""
    graphs_after: float
    nodes_before: float
    nodes_after: float


class Bench:
    """One task: its layer, supervision and held-out graphs, ready for any number of runs."""

    def __init__(self, task: Task, setting: Setting) -> None:
        self.task, self.setting = task, setting
        model = task.model(setting.limits)
        self.net = LoopedTransformer.from_model(model)
        mlp = self.net.layer(task.step).mlp
        self.chosen = Selection.of(mlp, setting.parameters)
        rng = np.random.default_rng(setting.seed)
        training = random_problems(model, setting.training_graphs, setting.nodes, rng)
        held_out = random_problems(model, setting.held_out_graphs, setting.nodes, rng)
        self.x = rows_seen(self.net, task.step, training, self.chosen.rows)
        if len(self.x) > setting.rows:
            kept = np.sort(rng.choice(len(self.x), setting.rows, replace=False))
            self.x = self.x[torch.from_numpy(kept)]
        self.target = self.chosen.outputs(self.chosen.start, self.x).detach()
        self.held_out = HeldOut.of(model, held_out)
        _, values, directions = torch.linalg.svd(jacobian(self.chosen, self.x), full_matrices=False)
        self.curvature = float(values[0]) ** 2 / len(self.x)
        self.seen = directions[values > VISIBLE * values[0]]  # (rank, parameters)

    def residuals(self, theta: Tensor) -> Tensor:
        return (self.chosen.outputs(theta, self.x) - self.target).reshape(-1)

    def score(self, theta: Tensor) -> Accuracy:
        """Put θ into the algorithm, and run it."""
        self.chosen.put(theta)
        accuracy = self.held_out.score(self.net)
        self.chosen.put(self.chosen.start)
        return accuracy

    def distances(self, theta: Tensor) -> tuple[float, float]:
        """From the construction: in all directions, and in those that the loss sees."""
        off = theta - self.chosen.start
        return float(off.norm()), float((self.seen @ off).norm())

    def noisy(self, noise: float, repeat: int) -> Tensor:
        """The construction plus Gaussian noise: the same for every optimiser."""
        draw = np.random.default_rng([self.setting.seed, repeat, *f"{noise:.3e}".encode()])
        size = len(self.chosen.start)
        return self.chosen.start + noise * torch.from_numpy(draw.standard_normal(size))

    def run(
        self, start: Tensor, noise: float, repeat: int, steps: Mapping[str, int]
    ) -> Iterator[Outcome]:
        """One start, and where each optimiser leads from it."""
        objective = Objective(
            residuals=self.residuals,
            slopes=lambda theta: self.chosen.slopes(theta, self.x),
            rows=len(self.x),
            curvature=self.curvature,
            noise=noise,
        )
        before = self.score(start)
        distance_before, seen_before = self.distances(start)
        for optimiser, most in steps.items():
            end = OPTIMISERS[optimiser](objective, start, most)
            after = self.score(end)
            distance_after, seen_after = self.distances(end)
            yield Outcome(
                task=self.task.name,
                optimiser=optimiser,
                noise=noise,
                repeat=repeat,
                loss_before=float(objective.loss(start)),
                loss_after=float(objective.loss(end)),
                distance_before=distance_before,
                distance_after=distance_after,
                seen_before=seen_before,
                seen_after=seen_after,
                graphs_before=before.graphs,
                graphs_after=after.graphs,
                nodes_before=before.nodes,
                nodes_after=after.nodes,
            )


def random_problems(
    model: Weights, count: int, nodes: int, rng: np.random.Generator
) -> list[Problem]:
    graphs = [random_graph(nodes, rng) for _ in range(count)]
    return [encode(model, graph, source=random_source(model, graph, rng)) for graph in graphs]


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
    *,
    tasks: Sequence[Task] = TASKS,
    noises: Sequence[float] = NOISES,
    repeats: int = 3,
    steps: Mapping[str, int] = STEPS,
    progress: Callable[[], None] | None = None,
) -> Iterator[Outcome]:
    """Every task × noise × repeat × optimiser of `steps`; `progress` is called after each."""
    for task in tasks:
        bench = Bench(task, setting)
        for noise in noises:
            for repeat in range(repeats):
                for outcome in bench.run(bench.noisy(noise, repeat), noise, repeat, steps):
                    yield outcome
                    if progress:
                        progress()
