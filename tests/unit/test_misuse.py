"""`misuse` on a few calls: nothing that people can call fails but by a `LoopwrightError`."""

from __future__ import annotations

import os
import time

import pytest

import loopwright as lw
from misuse import Call, Outcome, attempt, doors, draw, outcomes, slots, valid
from misuse_values import HOSTILE, value_of
from public_surface import Door


def test_doors_are_found():
    """Of each way to find one, some."""
    found = doors().keys()
    assert {"compile", "Graph", "Model.run", "Limits.fit", "load"} <= found
    assert {"ops.LessThan", "nodes.flag", "single.value", "algorithms.dijkstra"} <= found
    assert {"Certificate.require", "Frame.__getitem__", "Variable.__and__"} <= found


@pytest.mark.parametrize("name", doors())
def test_valid_calls_are_accepted(name):
    """So every parameter has a valid example, and what is refused is refused for a reason."""
    assert attempt(valid(doors()[name])) == Outcome("accepted")


def test_hostile_values_can_be_made():
    assert len([value_of(expression) for expression in HOSTILE]) > 100


def test_misuses():
    violations = [
        f"seed {seed}: {draw(seed)}\n  {outcome.problem}"
        for seed, outcome in outcomes(range(600))
        if outcome.verdict == "violation"
    ]
    assert not violations, "\n".join(violations)


# ── what is wrong is found ──────────────────────────────────────────────────────────────────────


def number(x):
    return int(x)


def run(machine):
    result = {"dists": {"a": 1 if machine == "native" else 2}}
    return lw.Answer(result, 1, 0.0)


def room(size):
    return bytes(size)


def test_another_exception():
    call = Call(Door("number", number), {"x": "'foo'"}, frozenset({"x"}))
    outcome = attempt(call)
    assert str(call) == "lw.number('foo')"
    assert outcome.verdict == "violation"
    assert outcome.problem.endswith(
        "in number: ValueError: invalid literal for int() with base 10: 'foo'"
    )


def test_another_answer(monkeypatch):
    door = Door("run", run)
    monkeypatch.setattr("misuse.right_answer", lambda _: {"dists": {"a": 1}})
    assert (
        attempt(Call(door, {"machine": "'native'"}, frozenset({"machine"}))).verdict == "accepted"
    )
    outcome = attempt(Call(door, {"machine": "'gpu'"}, frozenset({"machine"})))
    assert outcome.problem.endswith("Wrong: {'dists': {'a': 2}} is not {'dists': {'a': 1}}")


def misbehave(seed):
    if seed == 1:
        os.abort()
    if seed == 2:
        time.sleep(100)
    if seed == 3:
        return attempt(Call(Door("room", room), {"size": "2**40"}, frozenset({"size"})))
    return Outcome("accepted")


def test_a_process_that_dies_or_hangs():
    found = dict(outcomes(range(5), misbehave, patience=2.0))
    assert found[0] == found[4] == Outcome("accepted")
    assert found[1] == Outcome("violation", "the process ended with code -6")
    assert found[2] == Outcome("violation", "no end after 2 seconds")
    assert found[3].problem.endswith("MemoryError")


def test_every_parameter_is_misused():
    drawn = {(call.door, name) for call in map(draw, range(6_000)) for name in call.hostile}
    assert drawn == set(slots())
