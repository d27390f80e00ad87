"""Samples ⇄ NPZ in the benchmark's layout, for NumPy alone.

    clrs-n00016.npz      all samples of 16 nodes: input/…, hint/…, output/…, lengths, names
    specification.json   name → [stage, location, type], as the benchmark's SPECS have it

Arrays are batch first: inputs and outputs (graphs, …), hints (graphs, time, …), and `lengths` says
how many steps of each graph are valid; those after repeat the last. `Batch.time_major` turns hints
to (time, graphs, …), as the benchmark's own samplers have them.
"""

from __future__ import annotations

import json
from collections.abc import Callable, Iterable, Iterator, Mapping
from dataclasses import dataclass
from os import PathLike
from pathlib import Path
from typing import Any, BinaryIO

import numpy as np
from numpy.typing import NDArray

from loopwright.bridges.hints.probes import Sample, Spec
from loopwright.errors import LoopwrightError
from loopwright.model.files import write_whole
from loopwright.model.paths import path_of

SPECIFICATION = "specification.json"


@dataclass(frozen=True)
class Batch:
    """All samples with the same number of nodes."""

    nodes: int
    names: list[str]
    lengths: NDArray[Any]
    probes: dict[str, NDArray[Any]]
    specs: dict[str, Spec]

    def of(self, stage: str) -> dict[str, NDArray[Any]]:
        """The probes of a stage: input, hint or output."""
        return {name: self.probes[name] for name, spec in self.specs.items() if spec.stage == stage}

    def time_major(self) -> dict[str, NDArray[Any]]:
        """Hints as (time, graphs, …)."""
        return {name: np.swapaxes(hint, 0, 1) for name, hint in self.of("hint").items()}


def write_clrs(samples: Iterable[Sample], folder: Path) -> int:
    """Write samples, one file for each number of nodes; returns how many there are.

    Raises:
        LoopwrightError: if a file cannot be written, or if it is there already.
    """
    sizes = dict[int, list[Sample]]()
    for sample in samples:
        sizes.setdefault(sample.nodes, []).append(sample)
    for some in sizes.values():
        write_specs(folder, some[0].specs)
        break
    for nodes, some in sorted(sizes.items()):
        write_arrays(folder, f"clrs-n{nodes:05}.npz", batch_arrays(some))
    return sum(map(len, sizes.values()))


def batch_arrays(samples: list[Sample]) -> dict[str, NDArray[Any]]:
    longest = max(sample.steps for sample in samples)
    arrays: dict[str, NDArray[Any]] = {
        "lengths": np.array([sample.steps for sample in samples]),
        "names": np.array([sample.name for sample in samples]),
    }
    for name, spec in samples[0].specs.items():
        rows = [sample.probes[name] for sample in samples]
        if spec.stage == "hint":
            rows = [lengthened(row, longest) for row in rows]
        arrays[f"{spec.stage}/{name}"] = np.stack(rows)
    return arrays


def lengthened(hint: NDArray[Any], steps: int) -> NDArray[Any]:
    """The last step again, until there are so many."""
    return np.concatenate([hint, np.repeat(hint[-1:], steps - len(hint), axis=0)])


def read_clrs(folder: str | PathLike[str]) -> Iterator[Batch]:
    """The batches of a folder, smallest graphs first.

    Raises:
        LoopwrightError: if the folder holds no such data.
    """
    path = path_of(folder, LoopwrightError)
    try:
        listed = json.loads((path / SPECIFICATION).read_text(encoding="utf-8"))
        specs = {name: Spec(*of) for name, of in listed.items()}
    except (OSError, ValueError, TypeError):
        raise LoopwrightError(f"{path}: no folder of hints in the benchmark's layout.") from None
    for file in sorted(path.glob("clrs-n*.npz")):
        with np.load(file, allow_pickle=False) as stored:
            arrays = {name: stored[name] for name in stored.files}
        probes = {name.partition("/")[2]: array for name, array in arrays.items() if "/" in name}
        nodes = int(file.stem.removeprefix("clrs-n"))
        yield Batch(nodes, arrays["names"].tolist(), arrays["lengths"], probes, specs)


def write_specs(folder: Path, specs: Mapping[str, Spec]) -> None:
    """What each probe is about, beside the arrays."""
    listed = {name: [spec.stage, spec.location, spec.type] for name, spec in specs.items()}
    text = json.dumps(listed, indent=1).encode()
    write_new(folder, SPECIFICATION, lambda file: file.write(text))


def write_arrays(folder: Path, name: str, arrays: Mapping[str, Any]) -> None:
    """As NPZ, which holds no code."""
    write_new(folder, name, lambda file: np.savez_compressed(file, allow_pickle=False, **arrays))


def write_new(folder: Path, name: str, write: Callable[[BinaryIO], object]) -> None:
    """A file of a new folder, whole or not at all.

    Raises:
        LoopwrightError: if it is there already, or cannot be written.
    """
    path = folder / name
    if path.exists():
        raise LoopwrightError(f"{path} is there already: choose a new folder.")
    try:
        folder.mkdir(parents=True, exist_ok=True)
        write_whole(path, write)
    except OSError as problem:
        raise LoopwrightError(f"{path}: {problem.strerror or problem}.") from None
