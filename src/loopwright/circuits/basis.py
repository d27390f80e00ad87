"""An orthogonal change of basis that floats carry out exactly.

A Hadamard matrix of order 4ᵏ has entries ±1 and H Hᵀ = 4ᵏ I. Divided by 2ᵏ it is orthogonal, and
all its entries are dyadic: a number on a grid of ε becomes one on a grid of ε/2ᵏ, and comes back to
the last bit, as long as no sum on the way needs more than 53 bits. `Digits` counts them.

Three kinds of columns are not mixed with each other:

    exact      numbers on the grid: these are mixed in blocks of 16 and 4
    positions  sines and cosines, which are rounded anyway: mixed with each other
    means      where attention may leave the mean of unlike numbers, say a third: on axes, as the
               halting flag is, which the loop itself reads
"""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np
from numpy.typing import NDArray

from loopwright.circuits.components import used
from loopwright.errors import CapacityError
from loopwright.model.layout import Kind, Scope
from loopwright.model.limits import MANTISSA
from loopwright.model.magnitudes import bound_of
from loopwright.model.weights import EDGE_HEADS, Head, Matrix, Weights

BLOCKS = (16, 4)
"""Orders of Hadamard matrices that are used, the largest that is filled first."""

TRANSIENT = 4
"""How many times its bound a variable may be between attention and MLP, where flags are added."""


def hadamard(order: int) -> Matrix:
    """Sylvester's matrix of an order 4ᵏ, divided by 2ᵏ.

    >>> hadamard(4)[1]
    array([ 0.5, -0.5,  0.5, -0.5])
    """
    h = np.ones((1, 1))
    while len(h) < order:
        h = np.block([[h, h], [h, -h]])
    return h / np.sqrt(order)


@dataclass(frozen=True)
class Sorts:
    """Which columns may be mixed with which."""

    exact: list[int]
    positions: list[int]
    alone: list[int]


def sorts_of(model: Weights) -> Sorts:
    layout = model.layout
    positions = {
        column
        for field in layout.fields
        if field.kind is Kind.POSITION
        for column in range(field.columns.start, field.columns.stop)
    }
    alone = {layout[layout.halt].first}
    for layer in model.layers:
        for head in layer.heads:
            if averages(model, head):
                alone |= {int(c) for c in np.flatnonzero(head.value.any(axis=0))}
    alone -= positions
    held = {c for f in layout.fields for c in range(f.columns.start, f.columns.stop)}
    return Sorts(sorted(held - positions - alone), sorted(positions), sorted(alone))


def averages(model: Weights, head: Head) -> bool:
    """Whether some row may find rows that are unlike each other, and takes their mean.

    That is so if all nodes show the same key, or if row 0, or a node, asks for nothing at all. Not
    so in an edge head: edges that tie bring the same number, and row 0 has no edge but to itself.
    """
    if head.over in EDGE_HEADS:
        return False
    layout = model.layout
    query, key = used(head.query, axis=1), used(head.key, axis=1)
    constant = np.zeros(model.width, dtype=np.bool_)
    rows: dict[Scope, NDArray[np.bool_]] = {
        scope: np.zeros(model.width, dtype=np.bool_) for scope in Scope
    }
    for field in layout.fields:
        rows[field.scope][field.columns] = True
        if field.name in ("B_global", "B_local"):
            constant[field.columns] = True
    local = layout["B_local"].first
    same_key = bool(key[local]) and not (key & ~constant).any()
    asks = all(bool((query & rows[scope]).any()) for scope in Scope)
    return same_key or not asks


def random_basis(
    model: Weights, rng: np.random.Generator, *, mixed: bool, permuted: bool
) -> Matrix:
    """Q for a model that may be wider than what its variables need: spare columns fill blocks."""
    sorts, d = sorts_of(model), model.width
    halt = model.layout[model.layout.halt].first
    known = {*sorts.exact, *sorts.positions, *sorts.alone}
    spare = [c for c in range(d) if c not in known]
    q = np.eye(d)
    if mixed:
        for columns in (sorts.exact, sorts.positions):
            left = [int(c) for c in rng.permutation(columns)]
            while len(left) > 1:
                order = BLOCKS[0] if len(left) + len(spare) >= BLOCKS[0] and len(left) > 4 else 4
                if len(left) + len(spare) < order:
                    break
                block = left[:order]
                left = left[order:]
                fill = order - len(block)
                block += spare[:fill]
                spare = spare[fill:]
                signs = rng.choice([-1.0, 1.0], size=order)
                rows = rng.permutation(order)
                q[np.ix_(block, block)] = hadamard(order)[rows] * signs
    if permuted:
        others = [c for c in range(d) if c != halt]
        order_of = dict(zip(others, rng.permutation(others), strict=True))
        q = q[:, [int(order_of.get(c, c)) for c in range(d)]]
    return np.ascontiguousarray(q)


# ── do 53 bits suffice? ─────────────────────────────────────────────────────────────────────────


def lowest_bit(weights: Matrix) -> Matrix:
    """For each weight the largest power of two that divides it; 1 for 0."""
    mantissa, exponent = np.frexp(np.where(weights == 0, 1.0, weights))
    whole = np.abs(mantissa * 2.0**MANTISSA).astype(np.int64)
    return np.ldexp((whole & -whole).astype(float), exponent - MANTISSA)


@dataclass
class Digits:
    """How large numbers get, and on which grid they are: the bits that sums of them need."""

    largest: Matrix
    grid: Matrix

    def times(self, w: Matrix) -> tuple[Digits, float]:
        """The numbers that a matrix makes of these, and the most steps of the grid in a sum."""
        used = w != 0
        steps = np.where(used, self.grid[:, None] * lowest_bit(w), np.inf).min(
            axis=0, initial=np.inf
        )
        steps = np.where(np.isfinite(steps), steps, 1.0)
        sums = self.largest @ np.abs(w)
        above = np.maximum(self.largest @ np.maximum(w, 0), 0)
        return Digits(above, steps), float((sums / steps).max(initial=0.0))

    def first(self, count: int) -> Digits:
        """The first of them alone."""
        return Digits(self.largest[:count], self.grid[:count])


def bounds_of(model: Weights) -> Matrix:
    """How large the numbers of each column of X can get, and after them an edge, (d + 1,); 0 for
    what is not a number but a position."""
    bound = np.zeros(model.width + 1)
    for field in model.layout.fields:
        if field.kind is not Kind.POSITION:
            most = float(TRANSIENT * bound_of(field.kind, model.constants))
            bound[field.columns] = np.maximum(bound[field.columns], most)
    bound[-1] = float(model.constants.largest) if model.edges == "weights" else 1.0
    return bound


def digits_of(plain: Weights, q: Matrix, *, columns: list[int]) -> float:
    """The most bits that a sum of exact columns needs in the basis Q, as a number of steps.

    `largest` is from the kinds of the variables; a hidden unit that is never negative is at most
    the sum of its positive terms.
    """
    d, fine = plain.width, float(plain.constants.resolution)
    bound, grid = bounds_of(plain), np.ones(d + 1)
    for field in plain.layout.fields:
        if field.kind is Kind.VALUE:
            grid[field.columns] = np.minimum(grid[field.columns], fine)
    grid[-1] = fine if plain.edges == "weights" else 1.0
    inside = np.append(np.isin(np.arange(d), columns), True)
    beside_edge = np.eye(d + 1)  # an edge is not mixed with anything
    beside_edge[:d, :d] = q
    finest = min(grid[:d][inside[:d]], default=1.0) * lowest_bit(q[inside[:d]]).min(initial=1.0)
    turned = Digits(
        np.append(np.where(inside, bound, 0.0)[:d] @ np.abs(q), bound[-1]),
        np.append(np.full(d, finest), grid[-1]),
    )
    needed = float((turned.largest / turned.grid)[:d].max(initial=0.0))

    def steps(w: Matrix, then: Matrix | None = None) -> float:
        """What it takes to multiply by Qᵀ W, or by Qᵀ W Q."""
        rows = len(w)
        made = beside_edge[:rows, :rows].T @ np.where(inside[:rows, None], w, 0)
        return turned.first(rows).times(made if then is None else made @ then)[1]

    for layer in plain.layers:
        for h in layer.heads:
            ties = plain.constants.nodes if h.over in EDGE_HEADS else 1  # added before their mean
            kept = np.where(inside[:d], h.value, 0)
            needed = max(needed, steps(h.query), steps(h.key), ties * steps(kept, q))
        needed = max(needed, steps(layer.mlp[0]))
        units, _ = Digits(bound[:d], grid[:d]).times(layer.mlp[0])
        for w in layer.mlp[1:3]:
            units, _ = units.times(w)
        needed = max(needed, units.times(np.where(inside[:d], layer.mlp[3], 0) @ q)[1])
    return needed


def require_exact(plain: Weights, q: Matrix) -> None:
    """Raise unless every sum in the basis Q fits into a float.

    Raises:
        CapacityError: with the bits that it takes, and limits that fit.
    """
    steps = digits_of(plain, q, columns=sorts_of(plain).exact)
    if steps > 2.0**MANTISSA:
        raise CapacityError(
            f"'{plain.name}' cannot be turned exactly: sums would take "
            f"{int(np.ceil(np.log2(steps)))} bits, and floats have {MANTISSA}. Compile it with "
            "smaller limits, as lw.Limits(nodes=32, largest=256, resolution=2**-6)."
        )
