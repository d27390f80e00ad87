"""The algorithms of `examples/algorithms`: few of the graphs that `example_algorithms` runs."""

from __future__ import annotations

from dataclasses import replace

import networkx as nx
import numpy as np
import pytest

import loopwright as lw
from example_algorithms import DRAW, FOLDER, NAMES, compiled, program, wrong
from loopwright.errors import GraphError, ProgramError
from loopwright.runtime.machines import MACHINES
from own_files import COMMANDS, ROADS, words


@pytest.mark.parametrize("name", NAMES)
def test_few_graphs(name):
    rng = np.random.default_rng(1)
    for number in range(30):
        assert not wrong(name, DRAW[name](rng), number)


def test_mismatches_are_found():
    problem = DRAW["hops"](np.random.default_rng(1))
    problem.wanted["hops"][problem.source] = 1
    assert len(wrong("hops", problem)) == 7


@pytest.mark.parametrize("name", NAMES)
def test_save_and_load(name, tmp_path):
    compiled(name, "hardmax").save(tmp_path / "model.safetensors")
    loaded = lw.load(tmp_path / "model.safetensors")
    problem = DRAW[name](np.random.default_rng(2))
    for machine in MACHINES:
        found = loaded.run(problem.graph, machine=machine, **problem.options)
        assert found.result == problem.wanted, machine


@pytest.mark.parametrize("name", NAMES)
def test_on_the_command_line(name, loopwright, tmp_path):
    """From the file, the only algorithm of it; named, and checked."""
    kind = nx.DiGraph if name == "list_ranking" else nx.Graph
    chain = nx.relabel_nodes(nx.path_graph(5, kind), str)
    graph, path = tmp_path / "graph.txt", FOLDER / f"{name}.py"
    nx.write_edgelist(chain, graph, data=False)
    source = "0" if program(name).source == "required" else None
    given = ("--source", source) if source else ()
    undirected = () if chain.is_directed() else ("--undirected",)
    report = loopwright("run", path, graph, *given, *undirected, "--verify", "--json").json
    assert report["guaranteed"]
    assert report["result"] == lw.interpret(program(name), chain, source=source).result
    assert loopwright("check", f"{path}:{name}", graph, *undirected, "--json").json["guaranteed"]
    assert program(name).name in loopwright("show", f"{path}:{name}").out
    assert f"examples/algorithms/{name}.py" in path.read_text(encoding="utf-8")


@pytest.mark.parametrize("command", COMMANDS)
def test_every_command_takes_statements(command, loopwright, tmp_path):
    roads = tmp_path / "roads.txt"
    roads.write_text(ROADS, encoding="utf-8")
    outcome = loopwright(*words(command, FOLDER / "hops.py", roads))
    assert (outcome.code, outcome.err) == (0, "")
    assert "hops" in outcome.out


@pytest.mark.parametrize("command", ["limits", "bench", "traces"])
def test_graphs_are_what_an_algorithm_needs(command, loopwright, tmp_path):
    """The commands that make graphs themselves make lists for list ranking."""
    options = {
        "limits": ("--axis", "positions"),
        "bench": ("--sizes", "4,8", "--patience", "1"),
        "traces": ("--random", "3", "--out", tmp_path / "out"),
    }
    outcome = loopwright(command, FOLDER / "list_ranking.py", *options[command], "--json")
    assert (outcome.code, outcome.err) == (0, "")
    assert '"list-ranking"' in outcome.out


# ── what only one of them has ───────────────────────────────────────────────────────────────────


def test_a_list_of_1000_takes_11_iterations():
    model = lw.compile(program("list_ranking"))
    answer = model.run(nx.path_graph(1000, nx.DiGraph), machine="native")
    assert answer.rank == {node: 999 - node for node in range(1000)}
    assert answer.iterations == 11


def test_lists_must_be_lists():
    model = compiled("list_ranking", "hardmax")
    with pytest.raises(GraphError, match=r"functional, .* such as a with 2\. Keep one edge out"):
        model.run([("a", "b"), ("a", "c")])
    with pytest.raises(GraphError, match="acyclic"):
        model.run([("a", "b"), ("b", "a")])


def test_a_successor_needs_functional_graphs():
    with pytest.raises(ProgramError, match=r"line \d+, .*: declare needs=\('functional',\)"):
        replace(program("list_ranking"), needs=("acyclic",))
