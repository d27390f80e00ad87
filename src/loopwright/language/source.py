"""Where an author's statements are, and what their function calls the terms that it makes."""

from __future__ import annotations

import linecache
import re
import sys
from dataclasses import dataclass
from os.path import basename
from types import FrameType
from typing import Any, cast

from loopwright.language.terms import Number, OfAllNodes, Term, Truth
from loopwright.language.variables import Variable

OURS = __name__.rpartition(".")[0]
"""The room whose own functions are no author's."""
COMMENT = re.compile(r"\s*(#.*)?$")


@dataclass(frozen=True)
class Place:
    """A line of an author's file."""

    file: str
    line: int

    @property
    def text(self) -> str:
        """The line without its comment; its number, if the file cannot be read."""
        line = COMMENT.sub("", linecache.getline(self.file, self.line)).strip()
        return line if line.isprintable() and line else f"line {self.line}"

    def __str__(self) -> str:
        return f"{basename(self.file)}, line {self.line}"


class Places:
    """Remembers the functions that statements were written in, for as long as it lives."""

    def __init__(self) -> None:
        self.frames: dict[FrameType, None] = {}
        self.last: Place | None = None
        """The line that was done last."""
        self.have_ended = False
        """Whether the functions have returned, and what is still written belongs to that line."""

    def here(self) -> Place:
        """The line that is being done, in the nearest function that is not ours."""
        if self.have_ended and self.last is not None:
            return self.last
        frame = sys._getframe(1)  # pyright: ignore[reportPrivateUsage]
        while frame.f_back is not None and _is_ours(frame):
            frame = frame.f_back
        self.frames[frame] = None
        self.last = Place(frame.f_code.co_filename, frame.f_lineno)
        return self.last

    def names(self) -> dict[str, str]:
        """Name of a variable → what a function that made it calls it, its own or an object's."""
        found: dict[str, str] = {}
        for frame in self.frames:
            for name, value in frame.f_locals.items():
                if isinstance(value, Term):
                    _note(found, name, value)
                else:
                    for part, inner in cast(
                        "dict[Any, Any]", getattr(value, "__dict__", {})
                    ).items():
                        if isinstance(inner, Term):
                            _note(found, str(part), inner)
        return found


def _is_ours(frame: FrameType) -> bool:
    return str(frame.f_globals.get("__name__", "")).startswith(OURS)


def _note(found: dict[str, str], name: str, term: Term) -> None:
    held = [term.held] if isinstance(term, Number) else []
    held += [term.formula] if isinstance(term, Truth) and isinstance(term.formula, Variable) else []
    for variable in held:
        found.setdefault(variable.name, name)
    if isinstance(term, OfAllNodes) and isinstance(term.nodes, Variable):
        found.setdefault(term.nodes.name, f"{name}_n")
