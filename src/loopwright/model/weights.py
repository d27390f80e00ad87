"""Weights: the matrices of a looped transformer, and the layout of its input. Frozen, no code.

One layer is the paper's equations (1) and (2):

    X ← X + Σ σ(X W_Q W_Kᵀ Xᵀ) X W_V + Σ Ã σ(…) X W_V + Σ Ãᵀ σ(…) X W_V
    X ← X + relu(relu(relu(X W¹) W²) W³) W⁴

and, in models that go beyond the paper, edge heads: a row chooses among the edges that lead to it,
or among those that leave it, and sees the weight of each as one more column of the row at its end:

    xᵢ ← xᵢ + Σⱼ σ(S)ᵢⱼ [xⱼ, Aⱼᵢ] W_V,   Sᵢⱼ = (xᵢ W_Q) · ([xⱼ, Aⱼᵢ] W_K) on edges, −∞ elsewhere

Its first coordinates may be hinges: what a query and a key have there is not multiplied but added,
and rectified, as in additive attention. With u for the weights of hinges, they add

    relu(xᵢ W_Q + [xⱼ, Aⱼᵢ] W_K) · u
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Mapping
from dataclasses import dataclass, field
from fractions import Fraction
from types import NoneType
from typing import Any, Literal, get_args

import numpy as np
from numpy.typing import NDArray

from loopwright.errors import LoopwrightError, require_known, require_type, require_whole
from loopwright.model.demands import Demands, is_polynomial, polynomial
from loopwright.model.layout import Layout
from loopwright.model.limits import LARGEST_COUNT, Constants
from loopwright.model.markup import table
from loopwright.model.provenance import Parts

Matrix = NDArray[np.float64]
AttentionKind = Literal["hardmax", "softmax"]
Edges = Literal["weights", "ones"]
"""Whether a program sees the weights of edges, or 1 for every edge."""
Source = Literal["required", "optional", "none"]
"""Whether a run starts at a node that the caller names."""
Need = Literal["undirected", "acyclic", "functional"]
"""What a graph may have to be, so that a program's answer is the one that it promises."""
Over = Literal["I", "A", "AT", "E", "ET"]
HEAD_KINDS: dict[Over, str] = {"I": "standard", "A": "A", "AT": "AT", "E": "edge", "ET": "edge"}
"""What a head reads through → what it is called in reports."""
EDGE_HEADS: tuple[Over, ...] = ("E", "ET")
"""The heads that choose among edges: those into a row, and those out of it."""


def count_kinds(heads: Iterable[Head]) -> dict[str, int]:
    """How many heads there are of each kind."""
    kinds = [HEAD_KINDS[head.over] for head in heads]
    return {kind: kinds.count(kind) for kind in dict.fromkeys(HEAD_KINDS.values())}


@dataclass(frozen=True, eq=False)
class Head:
    """One attention head. Scores within `tie_tolerance` of the best share the attention (hardmax);
    `temperature` divides the scores (softmax).

    In an edge head the last row of W_K and of W_V is for the weight of an edge. Row 0 is at the end
    of an edge of weight 0 to every row, so that a row without edges finds it.
    """

    over: Over
    query: Matrix  # (d, d_a)
    key: Matrix  # (d, d_a); of an edge head (d + 1, d_a)
    value: Matrix  # (d, d); of an edge head (d + 1, d)
    tie_tolerance: float
    temperature: float
    noise: float = 0.0
    """By how much scores may be off because weights are; exact arithmetic allows for it, too."""
    hinges: Matrix = field(default_factory=lambda: np.zeros((0, 1)))
    """(h, 1): of an edge head, so many of the d_a coordinates, the first, are hinges, with these
    weights."""

    @property
    def matrices(self) -> dict[str, Matrix]:
        """Its weights by their names; hinges are among them if it has any."""
        named = {"query": self.query, "key": self.key, "value": self.value}
        return named | ({"hinges": self.hinges} if self.hinges.size else {})


@dataclass(frozen=True, eq=False)
class Layer:
    """Attention heads, then an MLP. `name` and `writes` say which step of the program it is."""

    name: str
    paper_step: int | None
    writes: tuple[str, ...]
    heads: tuple[Head, ...]
    mlp: tuple[Matrix, Matrix, Matrix, Matrix]  # four of (d, d)
    parts: Parts | None = None
    """What each head and hidden unit is there for; None where nobody said so."""


def matrices_of(layer: Layer) -> Iterator[Matrix]:
    """Those of its heads, then those of its MLP."""
    for head in layer.heads:
        yield from head.matrices.values()
    yield from layer.mlp


PARTS: dict[str, type] = {
    "name": str,
    "construction": str,
    "bound": tuple,
    "demands": Demands,
    "constants": Constants,
    "layout": Layout,
    "layers": tuple,
    "program": Mapping,
    "rationals": Mapping,
    "needs": tuple,
}
"""Part of `Weights` → its type …"""

CHOICES = {"attention": AttentionKind, "edges": Edges, "source": Source}
"""… or, of those that are one of a few words, which."""


@dataclass(frozen=True, eq=False, repr=False)
class Weights:
    """A looped transformer, and all that encoding and decoding need to know about it.

    This is the contract between the two halves of the house: the compiler makes it, a file holds
    it, and the run time, which adds methods to it as `Model`, needs nothing else.
    """

    name: str
    construction: str
    attention: AttentionKind
    edges: Edges
    source: Source
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
    source_unless: str | None = None
    """The input that does without a required source, where it is given as 1. It is about the whole
    run, so that no two nodes may be told differently."""
    needs: tuple[Need, ...] = ()
    """What the program needs every graph to be; the certificate sees to it."""
    basis: Matrix | None = None
    """An orthogonal matrix Q, (d, d): machines run on X Q, where the layout is of X. None: of I."""

    def __post_init__(self) -> None:
        """Whoever makes one by hand may have no type checker: say here what is no part of a model.

        Raises:
            LoopwrightError: naming the part that is none, or the layer of another width.
        """
        remedy = "as lw.compile(program) and lw.load(path) make it"
        for part, kind in PARTS.items():
            expected = f"of type {kind.__name__}, {remedy}"
            require_type(f"a model's {part}", getattr(self, part), kind, expected)
        for layer in self.layers:
            require_type("a model's layer", layer, Layer, f"of type Layer, {remedy}")
        if not (self.layers and is_polynomial(self.bound) and self.name.isprintable()):
            raise LoopwrightError(
                "a model needs a name that can be printed, at least one layer, and a bound of "
                f"whole numbers, {remedy}."
            )
        unless = self.source_unless
        require_type("source_unless", unless, (str, NoneType), "the name of an input, or None")
        for part, choices in CHOICES.items():
            require_known(f"{part} option", getattr(self, part), get_args(choices), of=self.name)
        for need in self.needs:
            require_known("need", need, get_args(Need), of=self.name)
        self._check_shapes()
        self._check_basis()
        self._fix()

    def _check_basis(self) -> None:
        """The basis must be orthogonal to the last bit, and leave the halting flag where it is."""
        if self.basis is None:
            return
        require_type("a model's basis", self.basis, np.ndarray, "a matrix, or None")
        halt = self.layout[self.layout.halt].first
        square = self.basis.shape == (self.width, self.width)
        if not (square and np.array_equal(self.basis @ self.basis.T, np.eye(self.width))):
            raise LoopwrightError(
                f"a model's basis must be orthogonal, {self.width} × {self.width}."
            )
        if self.basis[halt, halt] != 1:
            raise LoopwrightError("a model's basis must leave the halting flag where it is.")

    def _check_shapes(self) -> None:
        d = self.width
        for layer in self.layers:
            shapes = [m.shape for m in layer.mlp]
            if any(shape != (d, d) for shape in shapes):
                raise LoopwrightError(
                    f"layer '{layer.name}': weights must be {d} × {d}, got {shapes}."
                )
            for head in layer.heads:
                seen = d + (head.over in EDGE_HEADS)
                if head.value.shape != (seen, d):
                    raise LoopwrightError(f"layer '{layer.name}': W_V must be {seen} × {d}.")
                size = head.query.shape[-1]
                if head.query.shape != (d, size) or head.key.shape != (seen, size):
                    raise LoopwrightError(
                        f"layer '{layer.name}': W_Q must be {d} × d_a, and W_K {seen} × d_a."
                    )
                most = size if head.over in EDGE_HEADS else 0
                hinges = len(head.hinges)
                if head.hinges.shape != (hinges, 1) or hinges > most:
                    raise LoopwrightError(
                        f"layer '{layer.name}': hinges must be h × 1, with h ≤ {most}."
                    )

    def __setstate__(self, state: dict[str, Any]) -> None:
        """Copies, and models from another process, cannot be written to either."""
        self.__dict__.update(state)
        self._fix()

    def _fix(self) -> None:
        for matrix in (*self.matrices(), *(() if self.basis is None else (self.basis,))):
            matrix.flags.writeable = False

    def matrices(self) -> Iterator[Matrix]:
        """Every weight matrix, layer by layer."""
        for layer in self.layers:
            yield from matrices_of(layer)

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
        each = [count_kinds(layer.heads) for layer in self.layers]
        return {kind: max(counts[kind] for counts in each) for kind in each[0]}

    @property
    def parameters(self) -> int:
        """Weights of all stored matrices, zeros included."""
        return sum(matrix.size for matrix in self.matrices())

    @property
    def nonzeros(self) -> int:
        return sum(int(np.count_nonzero(matrix)) for matrix in self.matrices())

    def max_iterations(self, nodes: int) -> int | None:
        """The program's own bound on a graph of this size; None if it has none.

        Raises:
            LoopwrightError: if it is no number of nodes.
        """
        nodes = require_whole("nodes", nodes, most=LARGEST_COUNT)
        if not self.bound:
            return None
        return polynomial(self.bound, nodes)

    def _repr_html_(self) -> str:
        """What each layer does, and how many weights that takes."""
        rows = [
            (
                k,
                layer.paper_step,
                layer.name,
                ", ".join(HEAD_KINDS[head.over] for head in layer.heads),
                ", ".join(layer.writes),
                sum(int(np.count_nonzero(m)) for m in matrices_of(layer)),
            )
            for k, layer in enumerate(self.layers, start=1)
        ]
        heads = ("layer", "paper's step", "step", "heads", "writes", "weights not 0")
        return table(repr(self)[1:-1], heads, rows)

    def __repr__(self) -> str:
        heads = ", ".join(f"{count} {kind}" for kind, count in self.heads.items() if count)
        return (
            f"<{type(self).__name__} '{self.name}' ({self.construction}, {self.attention}): "
            f"{len(self.layers)} layers, heads {heads}, width {self.width}, "
            f"{self.nonzeros} of {self.parameters} weights not 0>"
        )
