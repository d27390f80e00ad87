"""`random_programs` on a few seeds: whatever is guaranteed is what the program means."""

from __future__ import annotations

from dataclasses import replace

import pytest

import loopwright as lw
import random_programs
from draw_programs import draw_case
from loopwright.language.variables import And, Not, Or
from loopwright.model.layout import Kind, Scope
from random_programs import RUNS, WRONG, Trial, listing, shrunk, table, trials
from second_meaning import Meaning, meaning

CASES = [draw_case(seed) for seed in range(200)]


KNOWN = {
    2: "torch's hardmax divides before it sums",
    19: "a value beyond every path of the graph comes back as unreached",
}
"""Seeds that find a defect. Whoever cures it takes the seed away."""


def marked(seed):
    marks = [pytest.mark.xfail(reason=KNOWN[seed], strict=True)] if seed in KNOWN else []
    return pytest.param(seed, marks=marks)


@pytest.mark.parametrize("seed", [marked(seed) for seed in range(20)])
def test_few_programs(seed):
    assert trials(range(seed, seed + 1)).wrong == []


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


def changed(program, problem):
    """The last entry of every output is another."""
    right = meaning(program, problem)
    last = problem.labels[-1]
    result = {name: {**column, last: "changed"} for name, column in right.result.items()}
    return replace(right, result=result)


def test_one_wrong_label_is_a_mismatch(monkeypatch):
    monkeypatch.setattr(random_programs, "meaning", changed)
    record = trials(range(1, 2))
    always = [column for column, run in RUNS.items() if run.every == 1]
    assert [mismatch.column for mismatch in record.wrong if mismatch.instance == 0] == always
    assert [record.runs[column, WRONG] for column in always] == [3] * len(always)
    assert record.ops.keys() == {type(op).__name__ for op in draw_case(1).ops()}
    assert "native                           0" in table(record)


def test_a_crash_is_a_mismatch(monkeypatch):
    def crash(program, **options):
        raise ValueError("what a user should not see")

    monkeypatch.setattr(lw, "compile", crash)
    (*_, found) = trials(range(1, 2)).wrong
    assert (found.seed, found.why) == (1, "ValueError: what a user should not see")


def test_a_refusal_is_no_mismatch(monkeypatch):
    def refuse(program, **options):
        raise lw.LoopwrightError("no")

    monkeypatch.setattr(lw, "compile", refuse)
    assert trials(range(1, 2)).wrong == []


def test_mismatches_are_shrunk(monkeypatch):
    monkeypatch.setattr(random_programs, "meaning", changed)
    case = replace(draw_case(0), instances=draw_case(0).instances[:1])
    small, why = shrunk(case, RUNS["interpret"])
    assert "not 'changed'" in why
    assert len(small.ops()) < len(case.ops())
    assert len(small.outputs) == 1
    assert not small.instances[0].edges
    assert f"until {small.halt}" in listing(small)
