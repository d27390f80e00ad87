"""Certificates: what they say of a graph. Where their bounds are: agreement/test_bounds.py."""

from fractions import Fraction

import networkx as nx
import numpy as np
import pytest

import loopwright as lw

CONSTRUCTIONS = ["paper", "compact"]


def path_graph(n, weight=1.0):
    graph = nx.path_graph(n, create_using=nx.DiGraph)
    nx.set_edge_attributes(graph, weight, "weight")
    return graph


def test_weakest_first():
    model = lw.compile(lw.algorithms.dijkstra("paper"))
    certificate = model.check(path_graph(5))
    margins = [condition.margin for condition in certificate.conditions]
    assert margins == sorted(margins)
    assert certificate.guaranteed
    assert certificate.exact


def test_priorities_of_the_papers_preset():
    model = lw.compile(lw.algorithms.scc("paper"), limits=lw.Limits.paper())
    assert model.check(nx.empty_graph(627)).guaranteed
    assert not model.check(nx.empty_graph(628)).guaranteed


def test_rounded_weights_are_guaranteed_but_not_exact():
    model = lw.compile(lw.algorithms.dijkstra("paper"))
    graph = path_graph(5, 0.1)
    graph[0][1]["weight"] = 0.3
    certificate = model.check(graph)
    assert certificate.guaranteed
    assert not certificate.exact
    found = model.run(graph, source=0).dists
    exact = {node: Fraction(0.3) + (node - 1) * Fraction(0.1) for node in range(1, 5)}
    off = max(abs(Fraction(found[node]) - length) for node, length in exact.items())
    assert 0 < off <= certificate.rounding


def test_rational_weights_are_reweighted():
    """As text, 0.1 is 1/10: the model counts in tenths, and 0.1 + 0.7 ties with 0.8."""
    model = lw.compile(lw.algorithms.dijkstra("compact"))
    graph = [("a", "b", "0.1"), ("b", "c", "0.7"), ("a", "c", "0.8"), ("c", "d", "0.2")]
    answer = lw.verify(model, graph, source="a")
    assert model.check(graph).exact
    assert answer.dists == {"a": 0.0, "b": 0.1, "c": 0.8, "d": 1.0}
    assert answer.prev["c"] == "a"


@pytest.mark.parametrize("construction", CONSTRUCTIONS)
def test_a_fit_model_is_guaranteed(construction):
    rng = np.random.default_rng(1)
    for n in (1, 3, 40):
        graph = nx.gnp_random_graph(n, 0.4, seed=n, directed=True)
        for tail, head in graph.edges:
            graph[tail][head]["weight"] = float(rng.random() * 10.0 ** rng.integers(-3, 4))
        read = lw.Graph.of(graph)
        model = lw.compile(lw.algorithms.dijkstra(construction), limits=lw.Limits.fit(read))
        assert model.check(read).guaranteed
        found = model.run(read, source=0).dists
        for node, length in nx.single_source_dijkstra_path_length(graph, 0).items():
            assert found[node] == pytest.approx(length, rel=1e-9, abs=model.check(read).rounding)


@pytest.mark.parametrize("name", ["bfs", "dfs", "scc"])
def test_weights_do_not_matter_where_they_are_not_read(name):
    model = lw.compile(lw.algorithms.ALGORITHMS[name]("compact"))
    names = {condition.name for condition in model.check(path_graph(3, 1e300)).conditions}
    assert not names & {"longest path", "values", "smallest weight", "sums of edges"}
    assert names >= {"nodes", "priorities"}


def counting(bound):
    """Three iterations; an index and a count grow by what they are given."""
    step_of, index = lw.nodes.count("step", start=lw.given("step")), lw.nodes.index("i", start=0)
    total, rounds = lw.nodes.count("total", start=0), lw.single.count("rounds", start=0)
    halt = lw.single.flag("halt")
    adding = (lw.ops.Add(total, total, step_of), lw.ops.Add(index, index, lw.OWN_INDEX))
    ending = (lw.ops.Add(rounds, rounds, 1), lw.ops.LessOrEqual(halt, 3, rounds))
    steps = (lw.step("add", *adding), lw.step("halt", *ending))
    limits = lw.Limits(nodes=16, largest=64, resolution=Fraction(1))
    return lw.compile(lw.Program("adds", steps, {"total": total}, halt, bound), limits=limits)


def test_what_is_checked_is_what_is_run():
    """Without a bound of the program's own, the most iterations decide how far an index goes."""
    model = counting(bound=())
    assert not model.check(path_graph(2)).guaranteed
    for most, guaranteed in ((4, True), (5, True), (6, False)):
        assert model.check(path_graph(2), max_iterations=most).guaranteed == guaranteed
        if guaranteed:
            assert model.run(path_graph(2), max_iterations=most, step=2).total[0] == 6
        else:
            with pytest.raises(lw.LoopwrightError, match=r"not guaranteed .*: indices: 18 exceeds"):
                model.run(path_graph(2), max_iterations=most, step=2)


def test_what_is_given_counts():
    """Three times 160 stay below Ω = 512, three times 200 do not: that run is to be watched."""
    model = counting(bound=(3,))
    assert model.check(path_graph(3)).watched is None
    assert model.check(path_graph(3), step=160).watched is None
    assert model.check(path_graph(3), step=200).watched is not None
    with pytest.raises(lw.LoopwrightError, match="input 'step': 513 is no multiple"):
        model.check(path_graph(3), step=513)
    with pytest.raises(lw.LoopwrightError, match="no input 'steps'"):
        model.check(path_graph(3), steps=1)


def test_command(loopwright, tmp_path):
    path = tmp_path / "graph.txt"
    path.write_text("a b 1e-9\nb c 4000\n", encoding="utf-8")
    good = loopwright("check", "dijkstra", path, "--json").json
    assert good["guaranteed"]
    assert good["exact"]
    assert {"name", "needed", "allowed", "why", "remedy", "holds"} <= set(good["conditions"][0])
    bad = loopwright("check", "dijkstra", path, "--limits", "paper")
    assert bad.code == 1
    assert "Not guaranteed." in bad.out
    run = ("run", "dijkstra", path, "--source", "a", "--limits", "paper")
    assert loopwright(*run).code == 2
    unchecked = loopwright(*run, "--unchecked", "--json").json
    assert unchecked["guaranteed"] is False


# ── what an iteration makes of numbers that keep their author's word ────────────────────────────


def test_what_an_iteration_adds_up_is_bounded():
    """Each value is a path's length, as promised; a sum of many of them is more than Ω̂."""
    length = lw.nodes.value("length", start=0, at_source=0)
    far = lw.nodes.flag("far")
    total = lw.nodes.value("total")
    halt = lw.single.flag("halt")

    def program(times):
        return lw.Program(
            name="sums",
            source="required",
            values="paths",
            bound=(1,),
            steps=(
                lw.step("all edges", lw.ops.SumFrom(length, lw.B_LOCAL)),
                lw.step("add", lw.ops.Copy(total, length)),
                *(lw.step(f"add {i}", lw.ops.Add(total, total, length)) for i in range(times)),
                lw.step("far", lw.ops.LessThan(far, total, lw.UNREACHED), lw.ops.Copy(halt, 1)),
            ),
            outputs={"far": far},
            halt=halt,
        )

    limits = lw.Limits(nodes=4, largest=16, resolution=Fraction(1, 4))
    for times, inside in ((0, True), (1, False)):
        certificate = lw.compile(program(times), limits=limits).check([("a", "b", 16)], scale=1)
        broken = [condition.name for condition in certificate.conditions if not condition.holds]
        assert broken == ([] if inside else ["within an iteration"])
