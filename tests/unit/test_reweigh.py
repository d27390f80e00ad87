"""Another unit for the weights: where it changes nothing but what can be held, and only there."""

from contextlib import suppress
from fractions import Fraction

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

import loopwright as lw
from compiled import compiled
from loopwright.algorithms import ALGORITHMS
from loopwright.errors import CapacityError
from loopwright.language import ops
from loopwright.language.analysis import demands_of
from loopwright.language.interpret import run_step, start
from loopwright.language.meaning import World
from loopwright.language.ops import AllOne, LessThan, ReadFirst, RowOf
from loopwright.language.program import Program, step
from loopwright.language.variables import OWN_INDEX, Named, nodes, single
from loopwright.model.layout import Kind
from loopwright.runtime.edge_weights import common_unit
from loopwright.runtime.reweigh import reweighting, weights_on_grid
from oracles import ORACLES
from strategies import cases

WEIGHTED = ["dijkstra", "prim", "bellman-ford", "dag-shortest-paths"]
UNITS = [
    Fraction(1, 10),
    Fraction(2, 3),
    Fraction(7, 10**15),
    Fraction(3 * 2**70),
    Fraction(2) ** -900,
]


TIGHT = lw.Limits(nodes=4, largest=64, resolution=Fraction(1, 8))


def edges_of(whole, unit):
    return [
        (int(u), int(v), int(whole[u, v]) * unit) for u, v in zip(*np.nonzero(whole), strict=True)
    ]


@st.composite
def whole_weights(draw):
    """Weights 1 to 9, edges from lower to higher nodes, so that every algorithm can use them."""
    n = draw(st.integers(2, 6))
    cells = draw(st.lists(st.integers(0, 9), min_size=n * n, max_size=n * n))
    return np.triu(np.array(cells).reshape(n, n), k=1)


@pytest.mark.parametrize("machine", ["native", "exact"])
@pytest.mark.parametrize("name", WEIGHTED)
@given(whole=whole_weights(), unit=st.sampled_from(UNITS))
def test_the_unit_does_not_matter(name, machine, whole, unit):
    """Lengths in any unit are right to the last digit, on a model that knows nothing of it."""
    limits = lw.Limits(nodes=6, largest=64, resolution=Fraction(1, 8))
    model = compiled(name, "compact", limits=limits)
    whole = whole + whole.T if "undirected" in model.needs else whole
    graph = lw.Graph.from_edges(edges_of(whole, unit), nodes=range(len(whole)))
    certificate = model.check(graph, machine=machine)
    assert certificate.exact
    wanted = ORACLES[name](whole, 0)
    found = model.run(graph, source=0, machine=machine).result
    assert found["prev"] == wanted["prev"]
    if "dists" in wanted:
        scaled = {v: None if d is None else d * unit for v, d in wanted["dists"].items()}
        as_found = {v: None if d is None else float(d) for v, d in scaled.items()}
        assert found["dists"] == (scaled if machine == "exact" else as_found)


def test_what_fits_stays_as_it_is():
    model = lw.compile(lw.algorithms.dijkstra("paper"))
    graph = lw.Graph.of([("a", "b", 2.5), ("b", "c", 1000.0)])
    assert reweighting(model, graph) == 1
    assert weights_on_grid(model, graph, Fraction(1), exact=False).tolist() == [2.5, 1000.0]


def test_weights_too_far_apart_are_refused():
    limits = lw.Limits(nodes=3, largest=64, resolution=Fraction(1, 8))
    model = lw.compile(lw.algorithms.dijkstra("compact"), limits=limits)
    near, far = ([("a", "b", 1.0), ("b", "c", heavy)] for heavy in (510.5, 1022.5))
    assert model.check(near).guaranteed
    assert not model.check(near).exact
    with pytest.raises(CapacityError, match="smallest weight: 0\\.0625 exceeds 0\\.0625"):
        model.run(far, source="a")
    assert model.run(far, source="a", checked=False).dists["c"] is None


def test_rounding_is_the_least_there_is():
    """What cannot be exact is rounded to the last digit that leaves room for paths."""
    limits = lw.Limits(nodes=3, largest=64, resolution=Fraction(1, 8))
    model = lw.compile(lw.algorithms.dijkstra("compact"), limits=limits)
    graph = [("a", "b", 0.1), ("b", "c", 0.7)]
    certificate = model.check(graph)
    assert certificate.scale == 64
    assert 0 < certificate.rounding <= 2 * Fraction(1, 16) / 64
    found = model.run(graph, source="a").dists["c"]
    assert abs(Fraction(found) - Fraction(0.1) - Fraction(0.7)) <= certificate.rounding


def light_edges(threshold):
    """Which edges of the source weigh less than this?"""
    source, term = nodes.flag("source", start=0, at_source=1), single.flag("term")
    row, light = nodes.value("row"), nodes.flag("light")
    everyone = nodes.flag("everyone", start=1)
    return Program(
        name="light edges",
        source="required",
        bound=(1,),
        steps=(
            step("read the row", RowOf(row, source)),
            step("compare", AllOne(term, everyone), LessThan(light, row, threshold)),
        ),
        outputs={"light": light},
        halt=term,
    )


@pytest.mark.parametrize("machine", ["native", "exact"])
def test_a_threshold_has_a_unit(machine):
    """In tenths, 0.1 and 0.7 would be 1 and 7, both more than ½."""
    program = light_edges(Fraction(1, 2))
    assert not demands_of(program).homogeneous
    model = lw.compile(program)
    graph = lw.Graph.of([("a", "b", "0.1"), ("a", "c", "0.7")])
    assert reweighting(model, graph) == 1
    found = model.run(graph, source="a", machine=machine).light
    assert found == {"a": True, "b": True, "c": False}


def test_values_that_meet_other_numbers_must_differ_from_them():
    """In exact arithmetic, 1/10 and ⅛ are 1/40 apart."""
    coarse = lw.Limits(nodes=3, resolution=Fraction(1, 32))
    for threshold, holds in ((Fraction(1, 2), True), (Fraction(1, 8), False)):
        model = lw.compile(light_edges(threshold), limits=coarse)
        assert model.check([("a", "b", "0.1")], machine="exact").guaranteed == holds


def test_two_rows_at_once_are_an_error():
    everyone, term = nodes.flag("everyone", start=1), single.flag("term")
    row, first = nodes.value("row"), nodes.index("first")
    program = Program(
        name="two rows",
        bound=(1,),
        steps=(
            step("read", RowOf(row, everyone), ReadFirst(first, everyone, OWN_INDEX)),
            step("halt", AllOne(term, everyone)),
        ),
        outputs={"row": row},
        halt=term,
    )
    with pytest.raises(lw.LoopwrightError, match="2 nodes are chosen"):
        lw.verify(lw.compile(program), [("a", "b", 1)])


# ── which ops do not care about the unit ────────────────────────────────────────────────────────


def doubled(kind, value):
    if kind is not Kind.VALUE:
        return value
    return [2 * x for x in value] if isinstance(value, list) else 2 * value


@pytest.mark.parametrize("op", ops.ALL)
@given(data=st.data())
def test_homogeneous_ops(op, data):
    """If an op says so, then twice the values and weights give twice the values, and equal flags.

    (But for Ω̂ and the mask, which stay what they are.)
    """
    case = data.draw(cases(op, max_nodes=4))
    first = case.program.steps[0]
    (made,) = first.ops
    operands = [getattr(made, name) for name in made.quantities]
    if not made.homogeneous or any(isinstance(x, Named) for x in operands):
        return
    kinds = {variable.name: variable.kind for variable in case.program.variables}
    ends = []
    for factor in (1, 2):
        rows = [
            {v + 1: factor * Fraction(edge["weight"]) for v, edge in case.graph[u].items()}
            for u in case.graph
        ]
        world = World(len(case.graph), rows, case.limits.constants())
        inputs = {
            name: doubled(kinds[name], value) if factor == 2 else value
            for name, value in case.inputs.items()
        }
        state = start(case.program, world, inputs=inputs)
        run_step(first, state, world)
        ends.append(state[made.out.name])
    once, twice = ends
    assert twice == doubled(made.out.kind, once)


@given(st.lists(st.floats(1e-300, 1e300), min_size=1, max_size=5))
def test_common_unit(weights):
    unit = common_unit(np.array(weights))
    multiples = [Fraction(weight) / unit for weight in weights]
    assert all(multiple.denominator == 1 for multiple in multiples)
    assert np.gcd.reduce([multiple.numerator for multiple in multiples], dtype=object) == 1


@pytest.mark.parametrize("name", ["dijkstra", "multitask"])
@pytest.mark.parametrize(
    "weights", [(1e300, 1.0), (5e-324, 1.0), (1e300, 5e-324), (1e-310, 3e-310), (1e290, 3e290)]
)
def test_weights_at_the_ends_of_floats(name, weights):
    """Right, or refused; unchecked it may be wrong, but nothing worse."""
    graph = lw.Graph.of([("a", "b", weights[0]), ("b", "c", weights[1])])
    for limits in (lw.Limits(), lw.Limits.fit(graph)):
        model = lw.compile(ALGORITHMS[name]("compact"), limits=limits)
        certificate = model.check(graph)
        if certificate.guaranteed:
            found = model.run(graph, source="a").dists["c"]
            exact = sum(map(Fraction, weights))
            assert abs(Fraction(found) - exact) <= certificate.rounding + exact / 2**52
        else:
            with pytest.raises(CapacityError):
                model.run(graph, source="a")
        with suppress(lw.LoopwrightError):
            model.run(graph, source="a", checked=False)


@pytest.mark.parametrize("unit", [1, 3, Fraction(3, 2**60), 5 * 2**30])
@pytest.mark.parametrize(
    ("name", "construction"),
    [
        (name, made)
        for name in ("dijkstra", "bellman-ford", "dag-shortest-paths")
        for made in ALGORITHMS[name].constructions
    ],
)
def test_a_unit_leaves_room_for_what_an_iteration_adds_up(name, construction, unit):
    """Where the longest path is one edge, an iteration adds that edge to it. A path as long as the
    limits allow would be twice as much, and taken for the unreached."""
    model = compiled(name, construction, limits=TIGHT)
    graph = lw.Graph.from_edges([(0, 2, unit), (1, 2, 2 * unit)], nodes=range(3))
    given = model.check(graph)
    assert given.exact
    assert model.run(graph, source=1).dists == {0: None, 1: 0, 2: 2 * unit}
    at_the_border = Fraction(64) / (2 * unit)  # the longest path is what is declared
    assert {c.name for c in model.check(graph, scale=at_the_border).conditions if not c.holds} == {
        "within an iteration"
    }
    heaviest = lw.Graph.from_edges([(0, 1, 64)])
    assert model.check(heaviest).exact
    assert model.run(heaviest, source=0).dists == {0: 0, 1: 64}


def test_room_to_tell_edges_apart():
    """A head that finds the heaviest edge of a path counts edges in many least steps; in another
    unit there is room for that."""
    model = compiled("dijkstra", "parallel")
    answer = model.run([("a", "b", 85), ("b", "c", 1)], source="a")
    assert (answer.dists, answer.exact) == ({"a": 0, "b": 85, "c": 86}, True)
    assert reweighting(model, lw.Graph.of([("a", "b", 1)])) == 1
