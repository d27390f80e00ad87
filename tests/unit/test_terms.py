"""Terms are worth what they were where they were written, and are whatever an author can write."""

from __future__ import annotations

import pytest

import loopwright as lw

EDGES = [("a", "b", 2), ("b", "c", 3)]


def program_of(function, **options):
    return lw.algorithm(name="tried", iterations=9, **options)(function)()


def answer_of(function, **options):
    """What the program's weights say, and its own answer, which must be the same."""
    program = program_of(function, **options)
    answer = lw.verify(lw.compile(program), EDGES)
    own = {name: dict(column) for name, column in lw.interpret(program, EDGES).result.items()}
    assert {name: dict(column) for name, column in answer.result.items()} == own
    return answer


def test_a_truth_keeps_what_a_flag_was():
    def function(p):
        flag = p.nodes.flag(start=0)
        before = ~~flag
        flag[:] = 1
        p.halt_when(p.all(flag))
        return {"before": before, "flag": flag}

    answer = answer_of(function)
    assert set(answer.before.values()) == {False}
    assert set(answer.flag.values()) == {True}


def test_a_single_truth_keeps_what_a_flag_was():
    def function(p):
        flag = p.single.flag(start=1)
        before = ~~flag
        flag[:] = 0
        p.halt_unless(flag)
        return {"sum": before + p.index}

    assert answer_of(function).sum == {"a": 2, "b": 3, "c": 4}


def test_a_flag_that_is_assigned_to_is_worth_what_it_holds():
    def function(p):
        flag = p.nodes.flag(start=0)
        same = flag
        flag[:] = 1
        p.halt_when(p.all(same))
        return {"same": same}

    assert set(answer_of(function).same.values()) == {True}


def test_a_number_that_is_assigned_later_keeps_what_it_was():
    def function(p):
        x, y = p.nodes.count("x", start=1), p.nodes.count("y", start=0)
        unnamed = [x + p.index]
        x[:] = 100
        y[:] = unnamed[0]
        p.halt_when(p.all(x == 100))
        return {"y": y}

    assert answer_of(function).y == {"a": 2, "b": 3, "c": 4}


def test_an_absolute_value_keeps_what_its_difference_was():
    def function(p):
        x = p.nodes.count(start=1)
        difference = x - p.index
        x[:] = 100
        p.halt_when(p.all(x == 100))
        return {"off": abs(difference)}

    assert answer_of(function).off == {"a": 0, "b": 1, "c": 2}


def test_an_absolute_value_of_what_flags_are_taken_from():
    def function(p):
        flag = p.index == 2
        p.halt_when(p.any(flag))
        return {"off": abs(flag - p.index)}

    assert answer_of(function).off == {"a": 1, "b": 1, "c": 3}


def test_a_difference_whose_sides_have_not_changed_is_one_op():
    def function(p):
        x = p.nodes.count(start=1)
        p.halt_when(p.all(x > 0))
        return {"off": abs(x - p.index)}

    taken = [op for at in program_of(function).steps for op in at.ops]
    assert [type(op) for op in taken if op.out.kind == "count"] == [lw.ops.Difference]


@pytest.mark.parametrize("naming", [{}, {"name": "never"}])
def test_what_only_idle_statements_read_can_be_returned(naming):
    def function(p):
        never = p.nodes.count(start=7, **naming)
        rounds = p.single.count(start=0)
        rounds += 1
        p.halt_when(rounds >= 2)
        _unused = never + p.index
        return {"never": never, "own": p.index, "again": p.index}

    answer = answer_of(function)
    assert set(answer.never.values()) == {7}
    assert answer.own == answer.again == {"a": "a", "b": "b", "c": "c"}


def test_a_variable_can_be_returned_by_many_names():
    def function(p):
        x = p.nodes.count(start=0)
        x += 1
        p.halt_when(p.all(x >= 2))
        return {"one": x, "two": x, "three": x, "four": x}

    model = lw.compile(program_of(function), attention="softmax")
    answer = lw.verify(model, EDGES)
    assert all(column == {"a": 2, "b": 2, "c": 2} for column in answer.result.values())


def test_an_input_of_which_nothing_comes_can_be_given():
    def function(p):
        given = p.nodes.count(start=lw.given("amounts"))
        _unused = given + 1
        p.single.count(start=lw.given("never mentioned"))
        p.halt_when(p.all(p.index > 0))
        return {"own": p.index}

    program = program_of(function)
    inputs = {"amounts": [1, 2, 3], "never mentioned": 4}
    assert lw.interpret(program, EDGES, **inputs).own == {"a": "a", "b": "b", "c": "c"}
    model = lw.compile(program)
    assert lw.verify(model, EDGES, **inputs).own == {"a": "a", "b": "b", "c": "c"}
    with pytest.raises(lw.LoopwrightError, match="no input 'amount'"):
        model.run(EDGES, amount=1)
