"""Wrong arguments of public calls, each refused in one line that says what is wrong with it.

`tests/misuse.py` looks for more of them.
"""

from __future__ import annotations

from fractions import Fraction

import numpy as np
import pytest

import loopwright as lw
from loopwright.errors import GraphError, LoopwrightError, ProgramError, TraceError, require_whole

EDGES = [("a", "b", 3), ("b", "c", 0.5)]
HUGE = 10**5000
"""Python does not print a number of so many digits …"""
TOO_LONG = pytest.param(HUGE, id="huge")
"""… nor can pytest, as the name of a test."""


@pytest.fixture(scope="module")
def model():
    return lw.compile(lw.algorithms.dijkstra("compact"))


@pytest.fixture(scope="module")
def trace(model, tmp_path_factory):
    path = tmp_path_factory.mktemp("trace") / "run.jsonl"
    model.run(EDGES, source="a", observers=[lw.TraceWriter(path)])
    return lw.Trace.load(path)


def refused(kind, part, call, *arguments, **options):
    with pytest.raises(kind) as caught:
        call(*arguments, **options)
    message = str(caught.value)
    assert part in message
    assert message.isprintable()
    assert len(message) < 400


# ── whole numbers ───────────────────────────────────────────────────────────────────────────────


@pytest.mark.parametrize("given", [0, -1, 2.0, True, "3", None, [1], np.ones(2), float("nan")])
def test_no_whole_number(given):
    refused(LoopwrightError, "k=", require_whole, "k", given)


@pytest.mark.parametrize("given", [3, np.int64(3), np.uint8(3)])
def test_whole_number(given):
    assert type(require_whole("k", given)) is int
    assert require_whole("k", given) == 3


# ── interpret and verify ────────────────────────────────────────────────────────────────────────


@pytest.mark.parametrize("program", [None, "dijkstra", lw.algorithms.dijkstra, [[]]])
def test_interpret_needs_a_program(program):
    refused(
        LoopwrightError,
        "is no program: call an algorithm",
        lw.interpret,
        program,
        EDGES,
        source="a",
    )


@pytest.mark.parametrize("most", [0, -1, "10", 1.5, np.ones(2)])
def test_interpret_needs_a_number_of_iterations(most):
    program = lw.algorithms.dijkstra()
    options = {"source": "a", "max_iterations": most}
    refused(LoopwrightError, "max_iterations=", lw.interpret, program, EDGES, **options)


@pytest.mark.parametrize(
    ("inputs", "part"),
    [
        ({"bfs": 1}, "no input 'bfs' for 'multitask'; did you mean 'dfs'? There are: dfs"),
        ({"dfs": 2}, "2 is no flag"),
        ({"dfs": "yes"}, "is no flag"),
        ({"dfs": [1] * 9}, "there are 3 rows"),
        ({"dfs": [1]}, "'dfs' has 1 entries for 3 rows: give one for each, or one number for all"),
        ({"dfs": []}, "'dfs' has 0 entries for 3 rows: give one for each, or one number for all"),
    ],
)
def test_inputs_must_be_known(inputs, part):
    """Wherever they are given, and also a list that is too short: nobody adds what it lacks."""
    program = lw.algorithms.multitask("compact")
    model = lw.compile(program)
    refused(GraphError, part, lw.interpret, program, EDGES, source="a", **inputs)
    refused(GraphError, part, lw.verify, model, EDGES, source="a", **inputs)
    refused(GraphError, part, model.run, EDGES, source="a", **inputs)
    refused(GraphError, part, model.check, EDGES, **inputs)


def test_lists_are_padded_for_whoever_says_how_many_rows():
    model = lw.compile(lw.algorithms.independent_set())
    assert model.run([("a", "b"), ("b", "a")], priority=[1], rows=3).guaranteed


@pytest.mark.parametrize("given", [1, True, [1, 1, 1], np.ones(3), Fraction(1), (1, 1, 1)])
def test_interpret_takes_inputs_of_any_form(given):
    program = lw.algorithms.multitask("compact")
    wanted = lw.compile(program).run(EDGES, source="a", dfs=given)
    assert lw.interpret(program, EDGES, source="a", dfs=given).prev == wanted.prev


@pytest.mark.parametrize("model", [None, "dijkstra", lw.Model, lw.algorithms.dijkstra()])
def test_verify_needs_a_model(model):
    refused(LoopwrightError, "verify runs a model", lw.verify, model, EDGES, source="a")


# ── observers ───────────────────────────────────────────────────────────────────────────────────


@pytest.mark.parametrize(
    "observers", [None, 5, "trace", lw.Observer(), lw.Observer, [lw.Observer], [None], {1: 2}]
)
def test_observers_are_a_list_of_observers(model, observers):
    refused(LoopwrightError, "observers=", model.run, EDGES, source="a", observers=observers)


def test_observers_may_come_from_anywhere(model):
    class Ended(lw.Observer):
        def end(self, x, iterations):
            self.iterations = iterations

    seen = Ended(), Ended()
    answer = model.run(EDGES, source="a", observers=iter(seen))
    assert {each.iterations for each in seen} == {answer.iterations}


# ── traces ──────────────────────────────────────────────────────────────────────────────────────


@pytest.mark.parametrize("path", [None, 0, b"run", [], "a\0b", "\ud800", "", "x" * 300])
def test_a_trace_has_a_path(model, path):
    refused(TraceError, "", lw.Trace.load, path)

    def record():
        model.run(EDGES, source="a", observers=[lw.TraceWriter(path)])

    refused(TraceError, "", record)


def test_a_trace_is_loaded():
    refused(TraceError, "use Trace.load(path)", lw.Trace, "run.jsonl")


@pytest.mark.parametrize("attention", [None, 1, "yes", np.ones(2)])
def test_attention_is_recorded_or_not(attention):
    refused(TraceError, "True or False", lw.TraceWriter, "run.jsonl", attention=attention)


@pytest.mark.parametrize("place", [None, 1, "ab", (1,), (1.0, 0), (0, 0), (HUGE, 0), (1, -HUGE)])
def test_a_frame_has_a_place(trace, place):
    refused(TraceError, "frame", trace.__getitem__, place)


@pytest.mark.parametrize("name", [None, 0, "foo", ["dists"], np.array(["dists", "prev"]), TOO_LONG])
def test_a_column_has_a_name(trace, name):
    refused(TraceError, "no variable", trace.start.__getitem__, name)


# ── operands of ops ─────────────────────────────────────────────────────────────────────────────

VALUE, HALT = lw.nodes.value("v", start=0), lw.single.flag("halt")


def program_of(op):
    steps = lw.step("first", op), lw.step("stop", lw.ops.Set(HALT, lw.B_GLOBAL))
    return lw.Program("own", steps, {}, HALT, (1,))


NO_OPERANDS = [
    None,
    0.5,
    "v",
    [],
    np.ones(2),
    object(),
    1j,
    [[1, 2], [3]],
    VALUE.__class__,
    TOO_LONG,
]


@pytest.mark.parametrize("wrong", NO_OPERANDS)
def test_what_is_written_is_a_variable(wrong):
    refused(ProgramError, "cannot be written", program_of, lw.ops.Copy(wrong, 1))


@pytest.mark.parametrize("wrong", NO_OPERANDS)
@pytest.mark.parametrize("op", [lw.ops.MarkZeros, lw.ops.Repeat])
def test_what_is_read_is_an_operand(op, wrong):
    flag = lw.nodes.flag("f")
    refused(ProgramError, "where a variable is needed", program_of, op(flag, wrong))


def test_an_optional_operand_may_be_missing_but_not_wrong():
    flag, position, content = lw.nodes.flag("f", 0), lw.single.position("p", 0), lw.B_GLOBAL
    assert program_of(lw.ops.WriteRow(flag, position, content, None))
    wrong = lw.ops.WriteRow(flag, position, content, np.ones(2))
    refused(ProgramError, "'also' is [1. 1.], where a variable is needed", program_of, wrong)


def test_a_constant_that_is_too_long_to_print():
    refused(ProgramError, "a very large int", program_of, lw.ops.Copy(lw.nodes.flag("f"), HUGE))


@pytest.mark.parametrize("base", [lw.ops.Op, lw.ops.Attending])
def test_a_base_of_ops_is_no_op(base):
    refused(ProgramError, "is no op", program_of, base(VALUE))
