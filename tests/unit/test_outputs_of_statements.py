"""What a function of statements returns: variables, terms, and what is one for all nodes."""

from __future__ import annotations

import pytest

import loopwright as lw

PATH = [("a", "b"), ("b", "c")]


@pytest.mark.parametrize(
    ("term", "wanted"),
    [
        (lambda p, x, one: x + 1, {"a": 2, "b": 1, "c": 1}),
        (lambda p, x, one: x > 0, {"a": 1, "b": 0, "c": 0}),
        (lambda p, x, one: one, {"a": 5, "b": 5, "c": 5}),
        (lambda p, x, one: one + 2, {"a": 7, "b": 7, "c": 7}),
        (lambda p, x, one: p.all(x > 0), {"a": 0, "b": 0, "c": 0}),
        (lambda p, x, one: p.any(x > 0), {"a": 1, "b": 1, "c": 1}),
        (lambda p, x, one: p.any(x > 0) & (one > 4), {"a": 1, "b": 1, "c": 1}),
    ],
)
def test_every_node_is_told(term, wanted):
    @lw.algorithm(source="required", edges="ones", iterations=1)
    def told(p):
        x = p.nodes.count(start=0, at_source=1)
        one = p.single.count(start=4)
        one += 1
        p.halt_when(p.all(1))
        return {"it": term(p, x, one)}

    program = told()
    assert lw.interpret(program, PATH, source="a").it == wanted
    assert lw.verify(lw.compile(program), PATH, source="a").it == wanted
    assert {step.at.partition(",")[0] for step in program.steps} == {
        "test_outputs_of_statements.py"
    }


def test_an_output_without_a_name_is_called_what_it_is_returned_as():
    @lw.algorithm(iterations=1)
    def told(p):
        p.halt_when(p.all(1))
        return {"twice": 2 * p.index}

    assert told().outputs["twice"].name == "twice"
