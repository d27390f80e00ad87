"""A function of NetworkX, and when the backend cannot answer it: `can_run` asks here."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass
from inspect import Signature, signature
from typing import Any

from loopwright.bridges.networkx.refusal import Refusal
from loopwright.bridges.networkx.snapshot import Snapshot, forget, look_at

Check = Callable[..., None]
"""Takes the arguments by name; raises a Refusal if the question cannot be answered."""


@dataclass(frozen=True)
class Answered:
    """What NetworkX calls, and what sees beforehand whether it may."""

    function: Callable[..., Any]
    check: Check
    signature: Signature

    def reason(self, args: tuple[Any, ...], kwargs: dict[str, Any]) -> str | None:
        """Why it cannot run with these arguments; None if it can."""
        try:
            bound = self.signature.bind(*args, **kwargs)
        except TypeError as problem:
            return f"NetworkX does not take these arguments: {problem}."
        bound.apply_defaults()
        arguments = dict(bound.arguments)
        if not (hasattr(arguments["G"], "_adj") or isinstance(arguments["G"], Snapshot)):
            return f"a graph of type {type(arguments['G']).__name__} is none of NetworkX's own."
        arguments["G"] = look_at(arguments["G"])
        try:
            self.check(**arguments)
        except Refusal as refusal:
            forget()
            return str(refusal)
        return None


ANSWERED: dict[str, Answered] = {}
"""The name that NetworkX dispatches by → what answers."""


def answers(check: Check) -> Callable[[Callable[..., Any]], Callable[..., Any]]:
    """Declare a function of NetworkX, by its own name and with its own parameters."""

    def declare(function: Callable[..., Any]) -> Callable[..., Any]:
        ANSWERED[function.__name__] = Answered(function, check, signature(function))
        return function

    return declare


def unsupported(name: str, given: Any, *, why: str) -> None:
    """Refuse an argument that is given.

    Raises:
        Refusal: naming it.
    """
    if given is not None and given is not False:
        raise Refusal(f"{name} is given: {why}.")
