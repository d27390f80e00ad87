"""Counter machines and Turing machines on the transformer, beside simulators written here."""

from __future__ import annotations

import json
import re
from dataclasses import dataclass, fields, is_dataclass
from itertools import islice
from pathlib import Path
from typing import Any

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from subleq_programs import PACKAGE

from loopwright.algorithms.graph_subleq import graph_subleq
from loopwright.cli import main
from loopwright.compiler.compile import compile
from loopwright.errors import CapacityError, Divergence, LoopwrightError
from loopwright.model.limits import Limits
from loopwright.subleq import GraphSubleq, counter_machine, counters, follow, turing, turing_machine
from loopwright.subleq.parse import parse
from loopwright.subleq.words import widened

EXAMPLES = Path(__file__).parents[2] / "examples" / "machines"
FEW = settings(max_examples=max(5, settings.default.max_examples // 10))
ONE_STEP = 400
"""More instructions than a step of any random machine here becomes."""

# ── simulators from the textbook, which know nothing of the package ─────────────────────────────


def lines(text: str) -> list[str]:
    return [line for each in text.splitlines() if (line := each.split(";")[0].strip())]


def simulate_counters(text: str, **given: int):
    """After how many steps which counters hold what: pairs (step that comes next, counters)."""
    held, program, labels = {}, [], {}
    for line in lines(text):
        if line.startswith(".data"):
            _, name, value = line.split()
            held[name] = int(value)
            continue
        while found := re.match(r"(\w+):\s*", line):
            labels[found[1]], line = len(program), line[found.end() :]
        if line:
            program.append(re.split(r"[\s,]+", line))
    held |= given
    labels["halt"], at = len(program), 0
    yield at, dict(held)
    while at < len(program):
        instruction, *words = program[at]
        at += 1
        if instruction == "inc":
            held[words[0]] += 1
        elif instruction == "dec" and held[words[0]] > 0:
            held[words[0]] -= 1
        elif instruction == "push":
            held[words[0]] = held[words[0]] * int(words[2]) + int(words[1])
        elif instruction == "pop":
            held[words[1]] = held[words[0]] % int(words[2])
            held[words[0]] //= int(words[2])
        else:
            at = labels[(words or ["halt"])[-1]]
        yield at, dict(held)


def simulate_turing(text: str, tape: str | None = None):
    """Every (state, tape without blanks around it, place of the head in it)."""
    said = dict(line.split() for line in lines(text) if line.startswith("."))
    rules = [line.split() for line in lines(text) if not line.startswith(".")]
    blank, state = said.get(".blank", "_"), said.get(".start", rules[0][0])
    cells, head = list(said.get(".tape", "") if tape is None else tape) or [blank], 0
    table = {(rule[0], rule[1]): rule[3:] for rule in rules}
    while True:
        first, last = 0, len(cells)
        while first < head and cells[first] == blank:
            first += 1
        while last > head + 1 and cells[last - 1] == blank:
            last -= 1
        yield {"state": state, "tape": "".join(cells[first:last]), "head": head - first}
        if (state, cells[head]) not in table:
            return
        cells[head], move, state = table[state, cells[head]]
        head += {"L": -1, "R": 1, "S": 0}[move]
        if head < 0:
            cells, head = [blank, *cells], 0
        if head == len(cells):
            cells.append(blank)


@dataclass
class Beside:
    """One of our machines, to be compared with the simulators here instead of its own."""

    ours: Any
    theirs: Any

    @property
    def code(self):
        return self.ours.code

    @property
    def begins(self):
        return self.ours.begins

    def configuration(self, pc, memory):
        found = self.ours.configuration(pc, memory)
        if isinstance(found, counters.Counters):
            return (found.step, found.values)
        return found.named()

    def configurations(self):
        return iter(self.theirs)


def beside(path_or_text: Path | str, *, tape: str | None = None, **given: int) -> Beside:
    """A machine, by the file's suffix, or a text of a Turing machine if that has a rule."""
    is_path = isinstance(path_or_text, Path)
    text = path_or_text.read_text(encoding="utf-8") if is_path else path_or_text
    if "->" in text:
        return Beside(turing_machine(text, tape=tape), simulate_turing(text, tape))
    return Beside(counter_machine(text, settings=given), simulate_counters(text, **given))


def agree(machine: Beside, steps: int) -> None:
    """Execute the translation on the plain Graph-SUBLEQ machine, for so many steps at most."""
    plain = GraphSubleq(machine.code.instructions, list(machine.code.memory))
    begins = machine.begins
    for expected in islice(machine.configurations(), steps):
        end = plain.steps + ONE_STEP
        while plain.pc not in begins:
            assert plain.steps < end, f"a step does not end: {expected} does not come"
            plain.step()
        assert machine.configuration(plain.pc, tuple(plain.memory)) == expected
        if not plain.halted:
            plain.step()


# ── the examples ────────────────────────────────────────────────────────────────────────────────


@pytest.mark.parametrize("path", sorted(EXAMPLES.iterdir()), ids=lambda path: path.name)
def test_what_the_file_says(path):
    """Each file states its result in a comment; every configuration on the way is compared."""
    expected = re.search(r"^; Expect: (.*)$", path.read_text(encoding="utf-8"), re.MULTILINE)
    assert expected, f"{path.name}: no line '; Expect: name = value, …'"
    found = follow(beside(path))
    assert found.outcome.halted
    last = found.after if path.suffix == ".tm" else found.after[1]
    for part in expected[1].split(","):
        name, _, value = part.partition("=")
        if name.strip() == "steps":
            assert found.steps == int(value)
        else:
            assert str(last[name.strip()]) == value.strip()


def test_busy_beavers():
    """The numbers of ones and of steps are known: 5 and 21, 13 and 107."""
    for name, ones, steps in [("busy_beaver_3", 5, 21), ("busy_beaver_4", 13, 107)]:
        *_, last = configurations = list(turing_machine(read(f"{name}.tm")).configurations())
        assert last.named()["tape"].count("1") == ones
        assert len(configurations) == steps + 1


def read(name: str) -> str:
    return (EXAMPLES / name).read_text(encoding="utf-8")


@FEW
@given(x=st.integers(0, 20), y=st.integers(0, 20))
def test_addition(x, y):
    machine = beside(EXAMPLES / "addition.cm", x=x, y=y)
    assert follow(machine).after[1] == {"x": 0, "y": x + y}


@FEW
@given(x=st.integers(0, 4), y=st.integers(0, 4))
def test_multiplication(x, y):
    machine = beside(EXAMPLES / "multiplication.cm", x=x, y=y)
    assert follow(machine).after[1] == {"x": 0, "y": y, "product": x * y, "kept": 0}


@FEW
@given(word=st.text("ab", max_size=5))
def test_palindromes(word):
    found = follow(beside(EXAMPLES / "palindrome.tm", tape=word))
    assert found.after["state"] == ("yes" if word == word[::-1] else "no")


# ── any machines ────────────────────────────────────────────────────────────────────────────────


@st.composite
def counter_texts(draw) -> str:
    """Three counters and a few steps, with jumps to any of them."""
    count = draw(st.integers(1, 6))
    base = st.integers(2, 5)
    to = st.sampled_from([*(f"step_{i}" for i in range(count)), "halt"])
    text = [f".data {each} {draw(st.integers(0, 30))}" for each in "xyz"]
    for i in range(count):
        one, other = draw(st.permutations("xyz"))[:2]
        b = draw(base)
        step = draw(
            st.one_of(
                st.sampled_from([f"inc {one}", f"pop {one}, {other}, {b}", "halt"]),
                st.builds(f"dec {one}, {{}}".format, to),
                st.builds("jump {}".format, to),
                st.integers(0, b - 1).map(lambda d, one=one, b=b: f"push {one}, {d}, {b}"),
            )
        )
        text.append(f"step_{i}: {step}")
    return "\n".join(text)


@st.composite
def turing_texts(draw) -> str:
    """Up to three states and three symbols; for some of them there is no rule."""
    states, symbols = "ABC"[: draw(st.integers(1, 3))], "_01"[: draw(st.integers(1, 3))]
    rule = st.builds(
        "{} {} {}".format,
        st.sampled_from(symbols),
        st.sampled_from("LRS"),
        st.sampled_from([*states, "end"]),
    )
    pairs = [(state, symbol) for state in states for symbol in symbols]
    chosen = draw(st.lists(st.sampled_from(pairs), min_size=1, unique=True))
    text = [f"{state} {symbol} -> {draw(rule)}" for state, symbol in chosen]
    return "\n".join([f".tape {draw(st.text(symbols, min_size=1, max_size=5))}", *text])


@given(text=counter_texts())
def test_any_counter_machine(text):
    agree(beside(text), steps=25)


@given(text=turing_texts())
def test_any_turing_machine(text):
    agree(beside(text), steps=25)


@FEW
@given(text=st.one_of(counter_texts(), turing_texts()))
def test_any_machine_on_the_transformer(text):
    follow(beside(text), steps=100)


@pytest.mark.parametrize("text", [read("addition.cm"), ".tape 10\nA 1 -> 0 R A\nA 0 -> 1 L end"])
def test_our_simulators(text):
    """What `follow` compares with by default goes through the configurations of those here."""
    machine = beside(text)
    found = [
        (each.step, each.values) if isinstance(each, counters.Counters) else each.named()
        for each in machine.ours.configurations()
    ]
    assert found == list(machine.theirs)
    follow(machine.ours, verify=True)


@pytest.mark.parametrize("base", [2, 3, 10])
@pytest.mark.parametrize("number", [0, 1, 2, 9, 10, 255, 2**40 + 12345])
def test_pop_and_push(base, number):
    """Numbers far larger than a loop that counts could divide."""
    text = f".data x {number}\n.data y 7\npop x, y, {base}\npush x, 1, {base}"
    machine = counter_machine(text)
    plain = GraphSubleq(machine.code.instructions, list(machine.code.memory))
    assert plain.run(20_000)
    found = machine.values(tuple(plain.memory))
    assert found == {"x": number // base * base + 1, "y": number % base}


# ── the range of numbers ────────────────────────────────────────────────────────────────────────

DOUBLE = ".data x 1\nagain: push x, 0, 2\njump again"


def test_a_number_that_floats_cannot_hold():
    message = r"instruction \d+ \(<text>:2: again: push x, 0, 2\): x would become 1125899906842624"
    with pytest.raises(CapacityError, match=message):
        follow(counter_machine(DOUBLE))


def test_weights_for_larger_numbers_go_on():
    """On rationals nothing else is needed than a larger Ω."""
    machine = counter_machine(DOUBLE, settings={"x": 2**49})
    constants = widened(Limits(nodes=8, largest=2**49, resolution=1).constants(), 2**60)
    found = follow(machine, machine="exact", limits=constants, steps=5 * 5, verify=True)
    assert found.after.named() == {"x": 2**54}


def test_omega_is_all_that_grows():
    constants = Limits(nodes=8, largest=2**49, resolution=1).constants()
    small, large = (weights(each) for each in (constants, widened(constants, 2**10)))
    different = small != large
    assert different.any()
    np.testing.assert_array_equal(large[different], 2**10 * small[different])
    assert set(abs(small[different])) == {constants.omega}


def weights(constants) -> np.ndarray:
    """Every weight of the 11 layers, in one row."""
    found = []

    def walk(part) -> None:
        if isinstance(part, np.ndarray):
            found.append(part.ravel())
        elif is_dataclass(part):
            for each in fields(part):
                walk(getattr(part, each.name))
        elif isinstance(part, tuple | list):
            for each in part:
                walk(each)

    walk(compile(graph_subleq(), limits=constants).layers)
    return np.concatenate(found)


# ── errors in a machine and in a translation ────────────────────────────────────────────────────


@pytest.mark.parametrize(
    ("right", "wrong"),
    [
        ("sub 1-base, x", "sub 2-base, x"),
        ("subleq _part, x, undo", "subleq _part, x, rest"),
        ("sub _count, _negated", "sub 1, _negated"),
        ("jle x, to", "jlt x, to"),
        ("sub -digit, x", "sub digit, x"),
        (".for i, 1, base", ".for i, 0, base"),
        ("sub -1, x\n.end", "sub -2, x\n.end"),
    ],
)
def test_an_error_in_the_macros_is_noticed(monkeypatch, right, wrong):
    text = (PACKAGE / "counters.sq").read_text(encoding="utf-8")
    assert text.count(right) == 1
    broken = parse(text.replace(right, wrong), "counters.sq")
    monkeypatch.setattr(counters, "_instructions", lambda: broken)
    program = (
        ".data x 3\n.data y 0\npush x, 1, 2\ninc x\ninc x\npop x, y, 2\ndec y, halt\ndec y, halt"
    )
    with pytest.raises(Divergence, match="the plain simulator is"):
        follow(counter_machine(program), steps=100)


def test_an_error_in_the_translation_is_noticed(monkeypatch, call):
    """The written symbol lands on the wrong side of the head."""

    def swapped(text, **given):
        return counter_machine(text.replace("push left", "push right"), **given)

    monkeypatch.setattr(turing, "counter_machine", swapped)
    code, _, err = call("subleq", EXAMPLES / "busy_beaver_3.tm")
    assert code == 1
    assert "after 1 steps and 17 instructions the weights are in state B, on [1]" in err
    assert "the plain simulator is in state B, on 1[0]." in err


WRONG_COUNTERS = [
    ("inc y", "2:5: there is no 'y' among the counters; there are: x."),
    ("inc 3", "2:5: 'inc' expected a counter, got a number."),
    ("inc x[0]", "2:5: expected a counter, got an element of 'x'."),
    ("inc", "2:1: expected 'inc counter', got 0 operands."),
    ("dec x", "2:1: expected 'dec counter, label', got 1 operands."),
    ("dec x, 7", "2:8: 'dec' expected a label, got a number."),
    ("sub 1, x", "2:1: no instruction 'sub'; there are: inc, dec, jump, halt, push, pop."),
    ("push x, 2, 2", "2:1: a digit is less than its base; got 2 of base 2."),
    ("push x, 0, 1", "2:12: expected a base of at least 2, got 1."),
    ("push x, -1, 3", "2:10: expected a digit of at least 0, got -1."),
    ("pop x, x, 2", "2:1: 'pop' needs two counters, for quotient and rest; got 'x' twice."),
    (".data y -1", "2:7: a counter holds 0, 1, 2, …; 'y' is -1."),
    (".data y 1/2", "2:7: a counter holds 0, 1, 2, …; 'y' is 1/2."),
    (".data y 1 2", "2:7: a counter is one number, but 'y' has 2."),
    (".data Z 0", "2:7: 'Z' is the cell that is 0: choose another name."),
    (".data x 0", "2:7: 'x' is already defined at <text>:1:7."),
    (".data _p 0", "2:7: '_p' cannot name a counter: choose a name that begins with a letter."),
    (
        ".space y 3",
        "2:8: a counter machine has '.data', labels and inc, dec, jump, halt, push, pop; "
        "no '.space'.",
    ),
    (
        "jump to",
        "2:6: there is no 'to' to jump to; there are: halt. (in 'jump', used at <text>:2:1)",
    ),
    ("", "3:1: expected an instruction, got the end of the program."),
]


@pytest.mark.parametrize(("line", "expected"), WRONG_COUNTERS)
def test_a_wrong_counter_machine(line, expected):
    with pytest.raises(LoopwrightError) as problem:
        counter_machine(f".data x 0\n{line}\n")
    assert str(problem.value) == f"<text>:{expected}"


WRONG_TURING = [
    ("A 0 -> 1 R", "2:1: expected 'STATE SYMBOL -> SYMBOL MOVE STATE', got 'A 0 -> 1 R'."),
    ("A 0 to 1 R B", "2:1: expected 'STATE SYMBOL -> SYMBOL MOVE STATE', got 'A 0 to 1 R B'."),
    ("A 0 -> 1 U B", "2:10: expected a move L, R or S, got 'U'."),
    ("A 10 -> 1 R B", "2:3: expected a symbol, which is one character, got '10'."),
    ("A 0 -> ab R B", "2:8: expected a symbol, which is one character, got 'ab'."),
    ("A! 0 -> 1 R B", "2:1: expected a state of letters, digits and '_', got 'A!'."),
    ("A 1 -> 1 R B", "2:1: what to do in 'A' on '1' is already defined at <text>:1:1."),
    (".blank 01", "2:8: expected a symbol, which is one character, got '01'."),
    (".start", "2:1: expected '.start' and one word, got 0."),
    (".begin A", "2:1: no directive '.begin'; there are: .blank, .start, .tape."),
]


@pytest.mark.parametrize(("line", "expected"), WRONG_TURING)
def test_a_wrong_turing_machine(line, expected):
    with pytest.raises(LoopwrightError) as problem:
        turing_machine(f"A 1 -> 1 R A\n{line}\n")
    assert str(problem.value) == f"<text>:{expected}"


def test_other_wrong_turing_machines():
    with pytest.raises(LoopwrightError, match=r"<text>:2:1: expected a rule '.*', got the end"):
        turing_machine(".tape 01\n")
    with pytest.raises(LoopwrightError, match="<text>: 'x' on the tape is no symbol of its rules"):
        turing_machine("A 1 -> 1 R A", tape="1x")
    with pytest.raises(LoopwrightError, match="a tape of 1001 symbols is too long: 1000 at most"):
        turing_machine("A 1 -> 1 R A", tape="1" * 1001)


# ── the command ─────────────────────────────────────────────────────────────────────────────────


@pytest.fixture
def call(capsys):
    """Run a command: exit code, stdout, stderr."""

    def run(*arguments):
        with pytest.raises(SystemExit) as done:
            main([str(argument) for argument in arguments])
        out, err = capsys.readouterr()
        return done.value.code or 0, out, err

    return run


def test_the_command_on_counters(call):
    code, out, err = call("subleq", EXAMPLES / "addition.cm", "--set", "x=2", "--verify")
    assert (code, err) == (0, "")
    assert "│ y       │ 7      │ 9     │" in out
    assert "halted after 7 steps and 9 instructions" in out
    assert "Every configuration was that of a plain simulator." in out


def test_the_command_on_a_tape(call):
    code, out, _ = call("subleq", EXAMPLES / "palindrome.tm", "--tape", "ab", "--json")
    found = json.loads(out)
    assert code == 0
    assert found["before"] == {"state": "first", "tape": "ab", "head": 0}
    assert found["after"] == {"state": "no", "tape": "b", "head": 0}
    assert (found["source_steps"], found["layers"], found["machine"]) == (4, 11, "native")


def test_the_listing_of_a_machine(call):
    _, out, _ = call("subleq", EXAMPLES / "addition.cm", "--listing")
    assert "subleq =1, x" in out


def test_a_machine_that_goes_on(call):
    code, out, err = call("subleq", EXAMPLES / "addition.cm", "--steps", 4)
    assert code == 1
    assert "stopped after 3 steps and 4 instructions" in out
    assert "still running after 4 instructions" in err


@pytest.mark.parametrize(
    ("name", "options", "expected"),
    [
        ("addition.cm", ["--tape", "1"], "--tape is for Turing machines (.tm)"),
        ("addition.cm", ["--set", "z=1"], "there is no 'z' to set; there are: x, y."),
        ("addition.cm", ["--set", "x=1,2"], "--set x: a counter is one number, not 2."),
        ("addition.cm", ["--set", "x=-1"], "'x' is -1."),
        ("palindrome.tm", ["--set", "x=1"], "is a Turing machine, which takes --tape."),
        ("palindrome.tm", ["--tape", "b" * 40], "is outside −562949953421312 … 562949953421312."),
        ("none.tm", [], "No such file or directory."),
    ],
)
def test_refused(call, name, options, expected):
    code, out, err = call("subleq", EXAMPLES / name, *options)
    assert (code, out, err.count("\n")) == (2, "", 1)
    assert expected in err


def test_machines_read_no_graph(call):
    code, _, err = call("subleq", EXAMPLES / "addition.cm", "--graph", "examples/roads.txt")
    assert code == 2
    assert "is a machine that reads no graph." in err
