"""`random_statements` on a few seeds: whatever is guaranteed is what the statements mean."""

from __future__ import annotations

from dataclasses import replace

import pytest

import loopwright as lw
from draw_programs import LIMITS
from draw_statements import StatementsCase, draw_case
from loopwright.compiler import pack
from loopwright.compiler.flow import parts_of
from loopwright.language.statements import WORDS
from loopwright.model.layout import Kind, Scope
from random_statements import FAMILY, RUNS
from second_meaning import Problem
from statement_trees import STATEMENTS, TERMS, Statement, Term, Tree
from trials import RIGHT, Instance, shrunk, trials

CASES = [draw_case(seed) for seed in range(400)]


@pytest.mark.parametrize("seed", range(0, 40, 4))
def test_few_programs(seed):
    assert trials(range(seed, seed + 4), FAMILY).wrong == []


def test_a_run_stops_before_lockstep_sees_what_is_too_large():
    """Its numbers leave their range: whoever watches that speaks first, also in `verify`."""
    assert trials(range(433, 434), FAMILY).wrong == []


def test_traces_of_softmax_do_not_grow_in_shared_columns():
    """A column that a single variable had may not go to one of nodes under softmax."""
    assert trials(range(7493, 7494), FAMILY).wrong == []


def test_large_keys_do_not_round_what_shared_their_column():
    assert trials(range(9101, 9102), FAMILY).wrong == []


# ── what is drawn ───────────────────────────────────────────────────────────────────────────────


def test_every_statement_and_every_term_is_drawn():
    drawn = set().union(*(case.parts() for case in CASES))
    assert drawn == {*STATEMENTS, *TERMS}
    assert set(WORDS) - drawn == {"nodes", "single"}


def test_most_programs_are_well_formed():
    refused = 0
    for case in CASES:
        try:
            case.program()
        except lw.LoopwrightError:
            refused += 1
    assert 0 < refused < len(CASES) / 10


def test_all_sorts_of_declarations_are_drawn():
    declared = {v for case in CASES for v in case.variables}
    kinds = (Kind.FLAG, Kind.INDEX, Kind.COUNT, Kind.VALUE)
    assert {(v.kind, v.scope) for v in declared} == {(k, s) for k in kinds for s in Scope}
    assert {v.signed for v in declared if v.kind is Kind.COUNT} == {True, False}
    assert any(v.at_source is not None for v in declared)
    assert any(str(v.start).startswith("input:") for v in declared)
    assert {case.naming for case in CASES} == {"declared", "object", "nothing"}


def test_terms_are_used_after_what_they_read_has_changed():
    def late(case):
        """Names of terms that are read after a variable that they read was written."""
        reads, stale, found = {}, set(), set()
        for statement in case.body:
            used = {term.of[0] for term in statement.terms() if term.how in ("alias", "variable")}
            found |= used & stale
            if statement.how == "let":
                reads[statement.name] = used
            stale |= {name for name, read in reads.items() if statement.name in read}
        return found

    assert sum(bool(late(case)) for case in CASES) > len(CASES) / 8


def test_formulas_must_be_split():
    def splits(case):
        try:
            program = case.program()
        except lw.LoopwrightError:
            return False
        ops = (op for at in program.steps for op in at.ops)
        return any(len(list(parts_of(op, set()))) > 2 for op in ops)

    assert sum(map(splits, CASES[:100])) > 20


def test_a_seed_is_a_case():
    assert draw_case(7) == draw_case(7)
    assert draw_case(7) != draw_case(8)


# ── what is found ───────────────────────────────────────────────────────────────────────────────


X, INDEX, ONE = Term("variable", ("x",)), Term("index"), Term("number", (1,))


@pytest.fixture
def drawn():
    """A case: x counts to 2, and what it was before is returned as well."""
    return StatementsCase(
        variables=(lw.nodes.count("x", start=0),),
        body=(
            Statement("let", "before", Term("+", (X, INDEX))),
            Statement("+=", "x", ONE),
            Statement("halt_when", "", Term("all", (Term(">=", (X, Term("number", (2,)))),))),
        ),
        outputs={"x": (X, "count"), "before": (Term("alias", ("before",)), "count")},
        naming="nothing",
        functional=False,
        bound=(3,),
        edges="weights",
        source="none",
        limits=LIMITS[0],
        instances=(Instance(["a", "b"], {(1, 2): 2}, True, None, {}, None),),
    )


def test_a_name_keeps_what_a_term_was(drawn):
    right = drawn.meaning(Problem(["a", "b"], {(1, 2): 2}, None, {}, 3))
    assert right.iterations == 2
    assert right.result == {"x": {"a": 2, "b": 2}, "before": {"a": 2, "b": 3}}


def test_every_column_compares_every_label(drawn, monkeypatch):
    family = FAMILY._replace(draw=lambda seed: drawn)
    assert trials(range(1), family).runs == {(column, RIGHT): 1 for column in RUNS}
    meaning = Tree.meaning

    def changed(tree, problem):
        right = meaning(tree, problem)
        result = {name: {**column, "b": "changed"} for name, column in right.result.items()}
        return replace(right, result=result)

    monkeypatch.setattr(Tree, "meaning", changed)
    wrong = trials(range(1), family).wrong
    assert [mismatch.column for mismatch in wrong] == list(RUNS)
    assert all(mismatch.why.endswith(", not 'changed'") for mismatch in wrong)


def test_what_goes_wrong_in_a_layer_alone_is_found(drawn, monkeypatch):
    """Weights that are not what the program means: by the answer, or in lockstep."""
    schedule = pack.schedule

    def without_its_last_op(program):
        found = schedule(program)
        *steps, last = found.steps
        return replace(found, steps=(*steps, replace(last, ops=last.ops[:-1])))

    monkeypatch.setattr("loopwright.compiler.compile.schedule", without_its_last_op)
    wrong = trials(range(1), FAMILY._replace(draw=lambda seed: drawn)).wrong
    assert {"interpret"} == set(RUNS) - {mismatch.column for mismatch in wrong}


def test_mismatches_are_shrunk(drawn, monkeypatch):
    meaning = Tree.meaning

    def one_more(tree, problem):
        right = meaning(tree, problem)
        result = {
            name: {label: value + 1 for label, value in column.items()}
            for name, column in right.result.items()
        }
        return replace(right, result=result)

    monkeypatch.setattr(Tree, "meaning", one_more)
    small, why = shrunk(drawn, RUNS["interpret"])
    assert why == "x['a'] is 2, not 3"
    assert small.instances[0].labels == ["a"]
    assert [str(statement) for statement in small.body] == [
        "x += 1",
        "p.halt_when(p.all((x >= 2)))",
    ]
    assert "return {'x': x}" in small.listing()
