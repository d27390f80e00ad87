"""The lemma: a SUBLEQ⁻ program and its translation go through the same states, or it is refused."""

from __future__ import annotations

import pytest
from hypothesis import given, settings
from subleq_programs import STEPS, Image, images

from loopwright.subleq import HALT, GraphSubleq, Subleq, run, translate
from loopwright.subleq.errors import SubleqError, TranslationError

FEW = settings(max_examples=max(5, settings.default.max_examples // 5))


def rows(image: Image) -> list[dict[int, int]]:
    n = image.nodes
    return [dict(enumerate(image.memory[i * n : i * n + n])) for i in range(n)]


@given(image=images())
def test_every_state_agrees(image):
    first = image.nodes**2
    minus = Subleq(list(image.memory), nodes=image.nodes)
    translated = translate(image.memory, nodes=image.nodes)
    graph = GraphSubleq(translated.code.instructions, list(translated.code.memory), rows(image))
    while not minus.halted and minus.steps < STEPS:
        assert minus.pc == translated.addresses[graph.pc]
        minus.step()
        graph.step()
        assert minus.memory[first:] == graph.memory
        assert minus.memory[:first] == image.memory[:first]
    assert (minus.halted, minus.steps) == (graph.halted, graph.steps)


@FEW
@given(image=images())
def test_on_the_transformer(image):
    minus = Subleq(list(image.memory), nodes=image.nodes)
    minus.run(10)
    translated = translate(image.memory, nodes=image.nodes)
    outcome = run(translated.code, translated.graph, steps=10)
    assert list(outcome.memory) == minus.memory[image.nodes**2 :]
    assert (outcome.steps, outcome.halted) == (minus.steps, minus.halted)


def test_running_past_the_end_halts():
    image = [3, 3, 5, 0, -2, 4, 3, 5]  # jump over two cells of data; the last one falls through
    minus, translated = Subleq(list(image)), translate(image)
    assert minus.run(9)
    assert (minus.pc, minus.steps, minus.memory[3]) == (len(image), 2, 2)
    outcome = run(translated.code, verify=True)
    assert (outcome.pc, outcome.steps, outcome.memory[3]) == (2, 2, 2)


def test_the_graph_cannot_be_written():
    machine = Subleq([7, 0, 0, 0, 1, 1, 4], nodes=2)
    assert machine.pc == 4
    with pytest.raises(SubleqError, match="writes cell 1; the first 4 cells are read-only"):
        machine.step()


REFUSED = {
    "writes an instruction": (
        [6, 3, 3, 7, 7, HALT, 1, 0],
        0,
        "at 0 writes cell 3, .* part of the one at 3; in Graph-SUBLEQ, instructions do not change",
    ),
    "writes itself": (
        [6, 2, 3, 6, 6, HALT, 1],
        0,
        "instruction at 0 writes cell 2, which may be executed as part of the one at 0",
    ),
    "writes an instruction that is nonsense before": (
        [6, 3, 3, 99, 6, HALT, 1],
        0,
        "instruction at 0 writes cell 3, which may be executed as part of the one at 3",
    ),
    "reads an instruction": (
        [2, 6, 3, 7, 7, HALT, 1, 0],
        0,
        "instruction at 0 reads cell 2, which may be executed as part of the one at 0",
    ),
    "jumps into another instruction": (
        [6, 7, 4, 7, 7, HALT, 1, 0],
        0,
        "instruction at 4 lies in the middle of the one at 3",
    ),
    "jumps into itself": (
        [6, 7, 1, 7, 7, HALT, 1, 0],
        0,
        "instruction at 1 lies in the middle of the one at 0",
    ),
    "writes to the graph": (
        [5, 4, 0, 4, 0, 0],
        1,
        "instruction at 1 writes cell 0; the first 1 cells are read-only",
    ),
    "jumps into the graph": ([5, 4, 4, 0, 1], 1, "instruction at 1 jumps to 0"),
    "may run into data": ([6, 7, HALT, 0, 99, 0, 1, 5], 0, "instruction at 3 names cell 99"),
    "may run into the end": ([3, 4, HALT, 1, 5], 0, "part of the one at 3"),
    "has a fraction for an address": ([3, 3, 0.5, 1], 0, "holds 0.5, which is no address"),
    "halts at an address of its own": ([3, 3, -2, 1], 0, "instruction at 0 jumps to -2"),
    "names a cell that is not there": ([30, 3, HALT, 1], 0, "names cell 30; memory ends at 3"),
    "has a negative weight": ([-2, 4, 4, HALT, 0], 1, "cell 0 of the graph is -2"),
    "is empty": ([], 0, "there is no instruction"),
    "is a graph and nothing else": ([1], 1, "there is no instruction"),
}


@pytest.mark.parametrize("what", REFUSED)
def test_refused_by_name(what):
    memory, nodes, message = REFUSED[what]
    with pytest.raises(TranslationError, match=message):
        translate(memory, nodes=nodes)


def test_a_refused_program_would_have_been_mistranslated():
    """Why: it halts as SUBLEQ, by changing a jump; a list of instructions would loop for ever."""
    image = [6, 5, 3, 7, 7, 3, 4, 0]
    machine = Subleq(list(image))
    assert machine.run(5)
    assert (machine.pc, machine.memory[5]) == (HALT, -1)
    with pytest.raises(TranslationError, match=r"writes cell 5, .* part of the one at 3"):
        translate(image)


def test_what_is_never_executed_is_data():
    """Cells behind a certain jump may be read and written, whatever they look like."""
    image = [12, 12, 6, 5, 5, 5, 3, 4, 9, 12, 12, HALT, 0]
    translated = translate(image)
    assert translated.addresses == (0, 6, 9)
    outcome, machine = run(translated.code, verify=True), Subleq(list(image))
    assert machine.run(9)
    assert list(outcome.memory) == machine.memory
