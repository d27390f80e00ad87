"""Samples of any size ⇄ one NPZ: arrays end to end, with where each begins. PyG's data are made
from it when they are asked for, so that no file holds code."""

from __future__ import annotations

import json
from collections.abc import Iterable
from dataclasses import dataclass
from functools import cached_property
from pathlib import Path
from typing import Any

import numpy as np
from numpy.typing import NDArray

from loopwright.bridges.hints.clrs import SPECIFICATION, write_arrays, write_specs
from loopwright.bridges.hints.probes import Sample, Spec
from loopwright.errors import LoopwrightError

FILE = "samples.npz"
DENSE = ("A", "adj")
"""Inputs that the edges say already."""


def write_ragged(samples: Iterable[Sample], folder: Path) -> int:
    """Write samples of any size; returns how many there are.

    Raises:
        LoopwrightError: if a file cannot be written, or if it is there already.
    """
    kept = list(samples)
    specs = dict[str, Spec](kept[0].specs) if kept else {}
    parts: dict[str, list[NDArray[Any]]] = {}
    for sample in kept:
        parts.setdefault("edges", []).append(sample.edges.T)
        parts.setdefault("weights", []).append(sample.weights)
        for name in specs:
            if name not in DENSE:
                parts.setdefault(f"probe/{name}", []).append(places_first(sample, name))
    arrays: dict[str, Any] = {
        "nodes": np.array([sample.nodes for sample in kept]),
        "names": np.array([sample.name for sample in kept]),
    }
    for name, some in parts.items():
        shapes = [each.shape for each in some]
        arrays[name] = np.concatenate([each.reshape(-1) for each in some])
        arrays[f"shape/{name}"] = np.array(shapes)
    write_specs(folder, {name: spec for name, spec in specs.items() if name not in DENSE})
    write_arrays(folder, FILE, arrays)
    return len(kept)


def places_first(sample: Sample, name: str) -> NDArray[Any]:
    """Hints of nodes as (nodes, time, …), of edges as (edges, time), so that graphs can be put one
    below the other."""
    spec, array = sample.specs[name], sample.probes[name]
    if spec.stage != "hint" or spec.location == "graph":
        return array
    if spec.location == "edge":
        array = array[:, sample.edges[0], sample.edges[1]]
    return np.swapaxes(array, 0, 1)


@dataclass(frozen=True)
class Ragged:
    """A folder that `write_ragged` wrote."""

    folder: Path

    @cached_property
    def specs(self) -> dict[str, Spec]:
        try:
            listed = json.loads((self.folder / SPECIFICATION).read_text(encoding="utf-8"))
            return {name: Spec(*of) for name, of in listed.items()}
        except (OSError, ValueError, TypeError):
            raise LoopwrightError(f"{self.folder}: no folder of samples for PyG.") from None

    @cached_property
    def arrays(self) -> dict[str, NDArray[Any]]:
        try:
            with np.load(self.folder / FILE, allow_pickle=False) as stored:
                return {name: stored[name] for name in stored.files}
        except (OSError, ValueError):
            raise LoopwrightError(f"{self.folder}: no folder of samples for PyG.") from None

    def __len__(self) -> int:
        return len(self.arrays["nodes"])

    @cached_property
    def _begins(self) -> dict[str, NDArray[Any]]:
        """Where the part of each sample begins in an array."""
        shapes = {name: a for name, a in self.arrays.items() if name.startswith("shape/")}
        return {
            name.removeprefix("shape/"): np.concatenate([[0], np.cumsum(a.prod(axis=1))])
            for name, a in shapes.items()
        }

    def part(self, name: str, sample: int) -> NDArray[Any]:
        begin = self._begins[name]
        shape = self.arrays[f"shape/{name}"][sample]
        return self.arrays[name][begin[sample] : begin[sample + 1]].reshape(shape)
