"""Which weights of an MLP are parameters: one flat vector θ, in and out of the module that runs."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from typing import Literal

import torch
from torch import Tensor
from torch.func import functional_call, jacrev, vmap

from loopwright.runtime.machines.torch import MLP

Parameters = Literal["used", "dense", "all"]
PARAMETERS: tuple[Parameters, ...] = ("used", "dense", "all")
"""
used    the weights that the formula sets: training is told the pattern of zeros
dense   every weight between the columns and hidden units that the formula uses
all     every entry of the four matrices
"""


@dataclass(frozen=True, eq=False)
class Selection:
    """Entries of W¹…W⁴ that may change; all others stay what they are.

    >>> w = torch.tensor([[2.0, 0.0], [0.0, 0.0]], dtype=torch.float64)
    >>> [len(Selection.of(MLP(w, w, w, w), chosen).start) for chosen in PARAMETERS]
    [4, 4, 16]
    """

    mlp: MLP
    fixed: Mapping[str, Tensor]
    """The matrices at the construction, (d, d) each."""
    entries: Mapping[str, Tensor]
    """For each matrix, the chosen entries as indices into it, row after row."""
    start: Tensor
    """θ of the construction, (p,)."""

    @classmethod
    def of(cls, mlp: MLP, parameters: Parameters) -> Selection:
        """The construction's own weights are those that `mlp` holds now."""
        fixed = {name: w.detach().clone() for name, w in mlp.named_parameters()}
        entries = {
            name: _chosen(w, parameters).reshape(-1).nonzero()[:, 0] for name, w in fixed.items()
        }
        start = torch.cat([w.reshape(-1)[entries[name]] for name, w in fixed.items()])
        return cls(mlp, fixed, entries, start)

    @property
    def rows(self) -> Tensor:
        """The columns of X that the parameters see."""
        w1 = self.fixed["w1"]
        return (self.entries["w1"] // w1.shape[1]).unique()

    @property
    def columns(self) -> Tensor:
        """The columns of X that the parameters can change."""
        w4 = self.fixed["w4"]
        return (self.entries["w4"] % w4.shape[1]).unique()

    def matrices(self, theta: Tensor) -> dict[str, Tensor]:
        """W¹…W⁴ with θ in its places."""
        sizes = [len(entries) for entries in self.entries.values()]
        return {
            name: w.reshape(-1).scatter(0, self.entries[name], part).reshape(w.shape)
            for (name, w), part in zip(self.fixed.items(), theta.split(sizes), strict=True)
        }

    def outputs(self, theta: Tensor, x: Tensor) -> Tensor:
        """What the MLP adds to the columns that it can change: (rows, d) → (rows, columns)."""
        return functional_call(self.mlp, self.matrices(theta), (x,))[:, self.columns]

    def slopes(self, theta: Tensor, x: Tensor) -> Tensor:
        """∂ outputs/∂θ: (rows × columns, p). A row's outputs depend on this row alone, so each is
        differentiated by itself: not all rows for each output."""

        def of_row(theta: Tensor, row: Tensor) -> Tensor:
            return self.outputs(theta, row[None])[0]

        j: Tensor = vmap(jacrev(of_row), (None, 0))(theta, x)  # (rows, columns, p)
        return j.reshape(-1, len(theta)).detach()

    def put(self, theta: Tensor) -> None:
        """Make θ the weights of the module."""
        with torch.no_grad():
            for name, w in self.matrices(theta).items():
                self.mlp.get_parameter(name).copy_(w)


def _chosen(w: Tensor, parameters: Parameters) -> Tensor:
    used = w != 0
    match parameters:
        case "used":
            return used
        case "dense":
            return used.any(dim=1, keepdim=True) & used.any(dim=0, keepdim=True)
        case "all":
            return torch.ones_like(used)
