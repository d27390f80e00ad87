"""Model: weights with a run time. What `compile` and `load` give to their callers."""

from __future__ import annotations

from dataclasses import dataclass, fields
from fractions import Fraction
from os import PathLike
from typing import Any

from loopwright.errors import GraphError, needing, require_type, require_whole
from loopwright.model import storage
from loopwright.model.weights import Weights
from loopwright.runtime import hub
from loopwright.runtime.attributes import WEIGHT
from loopwright.runtime.check import Certificate, check
from loopwright.runtime.graph import Graph
from loopwright.runtime.inputs import given_numbers, off_grid, read_inputs, row_count
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

    def save_pretrained(self, folder: str | PathLike[str]) -> None:
        """Write a folder as the Hub of Hugging Face takes it: configuration, weights, model card.

        Raises:
            ModelFileError: if a file cannot be written.
        """
        hub.save_pretrained(self, folder)

    @classmethod
    def from_pretrained(cls, folder: str | PathLike[str]) -> Model:
        """Read what `save_pretrained` wrote; no network is used.

        Raises:
            ModelFileError: if it is no such folder, or if the model in it cannot be trusted.
        """
        return cls.of(hub.load_pretrained(folder))

    run = run_on_graph
    run_many = run_on_graphs

    def plot(self) -> Any:
        """A figure of matplotlib: for each layer which columns of X it reads for which others.

        Raises:
            LoopwrightError: if matplotlib is not installed.
        """
        with needing("model.plot"):
            from loopwright.runtime.draw import draw_weights
        return draw_weights(self)

    def check(
        self,
        graph: object,
        *,
        weight: str | None = WEIGHT,
        machine: str = "native",
        max_iterations: int | None = None,
        rows: int | None = None,
        scale: Fraction | int | None = None,
        **inputs: Any,
    ) -> Certificate:
        """Whether the answer on this graph is guaranteed, and by which bounds, before running.

        It is the certificate of a `run` with the same arguments: how far numbers go depends on the
        inputs, and, where the program has no bound of its own, on the most iterations.

        Raises:
            GraphError, CapacityError: if the graph or an input is none that any run could use.
            LoopwrightError: if another argument is not of its kind.
        """
        if max_iterations is not None:
            max_iterations = require_whole("max_iterations", max_iterations)
        made, exact = Graph.of(graph, weight=weight), is_exact(machine)
        count, padded = row_count(self, made.n, rows), rows is not None
        alike, fields = self.source_unless, self.layout.fields
        given = read_inputs(self.name, fields, inputs, count, alike=alike, padded=padded)
        if strange := off_grid(self, given, exact=exact):
            raise GraphError(strange)
        return check(
            self,
            made,
            rows=rows,
            exact=exact,
            scale=scale,
            given=given_numbers(self, given),
            iterations=max_iterations,
        )
