"""The module that tools can hold: hook points, caches, nnsight, and back to weights."""

from __future__ import annotations

import numpy as np
import pytest

import loopwright as lw
from loopwright.runtime.machines import MACHINES
from loopwright.runtime.machines.reference import loop

torch = pytest.importorskip("torch")

from loopwright.circuits.module import HookedLoop  # noqa: E402
from loopwright.runtime.encode import encode  # noqa: E402
from loopwright.runtime.machines.torch import LoopedTransformer  # noqa: E402

ROADS = [("a", "b", 3), ("b", "c", 0.5), ("a", "c", 10), ("c", "d", 1), ("b", "d", 5)]
SMALL = [("a", "b", 2)]


@pytest.fixture(autouse=True)
def _one_thread():
    threads = torch.get_num_threads()
    torch.set_num_threads(1)
    yield
    torch.set_num_threads(threads)


@pytest.fixture(scope="module", params=["compact", "paper"])
def model(request):
    return lw.compile(lw.algorithms.dijkstra(request.param))


def iterations_of(model):
    return model.run(ROADS, source="a").iterations


def test_every_hook_point_of_every_iteration_is_seen(model):
    net = HookedLoop(model, iterations=iterations_of(model))
    answers, cache = net.run_with_cache(ROADS, source="a")
    assert answers[0].dists == model.run(ROADS, source="a").dists
    assert set(cache.keys()) == set(net.hook_dict)
    kinds = {name.rpartition(".")[2] for name in cache.keys()}
    assert {"hook_resid_pre", "hook_resid_mid", "hook_resid_post", "hook_mlp_out"} <= kinds
    assert {"hook_attn_scores", "hook_pattern", "hook_z"} <= kinds
    assert {f"hook_{when}_{level}" for when in ("pre", "post") for level in (1, 2, 3)} <= kinds


def test_the_cache_is_the_references_x(model):
    graph = lw.Graph.of(ROADS)
    seen = {}
    problem = encode(model, graph, source="a")
    loop(model, problem, 99, lambda t, i, x: seen.update({(t, i): x.copy()}))
    net = HookedLoop(model, iterations=iterations_of(model))
    _, cache = net.run_with_cache(graph, source="a")
    for (t, i), x in seen.items():
        np.testing.assert_allclose(cache[t, i, "hook_resid_post"][0], x, atol=1e-12)
    last = len(model.layers) - 1
    column = model.layout["dists"].first
    np.testing.assert_array_equal(cache["dists", 2][0], seen[2, last][1:, column])


def test_patterns_are_shares(model):
    net = HookedLoop(model, iterations=iterations_of(model))
    _, cache = net.run_with_cache(ROADS, source="a", iterations=[2])
    patterns = [x for name, x in cache.seen.items() if name.endswith("hook_pattern")]
    assert patterns
    for pattern in patterns:
        torch.testing.assert_close(pattern.sum(-1), torch.ones_like(pattern[..., 0]))
    assert {name.split(".")[1] for name in cache.keys()} == {"2"}


def test_graphs_of_different_sizes():
    model = lw.compile(lw.algorithms.dijkstra())
    net = HookedLoop(model, iterations=4)
    answers, cache = net.run_with_cache([lw.Graph.of(ROADS), lw.Graph.of(SMALL)], source="a")
    assert [a.dists for a in answers] == [
        model.run(graph, source="a").dists for graph in (ROADS, SMALL)
    ]
    assert [a.iterations for a in answers] == [4, 2]
    assert cache["dists", 1].shape == (2, 4)


def test_plain_forward_hooks_patch():
    model = lw.compile(lw.algorithms.dijkstra())
    net = HookedLoop(model, iterations=4)
    column, row = model.layout["dists"].first, 3  # of c

    def closer(module, inputs, output):
        output = output.clone()
        output[:, row, column] = 1
        return output

    point = net.iterations["1"].layers[2].hook_resid_post
    handle = point.register_forward_hook(closer)
    found = net.run_with_hooks(ROADS, source="a")[0].dists
    handle.remove()
    program = lw.patch(model, ROADS, variable="dists", node="c", iteration=1, value=1, source="a")
    assert found == program.expected["dists"] != model.run(ROADS, source="a").dists
    assert net.run_with_hooks(ROADS, source="a")[0].dists == model.run(ROADS, source="a").dists


@pytest.mark.parametrize("name", ["heads.1.hook_pattern", "hook_attn_out"])
def test_hooks_that_change_attention(name):
    """Nobody is the nearest, so nothing is ever found but the source."""
    net = HookedLoop(lw.compile(lw.algorithms.dijkstra()), iterations=4)
    hooks = [(f"iterations.{t}.layers.2.{name}", lambda x, point: x * 0) for t in range(1, 5)]
    hooks += [("iterations.4.layers.2.hook_resid_post", halting(net.halt))]
    if name != "hook_attn_out":
        hooks = [(n.replace("heads.1", "heads.2"), hook) for n, hook in hooks]
    found = net.run_with_hooks(ROADS, source="a", fwd_hooks=hooks)[0].dists
    assert found == {"a": 0.0, "b": None, "c": None, "d": None}


def halting(column):
    def hook(x, point):
        x = x.clone()
        x[:, 0, column] = 1
        return x

    return hook


def test_nnsight_reads_and_patches():
    """nnsight sees Dijkstra's distances at iteration 3, and what it sets is the counterfactual."""
    nnsight = pytest.importorskip("nnsight")
    model = lw.compile(lw.algorithms.dijkstra())
    graph = lw.Graph.of([*ROADS, ("d", "e", 2), ("a", "e", 9)])
    net = HookedLoop(model, iterations=5)
    batch, column = net.batch(graph, source="a"), model.layout["dists"].first
    held = nnsight.NNsight(net)
    with held.trace(*batch):
        seen = held.iterations["3"].layers[2].hook_resid_post.output.save()
    _, cache = net.run_with_cache(graph, source="a")
    torch.testing.assert_close(seen[:, 1:, column], cache["dists", 3], rtol=0, atol=0)
    with held.trace(*batch):
        held.iterations["3"].layers[2].hook_resid_post.output[:, 4, column] = 0.5
        last = held.output.save()
    expected = lw.patch(
        model, graph, variable="dists", node="d", iteration=3, value=0.5, source="a"
    )
    assert expected.agrees
    assert last[0, 1:, column].tolist() == list(expected.expected["dists"].values())
    assert expected.expected["dists"] != model.run(graph, source="a").dists


@pytest.mark.parametrize("machine", MACHINES)
def test_a_perturbed_module_is_a_model_again(machine):
    """Twice as far along every edge, on every machine."""
    model = lw.compile(lw.algorithms.dijkstra())
    net = HookedLoop(model, iterations=4)
    with torch.no_grad():
        net.layers[2].heads[2].value *= 2
    changed = net.to_model()
    found = changed.run(ROADS, source="a", machine=machine).dists
    assert found == {"a": 0.0, "b": 6.0, "c": 7.0, "d": 9.0}
    assert model.run(ROADS, source="a").dists["b"] == 3.0


def test_state_dicts_are_shared_with_the_machine():
    model = lw.compile(lw.algorithms.dijkstra())
    net = HookedLoop(model, iterations=2)
    plain = LoopedTransformer.from_model(model)
    assert net.state_dict().keys() == plain.state_dict().keys()
    with torch.no_grad():
        plain.layers[0].mlp.w1 += 1
    net.load_state_dict(plain.state_dict())
    assert net.to_model().layers[0].mlp[0][0, 0] == model.layers[0].mlp[0][0, 0] + 1


def test_too_few_iterations_are_told():
    net = HookedLoop(lw.compile(lw.algorithms.dijkstra()), iterations=2)
    with pytest.raises(lw.LoopwrightError, match="did not halt within 2 iterations"):
        net.run_with_hooks(ROADS, source="a")


def test_a_wrong_name_is_told_in_few_words():
    """Some of the names, and the nearest: a run of 16 iterations has thousands."""
    net = HookedLoop(lw.compile(lw.algorithms.dijkstra("paper")), iterations=16)
    hooks = [("iterations.3.layers.0.hook_resid_past", lambda x, point: x)]
    with pytest.raises(lw.LoopwrightError, match=r"did you mean 'iterations\.3\.layers\.0\.") as e:
        net.run_with_hooks(ROADS, source="a", fwd_hooks=hooks)
    assert str(len(net.hook_dict)) in str(e.value)
    assert len(str(e.value)) < 4000
