"""ReLU formulas → W⁽¹⁾…W⁽⁴⁾: the one place that splits signs, carries, and erases.

The paper's MLP is X + relu(relu(relu(X W¹) W²) W³) W⁴. [P Eq. 2] Hidden units exist at levels 1, 2
and 3. A formula of depth k has its outermost ReLU at level k; what it needs from further down is
carried up by units that hold a sum of non-negative parts, which a ReLU leaves alone:

    x           →  relu(x) − relu(−x)                 sign splitting, at level 1
    Σ⁺ − Σ⁻     →  relu(Σ⁺) − relu(Σ⁻)                carrying: two units, however many parts
    out ← new   →  W⁴ adds new − old to the residual   erasing
"""

from __future__ import annotations

from collections import defaultdict
from fractions import Fraction

from loopwright.compiler.linear import Atom, Column, Linear, Relu

LEVELS = 3
"""ReLUs between the four matrices."""

Entries = dict[tuple[int, int], Fraction]
"""A sparse matrix: (row, column) → weight."""


class TooDeep(ValueError):
    """A formula nests more ReLUs than an MLP has."""


def check_depth(formula: Linear) -> None:
    if formula.depth > LEVELS:
        raise TooDeep(f"a formula nests {formula.depth} ReLUs; an MLP has {LEVELS}")


class MLP:
    """Collects what one layer's MLP adds to each column; `matrices` lays it out."""

    def __init__(self) -> None:
        self._matrices: tuple[Entries, ...] = tuple(defaultdict(Fraction) for _ in range(4))
        self.units: tuple[dict[Relu, int], ...] = tuple({} for _ in range(LEVELS + 1))
        """For each level, from 1 on, the ReLUs that its units hold."""
        self.written: set[tuple[int, int]] = set()
        """(unit of the last level, column): it is a part of what the column is to hold."""
        self.erased: set[tuple[int, int]] = set()
        """(unit of the last level, column): it is a part of what the column held."""

    def add(self, target: int, formula: Linear, *, erases: bool = False) -> None:
        """X[:, target] += formula"""
        check_depth(formula)
        for unit, k in self._lift(formula, LEVELS).items():
            self._matrices[3][unit, target] += k
            (self.erased if erases else self.written).add((unit, target))

    def overwrite(self, target: Column, formula: Linear) -> None:
        """X[:, target] = formula

        Old and new travel in units of their own, so that neither rounds the other before W⁴
        subtracts them; where the new contains the old as it is, only the rest travels.
        """
        old = Linear({target: Fraction(1)})
        if formula.terms.get(target) == 1:
            self.add(target.index, formula - old)
        else:
            self.add(target.index, formula)
            self.add(target.index, -old, erases=True)

    @property
    def levels(self) -> tuple[int, ...]:
        """How many units each level has."""
        return tuple(len(units) for units in self.units[1:])

    @property
    def width(self) -> int:
        """The most units that any level needs."""
        return max(self.levels)

    def matrices(self) -> tuple[Entries, ...]:
        return tuple({at: k for at, k in m.items() if k} for m in self._matrices)

    def _lift(self, formula: Linear, level: int) -> dict[int, Fraction]:
        """The formula as a sum over hidden units of a level."""
        here: dict[int, Fraction] = {}
        carried: dict[int, dict[Atom, Fraction]] = {+1: {}, -1: {}}
        for atom, k in _split_signs(formula).terms.items():
            assert isinstance(atom, Relu)
            if atom.depth == level:
                here[self._unit(atom, level)] = k
            else:
                carried[1 if k > 0 else -1][atom] = abs(k)
        for sign, parts in carried.items():
            if parts:
                unit = self._unit(Relu(Linear(parts)), level)
                here[unit] = here.get(unit, Fraction(0)) + sign
        return here

    def _unit(self, relu: Relu, level: int) -> int:
        """The hidden unit of a level that holds this ReLU, made on first use."""
        units = self.units[level]
        if relu not in units:
            units[relu] = len(units)
            matrix = self._matrices[level - 1]
            if level == 1:
                for atom, k in relu.of.terms.items():
                    assert isinstance(atom, Column)
                    matrix[atom.index, units[relu]] += k
            else:
                for below, k in self._lift(relu.of, level - 1).items():
                    matrix[below, units[relu]] += k
        return units[relu]


def _split_signs(formula: Linear) -> Linear:
    """Columns as ReLUs: x = relu(x) − relu(−x), or just relu(x) if it is never negative."""
    total: dict[Atom, Fraction] = {}

    def count(relu: Relu, k: Fraction) -> None:
        total[relu] = total[relu] + k if relu in total else k

    for atom, k in formula.terms.items():
        if isinstance(atom, Relu):
            count(atom, k)
            continue
        x = Linear({atom: Fraction(1)})
        count(Relu(x), k)
        if atom.signed:
            count(Relu(-x), -k)
    return Linear(total)
