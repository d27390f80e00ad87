"""What an op declares of itself is true of its weights: X is disturbed a little, and one layer run.

Softening, the certificate and the monitor believe these facts. Here nothing of theirs is asked:
a fact holds if the numbers that come out of the layer say so, on random uses of the op.
"""

from __future__ import annotations

from dataclasses import dataclass, fields
from functools import cache

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

import loopwright as lw
from loopwright.language import Formula, ops
from loopwright.model.layout import Kind, Scope
from loopwright.runtime.encode import encode
from loopwright.runtime.machines.reference import layer_output
from strategies import SMALL, cases

EVERY = pytest.mark.parametrize("op", ops.ALL, ids=lambda op: op.__name__)
SMALLEST = 2.0**-30
EPSILON = float(SMALL.resolution)


@dataclass
class Layer:
    """One use of an op, as a layer that can be run on other X and other graphs than its own."""

    op: ops.Op
    model: lw.Model
    x: np.ndarray
    a: np.ndarray

    @classmethod
    def of(cls, case):
        model = lw.compile(case.program, limits=case.limits)
        problem = encode(model, lw.Graph.of(case.graph), inputs=case.inputs)
        a = np.zeros((problem.rows, problem.rows))
        a[problem.tails, problem.heads] = problem.weights
        return cls(case.program.steps[0].ops[0], model, problem.x, a)

    def columns(self, variable):
        return self.model.layout[variable.name].columns

    def run(self, changes=(), edges=None):
        """`out` after the layer, with some variables moved in their own rows."""
        x = self.x.copy()
        for variable, by in changes:
            rows = slice(1, None) if variable.scope is Scope.NODES else slice(0, 1)
            x[rows, self.columns(variable)] += by
        a = self.a if edges is None else edges
        after = layer_output(self.model, self.model.layers[0], x, a)
        return after[:, self.columns(self.op.out)]

    def moved(self, variables, by):
        """How far `out` moves if these move."""
        return float(np.abs(self.run([(v, by) for v in variables]) - self.run()).max())


def over_uses(op, look, examples=25):
    """What `look` finds on random uses of an op; None where there is nothing to look at."""
    found = []

    @settings(max_examples=examples)
    @given(data=st.data())
    def draw(data):
        found.append(look(Layer.of(data.draw(cases(op, limits=(SMALL,))))))

    draw()
    return [each for each in found if each is not None]


@cache
def flags_moved(op, by):
    """How far flags move if the flags that they are made of do."""

    def look(layer):
        flags = {v for v in layer.op.reads() if v.kind is Kind.FLAG and not v.constant}
        flags -= {layer.op.out} if not op.updates else set()
        if layer.op.out.kind is not Kind.FLAG or not flags:
            return None
        return layer.moved(flags, by)

    return over_uses(op, look, examples=80 if op is ops.ReadX else 25)  # which seldom reads a flag


@EVERY
def test_rounds(op):
    """An op rounds if flags that are a little off give a flag that is not."""
    moved = flags_moved(op, 2.0**-4)
    assert op.rounds == (bool(moved) and max(moved) == 0)


@EVERY
def test_magnifies(op):
    """An op magnifies if its flag is off by many times what the flags that it reads are off."""
    moved = flags_moved(op, SMALLEST)
    assert op.magnifies == (max(moved, default=0) > 8 * SMALLEST)


@EVERY
def test_compares(op):
    """An op compares if a flag moves by a share of what a number moves in its least differences."""

    def look(layer):
        numbers = {v for v in layer.op.reads() if v.kind in (Kind.INDEX, Kind.COUNT, Kind.VALUE)}
        if layer.op.out.kind is not Kind.FLAG or not numbers:
            return None
        share = [EPSILON if v.kind is Kind.VALUE else 1 for v in numbers]
        moves = [(v, 0.22 * by) for v, by in zip(numbers, share, strict=True)]
        one = [layer.run([move]) for move in moves] + [layer.run([(v, -by)]) for v, by in moves]
        return max(float(np.abs(after - layer.run()).max()) for after in one)

    moved = over_uses(op, look, examples=60)
    compares = bool(op.compares) or op is ops.Set  # of which its formula says so
    assert compares == (max(moved, default=0) > 0.2)


@EVERY
def test_updates(op):
    """An op that does not update forgets what `out` was, unless it also reads it as an operand."""

    def look(layer):
        named = [v for v in layer.op.operands().values() if isinstance(v, Formula)]
        if any(layer.op.out in v.variables() for v in named):
            return None
        return layer.moved([layer.op.out], 1.0)

    assert op.updates == (max(over_uses(op, look)) > SMALLEST)


@EVERY
def test_edges(op):
    """An op that reads edges sees the graph; from a node, it sees them at their heads."""

    def look(layer):
        """Where in `out` anything is seen of edges that all go from node 1: nowhere, at node 1
        (edges to the nodes that are named) or at the others (edges from them)."""
        star = np.zeros_like(layer.a)
        star[1, 2:] = 3.0
        cut_off(1, layer)
        on_the_way(3.0, layer)
        seen = layer.run(edges=star) - layer.run(edges=np.zeros_like(star))
        rows = np.flatnonzero(np.abs(seen).max(axis=1))
        return "to" if 1 in rows else "from" if len(rows) else None

    assert {op.edges} - {None} == set(over_uses(op, look))


@EVERY
def test_adds_edges(op):
    """An op adds edges if two nodes that hold 1 bring what each of them brings alone."""

    def look(layer):
        held = [v for v in layer.op.reads() if v.kind is not Kind.POSITION]
        if not op.edges or op.chooses or not held or len(layer.a) < 4:
            return None
        (column,) = (layer.columns(v) for v in held)
        a = np.zeros_like(layer.a)
        a[1, 3] = a[2, 3] = a[3, 1] = a[3, 2] = 1.0
        layer.x[1:, column] = [[i < 2] for i in range(len(layer.x) - 1)]
        return float(layer.run(edges=a).max())

    brought = over_uses(op, look)
    assert op.adds_edges == (op.edges is not None and max(brought, default=0) == 2 and flagged(op))


@EVERY
def test_chooses(op):
    """An op chooses if two edges to nodes that hold the same bring no more than one of them."""

    def look(layer):
        one_node = layer.op.points_with() or "chosen" in layer.op.operands()
        if not op.edges or one_node or len(layer.a) < 4:
            return None
        held = [v for v in layer.op.reads() if not v.constant]
        for column in [layer.columns(v) for v in held]:
            layer.x[1:, column] = 1.0
        for unless in [v for name, v in layer.op.operands().items() if name == "unless"]:
            layer.x[1:, layer.columns(unless)] = 0.0
        cut_off(3, layer)
        one, two = np.zeros_like(layer.a), np.zeros_like(layer.a)
        one[1, 3] = two[1, 3] = two[2, 3] = 1.0
        one[3, 1] = two[3, 1] = two[3, 2] = 1.0
        return bool(np.array_equal(layer.run(edges=one)[3], layer.run(edges=two)[3]))

    seen = over_uses(op, look)
    assert not seen or op.chooses == all(seen) or not op.edges


def cut_off(node, layer):
    """Have all edges of a node cross the cut, if the op looks at one."""
    for across in [v for name, v in layer.op.operands().items() if name == "across"]:
        if across is not None and not across.constant:
            layer.x[1:, layer.columns(across)] = 0.0
            layer.x[node, layer.columns(across)] = 1.0


def on_the_way(weight, layer):
    """Have all edges of a weight be on the way to each node, if the op looks for such."""
    op = layer.op
    if op.retraces:
        numbers = {op.value: 1.0, op.path: 1.0 + weight * op.along, op.unless: 0.0}
        for variable, number in numbers.items():
            if not variable.constant:
                layer.x[1:, layer.columns(variable)] = number


def flagged(op):
    """Whether it may name several nodes at once; one that names a single node promises so."""
    return "chosen" not in {field.name for field in fields(op)}
