"""Random looped transformers that mean nothing: all that a machine may assume is the weights.

Weights are halves and small whole numbers, so that a few layers stay exact in float64. Heads are
drawn from what constructions use (own row, row 0, mean, pointed) and from random scores; edge heads
also in layers that come to rest, where rows that change are few.
"""

from __future__ import annotations

from dataclasses import replace
from fractions import Fraction
from functools import cache

import numpy as np

import loopwright as lw
from loopwright import Limits
from loopwright.model.layout import OWN, Field, Kind, Layout, Scope
from loopwright.model.weights import Head, Layer, Weights
from loopwright.runtime.encode import Problem, positions

CONSTANTS = Limits(nodes=16, largest=64, resolution=Fraction(1, 2**20)).constants()
B_GLOBAL, B_LOCAL, P, INDEX, POINTER = 0, 1, 2, 4, 5
FIXED = 7
"""Columns from here on may be written; those before are the same in every model."""
SMALL = (-1.0, -0.5, 0.5, 1.0, 1.0, 2.0)


@cache
def template() -> Weights:
    """Gives what a machine does not look at."""
    return lw.compile(lw.algorithms.bfs("paper"))


class Fuzz:
    """Draws a model and problems for it from one seed."""

    def __init__(self, seed: int, *, attention: str = "hardmax", settles: bool = False) -> None:
        """`settles`: nodes and row 0 take over what they find, along edges or not, until nothing is
        new to anybody."""
        self.rng = np.random.default_rng(seed)
        self.width = int(self.rng.integers(FIXED + 2, FIXED + 8))
        self.attention = attention
        self.numbers = [B_GLOBAL, B_LOCAL, INDEX, *range(FIXED, self.width)]
        self.written = self.rng.permutation(range(FIXED, self.width))[: self.rng.integers(2, 6)]
        self.pointer_moves = self.rng.random() < 0.5
        self.layout = self.make_layout()
        layers = [self.layer(f"layer {i}") for i in range(self.rng.integers(1, 4))]
        if settles:
            layers = [self.settling(f"layer {i}") for i in range(self.rng.integers(1, 4))]
        if self.pointer_moves:
            layers.insert(0, self.rotation())
        self.model = replace(
            template(),
            name="fuzz",
            attention=attention,
            constants=CONSTANTS,
            layout=self.layout,
            layers=tuple(layers),
        )

    def make_layout(self) -> Layout:
        fields = [
            Field("B_global", Kind.FLAG, Scope.SINGLE, B_GLOBAL, Fraction(1)),
            Field("B_local", Kind.FLAG, Scope.NODES, B_LOCAL, Fraction(1)),
            Field("P", Kind.POSITION, Scope.NODES, P, OWN),
            Field("own_index", Kind.INDEX, Scope.NODES, INDEX, OWN),
            Field("pointer", Kind.POSITION, Scope.SINGLE, POINTER, Fraction(0)),
        ]
        for column in range(FIXED, self.width - 1):  # the last is scratch
            kind = Kind(self.rng.choice([Kind.FLAG, Kind.COUNT, Kind.VALUE]))
            scope = Scope(self.rng.choice([Scope.SINGLE, Scope.NODES]))
            start = (
                Fraction(int(self.rng.integers(-1, 3))) if kind is not Kind.FLAG else Fraction(0)
            )
            fields.append(Field(f"v{column}", kind, scope, column, start))
        halt = f"v{self.rng.integers(FIXED, self.width - 1)}"
        return Layout(tuple(fields), self.width, halt, {})

    def small(self) -> float:
        return float(self.rng.choice(SMALL))

    def layer(self, name: str) -> Layer:
        heads = tuple(self.head() for _ in range(self.rng.integers(0, 4)))
        return Layer(name, None, (), heads, self.mlp())

    def settling(self, name: str) -> Layer:
        """One column becomes what one head finds, and perhaps another what another one does."""
        value = np.zeros((self.width, self.width))
        heads: list[Head] = []
        for column in self.written[: self.rng.integers(1, 3)]:
            kind = self.edge_head if self.rng.random() < 0.7 else self.head
            head = kind()
            head.value[:] = 0  # of one column, half of the time of that alone
            source = column if self.rng.random() < 0.5 else self.rng.choice(self.numbers)
            head.value[source, column] = 1
            heads.append(head)
            value[column, column] = -1
        own = np.zeros((self.width, 2))
        own[[P, P + 1, B_GLOBAL], [0, 1, 1]] = 1
        heads.append(Head("I", own, own, value, float(CONSTANTS.tie_tolerance), 1.0))
        nothing = tuple(np.zeros((self.width, self.width)) for _ in range(4))
        return Layer(name, None, (), tuple(heads), nothing)

    def edge_head(self) -> Head:
        """One that chooses among edges, by random scores; some coordinates may be hinges."""
        query, key = np.zeros((self.width, 2)), np.zeros((self.width + 1, 2))
        self.scatter(query, [B_LOCAL, B_GLOBAL, *self.numbers], range(2), 3)
        self.scatter(key, [*self.numbers, self.width], range(2), 3)
        value = np.zeros((self.width + 1, self.width))
        self.scatter(value, [*self.numbers, self.width], self.written, int(self.rng.integers(1, 4)))
        tolerance = float(self.rng.choice([0.0, 0.5]))
        temperature = float(self.rng.choice([0.01, 1.0]))
        hinges = self.rng.choice(SMALL, size=(int(self.rng.choice([0, 0, 1, 2])), 1))
        over = str(self.rng.choice(["E", "ET"]))
        return Head(over, query, key, value, tolerance, temperature, hinges=hinges)

    def head(self) -> Head:
        if self.rng.random() < 0.2:
            return self.edge_head()
        query, key = np.zeros((self.width, 2)), np.zeros((self.width, 2))
        tolerance = float(CONSTANTS.tie_tolerance)
        match self.rng.choice(
            ["own", "global", "mean", "pointed", "pointed", "still", "alike", "any"]
        ):
            case "own":
                query[[P, P + 1, B_GLOBAL], [0, 1, 1]] = 1
                key[:] = query
            case "global":
                query[[B_GLOBAL, B_LOCAL], 0] = key[B_GLOBAL, 0] = 1
            case "mean":
                query[[B_GLOBAL, B_LOCAL], 0] = 1, -1
                key[:] = -query
            case "pointed":
                query[[P, P + 1, POINTER, POINTER + 1], [0, 1, 0, 1]] = 1
                key[:] = query
            case "still":
                self.scatter(query, [B_GLOBAL, B_LOCAL, INDEX], range(2), 2)
                self.scatter(key, [B_GLOBAL, B_LOCAL, INDEX], range(2), 2)
                tolerance = float(self.rng.choice([0.0, 1.0]))
            case "alike":
                self.scatter(query, [B_GLOBAL, B_LOCAL], range(2), 2)
                self.scatter(key, self.numbers, range(2), 3)
                tolerance = 0.0
            case _:
                self.scatter(query, self.numbers, range(2), 2)
                self.scatter(key, self.numbers, range(2), 2)
                tolerance = float(self.rng.choice([0.0, 0.5, 1.0]))
        value = np.zeros((self.width, self.width))
        self.scatter(value, self.numbers, self.written, int(self.rng.integers(1, 4)))
        if self.rng.random() < 0.5:  # clear a column, as constructions do
            value[self.written[0], self.written[0]] = -1.0
        over = str(self.rng.choice(["I", "I", "A", "AT"]))
        temperature = float(self.rng.choice([CONSTANTS.temperature, 0.01, 1.0]))
        return Head(over, query, key, value, tolerance, temperature)

    def mlp(self) -> tuple[np.ndarray, ...]:
        """A few columns through a few units; some signed values are carried, some erased."""
        w1, w2, w3, w4 = (np.zeros((self.width, self.width)) for _ in range(4))
        units = range(int(self.rng.integers(2, 5)))
        self.scatter(w1, self.numbers, units, 5)
        self.scatter(w2, units, units, 4)
        self.scatter(w3, units, units, 4)
        self.scatter(w4, units, self.written, 3)
        if self.rng.random() < 0.7:
            erased, (a, b) = self.written[0], (self.width - 1, self.width - 2)
            for w in (w1, w2, w3, w4):
                w[:, [a, b]] = w[[a, b], :] = 0
            w1[erased, a], w1[erased, b] = 1, -1
            w2[a, a] = w2[b, b] = w3[a, a] = w3[b, b] = 1
            w4[a, erased], w4[b, erased] = -1, 1
        return w1, w2, w3, w4

    def rotation(self) -> Layer:
        """Moves the pointer on by one position, in row 0."""
        w1, w2, w3, w4 = (np.zeros((self.width, self.width)) for _ in range(4))
        c, s = float(CONSTANTS.cosine), float(CONSTANTS.sine)
        w1[POINTER, [0, 1]] = w1[POINTER + 1, [2, 3]] = 1, -1
        w2[:4, :4] = w3[:4, :4] = np.eye(4)
        w4[:4, POINTER] = c - 1, 1 - c, s, -s
        w4[:4, POINTER + 1] = -s, s, c - 1, 1 - c
        return Layer("rotate", None, (), (), (w1, w2, w3, w4))

    def scatter(self, matrix, rows, columns, count: int) -> None:
        for _ in range(count):
            matrix[self.rng.choice(list(rows)), self.rng.choice(list(columns))] = self.small()

    def problem(self, *, unruly: str = "") -> Problem:
        """What an encoder might make; or with an unruly "x", not 0 where the layout says so, or
        with unruly "edges", some of them below 0 or at row 0, or with an unruly "bias", not the
        same at every node."""
        n = int(self.rng.integers(1, 12))
        x = np.zeros((n + 1, self.width))
        table = positions(CONSTANTS, n)
        x[0, B_GLOBAL] = x[1:, B_LOCAL] = 1
        x[1:, P : P + 2], x[1:, INDEX] = table[1:], np.arange(1, n + 1)
        x[0, POINTER : POINTER + 2] = table[self.rng.integers(0, n + 1)]
        for field in self.layout.fields[5:]:
            rows = slice(1) if field.scope is Scope.SINGLE else slice(1, None)
            least = min(0, int(field.start))
            size = self.rng.choice([1, len(x[rows])])  # the same in all rows, or not
            x[rows, field.first] = self.rng.integers(least, 2, size=size)
        if unruly == "bias":
            x[1:, B_LOCAL] = self.rng.integers(1, 4, size=n)
        if unruly == "x":
            columns = self.rng.permutation(self.numbers)[: self.rng.integers(1, len(self.numbers))]
            x[:, columns] = self.rng.integers(-2, 3, size=(n + 1, len(columns)))
        count, wild = int(self.rng.integers(0, 3 * n)), unruly == "edges"
        tails, heads = self.rng.integers(0 if wild else 1, n + 1, size=(2, count))
        weights = self.rng.integers(-2 if wild else 1, 4, size=count) / 2
        return Problem(x, tails, heads, weights)


def crowded(nodes: int) -> tuple[Weights, Problem]:
    """Scores that never change, by which one node of a sample finds another; but as many ties as
    there are pairs of nodes where all have the same index."""
    fields = (
        Field("own_index", Kind.INDEX, Scope.NODES, INDEX, OWN),
        Field("found", Kind.VALUE, Scope.NODES, FIXED, Fraction(0)),
        Field("halt", Kind.FLAG, Scope.SINGLE, FIXED + 1, Fraction(0)),
    )
    width = FIXED + 2
    query, key, value = np.zeros((width, 1)), np.zeros((width, 1)), np.zeros((width, width))
    query[INDEX, 0] = key[INDEX, 0] = value[INDEX, FIXED] = 1
    head = Head("I", query, key, value, 0.0, 1.0)
    nothing = tuple(np.zeros((width, width)) for _ in range(4))
    model = replace(
        template(),
        name="crowded",
        constants=CONSTANTS,
        layout=Layout(fields, width, "halt", {}),
        layers=(Layer("only", None, (), (head,), nothing),),
    )
    x = np.zeros((nodes + 1, width))
    x[1:, INDEX] = 1
    return model, Problem(x, *np.zeros((2, 0), dtype=np.int64), np.zeros(0))


def drifting_apart() -> tuple[Weights, Problem]:
    """Nodes that ask alike at first, and then do not: a query column that the MLP writes."""
    asked, found, halt = range(FIXED, FIXED + 3)
    fields = (
        Field("B_global", Kind.FLAG, Scope.SINGLE, B_GLOBAL, Fraction(1)),
        Field("B_local", Kind.FLAG, Scope.NODES, B_LOCAL, Fraction(1)),
        Field("own_index", Kind.INDEX, Scope.NODES, INDEX, OWN),
        Field("asked", Kind.VALUE, Scope.NODES, asked, Fraction(0)),
        Field("found", Kind.VALUE, Scope.NODES, found, Fraction(0)),
        Field("halt", Kind.FLAG, Scope.SINGLE, halt, Fraction(0)),
    )
    width = FIXED + 3
    query, key, value = np.zeros((width, 2)), np.zeros((width, 2)), np.zeros((width, width))
    query[asked, 0] = key[INDEX, 0] = value[INDEX, found] = 1
    w1, w2, w3, w4 = (np.zeros((width, width)) for _ in range(4))
    w1[INDEX, 0] = w1[B_LOCAL, 1] = 1
    w2[:2, :2] = w3[:2, :2] = np.eye(2)
    w4[:2, asked] = 1, -2  # asked ← asked + index − 2
    head = Head("I", query, key, value, 0.0, 1.0)
    model = replace(
        template(),
        name="drifting apart",
        constants=CONSTANTS,
        layout=Layout(fields, width, "halt", {}),
        layers=(Layer("only", None, (), (head,), (w1, w2, w3, w4)),),
    )
    x = np.zeros((4, width))
    x[0, B_GLOBAL] = x[1:, B_LOCAL] = 1
    x[1:, INDEX] = 1, 2, 3
    return model, Problem(x, *np.zeros((2, 0), dtype=np.int64), np.zeros(0))


def changing_its_mood() -> tuple[Weights, Problem]:
    """Nodes choose the last of those that have an edge to them, as long as they are in the mood
    for it, which is the same for all of them: an edge head whose query changes at all nodes."""
    mood, found, halt = range(FIXED, FIXED + 3)
    fields = (
        Field("B_global", Kind.FLAG, Scope.SINGLE, B_GLOBAL, Fraction(1)),
        Field("B_local", Kind.FLAG, Scope.NODES, B_LOCAL, Fraction(1)),
        Field("own_index", Kind.INDEX, Scope.NODES, INDEX, OWN),
        Field("mood", Kind.VALUE, Scope.NODES, mood, Fraction(1)),
        Field("found", Kind.VALUE, Scope.NODES, found, Fraction(0)),
        Field("halt", Kind.FLAG, Scope.SINGLE, halt, Fraction(0)),
    )
    width = FIXED + 3
    query, key, value = (
        np.zeros((width + more, last)) for more, last in ((0, 1), (1, 1), (1, width))
    )
    query[mood, 0] = key[INDEX, 0] = value[INDEX, found] = 1
    w1, w2, w3, w4 = (np.zeros((width, width)) for _ in range(4))
    w1[B_LOCAL, 0] = w2[0, 0] = w3[0, 0] = 1
    w4[0, mood] = -1  # mood ← mood − 1
    model = replace(
        template(),
        name="changing its mood",
        constants=CONSTANTS,
        layout=Layout(fields, width, "halt", {}),
        layers=(
            Layer("only", None, (), (Head("E", query, key, value, 0.0, 1.0),), (w1, w2, w3, w4)),
        ),
    )
    x = np.zeros((4, width))
    x[0, B_GLOBAL] = x[1:, B_LOCAL] = x[1:, mood] = 1
    x[1:, INDEX] = 1, 2, 3
    return model, Problem(x, np.array([1, 2]), np.array([3, 3]), np.ones(2))
