"""What programs need of graphs: refused where it is missing, with an example and the remedy."""

from __future__ import annotations

import json
import re
from dataclasses import replace
from fractions import Fraction
from functools import partial
from itertools import pairwise

import networkx as nx
import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

import loopwright as lw
from loopwright.algorithms import ALGORITHMS
from loopwright.cli import main
from loopwright.errors import GraphError, ProgramError
from loopwright.language.serial import from_json, to_json
from loopwright.model import storage
from loopwright.model.description import describe, name_tensors
from loopwright.runtime.graph import Graph
from loopwright.runtime.preconditions import MANY_EDGES, in_order, preconditions
from strategies import graphs

PRIM = lw.compile(lw.algorithms.prim())
SORT = lw.compile(lw.algorithms.topological_sort())
PATHS = lw.compile(lw.algorithms.dag_shortest_paths())
TRIANGLE = [("a", "b", 5), ("b", "c", 1), ("c", "a", 1)]
"""Without --undirected, a tree that is grown along its arrows weighs 6 where 2 is the least."""
RING = [("a", "b"), ("b", "c"), ("c", "a"), ("z", "a")]


def one_need(need, graph, *, weighted=True):
    (found,) = preconditions([need], Graph.of(graph), weighted=weighted)
    return found


@pytest.mark.parametrize("edges", [0, 1, 100, MANY_EDGES - 1, MANY_EDGES, 3 * MANY_EDGES])
@pytest.mark.parametrize("nodes", [1, 7, 2**16])
def test_edges_in_the_order_of_their_ends(edges, nodes):
    """Of several with the same end, those that come first are first."""
    ends = np.random.default_rng(edges).integers(0, nodes, edges)
    expected = sorted(range(edges), key=ends.__getitem__)
    np.testing.assert_array_equal(in_order(ends, nodes), expected)


# ── refused, and how to run nevertheless ────────────────────────────────────────────────────────


def test_prim_refuses_arrows():
    with pytest.raises(GraphError, match=r"'prim' needs the graph to be undirected, .* a → b\. .*"):
        PRIM.run(TRIANGLE, source="a")
    tree = PRIM.run(Graph.of(TRIANGLE).undirected(), source="a").prev
    assert tree == {"a": "a", "b": "c", "c": "a"}
    assert PRIM.run(TRIANGLE, source="a", checked=False).prev == {"a": "a", "b": "a", "c": "b"}


@pytest.mark.parametrize("model", [SORT, PATHS], ids=lambda model: model.name)
def test_a_cycle_is_refused_and_named(model):
    options = {"source": "z"} if model.source == "required" else {}
    wanted = f"'{model.name}' needs the graph to be acyclic, .* such as a → b → c → a. Remove"
    for refuse in (model.run, lambda *a, **k: lw.verify(model, *a, **k)):
        with pytest.raises(GraphError, match=wanted):
            refuse(RING, **options)
    with pytest.raises(GraphError, match=wanted):
        lw.interpret(from_json(dict(model.program)), RING, **options)
    unchecked = model.run(RING, checked=False, **options).result
    meant = lw.interpret(from_json(dict(model.program)), RING, checked=False, **options)
    assert unchecked == meant.result
    assert None in unchecked["next" if model is SORT else "prev"].values()


# ── a source, unless … ──────────────────────────────────────────────────────────────────────────


@pytest.mark.parametrize("construction", ["paper", "compact"])
@pytest.mark.parametrize("machine", ["native", "reference", "torch", "exact", "meaning"])
def test_multitask_needs_a_source_unless_it_searches_depth_first(construction, machine):
    program = lw.algorithms.multitask(construction)
    model = lw.compile(program)
    paths = [("a", "b", 3), ("b", "c", 1)]

    def answer(**options):
        if machine == "meaning":
            return lw.interpret(program, paths, **options).prev
        return model.run(paths, machine=machine, **options).prev

    for told in ({}, {"dfs": 0}):
        with pytest.raises(GraphError, match=r"starts at a node: .*, or give the input dfs=1\."):
            answer(**told)
    assert answer(dfs=1) == {"a": "a", "b": "a", "c": "b"}
    assert answer(source="b") == {"a": "a", "b": "b", "c": "b"}


DIFFERENT = r"'dfs' is about the whole run: give one number, as dfs=1, and not others for other"


def run_many(model, graph, *, source=None, **options):
    """The one answer of several."""
    (answer,) = model.run_many([graph], sources=[source], **options)
    if isinstance(answer, lw.LoopwrightError):
        raise answer
    return answer


DOORS = {
    "run": lw.Model.run,
    "rows": partial(lw.Model.run, rows=4),
    "torch": partial(lw.Model.run, machine="torch"),
    "run_many": run_many,
    "verify": lw.verify,
    "view": lw.view,
    "check": lambda model, graph, source=None, **given: model.check(graph, **given),
    "interpret": lambda model, *args, **kw: lw.interpret(from_json(model.program), *args, **kw),
}


@pytest.mark.parametrize("door", DOORS.values(), ids=DOORS)
@pytest.mark.parametrize("options", [{}, {"source": "a"}], ids=["", "source"])
@pytest.mark.parametrize("construction", ["paper", "compact"])
def test_nodes_are_not_told_differently_what_a_run_does(construction, options, door):
    model = lw.compile(lw.algorithms.multitask(construction))
    with pytest.raises(GraphError, match=DIFFERENT):
        door(model, [("a", "b", 3)], dfs=[1, 0], **options)
    door(model, [("a", "b", 3)], dfs=1, **options)


def test_a_list_that_tells_all_nodes_the_same_is_as_good_as_a_number():
    model = lw.compile(lw.algorithms.multitask("compact"))
    assert model.run([("a", "b", 3)], dfs=[1, 1]).prev == {"a": "a", "b": "a"}


def test_nodes_are_not_told_differently_on_the_command_line(refused, tmp_path):
    (tmp_path / "g.txt").write_text("a b 3\n")
    told = ("multitask", tmp_path / "g.txt", "--source", "a", "--input", "dfs=1,0")
    for command in ("run", "verify", "view", "traces"):
        files = ("--out", tmp_path / "out") if command in ("view", "traces") else ()
        assert re.search(DIFFERENT, refused(command, *told, *files))


def test_without_a_source_is_kept_in_files_and_checked(tmp_path):
    program = lw.algorithms.multitask("compact")
    lw.compile(program).save(tmp_path / "m.safetensors")
    loaded = lw.load(tmp_path / "m.safetensors")
    assert loaded.run([("a", "b", 3)], dfs=1).prev == {"a": "a", "b": "a"}
    assert from_json(to_json(program)).source_unless == "dfs"
    with pytest.raises(ProgramError, match="source_unless='bfs', but no flag is given by that"):
        replace(program, source_unless="bfs")
    with pytest.raises(ProgramError, match="for programs with source='required'"):
        replace(program, source="optional")
    with pytest.raises(ProgramError, match="source_unless is 3, but must be the name of an input"):
        replace(program, source_unless=3)


def test_an_undirected_graph_is_cyclic_by_itself():
    with pytest.raises(GraphError, match="An undirected edge is a cycle: use a directed graph"):
        SORT.run(nx.path_graph(3))


def test_the_certificate_lists_them_first_where_they_fail():
    broken, sound = PRIM.check(TRIANGLE), PRIM.check(Graph.of(TRIANGLE).undirected())
    assert not broken.guaranteed
    assert broken.conditions[0].name == "undirected"
    assert broken.conditions[0].needed == 3
    assert "undirected" in repr(broken)
    assert sound.exact
    assert "undirected" in [condition.name for condition in sound.conditions]


@pytest.fixture
def ring(tmp_path):
    path = tmp_path / "ring.txt"
    path.write_text("\n".join(f"{tail} {head}" for tail, head in RING), encoding="utf-8")
    return str(path)


def call(*arguments):
    with pytest.raises(SystemExit) as ended:
        main(list(arguments))
    return ended.value.code or 0


def test_on_the_command_line(ring, capsys):
    assert call("run", "prim", ring, "--source", "a") == 2
    assert "--undirected" in capsys.readouterr().err
    assert call("run", "prim", ring, "--source", "a", "--undirected") == 0
    assert call("run", "topological-sort", ring) == 2
    captured = capsys.readouterr()
    assert captured.err.count("\n") == 1
    assert "a → b → c → a" in captured.err
    assert call("run", "topological-sort", ring, "--unchecked") == 0
    assert "NOT GUARANTEED" in capsys.readouterr().out
    assert call("check", "topological-sort", ring) == 1
    assert "Remove an edge of each cycle" in " ".join(capsys.readouterr().out.split())
    assert call("check", "prim", ring, "--undirected", "--json") == 0
    found = json.loads(capsys.readouterr().out)["conditions"]
    assert [each["holds"] for each in found if each["name"] == "undirected"] == [True]


# ── what they see in a graph ────────────────────────────────────────────────────────────────────


@given(graph=graphs(max_nodes=7), weighted=st.booleans())
def test_they_agree_with_networkx(graph, weighted):
    directed = nx.DiGraph(graph)
    weight = nx.get_edge_attributes(directed, "weight")
    alone = [e for e in weight if weight.get(e[::-1]) is None]
    alone += [e for e in weight if weighted and weight.get(e[::-1], weight[e]) != weight[e]]
    assert one_need("undirected", graph, weighted=weighted).needed == len(alone)
    parts = nx.strongly_connected_components(directed)
    on_cycle = {u for part in parts if len(part) > 1 for u in part} | set(
        nx.nodes_with_selfloops(directed)
    )
    several = [node for node, out in directed.out_degree() if out > 1]
    found = one_need("functional", graph)
    assert (found.needed, found.holds) == (len(several), not several)
    if several:
        assert f"such as {min(several)} with {directed.out_degree(min(several))}" in found.why
    found = one_need("acyclic", graph)
    assert found.needed == len(on_cycle)
    assert found.holds == nx.is_directed_acyclic_graph(directed)
    if on_cycle:
        cycle = [int(label) for label in found.why.partition(" such as ")[2].split(" → ")]
        assert cycle[0] == cycle[-1] == min(on_cycle)
        assert len(set(cycle)) == len(cycle) - 1
        assert all(directed.has_edge(*edge) for edge in pairwise(cycle))


def test_symmetric_arrows_are_undirected():
    matrix = np.array([[0.5, 2, 0], [2, 0, 0.25], [0, 0.25, 0]])
    assert PRIM.run(matrix, source=0).prev == {0: 0, 1: 0, 2: 1}
    matrix[2, 1] = 0.5
    assert one_need("undirected", matrix).why.endswith("such as 1 → 2")
    assert one_need("undirected", matrix, weighted=False).holds
    thirds = [("a", "b", Fraction(1, 3)), ("b", "a", "1/3")]
    assert one_need("undirected", thirds).holds
    assert not one_need("undirected", [*thirds[:1], ("b", "a", 0.25)]).holds


@given(graphs(max_nodes=8), st.booleans(), st.data())
def test_in_whatever_order_edges_are_listed(graph, weighted, data):
    arrows = nx.DiGraph(graph).edges(data="weight")
    listed = data.draw(st.permutations(list(arrows)))
    tails, heads, weights = np.array(listed or np.empty((0, 3))).T
    shuffled = Graph(tuple(graph), tails.astype(int), heads.astype(int), weights)
    there = {(tail, head): weight if weighted else 1 for tail, head, weight in listed}
    alone = [edge for edge in there if there.get(edge[::-1]) != there[edge]]
    assert one_need("undirected", shuffled, weighted=weighted).needed == len(alone)


def test_a_long_cycle_is_not_spelled_out():
    assert one_need("acyclic", nx.cycle_graph(50_000, nx.DiGraph)).why == (
        "nodes on cycles, such as 0 → 1 → 2 → … → 49998 → 49999 → 0"
    )


# ── part of the program ─────────────────────────────────────────────────────────────────────────


def test_stored_with_program_and_model(tmp_path):
    program = lw.algorithms.prim()
    assert from_json(to_json(program)).needs == ("undirected",)
    PRIM.save(tmp_path / "prim")
    with pytest.raises(GraphError, match="undirected"):
        lw.load(tmp_path / "prim").run(TRIANGLE, source="a")


def test_a_file_from_before_there_were_needs(tmp_path, monkeypatch):
    """It says nothing of them, in the model nor in its program; so nothing is asked."""

    def as_before(model):
        data = describe(model)
        data["program"] = {k: v for k, v in data["program"].items() if k != "needs"}
        data["layout"]["fields"] = [
            {k: v for k, v in field.items() if k != "signed"} for field in data["layout"]["fields"]
        ]
        return {key: value for key, value in data.items() if key != "needs"}

    monkeypatch.setattr(storage, "describe", as_before)
    PRIM.save(tmp_path / "old")
    old = lw.load(tmp_path / "old")
    assert old.needs == ()
    assert from_json(dict(old.program)).needs == ()
    assert lw.verify(old, TRIANGLE, source="a").prev["b"] == "a"
    assert name_tensors(old).keys() == name_tensors(PRIM).keys()


@pytest.mark.parametrize(
    "needs", [("undirect",), "undirected", ("acyclic", 1), None, [["acyclic"]]]
)
def test_unknown_needs(needs):
    with pytest.raises(ProgramError, match="need"):
        replace(lw.algorithms.prim(), needs=needs)


def test_which_algorithms_need_what():
    """Components, bridges and articulation points look along edges and against them."""
    needs = {name: algorithm().needs for name, algorithm in ALGORITHMS.items()}
    assert {name: need for name, need in needs.items() if need} == {
        "prim": ("undirected",),
        "kruskal": ("undirected",),
        "topological-sort": ("acyclic",),
        "topological-levels": ("acyclic",),
        "dag-shortest-paths": ("acyclic",),
    }
    for name in ("components", "bridges", "articulation-points"):
        model = lw.compile(ALGORITHMS[name]())
        arrows = nx.gnp_random_graph(12, 0.12, seed=3, directed=True)
        assert model.run(arrows).result == model.run(arrows.to_undirected()).result
