"""`random_programs` on a few seeds: whatever is guaranteed is what the program means."""

from __future__ import annotations

from dataclasses import replace

import pytest

import draw_programs
import loopwright as lw
from draw_programs import LIMITS, StepsCase, draw_case
from loopwright.language.formulas import And, Not, Or
from loopwright.model.layout import Kind, Scope
from random_programs import FAMILY, RUNS
from second_meaning import Meaning, meaning
from trials import RIGHT, Instance, Trial, shrunk, table, trials

CASES = [draw_case(seed) for seed in range(300)]


KNOWN: dict[int, str] = {}
"""Seeds that find a defect. Whoever cures it takes the seed away."""


def marked(seed):
    marks = [pytest.mark.xfail(reason=KNOWN[seed], strict=True)] if seed in KNOWN else []
    return pytest.param(seed, marks=marks)


@pytest.mark.parametrize("seed", [marked(seed) for seed in range(16)])
def test_few_programs(seed):
    assert trials(range(seed, seed + 1), FAMILY).wrong == []


def test_a_flag_that_is_set_twice_keeps_its_column_meanwhile():
    """An op that updates it reads it late as well; a flag of softening's own had its column."""
    assert trials(range(803, 804), FAMILY).wrong == []


def test_a_variable_cannot_be_called_as_a_constant_that_rows_are_told_apart_by():
    record = trials(range(876, 877), FAMILY)
    assert record.wrong == []
    assert set(record.reasons) == {"refused: ProgramError"}


# ── what is drawn ───────────────────────────────────────────────────────────────────────────────


def test_every_op_is_drawn_and_has_a_second_meaning():
    drawn = {type(op) for case in CASES for op in case.ops()}
    assert drawn == set(lw.ops.ALL)
    meant = set()
    for case in CASES:
        trial = Trial(case)
        try:
            trial.program()
        except lw.LoopwrightError:
            continue
        if any(isinstance(trial.wanted(instance), Meaning) for instance in case.instances):
            meant |= {type(op) for op in case.ops()}
    assert meant == set(lw.ops.ALL)


def test_all_sorts_of_declarations_are_drawn():
    used = {v for case in CASES for op in case.ops() for v in (*op.reads(), op.out)}
    assert {(v.kind, v.scope) for v in used} == {(k, s) for k in Kind for s in Scope}
    assert {v.signed for v in used if v.kind is Kind.VALUE} == {True, False}
    starts = {v.start if isinstance(v.start, str) else type(v.start) for v in used}
    assert {lw.OWN, int, type(None), type(lw.UNREACHED)} <= starts
    assert {"held", "held_n"} <= {v.name for v in used}
    assert any(v.name.endswith("_kept") for v in used)
    assert any(v.at_source is not None for v in used)
    formulas = {type(op.formula) for case in CASES for op in case.ops() if hasattr(op, "formula")}
    assert {And, Or, Not} <= formulas


def test_all_sorts_of_graphs_are_drawn():
    drawn = [instance for case in CASES for instance in case.instances]
    assert {len(instance.labels) for instance in drawn} == set(range(1, 10))
    assert {instance.directed for instance in drawn} == {True, False}
    assert any(tail == head for instance in drawn for tail, head in instance.edges)
    assert {2, 3, 4} <= {getattr(w, "denominator", 1) for i in drawn for w in i.edges.values()}
    assert {case.edges for case in CASES} == {"weights", "ones"}
    assert {case.source for case in CASES} == {"required", "optional", "none"}
    assert any(not case.bound for case in CASES)


def test_a_seed_is_a_case():
    assert draw_case(7) == draw_case(7)
    assert draw_case(7) != draw_case(8)


# ── what is found ───────────────────────────────────────────────────────────────────────────────


@pytest.fixture
def drawn():
    """A case: the sum of the edges into each node, and a flag that changes."""
    total, flags = lw.nodes.value("total", start=0), lw.nodes.flag("flags", start=0)
    halt = lw.single.flag("halt")
    return StepsCase(
        steps=(
            lw.step("add", lw.ops.SumFrom(total, lw.B_LOCAL), lw.ops.Set(flags, ~flags)),
            lw.step("halt", lw.ops.Copy(halt, 1)),
        ),
        outputs={"total": total, "flags": flags},
        halt=halt,
        bound=(1,),
        edges="weights",
        source="none",
        limits=LIMITS[0],
        instances=(Instance(["a", "b"], {(1, 2): 2, (2, 2): 3}, True, None, {}, None),),
    )


@pytest.fixture
def family(drawn):
    return FAMILY._replace(draw=lambda seed: drawn)


def changed(program, problem):
    """The last entry of every output is another."""
    right = meaning(program, problem)
    last = problem.labels[-1]
    result = {name: {**column, last: "changed"} for name, column in right.result.items()}
    return replace(right, result=result)


def test_every_column_compares_every_label(family, monkeypatch):
    right = trials(range(1), family)
    assert right.wrong == []
    assert right.runs == {(column, RIGHT): 1 for column in RUNS}
    assert right.parts == {"SumFrom": 1, "Set": 1, "Copy": 1}
    monkeypatch.setattr(draw_programs, "meaning", changed)
    wrong = trials(range(1), family)
    assert [mismatch.column for mismatch in wrong.wrong] == list(RUNS)
    assert all(mismatch.why.endswith(", not 'changed'") for mismatch in wrong.wrong)
    assert f"native{0:>28}" in table(wrong, family)


def test_a_crash_is_a_mismatch(family, monkeypatch):
    def crash(program, **options):
        raise ValueError("what a user should not see")

    monkeypatch.setattr(lw, "compile", crash)
    (found, *_) = trials(range(1), family).wrong
    assert found == (0, "reference", 0, "ValueError: what a user should not see")


def test_a_refusal_is_no_mismatch(family, monkeypatch):
    def refuse(program, **options):
        raise lw.LoopwrightError("no")

    monkeypatch.setattr(lw, "compile", refuse)
    record = trials(range(1), family)
    assert record.wrong == []
    assert record.reasons == {"refused: LoopwrightError": len(RUNS) - 1}


def test_mismatches_are_shrunk(drawn, monkeypatch):
    monkeypatch.setattr(draw_programs, "meaning", changed)
    small, why = shrunk(drawn, RUNS["interpret"])
    assert why == "flags['a'] is True, not 'changed'"
    assert [type(op) for op in small.ops()] == [lw.ops.Set, lw.ops.Copy]
    assert small.instances[0].labels == ["a"]
    assert "'add': flags ← ¬flags" in small.listing()
