"""Texts that nobody means well with: refused with a message, or read, but never a crash."""

from __future__ import annotations

import os

import pytest

from loopwright.subleq import assemble, expand, turing_machine
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
    too_long = "the program is longer than 65,536 instructions."
    assert message(".for i, 0, 99999\nsubleq x, x\n.end") == f"<text>:4:1: {too_long}"
    monkeypatch.setattr(expand, "MOST", 100)
    assert message(".for i, 0, 101\nsub x, x\n.end") == (
        "<text>:4:1: the program is longer than 100 instructions. (in 'sub', used at <text>:4:1)"
    )
    assert len(assemble(BEFORE + ".for i, 0, 100\nsub x, x\n.end").instructions) == 100


def test_rounds_without_end(monkeypatch):
    monkeypatch.setattr(expand, "MOST_LINES", 1000)
    too_many = "more than 1,000 lines would be written out: a '.for' has too many rounds."
    assert message(f".for i, 0, {10**30}\n.end\nzero x") == f"<text>:3:6: {too_many}"
    assert message(f".for i, 0, 9\n.for j, 0, {10**9}\nl:\n.end\n.end") == f"<text>:4:6: {too_many}"


def test_long_numbers():
    too_long = "has 9,999 characters; a number has at most 1,100."
    assert message(f"sub {'1' * 9999}, x") == f"<text>:3:5: '{'1' * 80}…' {too_long}"
    assert message(f"sub ={'1' * 9999}, x") == f"<text>:3:5: '={'1' * 79}…' {too_long}"
    assert message(f"sub 1/{'1' * 9999}, x") == f"<text>:3:5: '1/{'1' * 78}…' {too_long}"
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
        (".space y 99999999999", "3:10: the program has more than 1,048,576 cells."),
    ],
)
def test_long_lines(line, expected):
    assert message(line).startswith(f"<text>:{expected}")


def test_long_lines_that_are_right():
    index = "+".join("1" * 5000) + "-5000"
    code = assemble(f"{BEFORE}.data y {'1 ' * 5000}\n{' ' * 9999}sub y[{index}], x {';' * 9999}")
    assert code.instructions[0].a == 3
    assert len(code.memory) == 5003


# ── sizes: refused before any work is done ──────────────────────────────────────────────────────


def test_rounds_are_counted_before_the_first(monkeypatch):
    def block(*_):
        pytest.fail("a round was written out")

    monkeypatch.setattr(expand.Expansion, "block", block)
    assert message(".for i, 0, 1000000000\nzero x\n.end") == (
        "<text>:3:6: more than 1,048,576 lines would be written out: a '.for' has too many rounds."
    )


def test_a_long_text():
    with pytest.raises(AssemblyError) as problem:
        assemble(";" * (2**20 + 1), file="long.sq")
    assert str(problem.value) == "long.sq: 1,048,577 characters; a program has at most 1,048,576."


@pytest.mark.skipif(not os.path.exists("/dev/zero"), reason="there is no endless file")
@pytest.mark.parametrize("suffix", ["sq", "cm", "tm"])
def test_a_file_without_end(refused, tmp_path, suffix):
    endless = tmp_path / f"endless.{suffix}"
    endless.symlink_to("/dev/zero")
    message = refused("subleq", endless)
    assert message.startswith(f"loopwright: {endless}: larger than 1,048,576 bytes")


@pytest.mark.parametrize(
    ("value", "problem"),
    [
        ("1e999999999", "a number is beyond a float: exponents are below 1,000."),
        ("1" * 5000, "a number has 5,000 characters; a number has at most 1,100."),
        ("1/0", "expected NAME=NUMBER, or NAME=NUMBER,NUMBER,…."),
    ],
)
def test_numbers_that_are_set(refused, tmp_path, value, problem):
    program = tmp_path / "program.sq"
    program.write_text(".data x 1\nzero x\n")
    message = refused("subleq", program, "--set", f"x={value}")
    assert message.startswith("loopwright: --set x=1")
    assert message.endswith(f": {problem}\n")
    assert len(message) < 200


def test_a_turing_machine_of_too_many_symbols():
    """Each state has a line for each symbol, and up to as many again for each that has no rule."""
    rules = "".join(f"a {chr(0x4E00 + i)} -> {chr(0x4E00 + i)} R a\n" for i in range(2))
    many = "".join(f"b {chr(0x4E00 + i)} -> {chr(0x4E00 + i)} R b\n" for i in range(1000))
    machine = turing_machine(rules + many)
    with pytest.raises(AssemblyError, match=r"2 states and 1,001 symbols make a counter machine"):
        _ = machine.counters
