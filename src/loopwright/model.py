"""Model: the weights of a looped transformer and the layout of its input. Frozen arrays, no code.

One layer is the paper's equations (1) and (2):

    X ← X + Σ σ(X W_Q W_Kᵀ Xᵀ) X W_V + Σ Ã σ(…) X W_V + Σ Ãᵀ σ(…) X W_V
    X ← X + relu(relu(relu(X W¹) W²) W³) W⁴
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Mapping
from dataclasses import dataclass
from fractions import Fraction
from os import PathLike
from typing import TYPE_CHECKING, Any, Literal

import numpy as np
from numpy.typing import NDArray

from loopwright.demands import Demands, polynomial
from loopwright.errors import LoopwrightError
from loopwright.layout import Layout
from loopwright.limits import Constants

if TYPE_CHECKING:
    from loopwright.runtime.check import Certificate
    from loopwright.runtime.decode import Answer

Matrix = NDArray[np.float64]
Over = Literal["I", "A", "AT"]
HEAD_KINDS: dict[Over, str] = {"I": "standard", "A": "A", "AT": "AT"}
"""What a head reads through → what it is called in reports."""


@dataclass(frozen=True, eq=False)
class Head:
    """One attention head. Scores within `tie_tolerance` of the best share the attention (hardmax);
    `temperature` divides the scores (softmax)."""

    over: Over
    query: Matrix  # (d, d_a)
    key: Matrix  # (d, d_a)
    value: Matrix  # (d, d)
    tie_tolerance: float
    temperature: float


@dataclass(frozen=True, eq=False)
class Layer:
    """Attention heads, then an MLP. `name` and `writes` say which step of the program it is."""

    name: str
    paper_step: int | None
    writes: tuple[str, ...]
    heads: tuple[Head, ...]
    mlp: tuple[Matrix, Matrix, Matrix, Matrix]  # four of (d, d)


@dataclass(frozen=True, eq=False)
class Model:
    """A looped transformer, and all that encoding and decoding need to know about it."""

    name: str
    construction: str
    attention: Literal["hardmax", "softmax"]
    edges: Literal["weights", "ones"]
    source: Literal["required", "optional", "none"]
    bound: tuple[int, ...]
    """The most iterations, as coefficients of a polynomial in n; empty: the caller must say."""
    demands: Demands
    constants: Constants
    layout: Layout
    layers: tuple[Layer, ...]
    program: Mapping[str, Any]
    """The program that the weights are, as JSON."""
    rationals: Mapping[float, Fraction]
    """The exact number meant by each weight that is not a float64, for exact arithmetic."""

    def __post_init__(self) -> None:
        d = self.width
        for layer in self.layers:
            shapes = [m.shape for m in layer.mlp] + [head.value.shape for head in layer.heads]
            if any(shape != (d, d) for shape in shapes):
                raise ValueError(f"layer '{layer.name}': weights must be {d} × {d}, got {shapes}")
            for head in layer.heads:
                if head.query.shape != head.key.shape or head.query.shape[0] != d:
                    raise ValueError(f"layer '{layer.name}': W_Q and W_K must both be {d} × d_a")
        for matrix in self.matrices():
            matrix.flags.writeable = False

    def matrices(self) -> Iterator[Matrix]:
        """Every weight matrix, layer by layer."""
        for layer in self.layers:
            for head in layer.heads:
                yield from (head.query, head.key, head.value)
            yield from layer.mlp

    @property
    def width(self) -> int:
        """d: it does not depend on any graph."""
        return self.layout.width

    @property
    def dtype(self) -> np.dtype[Any]:
        """The floats that the weights are."""
        return self.layers[0].mlp[0].dtype

    @property
    def heads(self) -> dict[str, int]:
        """The heads that a layer of this architecture has, by what they read through."""
        return {
            name: max(sum(head.over == over for head in layer.heads) for layer in self.layers)
            for over, name in HEAD_KINDS.items()
        }

    @property
    def parameters(self) -> int:
        """Weights of all stored matrices, zeros included."""
        return sum(matrix.size for matrix in self.matrices())

    @property
    def nonzeros(self) -> int:
        return sum(int(np.count_nonzero(matrix)) for matrix in self.matrices())

    def max_iterations(self, nodes: int) -> int | None:
        """The program's own bound on a graph of this size; None if it has none."""
        if not self.bound:
            return None
        return polynomial(self.bound, nodes)

    def run(self, graph: object, **options: Any) -> Answer:
        """Encode, loop, decode: see `loopwright.runtime.run.run`."""
        from loopwright.runtime.run import run

        return run(self, graph, **options)

    def check(self, graph: object, **options: Any) -> Certificate:
        """Is the answer guaranteed on this graph, and by which bounds? See `runtime.check`."""
        from loopwright.runtime.check import check
        from loopwright.runtime.graph import Graph

        return check(self, Graph.of(graph), **options)

    def run_many(
        self, graphs: Iterable[object], **options: Any
    ) -> Iterator[Answer | LoopwrightError]:
        """Run many graphs over the cores, in order: see `loopwright.runtime.many.run_many`."""
        from loopwright.runtime.many import run_many

        return run_many(self, graphs, **options)

    def save(self, path: str | PathLike[str]) -> None:
        """Write weights and metadata as safetensors: see `loopwright.storage`."""
        from loopwright.storage import save

        save(self, path)

    @staticmethod
    def load(path: str | PathLike[str]) -> Model:
        """Read what `save` wrote: see `loopwright.storage`."""
        from loopwright.storage import load

        return load(path)
