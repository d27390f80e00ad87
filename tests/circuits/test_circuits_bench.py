"""The benchmark of methods: folders that anyone can read, scores that can be wrong, one command."""

from __future__ import annotations

import json

import networkx as nx
import numpy as np
import pytest
from safetensors.numpy import load_file

import loopwright as lw
from folder_by_hand import answers

pytest.importorskip("torch")

from loopwright.circuits.bench.folder import write_task
from loopwright.circuits.bench.kept import run_kept
from loopwright.circuits.bench.methods import METHODS
from loopwright.circuits.bench.run import read_scores
from loopwright.circuits.bench.score import auroc, faithfulness, judge
from loopwright.circuits.bench.stream import stream_scores
from loopwright.circuits.bench.tasks import TASKS, answers_of, make_task


def program(name, construction):
    return lw.algorithms.ALGORITHMS[name](construction)


@pytest.fixture(
    scope="module",
    params=[("compact", "plain"), ("compact", "full"), ("parallel", "full")],
    ids="-".join,
)
def task(request):
    return make_task(program, ("dijkstra", *request.param), seed=0, smoke=True)


def test_there_are_ten_tasks():
    assert len(set(TASKS)) == 10


def test_with_all_edges_a_run_is_the_models(task):
    problems = [example.problems[0] for example in task.examples]
    x, halted = run_kept(task.model, problems, task.circuit.edges, 99)
    assert halted.all()
    for found, example in zip(answers_of(task.model, x), task.examples, strict=True):
        right = task.model.run(example.clean, source=example.source, scale=1)
        dists = right.array("dists")
        np.testing.assert_array_equal(found[:, 0][np.isfinite(dists)], dists[np.isfinite(dists)])


def test_the_true_circuit_is_faithful_and_scores_all(task):
    assert faithfulness(task, set(task.circuit.inside)) == 1.0
    truth = {name: float(edge.in_graph) for name, edge in task.circuit.edges.items()}
    verdict = judge(task, truth)
    assert (verdict.auroc, verdict.found, verdict.exact, verdict.faithful) == (1.0, 1.0, True, 1.0)
    wrong = judge(task, {name: -score for name, score in truth.items()})
    assert (wrong.auroc, wrong.exact, wrong.faithful) == (0.0, False, 0.0)


def test_auroc_by_hand():
    matters = np.array([True, False, True, False])
    assert auroc(matters, np.array([4.0, 3.0, 2.0, 1.0])) == 0.75
    assert auroc(matters, np.zeros(4)) == 0.5


@pytest.mark.parametrize("method", METHODS)
def test_methods_score_every_edge_and_repeat(task, method):
    first, again = (METHODS[method](task, np.random.default_rng(0)) for _ in range(2))
    assert first == again
    assert first.keys() == task.circuit.edges.keys()
    verdict = judge(task, first)
    if method in ("patching", "weights"):
        assert verdict.auroc > 0.9


def test_a_mixed_stream_is_read_by_probes_and_not_off_axes():
    plain, mixed = (
        stream_scores(make_task(program, ("dijkstra", "compact", style), seed=0, smoke=True), 0)
        for style in ("plain", "mixed")
    )
    assert plain["axes"] > 0.99
    assert mixed["axes"] < 0.8
    assert mixed["probe"] > 0.99


def test_one_command_writes_folders_that_load_without_us(loopwright, tmp_path):
    done = loopwright("circuits", "bench", "--smoke", "--out", str(tmp_path), "--json")
    assert (done.code, done.err) == (0, "")
    (row,) = json.loads(done.out)
    assert row["methods"].keys() == METHODS.keys()
    folder = tmp_path / row["task"]
    tensors = load_file(folder / "model.safetensors")
    config = json.loads((folder / "config.json").read_text(encoding="utf-8"))
    circuit = json.loads((folder / "circuit.json").read_text(encoding="utf-8"))
    data = json.loads((folder / "data.json").read_text(encoding="utf-8"))
    assert tensors["layers.0.mlp.1"].shape == (config["layout"]["width"],) * 2
    assert sum(edge["in_graph"] for edge in circuit["edges"].values()) == row["inside"]
    assert (folder / "README.md").read_text(encoding="utf-8").startswith("---\n")
    assert (tmp_path / "circuits.png").stat().st_size > 10_000
    model = lw.load(folder / "model.safetensors")
    for each in data:
        answer = model.run(
            lw.Graph.from_edges(each["clean"], nodes=range(each["nodes"])), source=each["source"]
        )
        assert list(answer.dists.values()) == each["answer"]["dists"]
    before = (folder / "scores.json").stat().st_mtime_ns
    again = loopwright("circuits", "bench", "--smoke", "--out", str(tmp_path), "--json")
    assert json.loads(again.out) == [row]
    assert (folder / "scores.json").stat().st_mtime_ns == before
    assert read_scores(folder / "scores.json", {"seed": 1, "smoke": True}) is None


def test_a_model_and_its_circuit(loopwright, tmp_path):
    done = loopwright("circuits", "bfs", "--disguise", "full", "--out", str(tmp_path), "--smoke")
    assert (done.code, done.err) == (0, "")
    assert "bfs-compact-full" in done.out
    model = lw.load(tmp_path / "model.safetensors")
    assert model.basis is not None
    assert model.run([("a", "b"), ("b", "c")], source="a").prev == {"a": "a", "b": "a", "c": "b"}


@pytest.mark.parametrize("construction", ["compact", "parallel"])
def test_a_folder_runs_by_hand(construction, tmp_path):
    """The equations of the model card, with safetensors and JSON alone, give the right answers."""
    task = make_task(program, ("dijkstra", construction, "full"), seed=1, smoke=True)
    write_task(tmp_path, task)
    tried = 0
    for example, found, iterations in answers(tmp_path):
        graph = nx.DiGraph()
        graph.add_nodes_from(range(example["nodes"]))
        graph.add_weighted_edges_from(example["clean"])
        right = nx.single_source_dijkstra_path_length(graph, example["source"])
        for node, dist in enumerate(found["dists"]):
            assert dist == right.get(node, task.model.constants.unreached)
        assert iterations == example["iterations"]
        tried += len(right) > 1
    assert tried
    assert ("`E`" in (tmp_path / "README.md").read_text(encoding="utf-8")) == (
        construction == "parallel"
    )
