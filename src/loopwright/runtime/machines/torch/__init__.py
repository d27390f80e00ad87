"""Model → nn.Module: the same equations with gradients, on any device, for many graphs at once.

Shapes in the comments of its files:

    B     graphs in a batch
    K     rows of X: row 0, then one for each node of the largest graph in the batch
    d     columns of X, and hidden units of each level of an MLP
    d_a   columns of queries and keys (2: the coordinates of a position)

In reading order; a shape stands on every line that changes it:

    layers    one layer, from the inside out: attention, head, MLP
    batch     graphs of unequal size as one batch
    build     weights → layers with parameters
    looped    the loop, until every graph has halted
    threads   PyTorch on one thread

A step of the program is a submodule, so what PyTorch offers for modules works by step:

    net = LoopedTransformer.from_model(model)
    net.layer("read value").register_forward_hook(…)          X after a step
    net.layer("read value").heads[1].attend.register_…(…)     a head's attention: see it, replace it
    x, seen = net(*collate([problem]), capture=True)          all of them, for one iteration

This file is the machine: one graph, a batch of one, seen through NumPy.
"""

# torch has no complete types.
# pyright: reportUnknownMemberType=false

from __future__ import annotations

from functools import lru_cache, partial

import torch
from torch import Tensor

from loopwright.model.weights import Weights
from loopwright.runtime.encode import Array, Problem
from loopwright.runtime.machines import Loop
from loopwright.runtime.machines.torch.batch import Batch, collate
from loopwright.runtime.machines.torch.layers import MLP, Hardmax, Head, Layer, Softmax
from loopwright.runtime.machines.torch.looped import LoopedTransformer, Run, Snapshot, Watch
from loopwright.runtime.machines.torch.threads import OneThread, one_thread
from loopwright.runtime.observe import AfterLayer, Progress

__all__ = [
    "MLP",
    "Batch",
    "Hardmax",
    "Head",
    "Layer",
    "LoopedTransformer",
    "OneThread",
    "Run",
    "Snapshot",
    "Softmax",
    "Watch",
    "collate",
    "loop",
    "one_thread",
    "prepare",
]


@lru_cache(maxsize=8)
def prepare(model: Weights) -> Loop:
    """The loop for one graph. Parameters are made once for each model, which cannot change."""
    return partial(loop, LoopedTransformer.from_model(model))


def loop(
    net: LoopedTransformer,
    problem: Problem,
    max_iterations: int,
    after_layer: AfterLayer | None = None,
    progress: Progress | None = None,
) -> tuple[Array, int]:
    """A batch of one, seen through NumPy."""

    def watch(iteration: int, running: Tensor, seen: list[Snapshot]) -> None:
        for index, snapshot in enumerate(seen if after_layer else []):
            assert after_layer is not None
            after_layer(iteration, index, snapshot.x[0].numpy())
        if progress:
            progress(iteration)

    watched = after_layer is not None or progress is not None
    with one_thread, torch.inference_mode():
        x, iterations = net.run(problem, max_iterations, watch=watch if watched else None)
    return x[0].numpy(), int(iterations[0])
