"""What is not of its type, or larger than anything can hold, is refused where it is given."""

from __future__ import annotations

import inspect
from dataclasses import replace
from fractions import Fraction

import numpy as np
import pytest

import loopwright as lw
from loopwright.errors import CapacityError, GraphError, LoopwrightError, ProgramError, brief
from loopwright.language.variables import RESERVED

PATH = [("a", "b", 1), ("b", "c", 2)]
LIMITS = lw.Limits(nodes=8, largest=64, resolution=Fraction(1, 2**20))
MODEL = lw.compile(lw.algorithms.multitask(), limits=LIMITS)
HUGE = 10**5000
"""Python does not even write so many digits."""

KEPT, HALT = lw.nodes.value("kept", start=0), lw.single.flag("halt", start=0)
STEP = lw.step("stop", lw.ops.Set(HALT, lw.B_GLOBAL), lw.ops.Copy(KEPT, 1))
PROGRAM = lw.Program("own", (STEP,), {"kept": KEPT}, HALT, (1,))


def refused(match, error=LoopwrightError):
    return pytest.raises(error, match=match)


# ── things that are made by hand ────────────────────────────────────────────────────────────────


@pytest.mark.parametrize(
    ("part", "given"),
    [
        ("name", 5),
        ("name", "a\nb"),
        ("construction", None),
        ("attention", "Softmax"),
        ("edges", "weight"),
        ("source", ["required"]),
        ("bound", (1, -1)),
        ("bound", 10),
        ("demands", "none"),
        ("constants", LIMITS),
        ("layout", {}),
        ("layers", ()),
        ("layers", ("one",)),
        ("program", [("name", "own")]),
        ("rationals", 1.5),
        ("needs", "acyclic"),
        ("needs", ("connected",)),
    ],
)
def test_a_model(part, given):
    with refused("a model|no .* option|no need"):
        replace(MODEL, **{part: given})


@pytest.mark.parametrize("given", ["dijkstra", None, lw.Model, MODEL.layout])
def test_what_is_no_model(given):
    with refused("weights="):
        lw.Model.of(given)


@pytest.mark.parametrize("nodes", ["8", 0, 2.0, None, HUGE, 10**400], ids=brief)
def test_the_bound_of_what_is_no_number_of_nodes(nodes):
    with refused("nodes=.*: must be a whole number, from 1 to"):
        MODEL.max_iterations(nodes)


@pytest.mark.parametrize(
    ("part", "given"),
    [
        ("result", [("dists", {"a": 0})]),
        ("result", {1: {"a": 0}}),
        ("result", {"dists": 0}),
        ("iterations", -1),
        pytest.param("iterations", HUGE, id="iterations-huge"),
        ("seconds", "long"),
        ("total_seconds", None),
        ("guaranteed", "yes"),
        ("exact", 1),
        ("checked", np.ones(2)),
        ("construction", None),
    ],
)
def test_an_answer(part, given):
    answer = lw.Answer({"dists": {"a": 0}}, iterations=1, seconds=0.0)
    with refused(part if isinstance(given, str | int) and part != "result" else ": must be"):
        replace(answer, **{part: given})


@pytest.mark.parametrize(
    ("part", "given"),
    [
        pytest.param("name", HUGE, id="name-huge"),
        ("summary", None),
        ("differences", 0),
        ("constructions", {}),
        ("constructions", [("own", lambda: PROGRAM)]),
        ("constructions", {"own": PROGRAM}),
        ("constructions", {1: lambda: PROGRAM}),
    ],
)
def test_an_algorithm(part, given):
    algorithm = lw.algorithms.Algorithm("own", "Finds x.", {"own": lambda: PROGRAM})
    with pytest.raises(ProgramError):
        replace(algorithm, **{part: given})


def test_an_algorithm_that_makes_no_program():
    algorithm = lw.algorithms.Algorithm("own", "Finds x.", {"own": lambda: "dijkstra"})
    with refused("is no program"):
        algorithm()


@pytest.mark.parametrize("given", [lw.ops.Copy, lw.ops.Copy(KEPT, 1), lw.algorithms.bfs, "bfs"])
def test_limits_for_what_is_no_program(given):
    with refused("is no program", CapacityError):
        lw.Limits.fit(lw.Graph.of([("a", "b")]), given)


def test_what_a_program_was_written_as():
    other = replace(PROGRAM, outputs={"stored": KEPT})
    for written in ("own", other):
        with refused("written is", ProgramError):
            replace(PROGRAM, written=written)
    assert replace(PROGRAM, written=PROGRAM).as_written() is PROGRAM


def test_steps_in_an_array():
    with refused("steps is", ProgramError):
        PROGRAM.with_steps(np.zeros(2))


def test_a_layout_is_no_list():
    """Variables are found by name, and an error says of a wrong argument what it is."""
    with refused("run_many takes a list of graphs"):
        MODEL.run_many(MODEL.layout)


# ── arguments of runs ───────────────────────────────────────────────────────────────────────────


@pytest.mark.parametrize("rows", [9, 2**31, 10**400, HUGE], ids=brief)
@pytest.mark.parametrize("checked", [True, False])
def test_more_rows_than_can_be_told_apart(rows, checked):
    with refused("rows=.* can tell 8 positions apart", CapacityError):
        MODEL.run(PATH, source="a", rows=rows, checked=checked)
    with refused("rows=", CapacityError):
        MODEL.check(PATH, rows=rows)
    answer = MODEL.run(PATH, source="a", rows=8, checked=checked, max_iterations=20)
    assert answer.dists["c"] == 3


def test_checked_is_a_truth_value():
    for checked in ("no", 0, np.ones(2)):
        with refused("checked=.*: must be True or False"):
            MODEL.run(PATH, source="a", checked=checked)
        with refused("checked=.*: must be True or False"):
            lw.interpret(PROGRAM, PATH, checked=checked)


@pytest.mark.parametrize("progress", ["yes", {}, np.ones((2, 2)), len])
def test_progress_is_called_without_arguments(progress):
    with refused("progress=.*: must be a function"):
        MODEL.run_many([PATH], sources=["a"], progress=progress)


def test_an_array_that_is_no_list_of_graphs():
    with refused("run_many takes a list of graphs"):
        MODEL.run_many(np.array(5))


def test_inputs_beyond_floats():
    said = lw.nodes.value("said", start=lw.given("said"))
    program = lw.Program(
        "said", (STEP, lw.step("say", lw.ops.Copy(said, said))), {"said": said}, HALT, (1,)
    )
    model = lw.compile(program)
    for huge in (10**400, HUGE):
        assert lw.interpret(program, PATH, said=huge).said["b"] == huge
        with refused("is no multiple of the model's resolution", GraphError):
            model.run(PATH, said=huge)
        with refused("'said': a number is too large for a float", GraphError):
            model.run(PATH, said=huge, checked=False)
    for strange in (float("inf"), float("nan"), "1"):
        with refused("input 'said': .* is no value", GraphError):
            model.run(PATH, said=strange)


@pytest.mark.parametrize("weight", [2.0, Fraction(1, 3)])
@pytest.mark.parametrize("huge", [10**400, 10**5000, Fraction(10**400, 7)], ids=brief)
def test_a_scale_beyond_floats(weight, huge):
    model = lw.compile(lw.algorithms.dijkstra("compact"))
    graph = lw.Graph.of([("a", "b", weight)])
    for scale in (huge, 1 / Fraction(huge)):
        assert not model.check(graph, scale=scale).guaranteed
        for machine in ("reference", "exact"):
            with refused("is not guaranteed on this graph", CapacityError):
                model.run(graph, source="a", scale=scale, machine=machine)
        with refused("is not guaranteed on this graph", CapacityError):
            lw.verify(model, graph, source="a", scale=scale)


def test_a_path_that_no_system_takes():
    with refused("File name too long", GraphError):
        MODEL.run("x" * 5000, source="a")


@pytest.mark.parametrize("name", ["scale", "rows", "max_iterations"])
def test_arrays_in_the_place_of_numbers(name):
    """They are compared entry by entry, which is neither true nor false."""
    with refused(f"{name}=.*: must be a"):
        MODEL.run(PATH, source="a", **{name: np.array([2, 1])})


# ── graphs and programs ─────────────────────────────────────────────────────────────────────────


def test_nodes_and_direction_of_edges():
    with refused("nodes are of type int", GraphError):
        lw.Graph.from_edges(PATH, nodes=5)
    with refused("edges are of type ndarray", GraphError):
        lw.Graph.from_edges(np.array(5))
    with refused("directed is", GraphError):
        lw.Graph.from_edges(PATH, directed=np.zeros(2))


@pytest.mark.parametrize("number", [HUGE, -HUGE, Fraction(1, HUGE), 2**1001], ids=brief)
def test_constants_beyond_floats(number):
    with refused("start=.*: floats cannot hold it", ProgramError):
        lw.nodes.value("x", start=number, signed=True)
    x = lw.nodes.value("x", start=0, signed=True)
    with refused("which floats cannot hold", ProgramError):
        lw.Program("own", (lw.step("add", lw.ops.Add(x, x, number)), STEP), {"x": x}, HALT, (1,))


def test_the_number_of_a_step():
    with refused("paper=a very large int", ProgramError):
        lw.step("stop", lw.ops.Copy(KEPT, 1), paper=HUGE)


def test_limits():
    with refused("Limits.resolution=-1.: must be a positive number", CapacityError):
        lw.Limits(resolution=np.int64(-1))
    for nodes in (10**400, HUGE):
        with refused("Limits: nodes=.*: must be a whole number, from 1 to", CapacityError):
            lw.Limits(nodes=nodes)


# ── names ───────────────────────────────────────────────────────────────────────────────────────


def test_no_input_is_called_as_an_option():
    """Else the option would take what was meant for the input, and the input would be 0."""
    calls = [lw.Model.run, lw.Model.run_many, lw.verify, lw.interpret]
    taken = {
        each.name
        for call in calls
        for each in inspect.signature(call).parameters.values()
        if each.kind is not each.VAR_KEYWORD
    }
    assert set(RESERVED) == taken
    for name in RESERVED:
        with refused(f"no input can be called '{name}'", ProgramError):
            lw.given(name)
        with refused(f"no input can be called '{name}'", ProgramError):
            lw.nodes.value("x", start=f"input:{name}")
    assert lw.given("scaled") == "input:scaled"


@pytest.mark.parametrize("name", [HUGE, None, "", "a\nb"], ids=brief)
def test_what_is_no_name(name):
    with refused("must be text that can be printed", ProgramError):
        lw.given(name)


def test_what_cannot_be_written_is_named():
    nested = []
    for _ in range(10_000):
        nested = [nested]
    for code in (False, True):
        assert brief(HUGE, code=code) == "a very large int"
        assert brief(nested, code=code) == "a very large list"
    assert brief("a\n", code=True) == r"'a\n'"
