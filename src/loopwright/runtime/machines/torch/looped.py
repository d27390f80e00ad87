"""The loop: layers, again and again, until every graph of a batch has halted."""

# torch has no complete types.
# pyright: reportUnknownMemberType=false

from __future__ import annotations

from collections.abc import Callable, Iterable, Sequence
from typing import NamedTuple

import torch
from torch import Tensor, nn

from loopwright.errors import DidNotHalt, LoopwrightError
from loopwright.model.layout import GLOBAL_ROW
from loopwright.model.weights import Weights
from loopwright.runtime.encode import Problem
from loopwright.runtime.machines.torch.batch import Batch, collate
from loopwright.runtime.machines.torch.build import layers_of
from loopwright.runtime.machines.torch.layers import Layer


class Snapshot(NamedTuple):
    """What one step did."""

    name: str
    x: Tensor  # (B, K, d), after the step
    attention: tuple[Tensor, ...]  # for each head (B, K, K): row i attends to row j


class Run(NamedTuple):
    """Where every graph of a batch halted."""

    x: Tensor  # (B, K, d)
    iterations: Tensor  # (B,)


Watch = Callable[[int, Tensor, list[Snapshot]], None]
"""Called after every iteration (from 1) with the graphs still running, (b,) indices into the batch,
and every step's snapshot of those b graphs alone."""


class LoopedTransformer(nn.Module):
    """X ← layers(X, Ã), until the halting flag is set. [P Alg. 1]

    >>> import loopwright as lw
    >>> from loopwright.runtime.encode import encode
    >>> model = lw.compile(lw.algorithms.dijkstra())
    >>> graphs = [lw.Graph.of([("a", "b", 1)]), lw.Graph.of([("a", "b", 1), ("b", "c", 2)])]
    >>> problems = [encode(model, graph, source="a") for graph in graphs]
    >>> x, iterations = LoopedTransformer.from_model(model).run(problems, max_iterations=9)
    >>> x[:, :, model.layout["dists"].first], iterations
    (tensor([[0., 0., 1., 0.],
            [0., 0., 1., 3.]], dtype=torch.float64), tensor([2, 3]))
    """

    def __init__(self, name: str, layers: Iterable[Layer], halt: int) -> None:
        super().__init__()
        self.name = name
        self.layers = nn.ModuleList(layers)
        self.halt = halt
        """The column whose entry in row 0 is the halting flag."""

    @classmethod
    def from_model(
        cls,
        model: Weights,
        *,
        dtype: torch.dtype = torch.float64,
        device: torch.device | str = "cpu",
        requires_grad: bool = False,
    ) -> LoopedTransformer:
        """A copy of the weights as parameters: training them leaves the model as it is.

        Raises:
            CapacityError: if the model's constants need more digits than the dtype has. To run such
                a model nevertheless, convert it afterwards: `from_model(model).float()`.
        """
        layers = layers_of(model, dtype, device)
        net = cls(model.name, layers, model.layout[model.layout.halt].first)
        return net.requires_grad_(requires_grad)

    def layer(self, name: str) -> Layer:
        """The layer of a step, to hang hooks on."""
        named = [layer for layer in self.layers if layer.name == name]
        if len(named) != 1:
            steps = ", ".join(f"'{layer.name}'" for layer in self.layers)
            raise LoopwrightError(
                f"'{self.name}' has {len(named)} steps '{name}'; its steps are: {steps}."
            )
        return named[0]  # type: ignore[return-value]  # a ModuleList forgets what it holds

    def forward(
        self,
        x: Tensor,  # (B, K, d)
        a: Tensor,  # (B, K, K)
        mask: Tensor | None = None,  # (B, K); None: no graph is padded
        *,
        capture: bool = False,
    ) -> Tensor | tuple[Tensor, list[Snapshot]]:
        """One iteration: the new X, (B, K, d); with `capture`, also a list of snapshots."""
        seen: list[Snapshot] = []
        for layer in self.layers:
            attention: list[Tensor] | None = [] if capture else None
            x = layer(x, a, mask, attention)  # (B, K, d)
            if attention is not None:
                seen.append(Snapshot(str(layer.name), x, tuple(attention)))
        return (x, seen) if capture else x

    def run(
        self,
        problems: Problem | Sequence[Problem] | Batch,
        max_iterations: int,
        *,
        watch: Watch | None = None,
    ) -> Run:
        """Loop until every graph has halted.

        A graph that halts leaves the batch: its X stays as it is, and costs nothing more. That the
        number of iterations depends on X does not trouble autograd, which follows what was done.

        Raises:
            DidNotHalt: if some graph's halting flag is not set in time.
        """
        x, a, mask = self.batch(problems)
        last = torch.zeros_like(x)  # (B, K, d)
        iterations = torch.zeros(len(x), dtype=torch.int64, device=x.device)  # (B,)
        running = torch.arange(len(x), device=x.device)  # (b,), from here on b graphs of the B
        padding = None if mask.all() else mask
        for iteration in range(1, max_iterations + 1):
            if watch:
                x, seen = self(x, a, padding, capture=True)  # (b, K, d)
                watch(iteration, running, seen)
            else:
                x = self(x, a, padding)  # (b, K, d)
            halted = x[:, GLOBAL_ROW, self.halt] > 0.5  # (b, K, d) → (b,)
            if halted.any():
                last[running[halted]] = x[halted]
                iterations[running[halted]] = iteration
                x, a, mask, running = (part[~halted] for part in (x, a, mask, running))
                padding = None if mask.all() else mask
                if not len(running):
                    return Run(last, iterations)
        which = "" if len(last) == 1 else f": graphs {running.tolist()} of {len(last)}"
        raise DidNotHalt(f"'{self.name}' did not halt within {max_iterations} iterations{which}.")

    def batch(self, problems: Problem | Sequence[Problem] | Batch) -> Batch:
        """Collated where the parameters are, in their dtype, if it is not a batch yet."""
        if isinstance(problems, Batch):
            return problems
        some = next(self.parameters())
        several = [problems] if isinstance(problems, Problem) else problems
        return collate(several, dtype=some.dtype, device=some.device)
