"""Weights and what is known of X₀ → a form for every column that a layer changes.

An abstract interpretation to a fixpoint: two classes of rows (row 0, and the nodes), and for each
column in each class whether it is certainly 0, certainly ≥ 0, or anything. A formula over zeros
vanishes, so what only concerns single variables is computed for row 0 alone, and what only
concerns nodes for the nodes alone, though the weights say nothing of either.
"""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass
from enum import StrEnum

from loopwright.model.layout import Scope
from loopwright.runtime.machines.native.forms import (
    ZERO,
    Algebra,
    Form,
    Found,
    Global,
    Own,
    Sign,
    Spread,
    sign_of,
)
from loopwright.runtime.machines.native.sparse import Entries, Sparse, SparseHead, SparseLayer

SINGLE, NODES = Scope.SINGLE, Scope.NODES
Signs = Mapping[Scope, tuple[Sign, ...]]
"""Of every column, in row 0 and at the nodes."""


class Finds(StrEnum):
    """Which rows a row attends to, and so how what it finds is computed."""

    OWN = "own"  # itself alone: its own value
    GLOBAL = "global"  # row 0 alone: row 0's value
    PAIR = "pair"  # itself, row 0, or both: one comparison with a stored score
    STORED = "stored"  # a stored few of the nodes, or row 0
    ALIKE = "alike"  # any rows, but all nodes the same: computed once
    LIVE = "live"  # any rows: all scores are computed


@dataclass(frozen=True)
class Plan:
    """How row 0 and the nodes find, in one head. Row 0 knows only `OWN` and `LIVE`."""

    single: Finds = Finds.LIVE
    nodes: Finds = Finds.LIVE

    def __getitem__(self, scope: Scope) -> Finds:
        return self.single if scope is SINGLE else self.nodes


@dataclass(frozen=True)
class Assumptions:
    """What one build of the code takes for granted; every run checks it first."""

    start: Signs
    plans: tuple[tuple[Plan, ...], ...]
    """One for each head of each layer."""
    plain_edges: bool
    """Edges join nodes (never row 0), and none weighs less than 0."""
    alike: frozenset[int] = frozenset()
    """Columns that hold the same at every node, and are never written."""

    @staticmethod
    def none(layers: Sequence[SparseLayer], width: int) -> Assumptions:
        """True of every X₀ and every graph."""
        anything = (Sign.ANY,) * width
        plans = tuple(tuple(Plan() for _ in layer.heads) for layer in layers)
        return Assumptions({SINGLE: anything, NODES: anything}, plans, plain_edges=False)


@dataclass(frozen=True, eq=False)
class HeadForms:
    """A head as seen from one class of rows."""

    query: tuple[Form, ...]
    key: tuple[Form, ...]
    value: Mapping[int, Form]  # column → X W_V
    found: Mapping[int, Form]  # column → σ(…) X W_V


@dataclass(frozen=True, eq=False)
class LayerForms:
    """What a layer does to each class of rows: the new value of every column that changes."""

    before: Signs
    heads: Mapping[Scope, tuple[HeadForms, ...]]
    new: Mapping[Scope, Mapping[int, Form]]
    after: Signs


@dataclass(frozen=True, eq=False)
class Analysis:
    """What every layer comes to, in every iteration, if the assumptions hold."""

    assumptions: Assumptions
    layers: tuple[LayerForms, ...]

    def changing(self, scope: Scope) -> set[int]:
        """The columns that some layer changes in these rows."""
        return {column for layer in self.layers for column in layer.new[scope]}


def analyse(layers: Sequence[SparseLayer], assumptions: Assumptions) -> Analysis:
    """Pass through all layers until what is known at the loop's start stays true at its end."""
    start = assumptions.start
    while True:
        signs, found = start, list[LayerForms]()
        for layer, plans in zip(layers, assumptions.plans, strict=True):
            found.append(_layer(layer, plans, signs, assumptions))
            signs = found[-1].after
        joined = {scope: tuple(map(max, start[scope], signs[scope])) for scope in Scope}
        if joined == start:
            return Analysis(assumptions, tuple(found))
        start = joined


def _layer(
    layer: SparseLayer, plans: Sequence[Plan], before: Signs, assumptions: Assumptions
) -> LayerForms:
    heads: dict[Scope, tuple[HeadForms, ...]] = {}
    new: dict[Scope, dict[int, Form]] = {}
    after: dict[Scope, tuple[Sign, ...]] = {}
    for scope in Scope:
        rows = _Rows(scope, before)
        heads[scope] = tuple(
            rows.head(index, head, plan[scope])
            for index, (head, plan) in enumerate(zip(layer.heads, plans, strict=True))
        )
        attended = rows.attend(layer.heads, heads[scope], plain_edges=assumptions.plain_edges)
        result = rows.mlp(layer.mlp, attended)
        new[scope] = {c: form for c, form in result.items() if form != rows.own(c)}
        after[scope] = tuple(
            sign_of(new[scope][c]) if c in new[scope] else sign
            for c, sign in enumerate(before[scope])
        )
    return LayerForms(before, heads, new, after)


class _Rows:
    """One class of rows in one layer: the algebra of what they compute."""

    def __init__(self, scope: Scope, before: Signs) -> None:
        self.scope, self.before = scope, before
        self.algebra = Algebra()

    def own(self, column: int) -> Form:
        return self.algebra.leaf(Own(column), self.before[self.scope][column])

    def of_row_zero(self, column: int) -> Form:
        return self.algebra.leaf(Global(column), self.before[SINGLE][column])

    def sum(self, entries: Entries, forms: Mapping[int, Form]) -> Form:
        return self.algebra.total((k, forms[i]) for i, k in entries if i in forms)

    def columns(self, entries: Entries) -> Form:
        return self.algebra.total((k, self.own(column)) for column, k in entries)

    def head(self, index: int, head: SparseHead, finds: Finds) -> HeadForms:
        value = {column: self.columns(entries) for column, entries in head.value.items()}
        found: dict[int, Form] = {}
        for column, entries in head.value.items():
            match finds:
                case Finds.OWN:
                    form = value[column]
                case Finds.GLOBAL:
                    form = self.algebra.total((k, self.of_row_zero(c)) for c, k in entries)
                case _:
                    sign = max(self._value_sign(entries, scope) for scope in Scope)
                    form = self.algebra.leaf(Found(index, column), sign)
            if form:
                found[column] = form
        return HeadForms(
            tuple(map(self.columns, head.query)), tuple(map(self.columns, head.key)), value, found
        )

    def _value_sign(self, entries: Entries, scope: Scope) -> Sign:
        """Of X W_V in either class: an average of numbers ≥ 0 is ≥ 0."""
        present = [(self.before[scope][column], k) for column, k in entries]
        present = [(sign, k) for sign, k in present if sign is not Sign.ZERO]
        if not present:
            return Sign.ZERO
        if all(k > 0 and sign is Sign.NONNEGATIVE for sign, k in present):
            return Sign.NONNEGATIVE
        return Sign.ANY

    def attend(
        self, heads: Iterable[SparseHead], forms: Iterable[HeadForms], *, plain_edges: bool
    ) -> dict[int, Form]:
        """X plus what every head brings, head by head; columns that no head writes are left out."""
        attended: dict[int, Form] = {}
        for index, (head, form) in enumerate(zip(heads, forms, strict=True)):
            for column in head.value:
                found = form.found.get(column, ZERO)
                if head.over == "I":
                    brought = found
                elif not plain_edges:
                    brought = self.algebra.leaf(Spread(index, column), Sign.ANY)
                elif self.scope is SINGLE:
                    brought = ZERO
                else:
                    brought = self.algebra.leaf(Spread(index, column), sign_of(found))
                so_far = attended.get(column, self.own(column))
                attended[column] = self.algebra.total([(1.0, so_far), (1.0, brought)])
        return attended

    def mlp(self, levels: tuple[Sparse, ...], attended: dict[int, Form]) -> dict[int, Form]:
        """relu(relu(relu(X W¹) W²) W³) W⁴ and the residual, for every column that it may change."""
        first, *middle, last = levels

        def value(column: int) -> Form:
            return attended[column] if column in attended else self.own(column)

        hidden = {
            unit: self.algebra.relu(self.algebra.total((k, value(c)) for c, k in entries))
            for unit, entries in first.items()
        }
        for level in middle:
            hidden = {
                unit: self.algebra.relu(self.sum(entries, hidden))
                for unit, entries in level.items()
            }
        result = dict(attended)
        for column, entries in last.items():
            added = self.sum(entries, hidden)
            result[column] = self.algebra.total([(1.0, value(column)), (1.0, added)])
        return result
