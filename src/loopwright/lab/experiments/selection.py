"""Which weights of a module are parameters: one vector θ, in and out of the module that runs."""

# torch, matplotlib and pyarrow have no complete types.
# pyright: reportUnknownArgumentType=false, reportUnknownMemberType=false
# pyright: reportUnknownVariableType=false

from __future__ import annotations

from collections.abc import Generator, Mapping
from contextlib import contextmanager
from dataclasses import dataclass

import torch
from torch import Tensor, nn
from torch.func import functional_call, jacrev, vmap

from loopwright.lab.experiments.setting import Parameters


@dataclass(frozen=True, eq=False)
class Selection:
    """Entries of a module's matrices that may change; all others stay what they are.

    >>> from loopwright.lab.experiments.setting import PARAMETERS
    >>> from loopwright.runtime.machines.torch import MLP
    >>> w = torch.tensor([[2.0, 0.0], [0.0, 0.0]], dtype=torch.float64)
    >>> [len(Selection.of(MLP(w, w, w, w), chosen).start) for chosen in PARAMETERS]
    [4, 4, 16]
    """

    module: nn.Module
    fixed: Mapping[str, Tensor]
    """The matrices at the construction, by name."""
    entries: Mapping[str, Tensor]
    """For each matrix, the chosen entries as indices into it, row after row."""
    start: Tensor
    """θ of the construction, (p,)."""

    @classmethod
    def of(cls, module: nn.Module, parameters: Parameters) -> Selection:
        """The construction's own weights are those that the module holds now."""
        fixed = {name: w.detach().clone() for name, w in module.named_parameters()}
        entries = {
            name: _chosen(w, parameters).reshape(-1).nonzero()[:, 0] for name, w in fixed.items()
        }
        start = torch.cat([w.reshape(-1)[entries[name]] for name, w in fixed.items()])
        return cls(module, fixed, entries, start)

    @property
    def rows(self) -> Tensor:
        """The columns of X that the parameters of an MLP see."""
        return (self.entries["w1"] // self.fixed["w1"].shape[1]).unique()

    @property
    def columns(self) -> Tensor:
        """The columns of X that the parameters of an MLP can change."""
        return (self.entries["w4"] % self.fixed["w4"].shape[1]).unique()

    def matrices(self, theta: Tensor) -> dict[str, Tensor]:
        """All matrices, with θ in its places."""
        sizes = [len(entries) for entries in self.entries.values()]
        return {
            name: w.reshape(-1).scatter(0, self.entries[name], part).reshape(w.shape)
            for (name, w), part in zip(self.fixed.items(), theta.split(sizes), strict=True)
        }

    def outputs(self, theta: Tensor, x: Tensor) -> Tensor:
        """What an MLP adds to the columns that it can change: (rows, d) → (rows, columns)."""
        return functional_call(self.module, self.matrices(theta), (x,))[:, self.columns]

    def jacobian(self, theta: Tensor, x: Tensor) -> Tensor:
        """∂ outputs/∂θ: (rows × columns, p). A row's outputs depend on this row alone, so each is
        differentiated by itself: not all rows for each output."""

        def of_row(theta: Tensor, row: Tensor) -> Tensor:
            return self.outputs(theta, row[None])[0]

        j: Tensor = vmap(jacrev(of_row), (None, 0))(theta, x)  # (rows, columns, p)
        return j.reshape(-1, len(theta)).detach()

    @contextmanager
    def moved(self, theta: Tensor) -> Generator[None]:
        """Make θ the weights of the module; afterwards they are the construction's again."""
        self._put(self.matrices(theta))
        yield
        self._put(self.fixed)

    def _put(self, matrices: Mapping[str, Tensor]) -> None:
        with torch.no_grad():
            for name, w in matrices.items():
                self.module.get_parameter(name).copy_(w)


def _chosen(w: Tensor, parameters: Parameters) -> Tensor:
    used = w != 0
    match parameters:
        case "used":
            return used
        case "dense":
            return used.any(dim=1, keepdim=True) & used.any(dim=0, keepdim=True)
        case "all":
            return torch.ones_like(used)
