"""The benchmark measures what it says, and reports only what it measured."""

from concurrent.futures import ProcessPoolExecutor
from functools import partial
from multiprocessing import get_context

import networkx as nx
import numpy as np
import pytest

from loopwright.algorithms import ALGORITHMS
from loopwright.compiler.compile import compile
from loopwright.errors import LoopwrightError
from loopwright.lab.bench import large, named, subject, timing
from loopwright.lab.bench import measure as bench
from loopwright.lab.bench.draw import draw
from loopwright.lab.bench.graphs import random_digraph
from loopwright.lab.bench.large import random_matrix
from loopwright.lab.bench.libraries import jobs
from loopwright.lab.bench.measure import exponents, large_graph, many_graphs, measure
from loopwright.lab.bench.named import measure_named, rows_of_named
from loopwright.lab.bench.report import (
    HEADS,
    duration,
    headline,
    markdown,
    page,
    rows,
    very_large_table,
)
from loopwright.lab.bench.startup import ASKED, measure_startup, ratios
from loopwright.lab.bench.subject import whole_call
from loopwright.model.limits import Limits
from loopwright.runtime.graph import Graph
from loopwright.runtime.run import run


def as_if_each_took_a_second(jobs, **_):
    for job in jobs.values():
        job()
    return dict.fromkeys(jobs, 1.0)


STARTUP = dict.fromkeys([*ASKED, *(other for other, _ in ASKED.values())], 1.0)


@pytest.fixture(scope="module")
def results():
    """Whatever the processor does meanwhile, every run takes one second."""
    with pytest.MonkeyPatch.context() as patch:
        patch.setattr(bench, "MEASURED", ("dijkstra",))
        patch.setattr(bench, "MACHINES", ("reference", "native"))
        patch.setattr(bench, "large_graph", lambda: large_graph(200, 4))
        patch.setattr(bench, "in_turns", as_if_each_took_a_second)
        patch.setattr(subject, "in_turns", as_if_each_took_a_second)
        patch.setattr(bench, "many_graphs", lambda n, count: many_graphs(4, 10))
        patch.setattr(bench, "measure_startup", lambda: STARTUP)
        patch.setattr(bench, "very_large", lambda report: [])
        return measure(sizes=(4, 64), patience=1000.0, report=lambda _: None)


def test_graphs_are_reachable():
    graph = random_digraph(50)
    assert len(nx.descendants(graph, 0)) == 49


@pytest.mark.parametrize("algorithm", ["dijkstra", "bfs", "dfs", "scc"])
def test_libraries_run(algorithm):
    found = jobs(algorithm, random_digraph(12))
    assert {"networkx", "scipy"} <= set(found)
    for job in found.values():
        assert job.own() is not None
        assert job.whole() is not None


def test_libraries_and_we_answer_the_same_with_labels():
    graph = random_digraph(30)
    wanted = nx.single_source_dijkstra_path_length(graph, 0)
    found = jobs("dijkstra", graph)
    assert found["networkx"].whole()[1] == wanted
    assert found["scipy"].whole()[0] == wanted
    if "rustworkx" in found:
        assert found["rustworkx"].whole() | {0: 0} == wanted
    ours = whole_call(compile(ALGORITHMS["dijkstra"]()), graph, "native")()
    assert ours[0] == wanted


def test_a_matrix_from_which_all_is_reached():
    matrix = random_matrix(200, 3)
    assert matrix.format == "csr"
    graph = nx.from_scipy_sparse_array(matrix, create_using=nx.DiGraph)
    assert len(nx.descendants(graph, 0)) == 199


@pytest.fixture(scope="module")
def large_rows():
    with pytest.MonkeyPatch.context() as patch:
        patch.setattr(large, "in_turns", as_if_each_took_a_second)
        fewer = {name: each._replace(most_for_networkx=50) for name, each in large.LARGE.items()}
        patch.setattr(large, "LARGE", fewer)
        return large.very_large(lambda _: None, sizes=(50, 90))


def test_constructions_for_large_graphs(large_rows):
    assert [(row["algorithm"], row["n"], row["right"]) for row in large_rows] == [
        (name, n, True) for name in ("dijkstra", "bfs", "components", "kruskal") for n in (50, 90)
    ]
    assert {row["n"]: row.get("networkx_seconds") for row in large_rows} == {50: 1.0, 90: None}
    sentence, _, _, _, *lines, _ = very_large_table({"very_large": large_rows})
    assert "dijkstra n^0.00" in sentence
    assert len(lines) == 8


def test_memory_is_that_of_a_process_alone():
    """And not of the one that began it, which holds more."""
    held = np.ones(2**26)
    with ProcessPoolExecutor(1, get_context("spawn")) as fresh:
        found = fresh.submit(large.peak_memory, "bfs", 50).result()
    assert 30 < found < held.nbytes / 2**20


@pytest.mark.parametrize("name", large.LARGE)
def test_a_wrong_answer_is_seen(name):
    """One entry of our answer is another: a parent, a length, a component or an end of an edge."""
    matrix = random_matrix(60, 3)
    matrix = matrix.maximum(matrix.T).tocsr()
    program = ALGORITHMS[name]("parallel")
    model = compile(program, limits=Limits.fit(Graph.of(matrix), program))
    answer = run(model, matrix, source=0 if model.source == "required" else None)
    is_right, found = large.LARGE[name].is_right, large.LARGE[name].scipy(matrix)
    assert is_right(answer, found, matrix)
    column = answer.result.outputs[
        "head" if name == "kruskal" else next(iter(answer.result))
    ].column
    column[-1] = column[-1] - 1 if name == "dijkstra" else 1 + (column[-1] + 7) % 60
    assert not is_right(answer, found, matrix)


def test_many_graphs_are_measured_one_by_one():
    found = many_graphs(4, 10)
    assert 0 < found["loop_seconds_each"] < found["seconds_each"]
    assert found["seconds_each_by_two"] > 0


def test_what_is_started_is_compared():
    seconds = measure_startup(repeats=1)
    assert seconds.keys() == STARTUP.keys()
    assert ratios(STARTUP) == dict.fromkeys(ASKED, 1.0)


def test_patience(results):
    """The paper's Dijkstra on 16 times the nodes: 16³ seconds by the reference, 16² by native."""
    runs = {(r.get("construction"), r.get("machine"), r["n"]) for r in results["runs"]}
    assert runs >= {
        ("paper", "reference", 4),
        ("paper", "native", 64),
        ("compact", "reference", 64),
    }
    assert ("paper", "reference", 64) not in runs


def test_the_shortest_run_counts(monkeypatch):
    """Three runs of 0.3, 0.1 and 0.2 seconds, and in turns with them one of 5: the clock says when
    each begins and ends."""
    clock = iter([0.0, 0.3, 10.0, 15.0, 1.0, 1.1, 2.0, 2.2])
    monkeypatch.setattr(timing.time, "perf_counter", lambda: next(clock))
    order: list[str] = []
    jobs_in_turns = {name: partial(order.append, name) for name in "ab"}
    taken = timing.in_turns(jobs_in_turns, seconds=0.5)
    assert taken == {"a": pytest.approx(0.1), "b": pytest.approx(5.0)}
    assert order == ["a", "b", "a", "a"]
    assert next(clock, None) is None


def test_iterations_are_the_runs_own(results):
    native = [r for r in results["runs"] if r.get("machine") == "native"]
    assert {(r["construction"], r["n"]): r["iterations"] for r in native} == {
        ("paper", 4): 16,
        ("paper", 64): 4096,
        ("compact", 4): 4,
        ("compact", 64): 64,
        ("parallel", 4): edges_of_longest_path(random_digraph(4)) + 1,
        ("parallel", 64): edges_of_longest_path(random_digraph(64)) + 1,
    }


def edges_of_longest_path(graph):
    """Of the shortest paths to a node the one with the fewest edges counts."""
    return max(
        min(len(path) - 1 for path in nx.all_shortest_paths(graph, 0, node, weight="weight"))
        for node in graph
    )


def test_large_graph_is_right_and_sparse(results):
    assert results["large"]["right"]
    assert results["large"]["n"] == 200


def test_report(results):
    table = rows(results)
    assert ["dijkstra", "paper", "64"] == table[1][:3]
    assert table[1][HEADS.index("native")] == "1 s"
    assert table[1][HEADS.index("reference")] == "–"
    assert table[3][HEADS.index("native / networkx")] == "1 ×"
    text = page(results)
    assert all(sentence in text for sentence in headline(results))
    assert len(markdown(results).splitlines()) == 3
    assert "1 × at 4, 1 × at 64 nodes" in markdown(results)
    assert "| `--version` | 1 s | `import typer, rich.console` | 1.00 × | 1.5 × |" in text


def test_a_picture(results, large_rows, tmp_path):
    draw(results | {"very_large": large_rows}, tmp_path / "speed.png")
    assert (tmp_path / "speed.png").read_bytes()[1:4] == b"PNG"


@pytest.mark.parametrize("name", ["prim", "dag-shortest-paths", "components"])
def test_named_models_run_on_graphs_that_they_need(monkeypatch, name):
    """Undirected, or without cycles: the certificate refuses others."""
    monkeypatch.setattr(named, "MACHINES", ("reference", "native"))
    monkeypatch.setattr(subject, "in_turns", as_if_each_took_a_second)
    model = compile(ALGORITHMS[name]())
    found = measure_named([model], sizes=(4, 8), patience=1000.0, report=lambda _: None)
    assert [(row["machine"], row["n"]) for row in found["runs"]] == [
        ("reference", 4),
        ("reference", 8),
        ("native", 4),
        ("native", 8),
    ]
    assert {row["total_seconds"] for row in found["runs"]} == {1.0}
    assert [row[0] for row in rows_of_named(found)] == [name] * 4


def test_named_models_need_a_bound():
    model = compile(ALGORITHMS["graph-subleq"]())
    with pytest.raises(LoopwrightError, match="no bound of its own"):
        measure_named([model], sizes=(4,), patience=1.0, report=lambda _: None)


def test_patience_with_named_models(monkeypatch):
    monkeypatch.setattr(named, "MACHINES", ("reference",))
    monkeypatch.setattr(subject, "in_turns", as_if_each_took_a_second)
    model = compile(ALGORITHMS["dijkstra"]("paper"))
    found = measure_named([model], sizes=(4, 64), patience=100.0, report=lambda _: None)
    assert [row["n"] for row in found["runs"]] == [4]


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


@pytest.mark.parametrize("sizes", ["few", "0,5", "", "4,,5"])
def test_bad_sizes(refused, sizes):
    assert "as 16,64" in refused("bench", "--sizes", sizes)


def test_a_file_that_cannot_be_written(refused, tmp_path):
    file = tmp_path / "nowhere" / "results.json"
    assert f"{file}: No such file or directory" in refused("bench", "--save", file)
