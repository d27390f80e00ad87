"""How far a program's numbers go: what is found beforehand, what is promised, what is watched."""

from fractions import Fraction

import numpy as np
import pytest

import loopwright as lw
from loopwright.algorithms import ALGORITHMS
from loopwright.errors import CapacityError, LoopwrightError, ProgramError
from loopwright.language.ops import (
    Add,
    AddFrom,
    AddTo,
    AllOne,
    Copy,
    Difference,
    Gather,
    Increment,
    LessOrEqual,
    LessThan,
    Maximum,
    Minimum,
    Multiply,
    OneHot,
    ReadLeast,
    RoundFlag,
    Set,
    Subtract,
    SubtractAt,
    SumFrom,
    Where,
)
from loopwright.language.reach import reach_of
from loopwright.language.variables import MASK, OWN_INDEX, UNREACHED, given, nodes, single
from loopwright.model.reach import Term
from loopwright.runtime.machines import MACHINES

EVERYONE, DONE = nodes.flag("everyone", start=1), single.flag("done", start=0)
V, W = nodes.value("v", start=1), nodes.value("w", start=0)
DIST = nodes.value("dist", start=UNREACHED, at_source=0)
K, I = nodes.count("k", start=0), nodes.index("i", start=0)
S = nodes.value("s", start=0, signed=True)
LATE = nodes.flag("late")
MARKED, I_MARKED = nodes.flag("marked", start=0, at_source=1), nodes.index("i_marked")
K_MARKED, K_TWICE = nodes.count("k_marked"), nodes.count("k_twice")
K_SMALL = nodes.count("k_small", start=0)


def program(*ops, outputs=None, bound=(0, 1), **options):
    """Does the ops, n times: `k` counts iterations."""
    if any(op.along_edges for op in ops):
        options = {"edges": "ones"} | options
    counting = (Add(K, K, 1), LessOrEqual(LATE, OWN_INDEX, K))
    steps = (
        lw.step("do", *ops),
        lw.step("count", *counting),
        lw.step("halt", AllOne(DONE, LATE)),
    )
    outputs = outputs or {"out": ops[-1].out}
    return lw.Program("some", steps, outputs, DONE, bound, **options)


def path(n, weight=1):
    return [(i, i + 1, weight) for i in range(n - 1)]


@pytest.mark.parametrize(
    ("ops", "kind", "expected"),
    [
        ([Add(V, V, 1)], "values", {("one", 1): 1}),
        ([Add(V, V, V)], "values", None),
        ([Subtract(S, S, V)], "values", {("one", 1): 1}),
        ([SubtractAt(S, single.position("p", start=1), single.value("x", start=3))], "values", 3),
        ([SumFrom(V, EVERYONE)], "values", {("edges", 0): 1}),
        ([SumFrom(W, EVERYONE), Add(V, V, W)], "values", {("edges", 1): 1}),
        ([Where(V, EVERYONE, V, W)], "values", {("one", 0): 1}),
        ([Add(I, OWN_INDEX, OWN_INDEX)], "indices", {("nodes", 0): 2}),
        ([Add(I, I, OWN_INDEX)], "indices", {("nodes", 1): 1}),
        ([Copy(V, 7)], "values", {("one", 0): 7}),
        ([Multiply(W, V, 5)], "values", {("one", 0): 5}),
        ([Multiply(S, S, -1)], "values", {}),
        ([Multiply(V, V, 2)], "values", None),
        ([Multiply(I, OWN_INDEX, 3)], "indices", {("nodes", 0): 3}),
        ([Minimum(V, V, OWN_INDEX)], "values", {("nodes", 0): 1}),
        ([Maximum(V, V, 9)], "values", {("one", 0): 9}),
        ([Minimum(V, V, W)], "differences", {}),
        ([Minimum(S, S, W)], "differences", {}),
        ([Maximum(S, -3, V)], "differences", {("one", 0): 4}),
        ([Maximum(S, S, V), Add(S, S, S)], "differences", None),
        ([Difference(W, V, 3)], "values", {("one", 0): 4}),
        ([AddFrom(W, V)], "values", {("one", 0, 1): 1}),
        ([AddTo(W, OWN_INDEX), AddFrom(V, OWN_INDEX)], "values", {("nodes", 0, 1): 1}),
        ([AddTo(W, OWN_INDEX), Add(V, V, W)], "values", {("nodes", 1, 1): 1}),
        ([AddFrom(V, V)], "values", None),
        ([AddTo(W, DIST)], "mixed", {("unreached", 0, 1): 1}),
    ],
)
def test_bounds(ops, kind, expected):
    """What grows, by how much in each iteration; nothing else grows."""
    found = getattr(reach_of(program(*ops, source="optional")), kind)
    if isinstance(expected, int):
        expected = {("one", 1): expected}
    if expected is None:
        assert found is None
        return
    expected = {Term(*term): times for term, times in expected.items()}
    growth = {term for term, times in found.items() if term.each}
    assert growth == {term for term in expected if term.each}
    assert all(found[term] >= times for term, times in expected.items())


def test_bounds_hold():
    """On the graphs of a few programs, no number of the interpreter's exceeds its bound."""
    for ops in ([Add(V, V, 1)], [SumFrom(W, EVERYONE), Add(V, V, W)], [Add(W, V, V), Add(V, W, 1)]):
        made = program(*ops, outputs={"v": V})
        model = lw.compile(made, limits=lw.Limits(nodes=8, largest=2**12))
        values = {c.name: c for c in model.check(path(6)).conditions}.get("values")
        found = max(map(abs, lw.interpret(made, path(6)).v.values()))
        if values is not None:
            assert found <= values.needed


@pytest.mark.parametrize("machine", MACHINES)
@pytest.mark.parametrize("attention", ["hardmax", "softmax"])
@pytest.mark.parametrize("choose", [Minimum, Maximum])
def test_differences_have_room(machine, attention, choose):
    """Numbers of both signs, each up to Ω, differ by up to 2Ω; with the old number that is more
    than floats add up exactly, whatever the order."""
    if machine == "exact" and attention == "softmax":
        pytest.skip("there is no exact softmax")
    limits = lw.Limits(nodes=4, largest=64, resolution=Fraction(1))
    omega = int(limits.constants().omega)
    a, b = (nodes.value(name, start=given(name), signed=True) for name in "ab")
    made = program(choose(a, a, b), outputs={"a": a})
    model = lw.compile(made, limits=limits, attention=attention)
    for low, holds in ((omega // 2, True), (omega // 2 + 1, False)):
        inputs = {"a": omega // 2, "b": -low}
        if holds:
            answer = model.run(path(3), machine=machine, **inputs)
            assert set(answer.a.values()) == {max(inputs.values()) if choose is Maximum else -low}
        else:
            with pytest.raises(CapacityError, match=r"differences|no number exceeds 256"):
                model.run(path(3), machine=machine, **inputs)


@pytest.mark.parametrize("machine", MACHINES)
@pytest.mark.parametrize("attention", ["hardmax", "softmax"])
def test_large_values_are_values(machine, attention):
    """Doubled 12 times, a value is far beyond what a path weighs, but no path was asked for."""
    if machine == "exact" and attention == "softmax":
        pytest.skip("there is no exact softmax")
    limits = lw.Limits(nodes=12, largest=2**10, resolution=Fraction(1))
    model = lw.compile(program(Add(V, V, V)), limits=limits, attention=attention)
    certificate = model.check(path(12))
    assert certificate.guaranteed
    assert certificate.watched is not None
    assert set(model.run(path(12), machine=machine).out.values()) == {2**12}


def test_sums_of_edges_are_values():
    model = lw.compile(program(SumFrom(V, EVERYONE)), limits=lw.Limits(nodes=8, largest=1000))
    star = [(i, "hub", 1000) for i in range(6)]
    assert model.check(star).watched is None
    assert model.run(star).out["hub"] == 6000


@pytest.mark.parametrize("machine", MACHINES)
def test_a_run_stops_before_a_number_is_too_large(machine):
    limits = lw.Limits(nodes=12, largest=48, resolution=Fraction(1))
    model = lw.compile(program(Add(V, V, V)), limits=limits)
    with pytest.raises(CapacityError, match=r"'some' stopped before iteration 10: 'v' at node '0'"):
        model.run(path(12), machine=machine)
    assert "<Certificate: exact while no number exceeds" in repr(model.check(path(12)))


def test_what_one_iteration_makes_too_large_is_refused():
    heavy = [("a", "b", 5000)]
    limits = lw.Limits(nodes=4, largest=16, resolution=Fraction(1))
    grows = [SumFrom(W, EVERYONE), Add(V, V, W)]
    model = lw.compile(program(*grows, edges="weights"), limits=limits)
    with pytest.raises(CapacityError, match="values: "):
        model.run(heavy, scale=1)


@pytest.mark.parametrize("machine", MACHINES)
@pytest.mark.parametrize("add", [AddFrom, AddTo])
def test_sums_over_neighbours_are_watched(machine, add):
    """Every iteration may multiply a count by the most edges at a node, which are six. So a run may
    begin one with a sixth of Ω, and with no more."""
    star = [(i, "hub", 1) if add is AddFrom else ("hub", i, 1) for i in range(6)]
    ways = nodes.count("ways", start=given("ways"))
    steps = (lw.step("add", add(ways, ways)), lw.step("halt", AllOne(DONE, EVERYONE)))
    made = lw.Program("ways", steps, {"ways": ways}, DONE, (), edges="ones")
    limits = lw.Limits(nodes=8, largest=48, resolution=Fraction(1))
    model = lw.compile(made, limits=limits)
    sixth = int(limits.constants().omega // 6)
    found = model.run(star, machine=machine, ways=sixth, max_iterations=99)
    assert found.ways["hub"] == 6 * sixth
    with pytest.raises(CapacityError, match="stopped before iteration 1: 'ways'"):
        model.run(star, machine=machine, ways=sixth + 1, max_iterations=99)


@pytest.mark.parametrize("machine", ["reference", "native", "torch"])
@pytest.mark.parametrize("word", [None, (2**20,)])
def test_softmax_is_refused_where_sums_over_neighbours_may_magnify_errors(machine, word):
    """Among nodes that hold 0, every iteration makes 12 times of what softmax leaves there, also
    where the author knows that no number is large."""
    ways = nodes.count("ways", start=given("ways"))
    made = program(AddTo(ways, ways), outputs={"ways": ways}, counts=word)
    limits = lw.Limits(nodes=64, largest=2**20, resolution=Fraction(1))
    model = lw.compile(made, limits=limits, attention="softmax")

    def graph(rounds):
        """Twelve nodes joined to each other, and others that are not, for as many iterations."""
        clique = [(t, h, 1) for t in range(12) for h in range(12)]
        return lw.Graph.from_edges([*clique, (12, 12, 1)], nodes=range(rounds))

    def ones(rounds):
        """1 at the first node that is joined to itself alone."""
        return [int(node == 12) for node in range(rounds)]

    few, many = graph(16), graph(60)
    assert model.check(few).guaranteed
    assert model.run(few, machine=machine, ways=ones(16)).ways[0] == 0
    assert not model.check(many).guaranteed
    with pytest.raises(LoopwrightError, match="no whole number"):
        model.run(many, machine=machine, ways=ones(60), checked=False)


@pytest.mark.parametrize("twice", [Multiply(K_TWICE, I, 2), Add(K_TWICE, I, I)])
def test_softmax_is_refused_where_an_index_is_held_down_and_its_error_is_not(twice):
    """A minimum keeps an index small, but not what softmax leaves of a 0: that is doubled in every
    iteration, until it is an index."""
    ops = [Gather(I_MARKED, OWN_INDEX, MARKED), twice, Minimum(I, K_TWICE, OWN_INDEX)]
    ops += [Maximum(I, I, I_MARKED)]
    made = program(*ops, outputs={"i": I}, source="required")
    model = lw.compile(made, limits=lw.Limits(nodes=512), attention="softmax")
    graph = lw.Graph.from_edges([], nodes=range(500))
    assert not model.check(graph).guaranteed
    found = model.run(graph, source=0, checked=False).i
    assert {node for node, index in found.items() if index is not None} > {0}
    cold = lw.compile(made, limits=lw.Limits(nodes=512))
    assert cold.check(graph).exact
    held = cold.run(graph, source=0).i
    assert held == {node: None if node else 0 for node in range(500)}


@pytest.mark.parametrize("word", [None, (1,)])
def test_softmax_is_refused_where_numbers_are_added_to_themselves(word):
    """Twice a number is a multiple of it, also as a sum: so is its error."""
    ops = [Gather(K_MARKED, OWN_INDEX, MARKED), Add(K_TWICE, K_SMALL, K_SMALL)]
    ops += [Maximum(K_SMALL, K_TWICE, K_MARKED), Minimum(K_SMALL, K_SMALL, 1)]
    made = program(*ops, outputs={"k": K_SMALL}, source="required", counts=word)
    model = lw.compile(made, limits=lw.Limits(nodes=512), attention="softmax")
    few, many = (lw.Graph.from_edges([], nodes=range(n)) for n in (40, 500))
    assert model.check(few).guaranteed
    assert sum(model.run(few, source=0).k.values()) == 1
    assert not model.check(many).guaranteed
    assert sum(model.run(many, source=0, checked=False).k.values()) > 1


def test_weights_are_not_added_up_with_numbers():
    with pytest.raises(ProgramError, match=r"counts every edge once.*edges='ones'"):
        program(AddFrom(V, V), edges="weights")


def test_unreached_stays_apart():
    """A value that doubles meets Ω̂ by size; the run stops before anybody takes it for Ω̂."""
    ops = [Add(V, V, V), Where(DIST, LATE, DIST, V)]
    made = program(LessThan(LATE, V, V), *ops, outputs={"dist": DIST}, source="required")
    limits = lw.Limits(nodes=16, largest=64, resolution=Fraction(1))
    graph = path(9)
    expected = lw.interpret(made, graph, source=0).dist
    assert set(expected.values()) == {2**9}
    with pytest.raises(CapacityError, match="stopped"):
        lw.compile(made, limits=limits).run(graph, source=0)
    enough = lw.Limits(nodes=16, largest=2**11, resolution=Fraction(1))
    assert lw.compile(made, limits=enough).run(graph, source=0).dist == expected


@pytest.mark.parametrize("machine", MACHINES)
def test_multiples_of_the_unreached_are_beyond_it(machine):
    """Three times Ω̂ is more than Ω̂, and five times is more than a model holds."""
    far, near = nodes.value("far", start=UNREACHED), nodes.value("near", start=UNREACHED)
    less = nodes.flag("less")

    def made(times):
        ops = (Multiply(far, near, times), LessThan(less, near, far))
        return program(*ops, outputs={"less": less})

    answer = lw.compile(made(3)).run(path(3), machine=machine)
    assert answer.less == lw.interpret(made(3), path(3)).less == dict.fromkeys(range(3), True)
    with pytest.raises(CapacityError, match="with the unreached"):
        lw.compile(made(5)).run(path(3), machine=machine)


def test_counts_can_be_unreached():
    hops = nodes.count("hops", start=UNREACHED, at_source=0)
    made = program(Copy(hops, hops), source="required")
    for answer in (
        lw.compile(made).run(path(3), source=0),
        lw.interpret(made, path(3), source=0),
    ):
        assert answer.out == {0: 0, 1: None, 2: None}


def test_indices_beyond_the_nodes_are_refused():
    model = lw.compile(program(Add(I, OWN_INDEX, OWN_INDEX)), limits=lw.Limits(nodes=4))
    with pytest.raises(CapacityError, match=r"indices: 6 exceeds 4 .*count"):
        model.run(path(3))


@pytest.mark.parametrize("machine", MACHINES)
def test_the_least_of_masked_values_is_the_mask(machine):
    """Row 0, which is found where no node is left, must not tie with nodes that show the mask."""
    shown, least = nodes.value("shown"), nodes.value("least")
    less = nodes.flag("less")
    none = nodes.flag("none", start=0)
    steps = (
        lw.step("mask", Copy(shown, MASK)),
        lw.step("read", ReadLeast(least, shown, none)),
        lw.step("compare", LessThan(less, least, MASK)),
        lw.step("halt", AllOne(DONE, EVERYONE)),
    )
    made = lw.Program("masked", steps, {"less": less}, DONE, (1,))
    for attention in ("hardmax", "softmax") if machine != "exact" else ("hardmax",):
        answer = lw.compile(made, attention=attention).run(path(3), machine=machine)
        assert set(answer.less.values()) == {False}


def test_verify_checks_what_the_author_promises():
    broken = program(Add(V, V, V), values="paths", outputs={"v": V})
    with pytest.raises(ProgramError, match="'v' is 16, more than the 11 that its author promised"):
        lw.verify(lw.compile(broken), path(12))
    counted = program(Add(K, K, 1), counts=(5,), outputs={"k": K})
    with pytest.raises(ProgramError, match="'k' is 6, more than the 5"):
        lw.verify(lw.compile(counted), path(12))


@pytest.mark.parametrize("name", ALGORITHMS)
def test_registered_algorithms_are_never_watched(name):
    for make in ALGORITHMS[name].constructions.values():
        if make().bound:
            assert lw.compile(make()).check(np.eye(3, k=1) + np.eye(3, k=-1)).watched is None


def test_names_that_softmax_needs_are_the_users_too():
    held = nodes.flag("held_n", start=0)
    result, kept = nodes.count("res", start=0), nodes.count("res_kept", start=0)
    made = program(
        Add(result, result, 1),
        Add(kept, kept, 2),
        Copy(held, 1),
        outputs={"res": result, "kept": kept},
    )
    expected = lw.interpret(made, path(4)).result
    for attention in ("hardmax", "softmax"):
        model = lw.compile(made, attention=attention)
        assert lw.verify(model, path(4)).result == expected


def test_torch_adds_up_ties_before_it_divides():
    """Seven nodes that tie with 1,000 have a mean of 1,000, not of 999.9999999999999."""
    big, least = nodes.value("big", start=1000), nodes.value("least")
    none, is_big = nodes.flag("none", start=0), nodes.flag("is_big")
    steps = (
        lw.step("read", ReadLeast(least, big, none)),
        lw.step("compare", LessOrEqual(is_big, 1000, least)),
        lw.step("halt", AllOne(DONE, EVERYONE)),
    )
    made = lw.Program("ties", steps, {"least": least, "is_big": is_big}, DONE, (1,))
    for n in range(1, 50):
        answer = lw.compile(made).run(np.zeros((n, n)), machine="torch")
        assert set(answer.least.values()) == {1000.0}
        assert set(answer.is_big.values()) == {True}


def test_dijkstra_halts_with_many_isolated_nodes_on_torch():
    model = lw.compile(lw.algorithms.dijkstra("compact"))
    graph = np.zeros((40, 40))
    for machine in ("torch", "native"):
        assert model.run(graph, source=0, machine=machine).iterations <= 40


@pytest.mark.parametrize("attention", ["hardmax"])
@pytest.mark.parametrize("name", ALGORITHMS)
def test_noise_below_the_certificates_changes_nothing(name, attention, monkeypatch):
    """Every score of every head is off by up to half its tolerance; answers are the same."""
    from loopwright.runtime.machines import reference

    rng, plain = np.random.default_rng(5), reference.scores
    graph = [(0, 1, 3), (1, 2, 1), (0, 2, 4), (2, 3, 1), (4, 5, 2)]
    for make in ALGORITHMS[name].constructions.values():
        made = make()
        if not made.bound:
            continue
        model = lw.compile(made, attention=attention, limits=lw.Limits(nodes=8, largest=64))
        options = {"source": 0} if made.source == "required" else {}
        read = lw.Graph.from_edges(graph, directed=False) if name in UNDIRECTED else graph
        expected = model.run(read, machine="reference", **options)
        tolerances = [h.tie_tolerance for at in model.layers for h in at.heads]
        assert model.check(read).noise == min(tolerances) / 2 > 0

        def noisy(head, x, a):
            exact = plain(head, x, a)
            return exact + rng.uniform(-0.49, 0.49, exact.shape) * head.tie_tolerance

        monkeypatch.setattr(reference, "scores", noisy)
        found = model.run(read, machine="reference", **options)
        monkeypatch.setattr(reference, "scores", plain)
        assert (found.result, found.iterations) == (expected.result, expected.iterations)


UNDIRECTED = ("prim", "kruskal", "components", "bridges", "articulation-points")


def test_older_files_have_their_authors_word():
    """Files of the version before know nothing of bounds."""
    from loopwright.model.description import _demands

    facts = {
        "counts": [0, 1],
        "values": True,
        "homogeneous": True,
        "denominator": 1,
        "averages": True,
        "chained": False,
        "sums_from": False,
        "sums_to": False,
    }
    assert _demands(facts).paths
    assert _demands(facts).reach is None


def test_bounds_are_saved(tmp_path):
    model = lw.compile(program(Add(V, V, 1), Add(W, W, Fraction(1, 2))))
    model.save(tmp_path / "m.safetensors")
    assert lw.Model.load(tmp_path / "m.safetensors").demands == model.demands


@pytest.mark.parametrize("attention", ["hardmax", "softmax"])
@pytest.mark.parametrize("machine", ["native", "reference"])
def test_a_run_stops_where_a_position_leaves_the_nodes(machine, attention):
    """Softmax would round it to nowhere, from where it comes back to the first node."""
    here, seen = single.position("here", start=1), nodes.flag("seen")
    yes = single.flag("yes", start=1)
    steps = (
        lw.step("mark", OneHot(seen, here, yes), Increment(here, here)),
        lw.step("halt", AllOne(DONE, nodes.flag("never", start=0))),
    )
    made = lw.Program("walk", steps, {"seen": seen}, DONE, (9,))
    model = lw.compile(made, attention=attention, limits=lw.Limits(nodes=4))
    with pytest.raises(CapacityError, match=r"'here' is position [45], past the last row"):
        model.run([("a", "b", 1), ("b", "c", 1)], machine=machine)


def test_starts_are_on_the_grid():
    with pytest.raises(ProgramError, match="the constant 1/10 is no multiple of the resolution"):
        lw.compile(program(Copy(nodes.value("tenth", start=Fraction(1, 10)), V)))


def test_a_flag_is_rounded_as_it_is():
    """Not as it was before its layer, if the layer has written it already."""
    flag = nodes.flag("flag", start=1)
    made = lw.Program(
        "round",
        (lw.step("do", Set(flag, ~flag), RoundFlag(flag)), lw.step("halt", AllOne(DONE, EVERYONE))),
        {"flag": flag},
        DONE,
        (1,),
    )
    for attention in ("hardmax", "softmax"):
        found = lw.verify(lw.compile(made, attention=attention), path(3)).flag
        assert set(found.values()) == {False}


def test_the_source_has_its_start_where_others_are_given():
    v = nodes.value("given", start=given("v"), at_source=7)
    made = program(Copy(v, v), source="required")
    expected = {0: 7, 1: 3, 2: 3}
    assert lw.interpret(made, path(3), source=0, v=3).out == expected
    assert lw.compile(made).run(path(3), source=0, v=3).out == expected
