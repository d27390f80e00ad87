"""A folder of samples as a dataset of PyG: `len`, shuffling, slices and splits are PyG's own.

    dataset = HintDataset("hints").shuffle()
    train, rest = dataset[:80], dataset[80:]
    for batch in DataLoader(train, batch_size=8): …

A `Data` has `edge_index`, `edge_weight`, `num_nodes`, and a tensor for every probe, by its name:
inputs and outputs (nodes,), hints (nodes, time, …), those of edges (edges, time). What is unreached
is infinite; `data.finite(name)` is its mask. Pointers are places in their own graph, −1 for none;
`dataset.pointers(batch, name)` gives rows of a batch, and `dataset.names("hint")` what there is.
"""

# torch and torch_geometric have no complete types.
# pyright: reportUnknownMemberType=false, reportUnknownVariableType=false
# pyright: reportUnknownArgumentType=false, reportMissingTypeStubs=false
# pyright: reportUntypedBaseClass=false, reportUnknownParameterType=false

from __future__ import annotations

from os import PathLike
from typing import Any

from loopwright.bridges.hints.ragged import Ragged
from loopwright.errors import LoopwrightError, needing
from loopwright.model.paths import path_of

with needing("a dataset for PyG"):
    import torch
    from torch import Tensor
    from torch_geometric.data import Data, Dataset


class HintData(Data):
    """One run. Batches of it put nodes one below the other; hints of graphs of unequal length are
    lengthened by their last step when they are read (`HintDataset(steps=…)`)."""

    def finite(self, name: str) -> Tensor:
        """Where a probe has a number."""
        return torch.isfinite(self[name])


class HintDataset(Dataset):
    """Reads what `loopwright traces … --format pyg` wrote.

    Args:
        folder: where it is.
        steps: how many steps of time every hint has: shorter runs repeat their last, longer ones
            are cut. Unless given, that of the longest run, so that any batch can be made.

    Raises:
        LoopwrightError: if the folder holds no such samples.
    """

    def __init__(self, folder: str | PathLike[str], *, steps: int | None = None) -> None:
        self.ragged = Ragged(path_of(folder, LoopwrightError))
        self.steps = steps or self.longest
        super().__init__(root=None)

    @property
    def specs(self) -> dict[str, Any]:
        """Name → stage, location and type."""
        return dict(self.ragged.specs)

    def names(self, stage: str) -> list[str]:
        """The probes of a stage: input, hint or output."""
        return [name for name, spec in self.ragged.specs.items() if spec.stage == stage]

    @property
    def longest(self) -> int:
        """The most steps that a run of the folder has."""
        most = 0
        for name, spec in self.ragged.specs.items():
            if spec.stage == "hint":
                axis = 0 if spec.location == "graph" else 1
                shapes = self.ragged.arrays[f"shape/probe/{name}"]
                most = max(most, int(shapes[:, axis].max(initial=0)))
        return most

    def pointers(self, batch: Any, name: str) -> Tensor:
        """A probe that points at nodes, as rows of a batch; −1 stays −1."""
        found = batch[name]
        begin = batch.ptr[batch.batch].reshape(-1, *[1] * (found.dim() - 1))
        return torch.where(found < 0, found, found + begin)

    def len(self) -> int:
        return len(self.ragged)

    def get(self, idx: int) -> HintData:
        ragged, nodes = self.ragged, int(self.ragged.arrays["nodes"][idx])
        data = HintData(
            edge_index=torch.from_numpy(ragged.part("edges", idx).T.copy()),
            edge_weight=torch.from_numpy(ragged.part("weights", idx).copy()),
            num_nodes=nodes,
        )
        data.graph_name = str(ragged.arrays["names"][idx])
        for name, spec in ragged.specs.items():
            tensor = torch.from_numpy(ragged.part(f"probe/{name}", idx).copy())
            if spec.stage == "hint":
                axis = 0 if spec.location == "graph" else 1
                data.length = tensor.shape[axis]
                tensor = self._in_time(tensor, axis)
                tensor = tensor[None] if spec.location == "graph" else tensor
            data[name] = tensor
        return data

    def _in_time(self, hint: Tensor, axis: int) -> Tensor:
        steps = torch.arange(self.steps).clamp(max=hint.shape[axis] - 1)
        return hint.index_select(axis, steps)
