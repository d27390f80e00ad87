"""The command line → every command's options, as `--help` prints them."""

from __future__ import annotations

import typer

from loopwright.cli.commands import COMMANDS, app, command_of


def options() -> str:
    """A heading and a block for each command."""
    parts = ["## Every option\n"]
    group = typer.main.get_command(app)
    with group.make_context("loopwright", [], resilient_parsing=True) as context:
        for name in COMMANDS:
            command = command_of(name)
            with command.make_context(
                name, [], parent=context, resilient_parsing=True, terminal_width=100
            ) as own:
                parts.append(f"### loopwright {name}\n\n```text\n{command.get_help(own)}\n```\n")
    return "\n".join(parts)
