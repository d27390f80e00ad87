"""Probes: an array, and what it is about; tasks of the benchmark, whose words these are."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from dataclasses import dataclass, field
from typing import Any, Literal

import numpy as np
from numpy.typing import NDArray

from loopwright.bridges.hints.record import Recorder
from loopwright.runtime.graph import Graph

Stage = Literal["input", "hint", "output"]
Location = Literal["node", "edge", "graph"]
Type = Literal["scalar", "mask", "mask_one", "pointer", "categorical"]


@dataclass(frozen=True)
class Spec:
    """What a probe is about: when it is known, of what, and what its numbers are."""

    stage: Stage
    location: Location
    type: Type


NODE_MASK = Spec("hint", "node", "mask")
ONE = Spec("hint", "node", "mask_one")
POINTER = Spec("hint", "node", "pointer")
SCALAR = Spec("hint", "node", "scalar")
COLOUR = Spec("hint", "node", "categorical")

Hints = dict[str, NDArray[Any]]
"""Name → (time, …)."""


@dataclass(frozen=True)
class Task:
    """A task of the benchmark, and how its hints are found in a run."""

    name: str
    specs: Mapping[str, Spec]
    find: Callable[[Recorder], Hints]
    answers: tuple[str, ...] = ()
    """The outputs of the program that answer it, if not all of them do."""


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


def one_hot(nodes: NDArray[Any], n: int) -> NDArray[np.int64]:
    """(time,) → (time, n)."""
    return (nodes[:, None] == np.arange(n)).astype(np.int64)


def adjacency(graph: Graph) -> NDArray[np.int64]:
    """1 where there is an edge, from row to column. Each node has one to itself here."""
    edges = np.eye(graph.n, dtype=np.int64)
    edges[graph.tails, graph.heads] = 1
    return edges
