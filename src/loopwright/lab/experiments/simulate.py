"""A net whose weights were moved → is it still the algorithm? Accuracy on held-out graphs."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from typing import NamedTuple

import torch
from torch import Tensor

from loopwright.model.layout import GLOBAL_ROW, Kind
from loopwright.model.weights import Weights
from loopwright.runtime.encode import Problem
from loopwright.runtime.machines.torch import Batch, LoopedTransformer


class Accuracy(NamedTuple):
    """The shares of graphs, and of all their nodes, that are right."""

    graphs: float
    nodes: float


@dataclass(frozen=True, eq=False)
class HeldOut:
    """Graphs of one size that no training saw, with the construction's own answers.

    An entry is right if it rounds to the right one: less than half a step of its own grid away,
    ε for values and 1 for all else. A graph that does not halt has no node right.
    """

    batch: Batch
    columns: Tensor
    """The columns of X that hold results."""
    allowed: Tensor
    """How far off each result may be."""
    expected: Tensor  # (graphs, nodes, results)
    most: int
    """The iterations after which a graph counts as one that does not halt."""

    @classmethod
    def of(cls, model: Weights, problems: Sequence[Problem]) -> HeldOut:
        net = LoopedTransformer.from_model(model)
        most = model.max_iterations(problems[0].rows - 1)
        assert most is not None, f"'{model.name}' has no bound of its own"
        fields = [model.layout[variable] for variable in model.layout.outputs.values()]
        steps = [model.constants.resolution if f.kind is Kind.VALUE else 1 for f in fields]
        columns = torch.tensor([field.first for field in fields])
        batch = net.batch(problems)
        x, _ = run_to_the_end(net, batch, most)
        allowed = torch.tensor([float(step) / 2 for step in steps], dtype=torch.float64)
        return cls(batch, columns, allowed, x[:, 1:, columns], most)

    def score(self, net: LoopedTransformer) -> Accuracy:
        """Run the net; compare the results of every node."""
        x, halted = run_to_the_end(net, self.batch, self.most)
        wrong = (x[:, 1:, self.columns] - self.expected).abs() >= self.allowed
        right = ~wrong.any(dim=2) & halted[:, None] & x[:, 1:, self.columns].isfinite().all(dim=2)
        return Accuracy(float(right.all(dim=1).double().mean()), float(right.double().mean()))


def run_to_the_end(net: LoopedTransformer, batch: Batch, most: int) -> tuple[Tensor, Tensor]:
    """Like `LoopedTransformer.run`, but a graph that does not halt is told, not raised: with noise
    on the weights that is a result like others. Gives X (B, K, d), and who halted (B,)."""
    x, a, mask = batch
    padding = None if mask.all() else mask
    last, halted = x, torch.zeros(len(x), dtype=torch.bool)
    with torch.inference_mode():
        for _ in range(most):
            x = net(x, a, padding)
            last = torch.where(halted[:, None, None], last, x)
            halted = halted | (x[:, GLOBAL_ROW, net.halt] > 0.5)
            if halted.all():
                break
    return last, halted
