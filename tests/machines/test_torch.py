"""The torch machine: the reference bit for bit, in batches, with gradients and hooks."""

from __future__ import annotations

import re
import sys
from dataclasses import replace
from fractions import Fraction
from functools import cache
from threading import Thread

import networkx as nx
import numpy as np
import pytest

import loopwright as lw
from loopwright.algorithms import ALGORITHMS
from loopwright.errors import CapacityError, DidNotHalt, LoopwrightError
from loopwright.model.layout import Field, Kind, Layout, Scope
from loopwright.model.weights import Head, Layer, Weights
from loopwright.runtime.decode import decode
from loopwright.runtime.encode import Problem, encode
from loopwright.runtime.machines import prepare
from loopwright.runtime.machines.reference import layer_output
from loopwright.runtime.machines.reference import loop as reference

torch = pytest.importorskip("torch")

from torch.func import functional_call  # noqa: E402

from loopwright.runtime.machines.torch import (  # noqa: E402
    Hardmax,
    LoopedTransformer,
    Softmax,
    collate,
)

SIZES = (1, 3, 5, 2)
"""A single node, the largest in the middle, and no two alike: padding, and halts out of order."""
ATTENTIONS = ("hardmax", "softmax")
RUNNABLE = [
    pytest.param(name, construction, id=f"{name}-{construction}")
    for name, algorithm in ALGORITHMS.items()
    for construction in algorithm.constructions
    if algorithm(construction).bound  # one without a bound needs inputs to halt at all
]
EXACT_IN_FLOAT32 = lw.Limits(nodes=16, largest=64, resolution=Fraction(1, 2**14))
"""The finest that float32 holds: Ω = 8·64, so Ω/ε = 2²², its 24 bits less the two guard bits.
Sums of a few multiples of ε up to Ω are then exact, and 17 positions are a coarse circle:
neighbours' scores differ by 0.05, and 16 increments drift by no more than 1e-5."""


@pytest.fixture(autouse=True)
def _one_thread():
    """Batches here are tiny: threads would only wait for those of other tests."""
    threads = torch.get_num_threads()
    torch.set_num_threads(1)
    yield
    torch.set_num_threads(threads)


@cache
def compiled(name, construction=None, attention="hardmax", limits=None) -> Weights:
    if limits is None and attention == "softmax":
        limits = lw.Limits.paper()
    return lw.compile(ALGORITHMS[name](construction), attention=attention, limits=limits)


def graph_of(n: int, *, seed: int = 0) -> lw.Graph:
    """Random, directed, seldom connected; weights k/4."""
    rng = np.random.default_rng([n, seed])
    graph = nx.gnp_random_graph(n, 0.5, seed=10 * seed + n, directed=True)
    for _, _, data in graph.edges(data=True):
        data["weight"] = int(rng.integers(1, 24)) / 4
    return lw.Graph.of(graph)


def problem_of(model: Weights, graph: lw.Graph) -> Problem:
    """Of any graph: machines agree also where the program does not promise anything."""
    source = 0 if model.source == "required" else None
    return encode(model, graph, source=source, checked=not model.needs)


def tiny_model(rng, attention, d=3) -> Weights:
    """Two layers of random weights, one head of each kind, at a temperature of order 1."""

    def matrix(columns=d):
        return rng.normal(size=(d, columns)) * 0.7

    layers = tuple(
        Layer(
            name=f"random {i}",
            paper_step=None,
            writes=(),
            heads=tuple(Head(over, matrix(2), matrix(2), matrix(), 0.0, 0.8) for over in kinds),
            mlp=(matrix(), matrix(), matrix(), matrix()),
        )
        for i, kinds in enumerate([("I", "A"), ("AT",)])
    )
    halt = Field("halt", Kind.FLAG, Scope.SINGLE, 0, Fraction(0))
    return replace(
        compiled("bfs", "paper", attention),
        layout=Layout((halt,), d, "halt", {}),
        layers=layers,
    )


def steps_of(model: Weights, problem: Problem, most: int):
    """Last X, iterations, and X after every layer by the reference."""
    seen = []
    x, iterations = reference(model, problem, most, lambda t, i, x: seen.append((t, i, x)))
    return x, iterations, seen


def positions(model: Weights):
    """Which columns hold positions: rotations round them, in an order that is the machine's own."""
    columns = np.zeros(model.width, dtype=bool)
    for field in model.layout.fields:
        columns[field.columns] |= field.kind is Kind.POSITION
    return columns


def assert_same(model: Weights, found, expected, message=""):
    """Bit for bit; positions, and everything under softmax, as close as `verify` wants them."""
    rounded = positions(model)
    if model.attention == "hardmax":
        np.testing.assert_array_equal(found[..., ~rounded], expected[..., ~rounded], message)
    else:
        slack = float(model.constants.resolution) / 4
        np.testing.assert_allclose(found, expected, rtol=0, atol=slack, err_msg=message)
    slack = float(model.constants.tie_tolerance) / 4
    np.testing.assert_allclose(
        found[..., rounded], expected[..., rounded], rtol=0, atol=slack, err_msg=message
    )


# ── it is the reference ─────────────────────────────────────────────────────────────────────────


@pytest.mark.parametrize("attention", ATTENTIONS)
@pytest.mark.parametrize(("name", "construction"), RUNNABLE)
def test_every_layer_is_that_of_the_reference(name, construction, attention):
    model = compiled(name, construction, attention)
    graph = graph_of(4)
    problem, most = problem_of(model, graph), model.max_iterations(graph.n)
    x, iterations, seen = steps_of(model, problem, most)
    found = []
    last, count = prepare(model, "torch")(problem, most, lambda t, i, x: found.append((t, i, x)))
    assert count == iterations
    assert [at[:2] for at in found] == [at[:2] for at in seen]
    after, expected = (np.stack([at[2] for at in steps]) for steps in (found, seen))
    assert after.dtype == np.float64
    assert_same(model, after, expected, "indices are (layers done, row, column)")
    assert_same(model, last, x)


@pytest.mark.parametrize("attention", ATTENTIONS)
@pytest.mark.parametrize(("name", "construction"), RUNNABLE)
def test_a_batch_is_its_graphs_one_by_one(name, construction, attention):
    model = compiled(name, construction, attention)
    graphs = [graph_of(n) for n in SIZES]
    problems = [problem_of(model, graph) for graph in graphs]
    most = model.max_iterations(max(SIZES))
    x, iterations = LoopedTransformer.from_model(model).run(problems, most)
    for b, (graph, problem) in enumerate(zip(graphs, problems, strict=True)):
        expected, count = reference(model, problem, model.max_iterations(graph.n))
        assert iterations[b] == count
        found, padding = x[b, : problem.rows].numpy(), x[b, problem.rows :].numpy()
        assert_same(model, found, expected, f"graph {b}")
        np.testing.assert_array_equal(padding, 0)
        assert decode(model, graph, found) == decode(model, graph, expected)
    assert len(set(iterations.tolist())) > 1


@pytest.mark.parametrize("attention", ATTENTIONS)
def test_any_weights_compute_what_the_reference_computes(attention):
    """Compiled weights leave much undone: a head that reads what another wrote, a full Ã."""
    rng = np.random.default_rng(3)
    model = tiny_model(rng, attention)
    problems = [
        Problem(
            rng.normal(size=(rows, model.width)),
            *(rng.integers(0, rows, size=2) for _ in range(2)),
            rng.uniform(1, 2, size=2),
        )
        for rows in (3, 5, 4)
    ]
    batch = collate(problems)
    found = LoopedTransformer.from_model(model)(*batch)
    for b, problem in enumerate(problems):
        x, a = problem.x, batch.a[b, : problem.rows, : problem.rows].numpy()
        for layer in model.layers:
            x = layer_output(model, layer, x, a)
        np.testing.assert_allclose(found[b, : problem.rows].numpy(), x, rtol=1e-12)


@pytest.mark.parametrize("attention", ATTENTIONS)
def test_verify_accepts_the_machine(attention):
    model = compiled("dijkstra", "paper", attention)
    graph = graph_of(4)
    assert lw.verify(model, graph, source=0, machine="torch").iterations == 16


@pytest.mark.parametrize("attention", ATTENTIONS)
def test_padding_can_hold_anything(attention):
    """Rows outside the mask change nothing, even if they hold what would score best."""
    model = compiled("dijkstra", "paper", attention)
    net = LoopedTransformer.from_model(model)
    x, a, mask = collate([problem_of(model, graph_of(n)) for n in (3, 5)])
    assert not mask.all()
    expected = net(x, a, mask)
    found = net(x.masked_fill(~mask[:, :, None], 7.0), a, mask)
    np.testing.assert_array_equal(found[mask].numpy(), expected[mask].numpy())


def test_did_not_halt_reads_like_the_reference():
    model = compiled("dijkstra", "paper")
    problems = [problem_of(model, graph_of(n)) for n in (3, 1, 2)]
    with pytest.raises(DidNotHalt) as expected:
        reference(model, problems[0], 8)
    net = LoopedTransformer.from_model(model)
    with pytest.raises(DidNotHalt, match=f"^{re.escape(str(expected.value))}$"):
        net.run(problems[0], 8)
    with pytest.raises(DidNotHalt, match=re.escape("within 3 iterations: graphs [0, 2] of 3.")):
        net.run(problems, 3)


def test_a_batch_of_none():
    with pytest.raises(LoopwrightError, match="at least one"):
        collate([])


def test_threads_are_given_back():
    """Also to threads that start later, which inherit the count that was set last."""
    torch.set_num_threads(2)
    model = compiled("dijkstra", "paper")
    prepare(model, "torch")(problem_of(model, graph_of(2)), 4, None)
    list(model.run_many([graph_of(3)] * 6, sources=[0] * 6, machine="torch", workers=3))
    counts = [torch.get_num_threads()]
    later = Thread(target=lambda: counts.append(torch.get_num_threads()))
    later.start()
    later.join()
    assert counts == [2, 2]


# ── precision ───────────────────────────────────────────────────────────────────────────────────


@pytest.mark.parametrize("attention", ATTENTIONS)
@pytest.mark.parametrize(("name", "construction"), RUNNABLE)
def test_float32_at_its_limit(name, construction, attention):
    """Values are multiples of ε: the sums are those of float64."""
    model = compiled(name, construction, attention, EXACT_IN_FLOAT32)
    graph = graph_of(5, seed=1)
    if model.edges == "weights":
        epsilon = float(model.constants.resolution)
        graph = replace(graph, weights=graph.floats + epsilon)
    problem, most = problem_of(model, graph), model.max_iterations(graph.n)
    net = LoopedTransformer.from_model(model, dtype=torch.float32)
    assert {p.dtype for p in net.parameters()} == {torch.float32}
    x, iterations = net.run(problem, most)
    expected, count = reference(model, problem, most)
    assert x.dtype == torch.float32
    assert iterations.tolist() == [count]
    assert_same(model, x[0].double().numpy(), expected)


@pytest.mark.parametrize(
    ("limits", "message"),
    [
        (replace(EXACT_IN_FLOAT32, resolution=Fraction(1, 2**15)), "cannot hold values up to 512"),
        (lw.Limits(nodes=2**9, largest=2**21, resolution=Fraction(1)), "cannot hold values"),
        (lw.Limits(nodes=2**9, largest=1, resolution=Fraction(1)), "cannot tell 512 positions"),
    ],
)
def test_too_fine_for_float32(limits, message):
    model = compiled("bfs", limits=limits)
    with pytest.raises(CapacityError, match=message):
        LoopedTransformer.from_model(model, dtype=torch.float32)
    LoopedTransformer.from_model(model)
    LoopedTransformer.from_model(model).float()  # for experiments: on your own responsibility


# ── what happens inside ─────────────────────────────────────────────────────────────────────────


@pytest.mark.parametrize("attention", ATTENTIONS)
def test_capture_is_what_the_reference_observes(attention):
    model = compiled("scc", "paper", attention)
    net = LoopedTransformer.from_model(model)
    problems = [problem_of(model, graph_of(n)) for n in (5, 3)]
    batch = collate(problems)
    x, snapshots = net(*batch, capture=True)
    torch.testing.assert_close(x, net(*batch), rtol=0, atol=0)
    assert [snapshot.name for snapshot in snapshots] == [layer.name for layer in model.layers]
    assert snapshots[-1].x is x
    for b, problem in enumerate(problems):
        seen = []
        with pytest.raises(DidNotHalt):
            reference(model, problem, 1, lambda t, i, x, seen=seen: seen.append(x))
        for snapshot, layer, expected in zip(snapshots, model.layers, seen, strict=True):
            assert_same(model, snapshot.x[b, : problem.rows].numpy(), expected, snapshot.name)
            assert len(snapshot.attention) == len(layer.heads)
            for found_by in snapshot.attention:
                sums = found_by[b].sum(dim=1)  # real rows share out 1 among real rows
                assert found_by.shape == batch.a.shape
                torch.testing.assert_close(sums, batch.mask[b].to(sums.dtype))
                assert not found_by[b][:, ~batch.mask[b]].any()


def test_watch_sees_the_graphs_that_still_run():
    model = compiled("dijkstra", "paper")
    net = LoopedTransformer.from_model(model)
    seen = []

    def watch(iteration, running, snapshots):
        seen.append((iteration, running.tolist()))
        assert len(snapshots) == len(model.layers)
        assert {len(snapshot.x) for snapshot in snapshots} == {len(running)}

    net.run([problem_of(model, graph_of(n)) for n in (2, 1, 3)], 9, watch=watch)
    assert seen == [(1, [0, 1, 2]), *((t, [0, 2]) for t in (2, 3, 4))] + [
        (t, [2]) for t in range(5, 10)
    ]


def test_plain_forward_hooks():
    model = compiled("dijkstra", "paper")
    net = LoopedTransformer.from_model(model)
    batch = collate([problem_of(model, graph_of(4))])
    _, snapshots = net(*batch, capture=True)
    index = next(i for i, layer in enumerate(model.layers) if len(layer.heads) > 1)
    layer, seen = net.layers[index], {}

    def keep(name):
        return lambda module, inputs, output: seen.update({name: (inputs[0], output)})

    layer.register_forward_hook(keep("layer"))
    layer.mlp.register_forward_hook(keep("mlp"))
    for h, head in enumerate(layer.heads):
        head.register_forward_hook(keep(h))
        head.attend.register_forward_hook(keep(f"attention {h}"))
    net(*batch)
    before, after = seen["layer"]
    torch.testing.assert_close(after, snapshots[index].x, rtol=0, atol=0)
    attended = before
    for h, found_by in enumerate(snapshots[index].attention):
        attended = attended + seen[h][1]
        weights = seen[f"attention {h}"][1]
        total = weights.sum(dim=-1, keepdim=True)
        torch.testing.assert_close(weights / total, found_by, rtol=0, atol=0)
    torch.testing.assert_close(seen["mlp"][0], attended, rtol=0, atol=0)
    torch.testing.assert_close(attended + seen["mlp"][1], after, rtol=0, atol=0)


def test_a_hook_can_change_what_a_step_does():
    """Ablation by step name: relaxing nothing leaves every other node unreached."""
    model = compiled("dijkstra", "paper")
    graph = graph_of(5)
    net = LoopedTransformer.from_model(model)
    writes_dists = [layer for layer in net.layers if "dists" in layer.writes]
    hook = net.layer(writes_dists[-1].name).register_forward_hook(lambda m, inputs, out: inputs[0])
    problem = problem_of(model, graph)
    x, _ = net.run(problem, 25)
    dists = decode(model, graph, x[0].numpy())["dists"]
    assert list(dists.values()) == [0.0, None, None, None, None]
    hook.remove()
    x, _ = net.run(problem, 25)
    np.testing.assert_array_equal(
        list(decode(model, graph, x[0].numpy())["dists"].values()),
        list(model.run(graph, source=0).dists.values()),
    )


def test_no_such_step():
    net = LoopedTransformer.from_model(compiled("dijkstra", "paper"))
    with pytest.raises(LoopwrightError, match=r"0 steps 'nap'; its steps are: '.*', '"):
        net.layer("nap")


# ── parameters and gradients ────────────────────────────────────────────────────────────────────


def test_parameters_are_the_weights_and_frozen():
    model = compiled("dijkstra", "paper")
    net = LoopedTransformer.from_model(model)
    assert sum(p.numel() for p in net.parameters()) == model.parameters
    assert not any(p.requires_grad for p in net.parameters())
    state = net.state_dict()
    assert {re.sub(r"\d+", "#", key, count=2) for key in state if "heads" in key} == {
        f"layers.#.heads.#.{part}" for part in ("query", "key", "value")
    }
    for i, layer in enumerate(model.layers):
        for k, w in enumerate(layer.mlp, start=1):
            np.testing.assert_array_equal(state[f"layers.{i}.mlp.w{k}"].numpy(), w)


def test_training_leaves_the_model_alone():
    model = compiled("dijkstra", "paper")
    before = model.layers[0].mlp[0].copy()
    net = LoopedTransformer.from_model(model, requires_grad=True)
    with torch.no_grad():
        net.layers[0].mlp.w1 += 1
    np.testing.assert_array_equal(model.layers[0].mlp[0], before)


def test_state_dict_round_trip(tmp_path):
    model = compiled("bfs")
    net = LoopedTransformer.from_model(model)
    torch.save(net.state_dict(), tmp_path / "bfs.pt")
    other = LoopedTransformer.from_model(model)
    with torch.no_grad():
        for p in other.parameters():
            p.zero_()
    problem = problem_of(model, graph_of(4))
    with pytest.raises(DidNotHalt):
        other.run(problem, 16)
    other.load_state_dict(torch.load(tmp_path / "bfs.pt", weights_only=True))
    expected, count = net.run(problem, 16)
    found, again = other.run(problem, 16)
    torch.testing.assert_close(found, expected, rtol=0, atol=0)
    assert again == count


def test_gradients_are_finite_differences():
    """For every parameter, X and Ã, through softmax, all head kinds, MLPs, and a padded row.

    The padded row is not 0 here: there a ReLU has no derivative to compare with.
    """
    rng = np.random.default_rng(5)
    net = LoopedTransformer.from_model(tiny_model(rng, "softmax"), requires_grad=True)
    mask = torch.tensor([[True, True, True], [True, True, False]])
    real = mask[:, :, None].double()
    x = torch.tensor(rng.normal(size=(2, 3, 3)))
    a = torch.tensor(rng.uniform(size=(2, 3, 3))) * real * real.mT
    names = [name for name, _ in net.named_parameters()]

    def iterate(x, a, *parameters):
        once = functional_call(net, dict(zip(names, parameters, strict=True)), (x, a, mask))
        return functional_call(net, dict(zip(names, parameters, strict=True)), (once, a, mask))

    inputs = (x.requires_grad_(), a.requires_grad_(), *net.parameters())
    assert torch.autograd.gradcheck(iterate, inputs)
    total = iterate(*inputs).square().sum()
    for name, gradient in zip(["x", "a", *names], torch.autograd.grad(total, inputs), strict=True):
        assert gradient.isfinite().all(), name
        assert gradient.any(), name


def test_the_gradient_of_a_distance_is_its_path():
    """∂ dist(v) / ∂ A is 1 on the edges of the shortest path to v, and 0 on all others.

    Through all 25 iterations of the compiled Dijkstra: comparisons are flat, selections pass on.
    (Row 0 of Ã is padding. Row 0 attends to the current node as well, so a weight put there would
    be added to that node's: the derivative by it is not 0.)
    """
    model = compiled("dijkstra", "paper", "softmax")
    graph = nx.DiGraph()
    graph.add_weighted_edges_from(
        [(0, 1, 2.0), (1, 2, 1.0), (0, 2, 4.0), (2, 3, 1.5), (1, 3, 5.0), (3, 4, 1.0), (4, 0, 1.0)]
    )
    batch = collate([problem_of(model, lw.Graph.of(graph))])
    a = batch.a.requires_grad_()
    x, _ = LoopedTransformer.from_model(model).run(batch, 25)
    dists = x[0, :, model.layout[model.layout.outputs["dists"]].first]
    (gradient,) = torch.autograd.grad(dists[1 + 3], a)
    path = nx.dijkstra_path(graph, 0, 3)
    expected = np.zeros((5, 5))
    for tail, head in nx.utils.pairwise(path):
        expected[tail, head] = 1
    assert expected.sum() == 3
    np.testing.assert_allclose(gradient[0, 1:, 1:].numpy(), expected, atol=1e-6)


def test_attention_by_hand():
    scores = torch.tensor([[[1.0, 3.0, 3.0 - 1e-9, -torch.inf]]], dtype=torch.float64)
    assert Hardmax(1e-6)(scores).tolist() == [[[0.0, 1.0, 1.0, 0.0]]]
    assert Hardmax(0.0)(scores).tolist() == [[[0.0, 1.0, 0.0, 0.0]]]
    e = np.exp(-2.0)
    expected = np.array([[[e, 1, 1, 0]]])
    np.testing.assert_allclose(Softmax(1.0)(scores).numpy(), expected, rtol=1e-8)


# ── where torch is not installed ────────────────────────────────────────────────────────────────


def test_without_torch(monkeypatch):
    for name in [name for name in sys.modules if name.split(".")[0] == "torch"]:
        monkeypatch.setitem(sys.modules, name, None)  # None: importing it raises
    monkeypatch.delitem(sys.modules, "loopwright.runtime.machines.torch")
    model = compiled("dijkstra")
    with pytest.raises(LoopwrightError, match=r"needs torch: pip install 'loopwright\[torch\]'"):
        model.run(graph_of(2), source=0, machine="torch")
    assert model.run(graph_of(2), source=0).iterations
