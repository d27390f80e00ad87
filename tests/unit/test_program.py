"""A malformed program is refused at once, by step and variable; a sound one prints and stores."""

from __future__ import annotations

import json
import re
from dataclasses import replace
from fractions import Fraction

import pytest

import loopwright as lw
from loopwright.algorithms import ALGORITHMS
from loopwright.algorithms.minimum import Minimum
from loopwright.errors import ProgramError
from loopwright.language import ops
from loopwright.language.program import Program, step
from loopwright.language.serial import from_json, to_json
from loopwright.language.variables import (
    B_GLOBAL,
    B_LOCAL,
    CONSTANTS,
    MASK,
    OWN_INDEX,
    nodes,
    single,
)

HALT = single.flag("halt")
STOP = step("stop", ops.Copy(HALT, 1), paper=2)
PROGRAMS = [
    pytest.param(build, id=f"{name}-{construction}")
    for name, algorithm in ALGORITHMS.items()
    for construction, build in algorithm.constructions.items()
]


def make(*made, **changes):
    """A program of one step, and one that halts."""
    parts = {
        "name": "toy",
        "steps": (step("try", *made, paper=1), STOP),
        "outputs": {"node": B_LOCAL},
        "halt": HALT,
        "bound": (1,),
    }
    return Program(**(parts | changes))


flag, count, value = single.flag("f", 0), single.count("c", 0), single.value("v", 0)
flags, counts, values = nodes.flag("fs", 0), nodes.count("cs", 0), nodes.value("vs", 0)
where, places = single.position("p", 0), nodes.position("ps", 0)
change = single.count("d", 0, signed=True)

MALFORMED = {
    "position into a number": (ops.Copy(value, where), "p", "width 2"),
    "number into a position": (ops.Copy(where, value), "v", "width 1"),
    "value into a count": (ops.Copy(count, value), "v", "is a value, but 'c' is a count"),
    "count into an index": (ops.Copy(single.index("i"), count), "c", "is a count"),
    "flag wanted": (ops.Set(count, flag), "c", "where a flag is needed"),
    "number as condition": (ops.Where(value, count, 0, 1), "c", "where a flag is needed"),
    "formula of a number": (ops.Set(flag, flag & ~count), "c", "where a flag is needed"),
    "comparison of positions": (ops.LessThan(flag, where, where), "p", "is a position"),
    "comparison of flags": (ops.LessThan(flag, flag, count), "f", "is a flag"),
    "sum of positions": (ops.Add(where, where, where), "p", "is a position"),
    "position wanted": (ops.ReadX(value, count, values), "c", "where a position is needed"),
    "position wanted by next": (ops.Increment(where, count), "c", "where a position is needed"),
    "node's entry into row 0": (ops.Copy(value, values), "vs", "scope nodes, not single"),
    "row 0 into the nodes": (ops.Copy(values, value), "v", "scope single, not nodes"),
    "condition elsewhere": (ops.Where(value, flags, 0, 1), "fs", "scope nodes"),
    "comparison across rows": (ops.LessThan(flag, values, value), "vs", "scope nodes"),
    "repeat of a column": (ops.Repeat(values, counts), "cs", "scope nodes"),
    "repeat into row 0": (ops.Repeat(value, count), "v", "scope single"),
    "read into the nodes": (ops.ReadX(values, where, values), "vs", "scope nodes"),
    "position of every node": (ops.ReadRow(values, places), "ps", "scope nodes"),
    "all of one flag": (ops.AllOne(flag, flag), "f", "scope single"),
    "one-hot of nodes": (ops.OneHot(flags, where, flags), "fs", "scope nodes"),
    "position of one flag": (ops.RoundPosition(where, flag), "f", "scope single"),
    "flags compared across rows": (ops.Equal(flag, flags, flag), "fs", "scope nodes"),
    "lost sign": (ops.Copy(count, change), "c", "unsigned, but 'd' may be negative"),
    "negative constant": (ops.Copy(count, -1), "c", "cannot be -1"),
    "flag of 2": (ops.Copy(flag, 2), "f", "cannot be 2"),
    "mask in an index": (ops.Copy(single.index("i"), MASK), "i", "too small for MASK"),
    "difference": (ops.Subtract(count, count, count), "c", "may be negative"),
    "difference at": (ops.SubtractAt(counts, where, count), "cs", "may be negative"),
    "zeros of a signed value": (ops.MarkZeros(flag, change), "d", "may be negative"),
    "constant bias": (ops.Copy(B_GLOBAL, 1), "B_global", "which is a constant"),
    "constant index": (ops.Copy(OWN_INDEX, 0), "own_index", "which is a constant"),
    "weights as flags": (ops.ReadRow(flags, where), "fs", "reads edge weights into the flag"),
    "use before write": (ops.Copy(count, single.count("new")), "new", "before anything wrote it"),
    "update before write": (ops.RoundFlag(single.flag("new")), "new", "before anything wrote it"),
}


@pytest.mark.parametrize(("op", "variable", "problem"), MALFORMED.values(), ids=MALFORMED.keys())
def test_malformed_op(op, variable, problem):
    with pytest.raises(ProgramError, match=re.escape(problem)) as caught:
        make(op)
    message = str(caught.value)
    assert message.startswith("'toy' step 1 'try': ")
    assert f"'{variable}'" in message
    assert "\n" not in message


def test_sound_ops_pass():
    """Otherwise the tests above would show nothing."""
    for op in (
        ops.Copy(value, count),
        ops.LessThan(flag, count, value),
        ops.Copy(where, 0),
        ops.Copy(change, -1),
        ops.Where(values, flags, MASK, values),
    ):
        make(op)


def test_attention_writes_one_variable_twice():
    with pytest.raises(ProgramError, match=r"step 1 'try': its attention writes 'vs' twice"):
        make(ops.Repeat(values, value), ops.ReadRow(values, where))


def test_attention_reads_what_attention_writes():
    with pytest.raises(ProgramError, match=r"step 1 'try': .* reads 'v' while it is written"):
        make(ops.ReadX(value, where, values), ops.Repeat(nodes.value("us"), value))


def test_attention_after_the_mlp():
    with pytest.raises(ProgramError, match=r"'vs\[:\] ← v' attends, so it must come before"):
        make(ops.Copy(count, 1), ops.Repeat(values, value))


def test_attention_reads_what_only_this_step_makes():
    new = single.value("new")
    with pytest.raises(ProgramError, match=r"step 1 'try': reads 'new' before anything wrote it"):
        make(ops.Repeat(values, new), ops.Copy(new, 1))


def test_row_by_row_ops_follow_each_other():
    make(ops.ReadX(value, where, values), ops.LessThan(flag, value, 3), ops.Set(flag, ~flag))


def test_variables_within_a_step_need_no_column():
    passing, kept = single.flag("passing"), single.flag("kept")
    program = make(
        steps=(
            step("try", ops.MarkZeros(passing, value), ops.Set(kept, ~passing), paper=1),
            step("stop", ops.Copy(HALT, kept), paper=2),
        ),
    )
    assert program.passing() == {passing}
    fields = {field.name for field in lw.compile(program).layout.fields}
    assert "kept" in fields
    assert "passing" not in fields


def test_what_attention_finished_can_be_read():
    make(ops.Repeat(values, value), ops.MarkZeros(flags, values))


def test_first_written_by_a_later_step():
    late = single.count("late")
    early = step("early", ops.Copy(count, late), paper=1)
    after = step("after", ops.Copy(late, 1), paper=2)
    with pytest.raises(ProgramError, match=r"step 1 'early': reads 'late' before"):
        make(steps=(early, after, STOP))
    make(steps=(after, early, STOP))


def test_one_name_declared_twice():
    with pytest.raises(ProgramError, match=r"step 1 'try': 'c' is declared twice, differently"):
        make(ops.Copy(count, 1), ops.Copy(value, single.value("c", 0)))
    make(ops.Copy(count, 1), ops.Copy(value, single.count("c", 0)))  # the same declaration


@pytest.mark.parametrize("constant", CONSTANTS, ids=str)
@pytest.mark.parametrize("layers", ["given", "find"])
def test_name_of_a_constant(constant, layers):
    """Also if the program itself does not read it, but only what the compiler adds would."""
    mine = nodes.value(constant.name, 0)
    with pytest.raises(ProgramError, match=rf"'try': '{constant}' is the name of a constant"):
        make(ops.Add(mine, mine, 1), layers=layers)


def test_unknown_output():
    with pytest.raises(ProgramError, match=r"'toy': dists 'distz' is an unknown.*mean 'dists'"):
        make(ops.Copy(nodes.value("dists"), 0), outputs={"dists": nodes.value("distz")})


def test_unknown_halting_flag():
    with pytest.raises(ProgramError, match=r"halting flag 'halted' is an unknown.*mean 'halt'"):
        make(ops.Copy(count, 1), halt=single.flag("halted"))


@pytest.mark.parametrize("other", [flags, count], ids=["of the nodes", "a count"])
def test_halting_flag_of_another_kind(other):
    with pytest.raises(ProgramError, match=f"halting flag '{other}' must be a single flag"):
        make(ops.Copy(other, 1), halt=other)


def test_halting_flag_is_never_written():
    with pytest.raises(ProgramError, match="no step writes the halting flag 'f'"):
        make(ops.Set(single.flag("g", 0), ~flag), halt=flag)


def test_single_output():
    with pytest.raises(ProgramError, match="output 'total' must have one entry for each node"):
        make(ops.Copy(count, 1), outputs={"total": count})


def test_too_deep_a_formula():
    a, b = single.flag("a", 0), single.flag("b", 0)
    deep = ((a & b | a) & b) | a
    program = make(ops.Set(flag, deep))
    with pytest.raises(ProgramError, match=r"step 'try'.*nests 4 ReLUs; an MLP has 3"):
        lw.compile(program)


@pytest.mark.parametrize(
    "op",
    [
        pytest.param(ops.LessThan(flag, count, Fraction(1, 2)), id="count < 1/2"),
        pytest.param(ops.Copy(where, 1), id="position ← 1"),
        pytest.param(ops.Where(single.index("i", 0), flag, 5, 10**9), id="index ← 10⁹"),
        pytest.param(ops.Copy(count, Fraction(1, 2)), id="count ← 1/2"),
    ],
)
def test_constants_outside_the_exact_range(op):
    """Each of them would compile to weights that are wrong."""
    with pytest.raises(lw.LoopwrightError):
        lw.compile(make(op))


# ── printing and storing ────────────────────────────────────────────────────────────────────────


def test_prints_the_papers_step_numbers():
    text = str(lw.algorithms.dijkstra("paper"))
    assert re.findall(r"^ *\((\d+)\)", text, re.MULTILINE) == [str(i) for i in range(1, 18)]
    assert "(1)" in text.splitlines()[1]
    assert "dists_masked ← MASK if visit else dists" in text
    assert text.splitlines()[0] == "dijkstra (paper), until term"
    assert text.splitlines()[-1].strip() == "returns dists = dists, prev = prev"


@pytest.mark.parametrize("build", PROGRAMS)
def test_every_program_prints_all_its_steps(build):
    program = build()
    text = str(program)
    for at in program.steps:
        assert at.name in text
        for op in at.ops:
            assert str(op) in text


@pytest.mark.parametrize("build", PROGRAMS)
def test_json_round_trip(build):
    program = build()
    again = from_json(json.loads(json.dumps(to_json(program))))
    assert again == program
    assert str(again) == str(program)
    assert replace(program, name="other") != program


@pytest.mark.parametrize("lost", ["steps", "halt", "outputs", "variables", "bound"])
def test_json_that_lacks_something(lost):
    data = to_json(lw.algorithms.dijkstra("paper"))
    del data[lost]
    with pytest.raises(ProgramError, match=f"the stored program cannot be read.*{lost}"):
        from_json(data)


def test_json_of_an_unknown_op():
    data = json.loads(json.dumps(to_json(lw.algorithms.dijkstra("paper"))))
    data["steps"][0]["ops"][0]["op"] = "Teleport"
    with pytest.raises(ProgramError, match="Teleport"):
        from_json(data)


@pytest.mark.parametrize("changes", [{"name": "to\ny"}, {"outputs": {"\x1b[2J": B_LOCAL}}])
def test_names_that_cannot_be_printed(changes):
    with pytest.raises(ProgramError, match="text that can be printed on one line"):
        make(ops.Copy(value, 0), **changes)


def test_a_minimum_that_nobody_starts_over():
    """Its flag must be repeated at the nodes by whoever uses it; else the loop would never end."""
    least, term = Minimum(of=nodes.value("value", start=MASK)), single.flag("term")
    end = step("end", ops.Copy(term, least.done))
    with pytest.raises(ProgramError, match="no step after the minimum repeats 'term_min'"):
        least.then(1, end)
    assert len(least.then(1, end, step("repeat", ops.Repeat(least.done_n, least.done)))) == 9
