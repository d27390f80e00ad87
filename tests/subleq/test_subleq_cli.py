"""`loopwright subleq`: what it prints, where, and with which exit code."""

from __future__ import annotations

import json

import pytest
from subleq_programs import EXAMPLES

import loopwright as lw
from loopwright.cli import main
from loopwright.subleq import assemble, listing

GRAPH = str(EXAMPLES / "graph.txt")


@pytest.fixture
def call(capsys):
    """Run a command: exit code, stdout, stderr."""

    def run(*arguments):
        with pytest.raises(SystemExit) as done:
            main([str(argument) for argument in arguments])
        out, err = capsys.readouterr()
        return done.value.code or 0, out, err

    return run


@pytest.fixture
def program(tmp_path):
    def write(text):
        path = tmp_path / "p.sq"
        path.write_text(text, encoding="utf-8")
        return path

    return write


def test_memory_before_and_after(call):
    code, out, err = call("subleq", EXAMPLES / "gcd.sq", "--set", "a=1071", "--set", "b=462")
    assert (code, err) == (0, "")
    rows = [line.strip("│").split("│") for line in out.splitlines() if line.startswith("│")]
    assert [[cell.strip() for cell in row] for row in rows] == [
        ["a", "1071", "21"],
        ["b", "462", "21"],
        ["difference", "0", "0"],
    ]
    assert "halted after" in out
    assert "of 11 layers" in out


def test_json(call):
    code, out, _ = call(
        "subleq", EXAMPLES / "degree.sq", "--graph", GRAPH, "--set", "node=2", "--json", "--verify"
    )
    found = json.loads(out)
    assert code == 0
    assert found["layers"] == 11
    assert sum(found["heads"].values()) == 3
    assert (found["nodes"], found["halted"], found["verified"]) == (4, True, True)
    assert found["before"] == {"degree": 0, "weight": 0}
    assert found["after"] == {"degree": 2, "weight": 5}
    assert found["rows"] == 1 + max(found["instructions"], found["cells"], found["nodes"])
    assert found["steps"] > 0


def test_fractions_and_arrays_in_json(call, program):
    path = program(".data x 1/4\n.data y 1 2\nadd x, y[0]")
    _, out, _ = call("subleq", path, "--json")
    assert json.loads(out)["after"] == {"x": 0.25, "y": [1.25, 2]}


def test_verified(call):
    code, out, _ = call("subleq", EXAMPLES / "addition.sq", "--verify")
    assert code == 0
    assert "Every variable was right after every layer" in out


def test_undirected(call):
    path = EXAMPLES / "triangle.sq"
    arguments = ["--graph", GRAPH, "--set", "v=2", "--set", "w=1", "--json"]
    assert json.loads(call("subleq", path, *arguments)[1])["after"]["triangle"] == 0
    _, out, _ = call("subleq", path, *arguments, "--undirected")
    assert json.loads(out)["after"]["triangle"] == 1


def test_unterminated_stops_with_its_state(call, program):
    path = program(".data x 0\nagain: sub 1, x\njump again")
    code, out, err = call("subleq", path, "--steps", 7)
    assert code == 1
    assert "│ x      │ 0      │ -4    │" in out
    assert "stopped after 7 instructions" in out
    assert err.count("\n") == 1
    assert f"{path} is still running after 7 instructions, at instruction 1 ({path}:3:" in err
    code, out, _ = call("subleq", path, "--steps", 8, "--json")
    found = json.loads(out)
    assert (code, found["halted"], found["steps"], found["pc"]) == (1, False, 8, 0)
    assert found["after"] == {"x": -4}


def test_exactly_enough_steps(call):
    assert call("subleq", EXAMPLES / "addition.sq", "--steps", 4)[0] == 0
    assert call("subleq", EXAMPLES / "addition.sq", "--steps", 3)[0] == 1


@pytest.mark.parametrize(
    ("text", "arguments", "message"),
    [
        (".data x 0\nsub y, x", [], "p.sq:2:5: there is no 'y' in memory"),
        (".data x 0\nzero x", ["--set", "y=1"], "there is no 'y' to set"),
        (".data x 0\nzero x", ["--set", "x"], "--set x: expected NAME=NUMBER"),
        (".data x 0\nzero x", ["--set", "x=one"], "--set x=one: expected NAME=NUMBER"),
        (".data x 0\nzero x", ["--set", "x=1", "--set", "x=2"], "'x' is set twice"),
        (".data x 0\nzero x", ["--machine", "abacus"], "'abacus' is not one of 'reference'"),
        (".data x 0\nzero x", ["--graph", "none.txt"], "none.txt: No such file"),
        (".data x 0\nzero x", ["--trace", "/none/t"], "/none/t: No such file"),
        (".data x 0\nzero x", ["--steps", "0"], "--steps"),
        (".data x 0\nsub A[0, 0], x", [], "reads A[0, 0], but no graph was given"),
        (".data x 1\na: add x, x\njump a", [], "x would become 1125899906842624, outside"),
        (".data x 0.1\nzero x", [], "x = 1/10 is no multiple of 1/16"),
    ],
)
def test_errors_are_one_line(call, program, text, arguments, message):
    code, out, err = call("subleq", program(text), *arguments)
    assert (code, out) == (2, "")
    assert err.count("\n") == 1
    assert message in err


def test_exact_machine_takes_decimals(call, program):
    path = program(".data x 0.3\nsub 0.1, x\nsub 0.1, x\nsub 0.1, x")
    code, out, _ = call("subleq", path, "--machine", "exact", "--json")
    assert code == 0
    assert json.loads(out)["after"] == {"x": 0}


def test_trace(call, tmp_path):
    path = tmp_path / "trace.jsonl.gz"
    assert call("subleq", EXAMPLES / "addition.sq", "--trace", path, "--verify")[0] == 0
    trace = lw.Trace.load(path)
    assert trace.header["algorithm"] == "graph-subleq"
    assert trace.start["M"].tolist() == [19, 23, 0, 0]
    assert trace[4, -1]["M"].tolist() == [19, 23, 42, 0]
    assert (trace.iterations, trace.halted) == (4, True)


def test_trace_of_a_program_without_end(call, program, tmp_path):
    path = program(".data x 1\na: sub 1, x\njump a")
    assert call("subleq", path, "--steps", 7, "--trace", tmp_path / "trace")[0] == 1
    trace = lw.Trace.load(tmp_path / "trace")
    assert (trace.iterations, trace.halted) == (7, False)


def test_listing(call):
    code, out, _ = call("subleq", EXAMPLES / "gcd.sq", "--listing")
    assert code == 0
    original = assemble((EXAMPLES / "gcd.sq").read_text(encoding="utf-8"))
    assert out == listing(original) + "\n"
    assert assemble(out) == original


def test_show(call):
    code, out, _ = call("show", "graph-subleq", "--json")
    found = json.loads(out)
    assert code == 0
    assert found["layers"] == 11
    assert found["heads"] == {"standard": 2, "A": 0, "AT": 1, "edge": 0}
    assert [step["paper_step"] for step in found["steps"]] == list(range(1, 12))
