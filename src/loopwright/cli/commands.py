"""All commands, and the options that stand before them. A command is imported when it is called."""

# Typer does not export the types of a context and of a command.
# pyright: reportUnknownMemberType=false, reportUnknownParameterType=false

from __future__ import annotations

from importlib import import_module
from typing import Annotated, Any

import typer
from typer.core import TyperCommand, TyperGroup

from loopwright import __version__
from loopwright.cli import process

COMMANDS = {
    "run": "Run an algorithm on a graph, by weights alone.",
    "show": "Show an algorithm's program, and what its weights cost.",
    "view": "Show every layer of a run, in one HTML file.",
    "check": "Say before a run whether its answer is guaranteed.",
    "verify": "Check that weights do what their program says.",
    "limits": "Drive an algorithm against its limits until it breaks.",
    "clrs": "Score algorithms on CLRS-30 graphs: the paper's Table 1.",
    "bench": "Measure how long runs take, beside other libraries.",
    "subleq": "Run a program, or a Turing machine, on a transformer.",
    "conditioning": "Measure how ill-conditioned the constructed weights are.",
    "recover": "Add noise to the weights, train, and see what comes back.",
    "traces": "Write what layers take and make, or hints, to train on.",
    "circuits": "Write a model with its circuit, or test methods on such.",
    "export": "Write a model in the forms that other tools take.",
}
"""Command → what its help begins with. It is a function of this name, in a module of this name."""

TAKE_ALGORITHMS = (
    "run",
    "show",
    "view",
    "check",
    "verify",
    "limits",
    "bench",
    "traces",
    "circuits",
    "export",
)
"""The commands that take your own algorithms, too."""

SETTINGS: dict[str, Any] = {
    "add_completion": False,
    "pretty_exceptions_enable": False,
    "rich_markup_mode": None,
    "context_settings": {"help_option_names": ["-h", "--help"]},
}


class Commands(TyperGroup):
    """Knows the names of commands, and one sentence of each, until one is called."""

    def __init__(self, **settings: Any) -> None:
        listed = [
            TyperCommand(name, help=said, rich_markup_mode=None) for name, said in COMMANDS.items()
        ]
        settings["commands"] = listed
        super().__init__(**settings)

    def resolve_command(self, ctx: Any, args: list[str]) -> Any:
        name, listed, rest = super().resolve_command(ctx, args)
        return name, command_of(name) if name and listed else listed, rest


def command_of(name: str) -> Any:
    """A command, with all that it needs imported."""
    with process.ending_at_once():
        module = import_module(f"loopwright.cli.{name}")
        from loopwright.cli.takes_algorithm import TakesAlgorithm  # not above: see there
    alone = typer.Typer(**SETTINGS)
    kind = TakesAlgorithm if name in TAKE_ALGORITHMS else None
    alone.command(name, cls=kind)(getattr(module, name))
    return typer.main.get_command(alone)


app = typer.Typer(cls=Commands, no_args_is_help=True, **SETTINGS)


def _version(wanted: bool) -> None:
    if wanted:
        print(f"loopwright {__version__}")
        raise typer.Exit


@app.callback()
def _options(
    debug: Annotated[
        bool, typer.Option("--debug", help="Show a traceback where something fails.")
    ] = False,
    version: Annotated[
        bool, typer.Option("--version", callback=_version, is_eager=True, help="Show the version.")
    ] = False,
) -> None:
    """Graph algorithms as the weights of a looped transformer."""


def call(arguments: list[str]) -> int:
    """Do what the arguments say, and return 0, or the code that the command asks to exit with.

    Typer's own way to call a command turns Ctrl-C and closed pipes into other things; this one
    leaves them to the caller.
    """
    command = typer.main.get_command(app)
    try:
        with command.make_context("loopwright", arguments) as context:
            command.invoke(context)
    except typer.Exit as wish:
        return wish.exit_code
    return 0
