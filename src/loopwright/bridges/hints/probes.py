"""Probes: an array, and what it is about. The words are the benchmark's."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, field
from typing import Any, Literal

from numpy.typing import NDArray

Stage = Literal["input", "hint", "output"]
Location = Literal["node", "edge", "graph"]
Type = Literal["scalar", "mask", "mask_one", "pointer", "categorical"]


@dataclass(frozen=True)
class Spec:
    """What a probe is about: when it is known, of what, and what its numbers are."""

    stage: Stage
    location: Location
    type: Type


@dataclass(frozen=True)
class Sample:
    """One run on one graph. Hints have the time as their first axis."""

    name: str
    nodes: int
    edges: NDArray[Any]
    """(2, edges): tails and heads."""
    weights: NDArray[Any]
    probes: Mapping[str, NDArray[Any]]
    specs: Mapping[str, Spec] = field(default_factory=dict[str, Spec])

    @property
    def steps(self) -> int:
        """How many hints there are in time."""
        return next(
            (len(self.probes[name]) for name, spec in self.specs.items() if spec.stage == "hint"), 0
        )
