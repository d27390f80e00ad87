"""The same function, but not readable off the axes: model → model and ground truth.

Each disguise leaves every answer as it is, on every machine:

    distractors  more ops, which compute something that no answer depends on
    units        hidden units doubled, scaled by powers of two, and in another order
    basis        columns permuted, and mixed by an exactly orthogonal matrix (see `basis`)
    noise        weights of queries and keys off by less than what the choice of a head forgives
"""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, replace
from fractions import Fraction

import numpy as np

from loopwright.circuits.basis import (
    BLOCKS,
    bounds_of,
    digits_of,
    random_basis,
    require_exact,
    sorts_of,
)
from loopwright.circuits.circuit import Circuit, circuit
from loopwright.circuits.components import Grain
from loopwright.circuits.distract import with_distractors
from loopwright.circuits.units import Doubling, doubled
from loopwright.compiler.assemble import Entries
from loopwright.compiler.compile import Rounding, compile
from loopwright.errors import CapacityError, require_type, require_whole
from loopwright.language.program import Program
from loopwright.language.serial import from_json
from loopwright.model.layout import Kind
from loopwright.model.limits import MANTISSA, Limits
from loopwright.model.weights import EDGE_HEADS, Head, Layer, Matrix, Weights
from loopwright.runtime.model import Model

MOST_NODES = 64
"""Nodes that a model is compiled for again where its own limits leave no bits for a mixed basis."""

FINEST = 28
"""Bits after the point of the finest resolution that is tried."""


@dataclass(frozen=True, repr=False)
class Disguised:
    """A model, and what is known of it."""

    model: Model
    """What is looked at."""
    aligned: Model
    """The same without basis and noise: heads and hidden units are where they are in `model`, and
    say what they are there for."""
    directions: Mapping[str, Matrix]
    """Variable → the directions in which the residual stream of `model` holds it, one row each."""
    units: tuple[tuple[tuple[int, ...], ...], ...]
    """Layer, level, hidden unit → which unit it was before units were doubled."""

    def circuit(self, *, grain: Grain = "head") -> Circuit:
        """The circuit that is planted in the model: names of components are the model's."""
        return circuit(self.aligned, grain=grain)

    def __repr__(self) -> str:
        return f"<Disguised {self.model!r}>"


def disguise(
    model: Weights,
    *,
    seed: int,
    permute: bool = True,
    mix: bool = True,
    units: bool = True,
    distractors: int = 2,
    noise: bool = True,
) -> Disguised:
    """A model with the same answers whose circuit cannot be read off its axes, and the circuit.

    Args:
        seed: everything random follows from it.
        permute: whether columns of the residual stream are in another order.
        mix: whether they are mixed, by Hadamard matrices.
        units: whether some hidden units are doubled, and all are in another order. Where the
            model's limits leave too few bits for these two, it is compiled for smaller ones, which
            its certificate then states.
        distractors: how many small circuits that compute something else are added.
        noise: whether weights of queries and keys are off a little.

    >>> import loopwright as lw
    >>> plain = lw.compile(lw.algorithms.dijkstra())
    >>> hidden = disguise(plain, seed=0)
    >>> hidden.model.run([("a", "b", 3), ("b", "c", 0.5)], source="a").dists
    {'a': 0.0, 'b': 3.0, 'c': 3.5}
    >>> hidden.directions["dists"].shape, len(hidden.circuit().inside)
    ((1, 17), 130)

    Raises:
        CapacityError: if no limits leave enough bits.
        LoopwrightError: if an argument is not of its kind, or the model's attention is softmax.
    """
    require_type("model", model, Weights, "what lw.compile(program) or lw.load(path) gives")
    seed = require_whole("seed", seed, least=0)
    count = require_whole("distractors", distractors, least=0, most=16)
    for name, given in (("permute", permute), ("mix", mix), ("units", units), ("noise", noise)):
        require_type(name, given, bool, "True or False")
    if model.attention != "hardmax" or model.basis is not None:
        what = "in disguise already" if model.basis is not None else "one of softmax"
        raise CapacityError(f"'{model.name}' is {what}: disguise a plain model of hardmax.")
    rng = np.random.default_rng([seed, 19])
    program = with_distractors(from_json(dict(model.program)), count, rng)
    plain = fitting(program, model, mix=mix, units=units)
    doubling = doubled(plain, rng) if units else Doubling.none(plain)
    aligned = Model.of(doubling.apply(widened(plain, doubling.width, mix=mix)))
    q = random_basis(aligned, rng, mixed=mix, permuted=permute)
    if mix:
        require_exact(aligned, q)
    turned = in_basis(aligned, q)
    made = with_noise(turned, aligned, q, rng) if noise else turned
    return Disguised(
        Model.of(made),
        aligned,
        {field.name: q[field.columns] for field in aligned.layout.fields},
        doubling.units,
    )


# ── limits ──────────────────────────────────────────────────────────────────────────────────────


def fitting(program: Program, model: Weights, *, mix: bool, units: bool) -> Weights:
    """The program, compiled with the model's limits; or with the finest that leave bits enough."""
    found = compile(program, limits=model.constants)
    if not (mix or units) or steps(found, mix=mix) <= 2.0**MANTISSA:
        return found
    nodes = min(model.constants.nodes, MOST_NODES)
    largest = min(model.constants.largest, Fraction(16 * nodes))
    coarse, fine, best = 0, FINEST, None
    while coarse <= fine:  # the finer the resolution, the more bits it takes
        bits = (coarse + fine) // 2
        resolution = max(Fraction(1, 2**bits), model.constants.resolution)
        limits = Limits(nodes=nodes, largest=largest, resolution=resolution)
        found = compile(program, limits=limits)
        if steps(found, mix=mix) <= 2.0**MANTISSA:
            coarse, best = bits + 1, found
        else:
            fine = bits - 1
    if best is None:
        raise CapacityError(
            f"'{model.name}' has too large numbers for that, whatever its limits: use mix=False, "
            "or units=False."
        )
    return best


def steps(plain: Weights, *, mix: bool) -> float:
    """The bits that it takes at most: every exact column in a block of the largest order."""
    wide = widened(plain, 0, mix=mix)
    q = random_basis(wide, np.random.default_rng(0), mixed=mix, permuted=False)
    return 4 * digits_of(wide, q, columns=sorts_of(wide).exact)  # doubled units take two bits


# ── the steps ───────────────────────────────────────────────────────────────────────────────────


def widened(model: Weights, hidden: int, *, mix: bool) -> Weights:
    """The same with more columns, of zeros: room to fill blocks, and for hidden units."""
    sorts = sorts_of(model)
    spare = 0
    for columns in (sorts.exact, sorts.positions) if mix else ():
        order = BLOCKS[0] if len(columns) > BLOCKS[1] else BLOCKS[1]
        spare += -len(columns) % order
    used = len(sorts.exact) + len(sorts.positions) + len(sorts.alone)
    d = max(model.width, used + spare, hidden)

    def padded(w: Matrix, columns: int) -> Matrix:
        """More rows and columns; what an edge head has for the edge stays its last row."""
        was, (rows, filled) = model.width, w.shape
        wide = np.zeros((d + rows - was, columns))
        wide[:was, :filled], wide[d:, :filled] = w[:was], w[was:]
        return wide

    layers: list[Layer] = []
    for layer in model.layers:
        heads = tuple(
            replace(
                head,
                query=padded(head.query, head.query.shape[1]),
                key=padded(head.key, head.key.shape[1]),
                value=padded(head.value, d),
            )
            for head in layer.heads
        )
        w1, w2, w3, w4 = (padded(w, d) for w in layer.mlp)
        layers.append(replace(layer, heads=heads, mlp=(w1, w2, w3, w4)))
    return replace(model, layout=replace(model.layout, width=d), layers=tuple(layers))


def in_basis(model: Weights, q: Matrix) -> Weights:
    """Weights that do to X Q what these do to X, in exact numbers: W becomes Qᵀ W, or Qᵀ W Q.

    What an edge head sees of an edge, beside X, stays as it is.
    """
    rounding = Rounding()
    exact = model.rationals
    turn = [
        [(int(j), Fraction(float(row[j]))) for j in np.flatnonzero(row)] for row in q
    ]  # column of X → where it goes, and how much of it
    turn.append([(model.width, Fraction(1))])

    def entries(w: Matrix) -> Entries:
        return {
            (int(i), int(j)): exact.get(float(w[i, j]), Fraction(float(w[i, j])))
            for i, j in np.argwhere(w)
        }

    def into(found: Entries) -> Entries:
        """Qᵀ W"""
        made: Entries = {}
        for (i, j), k in found.items():
            for row, share in turn[i]:
                made[row, j] = made.get((row, j), Fraction(0)) + share * k
        return {at: k for at, k in made.items() if k}

    def out_of(found: Entries) -> Entries:
        """W Q"""
        made: Entries = {}
        for (i, j), k in found.items():
            for column, share in turn[j]:
                made[i, column] = made.get((i, column), Fraction(0)) + share * k
        return {at: k for at, k in made.items() if k}

    d = model.width

    def head(one: Head) -> Head:
        return replace(
            one,
            query=rounding.dense(into(entries(one.query)), *one.query.shape),
            key=rounding.dense(into(entries(one.key)), *one.key.shape),
            value=rounding.dense(out_of(into(entries(one.value))), *one.value.shape),
        )

    def layer(one: Layer) -> Layer:
        w1, w2, w3, w4 = one.mlp
        mlp = (
            rounding.dense(into(entries(w1)), d, d),
            rounding.dense(entries(w2), d, d),
            rounding.dense(entries(w3), d, d),
            rounding.dense(out_of(entries(w4)), d, d),
        )
        return replace(one, heads=tuple(map(head, one.heads)), mlp=mlp, parts=None)

    layers = tuple(map(layer, model.layers))
    return replace(model, layers=layers, rationals=rounding.inexact, basis=q)


def with_noise(turned: Weights, aligned: Weights, q: Matrix, rng: np.random.Generator) -> Weights:
    """Queries and keys that are off, so that no score is by more than a quarter of its tolerance.

    A score is q·k. With every number of X below its bound, queries that are off by η in each weight
    are off by η·Σ|x|, and so is the score by that times the key; keys likewise. In a hinge it is
    off by its weight times what query and key are off by. Products
    that were exact may then be rounded, but by no more: a query that is off by a bit, ulp(q), makes
    the score off by ulp(q)·k, which is below the tolerance or the bit was not there.
    """
    bound = np.maximum(bounds_of(aligned), 1)
    for field in aligned.layout.fields:
        if field.kind is Kind.POSITION:
            bound[field.columns] = np.maximum(bound[field.columns], 2.0)
    total = float((bound[:-1] @ np.abs(q)).sum())

    def head(now: Head, before: Head) -> Head:
        asked, shown = (
            float((bound[: len(w)] @ np.abs(w)).sum()) for w in (before.query, before.key)
        )
        allowed = before.tie_tolerance / 4
        seen = total + (bound[-1] if before.over in EDGE_HEADS else 0)
        bent = float(np.abs(before.hinges).sum())
        most = allowed / (4 * seen * (asked + shown + 2 * bent + 1))
        noise_q, noise_k = (rng.uniform(-most, most, w.shape) for w in (now.query, now.key))
        return replace(now, query=now.query + noise_q, key=now.key + noise_k, noise=allowed)

    layers = tuple(
        replace(
            now,
            heads=tuple(head(*pair) for pair in zip(now.heads, before.heads, strict=True)),
        )
        for now, before in zip(turned.layers, aligned.layers, strict=True)
    )
    return replace(turned, layers=layers)
