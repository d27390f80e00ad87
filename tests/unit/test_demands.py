"""What a program is found to ask of numbers."""

from dataclasses import replace
from fractions import Fraction

import numpy as np
import pytest

import loopwright as lw
from loopwright.algorithms import ALGORITHMS
from loopwright.compiler.soften import add_rounding
from loopwright.language.analysis import demands_of
from loopwright.language.ops import (
    Add,
    AddFrom,
    AllOne,
    Copy,
    Difference,
    LeastWhereEqual,
    LessThan,
    MarkLeast,
    Maximum,
    Minimum,
    Multiply,
    SumFrom,
    SumTo,
    Where,
)
from loopwright.language.program import Program, step
from loopwright.language.variables import MASK, OWN_INDEX, OWN_SQUARE, nodes, single
from loopwright.model.layout import Kind

EVERYONE, TERM = nodes.flag("everyone", start=1), single.flag("term")
TOTAL = nodes.value("total", start=0)
COUNT = nodes.count("count", start=0)


def program(*ops, **options):
    given = {"name": "some", "bound": (2, 3), "outputs": {"node": EVERYONE}, "halt": TERM}
    last = step("halt", AllOne(TERM, EVERYONE))
    return Program(steps=(step("do", *ops), last), **(given | options))


def test_words_of_the_author():
    kept = demands_of(program(Add(COUNT, COUNT, 1), counts=(0, 1), values="paths"))
    assert (kept.counts, kept.paths) == ((0, 1), True)
    none = demands_of(program(Add(COUNT, COUNT, 1)))
    assert (none.counts, none.paths) == ((), False)


@pytest.mark.parametrize(
    ("op", "homogeneous", "denominator"),
    [
        (Copy(TOTAL, 0), True, 1),
        (Copy(TOTAL, MASK), True, 1),
        (Copy(TOTAL, Fraction(3, 4)), False, 4),
        (Add(TOTAL, TOTAL, TOTAL), True, 1),
        (Add(TOTAL, TOTAL, COUNT), False, 1),
        (LessThan(nodes.flag("less"), TOTAL, Fraction(1, 8)), False, 8),
        (Where(TOTAL, EVERYONE, TOTAL, EVERYONE), False, 1),
        (Copy(replace(TOTAL, start=Fraction(1, 2)), 0), False, 2),
        (Add(COUNT, COUNT, 1), True, 1),
        (Multiply(TOTAL, TOTAL, 3), True, 1),
        (Multiply(TOTAL, COUNT, 3), False, 1),
        (Minimum(TOTAL, TOTAL, MASK), True, 1),
        (Minimum(TOTAL, TOTAL, Fraction(1, 4)), False, 4),
        (Maximum(TOTAL, TOTAL, COUNT), False, 1),
        (Difference(TOTAL, TOTAL, TOTAL), True, 1),
        (Difference(TOTAL, TOTAL, Fraction(1, 8)), False, 8),
    ],
)
def test_units(op, homogeneous, denominator):
    found = demands_of(program(op))
    assert (found.homogeneous, found.denominator) == (homogeneous, denominator)


def test_sums_and_means():
    none = demands_of(program(Copy(TOTAL, 0)))
    assert (none.sums_from, none.sums_to, none.averages) == (False, False, False)
    assert demands_of(program(SumFrom(TOTAL, EVERYONE))).sums_from
    assert demands_of(program(SumTo(TOTAL, EVERYONE))).sums_to
    least = nodes.flag("least")
    assert demands_of(program(MarkLeast(least, TOTAL, unless=EVERYONE))).averages
    assert not demands_of(program(MarkLeast(least, COUNT, unless=EVERYONE))).averages


@pytest.mark.parametrize(
    ("op", "multiplies"),
    [
        (Add(COUNT, COUNT, 1), False),
        (Add(COUNT, COUNT, COUNT), True),
        (Multiply(COUNT, COUNT, 1), False),
        (Multiply(COUNT, COUNT, 2), True),
        (AddFrom(COUNT, COUNT), True),
    ],
)
def test_errors_that_are_multiplied(op, multiplies):
    assert demands_of(program(op, edges="ones")).multiplies == multiplies


def test_least_numbers_of_equal_keys():
    assert demands_of(program(Copy(TOTAL, 0))).matches == ()
    key = (OWN_INDEX, OWN_SQUARE, OWN_INDEX, OWN_SQUARE)
    assert demands_of(program(LeastWhereEqual(TOTAL, TOTAL, *key))).matches == (Kind.VALUE,)
    found = demands_of(program(LeastWhereEqual(TOTAL, COUNT, *key)))
    assert (found.matches, found.homogeneous) == ((Kind.COUNT,), False)


def test_a_comparison_that_selects_at_once():
    less = nodes.flag("less", start=0)
    compare, select = LessThan(less, TOTAL, TOTAL), Where(TOTAL, less, 0, TOTAL)
    assert demands_of(program(compare, select)).chained
    assert demands_of(program(select, compare)).chained  # in the next iteration
    assert not demands_of(add_rounding(program(select, compare))).chained


@pytest.mark.parametrize("name", ["dijkstra", "bfs", "dfs", "scc", "multitask"])
def test_the_papers_constructions_round_comparisons_of_values(name):
    """Those of whole numbers are not rounded; the paper's own temperature is cold enough for it."""
    program = ALGORITHMS[name]("paper")
    model = lw.compile(program, attention="softmax", limits=lw.Limits.paper())
    compares_values = any(
        Kind.VALUE in op.compares_kinds() for at in program.steps for op in at.ops
    )
    assert model.demands.chained != compares_values
    assert model.check(np.ones((64, 64))).guaranteed
