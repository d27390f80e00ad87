"""Recovery: reproducible, the construction scores 1, and optimisers do what they are for."""

from __future__ import annotations

import json
from fractions import Fraction

import pytest

torch = pytest.importorskip("torch")
pytest.importorskip("flint")
pytest.importorskip("matplotlib")

from loopwright import Limits  # noqa: E402
from loopwright.lab.experiments.basin import ALL_STEPS, Trial  # noqa: E402
from loopwright.lab.experiments.optimisers import OPTIMISERS, STEPS, Objective  # noqa: E402
from loopwright.lab.experiments.recover import NOISES, TASKS, Bench  # noqa: E402
from loopwright.lab.experiments.setting import Setting  # noqa: E402

SETTING = Setting(
    limits=Limits(nodes=4, largest=64, resolution=Fraction(1, 4)),
    nodes=4,
    training_graphs=3,
    held_out_graphs=3,
    rows=64,
)


@pytest.fixture(autouse=True)
def _one_thread():
    threads = torch.get_num_threads()
    torch.set_num_threads(1)
    yield
    torch.set_num_threads(threads)


def test_smoke_is_reproducible(loopwright, tmp_path):
    first = loopwright("recover", "--smoke", "--seed", 7, "--json", "--out", tmp_path).json
    again = loopwright("recover", "--smoke", "--seed", 7, "--json").json
    other = loopwright("recover", "--smoke", "--seed", 8, "--json", "--no-basin").json
    assert first == again
    assert first["recovery"] != other["recovery"]
    assert other["basins"] == []
    assert {run["optimiser"] for run in first["recovery"]} == set(OPTIMISERS)
    assert {basin["step"] for basin in first["basins"]} > {ALL_STEPS}
    assert json.loads((tmp_path / "recover.json").read_text("utf-8")) == first
    for stem in ("recovery", "basins"):
        assert (tmp_path / f"{stem}.png").stat().st_size > 1000
        assert (tmp_path / f"{stem}.svg").stat().st_size > 1000


def test_the_papers_noise_is_among_the_levels():
    assert 1e-7 in NOISES
    assert min(NOISES) == 1e-12
    assert OPTIMISERS.keys() == STEPS.keys()


@pytest.mark.parametrize("task", TASKS, ids=lambda task: task.name)
def test_bench(task):
    """The construction has no loss and answers every graph; much noise spoils both."""
    bench = Bench(task, SETTING)
    objective, start = bench.objective(1.0), bench.chosen.start
    unspoilt = {"loss": 0, "distance": 0, "seen": 0, "graphs": 1, "nodes": 1}
    assert bench.measure(start, objective) == unspoilt
    spoilt = bench.measure(bench.noisy(1.0, 0), objective)
    assert spoilt["loss"] > 0
    assert spoilt["graphs"] < 1
    assert 0 < spoilt["seen"] < spoilt["distance"]
    assert bench.measure(start, objective) == unspoilt, "the construction is put back"


def test_the_papers_layers_stand_beside_ours():
    """Each step twice: the same answers (above), other matrices, and if-else's Ω in W² not W¹."""
    ours, paper = ({t.step: t for t in TASKS if t.paper is printed} for printed in (False, True))
    assert ours.keys() == paper.keys() == {"update variables", "identify updates"}
    omega = float(SETTING.limits.constants().omega)
    holds = {}
    for name, task in (("ours", ours), ("paper", paper)):
        model = task["update variables"].model(SETTING.limits)
        (layer,) = (layer for layer in model.layers if layer.name == "update variables")
        holds[name] = [bool((abs(w) == omega).any()) for w in layer.mlp]
    assert holds == {"ours": [True, False, False, False], "paper": [False, True, False, False]}


def test_damped_newton_recovers_the_function_not_the_weights():
    """At the paper's noise: the loss falls to rounding, what the loss does not see stays."""
    bench = Bench(TASKS[0], SETTING)
    (outcome,) = bench.run(1e-7, 0, {"damped Newton": 30})
    assert outcome.loss_after < 1e-20 < outcome.loss_before
    assert outcome.graphs_after == 1
    assert outcome.distance_after > outcome.distance_before / 2


@pytest.mark.parametrize("name", OPTIMISERS)
def test_optimiser_descends_a_parabola(name):
    """Curvatures 1 and 4, from 1e-3 away."""
    matrix = torch.tensor([[1.0, 0.0], [0.0, 2.0]], dtype=torch.float64)
    goal = torch.tensor([1.0, -1.0], dtype=torch.float64)
    objective = Objective(
        residuals=lambda theta: matrix @ (theta - goal),
        slopes=lambda _: matrix,
        rows=1,
        curvature=4,
        noise=1e-3,
    )
    start = goal + 1e-3
    end = OPTIMISERS[name](objective, start, 200)
    assert objective.loss(end) < objective.loss(start) / 1e6
    assert (end - goal).norm() < 1e-5


def test_basin_shrinks_with_noise():
    trial = Trial("bfs", "compact", SETTING)
    part = trial.net.layers
    before = [w.clone() for w in part.parameters()]
    assert trial.right(part, "used", 0.0, 0)
    assert trial.right(part, "all", 0.0, 0)
    assert not trial.right(part, "used", 1.0, 0)
    holds = trial.holds(part, "used", repeats=1)
    assert 1e-10 < holds < 1
    assert trial.right(part, "used", holds, 0)
    assert not trial.right(part, "used", 10 * holds, 0)
    for now, then in zip(part.parameters(), before, strict=True):
        assert torch.equal(now, then), "the noise is taken off again"


@pytest.mark.parametrize(
    ("arguments", "problem"),
    [
        (["--parameters", "some"], "'some' is not one of 'used', 'dense', 'all'"),
        (["--nodes", "1"], "--nodes"),
        (["--resolution-bits", "41"], "--resolution-bits"),
        (["--largest", str(2**60), "--resolution-bits", "40"], "float64 cannot hold"),
        (["--seed", "-1"], "--seed"),
        (["--fast"], "--fast"),
    ],
    ids=lambda value: " ".join(value) if isinstance(value, list) else None,
)
def test_bad_options(refused, arguments, problem):
    assert problem in refused("recover", "--smoke", *arguments)
