"""Bad programs of statements: the line of the author's file, the variable, and the remedy."""

from __future__ import annotations

import re
from fractions import Fraction

import pytest

import loopwright as lw
from loopwright.errors import ProgramError

HEAD = """
import loopwright as lw

def helper(p):
    return p.nodes.count(start=2)

@lw.algorithm(iterations=lambda n: n)
def bad(p):  # the program
    x = p.nodes.count()
    y = p.nodes.value()
    f = p.nodes.flag()
    to = p.nodes.index()
    one = p.single.count()
"""
END = """
    x[f] = 1
    p.halt_when(p.all(f))
    return {"x": x}
"""
BODIES = {
    # what Python would decide while the program is written
    "chained": ("x[0 < x < 5] = 1", r"'\(0 < x\)' .* and \(a < b\) & \(b < c\)|that of a < b < c"),
    "and": ("x[f and x > 0] = 1", "'f' has a value on each row .*: use &, | and ~ in the place"),
    "not": ("x[not f] = 1", "'f' has a value on each row .*: use &, | and ~ in the place of and"),
    "if": ("x[:] = 1 if x > 3 else 2", r"'\(3 < x\)' .* p.where in the place of if"),
    "min": ("x[:] = min(x, 3)", r"'\(3 < x\)' .* p.min and p.max in the place of min and max"),
    "for": ("for each in f: pass", "'f' is one term; p.all and p.any look at all nodes"),
    # truths and numbers
    "flag and number": ("f[:] = f & x", "'f' & 'x': only .* compare 'x' with something, as in"),
    "number and flag": ("f[:] = x | f", r"'x' \| 'f': only .* compare 'x' with something, as in"),
    "unnamed": ("f |= x + 1", r"'f' \| 'x \+ 1': only .*; compare 'x \+ 1' with something"),
    "not of a number": ("f[:] = ~x", "~'x': only what is true or false .* compare 'x' with"),
    "all of a number": ("f[p.all(x)] = 1", "'x' is no truth, where one is needed: compare it"),
    "any of a number": ("f[p.any(x)] = 1", "'x' is no truth, where one is needed: compare it"),
    "edges of a number": ("y[:] = p.edges_from(x)", "'x' is no truth, where one is needed"),
    "flag gets a number": ("f[:] = x", "'x' is a count, but 'f' is a flag: compare it"),
    "least flag": ("f[:] = p.is_least(f)", r"'f' is a flag, where an index .* \(f is least unl"),
    # numbers that do not fit
    "negative": ("x -= 1", "'x' is unsigned, but 'x − 1' may be .*: declare it with signed=True"),
    "negative start": ("z = p.nodes.count(start=-1)", "start=-1: .*declare it with signed=True"),
    "negative somewhere": ("x[f] = -2", "'x' is unsigned, but '-2 if f else x' .* signed=True"),
    "fraction": ("x[:] = x + lw.fraction", "'x . 1/2' is a value, but 'x' is a count: declare 'x'"),
    "index": ("to += 1", r"'to \+ 1' is a count, but 'to' is an index: declare 'to' as a count"),
    "float": ("y[:] = y + 0.5", r"0.5 is no term: numbers .* Fraction, as Fraction\('0.5'\)"),
    "float compared": ("f[:] = y > 0.5", r"0.5 is no term: numbers .* Fraction, as Fraction"),
    "float factor": ("y[:] = y * 0.5", r"'y' \* 0.5: only a whole number can be a factor"),
    "product": ("y[:] = y * x", r"'y' \* 'x': only a whole number can be a factor"),
    "half": ("y[:] = y / 2", "'y' and 2: nothing divides, .* multiplied by a whole number"),
    "square": ("y[:] = y ** 2", "'y' and 2: nothing divides, shifts, or raises to a power; n"),
    "shift": ("x[:] = x << 1", "'x' and 1: nothing divides, shifts, or raises to a power; num"),
    "remainder": ("x[:] = divmod(x, 2)", "'x' and 2: nothing divides, shifts, or raises to a pow"),
    "plus": ("x[:] = +x", r"\+'x' is 'x': leave out the \+"),
    "either": ("f[:] = f ^ (x > 0)", r"'f' \^ '\(0 < x\)': say a != b, which is true where one is"),
    "ordered truths": ("f[:] = f < (x > 0)", "'f' and '.*': what is true .* say a & ~b, or comp"),
    "size of a truth": ("x[:] = abs(f)", "'f' is true or false, and has no sign"),
    "flag grows": ("f += 1", r"'f' is a flag, which cannot grow: write f \|= …, f &= … or f\[:\]"),
    # what Python would have to know while the program is written
    "rounded": ("y[:] = round(y)", "'y' has a value on each row of a run, .*: it cannot be round"),
    "int": ("x[:] = int(y)", "'y' has a value on each row of a run, .* made a number of Python's"),
    "length": (
        "x[:] = len(f)",
        "'f' has a value on each row of a run, .*: it cannot be rounded, m",
    ),
    "range": ("for i in range(x): pass", "'x' has a value on each row of a run, .*: it cannot be"),
    # who is assigned to
    "set": ("x.set(3)", r"'x' has no 'set': x\[:\] = … writes a variable, and x\[flag\] = … whe"),
    "of a term": ("(x + 1).set(3)", r"'x \+ 1' has no 'set': x\[:\] = … writes a variable"),
    "part": ("x.start = 3", r"'x' has no 'start': x\[:\] = … writes a variable, and x\[flag\] ="),
    "deleted": ("del x[f]", r"'x': nothing is deleted; x\[flag\] = 0 clears rows"),
    "pointer": ("x[to] = 3", r"'x'\['to'\] = …: write x\[:\] = … .*can be read, but not written"),
    "add at a pointer": ("x[to] += 3", r"'x'\['to'\] = …: write x\[:\] = … .* but not written"),
    "number of a row": ("x[0] = 3", r"'x'\[0\] = …: write x\[:\] = … for all rows, or x\[flag\]"),
    "read a row": ("x[:] = x[1]", r"'x'\[1\]: only an index finds a node; p.where\(flag, x, 0\)"),
    "no variable": ("(x + y)[f] = 3", r"'x \+ y' is a term, not a variable: declare one, as x ="),
    "constant": ("p.index[:] = 3", "'own_index' is a term, not a variable: declare one, as x ="),
    "single": ("one[:] = x", r"'x' has an entry for each node, where one .*: p.first\(flags, x\)"),
    # declarations and words
    "name twice": ("z = [p.nodes.flag('z'), p.nodes.flag('z')]", "a variable 'z' already: give"),
    "taken": ("z = p.nodes.flag('own_index')", "there is a variable 'own_index' already: give"),
    "no name": ("z = p.nodes.flag(3)", "the name 3 of a variable must be text that can be printed"),
    "unseen name": (
        "z = p.nodes.flag('z\\b')",
        r"the name 'z\\x08' of a variable must be text that",
    ),
    "no source": ("z = p.nodes.count(at_source=1)", "at_source=1, .* no source: add source='req"),
    "float start": ("z = p.nodes.value(start=0.5)", "start=0.5: must be a whole number, a Frac"),
    "word": ("f[:] = p.is_lest(x)", "p has no 'is_lest'; did you mean 'is_least'?"),
    "no such word": ("f[:] = p.zzz(x)", "p has no 'zzz'; it has nodes, single, index, is_least"),
    "kind": ("z = p.nodes.flg()", "p.nodes has no 'flg'; did you mean 'flag'?"),
    "weights": ("y[:] = p.sum_from(y)", "counts every edge once, but .*: declare .* edges='ones'"),
    "successor": ("to[:] = p.successor()", "counts every edge once, but .*: declare .*edges='on"),
    # when to halt
    "per node": ("p.halt_when(f)", r"'f' may differ from node to node: say p.all\(…\) or p.any"),
    "unless per node": ("p.halt_unless(f)", r"'f' may differ from node to node: say p.all\(…\)"),
    "number": ("p.halt_unless(one)", "'one' is no truth, where one is needed: compare it"),
    "twice": ("p.halt_when(p.any(f)); p.halt_when(p.all(f))", r"one halt_when .* conditions with"),
}


def program_in(folder, text):
    """The program of a file."""
    path = folder / "bad.py"
    path.write_text(text, encoding="utf-8")
    space = {}
    exec(compile(text, str(path), "exec"), space)
    return space["bad"]()


@pytest.mark.parametrize(("line", "message"), BODIES.values(), ids=BODIES)
def test_in_a_line(line, message, tmp_path):
    text = f"{HEAD}    {line}\n{END}".replace(
        "lw.fraction", "__import__('fractions').Fraction(1, 2)"
    )
    number = HEAD.count("\n") + 1
    with pytest.raises(ProgramError, match=message) as caught:
        program_in(tmp_path, text)
    assert str(caught.value).startswith(f"bad.py, line {number}")
    assert "#" not in str(caught.value)
    assert program_in(tmp_path, HEAD + END)


@pytest.mark.parametrize(
    ("end", "message"),
    [
        ("    return {'x': x}\n", r"never halts: say when, with p.halt_when\(p.all\(…\)\)"),
        ("    p.halt_when(p.all(f))\n", "returned None, no outputs: end it with return {'name'"),
        ("    return x\n", "returned 'x', no outputs: end it with return"),
        ("    return x + 1\n", r"returned 'x \+ 1', no outputs: end it with return"),
        ("    return {}\n", "returned {}, no outputs: end it with return"),
        ("    return {'x': 3}\n", "output 'x' is 3, which is no term: return {'x': variable}"),
        ("    p.halt_when(p.all(f))\n    return {'x': x}\n", r"'x' as it begins: .* x\[:\] ="),
        ("    p.halt_when(p.all(f))\n    return {'x': p.index}\n", "'own_index' as it begins"),
    ],
)
def test_at_the_end(end, message, tmp_path):
    """The line is that of the function, with its decorator."""
    with pytest.raises(ProgramError, match=message) as caught:
        program_in(tmp_path, HEAD + end)
    line = HEAD.partition("@lw")[0].count("\n") + 1
    assert re.match(rf"bad.py, line {line}, 'bad': ", str(caught.value))


@pytest.mark.parametrize("rebound", ["x = x + 1", "x = p.where(f, 1, x)", "f = f | (x > 0)"])
def test_a_name_for_another_term(rebound, tmp_path):
    """The variable would stay what it was, for ever."""
    text = f"{HEAD}    {rebound}\n    p.halt_when(p.all(f))\n    return {{'x': x}}\n"
    with pytest.raises(ProgramError, match=r"nothing assigns, .* write x\[:\] = x \+ 1") as caught:
        program_in(tmp_path, text)
    declared = text.partition(f"    {rebound[0]} = p.nodes")[0].count("\n") + 1
    assert str(caught.value).startswith(f"bad.py, line {declared}: ")


def test_variables_without_a_name_that_are_inputs(tmp_path):
    body = "    x[:] = [p.nodes.count(start=lw.given('a')), 1][0] + helper(p)\n"
    with pytest.raises(ProgramError, match="nothing assigns"):
        program_in(tmp_path, HEAD + body + END)
    assert program_in(tmp_path, HEAD + body.replace(" + helper(p)", "") + END)


# ── terms of other programs ─────────────────────────────────────────────────────────────────────

KEPT = []


@lw.algorithm(iterations=lambda n: n)
def keeper(p):
    """Its terms are seen from outside."""
    x, f = p.nodes.count(start=lw.given("x")), p.nodes.flag()
    KEPT[:] = [x, f, p]
    x += 1
    p.halt_when(p.all(f))
    return {"x": x}


OTHERS = [
    lambda p, x, f: p.nodes.count() + x,
    lambda p, x, f: x + 1,
    lambda p, x, f: p.all(x == 0),
    lambda p, x, f: p.nodes.flag() & f,
    lambda p, x, f: p.where(f, p.index, 0),
    lambda p, x, f: p.any(f),
    lambda p, x, f: p.halt_unless(KEPT[2].all(f)),
    lambda p, x, f: x.__setitem__(slice(None), 3),
    lambda p, x, f: f.__ior__(p.index > 2),
    lambda p, x, f: p.first(f),
    lambda p, x, f: p.index[x],
    lambda p, x, f: 3 * x,
    lambda p, x, f: p.max(x, p.index),
]


@pytest.mark.parametrize("use", OTHERS)
def test_terms_of_another_program(use):
    keeper()

    @lw.algorithm(iterations=lambda n: n)
    def other(p):
        mine = p.nodes.flag()
        use(p, *KEPT[:2])
        p.halt_when(p.all(mine))
        return {"mine": mine}

    with pytest.raises(ProgramError, match=r"line \d+: .*'keeper'|only an index finds"):
        other()


def test_an_output_of_another_program():
    keeper()

    @lw.algorithm(iterations=lambda n: n)
    def other(p):
        p.halt_when(p.all(p.nodes.flag()))
        return {"x": KEPT[0]}

    with pytest.raises(ProgramError, match=r"line \d+, 'other': output 'x' is a term of 'keeper'"):
        other()


@pytest.mark.parametrize("bound", [lambda n: n - 1, lambda n: n.bit_length(), lambda n: n**0.5])
def test_iterations_are_a_polynomial(bound):
    with pytest.raises(ProgramError, match=r"iterations: what the function returns .* round it up"):
        lw.algorithm(iterations=bound)(lambda p: {})


def test_a_variable_without_a_name_that_is_made_of_itself():
    """It is shown once, however often it was written from itself."""

    def function(p):
        kept = [p.nodes.count()]
        kept[0] += 1
        kept[0] += Fraction(1, 2)
        return {"it": kept[0]}

    with pytest.raises(ProgramError, match=r"line \d+: "):
        lw.algorithm(iterations=1)(function)()


def test_multiplied_in_place():
    """`x *= 2` writes the variable, as `x += x` does, and is no other name for a term."""

    @lw.algorithm(iterations=lambda n: 3)
    def powers(p):
        x, turns = p.nodes.count(start=1), p.nodes.count()
        x *= 3
        turns += 1
        p.halt_when(p.all(turns > 2))
        return {"x": x}

    found = lw.compile(powers()).run([("a", "b", 1)])
    assert found.result["x"] == {"a": 27, "b": 27}
