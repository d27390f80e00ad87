"""The transformer is the plain machine: memory, program counter and steps, always."""

from __future__ import annotations

import sys
from contextlib import suppress
from dataclasses import replace
from fractions import Fraction

import pytest
from hypothesis import given, settings
from subleq_programs import STEPS, plain, problems

import loopwright as lw
from loopwright.errors import DidNotHalt, Divergence, GraphError
from loopwright.runtime.machines import MACHINES, prepare
from loopwright.subleq import Code, GraphSubleq, Instruction, assemble, run
from loopwright.subleq.run import columns

MANY = settings(max_examples=4 * settings.default.max_examples)
FEW = settings(max_examples=max(5, settings.default.max_examples // 5))
DOWN = assemble(
    """
    .data x 3
    .data y 1/2
    again: add x, y
           sub 1, x
           jgt x, again
    """
)


def agree(outcome, machine):
    assert outcome.memory == tuple(machine.memory)
    assert outcome.pc == machine.pc
    assert outcome.steps == machine.steps
    assert outcome.halted == machine.halted


@MANY
@given(problem=problems())
def test_after_every_instruction(problem):
    """Stopped after 1, 2, 3, … instructions, with nothing beside it to lean on."""
    code, graph = problem
    machine = plain(code, graph)
    while not machine.halted and machine.steps < 8:
        machine.step()
        agree(run(code, graph, steps=machine.steps), machine)


@MANY
@given(problem=problems())
def test_in_lockstep(problem):
    """Longer runs, compared by `run` itself with the plain machine and with the program."""
    code, graph = problem
    machine = plain(code, graph)
    machine.run(STEPS)
    agree(run(code, graph, steps=STEPS, verify=True), machine)


@given(problem=problems())
def test_verify_applies_unchanged(problem):
    code, graph = problem
    model = lw.compile(lw.algorithms.graph_subleq())
    rows = max(len(code.memory), len(graph), len(code.instructions))
    with suppress(DidNotHalt):
        lw.verify(model, graph, rows=rows, max_iterations=STEPS, **columns(code))


@pytest.mark.parametrize("machine", MACHINES)
@FEW
@given(problem=problems())
def test_every_machine(machine, problem):
    code, graph = problem
    try:
        prepare(lw.compile(lw.algorithms.graph_subleq()), machine)
    except lw.LoopwrightError as missing:
        if "pip install" not in str(missing):
            raise
        pytest.skip(str(missing))
    beside = plain(code, graph)
    beside.run(4)
    agree(run(code, graph, steps=4, machine=machine, verify=True), beside)


def test_thirds_are_exact_where_arithmetic_is():
    code = assemble(".data x 1\n.for i, 0, 3\nsub 1/3, x\n.end")
    outcome = run(code, machine="exact", verify=True)
    assert (outcome["x"], outcome.steps) == (0, 3)
    outcome = run(code, [(0, 0, Fraction(1, 7))], machine="exact", steps=1)
    assert outcome["x"] == Fraction(2, 3)


@pytest.mark.parametrize("layer", range(11))
def test_a_broken_layer_is_noticed(layer, monkeypatch):
    model = lw.compile(lw.algorithms.graph_subleq())
    broken = model.layers[layer]
    w4 = -broken.mlp[3]
    layers = list(model.layers)
    layers[layer] = replace(broken, mlp=(*broken.mlp[:3], w4))
    if not w4.any():  # read-row: all is done by its heads
        layers[layer] = replace(broken, heads=())
    bad = replace(model, layers=tuple(layers))
    monkeypatch.setattr(sys.modules[run.__module__], "_compiled", lambda limits: bad)
    code = assemble(".data x 5\nagain: sub A[0, 1], x\njgt x, again\nadd 2, x", nodes=2)
    with pytest.raises(Divergence):
        run(code, [(0, 1, 2)], verify=True)


@pytest.mark.parametrize("what", ["memory", "pc", "steps"])
def test_another_plain_machine_is_noticed(what, monkeypatch):
    """The comparison that `verify` makes is not empty."""

    def wrong(self):
        right(self)
        if what == "memory":
            self.memory[-1] += 1
        else:
            setattr(self, what, getattr(self, what) + 1)

    right = GraphSubleq.step
    monkeypatch.setattr(GraphSubleq, "step", wrong)
    with pytest.raises(Divergence, match=r"step 1, instruction 0 .*plain machine"):
        run(DOWN, verify=True)


def test_the_same_weights_run_every_program():
    other = assemble(".data a 1\n.data b 1/2\nsub a, b")
    assert run(DOWN).model is run(other).model


def test_rows_are_the_longest_of_three():
    """K = max(|M|, n, |I|) + 1, and what is padded does no harm."""
    instruction, many = Instruction(0, 0, -1), tuple(range(1, 8))
    for code, graph in [
        (Code((instruction,), many), None),
        (Code((instruction,), (3,)), [(i, i + 1) for i in range(6)]),
        (Code((instruction,) * 7, (3,)), None),
    ]:
        outcome = run(code, graph, verify=True)
        assert (outcome.rows, outcome.memory[0], outcome.steps) == (7, 0, 1)


def test_both_ways_to_halt():
    jumped = run(Code((Instruction(0, 0, -1),), (3,)))
    passed = run(Code((Instruction(0, 1, 0),), (3, 9)))
    assert (jumped.halted, jumped.pc) == (True, -1)
    assert (passed.halted, passed.pc) == (True, 1)


def test_an_endless_program_keeps_its_state():
    outcome = run(assemble(".data x 0\nagain: sub 1, x\njump again"), steps=7)
    assert (outcome.halted, outcome.steps, outcome.pc, outcome["x"]) == (False, 7, 1, -4)


def test_entries_that_the_graph_does_not_have():
    code = assemble(".data x 0\nsub A[0, 2], x")
    with pytest.raises(GraphError, match=r"instruction 0 \(<text>:2: sub A\[0, 2\], x\).*no graph"):
        run(code)
    with pytest.raises(GraphError, match=r"reads A\[0, 2\], but the graph has 2 nodes"):
        run(code, [(0, 1)])
