"""The benchmark's graphs, and Table 1 on as many of them as a test may take."""

import json
import subprocess
import sys
from dataclasses import replace
from pathlib import Path

import numpy as np
import pytest

import loopwright as lw
from loopwright import cli
from loopwright.clrs import tasks
from loopwright.clrs.score import score
from loopwright.clrs.tasks import SPLITS, TASKS, load
from loopwright.errors import LoopwrightError

TASK_IDS = [f"{task.algorithm}-{task.name}" for task in TASKS]


@pytest.mark.parametrize("task", TASKS, ids=TASK_IDS)
@pytest.mark.parametrize("split", SPLITS)
def test_data(task, split):
    examples = load(task, split)
    graphs, n = (1000 if split == "train" else 32), (64 if split == "test" else 16)
    assert examples.adjacency.shape == (graphs, n, n)
    assert examples.truth.shape == (graphs, n)
    assert len(examples.sources) == graphs


def test_damaged_data_is_refused(monkeypatch):
    changed = json.loads(json.dumps(tasks.manifest()))
    changed["files"]["bfs_val.npz"]["pi"] = "0" * 64
    monkeypatch.setattr(tasks, "manifest", lambda: changed)
    with pytest.raises(LoopwrightError, match=r"bfs_val.npz: array 'pi' is damaged"):
        load(TASKS[0], "val")


@pytest.mark.parametrize("task", TASKS, ids=TASK_IDS)
@pytest.mark.parametrize(("split", "most"), [("train", 100), ("val", 32), ("test", 2)])
def test_hardmax(task, split, most):
    model = lw.compile(lw.algorithms.ALGORITHMS[task.algorithm]("paper"))
    found = score(model, task, split, machine="native", most=most)
    assert (found.correct, found.node_accuracy) == (found.graphs, 1.0)


@pytest.mark.parametrize("task", TASKS, ids=TASK_IDS)
@pytest.mark.parametrize(("split", "most"), [("val", 8), ("test", 1)])
def test_softmax(task, split, most):
    program = lw.algorithms.ALGORITHMS[task.algorithm]("paper")
    model = lw.compile(program, attention="softmax", limits=lw.Limits.paper())
    found = score(model, task, split, machine="native", most=most)
    assert (found.correct, found.node_accuracy) == (found.graphs, 1.0)


def test_a_wrong_answer_is_counted():
    task = replace(TASKS[0], inputs={"max_iterations": 1})
    model = lw.compile(lw.algorithms.bfs("paper"))
    found = score(model, task, "val", machine="reference", most=3)
    assert (found.graphs, found.correct, found.node_accuracy) == (3, 0, 0.0)


def test_one_wrong_node_spoils_a_graph(monkeypatch):
    examples = load(TASKS[0], "val")
    truth = examples.truth.copy()
    truth[0, 3] = (truth[0, 3] + 1) % 16
    monkeypatch.setattr("loopwright.clrs.score.load", lambda *_: replace(examples, truth=truth))
    model = lw.compile(lw.algorithms.bfs("paper"))
    found = score(model, TASKS[0], "val", machine="reference", most=2)
    assert found.correct == 1
    assert found.node_accuracy == 31 / 32


def test_command(capsys):
    with pytest.raises(SystemExit) as stop:
        cli.main(["clrs", "bfs", "multitask", "--split", "val", "--most", "2", "--json"])
    assert not stop.value.code
    rows = json.loads(capsys.readouterr().out)
    assert [(row["algorithm"], row["task"]) for row in rows] == [
        ("bfs", "bfs"),
        ("multitask", "bfs"),
        ("multitask", "dfs"),
        ("multitask", "dijkstra"),
    ]
    wanted = {"algorithm", "task", "split", "graphs", "correct", "node_accuracy", "seconds"}
    assert all(set(row) == wanted and row["correct"] == row["graphs"] == 2 for row in rows)


@pytest.mark.parametrize("arguments", [["nonesuch"], ["bfs", "--split", "nonesuch"]])
def test_unknown_names(arguments, capsys):
    with pytest.raises(SystemExit) as stop:
        cli.main(["clrs", *arguments])
    assert stop.value.code == 2
    assert capsys.readouterr().err.count("\n") == 1


def test_data_is_what_dm_clrs_generates():
    pytest.importorskip("clrs")
    script = Path(__file__).parents[2] / "scripts/make_clrs30.py"
    subprocess.run([sys.executable, script, "--check"], check=True)


def test_arrays_are_plain_numbers():
    for split in SPLITS:
        for task in TASKS:
            assert np.isfinite(load(task, split).adjacency).all()
