"""What the experiments on training hold fixed, and the graphs that follow from it."""

from __future__ import annotations

from dataclasses import dataclass
from math import isqrt
from typing import Literal, get_args

import numpy as np

from loopwright.errors import LoopwrightError
from loopwright.lab.experiments.graphs import random_graph, random_source
from loopwright.model.limits import Limits
from loopwright.model.weights import Weights
from loopwright.runtime.encode import Problem, encode

Parameters = Literal["used", "dense", "all"]
"""Which weights may move:

used    those that the formula sets: training is told the pattern of zeros
dense   every weight between the columns and hidden units that the formula uses
all     every entry of the matrices
"""
PARAMETERS: tuple[Parameters, ...] = get_args(Parameters)


MOST_CELLS = 2**24
"""All matrices Ã of a batch have at most this many entries: 128 MiB, and attention makes some more
of that size."""


@dataclass(frozen=True, kw_only=True)
class Setting:
    """What a sweep holds fixed; everything random follows from `seed`."""

    limits: Limits
    nodes: int = 6
    training_graphs: int = 16
    held_out_graphs: int = 16
    rows: int = 256
    """How many rows to train on at most; they are drawn from all that differ."""
    parameters: Parameters = "dense"
    seed: int = 0

    def __post_init__(self) -> None:
        """Refuse graphs that are too large: all of one kind go into one batch of dense matrices.

        Raises:
            LoopwrightError: naming the most nodes.
        """
        graphs = max(self.training_graphs, self.held_out_graphs)
        if graphs * (self.nodes + 1) ** 2 > MOST_CELLS:
            most = isqrt(MOST_CELLS // graphs) - 1
            raise LoopwrightError(
                f"{self.nodes:,} nodes: {graphs} such graphs do not fit into one batch; at most "
                f"{most:,} nodes do."
            )

    def problems(self, model: Weights, count: int, rng: np.random.Generator) -> list[Problem]:
        """Random graphs, as a model takes them."""
        graphs = [random_graph(self.nodes, rng) for _ in range(count)]
        return [encode(model, graph, source=random_source(model, graph, rng)) for graph in graphs]
