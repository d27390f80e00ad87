"""Noise without training: how far may weights move before the algorithm is no longer simulated?

For each step, Gaussian noise is added to the weights of its layer, heads and MLP; then to those of
all layers at once. The basin is the largest power of ten for which every held-out graph is still
right with every draw of the noise, found by bisection.

Noise on the weights that are `used` (not 0) keeps to the construction's pattern. Noise on `all`
also reaches columns that must stay what they are, the biases above all. Heads that average over all
nodes do so because these tie, to the last bit: any noise on a bias unties them.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator, Sequence
from dataclasses import dataclass
from typing import Literal

import numpy as np
import torch
from torch import nn

from loopwright.algorithms import ALGORITHMS
from loopwright.compiler.compile import compile
from loopwright.lab.experiments.recover import Setting, random_problems
from loopwright.lab.experiments.simulate import HeldOut
from loopwright.runtime.machines.torch import LoopedTransformer

LEVELS = tuple(10.0**power for power in range(-14, 1))
ALL_STEPS = "all steps"
Weights = Literal["used", "all"]
WEIGHTS: tuple[Weights, ...] = ("used", "all")
SUBJECTS = (
    ("dijkstra", "paper"),
    ("dijkstra", "compact"),
    ("bfs", "paper"),
    ("bfs", "compact"),
)


@dataclass(frozen=True)
class Basin:
    """Noise up to `holds` does no harm to this step; 0 if even the least level does."""

    algorithm: str
    construction: str
    step: str
    paper_step: int | None
    weights: Weights
    holds: float


class Trial:
    """One algorithm with noise on some of its weights, against its held-out graphs."""

    def __init__(self, algorithm: str, construction: str, setting: Setting) -> None:
        self.setting = setting
        model = compile(ALGORITHMS[algorithm](construction), limits=setting.limits)
        rng = np.random.default_rng(setting.seed)
        problems = random_problems(model, setting.held_out_graphs, setting.nodes, rng)
        self.held_out = HeldOut.of(model, problems)
        self.net = LoopedTransformer.from_model(model)

    def right(self, part: nn.Module, weights: Weights, noise: float, repeat: int) -> bool:
        """Whether every graph is right with this noise, which is taken off again."""
        kept = {name: w.detach().clone() for name, w in part.named_parameters()}
        draw = np.random.default_rng([self.setting.seed, repeat])
        for w in part.parameters():
            added = noise * torch.from_numpy(draw.standard_normal(w.shape))
            w += added if weights == "all" else added * (w != 0)
        accuracy = self.held_out.score(self.net)
        for name, w in part.named_parameters():
            w.copy_(kept[name])
        return accuracy.graphs == 1

    def holds(self, part: nn.Module, weights: Weights, repeats: int) -> float:
        """The largest level that does no harm, by bisection."""
        low, high = -1, len(LEVELS)  # indices: LEVELS[low] holds, LEVELS[high] does not
        while high - low > 1:
            middle = (low + high) // 2
            level = LEVELS[middle]
            fine = all(self.right(part, weights, level, repeat) for repeat in range(repeats))
            low, high = (middle, high) if fine else (low, middle)
        return LEVELS[low] if low >= 0 else 0.0


def basins(
    setting: Setting,
    *,
    subjects: Sequence[tuple[str, str]] = SUBJECTS,
    repeats: int = 3,
    progress: Callable[[], None] | None = None,
) -> Iterator[Basin]:
    """Every step of every subject, and all its steps together; `progress` after each."""
    for algorithm, construction in subjects:
        trial = Trial(algorithm, construction, setting)
        parts: list[tuple[str, int | None, nn.Module]] = [
            (str(layer.name), layer.paper_step, layer)  # type: ignore[misc]
            for layer in trial.net.layers
        ]
        for step, paper_step, part in [*parts, (ALL_STEPS, None, trial.net.layers)]:
            for weights in WEIGHTS:
                holds = trial.holds(part, weights, repeats)
                yield Basin(algorithm, construction, step, paper_step, weights, holds)
                if progress:
                    progress()


def count(subjects: Sequence[tuple[str, str]] = SUBJECTS) -> int:
    """How many basins there are to measure."""
    layers = sum(len(ALGORITHMS[name](made).steps) + 1 for name, made in subjects)
    return layers * len(WEIGHTS)
