"""Algorithm: one name, a program for each construction."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from dataclasses import dataclass, replace

from loopwright.errors import require_known
from loopwright.language.program import Program

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

    @property
    def default(self) -> str:
        """The construction that is meant wherever none is named, in Python and on the command line.

        It is `compact`, which takes the fewest iterations, or the first where there is no such.
        """
        return DEFAULT if DEFAULT in self.constructions else next(iter(self.constructions))

    def __call__(self, construction: str | None = None) -> Program:
        chosen = self.default if construction is None else construction
        require_known("construction", chosen, self.constructions, of=self.name)
        return replace(self.constructions[chosen](), construction=chosen)
