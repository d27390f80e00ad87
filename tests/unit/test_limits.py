"""Derived constants keep the promises of their docstrings; impossible limits are refused."""

from __future__ import annotations

from fractions import Fraction
from math import cos, pi, sin

import networkx as nx
import pytest
from hypothesis import given
from hypothesis import strategies as st

import loopwright as lw
from loopwright import Limits
from loopwright.errors import CapacityError
from loopwright.model.limits import coldest, power_of_two_at_least

DIJKSTRA = lw.algorithms.dijkstra("paper")
declared = st.builds(
    Limits,
    nodes=st.integers(1, 100_000),
    largest=st.integers(1, 2**20) | st.fractions(1, 1000, max_denominator=9),
    resolution=st.integers(0, 24).map(lambda k: Fraction(1, 2**k)),
)


def is_power_of_two(number):
    number = Fraction(number)
    return all(k & (k - 1) == 0 for k in (number.numerator, number.denominator))


@given(limits=declared | st.just(Limits()) | st.just(Limits.paper()))
def test_constants_keep_their_promises(limits):
    c = limits.constants()
    assert c.nodes == limits.nodes
    assert c.largest >= limits.largest
    # Values: real < Ω̂ < Ω̂ + the heaviest edge < mask ≤ Ω, and Ω/ε whole in float64.
    assert c.largest < c.unreached
    assert c.unreached + c.largest < c.mask
    assert c.mask <= c.omega
    assert c.omega / c.resolution <= 2**53
    # Positions 0 … nodes + 1 are all on the circle once.
    assert cos(c.angle) == pytest.approx(float(c.cosine), abs=1e-15)
    assert sin(c.angle) == pytest.approx(float(c.sine), rel=1e-9)
    assert c.angle * (c.nodes + 1) < 2 * pi
    assert c.cosine**2 + c.sine**2 == 1
    # Ties: above what rounding can do to a position, below the gap between neighbours.
    gap = 1 - c.cosine
    assert (c.nodes + 1) * 4 * Fraction(1, 2**53) < c.tie_tolerance < gap
    assert 0 < c.temperature < gap
    # One missing flag decides a mean over all nodes.
    assert c.majority / c.nodes >= 2


@given(limits=declared)
def test_derived_magnitudes_are_powers_of_two(limits):
    """So that scaling by them never rounds."""
    c = limits.constants()
    for number in (c.omega, c.mask, c.unreached, c.resolution, c.majority):
        assert is_power_of_two(number)


@given(limits=declared)
def test_priorities_have_room(limits):
    """A search counts down by one for every node, and a mask is above all of it."""
    assert limits.constants().largest >= 4 * limits.nodes


def test_default_holds_50_000_nodes():
    assert Limits().constants().nodes >= 50_000


@pytest.mark.parametrize(
    ("options", "message"),
    [
        ({"nodes": 10**8, "largest": 1, "resolution": Fraction(1)}, "100000000 positions apart"),
        ({"resolution": Fraction(1, 2**60)}, "cannot hold values up to"),
        ({"largest": 2**80}, "cannot hold values up to"),
        ({"resolution": Fraction(1, 3)}, "must be a power of two"),
        ({"resolution": Fraction(0)}, "must be a positive number"),
        ({"resolution": Fraction(2)}, "must be a power of two up to 1"),
        ({"resolution": Fraction(-1, 4)}, "must be a positive number"),
        ({"nodes": 0}, "nodes=0: must be a whole number, from 1 to"),
        ({"omega": Fraction(2**20)}, "at least 40 × largest"),
        ({"largest": 1, "omega": Fraction(1001, 8)}, "a multiple of 20 × resolution"),
        ({"nodes": 100, "half_tangent": Fraction(1, 20)}, "go round more than once"),
    ],
)
def test_impossible_limits(options, message):
    with pytest.raises(CapacityError, match=message):
        lw.compile(DIJKSTRA, limits=Limits(**options))


@pytest.mark.parametrize("temperature", [1e-16, 2.0**-46 * (1 - 2**-52), Fraction(1, 2**900)])
def test_a_temperature_that_tells_ties_apart(temperature):
    with pytest.raises(CapacityError, match=r"Limits\(temperature=.*declare at least 1\.42e-14"):
        Limits(temperature=temperature)


@pytest.mark.parametrize("name", ["bfs", "dijkstra"])
@pytest.mark.parametrize("machine", ["native", "reference"])
def test_the_coldest_softmax(name, machine):
    """Positions differ by rounding at many nodes of a path; T is the least that may be declared."""
    model = lw.compile(
        lw.algorithms.ALGORITHMS[name]("paper"),
        limits=Limits(temperature=Fraction(1, 2**46)),
        attention="softmax",
    )
    lw.verify(model, nx.path_graph(12, create_using=nx.DiGraph), source=0, machine=machine)


def test_the_derived_temperature_is_no_colder():
    """For all numbers of positions that the floats tell apart."""
    for nodes in [*range(1, 400), *range(400, 2**18, 999)]:
        limits = Limits(nodes=nodes, largest=1, resolution=1)
        try:
            limits.require_positions()
        except CapacityError:
            continue
        assert limits.constants().temperature >= coldest("float64")


def test_too_many_nodes_for_a_model():
    model = lw.compile(DIJKSTRA, limits=Limits(nodes=3))
    model.run(nx.path_graph(3), source=0)
    with pytest.raises(CapacityError, match=r"'dijkstra'.*\b4\b.*\b3\b.*Limits\(nodes=4\)"):
        model.run(nx.path_graph(4), source=0)


def test_too_heavy_a_path_for_a_model():
    model = lw.compile(DIJKSTRA, limits=Limits(nodes=3, largest=64))
    assert model.run([(0, 1, 32), (1, 2, 32)], source=0).dists[2] == 64
    with pytest.raises(CapacityError, match=r"'dijkstra'.*64\.25.*\b64\b.*Limits\.fit"):
        model.run([(0, 1, 32), (1, 2, 32.25)], source=0, scale=1)


def test_too_fine_a_weight_for_a_model():
    model = lw.compile(DIJKSTRA, limits=Limits(nodes=2, resolution=Fraction(1, 4)))
    assert model.run([(0, 1, 0.25)], source=0).dists[1] == 0.25
    with pytest.raises(CapacityError, match=r"weight.*0\.0625.*resolution.*Limits\.fit"):
        model.run([(0, 1, 0.0625)], source=0, scale=1)


def test_too_fine_a_fraction_for_the_exact_machine():
    model = lw.compile(DIJKSTRA, limits=Limits(nodes=3, resolution=Fraction(1, 16)))
    graph = [(0, 1, Fraction(1, 3)), (1, 2, Fraction(1, 7))]
    with pytest.raises(CapacityError, match=r"common denominator.*resolution.*1/21"):
        model.run(graph, source=0, machine="exact", scale=1)
    assert model.run(graph, source=0, machine="exact").dists[2] == Fraction(10, 21)


@given(
    weights=st.lists(st.floats(1e-3, 1e6), min_size=1, max_size=6),
)
def test_fit_holds_its_graph(weights):
    graph = lw.Graph.of([(i, i + 1, weight) for i, weight in enumerate(weights)])
    limits = Limits.fit(graph, DIJKSTRA)
    c = limits.constants()
    assert c.nodes == graph.n
    assert c.largest >= sum(map(Fraction, weights))
    assert c.resolution <= Fraction(min(weights))
    finer = Limits(nodes=limits.nodes, largest=limits.largest, resolution=limits.resolution / 2)
    with pytest.raises(CapacityError):
        finer.constants()


def test_paper():
    limits, c = Limits.paper(), Limits.paper().constants()
    assert c.omega == 10**5
    assert c.temperature == Fraction(1, 10**7)
    assert c.angle == pytest.approx(1e-2, rel=1e-4)
    assert limits.nodes == c.nodes == 627
    assert c.mask == 10**4  # an order of magnitude below Ω
    assert 628 * c.angle < 2 * pi < 629 * c.angle  # no more nodes would fit


@given(value=st.fractions(Fraction(1, 1000), 1000))
def test_power_of_two_at_least(value):
    power = power_of_two_at_least(value)
    assert is_power_of_two(power)
    assert power / 2 < value <= power
