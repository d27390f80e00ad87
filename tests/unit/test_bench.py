"""The benchmark measures what it says, and reports only what it measured."""

import networkx as nx
import pytest

import loopwright as lw
from loopwright.lab.bench import measure as bench
from loopwright.lab.bench.graphs import random_digraph
from loopwright.lab.bench.libraries import jobs
from loopwright.lab.bench.measure import best_of, exponents, large_graph, measure
from loopwright.lab.bench.peak import multiply_add_peak
from loopwright.lab.bench.report import duration, headline, markdown, rows
from loopwright.lab.bench.work import multiply_adds_a_node


@pytest.fixture(scope="module")
def results():
    with pytest.MonkeyPatch.context() as patch:
        patch.setattr(bench, "MEASURED", ("dijkstra",))
        patch.setattr(bench, "MACHINES", ("reference", "native"))
        patch.setattr(bench, "large_graph", lambda: large_graph(200, 4))
        patch.setattr(bench, "best_of", lambda job: best_of(job, most=1))
        return measure(sizes=(4, 64), patience=5.0, report=lambda _: None)


def test_graphs_are_reachable():
    graph = random_digraph(50)
    assert len(nx.descendants(graph, 0)) == 49


@pytest.mark.parametrize("algorithm", ["dijkstra", "bfs", "dfs", "scc"])
def test_libraries_run(algorithm):
    found = jobs(algorithm, random_digraph(12))
    assert {"networkx", "scipy"} <= set(found)
    for job in found.values():
        assert job() is not None


def test_patience(results):
    """The reference would take too long on 64 nodes, for the paper's Dijkstra; native does not."""
    paper = [r for r in results["runs"] if r.get("construction") == "paper"]
    assert {(r["machine"], r["n"]) for r in paper} >= {("reference", 4), ("native", 64)}
    assert ("reference", 64) not in {(r["machine"], r["n"]) for r in paper}


def test_iterations_are_the_runs_own(results):
    native = [r for r in results["runs"] if r.get("machine") == "native"]
    assert {(r["construction"], r["n"]): r["iterations"] for r in native} == {
        ("paper", 4): 16,
        ("paper", 64): 4096,
        ("compact", 4): 4,
        ("compact", 64): 64,
    }
    assert all(0 < r["mlp_share_of_peak"] < 1 for r in native)


def test_large_graph_is_right_and_sparse(results):
    assert results["large"]["right"]
    assert results["large"]["n"] == 200


def test_report(results):
    table = rows(results)
    assert ["dijkstra", "paper", "64"] == table[1][:3]
    assert table[1][3] == "–"
    text = markdown(results)
    assert all(sentence in text for sentence in headline(results))
    assert "64 nodes: native takes" in text


def test_exponents():
    runs = [
        {
            "algorithm": "a",
            "construction": "c",
            "machine": "native",
            "n": n,
            "seconds": n**3 * 1e-9,
            "iterations": n**2,
        }
        for n in (64, 128, 256)
    ]
    (found,) = exponents(runs)
    assert found["run"] == pytest.approx(3)
    assert found["iteration"] == pytest.approx(1)


@pytest.mark.parametrize(
    ("seconds", "text"),
    [(2.0, "2 s"), (0.0123, "12.3 ms"), (4.5e-5, "45 µs"), (3e-8, "30 ns"), (None, "–")],
)
def test_durations(seconds, text):
    assert duration(seconds) == text


def test_peak_and_work():
    assert multiply_add_peak() > 1e8
    compact, paper = (
        multiply_adds_a_node(lw.compile(lw.algorithms.dijkstra(c))) for c in ("compact", "paper")
    )
    assert 0 < compact < paper


def test_bad_sizes(refused):
    refused("bench", "--sizes", "few")
    refused("bench", "--sizes", "0,5")
