"""A model → its components: what adds to the residual stream X, and what reads from it.

Everything that a layer does goes through X. A source adds to some columns of it, a reader takes
some columns; so which source can reach which reader is seen from the zeros of the weights.

    input.NAME      a variable's start, as encoding lays it out; `input.graph` is Ã
    aℓ.hι           head ι of layer ℓ; it reads X three times, as <q>, <k> and <v>, and Ã as <g>
    mℓ              the MLP of layer ℓ as a whole …
    mℓ.k.u          … or unit u of its hidden level k: those of level 1 read X, of level 3 add to it
    halt            the loop itself, which reads the halting flag after every iteration
    logits          decoding, which reads the outputs at the end
"""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass
from typing import Literal

import numpy as np
from numpy.typing import NDArray

from loopwright.errors import LoopwrightError
from loopwright.model.layout import Field, Kind
from loopwright.model.provenance import Parts
from loopwright.model.weights import Layer, Matrix, Weights

Columns = NDArray[np.bool_]
"""Which columns of X, (d,)."""
Grain = Literal["step", "head", "unit"]
Port = Literal["", "q", "k", "v", "g"]
"""Which of its inputs a reader reads: a head has several, all others one."""

GRAPH, HALT, LOGITS = "input.graph", "halt", "logits"


@dataclass(frozen=True)
class Source:
    """Something that adds to X."""

    name: str
    columns: Columns
    moment: int
    """When in an iteration it does so: 2ℓ for attention of layer ℓ, 2ℓ + 1 for its MLP, −1 for what
    is there when a run begins."""


@dataclass(frozen=True)
class Reader:
    """Something that reads X: one input of a component."""

    name: str
    port: Port
    columns: Columns
    moment: int
    """Before what is added at this moment; 2L, past all layers, for the loop and for decoding."""


def head_name(layer: int, head: int) -> str:
    return f"a{layer}.h{head}"


def mlp_name(layer: int) -> str:
    return f"m{layer}"


def unit_name(layer: int, level: int, unit: int) -> str:
    return f"m{layer}.{level}.{unit}"


def used(matrix: Matrix, *, axis: int) -> Columns:
    """Which of its columns (axis 0) or rows (axis 1) a matrix has weights in."""
    return np.asarray(matrix.any(axis=axis))


def of_x(matrix: Matrix, model: Weights) -> Columns:
    """Which columns of X a matrix reads: its last row is for the edge, if it is an edge head's."""
    return used(matrix[: model.width], axis=1)


def sources_of(model: Weights, grain: Grain) -> Iterator[Source]:
    """All that adds to X, in the order of time."""
    for field in model.layout.after(-1):
        columns = np.zeros(model.width, dtype=np.bool_)
        columns[field.columns] = starts(field)
        yield Source(f"input.{field.name}", columns, -1)
    for at, layer in enumerate(model.layers):
        for h, head in enumerate(layer.heads):
            yield Source(head_name(at, h), used(head.value, axis=0), 2 * at)
        if grain == "unit":
            for u in np.flatnonzero(layer.mlp[3].any(axis=1)):
                yield Source(unit_name(at, 3, int(u)), layer.mlp[3][u] != 0, 2 * at + 1)
        else:
            yield Source(mlp_name(at), used(layer.mlp[3], axis=0), 2 * at + 1)


def starts(field: Field) -> list[bool]:
    """Which columns of a variable begin with something else than 0, in some row of some run."""
    if isinstance(field.start, str) or field.at_source:
        return [True] * field.kind.width
    nowhere = field.kind is Kind.POSITION and field.start == 0
    return [False, True] if nowhere else [bool(field.start)] * field.kind.width


def readers_of(model: Weights, grain: Grain) -> Iterator[Reader]:
    """All that reads X, in the order of time."""
    for at, layer in enumerate(model.layers):
        for h, head in enumerate(layer.heads):
            shared = used(head.query, axis=0) & used(head.key, axis=0)  # else the product is 0
            shared[: len(head.hinges)] = True
            query, key = (of_x(w[:, shared], model) for w in (head.query, head.key))
            value = of_x(head.value, model)
            ports: tuple[tuple[Port, Columns], ...] = (("q", query), ("k", key), ("v", value))
            for port, columns in ports:
                yield Reader(head_name(at, h), port, columns, 2 * at)
        if grain == "unit":
            for u in np.flatnonzero(layer.mlp[0].any(axis=0)):
                name = unit_name(at, 1, int(u))
                yield Reader(name, "", layer.mlp[0][:, u] != 0, 2 * at + 1)
        else:
            yield Reader(mlp_name(at), "", used(layer.mlp[0], axis=1), 2 * at + 1)
    layout, end = model.layout, 2 * len(model.layers)
    halt, outputs = (np.zeros(model.width, dtype=np.bool_) for _ in range(2))
    halt[layout[layout.halt].columns] = True
    for name in layout.outputs.values():
        outputs[layout[name].columns] = True
    yield Reader(HALT, "", halt, end)
    yield Reader(LOGITS, "", outputs, end)


def wires_of(model: Weights) -> Iterator[tuple[str, str, int, int, int, int]]:
    """Where a hidden unit reads one of the level below: names, layer, level, and both units."""
    for at, layer in enumerate(model.layers):
        for level in (1, 2):
            for below, above in np.argwhere(layer.mlp[level]):
                u, v = int(below), int(above)
                yield unit_name(at, level, u), unit_name(at, level + 1, v), at, level, u, v


def parts_of(model: Weights, layer: Layer) -> Parts:
    """What the compiler said of a layer.

    Raises:
        LoopwrightError: if it said nothing, as before it knew how to.
    """
    if layer.parts is None:
        raise LoopwrightError(
            f"'{model.name}' does not say what its heads and units are there for: compile it again."
        )
    return layer.parts


def erased_at(model: Weights) -> list[Columns]:
    """For each moment of an iteration, the columns whose old content is taken away then."""
    erased: list[Columns] = []
    for layer in model.layers:
        parts = parts_of(model, layer)
        heads, mlp = (np.zeros(model.width, dtype=np.bool_) for _ in range(2))
        for head, moves in zip(layer.heads, parts.heads, strict=True):
            if any(move.clears for move in moves):
                heads |= np.diag(head.value) == -1
        for units in parts.units[-1:]:
            for unit in units:
                for name in unit.erases:
                    mlp[model.layout[name].columns] = True
        erased += [heads, mlp]
    return erased
