"""Graphs of unequal size → one batch, padded to the largest."""

# torch has no complete types.
# pyright: reportUnknownMemberType=false

from __future__ import annotations

from collections.abc import Sequence
from typing import NamedTuple

import numpy as np
import torch
from torch import Tensor

from loopwright.errors import LoopwrightError
from loopwright.runtime.encode import Problem


class Batch(NamedTuple):
    """What a forward pass takes. Padding is 0 in x and a, False in the mask."""

    x: Tensor  # (B, K, d)
    a: Tensor  # (B, K, K)
    mask: Tensor  # (B, K), bool: is there such a row?


def collate(
    problems: Sequence[Problem],
    *,
    dtype: torch.dtype = torch.float64,
    device: torch.device | str = "cpu",
) -> Batch:
    """Encoded graphs, padded to the rows of the largest.

    >>> import loopwright as lw
    >>> from loopwright.runtime.encode import encode
    >>> model = lw.compile(lw.algorithms.dijkstra())
    >>> graphs = [lw.Graph.of([("a", "b", 1)]), lw.Graph.of([("a", "b", 1), ("b", "c", 2)])]
    >>> collate([encode(model, graph, source="a") for graph in graphs]).mask
    tensor([[ True,  True,  True, False],
            [ True,  True,  True,  True]])
    """
    if not problems:
        raise LoopwrightError("a batch needs at least one problem.")
    size, rows = len(problems), max(problem.rows for problem in problems)
    x = np.zeros((size, rows, problems[0].x.shape[1]))
    a = np.zeros((size, rows, rows))
    mask = np.zeros((size, rows), dtype=np.bool_)
    for b, problem in enumerate(problems):
        x[b, : problem.rows] = problem.x
        a[b, problem.tails, problem.heads] = problem.weights
        mask[b, : problem.rows] = True
    return Batch(
        torch.as_tensor(x, dtype=dtype, device=device),
        torch.as_tensor(a, dtype=dtype, device=device),
        torch.as_tensor(mask, device=device),
    )
