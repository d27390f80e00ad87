"""What asks for other limits, as in `Limits(nodes=700)` → the same, and how a command gets them.

That remedy is Python, and right for whoever calls the package from there.
"""

from __future__ import annotations

from loopwright.cli.algorithm import SAVED

FIT = ("run", "check", "verify", "view")
"""Commands that can be told to fit their limits to the graph."""
OF_THEIR_OWN = ("limits", "circuits")
"""Commands that choose limits for what they try, also where a saved model has others."""
SAVE = (
    "as ALGORITHM, a model that Python has saved, with "
    f"lw.compile(program, limits=lw.Limits(…)).save('model{SAVED}')"
)


def with_options(
    problem: str, command: str, algorithm: str, limits: str | None, *, on_graph: bool
) -> str:
    """A message, with what to say on the command line if it asks for other limits.

    `limits` is what the command's option of that name says, if it has one. `on_graph` says that it
    is a graph that does not keep to the limits, not the program or its input: others may fit it.

    >>> said = with_options("Recompile with Limits(nodes=9).", "run", "bfs", "paper", on_graph=True)
    >>> said.split(";")[0]
    'Recompile with Limits(nodes=9). On the command line: --limits fit'
    """
    if "Limits" not in problem:
        return problem
    if command in OF_THEIR_OWN:
        return f"{problem} On the command line, '{command}' has limits of its own."
    fitted = limits == "fit" or (limits == "auto" and not algorithm.endswith(SAVED))
    if fitted and "Limits.fit" in problem:
        return f"{problem} On the command line, --limits {limits} has tried them."
    ways = [SAVE]
    if on_graph and command in FIT and not fitted:
        ways = ["--limits fit", SAVE]
    elif on_graph and limits in ("default", "paper"):
        ways = [f"no --limits {limits}", SAVE]
    return f"{problem} On the command line: {'; or '.join(ways)}."
