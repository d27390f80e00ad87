"""Columns that variables share: what an op reads is still there when it reads it."""

from __future__ import annotations

from collections.abc import Iterator

import pytest

import draw_programs
import draw_statements
import loopwright as lw
from loopwright.algorithms import ALGORITHMS
from loopwright.compiler.columns import BEGIN, Placement, place
from loopwright.compiler.pack import pack
from loopwright.compiler.soften import add_rounding, hold_after_termination
from loopwright.errors import ProgramError
from loopwright.language.op import Phase
from loopwright.language.program import Program
from loopwright.language.variables import Variable

EVERY = [
    (name, construction)
    for name, algorithm in ALGORITHMS.items()
    for construction in algorithm.constructions
]


def lost(program: Program, placed: Placement) -> Iterator[str]:
    """What is read from a column that another variable has taken, by three iterations of writing
    down whose each column is."""
    owner: dict[int, Variable] = {}
    begins = {v: BEGIN in placed.held.get(v.name, (BEGIN,)) for v in program.variables}
    given = [v for v in program.variables if v.start is not None and begins[v]]

    def take(variable: Variable) -> None:
        if variable.name in placed.first:
            for i in range(variable.kind.width):
                owner[placed.first[variable.name] + i] = variable

    def keeps(variable: Variable) -> bool:
        first = placed.first[variable.name]
        return all(owner.get(first + i) == variable for i in range(variable.kind.width))

    for variable in given:
        if variable.name in placed.first:
            if any(placed.first[variable.name] + i in owner for i in range(variable.kind.width)):
                yield f"'{variable}' starts where another one does"
            take(variable)
    for iteration in range(3):
        for at in program.steps:
            where = f"iteration {iteration}, '{at.name}'"
            attending = [op for op in at.ops if op.phase is Phase.ATTENTION]
            for op in attending:
                yield from (f"{where}: {op} reads {v}" for v in op.reads() if not keeps(v))
            for op in attending:
                take(op.out)
            for op in attending:
                late = [v for name in op.late if (v := getattr(op, name)) is not None]
                yield from (f"{where}: {op} reads {v} late" for v in late if not keeps(v))
                if not keeps(op.out):
                    yield f"{where}: {op} writes where another one does"
            made: set[Variable] = set()
            for op in at.ops:
                if op.phase is Phase.MLP:
                    read = (v for v in op.reads() if v not in made)
                    yield from (f"{where}: {op} reads {v}" for v in read if not keeps(v))
                    made.add(op.out)
            for variable in made:
                take(variable)
            yield from (
                f"{where}: {v} is written where another one is"
                for v in made
                if v.name in placed.first and not keeps(v)
            )
        read_at_the_end = (program.halt, *program.outputs.values())
        yield from (f"iteration {iteration} loses {v}" for v in read_at_the_end if not keeps(v))


def all_lost(program: Program) -> list[str]:
    """The same for every way in which a program may be compiled."""
    found: list[str] = []
    for version in (program, hold_after_termination(add_rounding(program))):
        for mixed in (True, False):
            for across in (True, False):
                found += lost(version, place(version, mixed=mixed, across=across))
    return found


@pytest.mark.parametrize(("name", "construction"), EVERY)
def test_registered_algorithms_keep_what_they_read(name, construction):
    assert all_lost(pack(ALGORITHMS[name](construction))) == []


@pytest.mark.parametrize("draw", [draw_programs.draw_case, draw_statements.draw_case])
def test_random_programs_keep_what_they_read(draw):
    checked = 0
    for seed in range(60):
        try:
            program = pack(draw(seed).program())
        except ProgramError:
            continue
        assert all_lost(program) == [], seed
        checked += 1
    assert checked > 30


def set_and_set_again() -> Program:
    """A flag that an op updates and reads late has to be kept while others come and go."""
    marks, out = lw.nodes.flag("marks", start=0), lw.nodes.flag("out", start=0)
    here, there = (lw.single.position(name, start=lw.given(name)) for name in ("here", "there"))
    found, again = lw.nodes.flag("found"), lw.nodes.flag("again")
    done = lw.single.flag("done")
    return Program(
        "set again",
        (
            lw.step("mark", lw.ops.WriteRow(marks, here, lw.B_GLOBAL)),
            lw.step("look", lw.ops.OneHot(found, there, lw.B_GLOBAL)),
            lw.step("repeat", lw.ops.Everywhere(again, found)),
            lw.step("add", lw.ops.Set(out, out | again | found)),
            lw.step("mark again", lw.ops.WriteRow(marks, here, lw.B_GLOBAL, also=marks)),
            lw.step("halt", lw.ops.Copy(done, 1)),
        ),
        outputs={"marks": marks, "out": out},
        halt=done,
        bound=(1,),
        layers="found",
    )


@pytest.mark.parametrize("attention", ["hardmax", "softmax"])
def test_a_flag_that_is_updated_and_read_late_keeps_its_column(attention):
    program = set_and_set_again()
    assert all_lost(program) == []
    model = lw.compile(program, attention=attention)
    graph = [("a", "b"), ("b", "c")]
    answer = lw.verify(model, graph, here=1, there=2)
    assert answer.marks == {"a": True, "b": False, "c": False}
    assert answer.out == {"a": False, "b": True, "c": False}
