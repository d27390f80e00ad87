"""Hints equal the benchmark's own; folders are read again; PyG trains on them."""

from __future__ import annotations

import json
from functools import cache
from pathlib import Path

import numpy as np
import pytest

import loopwright as lw
from loopwright.algorithms import ALGORITHMS
from loopwright.bridges.hints.clrs import read_clrs
from loopwright.bridges.hints.collect import sample_of
from loopwright.bridges.hints.events import EVENTS
from loopwright.bridges.hints.programs import BY_EVENTS, CONSTRUCTION
from loopwright.bridges.hints.salsa import RECIPES, salsa_graph
from loopwright.bridges.hints.tasks import BENCHMARK, LACKING
from loopwright.cli.commands import call
from loopwright.lab.clrs.tasks import DATA
from oracles import ORACLES, comparable

HINTS = Path(__file__).parents[1] / "data" / "clrs30-hints"


def program_of(name, construction):
    made_for_hints = construction == CONSTRUCTION
    return BY_EVENTS[name]() if made_for_hints else ALGORITHMS[name](construction)


@cache
def compiled(key, limits):
    """Once for all graphs, unless their weights ask for other limits."""
    return lw.compile(program_of(*key), limits=limits)


@pytest.mark.parametrize("key", BENCHMARK, ids="-".join)
def test_hints_are_those_of_the_benchmark(key):
    """Every probe of every step of 32 graphs. Scalars that add up weights are on the model's grid:
    they may differ by what the certificate says."""
    task = BENCHMARK[key]
    with (DATA / f"{task.name}_val.npz").open("rb") as file:
        inputs = dict(np.load(file))
    theirs = np.load(HINTS / f"{task.name}_val_hints.npz")
    assert set(task.specs) == set(theirs.files) - {"lengths"}
    program = program_of(*key)
    for k, steps in enumerate(theirs["lengths"]):
        graph = lw.Graph.from_matrix(inputs["A"][k].astype(float))
        model = compiled(key, lw.Limits.fit(graph, program))
        source = int(inputs["s"][k].argmax()) if model.source == "required" else None
        sample = sample_of(model, graph, source=source, machine="reference")
        off = model.check(graph).rounding
        for probe in task.specs:
            found, wanted = sample.probes[probe], theirs[probe][k][:steps]
            if found.dtype.kind == "f" and probe in ("d", "key") and program.edges == "weights":
                assert found.shape == wanted.shape
                assert np.abs(found - wanted).max() <= off, probe
            else:
                np.testing.assert_array_equal(found, wanted, err_msg=probe)


def test_every_task_of_the_benchmark_is_answered_or_said_to_be_lacking():
    tasks = {task.name for task in BENCHMARK.values()}
    assert not tasks & set(LACKING)
    assert len(tasks | set(LACKING)) == 12


@pytest.mark.parametrize("name", BY_EVENTS)
def test_programs_by_events_answer_as_their_algorithms_do(name):
    """Weights and program in lockstep, on graphs with self-loops, in one direction or both; the
    answer is the oracle's. Which of several shortest paths is kept hangs on the order."""
    rng = np.random.default_rng(20)
    model = lw.compile(BY_EVENTS[name](), limits=lw.Limits(nodes=12))
    for _ in range(12):
        n = int(rng.integers(1, 9))
        matrix = np.where(rng.random((n, n)) < rng.random(), rng.integers(1, 9, (n, n)), 0)
        if "acyclic" in model.needs:
            shuffled = rng.permutation(n)
            matrix = np.triu(matrix, 1)[shuffled][:, shuffled]
        if "undirected" in model.needs:
            matrix = np.maximum(matrix, matrix.T)
        source = None if model.source == "none" else int(rng.integers(n))
        result = lw.verify(model, matrix, source=source).result
        answer = comparable({output: result[output] for output in EVENTS[name].answers})
        for output, column in ORACLES[name](matrix, source).items():
            if (name, output) != ("dag-shortest-paths", "prev"):
                assert answer[output] == column, (matrix, output)
                continue
            dists = answer["dists"]
            for node, before in answer["prev"].items():
                if before != node:
                    assert dists[before] + matrix[before, node] == dists[node]


def test_an_algorithm_by_events_is_run_where_hints_are_asked_for(tmp_path, capsys):
    """Unless a construction is named: then its own variables are the hints."""
    common = ["--random", "2", "--nodes", "5", "--format", "clrs", "--json"]
    assert call(["traces", "scc", *common, "--out", str(tmp_path / "events")]) == 0
    assert json.loads(capsys.readouterr().out)["benchmark"]
    (batch,) = read_clrs(tmp_path / "events")
    assert {name for name, spec in batch.specs.items() if spec.stage == "output"} == {"scc_id"}
    compact = ["--construction", "compact", "--out", str(tmp_path / "compact")]
    assert call(["traces", "scc", *common, *compact]) == 0
    assert not json.loads(capsys.readouterr().out)["benchmark"]


def test_no_constant_of_x_is_told():
    """What is unreached is infinite, or masked; Ω̂ is nobody's business."""
    for name, algorithm in ALGORITHMS.items():
        model = lw.compile(algorithm())
        if not model.bound:
            continue
        directed = "undirected" not in model.needs
        graph = lw.Graph.from_edges([("a", "b", 2)], nodes="abc", directed=directed)
        sample = sample_of(model, graph, source=None if model.source == "none" else "a")
        for probe, array in sample.probes.items():
            plain = array[np.isfinite(array)]
            assert np.abs(plain).max(initial=0) < float(model.constants.largest), (name, probe)


def test_a_folder_in_the_benchmarks_layout(tmp_path):
    assert call(["traces", "bfs", "--random", "5", "--nodes", "6", "--format", "clrs", "--out",
                 str(tmp_path / "out")]) == 0  # fmt: skip
    (batch,) = read_clrs(str(tmp_path / "out"))
    assert (batch.nodes, len(batch.names)) == (6, 5)
    assert {spec.stage for spec in batch.specs.values()} == {"input", "hint", "output"}
    steps = batch.lengths.max()
    assert batch.probes["reach_h"].shape == (5, steps, 6)
    assert batch.time_major()["reach_h"].shape == (steps, 5, 6)
    np.testing.assert_array_equal(batch.probes["pi_h"][:, -1], batch.probes["pi"])
    with pytest.raises(lw.LoopwrightError, match="is there already"):
        call(["traces", "bfs", "--random", "1", "--format", "clrs", "--out", str(tmp_path / "out")])


@pytest.mark.parametrize("recipe", RECIPES)
def test_salsas_graphs_are_sparse_and_the_same_again(recipe):
    one, two = (salsa_graph(recipe, 40, np.random.default_rng(3)) for _ in range(2))
    np.testing.assert_array_equal(one.weights, two.weights)
    assert one.n == 40
    assert 0 < one.edge_count < 40 * 8


@pytest.mark.filterwarnings("ignore::DeprecationWarning")
@pytest.mark.filterwarnings("ignore::UserWarning")
def test_pyg_trains_a_gin_for_one_epoch(tmp_path):
    torch = pytest.importorskip("torch")
    pytest.importorskip("torch_geometric")
    from torch_geometric.loader import DataLoader
    from torch_geometric.nn import GIN

    from loopwright.bridges.hints.pyg import HintDataset

    folder = tmp_path / "out"
    assert call(["traces", "bfs", "--random", "24", "--salsa", "er", "--nodes", "10", "--format",
                 "pyg", "--out", str(folder)]) == 0  # fmt: skip
    dataset = HintDataset(str(folder))
    assert len(dataset) == 24
    assert dataset.names("hint") == ["reach_h", "pi_h"]
    torch.manual_seed(0)
    shuffled = dataset.shuffle()
    train, test = shuffled[:20], shuffled[20:]
    assert (len(train), len(test)) == (20, 4)

    net = GIN(in_channels=2, hidden_channels=16, num_layers=2, out_channels=dataset.steps)
    optimiser = torch.optim.Adam(net.parameters(), lr=0.01)

    def loss_of(batch):
        x = torch.stack([batch.s.float(), batch.pos.float()], dim=1)
        found = net(x, batch.edge_index)
        wanted = batch.reach_h.float()
        return torch.nn.functional.binary_cross_entropy_with_logits(found, wanted)

    everything = next(iter(DataLoader(train, batch_size=20)))
    before = float(loss_of(everything))
    for batch in DataLoader(train, batch_size=4, shuffle=True):
        optimiser.zero_grad()
        loss = loss_of(batch)
        loss.backward()
        optimiser.step()
    assert float(loss_of(everything)) < before

    batch = next(iter(DataLoader(test, batch_size=2)))
    rows = dataset.pointers(batch, "pi")
    assert (batch.batch[rows] == batch.batch).all()


@pytest.mark.filterwarnings("ignore::DeprecationWarning")
def test_hints_of_edges_are_those_of_pygs_edges(tmp_path):
    """A bridge is marked at both of its directions in `edge_index`, and so is the end of a run."""
    pytest.importorskip("torch_geometric")
    from loopwright.bridges.hints.pyg import HintDataset

    graph = tmp_path / "graph.txt"
    graph.write_text("a b\nb c\nc a\nc d\n", encoding="utf-8")
    folder = tmp_path / "out"
    assert call(["traces", "bridges", str(graph), "--undirected", "--format", "pyg", "--out",
                 str(folder)]) == 0  # fmt: skip
    (data,) = HintDataset(folder)
    assert data.is_bridge_h.shape == (8, data.length)
    marked = data.edge_index[:, data.is_bridge_h[:, -1] == 1]
    assert sorted(map(tuple, marked.T.tolist())) == [(2, 3), (3, 2)]
    assert not data.is_bridge_h[:, 0].any()


@pytest.mark.filterwarnings("ignore::DeprecationWarning")
def test_unreached_is_infinite_for_pyg(tmp_path):
    pytest.importorskip("torch_geometric")
    from loopwright.bridges.hints.pyg import HintDataset

    graph = tmp_path / "graph.txt"
    graph.write_text("a b\nc d\n", encoding="utf-8")
    folder = tmp_path / "out"
    own = "examples/algorithms/hops.py"
    assert call(["traces", own, str(graph), "--source", "a", "--format", "pyg", "--out",
                 str(folder)]) == 0  # fmt: skip
    (data,) = HintDataset(folder)
    assert data.hops.tolist() == [0, 1, float("inf"), float("inf")]
    assert data.finite("hops").tolist() == [True, True, False, False]
    assert data.hops_h.shape[0] == 4
