"""Hidden units that are split in two, scaled, and in another order: the same MLP, bit for bit.

relu(z)·w = relu(z)·w/4 + relu(z)·3w/4            doubled: two units share what one did
relu(z)·w = relu(2z)·w/2                          scaled by a power of two
"""

from __future__ import annotations

from dataclasses import dataclass, replace

import numpy as np
from numpy.typing import NDArray

from loopwright.circuits.basis import sorts_of
from loopwright.circuits.components import parts_of
from loopwright.model.provenance import Parts
from loopwright.model.weights import Layer, Matrix, Weights

SHARE_DOUBLED = 0.3
"""How many of the units are doubled."""
SHARES = (0.25, 0.5, 0.75)
SCALES = (0.5, 1.0, 2.0)


@dataclass(frozen=True)
class Doubling:
    """For every layer and level: which unit each new one was, its scale, and its share."""

    units: tuple[tuple[tuple[int, ...], ...], ...]
    scales: tuple[tuple[tuple[float, ...], ...], ...]
    shares: tuple[tuple[tuple[float, ...], ...], ...]

    @classmethod
    def none(cls, model: Weights) -> Doubling:
        """Every unit as it is."""
        units = tuple(
            tuple(tuple(range(count)) for count in counts_of(layer)) for layer in model.layers
        )
        ones = tuple(tuple((1.0,) * len(level) for level in levels) for levels in units)
        return cls(units, ones, ones)

    @property
    def width(self) -> int:
        """The most units of any level."""
        return max(len(level) for levels in self.units for level in levels)

    def apply(self, model: Weights) -> Weights:
        """The model with these units; it must be wide enough."""
        layers = tuple(self.layer(model, at, layer) for at, layer in enumerate(model.layers))
        exact = dict(model.rationals)
        for factor in {a * b for a in (0.25, 0.5, 0.75, 1.0, 2.0, 4.0) for b in SHARES + SCALES}:
            for number, meant in model.rationals.items():
                exact.setdefault(number * factor, meant * type(meant)(factor))
        return replace(model, layers=layers, rationals=exact)

    def layer(self, model: Weights, at: int, layer: Layer) -> Layer:
        mlp: list[Matrix] = list(layer.mlp)
        units, scales, shares = self.units[at], self.scales[at], self.shares[at]
        for level in range(3):
            old = list(units[level])
            count = len(old)
            incoming, outgoing = np.zeros_like(mlp[level]), np.zeros_like(mlp[level + 1])
            scale, share = np.array(scales[level]), np.array(shares[level])
            incoming[:, :count] = mlp[level][:, old] * scale
            outgoing[:count] = mlp[level + 1][old] * (share / scale)[:, None]
            mlp[level], mlp[level + 1] = incoming, outgoing
        parts = parts_of(model, layer)
        said = tuple(tuple(parts.units[level][u] for u in units[level]) for level in range(3))
        w1, w2, w3, w4 = mlp
        return replace(layer, mlp=(w1, w2, w3, w4), parts=Parts(parts.heads, said))


def counts_of(layer: Layer) -> list[int]:
    """How many units each level of a layer's MLP has."""
    return [int(np.count_nonzero(w.any(axis=0))) for w in layer.mlp[:3]]


def rounded_units(model: Weights, layer: Layer) -> list[NDArray[np.bool_]]:
    """Units of each level that may hold a number off the grid, a position or a mean.

    A quarter and three quarters of those need not add up to the whole, so they stay as they are.
    """
    sorts = sorts_of(model)
    columns = np.isin(np.arange(model.width), [*sorts.positions, *sorts.alone])
    found: list[NDArray[np.bool_]] = []
    for w in layer.mlp[:3]:
        columns = np.asarray(w[columns].any(axis=0))
        found.append(columns)
    return found


def doubled(model: Weights, rng: np.random.Generator) -> Doubling:
    """Some units twice, with shares that add up to 1, all scaled, in a random order."""
    units: list[tuple[tuple[int, ...], ...]] = []
    scales: list[tuple[tuple[float, ...], ...]] = []
    shares: list[tuple[tuple[float, ...], ...]] = []
    for layer in model.layers:
        found: list[list[tuple[int, float, float]]] = []
        rounded = rounded_units(model, layer)
        for count in counts_of(layer):
            level: list[tuple[int, float, float]] = []
            for u in range(count):
                twice = rng.random() < SHARE_DOUBLED and not rounded[len(found)][u]
                share = float(rng.choice(SHARES)) if twice else 1.0
                for part in (share, 1 - share) if share < 1 else (1.0,):
                    level.append((u, float(rng.choice(SCALES)), part))
            found.append([level[i] for i in rng.permutation(len(level))])
        units.append(tuple(tuple(u for u, _, _ in level) for level in found))
        scales.append(tuple(tuple(s for _, s, _ in level) for level in found))
        shares.append(tuple(tuple(p for _, _, p in level) for level in found))
    return Doubling(tuple(units), tuple(scales), tuple(shares))
