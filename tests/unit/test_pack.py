"""Packing: fewer layers, the same answers, and never more heads."""

import networkx as nx
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

import loopwright as lw
from loopwright.algorithms import ALGORITHMS
from loopwright.compiler.pack import pack
from loopwright.language.ops import Add, Copy
from loopwright.language.program import Program, step
from loopwright.language.variables import nodes, single
from strategies import INPUTS, problems

EVERY = [
    (name, construction)
    for name, algorithm in ALGORITHMS.items()
    for construction in algorithm.constructions
]


@pytest.mark.parametrize(("name", "construction"), EVERY)
@settings(max_examples=5)
@given(problem=problems(max_nodes=6), data=st.data())
def test_packed_is_the_same_program(name, construction, problem, data):
    program = ALGORITHMS[name](construction)
    graph, source = problem
    options = data.draw(INPUTS[name](len(graph))) if name in INPUTS else {}
    options |= {} if program.source == "none" else {"source": source}
    options["checked"] = not program.needs
    before, after = (
        lw.verify(lw.compile(version), graph, **options) for version in (program, pack(program))
    )
    assert (before.result, before.iterations) == (after.result, after.iterations)


@pytest.mark.parametrize(("name", "construction"), EVERY)
def test_no_more_layers_or_heads(name, construction):
    program = ALGORITHMS[name](construction)
    before, after = lw.compile(program), lw.compile(pack(program))
    assert len(after.layers) <= len(before.layers)
    assert all(after.heads[kind] <= count for kind, count in before.heads.items())


@pytest.mark.parametrize(
    ("name", "layers"), [("dijkstra", 6), ("bfs", 7), ("dfs", 6), ("scc", 9), ("multitask", 6)]
)
def test_what_the_papers_programs_save(name, layers):
    """As docs/compact.md says."""
    assert len(pack(ALGORITHMS[name]("paper")).steps) <= layers


def test_order_is_kept_where_it_matters():
    """b must be read before a changes, though both fit in one layer."""
    a, b = nodes.count("a", start=1), nodes.count("b", start=0)
    halt = single.flag("halt")
    program = Program(
        name="toy",
        steps=(
            step("one", Add(b, a, b)),
            step("two", Add(a, a, 1)),
            step("three", Add(b, a, b), Copy(halt, 1)),
        ),
        outputs={"b": b},
        halt=halt,
        bound=(1,),
    )
    packed = pack(program)
    assert len(packed.steps) == 1
    assert lw.verify(lw.compile(packed), nx.empty_graph(2)).b == {0: 3, 1: 3}


def test_another_construction_of_the_same_algorithm():
    assert ALGORITHMS["dijkstra"]("compact").construction == "compact"
    with pytest.raises(
        lw.LoopwrightError,
        match=r"no construction 'tall' for 'dijkstra'; there are: paper, compact",
    ):
        ALGORITHMS["dijkstra"]("tall")


def test_compact_targets():
    """Layers and iterations that the compact constructions promise."""
    promised = {
        "dijkstra": (6, (0, 1)),
        "bfs": (7, (0, 1)),
        "dfs": (6, (0, 1)),
        "scc": (10, (0, 3)),
        "multitask": (8, (0, 1)),
    }
    for name, (layers, bound) in promised.items():
        program = ALGORITHMS[name]("compact")
        assert len(program.steps) <= layers
        assert program.bound == bound
