"""The benchmark's graphs, and Table 1 on as many of them as a test may take."""

import json
import subprocess
import sys
from dataclasses import replace
from itertools import product
from math import inf
from pathlib import Path

import numpy as np
import pytest

import loopwright as lw
from loopwright import cli
from loopwright.errors import LoopwrightError
from loopwright.lab.clrs import tasks
from loopwright.lab.clrs.ask import EVERY_SOURCE
from loopwright.lab.clrs.compare import held_edges, partition, tree_edges
from loopwright.lab.clrs.score import score
from loopwright.lab.clrs.tasks import LIMITS, SPLITS, TASKS, load

TASK_IDS = [f"{task.algorithm}-{task.name}" for task in TASKS]
PARALLEL = [
    pytest.param(task, id=f"{task.algorithm}-{task.name}")
    for task in TASKS
    if "parallel" in lw.algorithms.ALGORITHMS[task.algorithm].constructions
    and task.is_for("parallel")
]
CLRS_30 = {"articulation_points", "bellman_ford", "bfs", "bridges", "dag_shortest_paths", "dfs"}
CLRS_30 |= {"dijkstra", "floyd_warshall", "mst_kruskal", "mst_prim", "topological_sort"}
CLRS_30 |= {"strongly_connected_components"}


def test_all_graph_tasks_of_the_benchmark():
    assert {task.name for task in TASKS} == CLRS_30


@pytest.mark.parametrize("task", TASKS, ids=TASK_IDS)
@pytest.mark.parametrize("split", SPLITS)
def test_data(task, split):
    examples = load(task, split)
    graphs, n = (1000 if split == "train" else 32), (64 if split == "test" else 16)
    assert examples.adjacency.shape == (graphs, n, n)
    assert examples.truth.keys() == task.truth.keys()
    assert all(truth.shape[:2] == (graphs, n) for truth in examples.truth.values())
    assert len(examples.sources) == graphs


def test_damaged_data_is_refused(monkeypatch):
    changed = json.loads(json.dumps(tasks.manifest()))
    changed["files"]["bfs_val.npz"]["pi"] = "0" * 64
    monkeypatch.setattr(tasks, "manifest", lambda: changed)
    with pytest.raises(LoopwrightError, match=r"bfs_val.npz: array 'pi' is damaged"):
        load(TASKS[0], "val")


def program_of(task):
    """In the paper's construction, as in its Table 1; in ours where the paper has none."""
    algorithm = lw.algorithms.ALGORITHMS[task.algorithm]
    has_paper = "paper" in algorithm.constructions and task.is_for("paper")
    return algorithm("paper" if has_paper else next(iter(task.constructions), None))


@pytest.mark.parametrize("task", TASKS, ids=TASK_IDS)
@pytest.mark.parametrize(("split", "most"), [("train", 100), ("val", 32), ("test", 2)])
def test_hardmax(task, split, most):
    model = lw.compile(program_of(task))
    most = most if task.asking is not EVERY_SOURCE else min(most, 10)
    found = score(model, task, split, machine="native", most=most)
    assert (found.correct, found.node_accuracy) == (found.graphs, 1.0)


@pytest.mark.parametrize("task", PARALLEL)
@pytest.mark.parametrize(("split", "most"), [("train", 20), ("val", 8), ("test", 2)])
def test_parallel(task, split, most):
    model = lw.compile(lw.algorithms.ALGORITHMS[task.algorithm]("parallel"), limits=LIMITS)
    found = score(model, task, split, machine="native", most=most)
    assert (found.correct, found.node_accuracy, found.refused) == (found.graphs, 1.0, 0)


@pytest.mark.parametrize("task", TASKS, ids=TASK_IDS)
@pytest.mark.parametrize(("split", "most"), [("val", 8), ("test", 1)])
def test_softmax(task, split, most):
    model = lw.compile(program_of(task), attention="softmax", limits=lw.Limits.paper())
    found = score(model, task, split, machine="native", most=most)
    assert (found.correct, found.node_accuracy) == (found.graphs, 1.0)


def test_a_wrong_answer_is_counted():
    task = replace(TASKS[0], inputs={"max_iterations": 1})
    model = lw.compile(lw.algorithms.bfs("paper"))
    found = score(model, task, "val", machine="reference", most=3)
    assert (found.graphs, found.correct, found.node_accuracy) == (3, 0, 0.0)
    assert (found.runs, found.refused) == (3, 3)


def floyd_warshall(a):
    """The textbook's three loops, begun as the benchmark begins them: with the weights of
    self-loops on the diagonal, and 0 where there is none."""
    n = len(a)
    far = [[a[i, j] if a[i, j] else 0 if i == j else inf for j in range(n)] for i in range(n)]
    before = [[i] * n for i in range(n)]
    for k, i, j in product(range(n), repeat=3):
        if far[i][k] + far[k][j] < far[i][j]:
            far[i][j], before[i][j] = far[i][k] + far[k][j], before[k][j]
    return before


def test_the_truth_about_all_pairs():
    """It is what Floyd and Warshall find, diagonal and unreached pairs as well, so that is what the
    runs from all sources are compared with."""
    task = next(task for task in TASKS if task.name == "floyd_warshall")
    examples = load(task, "val")
    for adjacency, truth in zip(examples.adjacency, examples.truth["Pi"], strict=True):
        assert floyd_warshall(adjacency) == truth.tolist()
    diagonal = np.einsum("gii->gi", examples.truth["Pi"]) != np.arange(16)
    assert diagonal.any()


def test_a_run_for_each_source_or_none():
    task = next(task for task in TASKS if task.name == "floyd_warshall")
    model = lw.compile(lw.algorithms.dijkstra())
    found = score(model, task, "val", machine="native", most=2)
    assert (found.graphs, found.correct, found.runs) == (2, 2, 32)
    assert "one run for each source" in found.note
    failed = score(model, replace(task, inputs={"max_iterations": 1}), "val", machine="native")
    assert (failed.correct, failed.refused) == (0, 32)


def test_one_wrong_node_spoils_a_graph(monkeypatch):
    examples = load(TASKS[0], "val")
    truth = examples.truth["pi"].copy()
    truth[0, 3] = (truth[0, 3] + 1) % 16
    changed = replace(examples, truth={"pi": truth})
    monkeypatch.setattr("loopwright.lab.clrs.score.load", lambda *_: changed)
    model = lw.compile(lw.algorithms.bfs("paper"))
    found = score(model, TASKS[0], "val", machine="reference", most=2)
    assert found.correct == 1
    assert found.node_accuracy == 31 / 32


def test_nodes_are_right_if_every_truth_about_them_is(monkeypatch):
    task = next(task for task in TASKS if task.name == "topological_sort")
    examples = load(task, "val")
    heads = examples.truth["topo_head"].copy()
    heads[0] = 0
    changed = replace(examples, truth=examples.truth | {"topo_head": heads})
    monkeypatch.setattr("loopwright.lab.clrs.score.load", lambda *_: changed)
    found = score(lw.compile(lw.algorithms.topological_sort()), task, "val", machine="reference")
    assert (found.correct, found.node_accuracy) == (31, (32 * 16 - 1) / (32 * 16))


def test_flags_about_tree_edges():
    """0 – 1 is a bridge; 1, 2, 3 are a triangle; the benchmark masks all that is no edge."""
    truth = np.array([[0, 1, -1, -1], [1, 0, 0, 0], [-1, 0, 0, 0], [-1, 0, 0, 0]])
    prev = {0: 0, 1: 0, 2: 1, 3: 2}

    def right(*bridges, prev=prev):
        flags = {node: node in bridges for node in prev}
        return tree_edges("bridge", "prev")({"bridge": flags, "prev": prev}, truth)

    assert right(1) == [True, True, True, True]
    assert right() == [False, False, True, True]
    assert right(1, 3) == [True, True, False, False]
    assert right(1, 3, prev=prev | {3: 0}) == [False, True, True, False]


def test_edges_that_nodes_hold():
    truth = np.array([[0, 1, 0], [1, 0, 1], [0, 1, 0]])

    def right(*edges):
        ends = [*edges, *[(None, None)] * (3 - len(edges))]
        tail, head = (dict(enumerate(each)) for each in zip(*ends, strict=True))
        return held_edges("tail", "head")({"tail": tail, "head": head}, truth)

    assert right((0, 1), (1, 2)) == right((2, 1), (0, 1)) == [True, True, True]
    assert right((0, 1)) == [True, False, False]
    assert right((0, 1), (1, 2), (0, 2)) == [False, True, False]


def test_parts_whatever_they_are_called():
    truth = np.array([3, 1, 1, 3])

    def right(*component):
        return partition("component")({"component": dict(enumerate(component))}, truth)

    assert right(0, 1, 1, 0) == [True, True, True, True]
    assert right(0, 1, 2, 0) == [True, False, False, True]
    assert right(1, 1, 1, 1) == [False, False, False, False]


def test_a_construction_that_some_algorithms_lack(capsys):
    """They are left out; named, they are refused."""
    with pytest.raises(SystemExit) as stop:
        cli.main(["clrs", "--construction", "paper", "--split", "val", "--most", "1", "--json"])
    assert not stop.value.code
    scored = {row["algorithm"] for row in json.loads(capsys.readouterr().out)}
    assert scored == {"bfs", "dfs", "dijkstra", "scc", "multitask"}
    with pytest.raises(SystemExit) as stop:
        cli.main(["clrs", "prim", "--construction", "paper"])
    assert stop.value.code == 2
    assert (
        "no construction 'paper' for 'prim'; there are: compact, parallel."
        in capsys.readouterr().err
    )


def test_the_benchmark_takes_a_level_in_index_order(capsys):
    """Its parents are those of `paper` and `compact`; the printed listing has others."""
    scored = {}
    for construction in ("paper", "compact", "printed"):
        with pytest.raises(SystemExit):
            cli.main(["clrs", "bfs", "--construction", construction, "--split", "test", "--json"])
        (row,) = json.loads(capsys.readouterr().out)
        scored[row["construction"]] = row["correct"] / row["graphs"]
    assert scored["paper"] == scored["compact"] == 1
    assert 0 < scored["printed"] < 1


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
    wanted = {"algorithm", "construction", "task", "split", "graphs", "correct"}
    wanted |= {"node_accuracy", "seconds", "runs", "refused", "note"}
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


def test_tasks_by_the_benchmarks_names(loopwright):
    """A name that is an algorithm's as well means that algorithm."""
    given = ("--split", "val", "--most", 1, "--json")
    found = loopwright("clrs", "mst_kruskal", "floyd_warshall", *given).json
    assert [row["algorithm"] for row in found] == ["kruskal", "dijkstra", "bellman-ford"]
    assert [row["algorithm"] for row in loopwright("clrs", "bfs", *given).json] == ["bfs"]
