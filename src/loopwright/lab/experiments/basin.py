"""Noise without training: how far may weights move before the algorithm is no longer simulated?

For each step, Gaussian noise is added to the weights of its layer, heads and MLP; then to those of
all layers at once. The basin is the largest power of ten for which every held-out graph is still
right with every draw of the noise, found by bisection.

Noise on the weights that are `used` (not 0) keeps to the construction's pattern. Noise on `all`
also reaches columns that no step writes, the biases and positions: what it adds to them, a trace of
every large number, stays there from one iteration to the next.
"""

# torch, matplotlib and pyarrow have no complete types.
# pyright: reportUnknownMemberType=false

from __future__ import annotations

from bisect import bisect_left
from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from typing import Any, Literal, get_args

import numpy as np
import torch
from torch import nn

from loopwright.algorithms import ALGORITHMS
from loopwright.compiler.compile import compile
from loopwright.lab.experiments.selection import Selection
from loopwright.lab.experiments.setting import Setting
from loopwright.lab.experiments.simulate import HeldOut
from loopwright.runtime.machines.torch import LoopedTransformer

LEVELS = tuple(10.0**power for power in range(-14, 1))
ALL_STEPS = "all steps"
Moved = Literal["used", "all"]
MOVED: tuple[Moved, ...] = get_args(Moved)
Subject = tuple[str, str]
"""An algorithm, and one of its constructions."""
SUBJECTS: tuple[Subject, ...] = (
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
    weights: Moved
    holds: float


class Trial:
    """One algorithm with noise on some of its weights, against its held-out graphs."""

    def __init__(self, algorithm: str, construction: str, setting: Setting) -> None:
        self.seed = setting.seed
        model = compile(ALGORITHMS[algorithm](construction), limits=setting.limits)
        rng = np.random.default_rng(setting.seed)
        self.held_out = HeldOut.of(model, setting.problems(model, setting.held_out_graphs, rng))
        self.net = LoopedTransformer.from_model(model)

    def right(self, part: nn.Module, weights: Moved, noise: float, repeat: int) -> bool:
        """Whether every graph is right with this noise, which is taken off again."""
        chosen = Selection.of(part, weights)
        draw = np.random.default_rng([self.seed, repeat])
        every = [torch.from_numpy(draw.standard_normal(w.shape)) for w in chosen.fixed.values()]
        added = [w.reshape(-1)[at] for w, at in zip(every, chosen.entries.values(), strict=True)]
        with chosen.moved(chosen.start + noise * torch.cat(added)):
            return self.held_out.score(self.net).graphs == 1

    def holds(self, part: nn.Module, weights: Moved, repeats: int) -> float:
        """The largest level that does no harm, by bisection; 0 if even the least does."""

        def harms(level: float) -> bool:
            return not all(self.right(part, weights, level, repeat) for repeat in range(repeats))

        return (0.0, *LEVELS)[bisect_left(LEVELS, True, key=harms)]


def basins(
    setting: Setting,
    subjects: Sequence[Subject] = SUBJECTS,
    repeats: int = 3,
) -> Iterator[Basin]:
    """Measure every step of every subject, and then all its steps together."""
    for algorithm, construction in subjects:
        trial = Trial(algorithm, construction, setting)
        layers: Any = trial.net.layers
        parts = [(layer.name, layer.paper_step, layer) for layer in layers]
        for step, paper_step, part in [*parts, (ALL_STEPS, None, layers)]:
            for weights in MOVED:
                holds = trial.holds(part, weights, repeats)
                yield Basin(algorithm, construction, step, paper_step, weights, holds)


def count(subjects: Sequence[Subject] = SUBJECTS) -> int:
    """How many basins there are to measure."""
    layers = sum(len(ALGORITHMS[name](made).steps) + 1 for name, made in subjects)
    return layers * len(MOVED)
