"""Work on a Dask cluster, with a worker that is killed, is what it is without."""

from __future__ import annotations

import json
import os
import signal
import subprocess
import sys
from multiprocessing import spawn

import numpy as np
import pytest

import loopwright as lw
from loopwright.errors import LoopwrightError
from loopwright.lab.clrs.score import score
from loopwright.lab.clrs.tasks import TASKS
from loopwright.lab.experiments import recorded
from loopwright.lab.experiments.recorded import Share, run_file
from loopwright.lab.experiments.traces import random_examples, write_share, write_traces
from loopwright.runtime import workers
from loopwright.runtime.workers import script_left_alone, working

distributed = pytest.importorskip("distributed")
MODEL = lw.compile(lw.algorithms.bfs())
DRAWN = {"nodes": 12, "shape": "directed", "density": 0.3, "seed": 5}
OPTIONS = {"shard_rows": 200, "asked": DRAWN}


@pytest.fixture(scope="module")
def cluster():
    """A scheduler and two worker processes, each of which is replaced if it dies."""
    with distributed.LocalCluster(
        n_workers=2, threads_per_worker=1, dashboard_address=None, silence_logs=50
    ) as found:
        yield found


class Killer:
    """Kills a worker, once, as soon as it was called so often."""

    def __init__(self, cluster, after: int) -> None:
        self.cluster, self.left, self.killed = cluster, after, None

    def __call__(self) -> None:
        self.left -= 1
        if self.left == 0:
            with distributed.Client(self.cluster) as client:
                pids = client.run(os.getpid)
            self.killed = next(iter(pids.values()))
            os.kill(self.killed, signal.SIGKILL)


def files(folder):
    return {path.name: path.read_bytes() for path in sorted(folder.iterdir()) if path.is_file()}


def drawn(count=24):
    return random_examples(MODEL, count, **DRAWN)


def test_traces_with_a_worker_killed(cluster, tmp_path):
    write_traces(MODEL, drawn(), tmp_path / "alone", **OPTIONS)
    killer = Killer(cluster, after=12)

    def told():
        for example in drawn():
            killer()
            yield example

    address = cluster.scheduler_address
    write_traces(MODEL, told(), tmp_path / "spread", cluster=address, **OPTIONS)
    assert killer.killed
    assert len(files(tmp_path / "alone")) > 3
    assert files(tmp_path / "spread") == files(tmp_path / "alone")


def test_clrs_with_a_worker_killed(cluster):
    task = next(task for task in TASKS if task.algorithm == "bfs")
    asked = {"machine": "native", "most": 40}
    alone = score(MODEL, task, "test", **asked)
    killer = Killer(cluster, after=5)
    address = cluster.scheduler_address
    spread = score(MODEL, task, "test", cluster=address, progress=killer, **asked)
    assert killer.killed
    keys = ("graphs", "correct", "node_accuracy")
    assert [getattr(spread, key) for key in keys] == [getattr(alone, key) for key in keys]
    shares = [score(MODEL, task, "test", share=(part, 3), **asked) for part in range(3)]
    assert sum(each.graphs for each in shares) == alone.graphs
    assert sum(each.correct for each in shares) == alone.correct


def test_a_run_that_was_stopped_goes_on_by_others(cluster, tmp_path):
    """Begun alone, gone on by a cluster: the bytes are those of a run that nobody stopped."""
    write_traces(MODEL, drawn(), tmp_path / "whole", **OPTIONS)

    def stopping():
        for number, example in enumerate(drawn()):
            if number == 15:
                raise KeyboardInterrupt
            yield example

    with pytest.raises(KeyboardInterrupt):
        write_traces(MODEL, stopping(), tmp_path / "parts", **OPTIONS)
    there = json.loads((tmp_path / "parts" / "index.json").read_text(encoding="utf-8"))
    assert there["complete"] is False
    address = cluster.scheduler_address
    write_traces(MODEL, drawn(), tmp_path / "parts", cluster=address, **OPTIONS)
    assert files(tmp_path / "parts") == files(tmp_path / "whole")


def test_shares_of_jobs_that_know_nothing_of_each_other(tmp_path):
    write_traces(MODEL, drawn(), tmp_path / "whole", **OPTIONS)
    for part in (2, 0):  # the other third is left to whoever puts them together
        assert write_share(MODEL, drawn(), tmp_path / "parts", Share(part, 3), seed=5) == 8
    first = run_file(tmp_path / "parts", 5, 0)
    assert first.name == "run-5-00000000.npz"
    before = first.stat().st_mtime_ns
    write_share(MODEL, drawn(), tmp_path / "parts", Share(0, 3), seed=5)
    assert first.stat().st_mtime_ns == before
    write_traces(MODEL, drawn(), tmp_path / "parts", **OPTIONS)
    assert files(tmp_path / "parts") == files(tmp_path / "whole")
    assert not first.parent.exists()


def test_a_damaged_run_is_named(tmp_path):
    write_share(MODEL, drawn(3), tmp_path, Share(0, 1), seed=5)
    path = run_file(tmp_path, 5, 1)
    path.write_bytes(path.read_bytes()[:100])
    with pytest.raises(LoopwrightError, match=r"run-5-00000001\.npz: no run that can be read"):
        write_traces(MODEL, drawn(3), tmp_path, **OPTIONS)


@pytest.mark.parametrize("text", ["", "1", "2/2", "-1/2", "1/0", "a/b", "0/1/2"])
def test_no_share(text):
    with pytest.raises(LoopwrightError, match="expected i/n"):
        Share.read(text)


def test_run_many_on_a_cluster(cluster):
    rng = np.random.default_rng(0)
    graphs = [rng.integers(0, 2, (9, 9)) for _ in range(20)] + ["no such file", [("a", "b")]]
    sources = [0] * 20 + ["a", "b"]
    here = list(MODEL.run_many(graphs, sources=sources))
    there = list(MODEL.run_many(graphs, sources=sources, cluster=cluster.scheduler_address))
    assert list(map(str, there)) == list(map(str, here))
    for one, other in zip(here, there, strict=True):
        assert getattr(one, "result", None) == getattr(other, "result", None)
    assert there[3].graph.n == 9
    assert isinstance(there[20], LoopwrightError)


def test_what_goes_wrong_there_is_told_here(cluster):
    graphs = [lw.Graph.of([("a", "b")])]
    with pytest.raises(LoopwrightError, match="observers see runs of this process alone"):
        MODEL.run_many(graphs, sources=["a"], cluster="local", observers=[lw.Observer()])
    (found,) = MODEL.run_many(graphs, sources=["x"], cluster=cluster.scheduler_address)
    assert "node 'x' is not in the graph" in str(found)


@pytest.mark.parametrize("address", ["nonsense", "tcp://", "", 7])
def test_no_address(address):
    with pytest.raises(LoopwrightError, match="must be a Dask scheduler's address"):
        MODEL.run_many([[("a", "b")]], sources=["a"], cluster=address)


@pytest.mark.parametrize("address", ["tcp://127.0.0.1:9", "nonsense://a:1"])
def test_nobody_answers(monkeypatch, address):
    monkeypatch.setattr(workers, "PATIENCE", 1)
    with (
        pytest.raises(LoopwrightError, match="no Dask scheduler answers there"),
        working(address, None),
    ):
        pass


def test_limits_on_a_cluster(cluster, loopwright):
    asked = ["limits", "bfs", "--axis", "positions", "--json"]
    alone, spread = (
        loopwright(*asked, *more) for more in ([], ["--cluster", cluster.scheduler_address])
    )
    assert (spread.code, spread.out) == (0, alone.out)


def test_a_share_on_the_command_line(loopwright, tmp_path):
    asked = ["traces", "bfs", "--random", "6", "--nodes", "5", "--seed", "3"]
    whole, parts = ["--out", str(tmp_path / "whole")], ["--out", str(tmp_path / "parts")]
    assert loopwright(*asked, *whole).code == 0
    assert loopwright(*asked, *parts, "--shard", "1/2").code == 0
    assert len(list((tmp_path / "parts" / "runs").iterdir())) == 3
    assert loopwright(*asked, *parts).code == 0
    assert files(tmp_path / "parts") == files(tmp_path / "whole")


OTHER_REQUESTS = {
    "larger graphs": ("bfs", "--nodes", "8"),
    "denser graphs": ("bfs", "--nodes", "5", "--density", "0.9"),
    "another algorithm": ("dfs", "--nodes", "5"),
    "another construction": ("bfs", "--nodes", "5", "--construction", "paper"),
    "another machine": ("bfs", "--nodes", "5", "--machine", "native"),
}


@pytest.mark.parametrize("more", [[], ["--shard", "0/2"], ["--cluster", "address"]])
@pytest.mark.parametrize("asked", OTHER_REQUESTS.values(), ids=OTHER_REQUESTS)
def test_shares_of_another_request_are_refused(cluster, loopwright, refused, tmp_path, asked, more):
    """Their files have the same names: without a look inside, traces would be of both."""
    drawn = ["--random", "4", "--seed", "3", "--out", str(tmp_path)]
    assert loopwright("traces", "bfs", "--nodes", "5", *drawn, "--shard", "0/2").code == 0
    before = files(tmp_path / "runs")
    more = [cluster.scheduler_address if word == "address" else word for word in more]
    told = refused("traces", *asked, *drawn, *more)
    assert "run-3-00000000.npz: a run of another model, graph or machine" in told
    assert files(tmp_path / "runs") == before
    assert not files(tmp_path)


def test_a_graph_file_that_was_changed_since(loopwright, refused, tmp_path):
    """The arguments are the same, the graph is not."""
    graph, out = tmp_path / "roads.txt", tmp_path / "out"
    graph.write_text("a b 2\nb c 1\n")
    asked = ["traces", "dijkstra", graph, "--source", "a", "--out", out]
    assert loopwright(*asked, "--shard", "0/1").code == 0
    graph.write_text("a b 2\nb c 3\n")
    assert "another model, graph or machine" in refused(*asked)


def test_runs_of_another_seed_are_left_alone(loopwright, tmp_path):
    """They were not put together: whoever made them may still want them."""
    asked = ["traces", "bfs", "--random", "3", "--nodes", "5", "--out", str(tmp_path)]
    for seed in ("3", "4"):
        assert loopwright(*asked, "--seed", seed, "--shard", "0/1").code == 0
    assert loopwright(*asked, "--seed", "4").code == 0
    assert list(files(tmp_path / "runs")) == [f"run-3-{number:08}.npz" for number in range(3)]


def test_a_cluster_puts_shares_together(cluster, tmp_path, monkeypatch):
    """It runs what is missing, and no more; the parts are removed, also those of a killed job."""
    write_traces(MODEL, drawn(), tmp_path / "whole", **OPTIONS)
    parts = tmp_path / "parts"
    for part in (2, 0):
        write_share(MODEL, drawn(), parts, Share(part, 3), seed=5)
    missing = run_file(parts, 5, 1)
    missing.with_name(f".{missing.name}.partial").write_bytes(b"half")
    ran = []
    there = recorded._There.__call__

    def noting(self, example):
        ran.append(example)
        return there(self, example)

    monkeypatch.setattr(recorded._There, "__call__", noting)
    monkeypatch.setattr(recorded, "working", lambda cluster, workers: working(None, 2))
    write_traces(MODEL, drawn(), parts, cluster=cluster.scheduler_address, **OPTIONS)
    assert len([example for example in ran if example]) == 8
    assert files(parts) == files(tmp_path / "whole")
    assert not (parts / "runs").exists()


def test_a_cluster_and_shares_on_the_command_line(cluster, loopwright, tmp_path):
    asked = ["traces", "bfs", "--random", "6", "--nodes", "5", "--seed", "3"]
    whole, parts = ["--out", str(tmp_path / "whole")], ["--out", str(tmp_path / "parts")]
    assert loopwright(*asked, *whole).code == 0
    assert loopwright(*asked, *parts, "--shard", "1/2").code == 0
    assert loopwright(*asked, *parts, "--cluster", cluster.scheduler_address).code == 0
    assert files(tmp_path / "parts") == files(tmp_path / "whole")
    assert not (tmp_path / "parts" / "runs").exists()


@pytest.mark.parametrize(
    ("options", "problem"),
    [
        (["--shard", "0/2", "--cluster", "nonsense:1"], "--cluster and --shard"),
        (["--format", "clrs", "--cluster", "127.0.0.1:9"], "--cluster with --format clrs"),
        (["--format", "pyg", "--cluster", "local"], "--cluster with --format pyg"),
        (["--format", "clrs", "--shard", "0/2"], "--shard with --format clrs"),
        (["--format", "pyg", "--shard", "0/2"], "--shard with --format pyg"),
        (["--shard", ""], "expected i/n"),
    ],
    ids=lambda value: " ".join(value) if isinstance(value, list) else None,
)
def test_options_without_effect_are_refused(refused, tmp_path, options, problem):
    out = tmp_path / "out"
    assert problem in refused("traces", "bfs", "--random", "4", "--out", out, *options)
    assert not out.exists()


@pytest.mark.parametrize("name", ["out", "out/runs"])
def test_a_file_in_place_of_the_folder_is_one_error(refused, tmp_path, name):
    """What is in the way is named, and not called a damaged run."""
    path = tmp_path / name
    path.parent.mkdir(exist_ok=True)
    path.write_text("")
    asked = ["traces", "bfs", "--random", "1", "--out", tmp_path / "out"]
    assert "Not a directory." in refused(*asked, "--shard", "0/1")


UNGUARDED = """
import os, signal
import loopwright as lw
from loopwright.runtime.workers import working

print("begun", flush=True)
model = lw.compile(lw.algorithms.bfs())

def die_once(piece):
    if piece == 3 and not os.path.exists("died"):
        open("died", "w").close()
        os.kill(os.getpid(), signal.SIGKILL)
    return piece * 2

graphs = [[("a", "b")], [("a", "b"), ("b", "c")]]
print([answer.prev["b"] for answer in model.run_many(graphs, sources=["a"] * 2, cluster="local")])
with working("local", 1) as pool:
    print(list(pool.in_order(die_once, range(5))))
"""


def test_a_script_without_guard(tmp_path):
    """No worker, nor who replaces one, begins the script again."""
    (tmp_path / "unguarded.py").write_text(UNGUARDED)
    done = subprocess.run(
        [sys.executable, "unguarded.py"], cwd=tmp_path, capture_output=True, text=True, timeout=120
    )
    assert (done.returncode, done.stderr) == (0, "")
    assert done.stdout == "begun\n['a', 'a']\n[0, 2, 4, 6, 8]\n"


def test_other_processes_know_the_script():
    known = spawn.get_preparation_data("Process-1")
    with script_left_alone():
        assert spawn.get_preparation_data("Process-1") == known
        of_dask = spawn.get_preparation_data("Dask Worker process (from Nanny)")
    assert not any(key.startswith("init_main") for key in of_dask)
    assert spawn.get_preparation_data("Dask …").keys() == known.keys()
