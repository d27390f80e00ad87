"""What ops count on: a program that breaks it is stopped, on every machine, and gets no answer."""

from __future__ import annotations

import json
from dataclasses import replace

import pytest

import loopwright as lw
from loopwright.algorithms import ALGORITHMS
from loopwright.language import OWN_SQUARE
from loopwright.language.formulas import Same
from loopwright.language.reliance import unproven
from loopwright.language.variables import NOBODY
from loopwright.model.description import describe, name_tensors, rebuild

STAR = [(0, 9, 1), (1, 9, 1), (2, 9, 1)]


def program_of(of, *outputs, steps=(), **given):
    """One round of ops, and the end."""
    done = lw.single.flag("done", start=0)
    last = lw.step("last", *of, lw.ops.Set(done, ~done))
    return lw.Program("own", (*steps, last), {v.name: v for v in outputs}, done, (1,), **given)


def two_are_chosen():
    flags, out = lw.nodes.flag("flags", start=0), lw.nodes.flag("out")
    marks = lw.step("marks", lw.ops.Set(flags, ~flags))
    return program_of([lw.ops.RowOf(out, flags)], out, steps=(marks,), edges="ones")


def two_are_found():
    place, out = lw.single.position("place"), lw.nodes.flag("out")
    flags = lw.nodes.flag("flags", start=1)
    find = lw.step("find", lw.ops.RoundPosition(place, flags))
    return program_of(
        [lw.ops.OneHot(out, place, lw.single.flag("yes", start=1))], out, steps=(find,)
    )


def a_path_that_is_too_long(**given):
    """Nine, where one edge leads there."""
    path, out = lw.nodes.value("path", start=9), lw.nodes.index("out")
    return program_of([lw.ops.NearestViaFrom(out, 0, path, NOBODY)], out, **given)


def a_square_of_another_number():
    """Keys move on by a node after they were squared."""
    key, square = lw.nodes.index("key", start=0), lw.nodes.square("square")
    least = lw.nodes.index("least")
    index = lw.OWN_INDEX
    gather = lw.step("gather", lw.ops.Gather(square, key, OWN_SQUARE), lw.ops.Copy(key, index))
    equal = lw.ops.LeastWhereEqual(least, index, key, square, index, OWN_SQUARE)
    return program_of([equal], least, steps=(gather,))


def a_square_of_nobody():
    """Twice a node's number is often nobody's."""
    twice, square = lw.nodes.index("twice"), lw.nodes.square("square")
    least = lw.nodes.index("least")
    index = lw.OWN_INDEX
    double = lw.step("double", lw.ops.Multiply(twice, index, 2))
    gather = lw.step("gather", lw.ops.Gather(square, twice, OWN_SQUARE))
    equal = lw.ops.LeastWhereEqual(least, index, index, OWN_SQUARE, twice, square)
    return program_of([equal], least, steps=(double, gather))


BROKEN = [
    pytest.param(two_are_chosen(), "nodes are chosen", id="one"),
    pytest.param(two_are_found(), "nodes are chosen", id="found"),
    pytest.param(a_path_that_is_too_long(), "longer than the way", id="path"),
    pytest.param(a_square_of_another_number(), "is not the square", id="square"),
    pytest.param(a_square_of_nobody(), "is not the square", id="nobody"),
]


@pytest.mark.parametrize("attention", ["hardmax", "softmax"])
@pytest.mark.parametrize("machine", ["reference", "native", "torch", "exact"])
@pytest.mark.parametrize(("program", "problem"), BROKEN)
def test_a_run_that_breaks_one_is_stopped(program, problem, machine, attention):
    if (machine, attention) == ("exact", "softmax"):
        pytest.skip("exact arithmetic has hardmax alone")
    model = lw.compile(program, attention=attention)
    certificate = model.check(lw.Graph.of(STAR))
    assert certificate.watches_reliance
    assert "while what ops count on is so" in repr(certificate)
    with pytest.raises(lw.LoopwrightError, match=problem):
        model.run(STAR, machine=machine)
    unchecked = model.run(STAR, machine=machine, checked=False)
    assert not unchecked.guaranteed
    assert not unchecked.exact


def test_statements():
    @lw.algorithm(edges="ones", iterations=lambda n: n)
    def two(p):
        x, c = p.nodes.flag(), p.nodes.count()
        x[:] = p.edge_from(p.index >= 1)
        c[:] = p.where(x, 100, 7)
        p.halt_when(p.all(1))
        return {"x": x, "c": c}

    with pytest.raises(lw.LoopwrightError, match="10 nodes are chosen"):
        lw.compile(two()).run([(i, 9) for i in range(9)])


def test_a_run_that_keeps_them_has_an_answer():
    model = lw.compile(two_are_chosen())
    answer = model.run(lw.Graph.from_edges([], nodes=["alone"]))
    assert (answer.out, answer.guaranteed) == ({"alone": False}, True)


@pytest.mark.parametrize("attention", ["hardmax", "softmax"])
@pytest.mark.parametrize("name", ALGORITHMS)
def test_nothing_is_open_in_our_own(name, attention):
    for construction in ALGORITHMS[name].constructions:
        model = lw.compile(ALGORITHMS[name](construction), attention=attention)
        assert model.demands.reliances == ()


def test_a_file_keeps_them(tmp_path):
    model = lw.compile(a_path_that_is_too_long())
    assert [each.kind for each in model.demands.reliances] == ["path"]
    model.save(tmp_path / "own.safetensors")
    assert lw.Model.load(tmp_path / "own.safetensors").demands == model.demands


@pytest.mark.parametrize("changed", [{"layer": 7}, {"variables": ("nobody's", "path")}])
def test_a_file_that_tells_of_others_is_refused(changed):
    model = lw.compile(a_path_that_is_too_long())
    (reliance,) = model.demands.reliances
    demands = replace(model.demands, reliances=(replace(reliance, **changed),))
    other = replace(model, demands=demands)
    with pytest.raises(ValueError, match="what ops count on"):
        rebuild(json.loads(json.dumps(describe(other))), name_tensors(other))


def test_an_authors_word_is_checked_by_verify():
    model = lw.compile(replace(two_are_chosen(), choices="one"))
    assert model.demands.reliances == ()
    with pytest.raises(lw.LoopwrightError, match="two nodes are chosen"):
        lw.verify(model, STAR)
    with pytest.raises(lw.LoopwrightError, match="choices option"):
        replace(two_are_chosen(), choices="two")


# ── proofs ──────────────────────────────────────────────────────────────────────────────────────


def choosing(*made, **given):
    """A program that chooses by a flag, which these ops make."""
    out, flag = lw.nodes.flag("out"), made[-1].out
    steps = [lw.step(f"step {i}", op) for i, op in enumerate(made)]
    return program_of([lw.ops.RowOf(out, flag)], out, steps=tuple(steps), edges="ones", **given)


FLAG, NODE = lw.nodes.flag("flag"), lw.nodes.index("node")
CLOSED, OPEN = lw.nodes.flag("closed", start=0), lw.nodes.flag("open", start=0)
SAME = lw.ops.Equal(FLAG, lw.OWN_INDEX, NODE)
OF_FIRST = lw.ops.ReadFirst(NODE, CLOSED, lw.OWN_INDEX)


@pytest.mark.parametrize(
    ("made", "proved"),
    [
        ((OF_FIRST, SAME), True),
        ((OF_FIRST, lw.ops.Set(FLAG, Same(NODE, lw.OWN_INDEX))), True),
        ((lw.ops.Copy(NODE, lw.OWN_INDEX), SAME), False),  # not the same at all nodes
        ((lw.ops.Repeat(NODE, lw.single.index("one", start=1)), SAME), True),
        ((lw.ops.MarkLeast(FLAG, lw.nodes.value("v", start=0), NOBODY),), False),  # ties
        ((lw.ops.Set(OPEN, ~OPEN), OF_FIRST, SAME, lw.ops.Set(FLAG, FLAG & OPEN)), True),
        ((OF_FIRST, SAME, lw.ops.Set(FLAG, FLAG | CLOSED)), False),
        ((OF_FIRST, SAME, lw.ops.Set(FLAG, ~FLAG)), False),
    ],
)
def test_who_is_one_node_by_the_ops_that_make_it(made, proved):
    assert unproven(choosing(*made)) == (set() if proved else {"one"})


def test_a_path_that_is_made_before():
    path, out, v = lw.nodes.value("path"), lw.nodes.index("out"), lw.nodes.value("v", start=1)
    made = lw.step("made", lw.ops.NearestFrom(path, v, NOBODY))
    late = lw.step("late", lw.ops.Add(v, v, 1))
    for op, between, proved in [
        (lw.ops.NearestViaFrom(out, v, path, NOBODY), (), True),
        (lw.ops.NearestViaFrom(out, v, path, NOBODY), (late,), False),  # of what was there before
        (lw.ops.NearestViaTo(out, v, path, NOBODY), (), False),  # the other edges
        (lw.ops.LeastViaFrom(out, v, path, NOBODY), (), False),  # without them
        (lw.ops.NearestViaFrom(out, v, path, NOBODY, across=CLOSED), (), False),  # fewer edges
        (lw.ops.NearestViaFrom(out, v, path, CLOSED), (), False),  # fewer nodes: a longer path
    ]:
        program = program_of([op], out, steps=(made, *between))
        assert unproven(program) == (set() if proved else {"path"}), op
