"""`--help` of every command, and the options whose choices it lists."""

from __future__ import annotations

import pytest

from loopwright.cli.commands import app
from loopwright.lab.clrs.tasks import SPLITS
from loopwright.lab.experiments.graphs import SHAPES
from loopwright.lab.experiments.setting import PARAMETERS
from loopwright.runtime.machines import MACHINES

COMMANDS = [command.callback.__name__ for command in app.registered_commands]
ATTENTION, LIMITS = ("hardmax", "softmax"), ("auto", "default", "fit", "paper")


@pytest.mark.parametrize("command", COMMANDS)
def test_a_page_of_80_columns(loopwright, monkeypatch, command):
    monkeypatch.setenv("COLUMNS", "80")
    page = loopwright(command, "--help")
    assert (page.code, page.err) == (0, "")
    assert page.out.startswith(f"Usage: loopwright {command} ")
    assert f"For example: loopwright {command} " in page.out
    assert max(map(len, page.out.splitlines())) <= 80


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
        (["traces", "bfs"], "--format", ("npz", "parquet")),
    ],
    ids=str,
)
def test_choices(loopwright, refused, command, option, choices):
    """They are listed, in the help and where another is given."""
    assert f"{option} <{'|'.join(choices)}>" in loopwright(command[0], "--help").out
    there = ", ".join(map(repr, choices))
    assert f"'{option}': 'gpu' is not one of {there}." in refused(*command, option, "gpu")
