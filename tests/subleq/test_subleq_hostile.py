"""Texts that nobody means well with: refused with a message, or read, but never a crash."""

from __future__ import annotations

import pytest

from loopwright.subleq import assemble, expand
from loopwright.subleq.errors import AssemblyError

BEFORE = ".data x 0\n.data list 1 2\n"


def message(text):
    with pytest.raises(AssemblyError) as problem:
        assemble(BEFORE + text)
    return str(problem.value)


def nested(depth):
    return ".for i, 0, 1\n" * depth + "zero x\n" + ".end\n" * depth


def chained(count):
    """Macros of which each uses the one before."""
    macros = (f".macro m{i}\n{f'm{i - 1}' if i else 'zero x'}\n.end\n" for i in range(count))
    return "".join(macros) + f"m{count - 1}\n"


def test_depth():
    too_deep = "more than 100 macros and loops are inside each other: use fewer."
    assert len(assemble(BEFORE + nested(99)).instructions) == 1
    assert len(assemble(BEFORE + chained(99)).instructions) == 1
    assert message(nested(3000)) == f"<text>:103:6: {too_deep}"
    assert message(chained(3000)).startswith(f"<text>:8704:1: {too_deep} (in 'm2899', used at")


def test_depth_that_is_never_written_out():
    unused = f".macro m\n{nested(3000)}.end\nzero x"
    assert len(assemble(BEFORE + unused).instructions) == 1
    assert message(".for i, 0, 1\n" * 3000) == "<text>:3002:1: '.for' has no '.end'."


def test_a_program_without_end(monkeypatch):
    too_long = "the program is longer than 65536 instructions."
    assert message(".for i, 0, 99999\nsubleq x, x\n.end") == f"<text>:4:1: {too_long}"
    monkeypatch.setattr(expand, "MOST", 100)
    assert message(".for i, 0, 101\nsub x, x\n.end") == (
        "<text>:4:1: the program is longer than 100 instructions. (in 'sub', used at <text>:4:1)"
    )
    assert len(assemble(BEFORE + ".for i, 0, 100\nsub x, x\n.end").instructions) == 100


def test_rounds_without_end(monkeypatch):
    monkeypatch.setattr(expand, "MOST_LINES", 1000)
    too_many = "more than 1000 lines would be written out: a '.for' has too many rounds."
    assert message(f".for i, 0, {10**30}\n.end\nzero x") == f"<text>:3:6: {too_many}"
    assert message(f".for i, 0, 9\n.for j, 0, {10**9}\nl:\n.end\n.end") == f"<text>:4:6: {too_many}"


def test_long_numbers():
    too_long = "<text>:3:5: a number of {} characters is too long: 1000 at most."
    assert message(f"sub {'1' * 9999}, x") == too_long.format(9999)
    assert message(f"sub ={'1' * 9999}, x") == too_long.format(10000)
    assert message(f"sub 1/{'1' * 9999}, x") == too_long.format(10001)
    assert assemble(f"{BEFORE}sub {'1' * 1000}, x").memory[-1] == int("1" * 1000)


def test_a_sum_that_gets_ever_finer():
    terms = "+".join(f"1/{10**900 + odd}" for odd in range(1, 99, 2))
    assert message(f"sub {terms}, x").endswith(
        "the sum is too fine: its denominator exceeds 2⁴⁰⁹⁶."
    )


@pytest.mark.parametrize(
    ("line", "expected"),
    [
        ("sub " + "x, " * 9999 + "x", "3:1: expected 'sub a, b', got 10000 operands."),
        ("sub " + "list[" * 9999, "3:14: expected ']', got '['."),
        ("sub " + "-" * 9999 + "1, x", "3:6: expected a number or a name, got '-'."),
        ("sub " + "x " * 9999, "3:7: expected ',', got 'x'."),
        ("." + "a" * 9999, f"3:1: no directive '.{'a' * 9999}'; there are: .data, "),
        ("\x00", "3:1: '\x00' has no meaning here."),
        (".space y 99999999999", "3:10: the program has more than 1048576 cells."),
    ],
)
def test_long_lines(line, expected):
    assert message(line).startswith(f"<text>:{expected}")


def test_long_lines_that_are_right():
    index = "+".join("1" * 5000) + "-5000"
    code = assemble(f"{BEFORE}.data y {'1 ' * 5000}\n{' ' * 9999}sub y[{index}], x {';' * 9999}")
    assert code.instructions[0].a == 3
    assert len(code.memory) == 5003
