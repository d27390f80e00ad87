"""Algorithm: one name, a program for each construction."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from dataclasses import dataclass, replace

from loopwright.errors import ProgramError, require_known, require_type
from loopwright.language.program import Program, require_program
from loopwright.language.variables import require_name

DEFAULT = "compact"
"""The construction that `Algorithm.default` prefers."""


@dataclass(frozen=True)
class Algorithm:
    """Call it to get a program: `dijkstra("paper")`, or `dijkstra()` for the default one."""

    name: str
    summary: str
    constructions: Mapping[str, Callable[[], Program]]
    """Name → how to make the program. Which of them is the default, `default` says."""
    differences: str = ""
    """How the answers of the constructions differ; nothing, unless they do."""

    def __post_init__(self) -> None:
        """Whoever makes one by hand may have no type checker.

        Raises:
            ProgramError: naming the field that is not of its type.
        """
        require_name("an algorithm", self.name)
        for part in ("summary", "differences"):
            require_type(part, getattr(self, part), str, "a text", error=ProgramError)
        expected = "a mapping from names to functions that make programs, as {'own': make}"
        require_type("constructions", self.constructions, Mapping, expected, error=ProgramError)
        for construction in self.constructions:
            require_name("a construction", construction)
        if not self.constructions or not all(map(callable, self.constructions.values())):
            raise ProgramError(f"'{self.name}': constructions must be {expected}.")

    @property
    def default(self) -> str:
        """The construction that is meant wherever none is named, in Python and on the command line.

        It is `compact`, which takes the fewest iterations, or the first where there is no such.
        """
        return DEFAULT if DEFAULT in self.constructions else next(iter(self.constructions))

    def __call__(self, construction: str | None = None) -> Program:
        chosen = self.default if construction is None else construction
        require_known("construction", chosen, self.constructions, of=self.name)
        program = self.constructions[chosen]()
        require_program(program)
        return replace(program, construction=chosen)
