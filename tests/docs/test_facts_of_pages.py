"""What pages say in numbers is what the code has."""

from __future__ import annotations

import re
from fractions import Fraction
from pathlib import Path
from textwrap import indent

import loopwright as lw
from loopwright.algorithms import ALGORITHMS
from loopwright.lab.clrs.tasks import TASKS

ROOT = Path(__file__).parents[2]
TABLE = (ROOT / "docs" / "table-1.md").read_text(encoding="utf-8")


def temperatures(construction):
    """T of every head of every model of Table 1, with the paper's parameters."""
    programs = [
        ALGORITHMS[name](construction)
        for name in {task.algorithm for task in TASKS}
        if construction in ALGORITHMS[name].constructions
    ]
    models = [lw.compile(p, attention="softmax", limits=lw.Limits.paper()) for p in programs]
    return {head.temperature for m in models for layer in m.layers for head in layer.heads}


def test_temperatures_of_table_1():
    """Every head has the paper's T, but for those that the page names."""
    said = [float(t) for t in re.findall(r"T = ([0-9.e-]+[0-9])", TABLE)]
    assert temperatures("paper") == {said[0]}
    assert {float(f"{t:.3g}") for t in temperatures("compact")} == set(said)


def test_layers_of_compact_constructions():
    """The page's table, its program, and how many columns Dijkstra has."""
    page = (ROOT / "docs" / "compact.md").read_text(encoding="utf-8")
    called = {"Dijkstra": "dijkstra", "BFS": "bfs", "DFS": "dfs", "SCC": "scc"}
    called["multitask"] = "multitask"
    for name, paper, compact in re.findall(r"^\| (\w+) \| (\d+) × .*? \| (\d+) × ", page, re.M):
        algorithm = ALGORITHMS[called.pop(name)]
        layers = [len(lw.compile(algorithm(made)).layers) for made in ("paper", "compact")]
        assert layers == [int(paper), int(compact)], name
    assert not called
    (shown,) = re.findall(r"```python\n(.*?)```", page, re.DOTALL)
    source = (ROOT / "src/loopwright/algorithms/dijkstra.py").read_text(encoding="utf-8")
    assert indent(shown, "    ") in source
    assert f"Dijkstra has {lw.compile(lw.algorithms.dijkstra()).width} columns" in page


def test_published_figures_have_a_source_and_no_superlative():
    for task in TASKS:
        if task.published:
            assert f"{task.published.per_cent}" in TABLE
            assert re.search(r"arXiv:\d{4}\.\d{5}", task.published.source)[0] in TABLE
    assert "best" not in TABLE[TABLE.index("For comparison") :]


README = (ROOT / "README.md").read_text(encoding="utf-8")


def test_the_readme_is_short():
    assert len(README.splitlines()) <= 120


def test_layers_in_the_readme():
    for construction in ("paper", "compact"):
        made = [a(construction) for a in ALGORITHMS.values() if construction in a.constructions]
        layers = [len(lw.compile(program).layers) for program in made]
        assert f"{min(layers)} to {max(layers)} layers" in README, construction


def test_what_default_limits_are():
    page, limits = (ROOT / "docs" / "limits.md").read_text(encoding="utf-8"), lw.Limits()
    assert f"tells {limits.nodes:,} nodes apart by default" in page
    assert (limits.largest, limits.resolution) == (2**20, Fraction(1, 2**28))
    assert "path lengths up to 2²⁰ at a resolution of 2⁻²⁸" in page


def test_how_many_nodes_the_default_weights_hold():
    assert "any size" not in README.partition("## Two commands")[0]
    assert f"up to {lw.Limits().nodes:,} nodes" in README
