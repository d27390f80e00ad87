"""Every algorithm, construction and machine: program and weights agree after every layer."""

from __future__ import annotations

import networkx as nx
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

import loopwright as lw
from compiled import compiled
from loopwright.algorithms import ALGORITHMS
from loopwright.errors import DidNotHalt
from strategies import INPUTS, SMALL, problems

HALF = settings(max_examples=max(10, settings.default.max_examples // 2))
FEW = settings(max_examples=max(5, settings.default.max_examples // 5))
EVERY = [
    pytest.param(name, construction, id=f"{name}-{construction}")
    for name, algorithm in ALGORITHMS.items()
    for construction in algorithm.constructions
]


def check(model, data, *, max_nodes, machine="reference"):
    """Lockstep on a random problem: with a source if it is required, perhaps if it is not.

    Weights and program agree also where the program needs another graph.
    """
    graph, source = data.draw(problems(max_nodes))
    started = model.source == "required" or (
        model.source == "optional" and data.draw(st.booleans())
    )
    options = {"source": source} if started else {}
    if model.name in INPUTS:
        options |= data.draw(INPUTS[model.name](len(graph)))
    if model.source_unless and options[model.source_unless] == 1 and data.draw(st.booleans()):
        del options["source"]
    verified(model, graph, machine=machine, **options)


def verified(model, graph, **options):
    """Lockstep; on a graph that a program is not made for, they may agree for ever."""
    try:
        lw.verify(model, graph, checked=not model.needs, **options)
    except DidNotHalt:
        assert "undirected" in model.needs
        assert nx.is_directed(graph)


@pytest.mark.parametrize(("name", "construction"), EVERY)
def test_declared_inputs_have_a_strategy(name, construction):
    layout = compiled(name, construction).layout
    wanted = {field.input for field in layout.fields} - {None}
    assert not wanted or name in INPUTS, f"'{name}' takes {wanted}: add them to strategies.INPUTS"


@pytest.mark.parametrize(("name", "construction"), EVERY)
@HALF
@given(data=st.data())
def test_reference(name, construction, data):
    check(compiled(name, construction), data, max_nodes=10)


@pytest.mark.parametrize(("name", "construction"), EVERY)
@FEW
@given(data=st.data())
def test_exact(name, construction, data):
    model = compiled(name, construction, limits=SMALL)
    check(model, data, max_nodes=5, machine="exact")


@pytest.mark.parametrize(("name", "construction"), EVERY)
@FEW
@given(problem=problems(max_nodes=8), data=st.data())
def test_limits_that_just_fit(name, construction, problem, data):
    """The command line compiles for the graph at hand: the least Ω, the fewest positions."""
    graph, source = problem
    model = lw.compile(ALGORITHMS[name](construction), limits=lw.Limits.fit(lw.Graph.of(graph)))
    options = data.draw(INPUTS[name](len(graph))) if name in INPUTS else {}
    source = None if model.source == "none" else source
    verified(model, graph, source=source, **options)


@pytest.mark.parametrize(("name", "construction"), EVERY)
@FEW
@given(data=st.data())
def test_softmax(name, construction, data):
    model = compiled(name, construction, limits=SMALL, attention="softmax")
    check(model, data, max_nodes=6)


def test_names_are_their_keys():
    for name, algorithm in ALGORITHMS.items():
        for construction in algorithm.constructions:
            program = algorithm(construction)
            assert (program.name, program.construction) == (name, construction)
