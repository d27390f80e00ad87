"""The least number of each group: right for all keys, and as far as scores have digits."""

from __future__ import annotations

from fractions import Fraction

import pytest

import loopwright as lw
from loopwright.errors import CapacityError, ProgramError
from loopwright.language.ops import Add, AllOne, Gather, LeastWhereEqual
from loopwright.language.variables import MASK, OWN_SQUARE, given, nodes, single
from loopwright.runtime.machines import MACHINES

EVERYONE, DONE = nodes.flag("everyone", start=1), single.flag("done", start=0)
KEY, QUERY = (nodes.index(name, start=given(name)) for name in ("key", "query"))
SQUARE = nodes.square("square")
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
        lw.step("square", *before, Gather(SQUARE, KEY, OWN_SQUARE)),
        lw.step("least", LeastWhereEqual(least, value, KEY, SQUARE, QUERY)),
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
    with pytest.raises(ProgramError, match="a square is not that of its key: Gather it"):
        lw.interpret(broken, empty(2), **inputs)
    with pytest.raises(ProgramError, match="a square is not that of its key"):
        lw.verify(lw.compile(broken, limits=SMALL), empty(2), **inputs)


def keys_hold(model, n):
    conditions = {c.name: c for c in model.check(empty(n)).conditions}
    return conditions["keys"].holds


@pytest.mark.parametrize("machine", ["reference", "native", "torch"])
def test_keys_need_digits(machine):
    """Ω is 512, so keys weigh 4,096 beside values: with ε = 2⁻³³, 4 × 4,096 × 8² / ε is 2⁵³.

    One node more is refused. With a thousandth of that ε, the least of two values that differ by
    ε is not found.
    """

    def model(bits):
        limits = lw.Limits(nodes=16, largest=64, resolution=Fraction(1, 2**bits))
        return lw.compile(program(signed_values()), limits=limits)

    def answer(n, bits, **options):
        step = Fraction(1, 2**bits)
        inputs = {"value": [64 - step, *[64 - 2 * step] * (n - 1)], "key": n, "query": n}
        found = model(bits).run(empty(n), machine=machine, **inputs, **options).least
        return found == dict.fromkeys(range(n), float(64 - 2 * step))

    assert keys_hold(model(33), 8)
    assert answer(8, 33)
    assert not keys_hold(model(33), 9)
    with pytest.raises(CapacityError, match="keys: "):
        answer(9, 33)
    assert not keys_hold(model(43), 9)
    assert not answer(9, 43, checked=False)


def test_counts_and_indices_have_room_by_default():
    """Values do not: their steps are too fine for any keys, which a refusal says."""
    model = lw.compile(program(nodes.count("value", start=given("value"))))
    inputs = {"key": 1, "query": 1, "value": list(range(5, 105))}
    assert set(model.run(empty(100), **inputs).least.values()) == {5}
    with pytest.raises(CapacityError, match=r"keys: .*larger resolution"):
        lw.compile(program(signed_values())).run(empty(3), **(inputs | {"value": 1}))
