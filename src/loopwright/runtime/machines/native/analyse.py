"""Weights and assumptions → a form for every column that a layer changes.

This is an abstract interpretation to a fixpoint. There are two classes of rows, row 0 and the
nodes, and of each column in each class it is known that it is 0, that it is ≥ 0, or nothing. A
formula over zeros vanishes, so what only concerns single variables is computed for row 0 alone, and
what only concerns nodes for the nodes alone, though the weights say nothing of either.
"""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass
from enum import StrEnum

from loopwright.model.layout import Scope
from loopwright.runtime.machines.native.forms import (
    ZERO,
    Algebra,
    Atom,
    Carried,
    Form,
    Found,
    Global,
    Own,
    Sign,
    Signs,
    sign_of,
)
from loopwright.runtime.machines.native.numbers import Matching, Numbering
from loopwright.runtime.machines.native.sparse import SparseHead, SparseLayer, Sum, Sums


class Finds(StrEnum):
    """Which rows a row attends to, and so how what it finds is computed."""

    OWN = "own"  # itself alone: it finds its own value
    GLOBAL = "global"  # row 0 alone: it finds row 0's value
    PAIR = "pair"  # itself, row 0, or both (hardmax only): one comparison with a surveyed score
    STORED = "stored"  # row 0, or a few of the nodes, which the survey of a run has stored
    ALIKE = "alike"  # any rows, but all nodes the same: computed once for all of them
    NUMBERED = "numbered"  # the row whose number it asks for
    MATCHED = "matched"  # the rows whose key is the number that it asks for
    LIVE = "live"  # any rows: all scores are computed in every iteration


@dataclass(frozen=True)
class Plan:
    """How row 0 and how the nodes find, in one head. Row 0 knows only `OWN` and `LIVE`."""

    single: Finds = Finds.LIVE
    nodes: Finds = Finds.LIVE
    by_number: bool = False
    """Whether this follows from the numbers of rows, so that no score has to be looked at."""
    same_keys: bool = False
    """Whether all nodes answer alike, so that the score with one of them is that with all."""

    def __getitem__(self, scope: Scope) -> Finds:
        return self.single if scope is Scope.SINGLE else self.nodes


@dataclass(frozen=True)
class Assumptions:
    """What one build of the code takes for granted. Every run checks all of it first."""

    start: Signs
    """These signs are true of X₀."""
    plans: Mapping[SparseHead, Plan]
    """Rows find in each head as planned, in every iteration."""
    plain_edges: bool
    """Edges join nodes (never row 0), and none weighs less than 0."""
    alike: frozenset[int] = frozenset()
    """These columns of X₀ hold the same number at every node."""
    numberings: frozenset[Numbering] = frozenset()
    """Their columns hold the numbers of rows, squares of these, and ones. No weight writes them."""
    matchings: frozenset[Matching] = frozenset()
    """Their columns tell row 0 from the nodes. No weight writes them."""

    @staticmethod
    def none(layers: Sequence[SparseLayer], width: int) -> Assumptions:
        """Assume nothing: this is true of every X₀ and every graph."""
        anything = dict.fromkeys(Scope, (Sign.ANY,) * width)
        plans = {head: Plan() for layer in layers for head in layer.heads}
        return Assumptions(anything, plans, plain_edges=False)


@dataclass(frozen=True, eq=False)
class HeadForms:
    """What a head computes for one class of rows."""

    query: tuple[Form, ...]
    key: tuple[Form, ...]
    value: Mapping[int, Form]
    """For each column that the head writes, the form of X W_V."""
    found: Mapping[int, Form]
    """For each column where it is not certainly 0, the form of σ(…) X W_V."""


FormsByScope = Mapping[Scope, HeadForms]
"""What a head computes for both classes of rows."""


@dataclass(frozen=True, eq=False)
class LayerForms:
    """What a layer does to each class of rows."""

    before: Signs
    """What is known when the layer begins, in any iteration."""
    heads: Mapping[SparseHead, FormsByScope]
    new: Mapping[Scope, Mapping[int, Form]]
    """The new value of every column that changes."""

    @property
    def after(self) -> Signs:
        """What is known when the layer ends."""
        return {
            scope: tuple(
                sign_of(self.new[scope][column]) if column in self.new[scope] else sign
                for column, sign in enumerate(signs)
            )
            for scope, signs in self.before.items()
        }


@dataclass(frozen=True, eq=False)
class Analysis:
    """What every layer comes to, in every iteration, if the assumptions hold."""

    assumptions: Assumptions
    layers: tuple[LayerForms, ...]


def analyse(layers: Sequence[SparseLayer], assumptions: Assumptions) -> Analysis:
    """Pass through all layers until what is known at the loop's start stays true at its end."""
    start = assumptions.start
    while True:
        signs, found = start, list[LayerForms]()
        for layer in layers:
            found.append(_layer(layer, signs, assumptions))
            signs = found[-1].after
        joined = {scope: tuple(map(max, start[scope], signs[scope])) for scope in Scope}
        if joined == start:
            return Analysis(assumptions, tuple(found))
        start = joined


def _layer(layer: SparseLayer, before: Signs, assumptions: Assumptions) -> LayerForms:
    classes = [_Rows(scope, before, assumptions) for scope in Scope]
    heads = {head: {rows.scope: rows.head(head) for rows in classes} for head in layer.heads}
    new: dict[Scope, dict[int, Form]] = {}
    for rows in classes:
        result = rows.mlp(layer.mlp, rows.attend(heads))
        new[rows.scope] = {c: form for c, form in result.items() if form != rows.own(c)}
    return LayerForms(before, heads, new)


class _Rows:
    """One class of rows in one layer: makes the forms of all that they compute."""

    def __init__(self, scope: Scope, before: Signs, assumptions: Assumptions) -> None:
        self.scope, self.before, self.assumptions = scope, before, assumptions
        self.algebra = Algebra()

    def own(self, column: int) -> Form:
        """The row's own entry of a column."""
        return self.algebra.leaf(Own(column), self.before[self.scope][column])

    def of_row_zero(self, column: int) -> Form:
        """Row 0's entry of a column."""
        return self.algebra.leaf(Global(column), self.before[Scope.SINGLE][column])

    def sum(self, weights: Sum, form_of: Callable[[int], Form]) -> Form:
        """One column of a product with a weight matrix, given the form of each of its rows."""
        return self.algebra.total((k, form_of(i)) for i, k in weights)

    def head(self, head: SparseHead) -> HeadForms:
        """What a head computes, and what it finds by its plan."""
        found: dict[int, Form] = {}
        value = {column: self.sum(weights, self.own) for column, weights in head.value.items()}
        for column, weights in head.value.items():
            plan = self.assumptions.plans[head][self.scope]
            if head.chooses and self.scope is Scope.SINGLE and self.assumptions.plain_edges:
                plan = Finds.OWN  # no edge leads to row 0
            match plan:
                case Finds.OWN:
                    form = value[column]
                case Finds.GLOBAL:
                    form = self.sum(weights, self.of_row_zero)
                case _:
                    sign = max(self._value_sign(weights, scope) for scope in Scope)
                    sign = max(sign, self._edge_sign(head.edge_value.get(column, 0.0)))
                    form = self.algebra.leaf(Found(head, column), sign)
            if form:
                found[column] = form
        query, key = ([self.sum(w, self.own) for w in sums] for sums in (head.query, head.key))
        return HeadForms(tuple(query), tuple(key), value, found)

    def _value_sign(self, weights: Sum, scope: Scope) -> Sign:
        """The sign of X W_V in a class of rows; an average of numbers ≥ 0 is ≥ 0 as well."""
        signs = self.before[scope]
        return sign_of({Atom(Own(c), signs[c]): k for c, k in weights if signs[c] is not Sign.ZERO})

    def _edge_sign(self, times: float) -> Sign:
        """The sign of what the weight of an edge adds, where that is multiplied by a number."""
        if times == 0.0:
            return Sign.ZERO
        return Sign.NONNEGATIVE if self.assumptions.plain_edges and times > 0 else Sign.ANY

    def attend(self, heads: Mapping[SparseHead, FormsByScope]) -> dict[int, Form]:
        """X plus what every head brings, head by head; columns that no head writes are left out."""
        attended: dict[int, Form] = {}
        for head, forms in heads.items():
            for column in head.value:
                found = forms[self.scope].found.get(column, ZERO)
                if head.over == "I" or head.chooses:
                    brought = found
                elif not self.assumptions.plain_edges:
                    brought = self.algebra.leaf(Carried(head, column), Sign.ANY)
                elif self.scope is Scope.SINGLE:
                    brought = ZERO
                else:
                    brought = self.algebra.leaf(Carried(head, column), sign_of(found))
                so_far = attended.get(column, self.own(column))
                attended[column] = self.algebra.total([(1.0, so_far), (1.0, brought)])
        return attended

    def mlp(self, levels: Sequence[Sums], attended: Mapping[int, Form]) -> dict[int, Form]:
        """relu(relu(relu(X W¹) W²) W³) W⁴ and the residual, for every column that it may change."""

        def residual(column: int) -> Form:
            return attended[column] if column in attended else self.own(column)

        *hidden, last = levels
        form_of = residual
        for level in hidden:
            units = {unit: self.algebra.relu(self.sum(s, form_of)) for unit, s in level.items()}
            form_of = defaultdict[int, Form](lambda: ZERO, units).__getitem__
        result = dict(attended)
        for column, weights in last.items():
            added = self.sum(weights, form_of)
            result[column] = self.algebra.total([(1.0, residual(column)), (1.0, added)])
        return result
