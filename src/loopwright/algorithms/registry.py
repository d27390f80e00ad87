"""Algorithm: one name, a program for each construction."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from dataclasses import dataclass, replace

from loopwright.errors import require_known
from loopwright.language.program import Program


@dataclass(frozen=True)
class Algorithm:
    """Call it to get a program: `dijkstra()`, or `dijkstra("paper")`."""

    name: str
    summary: str
    constructions: Mapping[str, Callable[[], Program]]
    """The first is the default."""
    differences: str = ""
    """How the answers of the constructions differ; nothing, unless they do."""

    def __call__(self, construction: str | None = None) -> Program:
        chosen = construction or next(iter(self.constructions))
        require_known("construction", chosen, self.constructions, of=self.name)
        return replace(self.constructions[chosen](), construction=chosen)
