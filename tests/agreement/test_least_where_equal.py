"""The least number of each group: right for all keys, and as far as scores have digits."""

from __future__ import annotations

from fractions import Fraction

import pytest

import loopwright as lw
from loopwright.errors import ProgramError
from loopwright.language.ops import Add, AllOne, Gather, LeastWhereEqual
from loopwright.language.variables import MASK, OWN_SQUARE, given, nodes, single
from loopwright.runtime.machines import MACHINES

EVERYONE, DONE = nodes.flag("everyone", start=1), single.flag("done", start=0)
KEY, QUERY = (nodes.index(name, start=given(name)) for name in ("key", "query"))
SQUARE, ASKED = nodes.square("square"), nodes.square("asked")
PAIRS = [
    (machine, attention)
    for machine in MACHINES
    for attention in ("hardmax", "softmax")
    if (machine, attention) != ("exact", "softmax")
]
SMALL = lw.Limits(nodes=16, largest=64, resolution=Fraction(1, 2**10))


def program(value, *before):
    """The least value of each group, which is an output, and so is what finds it."""
    least = nodes.value("least", signed=value.signed)
    steps = (
        lw.step(
            "square", *before, Gather(SQUARE, KEY, OWN_SQUARE), Gather(ASKED, QUERY, OWN_SQUARE)
        ),
        lw.step("least", LeastWhereEqual(least, value, KEY, SQUARE, QUERY, ASKED)),
        lw.step("halt", AllOne(DONE, EVERYONE)),
    )
    return lw.Program("groups", steps, {"least": least}, DONE, (1,))


def signed_values():
    return nodes.value("value", start=given("value"), signed=True)


def empty(n):
    return lw.Graph.from_edges([], nodes=range(n))


@pytest.mark.parametrize(("machine", "attention"), PAIRS)
def test_groups(machine, attention):
    """Every query from 0 to 7, of keys that are some of them; those of 0 are a group, too."""
    made = program(signed_values())
    model = lw.compile(made, limits=SMALL, attention=attention)
    inputs = {
        "value": [-5, 3, -7, 3, Fraction(1, 4), 6, Fraction(-1, 2), 0],
        "key": [0, 2, 0, 2, 5, 5, 7, 2],
        "query": list(range(8)),
    }
    wanted = {0: -7, 1: 0, 2: 0, 3: 0, 4: 0, 5: 0.25, 6: 0, 7: -0.5}
    assert lw.interpret(made, empty(8), **inputs).least == wanted
    assert lw.verify(model, empty(8), machine=machine, **inputs).least == wanted


@pytest.mark.parametrize(("machine", "attention"), PAIRS)
@pytest.mark.parametrize("value", [-64, 0, 64])
def test_neighbouring_keys_are_not_taken_for_the_one_between_them(machine, attention, value):
    """The mean of the keys 1 and 3 is 2, but nobody has that one."""
    model = lw.compile(program(signed_values()), limits=SMALL, attention=attention)
    inputs = {"value": value, "key": [1, 3, 1, 3], "query": [2, 2, 0, 4]}
    answer = lw.verify(model, empty(4), machine=machine, **inputs)
    assert set(answer.least.values()) == {0}


@pytest.mark.parametrize(("machine", "attention"), PAIRS)
def test_masked_numbers_are_found_last(machine, attention):
    masked = nodes.value("masked", start=MASK)
    model = lw.compile(program(masked), limits=SMALL, attention=attention)
    inputs = {"key": [3, 3, 1], "query": [3, 1, 2]}
    answer = lw.verify(model, empty(3), machine=machine, **inputs)
    assert answer.least == {0: None, 1: None, 2: 0}


def test_a_square_that_is_not_the_keys_is_an_error():
    """The key changes after its square was brought."""
    made = program(signed_values())
    late = lw.step("late", Add(KEY, KEY, 1))
    broken = made.with_steps((made.steps[0], late, *made.steps[1:]))
    inputs = {"value": 1, "key": [1, 1], "query": 1}
    with pytest.raises(ProgramError, match="a square is not that of its number: Gather it"):
        lw.interpret(broken, empty(2), **inputs)
    model = lw.compile(broken, limits=SMALL)
    for whole in (lw.verify, lw.Model.run):
        with pytest.raises(lw.LoopwrightError, match="'square' is not the square of 'key'"):
            whole(model, empty(2), **inputs)


@pytest.mark.parametrize("machine", ["reference", "native", "torch"])
def test_keys_cost_no_digits(machine):
    """Squares cancel before a value is added, so values that differ by ε are told apart although ε
    is as fine as floats allow, and keys weigh many times as much."""
    step = Fraction(1, 2**43)
    limits = lw.Limits(nodes=16, largest=64, resolution=step)
    model = lw.compile(program(signed_values()), limits=limits)
    inputs = {"value": [64 - step, *[64 - 2 * step] * 8], "key": 9, "query": 9}
    found = model.run(empty(9), machine=machine, **inputs).least
    assert found == dict.fromkeys(range(9), float(64 - 2 * step))


def test_values_have_room_by_default():
    inputs = {"key": 1, "query": 1, "value": list(range(5, 105))}
    for value in (nodes.count("value", start=given("value")), signed_values()):
        model = lw.compile(program(value))
        assert set(model.run(empty(100), **inputs).least.values()) == {5}


@pytest.mark.parametrize(("machine", "attention"), PAIRS)
def test_who_is_left_out(machine, attention):
    """Of the nodes with a key, those whose flag is set do not count."""
    value, out = signed_values(), nodes.flag("out", start=given("out"))
    least = nodes.value("least", signed=True)
    steps = (
        lw.step("square", Gather(SQUARE, KEY, OWN_SQUARE), Gather(ASKED, QUERY, OWN_SQUARE)),
        lw.step("least", LeastWhereEqual(least, value, KEY, SQUARE, QUERY, ASKED, out)),
        lw.step("halt", AllOne(DONE, EVERYONE)),
    )
    made = lw.Program("groups", steps, {"least": least}, DONE, (1,))
    model = lw.compile(made, limits=SMALL, attention=attention)
    inputs = {
        "value": [-5, 3, -7, 4],
        "key": [1, 1, 2, 2],
        "query": [1, 2, 2, 3],
        "out": [1, 0, 1, 1],
    }
    answer = lw.verify(model, empty(4), machine=machine, **inputs)
    assert answer.least == {0: 3, 1: 0, 2: 0, 3: 0}
