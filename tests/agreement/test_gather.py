"""Pointers of every node: whole-number keys find one row each, up to the last digit."""

from __future__ import annotations

from fractions import Fraction

import numpy as np
import pytest

import loopwright as lw
from loopwright.errors import GraphError, ProgramError
from loopwright.lab.sweep.cast import in_dtype
from loopwright.language.ops import Add, AllOne, Copy, Gather, LessOrEqual
from loopwright.language.variables import OWN_INDEX, OWN_SQUARE, Variable, given, nodes, single
from loopwright.model.layout import Kind, Scope
from loopwright.runtime.machines import MACHINES

EVERYONE, DONE = nodes.flag("everyone", start=1), single.flag("done", start=0)
POINTER = nodes.index("pointer", start=given("pointer"))


def program(*ops, bound=(1,), **outputs):
    """The ops, once."""
    steps = (*(lw.step(str(op), op) for op in ops), lw.step("halt", AllOne(DONE, EVERYONE)))
    return lw.Program("pointers", steps, outputs, DONE, bound)


def pairs():
    """Every machine that there is for each attention."""
    return [
        (m, a) for m in MACHINES for a in ("hardmax", "softmax") if (m, a) != ("exact", "softmax")
    ]


@pytest.mark.parametrize(("machine", "attention"), pairs())
def test_a_pointer_beyond_the_last_row_finds_the_last(machine, attention):
    """The pointer of the last node is one too many, as the interpreter, the weights and the
    docstring say."""
    beyond, found = nodes.index("beyond"), nodes.index("found")
    made = program(Add(beyond, OWN_INDEX, 1), Gather(found, beyond, OWN_INDEX), found=found)
    model = lw.compile(made, attention=attention)
    wanted = {"a": "b", "b": "c", "c": "c"}
    graph = lw.Graph.from_edges([], nodes="abc")
    assert lw.interpret(made, graph).found == wanted
    assert lw.verify(model, graph, machine=machine).found == wanted


@pytest.mark.parametrize(("machine", "attention"), pairs())
def test_pointers_are_doubled(machine, attention):
    """Each node's grandparent, great-great-grandparent, …: a root points to nobody, so it is
    reached from nowhere."""
    parent = nodes.index("parent", start=given("parent"))
    count = single.count("count", start=0)
    steps = (
        lw.step("double", Gather(parent, parent, parent), Add(count, count, 1)),
        lw.step("halt", LessOrEqual(DONE, 2, count)),
    )
    made = lw.Program("double", steps, {"parent": parent}, DONE, (2,))
    model = lw.compile(made, limits=lw.Limits(nodes=9), attention=attention)
    graph = lw.Graph.from_edges([], nodes=range(9))
    answer = lw.verify(model, graph, machine=machine, parent=list(range(9)))
    assert answer.parent == {i: i - 4 if i >= 4 else None for i in range(9)}


def test_many_pointers():
    """Scores of thousands of rows are still whole numbers, and only one row is found."""
    n, value = 3000, nodes.value("value", start=given("value"))
    found, square = nodes.value("found"), nodes.square("square")
    ops = (Gather(found, POINTER, value), Gather(square, POINTER, OWN_SQUARE))
    model = lw.compile(program(*ops, found=found, square=square))
    rng = np.random.default_rng(0)
    pointer, values = rng.integers(0, n + 1, n), rng.integers(0, 2**40, n)
    given_ = {"pointer": pointer.tolist(), "value": [Fraction(int(v), 2**28) for v in values]}
    answer = model.run(lw.Graph.from_edges([], nodes=range(n)), **given_)
    wanted = np.append(0, values)[pointer] / 2**28
    np.testing.assert_array_equal(list(answer.found.values()), wanted)
    np.testing.assert_array_equal(list(answer.square.values()), pointer**2)


def test_squares_are_no_other_numbers():
    for other in (nodes.count("k"), nodes.value("v"), nodes.index("i")):
        with pytest.raises(ProgramError, match=f"'own_square' is a square, but '{other}' is a"):
            program(Copy(other, OWN_SQUARE), other=other)
    with pytest.raises(ProgramError, match="'square' is a square: it cannot be 4"):
        program(Copy(nodes.square("square"), 4), square=nodes.square("square"))
    with pytest.raises(ProgramError, match="squares are never negative"):
        Variable("s", Kind.SQUARE, Scope.NODES, signed=True)


def test_given_squares_are_squares():
    square = nodes.square("square", start=given("square"))
    model = lw.compile(program(Copy(square, square), square=square))
    graph = lw.Graph.from_edges([], nodes=range(3))
    assert model.run(graph, square=[9, 1, 4]).square == {0: 9, 1: 1, 2: 4}
    for wrong in (2, 16, -1):
        with pytest.raises(GraphError, match=f"{wrong} is no square"):
            model.run(graph, square=wrong)


def test_squares_need_digits():
    """float32 has 24 bits: 2 × 2,896² is less than 2²⁴, and 2 × 2,897² more."""
    found = nodes.index("found")
    model = lw.compile(program(Gather(found, POINTER, OWN_INDEX), found=found))
    narrow = in_dtype(model, np.dtype("float32"))
    for n, holds in ((2896, True), (2897, False)):
        certificate = narrow.check(lw.Graph.from_edges([], nodes=range(n)))
        (squares,) = (c for c in certificate.conditions if c.name == "dtype: squares")
        assert squares.holds == holds
