"""Every bound of every certificate: right just inside, refused just outside, wrong further out.

Which bounds an algorithm has, its certificates say; each needs a case here. Problems are run as
they are (`scale=1`), since a change of unit would bring many of them back inside.
"""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass, field, replace
from fractions import Fraction
from functools import cache
from math import inf
from typing import Any, NamedTuple

import numpy as np
import pytest

import loopwright as lw
from loopwright.algorithms import ALGORITHMS
from loopwright.errors import CapacityError
from loopwright.lab.sweep import subject as sweep
from loopwright.lab.sweep.cast import in_dtype
from loopwright.language.ops import AllOne, SumFrom, Where
from loopwright.language.program import Program, step
from loopwright.language.variables import nodes, single
from loopwright.model.demands import polynomial
from loopwright.model.limits import Constants, Limits
from many_graphs import JOBS, Problem, Run, attempt
from oracles import Matrix, graph_subleq, multitask, oracle_of
from warmth import has_positions, warmed

# ── problems ────────────────────────────────────────────────────────────────────────────────────


def path(n: int, weight: float = 1.0) -> Matrix:
    """0 → 1 → … → n − 1: as many levels, and as long a distance, as n nodes can have."""
    return np.diag(np.full(n - 1, weight), k=1)


def broom(ties: int, handle: float, bristle: float) -> Matrix:
    """0 → 1, and from there to nodes that are all equally far away."""
    matrix = np.zeros((ties + 2, ties + 2))
    matrix[0, 1], matrix[1, 2:] = handle, bristle
    return matrix


def fork(difference: Any) -> Matrix:
    """Two ways from 0 to 3, and two edges to 4: by 2, which is found first, it is longer."""
    matrix = np.zeros((5, 5), dtype=object)
    matrix[0, 2], matrix[2, 3], matrix[2, 4] = 1, 3 + difference, 4 + difference
    matrix[0, 1], matrix[1, 3], matrix[1, 4] = 2, 2, 4
    return matrix


def detour(difference: Any) -> Matrix:
    """An edge from 0 to 2, and a way of two edges that is shorter: rounds find it later."""
    matrix = np.zeros((3, 3), dtype=object)
    matrix[0, 2], matrix[0, 1], matrix[1, 2] = 4 + difference, 2, 2
    return matrix


def two_pairs(difference: Any) -> Matrix:
    """Undirected: two pairs of nodes, and of the two edges between them the one that comes first is
    heavier."""
    matrix = np.zeros((4, 4), dtype=object)
    matrix[0, 1] = matrix[2, 3] = 1
    matrix[0, 2], matrix[1, 3] = 4 + difference, 4
    return matrix + matrix.T


def two_widths(difference: Any) -> Matrix:
    """Two edges from 0, one of them wider."""
    matrix = np.zeros((3, 3), dtype=object)
    matrix[0, 1], matrix[0, 2] = 4 + difference, 4
    return matrix


CLOSE_CALLS = {"prim": two_pairs, "kruskal": two_pairs, "widest-paths": two_widths}
"""Graphs on which a `parallel` construction compares two numbers that are this far apart; others
compare lengths of paths."""


def fan(edges: int, weight: float) -> Matrix:
    """Many edges into the last node, from as many nodes."""
    matrix = np.zeros((edges + 1, edges + 1))
    matrix[:-1, -1] = weight
    return matrix


def sheaf(before: list[float], ties: int, handle: float, bristle: float) -> Matrix:
    """A path from 0, and from its end as many equally long ways, of two edges each, to the last
    node: they tie there, as edges that lead to one node."""
    fork, last = len(before), len(before) + ties + 1
    matrix = np.zeros((last + 1, last + 1))
    matrix[range(fork), range(1, fork + 1)] = before
    matrix[fork, fork + 1 : last] = handle
    matrix[fork + 1 : last, last] = bristle
    return matrix


def take_edges(n: int) -> dict[str, Any]:
    """Graph-SUBLEQ: from the cells, which are 1, the edges of a path; one after the other."""
    own = list(range(1, n + 1))
    following = [*own[1:], 0]
    return {
        "memory": [1] * n,
        "a1": own,
        "a2": [*own[1:], n],
        "b": own,
        "c": following,
        "gamma": [1] * n,
        "halts": [int(not c) for c in following],
        "last": [0] * (n - 1) + [1],
    }


def iterations(name: str, matrix: Matrix) -> int | None:
    """How many a run may take, where the program has no bound of its own."""
    return len(matrix) if name == "graph-subleq" else None


def problem(model: lw.Model, matrix: Matrix, options: dict[str, Any]) -> Problem:
    """With the right answer; from node 0, where there is a source."""
    if model.name == "graph-subleq":
        inputs, n = take_edges(len(matrix)), len(matrix)
        wanted = graph_subleq(matrix, inputs, steps=n, largest=inf)
        assert wanted is not None
        return Problem(matrix, inputs | {"max_iterations": iterations(model.name, matrix)}, wanted)
    source = None if model.source == "none" else 0
    mixed = model.name == "multitask"
    oracle = multitask if mixed else oracle_of(model.name, model.construction)
    return Problem(matrix, {"source": source} | options, oracle(matrix, source, **options))


class Subject(sweep.Subject):
    """What its program needs graphs to be is left aside: bounds are about numbers."""

    @classmethod
    def without_needs(cls, name: str, construction: str) -> Subject:
        return cls(replace(ALGORITHMS[name](construction), needs=()))

    @property
    def name(self) -> str:
        return self.program.name


@dataclass(frozen=True)
class Trial:
    """A model on a graph, as it is."""

    model: lw.Model
    matrix: Matrix
    machine: str = "native"
    options: dict[str, Any] = field(default_factory=dict)

    def broken(self) -> set[str]:
        """The bounds that do not hold."""
        most = iterations(self.model.name, self.matrix)
        certificate = self.model.check(
            graph(self.matrix), machine=self.machine, scale=1, max_iterations=most, **self.options
        )
        return {condition.name for condition in certificate.conditions if not condition.holds}

    def is_certain(self) -> bool:
        """Whether all bounds hold, and nothing is left to be watched."""
        certificate = self.model.check(graph(self.matrix), machine=self.machine, scale=1)
        return certificate.guaranteed and certificate.watched is None

    def is_right(self, *, checked: bool) -> bool:
        soft = self.model.attention == "softmax"
        tolerance = float(self.model.constants.resolution) / 4 if soft else 0.0
        run = Run(self.model.attention, self.machine, 1, tolerance)
        given = problem(self.model, self.matrix, self.options)
        options = given.options | {"scale": 1, "checked": checked}
        return attempt(self.model, run, replace(given, options=options)) is None


def graph(matrix: Matrix) -> lw.Graph:
    edges = [(int(u), int(v), matrix[u, v]) for u, v in zip(*np.nonzero(matrix), strict=True)]
    return lw.Graph.from_edges(edges, nodes=range(len(matrix)))


# ── one case for each bound ─────────────────────────────────────────────────────────────────────


class Case(NamedTuple):
    inside: Trial
    outside: Trial | None
    """None where no model that floats can hold comes to lie outside of this bound alone."""
    wrong: Trial
    """Further outside: there it goes wrong."""


BOUNDS: dict[str, Callable[[Subject], Case]] = {}


def bound(name: str) -> Callable[[Callable[[Subject], Case]], Callable[[Subject], Case]]:
    def register(case: Callable[[Subject], Case]) -> Callable[[Subject], Case]:
        BOUNDS[name] = case
        return case

    return register


@bound("nodes")
def _(subject: Subject) -> Case:
    """Past 2π/δ̂, here 12.8, one node is taken for another; whole numbers do not come round."""
    model = subject.compiled(Limits(nodes=8))
    return Case(*(Trial(model, path(n)) for n in (8, 9, 14)))


@bound("priorities")
def _(subject: Subject) -> Case:
    """Counts that reach Ω, here 160, or where they are picked 4Ω; components rank nodes, and need
    no edges for it."""
    model = subject.compiled(Limits(nodes=1024, largest=4, omega=Fraction(160)))
    if subject.program.construction == "parallel":
        return counts_in_parallel(subject, model)
    counted = {c.name: c for c in model.check(graph(path(2))).conditions}["priorities"]
    allowed = counted.allowed  # Ω, where nothing is unreached, or less
    most = max(n for n in range(1, 400) if polynomial(model.demands.counts, n) <= allowed)
    beyond = 350 if subject.program.construction == "paper" else 700
    shape = (lambda n: np.zeros((n, n))) if subject.name == "components" else path
    weight = 2.0**-10 if subject.weighted else 1.0
    options = {"dfs": 1} if subject.name == "multitask" else {}
    sizes = (most, most + 1, beyond)
    return Case(*(Trial(model, shape(n) * weight, options=options) for n in sizes))


def counts_in_parallel(subject: Subject, model: lw.Model) -> Case:
    """Indices that are beside the unreached, or twice as many as nodes, or edges at a node."""
    undirected = subject.name in ("prim", "kruskal")
    shapes = dict.fromkeys(("prim", "kruskal", "topological-levels"), path)
    shapes["independent-set"] = lambda n: fan(n, 1.0)
    shape = shapes.get(subject.name, lambda n: np.zeros((n, n)))

    def at(n: int) -> Trial:
        matrix = shape(n) * (2.0**-10 if subject.weighted else 1)
        return Trial(model, matrix + matrix.T if undirected else matrix)

    sizes = range(1, 100)
    most = max(n for n in sizes if at(n).is_certain())
    beyond = next((n for n in sizes if n > most and at(n).broken()), None)
    return Case(at(most), at(beyond) if beyond else None, at(250))


@bound("temperature")
def _(subject: Subject) -> Case:
    """Without positions every head has a T of its own, 1/256 of its gap. No Ω/ε that a float holds
    asks for more; but heads as much warmer as the certificate has room for are right, and heads
    warmer than that go wrong."""
    limits = Limits(nodes=6, largest=24, resolution=Fraction(1, 2**10))

    def at(share: float) -> Trial:
        most = iterations(subject.name, path(6))
        return Trial(warmed(subject.program, limits, graph(path(6)), share, most), path(6))

    by_position = has_positions(subject.compiled(limits))
    return Case(at(0.999), at(1.001) if by_position else None, at(64))


def in_floats(
    subject: Subject, constants: Constants, matrix: Matrix, dtype: str = "float32"
) -> Trial:
    model = in_dtype(subject.compiled(constants), np.dtype(dtype))
    return Trial(model, matrix, "reference")


@bound("dtype: values")
def _(subject: Subject) -> Case:
    """float32 tells 2²⁴ values apart: two paths that differ in the last digit, or large counts."""
    small = Limits(nodes=6, largest=32, resolution=Fraction(1)).constants()

    def at(bits: int) -> Trial:
        grow = 2**bits / small.omega
        if subject.weighted:
            fine = replace(small, resolution=1 / grow)
            if subject.name in CLOSE_CALLS and subject.program.construction == "parallel":
                near = CLOSE_CALLS[subject.name](fine.resolution)
                return in_floats(subject, fine, near.astype(np.float64))
            difference = 0 if subject.name == "prim" else fine.resolution  # it takes ties for less
            return in_floats(subject, fine, fork(difference).astype(np.float64))
        large = replace(
            small,
            largest=small.largest * grow,
            unreached=small.unreached * grow,
            mask=small.mask * grow,
            omega=small.omega * grow,
        )
        return in_floats(subject, large, path(6))

    return Case(at(23), at(24), at(34))


@bound("dtype: positions")
def _(subject: Subject) -> Case:
    """Positions nearer to each other than float32 can tell apart."""
    roomy = Limits(nodes=5, largest=32, resolution=Fraction(1)).constants()

    def at(half_tangent: Fraction) -> Trial:
        near = replace(roomy, half_tangent=half_tangent)
        near = replace(near, tie_tolerance=(1 - near.cosine) / 4)
        return in_floats(subject, near, path(5))

    return Case(at(Fraction(1, 290)), at(Fraction(1, 300)), at(Fraction(1, 40_000)))


@bound("dtype: squares")
def _(subject: Subject) -> Case:
    """Numbers of rows whose squares float16 does not hold: past 32 of them, 2·32² = 2¹¹."""
    declared = Limits(nodes=64, resolution=Fraction(1), largest=128).constants()
    small = replace(
        declared,
        largest=Fraction(128),
        unreached=Fraction(256),
        mask=Fraction(512),
        omega=Fraction(1024),
    )
    return Case(*(in_floats(subject, small, path(n), "float16") for n in (32, 33, 48)))


NARROW = Limits(nodes=6, largest=64, resolution=Fraction(1, 8))


@bound("longest path")
def _(subject: Subject) -> Case:
    model = subject.compiled(NARROW)
    return Case(*(Trial(model, path(5, weight)) for weight in (16.0, 16.125, 4096.0)))


@bound("values")
def _(subject: Subject) -> Case:
    """Edges as heavy as what is unreached, or as Ω where nothing is."""
    model = subject.compiled(NARROW)
    if subject.program.construction == "parallel":
        both = [path(5, weight) + path(5, weight).T for weight in (512.0, 512.125, 4096.0)]
        return Case(*(Trial(model, matrix) for matrix in both))
    return Case(*(Trial(model, path(5, weight)) for weight in (64.0, 64.125, 4096.0)))


@bound("smallest weight")
def _(subject: Subject) -> Case:
    """At most half the resolution: such an edge vanishes."""
    model = subject.compiled(NARROW)
    return Case(*(Trial(model, path(5, weight)) for weight in (1 / 8, 1 / 16, 1 / 16)))


@bound("path differences")
def _(subject: Subject) -> Case:
    """Half a step of the resolution is neither equal nor more, nor is less of one."""
    model, half = subject.compiled(NARROW), Fraction(1, 16)
    if subject.program.construction == "parallel":
        near = CLOSE_CALLS.get(subject.name, detour)
        less = half / (32 if near is two_pairs else 2)  # pairs are excluded by more than they need
        return Case(*(Trial(model, near(d), "exact") for d in (2 * half, half, less)))
    if subject.name in ("bellman-ford", "dag-shortest-paths"):
        half = -half  # they come to node 1 first, so the other way must be the shorter
    shape = (lambda d: path(5) * (1 - d)) if subject.name == "graph-subleq" else fork
    return Case(*(Trial(model, shape(d), "exact") for d in (2 * half, half, half)))


@bound("sums of ties")
def _(subject: Subject) -> Case:
    """Equally long paths behind a long edge, with all the digits that a float has."""
    limits = Limits(nodes=1024, largest=2**12, resolution=Fraction(2**15, 2**52))
    model, epsilon = subject.compiled(limits), float(limits.resolution)
    if subject.program.construction == "parallel":
        paths = subject.name in ("dijkstra", "bellman-ford", "dag-shortest-paths")
        return (ties_of_edges if paths else ties_of_given_edges)(subject, model)

    def at(ties: int, length: float) -> Trial:
        return Trial(model, broom(ties, length - 2 * ties + epsilon, 1 + epsilon))

    return Case(at(13, 2.0**12), at(16, 2.0**12), at(1000, 2.0**12))


def complete(n: int, weight: float) -> Matrix:
    """All edges that there can be, so that every node has as many that tie."""
    return weight * (1 - np.eye(n))


def ties_of_given_edges(subject: Subject, large: lw.Model) -> Case:
    """Forests compare edges as they are, the independent set what nodes are given, and the edges of
    a widest path are no wider than those by which their tails were reached."""
    step = float(large.constants.resolution)
    odd = (round(0.93 * 2**49) | 1) * step
    if subject.name == "widest-paths":

        def widths(ties: int) -> Trial:
            weight = (round(2**49 / (ties + 2.1)) | 1) * step
            return Trial(large, sheaf([weight], ties, weight, weight))

        return Case(widths(12), widths(16), widths(1000))
    if subject.name == "independent-set":
        small = subject.compiled(Limits(nodes=31, largest=128, resolution=Fraction(1, 2**42)))

        def given(model: lw.Model, n: int, priority: float) -> Trial:
            return Trial(model, complete(n, 1.0), options={"priority": [priority] * n})

        most = 128 - 2.0**-42
        return Case(given(small, 16, most), given(small, 17, most), given(large, 45, odd))
    small = subject.compiled(Limits(nodes=15, largest=64, resolution=Fraction(1, 2**43)))
    weight = 64 - 2.0**-43
    sizes = (9, 10)
    near = (Trial(small, complete(n, weight)) for n in sizes)
    return Case(*near, Trial(large, complete(45, (round(0.7 * 2**52) | 1) * step)))


def ties_of_edges(subject: Subject, large: lw.Model) -> Case:
    """Equally long paths that end with edges to the same node, after edges that are as heavy as the
    bound on retraced edges allows, and no heavier."""
    limits = Limits(nodes=31, largest=128, resolution=Fraction(1, 2**42))
    model, epsilon = subject.compiled(limits), float(limits.resolution)
    edge, step = 16 - epsilon, float(large.constants.resolution)

    def at(ties: int) -> Trial:
        return Trial(model, sheaf([edge] * 6 + [16 - 2 * ties * epsilon], ties, epsilon, edge))

    far = sheaf([0.39 * 2**12 - step], 1000, step, 0.6 * 2**12 + step)
    return Case(at(14), at(15), Trial(large, np.rint(far / step) * step))


@bound("retraced edges")
def _(subject: Subject) -> Case:
    """Edges of the same weight, of which the first is to be found: half a step beside so heavy an
    edge has no digit left, then a whole one has none."""
    limits = Limits(nodes=15, largest=64, resolution=Fraction(1, 2**43))
    model, epsilon = subject.compiled(limits), float(limits.resolution)
    weights = (16.0, 16 + epsilon, 32 - epsilon)
    return Case(*(Trial(model, sheaf([epsilon], 10, epsilon, weight)) for weight in weights))


@bound("sums of edges")
def _(subject: Subject) -> Case:
    model = subject.compiled(Limits(nodes=32, largest=128, resolution=Fraction(1, 8)))
    return Case(*(Trial(model, fan(edges, 64.0)) for edges in (16, 17, 30)))


# ── tests ───────────────────────────────────────────────────────────────────────────────────────


@cache
def conditions(name: str, construction: str) -> set[str]:
    """All that its certificates have: in floats, under softmax, in exact arithmetic."""
    subject, matrix = Subject.without_needs(name, construction), graph(path(3))
    hard, soft = (subject.compiled(Limits(nodes=4), a) for a in ("hardmax", "softmax"))
    certificates = [hard.check(matrix), hard.check(matrix, machine="exact"), soft.check(matrix)]
    return {condition.name for each in certificates for condition in each.conditions}


CASES = [(*job, name) for job in JOBS for name in sorted(conditions(*job))]

SAME_ANSWER = "the graphs here have the same answer outside of it: none is known that goes wrong"
RANGE = "scores, or what keys are weighed by, exceed the largest float16: nothing is right there"
TIES = "at 32 nodes in float16, its counts are outside of 'sums of ties' as well"
OF_EDGES = (
    "indices or levels tie, at most n at a node: n² steps fit wherever 'dtype: squares' holds, "
    "which has 2n², so that nothing lies outside of this bound alone"
)
NOT_DRIVEN = {
    (name, made, bound): reason
    for reason, cases in {
        SAME_ANSWER: {
            ("dtype: squares", "parallel"): "scc topological-levels",
        },
        RANGE: {
            ("dtype: squares", "parallel"): (
                "dijkstra prim bellman-ford dag-shortest-paths components independent-set kruskal "
                "two-colouring"
            ),
        },
        TIES: {
            ("dtype: squares", "compact"): "scc topological-sort articulation-points bridges",
        },
        OF_EDGES: {
            ("sums of ties", "parallel"): ("bfs scc components two-colouring topological-levels"),
        },
    }.items()
    for (bound, made), names in cases.items()
    for name in names.split()
}
"""Not driven yet: conditions of certificates that no case here drives a run to, with the reason.

Nothing here shows that runs just inside them are right, or that the algorithm needs them; graphs
within all bounds are run by the tests of the algorithms.
"""

DRIVEN = [case for case in CASES if case not in NOT_DRIVEN]

WITHSTAND = {
    ("bfs", "dtype: values"): "its counts are small, and added before Ω is",
    ("dfs", "dtype: values"): "the same",
    ("components", "dtype: values"): "the same",
    ("topological-levels", "dtype: values"): "the same",
    (
        "scc",
        "parallel",
        "dtype: values",
    ): "only what is masked, or unreached, meets Ω (800 random graphs agree, also at Ω = 2⁶⁰)",
    (
        "dfs",
        "compact",
        "priorities",
    ): "only counts of open nodes are compared, all less than 4Ω off",
    (
        "scc",
        "parallel",
        "priorities",
    ): "who reads the constant has no open edge into it, so is alone, and done at once",
    ("independent-set", "priorities"): "it only asks whether a sum is 0",
    ("kruskal", "priorities"): "indices weigh what nodes need, not Ω; more of them are watched",
    ("prim", "parallel", "priorities"): "the same",
    (
        "widest-paths",
        "sums of ties",
    ): "edges that decide are no wider than those that reached their tails: all together fit",
    ("prim", "compact", "sums of ties"): "its values are edges, and all edges together fit",
    ("dag-shortest-paths", "sums of edges"): "it only asks whether a sum is 0",
    ("compact", "nodes"): "rows have whole numbers, told apart past what is declared",
    ("parallel", "nodes"): "the same",
}
"""Where a bound is for programs in general, and this one, or this construction, would not need
it."""


def withstands(name: str, construction: str, bound: str) -> bool:
    known = {(name, bound), (construction, bound), (name, construction, bound)}
    return bool(known & WITHSTAND.keys())


@pytest.mark.parametrize(("name", "construction", "bound"), DRIVEN)
def test_bound(name, construction, bound):
    case = BOUNDS[bound](Subject.without_needs(name, construction))
    assert case.inside.broken() == set()
    assert case.inside.is_right(checked=True)
    if case.outside:
        assert case.outside.broken() == {bound}
        assert not case.outside.is_right(checked=True)
        assert bound in case.wrong.broken()
    assert case.wrong.is_right(checked=False) == withstands(name, construction, bound)


def test_refusal_names_the_bound():
    trial = BOUNDS["nodes"](Subject.without_needs("dijkstra", "paper")).outside
    assert trial is not None
    with pytest.raises(CapacityError, match=r"nodes: 9 exceeds 8 .*Limits\(nodes=9\)"):
        trial.model.run(trial.matrix, source=0)


def test_every_bound_is_real():
    """Each makes some algorithm go wrong."""
    shown = {bound for *job, bound in DRIVEN if not withstands(*job, bound)}
    assert shown | {"sums of edges"} == set(BOUNDS)


def test_what_is_not_driven_is_a_bound():
    """The list has nothing that no certificate has, and every bound has a case."""
    assert NOT_DRIVEN.keys() <= set(CASES)
    assert {bound for *_, bound in CASES} <= set(BOUNDS)


def test_sums_of_edges_are_real():
    """A program that uses such a sum: how strongly is a node reached? Only the source says so."""
    marked = nodes.flag("marked", start=0, at_source=1)
    everyone = nodes.flag("everyone", start=1)
    total, strength = nodes.value("total"), nodes.value("strength", start=0)
    term = single.flag("term")
    program = Program(
        name="strength",
        source="required",
        bound=(1,),
        steps=(
            step("add up edges", SumFrom(total, everyone)),
            step("keep one", AllOne(term, everyone), Where(strength, marked, total, 0)),
        ),
        outputs={"strength": strength},
        halt=term,
    )
    model = lw.compile(program, limits=Limits(nodes=16, largest=64, resolution=Fraction(1, 8)))
    for edges in (8, 9, 15):
        silent = graph(fan(edges, 64.0))
        holds = model.check(silent, scale=1).guaranteed
        found = model.run(silent, source=0, scale=1, checked=False).strength
        assert holds == (edges == 8)
        assert (found == dict.fromkeys(range(edges + 1), 0.0)) == holds
        assert model.run(silent, source=0).strength[edges] == 0.0  # in another unit it is right
