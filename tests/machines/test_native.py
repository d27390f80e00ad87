"""native = reference: after every layer, on every algorithm and on models that mean nothing."""

from __future__ import annotations

import gc
import tracemalloc
import weakref
from concurrent.futures import ThreadPoolExecutor
from functools import partial

import networkx as nx
import numpy as np
import pytest
from fuzzed_models import Fuzz, changing_its_mood, crowded, drifting_apart
from hypothesis import given, settings
from hypothesis import strategies as st

import loopwright as lw
from compiled import compiled
from loopwright.algorithms import ALGORITHMS
from loopwright.errors import DidNotHalt
from loopwright.language.variables import given as given_input
from loopwright.language.variables import nodes, single
from loopwright.model.layout import Kind
from loopwright.model.limits import MANTISSA
from loopwright.runtime.encode import Problem, encode
from loopwright.runtime.graph import Graph
from loopwright.runtime.machines import native, prepare, reference
from loopwright.runtime.machines.native import anew
from loopwright.runtime.machines.native.forms import Algebra, Own, Sign, sign_of
from observers import AfterLayer, Heard
from strategies import INPUTS, problems

FEW = settings(max_examples=max(5, settings.default.max_examples // 5))
SOME = settings(max_examples=max(8, settings.default.max_examples // 3))
EVERY = [
    pytest.param(name, construction, id=f"{name}-{construction}")
    for name, algorithm in ALGORITHMS.items()
    for construction in algorithm.constructions
]
SOFTMAX_ERROR = 1e-9
"""Relative to the largest number in X: exponentials and normalising are rounded differently."""


def trace(machine, model, problem, iterations):
    """X after every layer, and the number of iterations or the words of the error."""
    seen = []
    try:
        _, outcome = machine.prepare(model)(problem, iterations, lambda t, i, x: seen.append(x))
    except DidNotHalt as error:
        outcome = str(error)
    return seen, outcome


def position_columns(model):
    columns = np.zeros(model.width, dtype=bool)
    for field in model.layout.fields:
        columns[field.columns] = field.kind is Kind.POSITION
    return columns


def position_error(rows):
    """How far apart two machines' positions may be: each is off by 4 roundings an increment, of
    which there are at most `rows` before a position is set anew, and 4 more where it is copied."""
    return 16 * rows * 2.0**-MANTISSA


def assert_same(model, found, expected):
    """Bit for bit, but for positions."""
    positions = position_columns(model)
    np.testing.assert_array_equal(found[:, ~positions], expected[:, ~positions])
    error = position_error(len(expected))
    np.testing.assert_allclose(found[:, positions], expected[:, positions], rtol=0, atol=error)


def assert_close(found, expected):
    error = SOFTMAX_ERROR * max(1.0, abs(expected).max())
    np.testing.assert_allclose(found, expected, rtol=0, atol=error)


def draw_problem(model, data, max_nodes):
    graph, source = data.draw(problems(max_nodes))
    inputs = data.draw(INPUTS[model.name](len(graph))) if model.name in INPUTS else {}
    most = inputs.pop("max_iterations", None) or model.max_iterations(len(graph))
    source = source if model.source == "required" else None
    suited = not model.needs  # machines agree on any other graph as well
    problem = encode(model, Graph.of(graph), source=source, inputs=inputs, checked=suited)
    return problem, most


@pytest.mark.parametrize(("name", "construction"), EVERY)
@FEW
@given(data=st.data())
def test_agrees_after_every_layer(name, construction, data):
    model = compiled(name, construction)
    problem, most = draw_problem(model, data, max_nodes=12)
    found, expected = (trace(machine, model, problem, most) for machine in (native, reference))
    for mine, theirs in zip(found[0], expected[0], strict=True):
        assert_same(model, mine, theirs)
    assert found[1] == expected[1]


@pytest.mark.parametrize(("name", "construction"), EVERY)
@FEW
@given(data=st.data())
def test_agrees_under_softmax(name, construction, data):
    model = compiled(name, construction, attention="softmax")
    problem, most = draw_problem(model, data, max_nodes=9)
    found, expected = (trace(machine, model, problem, most) for machine in (native, reference))
    for mine, theirs in zip(found[0], expected[0], strict=True):
        assert_close(mine, theirs)
    assert found[1] == expected[1]


def exact_until(model, problem, iterations, seen):
    """How many layers were free of rounding: more digits change nothing in them."""
    wide = Problem(problem.x.astype(np.longdouble), problem.tails, problem.heads, problem.weights)
    finer, _ = trace(reference, model, wide, iterations)
    numbers = ~position_columns(model)
    for layer, (x, fine) in enumerate(zip(seen, finer, strict=False)):
        if not np.array_equal(x[:, numbers], fine[:, numbers]):
            return layer
    return min(len(seen), len(finer))


@pytest.mark.parametrize("unruly", ["", "x", "edges", "bias"])
@SOME
@given(seed=st.integers(0, 2**32 - 1))
def test_fuzzed_models(unruly, seed):
    """Exact as far as the reference itself is, also where X₀ or the edges break all assumptions."""
    fuzz = Fuzz(seed)
    for _ in range(3):
        problem = fuzz.problem(unruly=unruly)
        found, expected = (trace(m, fuzz.model, problem, 3) for m in (native, reference))
        exact = exact_until(fuzz.model, problem, 3, expected[0])
        for mine, theirs in zip(found[0][:exact], expected[0][:exact], strict=True):
            assert_same(fuzz.model, mine, theirs)
        if exact == len(expected[0]):
            assert found[1] == expected[1]


@pytest.mark.parametrize("unruly", ["", "x", "edges", "bias"])
@SOME
@given(seed=st.integers(0, 2**32 - 1))
def test_fuzzed_models_under_softmax(unruly, seed):
    fuzz = Fuzz(seed, attention="softmax")
    problem = fuzz.problem(unruly=unruly)
    found, expected = (trace(m, fuzz.model, problem, 1) for m in (native, reference))
    for mine, theirs in zip(found[0], expected[0], strict=True):
        assert_close(mine, theirs)


def first_difference(model, problem):
    """The first iteration after which the native machine is not as the reference says; 0: none."""
    found, expected = (trace(machine, model, problem, 6)[0] for machine in (native, reference))
    numbers = ~position_columns(model)
    for layer in range(exact_until(model, problem, 6, expected)):
        if not np.array_equal(found[layer][:, numbers], expected[layer][:, numbers]):
            return layer // len(model.layers) + 1
    return 0


def settling(seed):
    fuzz = Fuzz(seed, settles=True)
    return fuzz.model, fuzz.problem()


@SOME
@given(seed=st.integers(0, 2**32 - 1))
def test_nodes_choose_anew_when_something_is_new_to_them(seed):
    assert first_difference(*settling(seed)) == 0


@pytest.mark.parametrize(
    ("reason", "run"),
    [
        ("row_zero", partial(settling, 105)),
        ("alike", changing_its_mood),
        ("shown", partial(settling, 50)),
        ("asked", partial(settling, 123)),
    ],
)
def test_every_reason_to_choose_anew_counts(reason, run, monkeypatch):
    """Who takes no notice of one keeps a choice that does not stand, but not the first one."""
    assert first_difference(*run()) == 0
    whole = anew.Kept.__init__

    def without(self, *given):
        whole(self, *given)
        setattr(self, reason, [])
        self.copied = sorted({*self.row_zero, *self.alike, *self.shown, *self.asked})

    monkeypatch.setattr(anew.Kept, "__init__", without)
    assert first_difference(*run()) > 1


def test_nodes_that_ask_alike_only_at_first():
    model, problem = drifting_apart()
    found, expected = (trace(machine, model, problem, 3) for machine in (native, reference))
    for mine, theirs in zip(found[0], expected[0], strict=True):
        assert_same(model, mine, theirs)


@pytest.mark.parametrize(("count", "build"), [(20, "fast"), (200, "general")])
def test_attention_that_is_too_much_to_store(count, build):
    model, problem = crowded(count)
    builds = native.prepare(model).args[1]
    assert native.set_up(builds, problem).build is getattr(builds, build)
    found, expected = (trace(machine, model, problem, 2) for machine in (native, reference))
    for mine, theirs in zip(found[0], expected[0], strict=True):
        assert_same(model, mine, theirs)


@pytest.mark.parametrize("seed", range(10))
def test_row_zero_alone(seed):
    fuzz = Fuzz(seed)
    nothing = np.zeros(0, dtype=np.int64)
    problem = Problem(fuzz.problem().x[:1], nothing, nothing, np.zeros(0))
    found, expected = (trace(m, fuzz.model, problem, 1) for m in (native, reference))
    for mine, theirs in zip(found[0], expected[0], strict=True):
        assert_same(fuzz.model, mine, theirs)


def test_most_fuzzed_runs_are_exact():
    """Otherwise the test above would compare little."""
    layers = exact = 0
    for seed in range(40):
        fuzz = Fuzz(seed)
        problem = fuzz.problem()
        seen, _ = trace(reference, fuzz.model, problem, 3)
        layers, exact = layers + len(seen), exact + exact_until(fuzz.model, problem, 3, seen)
    assert exact > layers / 2


def assert_whole_loop_is_the_observed_one(model, problem, iterations):
    """One call of machine code, or layer by layer under observation: the same code. But what is
    alike at all nodes may stand at the first one alone until somebody looks."""
    seen, outcome = trace(native, model, problem, iterations)
    if isinstance(outcome, str):  # it does not halt: as many iterations as are asked for
        space = native.set_up(native.prepare(model).args[1], problem)
        assert space.build.run(space.address, iterations) == -1
        np.testing.assert_array_equal(space.x(), seen[-1])
    else:
        x, counted = prepare(model, "native")(problem, iterations, None)
        np.testing.assert_array_equal(x, seen[-1])
        assert counted == outcome == len(seen) // len(model.layers)


@pytest.mark.parametrize(("name", "construction"), EVERY)
@FEW
@given(data=st.data())
def test_whole_loop_is_the_observed_one(name, construction, data):
    model = compiled(name, construction)
    problem, most = draw_problem(model, data, max_nodes=12)
    assert_whole_loop_is_the_observed_one(model, problem, most)


@SOME
@given(seed=st.integers(0, 2**32 - 1))
def test_whole_loop_of_fuzzed_models(seed):
    fuzz = Fuzz(seed)
    assert_whole_loop_is_the_observed_one(fuzz.model, fuzz.problem(), 3)


def test_a_column_that_becomes_alike():
    """It differs at the nodes in X₀, is the same at all of them when an iteration ends, and is read
    when the next one begins."""
    seen, total = nodes.count("seen", start=given_input("seen")), nodes.count("total", start=0)
    rounds, done = single.count("rounds", start=0), single.flag("done")
    program = lw.Program(
        name="settles",
        bound=(3,),
        steps=(
            lw.step("read", lw.ops.Add(total, total, seen), lw.ops.Add(rounds, rounds, 1)),
            lw.step("write", lw.ops.Repeat(seen, rounds), lw.ops.LessOrEqual(done, 3, rounds)),
        ),
        outputs={"total": total},
        halt=done,
    )
    model = lw.compile(program)
    for machine in ("reference", "native"):
        answer = model.run([(1, 2), (2, 3)], seen=[1, 2, 3], machine=machine)
        assert answer.total == {1: 1 + 1 + 2, 2: 2 + 1 + 2, 3: 3 + 1 + 2}


@pytest.mark.parametrize("attention", ["hardmax", "softmax"])
@pytest.mark.parametrize(("name", "construction"), EVERY)
@FEW
@given(data=st.data())
def test_encoded_graphs_run_fast(name, construction, attention, data):
    """Whatever `encode` makes is as the fast build assumes."""
    model = compiled(name, construction, attention=attention)
    problem, _ = draw_problem(model, data, max_nodes=40)
    builds = native.prepare(model).args[1]
    assert native.set_up(builds, problem).build is builds.fast


def test_did_not_halt():
    model = compiled("dijkstra", "paper")
    problem = encode(model, Graph.of([("a", "b", 1)]), source="a")
    for observe in (None, lambda *_: None):
        with pytest.raises(DidNotHalt, match=r"'dijkstra' did not halt within 3 iterations\."):
            prepare(model, "native")(problem, 3, observe)


def test_problem_is_left_as_it_was():
    model = compiled("dijkstra", "paper")
    problem = encode(model, Graph.of([("a", "b", 1)]), source="a")
    before = problem.x.copy()
    prepare(model, "native")(problem, 9, None)
    np.testing.assert_array_equal(problem.x, before)


def test_threads_share_the_code():
    model = lw.compile(ALGORITHMS["dijkstra"]("paper"))
    graphs = [nx.gnp_random_graph(24, 0.2, seed=seed) for seed in range(12)]
    expected = [model.run(graph, source=0, machine="native").dists for graph in graphs]
    fresh = lw.compile(ALGORITHMS["dijkstra"]("paper"))
    with ThreadPoolExecutor(4) as pool:
        found = pool.map(lambda g: fresh.run(g, source=0, machine="native").dists, graphs)
        assert list(found) == expected


def test_code_is_made_once_and_freed_with_its_model():
    model = lw.compile(ALGORITHMS["dijkstra"]("paper"))
    assert native.prepare(model).args[1] is native.prepare(model).args[1]
    builds = weakref.ref(native.prepare(model).args[1])
    del model
    gc.collect()
    assert builds() is None


def test_memory_is_linear_in_rows():
    model = compiled("dijkstra", "paper")
    graph = nx.gnm_random_graph(4000, 20_000, seed=1)
    problem = encode(model, Graph.of(graph), source=0)
    loop = prepare(model, "native")
    tracemalloc.start()
    with pytest.raises(DidNotHalt):
        loop(problem, 3, None)
    _, peak = tracemalloc.get_traced_memory()
    tracemalloc.stop()
    assert peak < 8 * (3 * problem.x.size + 10 * len(problem.tails)), peak


# ── forms ───────────────────────────────────────────────────────────────────────────────────────


@pytest.fixture
def algebra():
    return Algebra()


def test_a_signed_value_carried_through_relus_is_itself(algebra):
    x = algebra.leaf(Own(0), Sign.ANY)
    up, down = algebra.relu(x), algebra.relu(algebra.total([(-1, x)]))
    assert algebra.total([(2, up), (-2, down)]) == algebra.total([(2, x)])
    assert algebra.total([(1, x), (-1, up), (1, down)]) == {}


def test_what_a_relu_takes_away_leaves_a_relu(algebra):
    x = algebra.leaf(Own(0), Sign.ANY)
    less = algebra.relu(algebra.total([(-1, x)]))
    assert algebra.total([(1, x), (1, less)]) == algebra.relu(x)


def test_signs(algebra):
    one, any_ = algebra.leaf(Own(0), Sign.NONNEGATIVE), algebra.leaf(Own(1), Sign.ANY)
    below_one = algebra.relu(algebra.total([(1, one), (-1, algebra.relu(any_))]))
    assert sign_of(algebra.total([(1, one), (-1, below_one)])) is Sign.NONNEGATIVE
    assert sign_of(algebra.total([(0.5, one), (-1, below_one)])) is Sign.ANY
    assert sign_of(algebra.total([(1, one), (1, any_)])) is Sign.ANY
    assert algebra.relu(algebra.total([(-1, one)])) == {}
    assert algebra.leaf(Own(2), Sign.ZERO) == {}


def test_a_long_run_is_heard_of(monkeypatch):
    """In slices of a few iterations: the same answer, and a report after each but the last."""
    monkeypatch.setattr(native, "FIRST_SLICE", 4)
    monkeypatch.setattr(native, "SHORT_SLICE", 0.0)
    model, graph = lw.compile(lw.algorithms.dijkstra("paper")), [("a", "b", 1), ("b", "c", 2)]
    whole = model.run(graph, source="a", machine="reference")
    for others in ([], [AfterLayer(lambda *seen: None)]):
        heard = Heard()
        found = model.run(graph, source="a", observers=[heard, *others])
        assert (found.result, found.iterations) == (whole.result, whole.iterations)
        assert heard.done == (list(range(1, 9)) if others else [4, 8])
    with pytest.raises(DidNotHalt, match="within 6 iterations"):
        model.run(graph, source="a", max_iterations=6)


@pytest.mark.parametrize("machine", ["reference", "torch", "exact"])
def test_others_report_every_iteration(machine):
    heard = Heard()
    model = lw.compile(lw.algorithms.dijkstra("compact"), limits=lw.Limits(nodes=4))
    model.run([("a", "b", 1), ("b", "c", 2)], source="a", machine=machine, observers=[heard])
    assert heard.done[:2] == [1, 2]


@pytest.mark.parametrize("attention", ["hardmax", "softmax"])
@pytest.mark.parametrize("threads", [2, 3])
def test_any_number_of_threads_gives_the_same(threads, attention, monkeypatch):
    """More shares than nodes, too: some are empty."""
    model = compiled("dijkstra", "parallel", attention=attention)
    for count in (1, 5, 600):
        graph = nx.gnp_random_graph(count, min(1.0, 8 / count), seed=count, directed=True)
        problem = encode(model, Graph.of(graph), source=0)
        alone, iterations = prepare(model, "native")(problem, count, None)
        with monkeypatch.context() as patched:
            patched.setattr(native, "threads_for", lambda *_: threads)
            together, counted = prepare(model, "native")(problem, count, None)
        np.testing.assert_array_equal(together, alone)
        assert counted == iterations
