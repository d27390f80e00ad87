"""ReLU formulas as matrices: what W¹…W⁴ compute is the formula."""

from __future__ import annotations

from fractions import Fraction

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from loopwright.compiler.assemble import MLP, TooDeep
from loopwright.compiler.linear import Column, Linear, Relu, clip, relu

COLUMNS = 4
SIGNED = (False, False, True, True)
"""The first two columns are never negative."""
dyadic = st.integers(-16, 16).map(lambda k: Fraction(k, 4))
rational = st.fractions(-4, 4, max_denominator=7)


def formulas(depth, coefficients=dyadic):
    """Sums of columns and ReLUs, nested `depth` deep at most, some parts shared."""
    columns = st.sampled_from([Linear.column(i, signed=SIGNED[i]) for i in range(COLUMNS)])
    atom = columns
    if depth:
        atom = columns | formulas(depth - 1, coefficients).map(relu)
    parts = st.lists(st.tuples(coefficients, atom), max_size=3)
    return parts.map(lambda terms: sum((k * part for k, part in terms), Linear.zero()))


@st.composite
def inputs(draw):
    """A row of X: unsigned columns are not negative."""
    return [draw(dyadic) if signed else abs(draw(dyadic)) for signed in SIGNED]


def meaning(formula, row):
    """The formula itself, in exact numbers."""
    total = Fraction(0)
    for atom, k in formula.terms.items():
        if isinstance(atom, Column):
            total += k * row[atom.index]
        else:
            total += k * max(Fraction(0), meaning(atom.of, row))
    return total


def matrices(mlp, width=COLUMNS):
    d = max(width, mlp.width)
    dense = []
    for entries in mlp.matrices():
        w = np.zeros((d, d), dtype=object)
        for (i, j), k in entries.items():
            w[i, j] = k
        dense.append(w)
    return dense


def evaluate(mlp, row, dtype=object):
    """X + relu(relu(relu(X W¹) W²) W³) W⁴, on one row."""
    w1, w2, w3, w4 = (w.astype(dtype) for w in matrices(mlp))
    x = np.array([*row, *[0] * (len(w1) - len(row))], dtype=dtype)
    z = x
    for w in (w1, w2, w3):
        z = np.maximum(z @ w, 0)
    return (x + z @ w4)[: len(row)]


@given(formula=formulas(3), row=inputs())
def test_add(formula, row):
    mlp = MLP()
    mlp.add(2, formula)
    expected = list(row)
    expected[2] += meaning(formula, row)
    np.testing.assert_array_equal(evaluate(mlp, row), expected)


@given(formula=formulas(3), row=inputs(), target=st.integers(0, COLUMNS - 1))
def test_overwrite(formula, row, target):
    mlp = MLP()
    mlp.overwrite(Column(target, SIGNED[target]), formula)
    expected = list(row)
    expected[target] = meaning(formula, row)
    np.testing.assert_array_equal(evaluate(mlp, row), expected)


@given(formula=formulas(3, rational), row=inputs())
def test_rational_coefficients(formula, row):
    mlp = MLP()
    mlp.overwrite(Column(3, True), formula)
    assert evaluate(mlp, row)[3] == meaning(formula, row)


@given(formula=formulas(2), row=inputs())
def test_dyadic_formulas_are_exact_in_floats(formula, row):
    mlp = MLP()
    mlp.overwrite(Column(0), formula)
    assert evaluate(mlp, row, np.float64)[0] == float(meaning(formula, row))


@given(first=formulas(3), second=formulas(3), row=inputs())
def test_targets_share_an_mlp_but_not_each_other(first, second, row):
    mlp = MLP()
    mlp.overwrite(Column(2, True), first)
    mlp.overwrite(Column(3, True), second)
    expected = [*row[:2], meaning(first, row), meaning(second, row)]
    np.testing.assert_array_equal(evaluate(mlp, row), expected)


@given(formula=formulas(3))
def test_width_counts_the_units(formula):
    mlp = MLP()
    mlp.add(0, formula)
    used = [j for entries in mlp.matrices()[:3] for (_, j) in entries]
    assert all(j < mlp.width for j in used)


def test_unsigned_columns_need_fewer_units():
    unsigned, signed = MLP(), MLP()
    unsigned.overwrite(Column(0), Linear.column(1))
    signed.overwrite(Column(0, signed=True), Linear.column(1, signed=True))
    assert (unsigned.width, signed.width) == (2, 4)


def test_equal_relus_share_a_unit():
    mlp = MLP()
    shared = relu(relu(relu(Linear.column(0) - Linear.column(1))))
    mlp.add(2, shared)
    once = mlp.width
    mlp.add(3, 5 * shared)
    assert (once, mlp.width) == (1, 1)


def test_too_deep():
    x = Linear.column(0)
    three = relu(relu(relu(x)) - x)
    MLP().add(0, three)
    with pytest.raises(TooDeep, match=r"nests 4 ReLUs; an MLP has 3"):
        MLP().add(0, relu(three - x))


@given(of=st.fractions(-3, 3, max_denominator=8))
def test_clip(of):
    formula = clip(Linear.column(0, signed=True), Linear.column(1))
    assert meaning(formula, [of, 1]) == min(1, max(0, of))
    assert meaning(formula, [max(of, 0) - 3, 0]) == 0  # no bias: 0 in other rows


@given(formula=formulas(3), row=inputs())
def test_nonnegative_formulas_are(formula, row):
    assert not formula.nonnegative or meaning(formula, row) >= 0
    assert Relu(formula).depth == formula.depth + 1
