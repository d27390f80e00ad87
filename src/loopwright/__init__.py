"""Write a graph algorithm as a program; get a looped transformer whose weights are that program.

The rooms, in the order of the flow:

    algorithms/   programs that read like the paper's pseudocode          ┐
    language/     variables, ops, steps, and what they mean               │ build time: no graph yet
    compiler/     ops → ReLU formulas and attention patterns → matrices   ┘
    model/        the contract: all that a saved file holds
    runtime/      Graph → encode → loop → decode, and the machines        run time
    watch/        program and weights side by side; margins; traces
    viewer/       a run as one HTML page
    circuits/     what each part does, interventions, disguises, a benchmark of methods
    subleq/       a computer made of attention: assembler, plain machines, running
    lab/          what measures the rest: the paper's Table 1, speed, limits, training
    cli/          the command line
    front.py      what `import loopwright as lw` offers of all this

The front door opens when something is asked for: until then nothing is imported, so that a command
can be interrupted (Ctrl-C) as soon as it is started. What is asked for most is fetched by itself.
"""

from __future__ import annotations

TYPE_CHECKING = False  # as that of `typing`, which takes a while to import
if TYPE_CHECKING:
    from typing import Any

    from loopwright.front import *  # noqa: F403

__version__ = "0.1.0"

ROOMS = {
    "Answer": "runtime.decode",
    "Graph": "runtime.graph",
    "Limits": "model.limits",
    "LoopwrightError": "errors",
    "Model": "runtime.model",
    "Observer": "runtime.observe",
    "Trace": "watch.trace",
    "TraceWriter": "watch.trace",
    "verify": "watch.verify",
    "interpret": "watch.interpret",
}
"""Names whose own room is opened, and no other; for all others, `front` opens every room."""


def __getattr__(name: str) -> Any:
    """A name of the front door, or a room: opening the door imports all of those that it shows."""
    from importlib import import_module

    if name in ROOMS:
        found = getattr(import_module(f"loopwright.{ROOMS[name]}"), name)
        globals()[name] = found
        return found
    front = import_module("loopwright.front")
    return globals()[name] if name in globals() else getattr(front, name)


def __dir__() -> list[str]:
    from importlib import import_module

    return sorted({*globals(), *import_module("loopwright.front").__all__})
