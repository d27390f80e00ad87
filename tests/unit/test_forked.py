"""Many graphs by processes that are copies of this one: the same answers, in the same order."""

from __future__ import annotations

import multiprocessing
import os
import pickle
import signal
import threading
import time
from fractions import Fraction

import networkx as nx
import numpy as np
import pytest

import loopwright as lw
from loopwright.runtime import many
from loopwright.runtime.forked import answers_of_forks, can_fork, packed, unpacked

MODEL = lw.compile(lw.algorithms.dijkstra())
needs_fork = pytest.mark.skipif(not hasattr(os, "fork"), reason="there is no fork")


@pytest.fixture(autouse=True)
def _shared_at_once(monkeypatch):
    """After the first graph, whose time has to be known, all others are shared."""
    monkeypatch.setattr(many, "WORTH_SHARING", 0.0)


def path_graphs(count):
    """Of different sizes, so that answers that change places are seen."""
    graphs = [nx.path_graph(2 + number % 7) for number in range(count)]
    for number, graph in enumerate(graphs):
        nx.set_edge_attributes(graph, 1 + number, "weight")
    return graphs


def told(found):
    """All of an answer but its times; of an error its words."""
    if isinstance(found, lw.LoopwrightError):
        return str(found)
    facts = (found.iterations, found.guaranteed, found.exact, found.checked, found.construction)
    edges = (found.graph.tails, found.graph.heads, found.graph.weights)
    columns = {name: dict(column) for name, column in found.result.items()}
    arrays = {name: found.array(name).tolist() for name in found.result}
    return facts, columns, arrays, found.graph.labels, [list(column) for column in edges]


@needs_fork
@pytest.mark.parametrize("machine", ["native", "exact", "reference"])
def test_as_one_after_the_other(machine, monkeypatch):
    forks = []
    monkeypatch.setattr(
        many, "answers_of_forks", lambda *given: forks.append(1) or answers_of_forks(*given)
    )
    graphs = path_graphs(20)
    graphs[5] = nx.path_graph(3)
    graphs[5].add_edge(0, 2, weight=Fraction(1, 3))
    graphs[7] = nx.MultiGraph()  # refused, and no other with it
    graphs[9] = lw.Graph.of(graphs[9])
    given = {"sources": [0] * 20, "machine": machine}
    one = [told(each) for each in MODEL.run_many(graphs, workers=1, **given)]
    assert not forks
    counted = []
    progress = {"progress": lambda: counted.append(1)}
    two = [told(each) for each in MODEL.run_many(graphs, workers=2, **given, **progress)]
    assert forks == [1]
    assert len(counted) == 20
    assert two == one
    assert isinstance(one[7], str)


def numbered(piece):
    return [lw.LoopwrightError(str(piece))]


def slow_here(in_a_copy):
    """Work that copies do as they are told, and this process so slowly that they get to it."""
    parent = os.getpid()

    def work(piece):
        if os.getpid() == parent:
            time.sleep(0.2)
            return numbered(piece)
        return in_a_copy(piece)

    return work


@needs_fork
@pytest.mark.parametrize("workers", [2, 3, 5])
def test_in_order_whoever_is_ahead(workers):
    def work(piece):
        time.sleep(0.01 * (piece * 7 % 5))
        return [*numbered(piece), *numbered(-piece)]

    found = [str(each) for each in answers_of_forks(work, range(20), workers)]
    assert found == [text for piece in range(20) for text in (str(piece), str(-piece))]


@needs_fork
def test_both_work():
    """A piece that this process does not come to is done by its copy."""

    def in_a_copy(piece):
        time.sleep(0.05)  # or it may have done all before this process goes on
        return numbered(100 + piece)

    found = [*answers_of_forks(slow_here(in_a_copy), range(8), 2)]
    assert {int(str(each)) // 100 for each in found} == {0, 1}


@needs_fork
def test_nobody_is_left_behind():
    def work(piece):
        time.sleep(0.02)
        return numbered(piece)

    answers = answers_of_forks(work, range(60), 3)
    next(answers), next(answers), next(answers)
    assert len(multiprocessing.active_children()) == 2
    answers.close()
    assert multiprocessing.active_children() == []


@needs_fork
def test_copies_end_when_all_is_done():
    assert len(list(answers_of_forks(numbered, range(60), 3))) == 60
    patience = time.monotonic() + 20
    while multiprocessing.active_children() and time.monotonic() < patience:
        time.sleep(0.01)
    assert multiprocessing.active_children() == []


def killed(pieces, folder):
    """Work at which a copy is killed that comes to one of these pieces, so many times each."""

    def in_a_copy(piece):
        for time_ in range(pieces.get(piece, 0)):
            mark = folder / f"{piece}-{time_}"
            if not mark.exists():
                mark.touch()
                os.kill(os.getpid(), signal.SIGKILL)
        return numbered(piece)

    return in_a_copy


@needs_fork
@pytest.mark.parametrize("workers", [2, 3, 5])
def test_who_is_killed_is_made_up_for(tmp_path, workers):
    """Several copies, and one in the place of others, but never twice at a piece."""
    work = slow_here(killed({piece: 1 for piece in (1, 2, 5, 11)}, tmp_path))
    found = [int(str(each)) for each in answers_of_forks(work, range(12), workers)]
    assert found == [*range(12)]
    assert any(tmp_path.iterdir())


@needs_fork
def test_a_copy_that_is_killed_while_it_answers(tmp_path):
    """What it has sent by then is not taken for an answer."""
    large = [lw.LoopwrightError("x" * 2**23)]

    def in_a_copy(piece):
        if not (tmp_path / "killed").exists():
            (tmp_path / "killed").touch()
            threading.Timer(0.1, os.kill, [os.getpid(), signal.SIGKILL]).start()
        return large

    found = [str(each) for each in answers_of_forks(slow_here(in_a_copy), range(4), 2)]
    assert (tmp_path / "killed").exists()
    assert [len(text) for text in found if len(text) > 1] in ([2**23] * k for k in range(1, 4))


@needs_fork
def test_run_many_with_workers_killed():
    one = [told(each) for each in MODEL.run_many(path_graphs(300), sources=[0] * 300, workers=1)]
    answers = MODEL.run_many(path_graphs(300), sources=[0] * 300, workers=3)
    two = [told(next(answers)) for _ in range(5)]
    for child in multiprocessing.active_children():
        os.kill(child.pid, signal.SIGKILL)
    assert [*two, *map(told, answers)] == one


@needs_fork
def test_workers_that_die_of_a_piece_always():
    work = slow_here(lambda _: os.kill(os.getpid(), signal.SIGKILL))
    with pytest.raises(lw.LoopwrightError, match="a worker process died, and another"):
        list(answers_of_forks(work, range(8), 2))
    assert multiprocessing.active_children() == []


@needs_fork
@pytest.mark.parametrize("where", ["here", "in a copy"])
def test_what_a_worker_raises_is_raised(where):
    def fails(piece):
        raise ZeroDivisionError("of a graph that somebody wrote")

    work = fails if where == "here" else slow_here(fails)
    with pytest.raises(ZeroDivisionError, match="somebody wrote"):
        list(answers_of_forks(work, range(8), 2))
    assert multiprocessing.active_children() == []


@needs_fork
def test_answers_larger_than_a_pipe():
    large = [nx.complete_graph(300) for _ in range(8)]
    one = [told(each) for each in MODEL.run_many(large, sources=[0] * 8, workers=1)]
    two = [told(each) for each in MODEL.run_many(large, sources=[0] * 8, workers=2)]
    assert two == one


def test_little_work_is_not_shared(monkeypatch):
    monkeypatch.setattr(many, "WORTH_SHARING", 60.0)
    monkeypatch.setattr(many, "answers_of_forks", None)
    assert len(list(MODEL.run_many(path_graphs(5), sources=[0] * 5, workers=2))) == 5


def test_who_cannot_be_copied(tmp_path):
    (tmp_path / "edges").write_text("a b\n")
    with (tmp_path / "edges").open("rb") as file:
        assert not can_fork("native", [nx.Graph(), file])
    assert not can_fork("torch", [nx.Graph()])
    assert can_fork("native", [nx.Graph()]) == hasattr(os, "fork")


def test_packed_answers_cannot_be_changed_by_accident():
    (answer,) = MODEL.run_many(path_graphs(1), sources=[0], workers=1)
    (again,) = unpacked(pickle.loads(pickle.dumps(packed([answer]))))
    assert told(again) == told(answer)
    assert not again.graph.weights.flags.writeable
    again.array("dists")[0] = 7.0
    assert np.array_equal(again.array("dists"), answer.array("dists"))
