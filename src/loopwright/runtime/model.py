"""Model: weights with a run time. What `compile` and `load` give to their callers."""

from __future__ import annotations

from dataclasses import dataclass, fields
from fractions import Fraction
from os import PathLike

from loopwright.errors import require_type
from loopwright.model import storage
from loopwright.model.weights import Weights
from loopwright.runtime.attributes import WEIGHT
from loopwright.runtime.check import Certificate, check
from loopwright.runtime.graph import Graph
from loopwright.runtime.machines import is_exact
from loopwright.runtime.many import run_many as run_on_graphs
from loopwright.runtime.run import run as run_on_graph


@dataclass(frozen=True, eq=False, repr=False)
class Model(Weights):
    """A looped transformer that can be run, checked, saved and loaded.

    >>> import loopwright as lw
    >>> model = lw.compile(lw.algorithms.dijkstra("compact"))
    >>> model.run([("a", "b", 3)], source="a").dists
    {'a': 0.0, 'b': 3.0}
    """

    @classmethod
    def of(cls, weights: Weights) -> Model:
        """The same weights with these methods.

        Raises:
            LoopwrightError: if they are no weights.
        """
        require_type("weights", weights, Weights, "what the compiler or a file gives")
        return cls(**{field.name: getattr(weights, field.name) for field in fields(weights)})

    @classmethod
    def load(cls, path: str | PathLike[str]) -> Model:
        """Read what `save` wrote.

        Raises:
            ModelFileError: if the file is truncated, tampered with, too new, or another's.
        """
        return cls.of(storage.load(path))

    def save(self, path: str | PathLike[str]) -> None:
        """Write weights and metadata as safetensors: all of it or, if that fails, nothing.

        Raises:
            ModelFileError: if the file cannot be written.
        """
        storage.save(self, path)

    run = run_on_graph
    run_many = run_on_graphs

    def check(
        self,
        graph: object,
        *,
        weight: str | None = WEIGHT,
        machine: str = "native",
        rows: int | None = None,
        scale: Fraction | int | None = None,
    ) -> Certificate:
        """Whether the answer on this graph is guaranteed, and by which bounds, before running."""
        made = Graph.of(graph, weight=weight)
        return check(self, made, exact=is_exact(machine), rows=rows, scale=scale)
