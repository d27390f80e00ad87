"""`--help` of every command, and the options whose choices it lists."""

from __future__ import annotations

import re
from importlib import import_module
from typing import get_type_hints

import pytest

from loopwright.algorithms import ALGORITHMS
from loopwright.cli.commands import COMMANDS as SUMMARIES
from loopwright.cli.commands import command_of
from loopwright.lab.clrs.tasks import SPLITS
from loopwright.lab.experiments.graphs import SHAPES
from loopwright.lab.experiments.setting import PARAMETERS
from loopwright.lab.sweep.axes import axes_of
from loopwright.lab.sweep.subject import Subject
from loopwright.runtime.machines import MACHINES

COMMANDS = list(SUMMARIES)
ATTENTION, LIMITS = ("hardmax", "softmax"), ("auto", "default", "fit", "paper")


@pytest.mark.parametrize("command", COMMANDS)
def test_a_page_of_80_columns(loopwright, monkeypatch, command):
    monkeypatch.setenv("COLUMNS", "80")
    page = loopwright(command, "--help")
    assert (page.code, page.err) == (0, "")
    assert page.out.startswith(f"Usage: loopwright {command} ")
    assert f"For example: loopwright {command} " in page.out
    assert max(map(len, page.out.splitlines())) <= 80


def test_the_first_page_has_80_columns(loopwright, monkeypatch):
    monkeypatch.setenv("COLUMNS", "80")
    assert max(map(len, loopwright("--help").out.splitlines())) <= 80


def words_of(parameter):
    """The bracketed words of an option's or argument's help."""
    (declared,) = parameter.__metadata__
    return re.findall(r"\[\w+\]", declared.help or "")


@pytest.mark.parametrize("command", COMMANDS)
def test_brackets_are_no_markup(loopwright, monkeypatch, command):
    """Rich would take `[weight]` for a style, and print nothing."""
    monkeypatch.setenv("COLUMNS", "80")
    page = loopwright(command, "--help").out
    function = getattr(import_module(f"loopwright.cli.{command}"), command)
    hints = get_type_hints(function, include_extras=True)
    words = [word for name, hint in hints.items() if name != "return" for word in words_of(hint)]
    assert [word for word in words if word not in page] == []
    assert words == (["[weight]"] if command in ("run", "view", "check", "verify") else [])


def described(page, option):
    """What a page says of an option, on one line."""
    after = page.partition(f"  {option} ")[2]
    return " ".join(re.split(r"\n  -", after)[0].split())


@pytest.mark.parametrize("command", ["run", "check", "show", "verify", "clrs", "limits", "traces"])
def test_constructions_are_listed(loopwright, command):
    said = described(loopwright(command, "--help").out, "--construction")
    for name in dict.fromkeys(name for each in ALGORITHMS.values() for name in each.constructions):
        assert name in said
    assert "if not given, compact" in said


def test_axes_are_listed(loopwright):
    said = described(loopwright("limits", "--help").out, "--axis")
    assert [name for name in axes_of(Subject.ours("dijkstra")) if name not in said] == []


@pytest.mark.parametrize("command", ["run", "verify", "traces"])
def test_inputs_are_listed(loopwright, command):
    said = described(loopwright(command, "--help").out, "--input")
    graph_algorithms = ALGORITHMS.keys() - {"graph-subleq"}  # which has a command of its own
    starts = {str(v.start) for name in graph_algorithms for v in ALGORITHMS[name]().variables}
    inputs = {start.removeprefix("input:") for start in starts if start.startswith("input:")}
    assert inputs == {"dfs", "priority"}
    assert all(f"{name}=" in said for name in inputs)


@pytest.mark.parametrize(("command", "said"), SUMMARIES.items())
def test_a_summary_is_what_the_help_of_the_command_begins_with(command, said):
    assert command_of(command).help.partition("\n")[0] == said


def test_every_command_has_one_line(loopwright):
    listed = loopwright("--help").out.partition("Commands:\n")[2].splitlines()
    assert [line.split()[0] for line in listed] == COMMANDS
    assert all(line.endswith(".") and not line.endswith("...") for line in listed)


@pytest.mark.parametrize(
    ("command", "option", "choices"),
    [
        (["run", "bfs", "graph"], "--machine", MACHINES),
        (["run", "bfs", "graph"], "--attention", ATTENTION),
        (["run", "bfs", "graph"], "--limits", LIMITS),
        (["check", "bfs", "graph"], "--machine", MACHINES),
        (["show", "bfs"], "--attention", ATTENTION),
        (["subleq", "program"], "--machine", MACHINES),
        (["clrs"], "--machine", MACHINES),
        (["clrs"], "--split", (*SPLITS, "all")),
        (["recover"], "--parameters", PARAMETERS),
        (["traces", "bfs"], "--machine", MACHINES),
        (["traces", "bfs"], "--limits", ("default", "paper")),
        (["traces", "bfs"], "--shape", SHAPES),
        (["traces", "bfs"], "--format", ("npz", "parquet", "clrs", "pyg")),
    ],
    ids=str,
)
def test_choices(loopwright, refused, command, option, choices):
    """They are listed, in the help and where another is given."""
    assert f"{option} <{'|'.join(choices)}>" in loopwright(command[0], "--help").out
    there = ", ".join(map(repr, choices))
    assert f"'{option}': 'gpu' is not one of {there}." in refused(*command, option, "gpu")
